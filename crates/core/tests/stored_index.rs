//! The word counts that `compress --index` stores answer as traversals do, over any layout of segments,
//! under any view, with pending edits.

use proptest::collection::vec;
use proptest::prelude::*;
use zgram::Corpus;
use zgram::analytics::{Choice, Stored};
use zgram::format::{GrammarKind, Layer, Level};
use zgram::storage::Memory;
use zgram_testkit::oracle::{
    MatrixQuestion, Question, RankQuestion, Task, View, answer, matrix, rank,
};
use zgram_testkit::{
    Document, Edited, Feed, Random, Way, ask, compress, library_view, logs, options,
};

/// The file of some documents, with an index.
fn indexed(documents: &[Document], segment_size: u64) -> Vec<u8> {
    let mut options = options(Level::Default, GrammarKind::RePair, Layer::Zstd);
    options.segment_size = segment_size;
    options.index = true;
    compress(documents, Feed::Tar, &options).expect("the documents are valid")
}

fn open(file: Vec<u8>) -> Corpus {
    Corpus::from_storage("indexed.zgram", Memory(file)).expect("it was just made")
}

/// Compares what the index answers with what the oracle says.
fn check(corpus: &Corpus, documents: &[Document], view: &View, top: Option<usize>) {
    let is_stored = !view.sklearn && !documents.is_empty();
    let stored = corpus.term_vector().view(library_view(view)).explain().stored;
    assert_eq!(stored, is_stored.then_some(Stored::Index));
    for task in [Task::TermVector, Task::InvertedIndex, Task::WordCount] {
        let question = Question { view: view.clone(), top, ..Question::new(task) };
        let expected = answer(documents, &question);
        for (threads, memory) in [(1, 1 << 30), (2, 1), (8, 1 << 30)] {
            let way = Way { choice: Choice::Auto, threads, memory, accelerator: None };
            assert_eq!(ask(corpus, &question, way), expected, "{task:?}, {way:?}, {view:?}");
        }
    }
    let expected = matrix(documents, &MatrixQuestion { view: view.clone(), ..Default::default() });
    for (threads, memory) in [(2, 1 << 30), (1, 1)] {
        let query = corpus.term_matrix().view(library_view(view)).threads(threads).memory(memory);
        let Ok(run) = query.prepare() else {
            assert!(expected.terms.is_empty());
            continue;
        };
        let matrix = run.collect().expect("a matrix");
        let row = |number: usize| {
            let (columns, counts) = matrix.row(number);
            columns.iter().copied().zip(counts.iter().copied()).collect::<Vec<_>>()
        };
        assert_eq!((0..matrix.rows()).map(row).collect::<Vec<_>>(), expected.rows);
        let report = run.into_report();
        assert_eq!(report.stored, is_stored.then_some(Stored::Index));
    }
    let asked = RankQuestion {
        view: view.clone(),
        words: ["a", "bb", "number3"].map(str::to_owned).to_vec(),
        ..RankQuestion::default()
    };
    let query = corpus.rank(&asked.words).view(library_view(view)).top(usize::MAX);
    let Ok(rows) = query.ranked() else { return };
    let expected: Vec<f64> =
        rank(documents, &asked).iter().map(|(_, scores)| scores.iter().sum()).collect();
    assert_eq!(rows.len(), expected.len());
    for (row, score) in rows.iter().zip(expected) {
        assert!((row.score - score).abs() < 1e-9, "{row:?}, not {score}");
    }
}

fn some_documents() -> impl Strategy<Value = Vec<Document>> {
    let word = prop_oneof![
        4 => "[ab]{1,2}",
        2 => "[A-Ca-c1]{1,3}",
        1 => Just("Straße".to_owned()),
        1 => Just("中文".to_owned()),
    ];
    let text = (vec(word, 0..40), 0usize..12, any::<bool>());
    // Some are the one before with a few words more; some repeat a word more often than a byte counts.
    vec(text, 1..10).prop_map(|texts| {
        let mut documents: Vec<Document> = Vec::new();
        for (number, (words, few, goes_on)) in texts.into_iter().enumerate() {
            let before = documents.last().map(|last| last.text.clone());
            let text = match before {
                Some(mut text) if goes_on => {
                    text.extend(format!(" {}", words[..few.min(words.len())].join(" ")).bytes());
                    text
                }
                _ if few == 11 => format!("{} {}", words.join(" "), "a ".repeat(300)).into_bytes(),
                _ => words.join(" ").into_bytes(),
            };
            documents.push(Document::new(format!("d{number:02}"), text));
        }
        documents
    })
}

fn some_view() -> impl Strategy<Value = View> {
    let stop = prop_oneof![Just(Vec::new()), Just(vec!["a".to_owned(), "Bb".to_owned()])];
    (any::<bool>(), 0..4, stop, any::<bool>()).prop_map(|(lower, kind, stop, no_digits)| View {
        lower,
        sklearn: kind == 0,
        stop,
        no_digits,
        ..View::default()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(zgram_testkit::cases(60)))]

    #[test]
    fn an_index_answers_as_the_oracle(
        documents in some_documents(),
        view in some_view(),
        top in proptest::option::of(1usize..4),
        segment_size in prop_oneof![Just(u64::MAX / 4), 30u64..200],
    ) {
        let corpus = open(indexed(&documents, segment_size));
        check(&corpus, &documents, &view, top);
    }
}

/// Documents that were edited are counted anew; the counts of others come from the file.
#[test]
fn pending_edits_are_counted() {
    let mut random = Random::new(23);
    for round in 0..10 {
        let text = |number: usize| format!("a b Ab number{number} {}", "a bb ".repeat(number));
        let documents: Vec<Document> =
            (0..8).map(|number| Document::new(format!("a{number}"), text(number))).collect();
        let segment_size = if round % 2 == 0 { 60 } else { 1 << 20 };
        let mut edited = Edited::new(indexed(&documents, segment_size), &documents);
        edited.edit(&mut random, [1, 4, 20][round % 3]);
        let documents = edited.model.documents();
        for view in [View::default(), View { lower: true, ..View::default() }] {
            let snapshot = edited.store().snapshot().expect("a snapshot");
            check(&snapshot, &documents, &view, None);
        }
        check(&edited.reopened(), &documents, &View::default(), None);
    }
}

/// An index is left aside where it cannot answer, or where a traversal is asked for.
#[test]
fn an_index_is_used_where_it_can_answer() {
    let corpus = open(indexed(&logs(), 4000));
    assert_eq!(corpus.term_vector().explain().stored, Some(Stored::Index));
    assert_eq!(corpus.inverted_index().explain().stored, Some(Stored::Index));
    assert_eq!(corpus.term_vector().sklearn().explain().stored, None);
    assert_eq!(corpus.term_vector().traversal(Choice::TopDown).explain().stored, None);
    assert_eq!(corpus.term_vector().keep_going(true).explain().stored, None);
    assert_eq!(corpus.sequence_count().explain().stored, None);
    let shown = corpus.term_vector().explain().to_string();
    assert!(shown.contains("the file stores the words of each document"), "{shown}");
    let report = corpus.term_vector().for_each_batch(|_| (), |()| Ok(())).expect("rows");
    assert_eq!((report.stored, report.traversal, report.rules), (Some(Stored::Index), None, 0));
    // Others are not.
    let mut options = options(Level::Default, GrammarKind::RePair, Layer::Zstd);
    options.segment_size = 4000;
    let plain = open(compress(&logs(), Feed::Tar, &options).expect("the documents are valid"));
    assert_eq!(plain.term_vector().explain().stored, None);
}
