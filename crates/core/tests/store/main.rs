//! Edits against a plain model of the documents, with reopening in between.

mod batches;
mod compaction;
mod copied;
mod edits;
mod refused;
mod spellings;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use zgram::Corpus;
use zgram::access::Phrase;
use zgram::analytics::{Choice, Row, Traversal};
use zgram::format::{GrammarKind, Layer, Level};
use zgram::plumbing::Splitter;
use zgram::store::Store;
use zgram_testkit::model::{Model, find, lines, some_text};
use zgram_testkit::{Document, Feed, Random, compress, options};

const QUERIES: [&str; 9] = ["a", "b", "the", "中", "cat", "a b", "the cat", "b a b", "文 a"];

/// Checks every answer of a store against the model.
fn check(store: &Store, model: &Model, random: &mut Random) {
    let expected: Vec<(usize, &[u8], u64)> = model
        .live()
        .into_iter()
        .map(|number| {
            let (name, text) = model.0[number].as_ref().unwrap();
            (number, &name[..], text.len() as u64)
        })
        .collect();
    let documents = store.documents().unwrap();
    let got: Vec<(usize, &[u8], u64)> =
        documents.iter().map(|entry| (entry.number, &entry.name[..], entry.size)).collect();
    assert_eq!(got, expected);
    for &number in &model.live() {
        let (name, text) = model.0[number].as_ref().unwrap();
        assert_eq!(store.find(name).unwrap(), Some(number));
        let mut written = Vec::new();
        store.write_document(number, &mut written).unwrap();
        assert_eq!(&written, text);
        let offset = random.below(text.len() + 1);
        let end = (offset + random.below(40)).min(text.len());
        assert_eq!(store.extract(number, offset as u64, end - offset).unwrap(), text[offset..end]);
        let (from, to) = (random.below(6), random.below(9));
        let (from, to) = (from as u64, to as u64);
        assert_eq!(store.lines(number, from, to).unwrap(), lines(text, from, to));
    }
    // The snapshot for analytics has the same bytes.
    let snapshot = store.snapshot().unwrap();
    let table = snapshot.documents().unwrap();
    for (at, document) in model.documents().into_iter().enumerate() {
        let mut written = Vec::new();
        snapshot.write_document(at, &mut written).unwrap();
        assert_eq!((table.name(at), &written), (Some(&document.name[..]), &document.text));
        assert_eq!(table.size(at), Some(written.len() as u64));
    }
    for query in QUERIES {
        let phrase = Phrase::new(query).unwrap();
        let mut all = Vec::new();
        for number in model.live() {
            let (_, text) = model.0[number].as_ref().unwrap();
            let expected = find(text, &phrase);
            assert_eq!(store.search(number, &phrase).unwrap(), expected, "{query} in {text:?}");
            assert_eq!(store.count(number, &phrase).unwrap(), expected.len() as u64);
            if !expected.is_empty() {
                all.push((number, expected));
            }
        }
        let total: usize = all.iter().map(|(_, found)| found.len()).sum();
        assert_eq!(store.count_all(&phrase).unwrap(), total as u64);
        assert_eq!(store.search_all(&phrase).unwrap(), all);
    }
}

/// Checks questions about the whole corpus: in a store that edits it, and in a corpus opened for them.
/// The words that edits change are known, so words are counted without applying the edits.
fn check_questions(store: &Store, path: &Path, model: &Model) {
    let has_edits = store.pending().edits > 0;
    let opened = Corpus::open(path).unwrap();
    let other = Store::open(path).unwrap().snapshot().unwrap();
    assert!(!other.has_deferred_edits());
    check_counts(&opened, &other, model, has_edits);
    check_counts(&store.snapshot().unwrap(), &other, model, has_edits);
}

/// Checks a corpus against the model, and against one with all edits applied.
fn check_counts(corpus: &Corpus, other: &Corpus, model: &Model, has_edits: bool) {
    assert_eq!(corpus.has_deferred_edits(), has_edits);
    let mut words: BTreeMap<Vec<u8>, u64> = BTreeMap::new();
    for document in model.documents() {
        Splitter::default().finish(&document.text, |class, word| {
            if class.is_word() {
                *words.entry(word.to_vec()).or_default() += 1;
            }
        });
    }
    let row = |(words, count): (&Vec<u8>, &u64)| (words.clone(), *count);
    let by_word: Vec<(Vec<u8>, u64)> = words.iter().map(row).collect();
    let mut by_count = by_word.clone();
    by_count.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let pairs = |rows: Vec<Row>| -> Vec<(Vec<u8>, u64)> {
        rows.into_iter().map(|row| (row.words, row.count)).collect()
    };
    assert_eq!(pairs(corpus.word_count().rows().unwrap()), by_count);
    assert_eq!(
        pairs(corpus.word_count().top(3).threads(1).rows().unwrap()),
        by_count[..by_count.len().min(3)]
    );
    assert_eq!(pairs(corpus.sort().rows().unwrap()), by_word);
    let view = |corpus: &Corpus| corpus.sort().fold().min_len(2).rows().unwrap();
    assert_eq!(view(corpus), view(other));
    let texts = model.documents();
    let bytes: u64 = texts.iter().map(|document| document.text.len() as u64).sum();
    let facts = corpus.facts();
    assert_eq!((facts.documents, facts.sizes.text_bytes), (texts.len() as u64, bytes));
    assert_eq!(corpus.has_deferred_edits(), has_edits, "no edit had to be applied");
    // Other questions apply the edits.
    let table = corpus.documents().unwrap();
    assert_eq!(corpus.facts().documents, table.len() as u64);
    let count = |corpus: &Corpus, choice| corpus.word_count().traversal(choice).rows().unwrap();
    assert_eq!(count(corpus, Choice::Fixed(Traversal::BottomUp)), count(other, Choice::Auto));
    assert!(!corpus.has_deferred_edits());
    for (at, document) in model.documents().into_iter().enumerate() {
        let mut written = Vec::new();
        corpus.write_document(at, &mut written).unwrap();
        assert_eq!((table.name(at), &written), (Some(&document.name[..]), &document.text));
        assert_eq!(table.size(at), Some(written.len() as u64));
    }
    assert_eq!(corpus.term_vector().rows().unwrap(), other.term_vector().rows().unwrap());
    let sklearn = |corpus: &Corpus| corpus.word_count().sklearn().rows().unwrap();
    assert_eq!(sklearn(corpus), sklearn(other));
    let sequences = |corpus: &Corpus| corpus.sequence_count().words(2).of_corpus().rows().unwrap();
    assert_eq!(sequences(corpus), sequences(other));
    assert_eq!(pairs(corpus.word_count().rows().unwrap()), by_count);
}

/// A corpus file of some documents in a new folder.
fn corpus(random: &mut Random, segment_size: u64) -> (TempDir, PathBuf, Model) {
    let documents: Vec<Document> = (0..random.below(5))
        .map(|number| Document::new(format!("{number}.txt"), some_text(random, 80)))
        .collect();
    let mut options = options(Level::Fast, GrammarKind::RePair, Layer::Zstd);
    options.segment_size = segment_size;
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("c.zgram");
    std::fs::write(&path, compress(&documents, Feed::Tar, &options).unwrap()).unwrap();
    (folder, path, Model::of(&documents))
}
