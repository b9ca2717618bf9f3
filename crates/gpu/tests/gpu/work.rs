//! The symbols that kernels visit, compared with those that the CPU engine visits.

use crate::texts::books;
use zgram::Corpus;
use zgram::analytics::{Choice, Query, Question, Traversal};
use zgram::format::GrammarKind;
use zgram_gpu::{Engine, Twins};
use zgram_testkit::{Document, corpus, logs};

/// A book in versions: each document has some more lines, and some of the earlier ones changed.
fn versions() -> Vec<Document> {
    let book = books(200_000).swap_remove(1);
    let lines: Vec<&[u8]> = book.text.split_inclusive(|&byte| byte == b'\n').collect();
    let version = |number: usize| {
        let mut text: Vec<&[u8]> = lines[..lines.len() / 2 + 10 * number].to_vec();
        text.swap(7 * number, 11 * number);
        Document::new(format!("{number:03}"), text.concat())
    };
    (0..60).map(version).collect()
}

/// The symbols that kernels visit, relative to those that the CPU visits: to count, and in total.
fn ratios<'c, Q: Clone + Into<Question> + 'c>(query: impl Fn() -> Query<'c, Q>) -> (f64, f64) {
    let traversal = query().explain().traversal;
    let counted = query().traversal(Choice::Fixed(traversal));
    let cpu = counted.for_each_batch(|_| (), |()| Ok(())).unwrap().symbols as f64;
    let engine = Engine::new(Twins::default());
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

/// To count, kernels visit as many symbols, or some more where tables of long rules take several threads,
/// as in versions of a document. With the pass that finds heads and tails it is twice as many. Words need
/// no pass before.
#[test]
fn kernels_look_at_about_as_many_symbols_as_the_cpu() {
    for (name, documents) in
        [("books", books(usize::MAX)), ("logs", logs()), ("versions", versions())]
    {
        let corpus = corpus(&documents, GrammarKind::RePair, 1 << 30);
        for (task, (counting, all)) in all_ratios(&corpus) {
            println!("{name}, {task}: {counting:.2} to count, {all:.2} in all");
            let most_in_all = match task {
                "sequence-count" | "ranked-inverted-index" => 2.0,
                _ => counting,
            };
            assert!(counting <= 1.1, "{name}, {task}: {counting}");
            assert!(all <= most_in_all, "{name}, {task}: {all}");
        }
    }
}

/// The CPU's side of the comparison: streaming visits all rules to expand them, and all documents,
/// whatever the task.
#[test]
fn the_cpu_counts_what_it_looks_at_to_make_ready() {
    let corpus = corpus(&logs(), GrammarKind::RePair, 1 << 30);
    let stream = || Choice::Fixed(Traversal::Stream);
    let symbols = corpus.facts().sizes.symbols;
    let words = corpus.term_vector().traversal(stream()).for_each_batch(|_| (), |()| Ok(()));
    let sequences = corpus.sequence_count().traversal(stream()).for_each_batch(|_| (), |()| Ok(()));
    assert_eq!((words.unwrap().symbols, sequences.unwrap().symbols), (symbols, symbols));
}
