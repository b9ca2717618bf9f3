//! Documents are ranked as by the oracle and by bm25s, over any layout of segments, at any number of
//! threads, with pending edits.

use proptest::collection::vec;
use proptest::prelude::*;
use zgram::Corpus;
use zgram::analytics::{Bm25, Bm25Variant, Choice, Query, Ranked, Ranker, Traversal};
use zgram::error::{QueryError, RankError};
use zgram::format::GrammarKind;
use zgram_testkit::oracle::{RankQuestion, View, rank};
use zgram_testkit::{Document, Edited, Random, corpus, file, library_view};

const VARIANTS: [Bm25Variant; 5] = [
    Bm25Variant::Lucene,
    Bm25Variant::Robertson,
    Bm25Variant::Atire,
    Bm25Variant::Plus,
    Bm25Variant::L,
];

fn with<'c>(query: Query<'c, Bm25>, asked: &RankQuestion) -> Query<'c, Bm25> {
    let RankQuestion { view, variant, k1, b, delta, .. } = asked;
    query.view(library_view(view)).variant(*variant).k1(*k1).b(*b).delta(*delta)
}

/// Whether two numbers are equal but for rounding.
fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * (1.0 + a.abs().max(b.abs()))
}

/// Checks an answer of at most `most` documents.
fn check_rows(found: &[Ranked], expected: &[(usize, Vec<f64>)], most: usize, why: &str) {
    let sum = |scores: &[f64]| scores.iter().sum::<f64>();
    assert_eq!(found.len(), expected.len().min(most), "{why}");
    for (row, (_, scores)) in found.iter().zip(expected) {
        assert!(near(row.score, sum(scores)), "{why}: {row:?}, not {}", sum(scores));
        let (_, own) = expected.iter().find(|(document, _)| *document == row.document).expect(why);
        assert!(near(row.score, sum(own)), "{why}: {row:?}, not {}", sum(own));
    }
    for pair in found.windows(2) {
        let is_tie = pair[0].score == pair[1].score && pair[0].document < pair[1].document;
        assert!(pair[0].score > pair[1].score || is_tie, "{why}: {pair:?}");
    }
}

/// Compares the rows and explanations of a ranker with the oracle's.
fn check_ranker(ranker: &Ranker<'_>, asked: &RankQuestion, expected: &[(usize, Vec<f64>)]) {
    for most in [1, 3, usize::MAX] {
        let why = format!("{most} rows, {asked:?}");
        let found = ranker.rank(&asked.words, most).expect(&why);
        check_rows(&found, expected, most, &why);
    }
    for (document, scores) in expected {
        let explained = ranker.explain(&asked.words, *document).expect("a document");
        assert_eq!(explained.len(), scores.len());
        for (word, score) in explained.iter().zip(scores) {
            assert!(near(word.score, *score), "{word:?}, not {score}");
        }
    }
}

/// Compares in several ways with what the oracle says.
fn check(corpus: &Corpus, documents: &[Document], asked: &RankQuestion) {
    let expected = rank(documents, asked);
    let choices = [Choice::Auto].into_iter().chain(Traversal::ALL.into_iter().map(Choice::Fixed));
    for (choice, threads) in choices.zip([1, 2, 8, 1, 2]) {
        let all = with(corpus.ranker(), asked).traversal(choice).threads(threads);
        let few = with(corpus.rank(&asked.words), asked).traversal(choice).threads(threads);
        match (all.prepare(), few.prepare()) {
            (Ok(all), Ok(few)) => {
                check_ranker(&all, asked, &expected);
                check_ranker(&few, asked, &expected);
                assert_eq!(all.mean_length(), few.mean_length());
                let rows = few.rank(&asked.words, 10).expect("rows");
                assert_eq!(with(corpus.rank(&asked.words), asked).ranked().expect("rows"), rows);
            }
            (_, Err(QueryError::Rank(_))) => assert!(expected.is_empty(), "{asked:?}"),
            (all, few) => panic!("{:?}, {:?}", all.err(), few.err()),
        }
    }
}

fn some_documents() -> impl Strategy<Value = Vec<Document>> {
    let word = prop_oneof![4 => "[ab]{1,2}", 2 => "[A-Ca-c1]{1,3}", 1 => Just("x_y".to_owned())];
    let text = vec(word, 0..30).prop_map(|words| words.join(" "));
    vec(text, 1..14).prop_map(|texts| {
        let document =
            |(number, text): (usize, String)| Document::new(format!("d{number:02}"), text);
        texts.into_iter().enumerate().map(document).collect()
    })
}

fn some_question() -> impl Strategy<Value = RankQuestion> {
    let view =
        (any::<bool>(), any::<bool>(), any::<bool>()).prop_map(|(lower, sklearn, stop)| View {
            lower,
            sklearn,
            stop: if stop { vec!["a".to_owned()] } else { Vec::new() },
            ..View::default()
        });
    let word = prop_oneof!["[ab]{1,2}", Just("Zz".to_owned()), Just("B a-ab".to_owned())];
    let parameters =
        (prop_oneof![Just(0.0), 0.1..3.0], 0.0..=1.0, prop_oneof![Just(0.0), 0.1..2.0]);
    (view, vec(word, 1..5), 0..VARIANTS.len(), parameters).prop_map(
        |(view, words, variant, (k1, b, delta))| RankQuestion {
            view,
            words,
            variant: VARIANTS[variant],
            k1,
            b,
            delta,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(zgram_testkit::cases(80)))]

    #[test]
    fn documents_are_ranked_as_by_the_oracle(
        documents in some_documents(),
        question in some_question(),
        segment_size in prop_oneof![Just(u64::MAX / 4), 30u64..200],
    ) {
        check(&corpus(&documents, GrammarKind::RePair, segment_size), &documents, &question);
    }
}

fn asking(words: &[&str]) -> RankQuestion {
    let words = words.iter().map(|&word| word.to_owned()).collect();
    RankQuestion { words, ..RankQuestion::default() }
}

/// How many documents contain a word, how long they are and how many there are follow the edits.
#[test]
fn pending_edits_count() {
    let mut random = Random::new(11);
    for round in 0..8 {
        let text = |number: usize| format!("a b ab number{number} {}", "a bb ".repeat(number));
        let documents: Vec<Document> =
            (0..6).map(|number| Document::new(format!("a{number}"), text(number))).collect();
        let segment_size = if round % 2 == 0 { 60 } else { 1 << 20 };
        let file = file(&documents, GrammarKind::RePair, segment_size);
        let mut edited = Edited::new(file, &documents);
        edited.edit(&mut random, 20);
        let corpus = edited.reopened();
        check(&corpus, &edited.model.documents(), &asking(&["a", "bb", "number3", "the"]));
    }
}

/// More documents than a block of scores has, so that blocks are skipped, read by row and by score.
#[test]
fn many_documents_are_ranked_block_by_block() {
    let mut random = Random::new(3);
    let text = |number: usize, random: &mut Random| {
        let mut words = vec!["all"; 1 + random.below(5)];
        words.extend((random.below(3) == 0).then_some("some"));
        words.extend((number % 2000 == 7).then_some("few"));
        words.extend((number == 9_001).then_some("one"));
        words.join(" ")
    };
    let documents: Vec<Document> = (0..10_000)
        .map(|number| Document::new(format!("{number:05}"), text(number, &mut random)))
        .collect();
    let corpus = corpus(&documents, GrammarKind::RePair, u64::MAX / 4);
    let ranker = corpus.ranker().prepare().expect("a ranker");
    for words in
        [&["all"][..], &["some", "few"], &["few", "one"], &["one"], &["all", "some", "all"]]
    {
        let asked = asking(words);
        let expected = rank(&documents, &asked);
        for most in [1, 10, 9_000, 20_000] {
            let found = ranker.rank(words, most).expect("rows");
            check_rows(&found, &expected, most, &format!("{words:?}, {most} rows"));
        }
    }
}

/// Chosen documents are a corpus of their own.
#[test]
fn chosen_documents_are_ranked_alone() {
    let texts = ["x y", "x x y z", "y", "x", "z z z z z"];
    let documents: Vec<Document> =
        (0..).zip(texts).map(|(number, text)| Document::new(format!("d{number}"), text)).collect();
    for segment_size in [u64::MAX / 4, 6] {
        let corpus = corpus(&documents, GrammarKind::RePair, segment_size);
        let ranker = corpus.ranker().documents([4, 1, 3, 1]).prepare().expect("a ranker");
        let chosen: Vec<Document> = [1, 3, 4].map(|number: usize| documents[number].clone()).into();
        let expected: Vec<(usize, Vec<f64>)> = rank(&chosen, &asking(&["x", "z"]))
            .into_iter()
            .map(|(number, scores)| ([1, 3, 4][number], scores))
            .collect();
        check_ranker(&ranker, &asking(&["x", "z"]), &expected);
        assert!(matches!(ranker.explain(&["x"], 0), Err(QueryError::NoDocument(_))));
    }
}

/// The scores are those of bm25s, which are kept in a file.
#[test]
fn scores_are_those_of_bm25s() {
    let golden = include_str!("../../../tests/golden/rank.tsv");
    let lines = || golden.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let documents: Vec<Document> = lines()
        .filter(|line| line[0] == "d")
        .enumerate()
        .map(|(number, line)| Document::new(format!("{number:02}"), line[1]))
        .collect();
    let corpus = corpus(&documents, GrammarKind::RePair, 500);
    let mut queries = 0;
    for line in lines().filter(|line| line[0] == "q") {
        let variant = match line[1] {
            "lucene" => Bm25Variant::Lucene,
            "robertson" => Bm25Variant::Robertson,
            "atire" => Bm25Variant::Atire,
            "bm25+" => Bm25Variant::Plus,
            _ => Bm25Variant::L,
        };
        let number = |text: &str| text.parse::<f64>().expect("a number");
        let query = corpus.rank(line[5].split(' ')).variant(variant).k1(number(line[2]));
        let rows = query.b(number(line[3])).delta(number(line[4])).top(40).ranked().expect("rows");
        let scores: Vec<f64> = line[6].split(' ').map(number).collect();
        for row in rows {
            let expected = scores[row.document];
            assert!((row.score - expected).abs() < 1e-8, "{line:?}: {row:?}, not {expected}");
        }
        queries += 1;
    }
    assert_eq!(queries, 75);
}

#[test]
fn queries_without_an_answer_say_why() {
    let documents = [Document::new("1", "one two"), Document::new("2", " .")];
    let full = corpus(&documents, GrammarKind::RePair, u64::MAX / 4);
    let empty = corpus(&[], GrammarKind::RePair, u64::MAX / 4);
    let why = |query: Query<'_, Bm25>| match query.ranked() {
        Err(QueryError::Rank(error)) => error,
        other => panic!("{other:?}"),
    };
    assert_eq!(why(empty.rank(["one"])), RankError::NoWordsInDocuments);
    assert_eq!(why(full.rank(["one"]).documents([1])), RankError::NoWordsInDocuments);
    assert_eq!(why(full.rank(["", "-"])), RankError::NoWords);
    assert_eq!(why(full.ranker()), RankError::NoWords);
    assert_eq!(why(full.rank(["one"]).stop(["one"])), RankError::WordsLeftOut);
    assert_eq!(why(full.rank(["one"]).top(0)), RankError::NoRows);
    assert_eq!(why(full.rank(["one"]).k1(-1.0)), RankError::BadK1 { k1: -1.0 });
    assert!(matches!(why(full.rank(["one"]).k1(f64::NAN)), RankError::BadK1 { .. }));
    assert_eq!(why(full.rank(["one"]).b(2.0)), RankError::BadB { b: 2.0 });
    assert_eq!(why(full.rank(["one"]).delta(-2.0)), RankError::BadDelta { delta: -2.0 });
    assert_eq!(full.rank(["three"]).ranked().expect("no rows"), []);
    let few = full.rank(["one"]).prepare().expect("a ranker");
    let other = few.rank(&["two"], 1);
    assert!(
        matches!(other, Err(QueryError::Rank(RankError::NotIndexed { word })) if word == "two")
    );
}
