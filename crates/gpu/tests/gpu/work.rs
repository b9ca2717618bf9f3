//! What kernels look at, against what the CPU's engine looks at.

use std::path::Path;
use zgram::Corpus;
use zgram::analytics::{Choice, Query, Question, Traversal};
use zgram::format::GrammarKind;
use zgram_gpu::{Engine, Twins};
use zgram_testkit::{Document, corpus, logs};

/// The books that come with the source.
fn books() -> Vec<Document> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/books");
    let mut books: Vec<Document> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let entry = entry.unwrap();
            let name = entry.file_name().into_encoded_bytes();
            Document::new(name, std::fs::read(entry.path()).unwrap())
        })
        .collect();
    books.sort_by(|a, b| a.name.cmp(&b.name));
    books
}

/// Symbols that kernels look at in times of those that the CPU looks at: to count, and in all.
fn ratios<'c, Q: Clone + Into<Question> + 'c>(query: impl Fn() -> Query<'c, Q>) -> (f64, f64) {
    let traversal = query().explain().traversal;
    let counted = query().traversal(Choice::Fixed(traversal));
    let cpu = counted.for_each_batch(|_| (), |()| Ok(())).unwrap().symbols as f64;
    let engine = Engine::new(Twins::default()).with_traversal(traversal);
    query().accelerator(&engine, false).for_each_batch(|_| (), |()| Ok(())).unwrap();
    let stats = engine.stats();
    assert!(stats.visits > 0);
    (stats.visits as f64 / cpu, stats.counters.visits as f64 / cpu)
}

/// The ratios of all tasks.
fn all_ratios(corpus: &Corpus) -> [(&'static str, (f64, f64)); 6] {
    [
        ("word-count", ratios(|| corpus.word_count())),
        ("sort", ratios(|| corpus.sort())),
        ("inverted-index", ratios(|| corpus.inverted_index())),
        ("term-vector", ratios(|| corpus.term_vector())),
        ("sequence-count", ratios(|| corpus.sequence_count())),
        ("ranked-inverted-index", ratios(|| corpus.ranked_inverted_index())),
    ]
}

/// Words: twice as many at most, with the pass that finds bounds. Sequences have more: in short lines a
/// symbol of a document stands beside two sequences that span it, which the CPU, streaming, does not
/// look up but makes anew each time; and heads, tails and the grammar of sequences come on top.
#[test]
fn kernels_look_at_about_as_many_symbols_as_the_cpu() {
    for (name, documents, most_of_sequences) in
        [("books", books(), (1.5, 4.5)), ("logs", logs(), (3.0, 6.0))]
    {
        let corpus = corpus(&documents, GrammarKind::RePair, 1 << 30);
        for (task, (counting, all)) in all_ratios(&corpus) {
            println!("{name}, {task}: {counting:.2} to count, {all:.2} in all");
            let (most, most_in_all) = match task {
                "word-count" | "sort" => (1.05, 1.05),
                "inverted-index" | "term-vector" => (1.05, 2.0),
                _ => most_of_sequences,
            };
            assert!(counting <= most, "{name}, {task}: {counting}");
            assert!(all <= most_in_all, "{name}, {task}: {all}");
        }
    }
}

/// What kernels are compared with: streaming looks at all rules to write them out, and at all
/// documents, whatever the task.
#[test]
fn the_cpu_counts_what_it_looks_at_to_make_ready() {
    let corpus = corpus(&logs(), GrammarKind::RePair, 1 << 30);
    let stream = || Choice::Fixed(Traversal::Stream);
    let symbols = corpus.facts().sizes.symbols;
    let words = corpus.term_vector().traversal(stream()).for_each_batch(|_| (), |()| Ok(()));
    let sequences = corpus.sequence_count().traversal(stream()).for_each_batch(|_| (), |()| Ok(()));
    assert_eq!((words.unwrap().symbols, sequences.unwrap().symbols), (symbols, symbols));
}
