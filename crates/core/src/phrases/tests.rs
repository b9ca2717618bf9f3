//! The index against the words themselves.

use super::{SegmentIndex, encode};
use crate::format::SectionKind;
use crate::format::container::{Container, ContainerWriter};
use crate::grammar::re_pair::RePair;
use crate::grammar::{Grammar, GrammarBuilder, TokenDocs};
use crate::progress::Silent;
use crate::storage::Memory;
use proptest::prelude::*;
use std::sync::Arc;
use zgram_testkit::Random;

/// Tokens below this are separators.
const FIRST: u32 = 2;

fn grammar_of(documents: &[Vec<u32>], tokens: u32) -> Grammar {
    let ids = documents.concat();
    let mut doc_starts = vec![0];
    for document in documents {
        doc_starts.push(doc_starts.last().unwrap() + document.len() as u32);
    }
    let input = TokenDocs { tokens, ids: &ids, doc_starts: &doc_starts };
    RePair::default().build(input, &Silent).unwrap()
}

/// The index in memory, and opened from a section.
fn both(grammar: &Grammar) -> [SegmentIndex; 2] {
    let built = SegmentIndex::build(grammar, FIRST).unwrap();
    let mut writer = ContainerWriter::new(Vec::new()).unwrap();
    writer.section(SectionKind::Phrases, 0, &encode(grammar, FIRST).unwrap()).unwrap();
    let bytes = writer.finish().unwrap().0;
    let container = Arc::new(Container::open(Box::new(Memory(bytes))).unwrap());
    let section = *container.find(SectionKind::Phrases, 0).unwrap();
    [built, SegmentIndex::open(&container, section).unwrap()]
}

/// The words of each document, counted from the first.
fn words(documents: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let words = |document: &Vec<u32>| {
        document.iter().filter(|&&token| token >= FIRST).map(|token| token - FIRST).collect()
    };
    documents.iter().map(words).collect()
}

/// Checks everything that an index answers.
fn check(index: &SegmentIndex, documents: &[Vec<u32>], phrases: &[Vec<u32>]) {
    let words = words(documents);
    assert_eq!(index.document_count(), words.len());
    assert_eq!(index.word_count() as usize, words.iter().map(Vec::len).sum::<usize>());
    for (document, words) in words.iter().enumerate() {
        assert_eq!(index.document_len(document).unwrap() as usize, words.len());
    }
    // The first document, from its first word to its end.
    if let Some(first) = words.first() {
        let mut rank = index.first();
        for &word in first {
            assert_eq!(index.word_of(rank).unwrap(), Some(word));
            rank = index.next(rank).unwrap().unwrap();
        }
        assert_eq!(index.next(rank).unwrap(), None);
        assert_eq!(rank, 0);
    }
    for phrase in phrases {
        let mut expected = Vec::new();
        for (document, words) in words.iter().enumerate() {
            let starts = words.windows(phrase.len()).enumerate();
            let starts = starts.filter(|(_, found)| found == phrase);
            expected.extend(starts.map(|(at, _)| (document, at as u32)));
        }
        let (last, rest) = phrase.split_last().unwrap();
        let mut ranks = index.word(*last).unwrap().map_or(0..0, |word| index.suffixes_of(&word));
        for &word in rest.iter().rev() {
            let Some(word) = index.word(word).unwrap().filter(|_| !ranks.is_empty()) else {
                ranks = 0..0;
                break;
            };
            ranks = index.before(&word, &ranks).unwrap();
        }
        assert_eq!(ranks.len(), expected.len(), "{phrase:?} in {words:?}");
        let mut found = Vec::new();
        for rank in ranks {
            let place = index.place(rank).unwrap();
            let before: usize = words[..place.document].iter().map(Vec::len).sum();
            assert_eq!(place.in_segment, before as u32 + place.word);
            found.push((place.document, place.word));
        }
        found.sort_unstable();
        assert_eq!(found, expected, "{phrase:?} in {words:?}");
    }
}

fn check_all(documents: &[Vec<u32>], tokens: u32, random: &mut Random) {
    let words = words(documents);
    let grammar = grammar_of(documents, tokens);
    let mut phrases: Vec<Vec<u32>> =
        (0..tokens - FIRST + 2).map(|word| vec![word]).take(60).collect();
    for document in words.iter().filter(|words| !words.is_empty()).take(20) {
        for len in [1, 2, 2, 3, 3, 5, 13, 50, document.len()] {
            let at = random.below(document.len());
            let mut phrase = document[at..document.len().min(at + len)].to_vec();
            phrases.push(phrase.clone());
            let change = random.below(phrase.len());
            phrase[change] = random.below(tokens as usize) as u32;
            phrases.push(phrase);
        }
    }
    for index in both(&grammar) {
        check(&index, documents, &phrases);
        assert!(index.verify(&grammar, FIRST, &Silent).is_ok());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn phrases_are_where_they_are(
        documents in proptest::collection::vec(proptest::collection::vec(0u32..9, 0..60), 0..6),
        seed in any::<u64>(),
    ) {
        check_all(&documents, 9, &mut Random::new(seed));
    }
}

/// With as many suffixes as a rank has values, the rank behind the last one has one bit more.
#[test]
fn suffixes_by_powers_of_two() {
    let mut random = Random::new(4);
    for bits in 1..8 {
        let len = (1 << bits) - 1;
        let document = (0..len).map(|_| random.below(6) as u32 + FIRST).collect();
        check_all(&[document], 6 + FIRST, &mut random);
    }
}

/// Large enough for several pages, samples and parts; with runs and without.
#[test]
fn texts_of_many_pages() {
    let mut random = Random::new(7);
    let spread: Vec<Vec<u32>> = (0..3)
        .map(|_| (0..9000).map(|_| 2 + (random.below(90) * random.below(90)) as u32).collect())
        .collect();
    check_all(&spread, 2 + 8100, &mut random);
    let part: Vec<u32> = (0..300).map(|_| random.below(40) as u32).collect();
    let repeated: Vec<Vec<u32>> = (0..60)
        .map(|number| {
            let mut part = part.repeat(3);
            part[number * 7] = 39;
            part
        })
        .collect();
    check_all(&repeated, 42, &mut random);
    let many: Vec<Vec<u32>> = (0..5000)
        .map(|_| (0..random.below(5)).map(|_| random.below(30) as u32).collect())
        .collect();
    check_all(&many, 30, &mut random);
}

/// Texts that repeat themselves exactly: regular samples alone would leave walks as long as the text.
#[test]
fn exact_repetition() {
    let mut random = Random::new(3);
    for (period, times) in [(1, 6000), (2, 4096), (64, 128), (100, 60)] {
        let document: Vec<u32> = (0..period * times).map(|at| 2 + at % period).collect();
        check_all(&[document], 2 + period, &mut random);
    }
}

/// Behind checksums that are right, a changed byte gives an error, or an index that is right all the
/// same. Questions to it never panic.
#[test]
fn forged_parts_do_not_pass() {
    let mut random = Random::new(6);
    let mut passed = 0;
    let texts = [(20, 400), (3, 300), (200, 100)];
    for (words, len) in texts {
        let document = |_| (0..len).map(|_| random.below(words) as u32).collect();
        let documents: Vec<Vec<u32>> = (0..3).map(document).collect();
        let grammar = grammar_of(&documents, words as u32);
        let section = encode(&grammar, FIRST).unwrap();
        for at in 0..section.len() {
            let mut bytes = section.clone();
            bytes[at] = bytes[at].wrapping_add(1 + random.below(255) as u8);
            let bytes = super::with_right_phrase_checksums(bytes);
            let mut writer = ContainerWriter::new(Vec::new()).unwrap();
            writer.section(SectionKind::Phrases, 0, &bytes).unwrap();
            let container = writer.finish().unwrap().0;
            let container = Arc::new(Container::open(Box::new(Memory(container))).unwrap());
            let section = *container.find(SectionKind::Phrases, 0).unwrap();
            let Ok(index) = SegmentIndex::open(&container, section) else { continue };
            let phrases: Vec<Vec<u32>> = (0..6).map(|word| vec![word, word + 1]).collect();
            if index.verify(&grammar, FIRST, &Silent).is_ok() {
                check(&index, &documents, &phrases);
                passed += 1;
                continue;
            }
            for phrase in phrases {
                let Ok(ranks) = index.ranks_of(&phrase) else { continue };
                for rank in ranks.take(50) {
                    let _ = (index.place(rank), index.next(rank), index.word_of(rank));
                }
            }
        }
    }
    // Some bits mean nothing: those of checksums, and the padding of bit strings.
    assert!(passed > 0);
}

/// One changed byte never gives another answer than an error, and never passes.
#[test]
fn damage_is_found() {
    let mut random = Random::new(5);
    let documents: Vec<Vec<u32>> =
        (0..3).map(|_| (0..400).map(|_| random.below(20) as u32).collect()).collect();
    let grammar = grammar_of(&documents, 20);
    let section = encode(&grammar, FIRST).unwrap();
    for at in 0..section.len() {
        let mut bytes = section.clone();
        bytes[at] ^= 1 << random.below(8);
        let mut writer = ContainerWriter::new(Vec::new()).unwrap();
        writer.section(SectionKind::Phrases, 0, &bytes).unwrap();
        let bytes = writer.finish().unwrap().0;
        let container = Arc::new(Container::open(Box::new(Memory(bytes))).unwrap());
        let section = *container.find(SectionKind::Phrases, 0).unwrap();
        let verified = SegmentIndex::open(&container, section)
            .map(|index| index.verify(&grammar, FIRST, &Silent).is_ok());
        assert!(!verified.unwrap_or(false), "byte {at}");
    }
}
