//! The bodies of the fuzz targets. Each takes any bytes and panics if the library breaks a promise.

pub use crate::block_sorting::{bzip2_decode, bzip2_round_trip};
use crate::documents::{
    Document, Feed, compress, indexed_corpus, lines_corpus, options, phrases_corpus, small_corpus,
    totals_corpus,
};
use crate::{Forged, check_corpus, exercise, exercise_with_files};
use std::fs;
use std::sync::{Arc, OnceLock};
use xxhash_rust::xxh3::xxh3_64_with_seed;
use zgram::Corpus;
use zgram::access::Phrase;
use zgram::error::OpenError;
use zgram::format::{GrammarKind, Layer, Level};
use zgram::plumbing::with_right_phrase_checksums;
use zgram::store::{Edit, Store};

/// Takes any bytes; panics if the library breaks a promise.
pub type Target = fn(&[u8]);

/// A target by name, as in `fuzz/fuzz_targets` and `fuzz/regressions`.
pub const ALL: [(&str, Target); 7] = [
    ("open_container", open_container),
    ("decode_section", decode_section),
    ("round_trip", round_trip),
    ("replay_journal", replay_journal),
    ("read_words", read_words),
    ("bzip2_decode", bzip2_decode),
    ("bzip2_round_trip", bzip2_round_trip),
];

/// A file as it is, and again with its checksums repaired.
pub fn open_container(file: &[u8]) {
    exercise(file.to_vec());
    if let Some(forged) = Forged::parse(file) {
        exercise(forged.to_bytes());
    }
}

/// A sound file in which one section is damaged behind a valid checksum. The first byte chooses the
/// file, the second the section, the third what is done to it:
///
/// * even: the other bytes take the section's place;
/// * odd: they are patches of three bytes, a position in the section and the byte put there.
pub fn decode_section(input: &[u8]) {
    let Some((&[file, section, how], rest)) = input.split_first_chunk::<3>() else { return };
    let files = sound_files();
    let forged = &files[usize::from(file) % files.len()];
    let at = usize::from(section) % forged.sections.len();
    let bytes = if how % 2 == 0 {
        rest.to_vec()
    } else {
        let mut bytes = forged.sections[at].bytes.clone();
        for &[low, high, value] in rest.as_chunks::<3>().0 {
            let position = usize::from(u16::from_le_bytes([low, high])) % bytes.len().max(1);
            if let Some(byte) = bytes.get_mut(position) {
                *byte = value;
            }
        }
        bytes
    };
    exercise_with_files(forged.with_section(at, bytes.clone()));
    if forged.sections[at].code == *b"PHRS" {
        // The parts of this section have checksums of their own.
        exercise_with_files(forged.with_section(at, with_right_phrase_checksums(bytes)));
    }
}

/// Files for [`decode_section`]; new ones only at the end, or old inputs change their meaning.
pub fn sound_files() -> &'static [Forged] {
    static FILES: OnceLock<Vec<Forged>> = OnceLock::new();
    FILES.get_or_init(|| {
        let repair = GrammarKind::RePair;
        [
            small_corpus(Level::Fast, repair, Layer::None),
            small_corpus(Level::Default, repair, Layer::None),
            small_corpus(Level::Max, repair, Layer::None),
            small_corpus(Level::Default, GrammarKind::Sequitur, Layer::Zstd),
            small_corpus(Level::Fast, repair, Layer::Gzip),
            lines_corpus(Level::Default, Layer::None),
            lines_corpus(Level::Max, Layer::Zstd),
            indexed_corpus(Layer::None),
            small_corpus(Level::Default, repair, Layer::Bwt),
            totals_corpus(Level::Default, Layer::None, 1 << 20),
            phrases_corpus(220),
            phrases_corpus(1 << 20),
        ]
        .iter()
        .map(|file| Forged::parse(file).expect("a file of ours"))
        .collect()
    })
}

/// Documents of any bytes: into a file and back. The first four bytes choose options, then each
/// document is a length of two bytes and a text.
pub fn round_trip(input: &[u8]) {
    let Some((&[level, rest_of_options, size, threads], mut rest)) = input.split_first_chunk::<4>()
    else {
        return;
    };
    let level = [Level::Fast, Level::Default, Level::Max][usize::from(level) % 3];
    let grammar = [GrammarKind::RePair, GrammarKind::Sequitur][usize::from(rest_of_options) % 2];
    let layer = [Layer::Zstd, Layer::None, Layer::Gzip][usize::from(rest_of_options) / 2 % 3];
    let mut options = options(level, grammar, layer);
    options.threads = 1 + usize::from(threads) % 3;
    // Many segments of a long text only cost time.
    options.segment_size = (1 + u64::from(size) * u64::from(size)).max(input.len() as u64 / 50);
    let mut documents = Vec::new();
    while let Some((&len, after)) = rest.split_first_chunk::<2>() {
        let len = usize::from(u16::from_le_bytes(len)).min(after.len());
        let name = format!("{:05}", documents.len());
        documents.push(Document::new(name, &after[..len]));
        rest = &after[len..];
    }
    let how = if threads < 128 { Feed::Tar } else { Feed::Gzip };
    let file: Arc<[u8]> = compress(&documents, how, &options).expect("no reason to fail").into();
    check_corpus(&file, &documents, &options);
}

/// A journal beside a sound file. If the first byte is even, the others are the journal. If it is
/// odd, they are records behind a valid header: each a length of two bytes and a list of edits, which
/// gets a valid checksum.
pub fn replay_journal(input: &[u8]) {
    let Some((&how, rest)) = input.split_first() else { return };
    let (corpus, header) = edited_corpus();
    let journal = if how % 2 == 0 { rest.to_vec() } else { with_checksums(header, rest) };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("c.zgram");
    fs::write(&path, corpus).expect("room");
    fs::write(folder.path().join("c.zgram.journal"), journal).expect("room");
    let store = match Store::open(&path) {
        Ok(store) => store,
        Err(OpenError::Journal { .. }) => return,
        Err(error) => panic!("{error} is no fault of a sound file"),
    };
    let snapshot = store.snapshot().expect("edits can be taken in");
    let phrases =
        ["the", "whale", "the white whale"].map(|words| Phrase::new(words).expect("words"));
    for (at, document) in store.documents().expect("a table").into_iter().enumerate() {
        let [mut text, mut same] = [const { Vec::new() }; 2];
        store.write_document(document.number, &mut text).expect("text");
        snapshot.write_document(at, &mut same).expect("text");
        assert_eq!(text.len() as u64, document.size);
        assert!(text == same, "a snapshot is the text");
        for phrase in &phrases {
            let found = store.search(document.number, phrase).expect("an answer");
            assert_eq!(found, crate::model::find(&text, phrase));
            let count = store.count(document.number, phrase).expect("an answer");
            assert_eq!(count, found.len() as u64);
        }
    }
    snapshot.word_count().rows().expect("an answer");
}

/// A file of word counts beside a sound file and its journal of three records. If the first byte is
/// even, the others are the file. If it is odd, they are records behind a valid header: each the
/// number of the record of the journal that it is for, a length of two bytes, and by how much words
/// have changed. The record gets a valid link to the journal and a valid checksum.
pub fn read_words(input: &[u8]) {
    let Some((&how, mut rest)) = input.split_first() else { return };
    let Journalled { corpus, journal, words, texts } = journalled_corpus();
    let mut forged = words[..HEADER_LEN].to_vec();
    if how % 2 == 0 {
        forged = rest.to_vec();
    }
    while let (1, Some((&[sequence, low, high], after))) = (how % 2, rest.split_first_chunk()) {
        let len = usize::from(u16::from_le_bytes([low, high])).min(after.len());
        let chain = chain_of(words, u64::from(sequence));
        let content = [&chain[..], &after[..len]].concat();
        put_record(words, b"ZGW1\0\0\0\0", u64::from(sequence), &content, &mut forged);
        rest = &after[len..];
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("c.zgram");
    for (name, bytes) in [("", corpus), (".journal", journal), (".words", &forged)] {
        fs::write(folder.path().join(format!("c.zgram{name}")), bytes).expect("room");
    }
    let current = Corpus::open(&path).expect("it is no fault of a sound file and journal");
    current.word_count().rows().expect("an answer");
    current.sort().lower().rows().expect("an answer");
    // This file never contains an offset.
    for (at, text) in texts.iter().enumerate() {
        let mut written = Vec::new();
        current.write_document(at, &mut written).expect("text");
        assert!(written == *text, "the text is that of the journal");
    }
    current.term_vector().rows().expect("an answer");
}

/// A file with edits, and the expected result.
struct Journalled {
    corpus: Vec<u8>,
    journal: Vec<u8>,
    words: Vec<u8>,
    texts: Vec<Vec<u8>>,
}

fn journalled_corpus() -> &'static Journalled {
    static CORPUS: OnceLock<Journalled> = OnceLock::new();
    CORPUS.get_or_init(|| {
        let (corpus, _) = edited_corpus();
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("c.zgram");
        fs::write(&path, corpus).expect("room");
        let store = Store::open_for_editing(&path).expect("a sound file");
        let insert = Edit::Insert { document: 0, offset: 6, bytes: b"er than".to_vec() };
        store.edit(&[insert]).expect("an edit");
        let add = Edit::Add { name: b"3".to_vec(), bytes: "中 whale".into() };
        store.edit(&[add, Edit::Remove { document: 2 }]).expect("edits");
        store.edit(&[Edit::Append { document: 1, bytes: b"end".to_vec() }]).expect("an edit");
        let read = |name: &str| fs::read(folder.path().join(name)).expect("a file");
        let texts = store.documents().expect("a table").into_iter().map(|document| {
            let mut text = Vec::new();
            store.write_document(document.number, &mut text).expect("text");
            text
        });
        let (journal, words) = (read("c.zgram.journal"), read("c.zgram.words"));
        Journalled { corpus: corpus.clone(), journal, words, texts: texts.collect() }
    })
}

/// Length of the header of a journal, or of the word counts beside it.
const HEADER_LEN: usize = 40;

/// The link from a numbered record in a sound file of word counts to the journal.
fn chain_of(words: &[u8], sequence: u64) -> [u8; 8] {
    let field = |at: usize| words[at..at + 8].try_into().expect("eight bytes");
    let mut at = HEADER_LEN;
    while at < words.len() {
        if u64::from_le_bytes(field(at + 16)) == sequence {
            return field(at + 32);
        }
        at += 32 + u64::from_le_bytes(field(at + 8)) as usize;
    }
    [0; 8]
}

/// A file, and the header of its journal.
fn edited_corpus() -> &'static (Vec<u8>, Vec<u8>) {
    static CORPUS: OnceLock<(Vec<u8>, Vec<u8>)> = OnceLock::new();
    CORPUS.get_or_init(|| {
        let mut options = options(Level::Fast, GrammarKind::RePair, Layer::None);
        // Documents in pieces, too.
        options.segment_size = 50;
        let texts = ["the white whale, the white whale; the white whale sleeps", "", "the end"];
        let document = |(number, text): (usize, &str)| Document::new(number.to_string(), text);
        let documents: Vec<Document> = texts.into_iter().enumerate().map(document).collect();
        let file = compress(&documents, Feed::Tar, &options).expect("no reason to fail");
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("c.zgram");
        fs::write(&path, &file).expect("room");
        // The journal begins with the first edit.
        let store = Store::open_for_editing(&path).expect("a sound file");
        store.edit(&[Edit::Append { document: 1, bytes: b"x".to_vec() }]).expect("an edit");
        let mut header = fs::read(folder.path().join("c.zgram.journal")).expect("a journal");
        header.truncate(HEADER_LEN);
        (file, header)
    })
}

/// A journal of records with valid checksums.
fn with_checksums(header: &[u8], mut records: &[u8]) -> Vec<u8> {
    let mut journal = header.to_vec();
    let mut sequence = 0u64;
    while let Some((&len, after)) = records.split_first_chunk::<2>() {
        let len = usize::from(u16::from_le_bytes(len)).min(after.len());
        sequence += 1;
        put_record(header, b"ZGE1\0\0\0\0", sequence, &after[..len], &mut journal);
        records = &after[len..];
    }
    journal
}

/// Appends a record with a valid checksum to a file with this header.
fn put_record(header: &[u8], mark: &[u8; 8], sequence: u64, content: &[u8], out: &mut Vec<u8>) {
    let number = |at: usize| {
        u64::from_le_bytes(header[at..at + 8].try_into().expect("the header is longer"))
    };
    let seed = number(16) ^ number(24);
    let summed = [&sequence.to_le_bytes()[..], content].concat();
    out.extend(mark);
    out.extend((content.len() as u64).to_le_bytes());
    out.extend(sequence.to_le_bytes());
    out.extend(xxh3_64_with_seed(&summed, seed).to_le_bytes());
    out.extend(content);
}
