//! Real text: the bundled books, and logs, with all tasks, traversals and devices.

use crate::devices::devices;
use std::path::Path;
use zgram::Corpus;
use zgram::analytics::{Query, Question, Traversal};
use zgram::format::GrammarKind;
use zgram_gpu::Engine;
use zgram_testkit::{Document, corpus, logs};

/// The books, and the most bytes of each.
pub(crate) fn books(most: usize) -> Vec<Document> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/books");
    let mut books: Vec<Document> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let entry = entry.unwrap();
            let name = entry.file_name().into_encoded_bytes();
            let mut text = std::fs::read(entry.path()).unwrap();
            text.truncate(most);
            Document::new(name, text)
        })
        .collect();
    books.sort_by(|a, b| a.name.cmp(&b.name));
    books
}

/// Asks both devices, top-down and bottom-up, and compares all rows with the CPU's.
fn compare<'c, Q: Clone + Into<Question> + 'c>(task: &str, query: impl Fn() -> Query<'c, Q>) {
    let expected = query().rows().unwrap();
    assert!(!expected.is_empty());
    for device in devices() {
        for way in [Traversal::TopDownSingle, Traversal::BottomUp] {
            let engine = Engine::new(device).with_traversal(way);
            // The query must live as long as the corpus.
            let engine: &'static Engine<_> = Box::leak(Box::new(engine));
            let rows = query().accelerator(engine, false).rows().unwrap();
            assert!(rows == expected, "{}, {task}, {way}", device.adapter().name);
            assert!(engine.stats().traversals > 0, "{task}");
        }
    }
}

fn all_tasks(corpus: &Corpus) {
    compare("word-count", || corpus.word_count());
    compare("sort", || corpus.sort());
    compare("inverted-index", || corpus.inverted_index());
    compare("term-vector", || corpus.term_vector());
    for n in [2, 5] {
        compare("sequence-count", || corpus.sequence_count().words(n));
    }
    compare("sequence-count of the corpus", || corpus.sequence_count().of_corpus());
    compare("ranked-inverted-index", || corpus.ranked_inverted_index());
}

#[test]
fn books_on_every_device() {
    all_tasks(&corpus(&books(30_000), GrammarKind::RePair, 1 << 30));
}

#[test]
fn logs_on_every_device() {
    all_tasks(&corpus(&logs(), GrammarKind::Sequitur, 1 << 30));
}
