//! What kernels look at, against what the CPU's engine looks at.

use std::path::Path;
use zgram::Corpus;
use zgram::analytics::{Query, Question};
use zgram::format::GrammarKind;
use zgram_gpu::{Engine, Twins};
use zgram_testkit::{Document, Random, corpus};

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

/// Lines of few kinds with words that change, as logs have them.
fn logs() -> Vec<Document> {
    let mut random = Random::new(5);
    let mut line = || {
        let kind = ["started task attempt", "finished task attempt", "memory of the map is"];
        let (kind, number) = (kind[random.below(3)], random.below(50));
        format!("2015-10-17 INFO [main] org.apache.Task: {kind} number {number} of job 1445\n")
    };
    (0..60)
        .map(|number| {
            let text: String = (0..100 + number).map(|_| line()).collect();
            Document::new(format!("{number:03}"), text)
        })
        .collect()
}

/// Symbols that kernels look at in times of those that the CPU looks at: to count, and in all.
fn ratios<'c, Q: Clone + Into<Question> + 'c>(query: impl Fn() -> Query<'c, Q>) -> (f64, f64) {
    let cpu = query().for_each_batch(|_| (), |()| Ok(())).unwrap().symbols as f64;
    let engine = Engine::new(Twins::default()).with_traversal(query().explain().traversal);
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

/// Twice as many at most, to count on text that does not repeat much. Where it does, equal symbols of
/// a rule are one to the CPU, which kernels do not have yet; and passes that find bounds come on top.
#[test]
fn kernels_look_at_about_as_many_symbols_as_the_cpu() {
    for (name, documents, most_counting, most_in_all) in
        [("books", books(), 1.5, 9.0), ("logs", logs(), 5.0, 14.0)]
    {
        let corpus = corpus(&documents, GrammarKind::RePair, 1 << 30);
        for (task, (counting, all)) in all_ratios(&corpus) {
            println!("{name}, {task}: {counting:.2} to count, {all:.2} in all");
            let is_together = matches!(task, "word-count" | "sort");
            let (most, most_in_all) =
                if is_together { (1.1, 1.1) } else { (most_counting, most_in_all) };
            assert!(counting <= most, "{name}, {task}: {counting}");
            assert!(all <= most_in_all, "{name}, {task}: {all}");
        }
    }
}
