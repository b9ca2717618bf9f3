//! Re-Pair: grammars expand to their input, satisfy every invariant, and do not depend on threads.

use proptest::prelude::*;
use zgram::plumbing::RePair;
use zgram::plumbing::{Grammar, GrammarBuilder, TokenDocs};
use zgram::progress::{Interrupted, Progress, Silent};

fn build_with(repair: RePair, documents: &[Vec<u32>], threads: usize) -> Grammar {
    let mut doc_starts = vec![0];
    let mut ids = Vec::new();
    for document in documents {
        ids.extend_from_slice(document);
        doc_starts.push(ids.len() as u32);
    }
    let tokens = ids.iter().max().map_or(0, |most| most + 1);
    let input = TokenDocs { tokens, ids: &ids, doc_starts: &doc_starts };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| repair.build(input, &Silent)).unwrap()
}

fn build(documents: &[Vec<u32>]) -> Grammar {
    build_with(RePair::default(), documents, 2)
}

fn assert_sound(grammar: &Grammar, documents: &[Vec<u32>]) {
    grammar.validate().unwrap();
    assert_eq!(grammar.doc_count(), documents.len());
    for (number, document) in documents.iter().enumerate() {
        assert_eq!(&grammar.document_tokens(number), document, "document {number}");
    }
}

/// How often a pair of neighbours occurs in the root, without overlaps.
fn most_frequent_pair(grammar: &Grammar) -> usize {
    let mut counts = std::collections::HashMap::new();
    for document in 0..grammar.doc_count() {
        let body = grammar.document(document);
        let mut at = 0;
        while at + 1 < body.len() {
            *counts.entry((body[at], body[at + 1])).or_insert(0usize) += 1;
            let overlaps = body.get(at + 2) == Some(&body[at]) && body[at] == body[at + 1];
            at += if overlaps { 2 } else { 1 };
        }
    }
    counts.into_values().max().unwrap_or(0)
}

fn documents(alphabet: u32) -> impl Strategy<Value = Vec<Vec<u32>>> {
    proptest::collection::vec(proptest::collection::vec(0..alphabet, 0..120), 0..6)
}

proptest! {
    #[test]
    fn few_tokens(documents in documents(3)) {
        assert_sound(&build(&documents), &documents);
    }

    #[test]
    fn many_tokens(documents in documents(40)) {
        assert_sound(&build(&documents), &documents);
    }

    #[test]
    fn repeated_phrases(
        phrases in proptest::collection::vec(proptest::collection::vec(0u32..20, 1..12), 1..5),
        order in proptest::collection::vec(0usize..5, 0..60),
        min_gain in 1u64..6,
        min_count in 0u32..6,
    ) {
        let text = order.iter().flat_map(|&at| phrases[at % phrases.len()].clone()).collect();
        let documents = vec![text];
        let grammar = build_with(RePair { min_count, min_gain }, &documents, 1);
        assert_sound(&grammar, &documents);
    }

    #[test]
    fn threads_do_not_matter(documents in documents(5)) {
        let one = build_with(RePair::default(), &documents, 1);
        prop_assert_eq!(&build_with(RePair::default(), &documents, 3), &one);
    }
}

#[test]
fn frequent_pairs_become_rules() {
    let text: Vec<u32> = (0..3000u32).flat_map(|i| [0, 1, 2, 3 + i % 7, 0, 1, 2, i % 11]).collect();
    let grammar = build(&[text]);
    // Rounds end when they gain little, so a few pairs may be left, but no frequent ones.
    assert!(most_frequent_pair(&grammar) < 16, "{}", most_frequent_pair(&grammar));
    assert!(grammar.symbols().len() < 2000, "{} symbols", grammar.symbols().len());
}

#[test]
fn one_token_repeated_takes_a_logarithm_of_symbols() {
    let documents = vec![vec![7; 3_000_000]];
    let grammar = build(&documents);
    assert!(grammar.symbols().len() < 200, "{} symbols", grammar.symbols().len());
    assert_sound(&grammar, &documents);
}

#[test]
fn fibonacci_words_and_unique_tokens() {
    let (mut last, mut word) = (vec![0], vec![0, 1]);
    while word.len() < 500_000 {
        (last, word) = (word.clone(), [word, last].concat());
    }
    let documents = vec![word];
    let grammar = build(&documents);
    assert!(grammar.symbols().len() < 200, "{} symbols", grammar.symbols().len());
    assert_sound(&grammar, &documents);

    let documents = vec![(0..300_000).collect()];
    let grammar = build(&documents);
    assert_eq!(grammar.rule_count(), 1);
    assert_sound(&grammar, &documents);
}

#[test]
fn rules_do_not_cross_documents() {
    let documents = vec![vec![1]; 100_000];
    let grammar = build(&documents);
    assert_eq!((grammar.rule_count(), grammar.symbols().len()), (1, 100_000));
    assert_sound(&grammar, &documents);
    assert_sound(&build(&[]), &[]);
    assert_sound(&build(&[vec![], vec![]]), &[vec![], vec![]]);
}

#[test]
fn longer_than_a_chunk() {
    // A chunk has a million symbols; text across its borders must come back.
    let documents =
        vec![(0..2_500_000u32).map(|i| i.wrapping_mul(i) % 1009 % 50).collect::<Vec<_>>()];
    assert_sound(&build(&documents), &documents);
}

#[test]
fn stops_when_asked() {
    struct Cancelled;
    impl Progress for Cancelled {
        fn is_cancelled(&self) -> bool {
            true
        }
    }
    let input = TokenDocs { tokens: 1, ids: &[0, 0, 0], doc_starts: &[0, 3] };
    assert_eq!(RePair::default().build(input, &Cancelled), Err(Interrupted));
}
