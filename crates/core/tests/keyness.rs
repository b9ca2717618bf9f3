//! Keyness equals the oracle's: of two corpora and of two selections, over any layout of segments, with
//! pending edits.

use proptest::collection::vec;
use proptest::prelude::*;
use zgram::analytics::{KeyWord, Keyness, KeynessMeasure, Query};
use zgram::error::{KeynessError, QueryError};
use zgram::format::GrammarKind;
use zgram_testkit::oracle::{View, keyness};
use zgram_testkit::{Document, Edited, Random, corpus, file, library_view};

/// Compares the rows of a query, by both measures, with the oracle's.
fn check(
    query: &Query<'_, Keyness<'_>>,
    target: &[Document],
    reference: &[Document],
    view: &View,
    min_count: u64,
) {
    let expected = keyness(target, reference, view);
    let target_words: u64 = expected.iter().map(|row| row.3).sum();
    let reference_words: u64 = expected.iter().map(|row| row.4).sum();
    for measure in [KeynessMeasure::LogLikelihood, KeynessMeasure::LogRatio] {
        for threads in [1, 2, 8] {
            let query = query.clone().view(library_view(view)).threads(threads);
            let query = query.measure(measure).min_count(min_count);
            let rows = match query.key_words() {
                Ok(rows) => rows,
                Err(QueryError::Keyness(KeynessError::NoWordsInTarget)) => {
                    assert_eq!(target_words, 0);
                    continue;
                }
                Err(QueryError::Keyness(KeynessError::NoWordsInReference)) => {
                    assert_eq!(reference_words, 0);
                    continue;
                }
                Err(error) => panic!("{error}"),
            };
            let kept: Vec<_> =
                expected.iter().filter(|row| row.3 + row.4 >= min_count.max(1)).collect();
            assert_eq!(rows.len(), kept.len());
            for row in &rows {
                let own = kept.iter().find(|own| own.0 == row.word).expect("a word of the text");
                let score = if measure == KeynessMeasure::LogRatio { own.2 } else { own.1 };
                assert!((row.score - score).abs() < 1e-9, "{row:?}, not {score}");
                assert_eq!((row.count, row.reference_count), (own.3, own.4));
            }
            let is_before = |a: &KeyWord, b: &KeyWord| {
                a.score > b.score || a.score == b.score && a.word < b.word
            };
            assert!(rows.windows(2).all(|pair| is_before(&pair[0], &pair[1])), "{rows:?}");
            let first = query.clone().top(2).key_words().expect("rows");
            assert_eq!(first, rows[..rows.len().min(2)]);
            let mut turned = query.reverse(true).key_words().expect("rows");
            turned.sort_by(|a, b| b.score.total_cmp(&a.score));
            assert_eq!(turned, rows);
        }
    }
}

fn some_documents() -> impl Strategy<Value = Vec<Document>> {
    let word = prop_oneof![4 => "[ab]{1,2}", 2 => "[A-Ca-c1]{1,3}", 1 => Just("x_y".to_owned())];
    let text = vec(word, 0..30).prop_map(|words| words.join(" "));
    vec(text, 1..10).prop_map(|texts| {
        let document =
            |(number, text): (usize, String)| Document::new(format!("d{number:02}"), text);
        texts.into_iter().enumerate().map(document).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(zgram_testkit::cases(60)))]

    #[test]
    fn keyness_equals_the_oracles(
        one in some_documents(),
        other in some_documents(),
        (lower, sklearn) in (any::<bool>(), any::<bool>()),
        min_count in 0u64..4,
        segment_size in prop_oneof![Just(u64::MAX / 4), 30u64..200],
    ) {
        let view = View { lower, sklearn, ..View::default() };
        let [a, b] = [&one, &other].map(|texts| corpus(texts, GrammarKind::RePair, segment_size));
        check(&a.keyness().against(&b), &one, &other, &view, min_count);
        // The first half against the others, and against the last document.
        let half = one.len() / 2;
        let selection = a.keyness().documents(0..half);
        check(&selection, &one[..half], &one[half..], &view, min_count);
        let last = one.len() - 1;
        let selection = selection.reference_documents([last]);
        check(&selection, &one[..half], &one[last..], &view, min_count);
        check(&a.keyness().against(&b).reference_documents([0]), &one, &other[..1], &view, min_count);
    }
}

#[test]
fn pending_edits_count() {
    let mut random = Random::new(5);
    let documents: Vec<Document> = (0..6)
        .map(|number| Document::new(format!("a{number}"), format!("a b {}", "bb ".repeat(number))))
        .collect();
    let reference = corpus(&documents, GrammarKind::RePair, u64::MAX / 4);
    let mut edited = Edited::new(file(&documents, GrammarKind::RePair, 40), &documents);
    for _ in 0..20 {
        edited.edit(&mut random, 1);
        let snapshot = edited.store().snapshot().expect("a snapshot");
        let query = snapshot.keyness().against(&reference);
        check(&query, &edited.model.documents(), &documents, &View::default(), 0);
    }
    let corpus = edited.reopened();
    let query = reference.keyness().against(&corpus);
    check(&query, &documents, &edited.model.documents(), &View::default(), 0);
}

#[test]
fn comparisons_without_words_say_why() {
    let full = corpus(&[Document::new("1", "one")], GrammarKind::RePair, u64::MAX / 4);
    let empty = corpus(&[], GrammarKind::RePair, u64::MAX / 4);
    let why = |query: Query<'_, Keyness<'_>>| match query.key_words() {
        Err(QueryError::Keyness(error)) => error,
        other => panic!("{other:?}"),
    };
    assert_eq!(why(full.keyness()), KeynessError::NoReference);
    assert_eq!(why(full.keyness().against(&empty)), KeynessError::NoWordsInReference);
    assert_eq!(why(empty.keyness().against(&full)), KeynessError::NoWordsInTarget);
    assert_eq!(why(full.keyness().documents([0])), KeynessError::NoWordsInReference);
    let far = full.keyness().documents([1]).key_words();
    assert!(matches!(far, Err(QueryError::NoDocument(_))));
    let far = full.keyness().against(&full).reference_documents([7]).key_words();
    assert!(matches!(far, Err(QueryError::NoDocument(_))));
}
