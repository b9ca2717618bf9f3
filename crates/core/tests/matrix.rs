//! Term matrices equal the oracle's, over any layout of segments, at any number of threads, with much
//! memory and little.

use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::HashSet;
use std::ops::RangeInclusive;
use zgram::Corpus;
use zgram::analytics::{
    Choice, DocumentLimit, MatrixRun, NormalForm, Query, TermMatrix, Terms, Traversal, Units,
};
use zgram::error::{MatrixError, QueryError};
use zgram::format::GrammarKind;
use zgram_testkit::oracle::{MatrixQuestion, Table, View, matrix};
use zgram_testkit::{Document, Edited, Random, corpus, file, library_view};

/// What the library says, in the oracle's words.
fn table(run: &MatrixRun<'_>) -> Table {
    let mut rows = Vec::new();
    run.for_each_row(|columns, values| {
        rows.push(columns.iter().copied().zip(values.iter().copied()).collect());
        Ok(())
    })
    .expect("rows");
    let collected = run.collect().expect("a matrix");
    assert_eq!(collected.rows(), rows.len());
    assert_eq!(collected.width, run.terms().len());
    assert_eq!(collected.cells(), run.cells());
    for (number, row) in rows.iter().enumerate() {
        let (columns, values) = collected.row(number);
        let cells: Vec<(u32, u64)> = columns.iter().copied().zip(values.iter().copied()).collect();
        assert_eq!(cells, *row);
    }
    let mut documents = vec![0; run.terms().len()];
    let mut totals = vec![0; run.terms().len()];
    for &(column, count) in rows.iter().flatten() {
        documents[column as usize] += 1;
        totals[column as usize] += count;
    }
    assert_eq!(run.document_counts(), documents);
    assert_eq!(run.totals(), totals);
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("words are UTF-8");
    Table {
        names: (0..run.row_count()).map(|row| run.row_name(row).to_vec()).collect(),
        terms: run.terms().iter().map(text).collect(),
        rows,
    }
}

/// The oracle's question, as a query.
fn query<'c>(corpus: &'c Corpus, asked: &MatrixQuestion) -> Query<'c, TermMatrix> {
    let mut query = corpus.term_matrix().view(library_view(&asked.view)).min_count(asked.min_count);
    if asked.min_docs > 0.0 {
        query = query.min_docs(DocumentLimit::Count(asked.min_docs as u64));
    }
    if asked.max_docs.is_finite() {
        query = query.max_docs(DocumentLimit::Count(asked.max_docs as u64));
    }
    if let Some(features) = asked.max_features {
        query = query.max_features(features);
    }
    if let Some(vocabulary) = &asked.vocabulary {
        query = query.vocabulary(Terms::from_iter(vocabulary));
    }
    let query = query.ngrams(asked.ngrams.clone());
    let query = if asked.gaps { query.gaps() } else { query };
    if asked.binary { query.binary() } else { query }
}

/// Compares in several ways with what the oracle says.
fn check(corpus: &Corpus, documents: &[Document], asked: &MatrixQuestion) {
    let expected = matrix(documents, asked);
    let choices = [Choice::Auto].into_iter().chain(Traversal::ALL.into_iter().map(Choice::Fixed));
    for choice in choices {
        // A byte of memory is too little to keep any row.
        for (threads, memory) in [(1, 1 << 30), (2, 1), (8, 1 << 30)] {
            let query = query(corpus, asked).traversal(choice).threads(threads).memory(memory);
            let query = match asked.unit_of {
                Some(_) => query.by(Units::Pattern("^(.)".parse().expect("a pattern"))),
                None => query,
            };
            let run = match query.prepare() {
                Ok(run) => run,
                Err(QueryError::Matrix(_)) => {
                    let is_empty = expected.rows.iter().all(Vec::is_empty);
                    assert!(is_empty, "{choice:?}, {threads} threads, {asked:?}");
                    continue;
                }
                Err(error) => panic!("{error}"),
            };
            assert_eq!(table(&run), expected, "{choice:?}, {threads} threads, {asked:?}");
        }
    }
}

fn some_documents() -> impl Strategy<Value = Vec<Document>> {
    let word = prop_oneof![
        4 => "[ab]{1,2}",
        2 => "[A-Ca-c1]{1,3}",
        1 => Just("Straße".to_owned()),
        1 => Just("ΟΔΟΣ".to_owned()),
        1 => Just("中文".to_owned()),
        1 => Just("don't".to_owned()),
        1 => Just("x_y".to_owned()),
        1 => "[ab_中]{1,5}",
    ];
    let text = vec(word, 0..40).prop_map(|words| words.join(" "));
    vec(text, 1..12).prop_map(|texts| {
        let name = |number: usize| format!("{}{number:02}", ["a", "b", "c"][number * 7 % 3]);
        let document = |(number, text): (usize, String)| Document::new(name(number), text);
        let mut documents: Vec<Document> = texts.into_iter().enumerate().map(document).collect();
        documents.sort_by(|a, b| a.name.cmp(&b.name));
        documents
    })
}

fn some_view() -> impl Strategy<Value = View> {
    let stop = prop_oneof![Just(Vec::new()), Just(vec!["a".to_owned(), "Bb".to_owned()])];
    (any::<bool>(), any::<bool>(), stop, any::<bool>()).prop_map(
        |(lower, sklearn, stop, no_digits)| View {
            lower,
            sklearn,
            stop,
            no_digits,
            ..View::default()
        },
    )
}

fn some_question() -> impl Strategy<Value = MatrixQuestion> {
    let most = prop_oneof![3 => Just(f64::INFINITY), 1 => (1u32..8).prop_map(f64::from)];
    let vocabulary = prop_oneof![
        3 => Just(None),
        1 => Just(Some(["zz", "b a", "a", "ab", "straße", "bb a ab", "bb", "ab ab"].map(str::to_owned).to_vec())),
    ];
    let ngrams = prop_oneof![
        3 => Just(1..=1),
        2 => Just(1..=2),
        1 => Just(2..=2),
        1 => Just(2..=4),
        1 => Just(1..=14),
        1 => Just(41..=42),
    ];
    let limits = (0u32..3, most, 0u64..4, proptest::option::of(1usize..6));
    let flags = (any::<bool>(), any::<bool>(), any::<bool>());
    (some_view(), limits, vocabulary, ngrams, flags).prop_map(
        |(view, (min_docs, max_docs, min_count, max_features), vocabulary, ngrams, flags)| {
            let (binary, by_unit, gaps) = flags;
            MatrixQuestion {
                view,
                ngrams,
                gaps,
                min_docs: f64::from(min_docs),
                max_docs,
                min_count,
                max_features,
                vocabulary,
                binary,
                unit_of: by_unit.then_some(|name| Some(name[..1].to_vec())),
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(zgram_testkit::cases(60)))]

    #[test]
    fn matrices_equal_the_oracles(
        documents in some_documents(),
        question in some_question(),
        segment_size in prop_oneof![Just(u64::MAX / 4), 30u64..200],
    ) {
        check(&corpus(&documents, GrammarKind::RePair, segment_size), &documents, &question);
    }
}

/// Rows and columns are those of the edited documents.
#[test]
fn pending_edits_are_counted() {
    let mut random = Random::new(7);
    for round in 0..8 {
        let text = |number: usize| format!("a b ab number{number} {}", "a bb ".repeat(number));
        let documents: Vec<Document> =
            (0..6).map(|number| Document::new(format!("a{number}"), text(number))).collect();
        let segment_size = if round % 2 == 0 { 60 } else { 1 << 20 };
        let file = file(&documents, GrammarKind::RePair, segment_size);
        let mut edited = Edited::new(file, &documents);
        edited.edit(&mut random, 20);
        let corpus = edited.reopened();
        let documents = edited.model.documents();
        check(&corpus, &documents, &MatrixQuestion::default());
        let pairs = MatrixQuestion { ngrams: 1..=2, ..MatrixQuestion::default() };
        check(&corpus, &documents, &pairs);
    }
}

/// A choice of documents, in any order and with repetitions, gives rows in the corpus's order.
#[test]
fn chosen_documents_are_rows_in_the_corpus_s_order() {
    let documents: Vec<Document> =
        (0..9).map(|number| Document::new(format!("d{number}"), format!("w{number} w"))).collect();
    for segment_size in [u64::MAX / 4, 12] {
        let corpus = corpus(&documents, GrammarKind::RePair, segment_size);
        let run = corpus.term_matrix().documents([7, 2, 7, 3]).prepare().expect("columns");
        let chosen: Vec<Document> = [2, 3, 7].map(|number: usize| documents[number].clone()).into();
        assert_eq!(table(&run), matrix(&chosen, &MatrixQuestion::default()));
        assert_eq!(
            (0..3).map(|row| run.row_document(row)).collect::<Vec<_>>(),
            [2, 3, 7].map(Some)
        );
    }
}

#[test]
fn folders_are_units() {
    let names = ["a/1", "a/b/1", "a/b/2", "b/1", "top"];
    let documents: Vec<Document> =
        names.iter().map(|&name| Document::new(name, "one two two")).collect();
    let corpus = corpus(&documents, GrammarKind::RePair, u64::MAX / 4);
    let run = corpus.term_matrix().by(Units::Folder).prepare().expect("columns");
    let found = table(&run);
    assert_eq!(found.names, [&b"a"[..], b"a/b", b"b", b"."]);
    assert_eq!(found.rows[1], [(0, 2), (1, 4)]);
    assert_eq!(run.row_document(1), None);
    assert_eq!(run.document_counts(), [4, 4]);
    let some = corpus.term_matrix().by(Units::Pattern("b/(.)".parse().unwrap())).prepare();
    let some = table(&some.expect("columns"));
    assert_eq!(some.names, [b"1", b"2"], "documents that do not match are left out");
    assert_eq!(some.rows, [[(0, 2), (1, 4)], [(0, 1), (1, 2)]]);
}

/// A normal form puts a space into the one letter U+037A. Columns are in the order of their texts
/// nevertheless.
#[test]
fn columns_are_in_the_order_of_their_texts() {
    let documents = [Document::new("1", "a \u{37a} b a \u{37a}b a c")];
    for segment_size in [u64::MAX / 4, 4] {
        let corpus = corpus(&documents, GrammarKind::RePair, segment_size);
        let query = corpus.term_matrix().normalize(NormalForm::Nfkc).ngrams(1..=3);
        for memory in [1, 1 << 30] {
            let found = table(&query.clone().memory(memory).prepare().expect("columns"));
            assert!(found.terms.is_sorted(), "{:?}", found.terms);
            assert!(found.terms.iter().any(|term| term == "a  \u{345} b"), "{:?}", found.terms);
        }
    }
}

#[test]
fn questions_without_an_answer_say_why() {
    let documents =
        [Document::new("1", "one two"), Document::new("2", "two"), Document::new("3", " .")];
    let full = corpus(&documents, GrammarKind::RePair, u64::MAX / 4);
    let empty = corpus(&[], GrammarKind::RePair, u64::MAX / 4);
    let why = |query: Query<'_, TermMatrix>| match query.prepare().map(|_| ()) {
        Err(QueryError::Matrix(error)) => error,
        other => panic!("{other:?}"),
    };
    assert_eq!(why(empty.term_matrix()), MatrixError::NoWords);
    assert_eq!(why(full.term_matrix().documents([2])), MatrixError::NoWords);
    assert_eq!(why(full.term_matrix().documents([])), MatrixError::NoWords);
    assert_eq!(why(full.term_matrix().min_count(3)), MatrixError::NoTermsLeft { terms: 2 });
    let vocabulary = |terms: &[&str]| full.term_matrix().vocabulary(Terms::from_iter(terms));
    assert_eq!(why(vocabulary(&["Two", "three"])), MatrixError::NoTermOccurs { terms: 2 });
    assert_eq!(why(vocabulary(&[])), MatrixError::EmptyVocabulary);
    let twice = MatrixError::DuplicateTerm { term: "two".to_owned() };
    assert_eq!(why(vocabulary(&["two", "one", "two"])), twice);
    let unit = full.term_matrix().by(Units::Pattern("x".parse().unwrap()));
    for (from, to) in [(0, 1), (2, 1), (1, 101)] {
        let bad = MatrixError::BadNgrams { from, to, most: 100 };
        assert_eq!(why(full.term_matrix().ngrams(RangeInclusive::new(from, to))), bad);
    }
    assert_eq!(why(full.term_matrix().ngrams(3..=9)), MatrixError::NoWords);
    let nobody = unit.prepare().map(|_| ());
    assert!(matches!(nobody, Err(QueryError::NoUnit { pattern }) if pattern == "x"));
    let far = full.term_matrix().documents([3]).prepare().map(|_| ());
    assert!(matches!(far, Err(QueryError::NoDocument { .. })));
    let messages: HashSet<String> = [MatrixError::NoWords, MatrixError::EmptyVocabulary, twice]
        .map(|why| why.to_string())
        .into();
    assert_eq!(messages.len(), 3);
}
