//! The bodies of the fuzz targets. Each takes any bytes and panics when a promise is broken.

use crate::documents::{
    Document, Feed, compress, indexed_corpus, lines_corpus, options, small_corpus,
};
use crate::{Forged, check_corpus, exercise, exercise_with_files};
use std::sync::{Arc, OnceLock};
use zgram::format::{GrammarKind, Layer, Level};

/// Takes any bytes; panics when a promise is broken.
pub type Target = fn(&[u8]);

/// A target by name, as in `fuzz/fuzz_targets` and `fuzz/regressions`.
pub const ALL: [(&str, Target); 3] = [
    ("open_container", open_container),
    ("decode_section", decode_section),
    ("round_trip", round_trip),
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
    exercise_with_files(forged.with_section(at, bytes));
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
