//! Sequitur preserves the text and both of its properties, on any input and on adversarial ones.

use proptest::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use zgram::plumbing::Sequitur;
use zgram::plumbing::{Grammar, GrammarBuilder, TokenDocs};
use zgram::progress::{Interrupted, Progress, Silent};

/// Builds, checks every invariant and every document, and returns the grammar.
fn build_checked(tokens: u32, ids: &[u32], doc_starts: &[u32]) -> Grammar {
    let input = TokenDocs { tokens, ids, doc_starts };
    let grammar = Sequitur.build(input, &Silent).unwrap();
    grammar.validate_digrams().unwrap();
    assert_eq!(grammar.doc_count(), input.documents().len());
    for (doc, expected) in input.documents().enumerate() {
        assert!(grammar.document_tokens(doc) == expected, "document {doc}");
    }
    grammar
}

fn build_one(tokens: u32, ids: &[u32]) -> Grammar {
    build_checked(tokens, ids, &[0, ids.len() as u32])
}

fn build_documents(tokens: u32, documents: &[Vec<u32>]) -> Grammar {
    let mut doc_starts = vec![0];
    for document in documents {
        doc_starts.push(doc_starts.last().unwrap() + document.len() as u32);
    }
    build_checked(tokens, &documents.concat(), &doc_starts)
}

proptest! {
    #[test]
    fn few_distinct_tokens(
        documents in prop::collection::vec(prop::collection::vec(0u32..3, 0..300), 0..6)
    ) {
        build_documents(3, &documents);
    }

    #[test]
    fn many_distinct_tokens(
        documents in prop::collection::vec(prop::collection::vec(0u32..50_000, 0..300), 0..6)
    ) {
        build_documents(50_000, &documents);
    }

    #[test]
    fn repeated_phrases(
        phrases in prop::collection::vec(prop::collection::vec(0u32..20, 1..30), 1..6),
        text in prop::collection::vec(any::<prop::sample::Index>(), 0..60),
        per_document in 1usize..20,
    ) {
        let text: Vec<&Vec<u32>> = text.iter().map(|index| index.get(&phrases)).collect();
        let documents: Vec<Vec<u32>> = text
            .chunks(per_document)
            .map(|chosen| chosen.iter().flat_map(|phrase| phrase.iter().copied()).collect())
            .collect();
        build_documents(20, &documents);
    }

    #[test]
    fn runs_of_one_token(
        runs in prop::collection::vec((0u32..2, 1usize..12), 0..60)
    ) {
        let ids: Vec<u32> =
            runs.iter().flat_map(|&(token, length)| vec![token; length]).collect();
        build_one(2, &ids);
    }
}

#[test]
fn example_of_the_paper() {
    // Figure 1 of the TADOC paper: a b c a b d a b c a b d a b a.
    let grammar = build_one(4, &[0, 1, 2, 0, 1, 3, 0, 1, 2, 0, 1, 3, 0, 1, 0]);
    let rules: Vec<&[u32]> = (0..grammar.rule_count()).map(|rule| grammar.rule(rule)).collect();
    assert_eq!(rules, [&[5, 5, 6, 0][..], &[6, 2, 6, 3], &[0, 1]]);
}

#[test]
fn one_token_repeated() {
    let grammar = build_one(1, &vec![0; 10_000_000]);
    assert!(grammar.symbols().len() < 100);
}

#[test]
fn every_short_run() {
    for length in 0..200 {
        build_one(1, &vec![0; length]);
    }
}

#[test]
fn fibonacci_word() {
    let (mut before, mut word) = (vec![0], vec![0, 1]);
    while word.len() < 1_000_000 {
        let next = [&word[..], &before].concat();
        before = std::mem::replace(&mut word, next);
    }
    assert!(build_one(2, &word).symbols().len() < 200);
}

#[test]
fn thue_morse_word() {
    let word: Vec<u32> = (0..1u32 << 20).map(|i| i.count_ones() % 2).collect();
    assert!(build_one(2, &word).symbols().len() < 500);
}

#[test]
fn distinct_tokens() {
    let ids: Vec<u32> = (0..1_000_000).collect();
    assert_eq!(build_one(1_000_000, &ids).rule_count(), 1);
}

#[test]
fn documents_of_one_token() {
    let ids: Vec<u32> = (0..1_000_000).map(|i| i % 10).collect();
    let doc_starts: Vec<u32> = (0..=1_000_000).collect();
    assert_eq!(build_checked(10, &ids, &doc_starts).rule_count(), 1);
}

#[test]
fn empty_documents() {
    build_checked(0, &[], &[0]);
    build_checked(0, &[], &[0, 0]);
    build_checked(2, &[0, 1, 0, 1], &[0, 0, 2, 2, 2, 4, 4]);
    build_checked(0, &[], &vec![0; 100_001]);
}

#[test]
fn documents_share_rules_but_no_digram_crosses() {
    let shared = build_checked(2, &[0, 1, 0, 1], &[0, 2, 4]);
    assert_eq!((shared.rule_count(), shared.root()), (2, &[3, 3][..]));
    let crossing = build_checked(3, &[2, 0, 1, 0, 1, 2], &[0, 2, 4, 6]);
    assert_eq!(crossing.rule_count(), 1);
}

#[test]
fn token_ids_up_to_the_last() {
    let top = u32::MAX - 100;
    build_one(top, &[top - 1, top - 2, top - 1, top - 2, top - 1]);
}

/// Asks to stop at the given check.
struct StopAt(AtomicUsize);

impl Progress for StopAt {
    fn is_cancelled(&self) -> bool {
        self.0.fetch_sub(1, Ordering::Relaxed) == 1
    }
}

#[test]
fn stops_when_asked() {
    let ids = vec![0; 200_000];
    let input = TokenDocs { tokens: 1, ids: &ids, doc_starts: &[0, 200_000] };
    for look in 1..=4 {
        let stop = StopAt(AtomicUsize::new(look));
        assert_eq!(Sequitur.build(input, &stop), Err(Interrupted));
    }
}
