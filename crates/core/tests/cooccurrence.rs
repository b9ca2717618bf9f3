//! Co-occurrences equal the oracle's, over any layout of segments, at any number of threads, with much
//! memory and little, word by word and by the grammar.

use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, Ordering};
use zgram::Corpus;
use zgram::analytics::{
    Boundary, Choice, CollocateMeasure, Cooccurrence, CooccurrenceRun, Query, Traversal, Weighting,
};
use zgram::error::{CooccurrenceError, QueryError};
use zgram::format::GrammarKind;
use zgram::progress::Progress;
use zgram_testkit::oracle::{
    CooccurrenceQuestion, Cooccurrences, Sides, View, collocates, cooccurrence,
};
use zgram_testkit::{Document, Edited, Random, corpus, file, library_view};

/// What the library says, in the oracle's words.
fn found(run: &CooccurrenceRun<'_>) -> Cooccurrences {
    let mut rows = Vec::new();
    run.for_each_row(|columns, values| {
        rows.push(columns.iter().copied().zip(values.iter().copied()).collect());
        Ok(())
    })
    .expect("rows");
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("words are UTF-8");
    Cooccurrences {
        terms: run.terms().iter().map(text).collect(),
        counts: run.counts().to_vec(),
        rows,
    }
}

/// The oracle's question, as a query.
fn query<'c>(corpus: &'c Corpus, asked: &CooccurrenceQuestion) -> Query<'c, Cooccurrence> {
    let mut query = corpus.cooccurrence().view(library_view(&asked.view));
    query = query.window(asked.window).min_count(asked.min_count);
    query = query.weighting(if asked.inverse { Weighting::Inverse } else { Weighting::Flat });
    query = query.boundary(if asked.lines { Boundary::Line } else { Boundary::Document });
    query = match asked.sides {
        Sides::Both => query.symmetric(),
        Sides::Left => query.left(),
        Sides::Right => query.right(),
    };
    if let Some(words) = asked.max_vocab {
        query = query.max_vocab(words);
    }
    if asked.upper { query.upper_triangle() } else { query }
}

const TRAVERSALS: [Choice; 3] =
    [Choice::Auto, Choice::Fixed(Traversal::Stream), Choice::Fixed(Traversal::BottomUp)];

/// Compares in several ways with what the oracle says.
fn check(corpus: &Corpus, documents: &[Document], asked: &CooccurrenceQuestion) {
    let expected = cooccurrence(documents, asked);
    for choice in TRAVERSALS {
        // A byte of memory is too little for all words at once.
        for (threads, memory) in [(1, 1 << 30), (2, 1), (8, 1 << 30)] {
            let query = query(corpus, asked).traversal(choice).threads(threads).memory(memory);
            let run = match query.prepare() {
                Ok(run) => run,
                Err(QueryError::Cooccurrence(error)) => {
                    assert!(expected.terms.is_empty(), "{error}, {asked:?}");
                    continue;
                }
                Err(error) => panic!("{error}"),
            };
            assert_eq!(found(&run), expected, "{choice:?}, {threads} threads, {asked:?}");
        }
    }
}

fn some_documents() -> impl Strategy<Value = Vec<Document>> {
    let word = prop_oneof![
        6 => "[a-d]",
        2 => "[A-Ca-c1]{1,2}",
        1 => Just("中文".to_owned()),
        1 => Just("don't".to_owned()),
    ];
    let space = prop_oneof![6 => Just(" "), 1 => Just(".\n"), 1 => Just(", "), 1 => Just("\n\n")];
    let words = vec((word, space), 0..30);
    // Text that repeats has rules of every size.
    let text = (words, 1usize..5).prop_map(|(words, times)| {
        let once: String = words.into_iter().map(|(word, space)| word + space).collect();
        once.repeat(times)
    });
    vec(text, 1..8).prop_map(|texts| {
        let document = |(number, text)| Document::new(format!("d{number}"), text);
        texts.into_iter().enumerate().map(document).collect()
    })
}

fn some_question() -> impl Strategy<Value = CooccurrenceQuestion> {
    let view = (any::<bool>(), any::<bool>(), any::<bool>()).prop_map(|(lower, stop, sklearn)| {
        let stop = if stop { vec!["a".to_owned()] } else { Vec::new() };
        View { lower, stop, sklearn, ..View::default() }
    });
    let window = prop_oneof![4 => 1usize..6, 1 => 15usize..=20, 1 => 40usize..=42];
    let sides = prop_oneof![Just(Sides::Both), Just(Sides::Left), Just(Sides::Right)];
    let limits = (0u64..4, proptest::option::of(1usize..6));
    let flags = (any::<bool>(), any::<bool>(), any::<bool>());
    (view, window, sides, limits, flags).prop_map(
        |(view, window, sides, (min_count, max_vocab), (inverse, lines, upper))| {
            CooccurrenceQuestion {
                lines: lines && !view.sklearn,
                view,
                window,
                inverse,
                sides,
                min_count,
                max_vocab,
                upper: upper && sides == Sides::Both,
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(zgram_testkit::cases(60)))]

    #[test]
    fn cooccurrences_equal_the_oracles(
        documents in some_documents(),
        question in some_question(),
        segment_size in prop_oneof![Just(u64::MAX / 4), 20u64..200],
    ) {
        check(&corpus(&documents, GrammarKind::RePair, segment_size), &documents, &question);
    }

    #[test]
    fn collocates_equal_the_oracles(
        documents in some_documents(),
        question in some_question(),
        segment_size in prop_oneof![Just(u64::MAX / 4), 20u64..200],
    ) {
        let corpus = corpus(&documents, GrammarKind::RePair, segment_size);
        let near = collocates(&documents, "b", &question);
        let measures = [
            CollocateMeasure::LogDice,
            CollocateMeasure::Pmi,
            CollocateMeasure::LogLikelihood,
            CollocateMeasure::TScore,
        ];
        for (number, measure) in measures.into_iter().enumerate() {
            let query = corpus.collocates("b").view(library_view(&question.view)).threads(2);
            let query = query.window(question.window).measure(measure).min_count(2);
            let query = match question.sides {
                Sides::Both => query,
                Sides::Left => query.left(),
                Sides::Right => query.right(),
            };
            let boundary = if question.lines { Boundary::Line } else { Boundary::Document };
            let found = query.boundary(boundary).collect().expect("collocates");
            prop_assert!(found.is_sorted_by(|a, b| a.score >= b.score));
            let mut expected: BTreeMap<&[u8], _> = near
                .iter()
                .filter(|near| near.cooccurrences >= 2)
                .map(|near| (near.word.as_bytes(), near))
                .collect();
            for one in found {
                let near = expected.remove(&one.word[..]).expect("a word of the oracle");
                prop_assert_eq!((one.cooccurrences, one.count), (near.cooccurrences, near.count));
                let score = near.scores[number];
                prop_assert!((one.score - score).abs() <= 1e-9 * score.abs().max(1.0), "{measure:?}");
            }
            prop_assert!(expected.is_empty());
        }
    }
}

/// Pairs are those of the edited documents.
#[test]
fn pending_edits_are_counted() {
    let mut random = Random::new(11);
    for round in 0..6 {
        let text = |number: usize| format!("a b\nab x{number} {}", "a bb c ".repeat(number));
        let documents: Vec<Document> =
            (0..6).map(|number| Document::new(format!("a{number}"), text(number))).collect();
        let segment_size = if round % 2 == 0 { 60 } else { 1 << 20 };
        let file = file(&documents, GrammarKind::RePair, segment_size);
        let mut edited = Edited::new(file, &documents);
        edited.edit(&mut random, 20);
        let corpus = edited.reopened();
        let asked = CooccurrenceQuestion { window: 3, lines: round % 3 == 0, ..Default::default() };
        check(&corpus, &edited.model.documents(), &asked);
    }
}

#[test]
fn chosen_documents_are_counted() {
    let text = |number: usize| format!("w{number} w w\nv w w");
    let documents: Vec<Document> =
        (0..9).map(|number| Document::new(format!("d{number}"), text(number))).collect();
    for segment_size in [u64::MAX / 4, 12] {
        let corpus = corpus(&documents, GrammarKind::RePair, segment_size);
        let chosen: Vec<Document> = [2, 3, 7].map(|number: usize| documents[number].clone()).into();
        let expected = cooccurrence(&chosen, &CooccurrenceQuestion::default());
        for choice in TRAVERSALS {
            let query = corpus.cooccurrence().documents([7, 2, 7, 3]).traversal(choice);
            assert_eq!(found(&query.prepare().expect("words")), expected);
        }
    }
}

/// The matrix of figure 9 of tadoc, section 6.1.
#[test]
fn the_example_of_the_paper() {
    let pairs = [("word0", "word1", 6), ("word0", "wordn", 8), ("word1", "word2", 1)];
    let pairs = pairs.into_iter().chain([("word1", "word3", 11), ("word3", "wordn", 9)]);
    let mut documents = Vec::new();
    for (a, b, times) in pairs {
        for time in 0..times {
            let text = if time % 2 == 0 { format!("{a} {b}") } else { format!("{b} {a}") };
            documents.push(Document::new(format!("{a}{b}{time:02}"), text));
        }
    }
    let corpus = corpus(&documents, GrammarKind::RePair, u64::MAX / 4);
    let run = corpus.cooccurrence().window(1).prepare().expect("words");
    let matrix = run.collect().expect("a matrix");
    let number = |word: &str| run.terms().iter().position(|term| term == word.as_bytes()).unwrap();
    let names = ["word0", "word1", "word2", "word3", "wordn"];
    let table = names.map(|row| {
        let (columns, values) = matrix.row(number(row));
        names.map(|column| {
            let at = columns.iter().position(|&at| at as usize == number(column));
            at.map_or(0.0, |at| values[at])
        })
    });
    assert_eq!(
        table,
        [
            [0.0, 6.0, 0.0, 0.0, 8.0],
            [6.0, 0.0, 1.0, 11.0, 0.0],
            [0.0, 1.0, 0.0, 0.0, 0.0],
            [0.0, 11.0, 0.0, 0.0, 9.0],
            [8.0, 0.0, 0.0, 9.0, 0.0],
        ]
    );
}

/// A word beside itself counts twice, as in GloVe's program, and words that vanish take no distance.
#[test]
fn glove_s_definitions() {
    let documents = [Document::new("1", "the rare the cat\nthe")];
    let corpus = corpus(&documents, GrammarKind::RePair, u64::MAX / 4);
    let rows = |query: Query<'_, Cooccurrence>| found(&query.prepare().expect("words")).rows;
    let run = || corpus.cooccurrence().max_vocab(2).boundary(Boundary::Line);
    // "cat" comes before "rare" by bytes.
    assert_eq!(rows(run()), [vec![(0, 2.0), (1, 1.5)], vec![(0, 1.5)]]);
    assert_eq!(rows(run().left()), [vec![(0, 1.0)], vec![(0, 1.5)]]);
    assert_eq!(rows(run().right()), [vec![(0, 1.0), (1, 1.5)], vec![]]);
    assert_eq!(rows(run().upper_triangle()), [vec![(0, 2.0), (1, 1.5)], vec![]]);
    let whole = rows(run().boundary(Boundary::Document).weighting(Weighting::Flat).window(2));
    assert_eq!(whole, [vec![(0, 4.0), (1, 3.0)], vec![(0, 3.0)]]);
}

#[test]
fn questions_without_an_answer_say_why() {
    let documents = [Document::new("1", "one two"), Document::new("2", " .")];
    let full = corpus(&documents, GrammarKind::RePair, u64::MAX / 4);
    let empty = corpus(&[], GrammarKind::RePair, u64::MAX / 4);
    let why = |query: Query<'_, Cooccurrence>| match query.prepare().map(|_| ()) {
        Err(QueryError::Cooccurrence(error)) => error,
        other => panic!("{other:?}"),
    };
    assert_eq!(why(empty.cooccurrence()), CooccurrenceError::NoWords);
    assert_eq!(why(full.cooccurrence().documents([1])), CooccurrenceError::NoWords);
    let few = CooccurrenceError::NoWordsLeft { words: 2, min_count: 3 };
    assert_eq!(why(full.cooccurrence().min_count(3)), few);
    assert_eq!(why(full.cooccurrence().max_vocab(0)), CooccurrenceError::EmptyVocabulary);
    for (window, most) in [(0, 46), (47, 46), (1_000_000_000, 46)] {
        let error = CooccurrenceError::BadWindow { window, most };
        assert_eq!(why(full.cooccurrence().window(window)), error);
    }
    let flat = full.cooccurrence().window(10_001).weighting(Weighting::Flat);
    assert_eq!(why(flat), CooccurrenceError::BadWindow { window: 10_001, most: 10_000 });
    let half = full.cooccurrence().left().upper_triangle();
    assert_eq!(why(half), CooccurrenceError::NotSymmetric);
    let lines = full.cooccurrence().sklearn().boundary(Boundary::Line);
    assert_eq!(why(lines), CooccurrenceError::NoLines);
    assert!(full.collocates("three").collect().expect("no rows").is_empty());
    assert!(empty.collocates("one").collect().expect("no rows").is_empty());
    assert!(full.collocates("one").window(0).collect().is_err());
}

/// Lets this many checks pass, then cancels.
struct Impatient(AtomicI64);

impl Progress for Impatient {
    fn is_cancelled(&self) -> bool {
        self.0.fetch_sub(1, Ordering::Relaxed) <= 0
    }
}

#[test]
fn a_run_can_be_stopped_at_any_time() {
    let documents: Vec<Document> = (0..9)
        .map(|number| Document::new(format!("d{number}"), format!("a b{number} c")))
        .collect();
    let corpus = corpus(&documents, GrammarKind::RePair, 20);
    for choice in TRAVERSALS {
        for memory in [1, 1 << 30] {
            let mut stopped = 0;
            for patience in 0.. {
                let progress = Impatient(AtomicI64::new(patience));
                let query = corpus.cooccurrence().traversal(choice).threads(1).memory(memory);
                let run = query.progress(&progress).prepare();
                match run.and_then(|run| run.collect().map(|_| ())) {
                    Ok(()) => break,
                    Err(error) => assert!(error.is_interrupted(), "{error}"),
                }
                stopped += 1;
            }
            // While words are counted, while they are gathered, and while cells are added up.
            assert!(stopped >= 3, "{choice:?}: looks up {stopped} times");
        }
    }
}

#[test]
fn the_selector_counts_by_rules_where_text_repeats() {
    let plain: String = (0..2000).map(|number| format!("{number} ")).collect();
    let corpus =
        |text: String| corpus(&[Document::new("1", text)], GrammarKind::RePair, u64::MAX / 4);
    let run = |corpus: &Corpus| corpus.cooccurrence().prepare().expect("words").traversal();
    assert_eq!(run(&corpus(plain.clone())), Traversal::Stream);
    assert_eq!(run(&corpus(plain.repeat(64))), Traversal::BottomUp);
}
