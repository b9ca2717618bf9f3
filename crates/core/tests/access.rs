//! Random access against the raw text.

use proptest::prelude::*;
use std::sync::Arc;
use zgram::Corpus;
use zgram::access::{Access, Phrase};
use zgram::error::AccessError;
use zgram::format::{GrammarKind, Layer, Level};
use zgram::progress::Silent;
use zgram::storage::Memory;
use zgram_testkit::model::{find, lines};
use zgram_testkit::{Document, Feed, compress, options};

fn open(documents: &[Document], segment_size: u64, sequitur: bool, index: bool) -> Access {
    let grammar = if sequitur { GrammarKind::Sequitur } else { GrammarKind::RePair };
    let mut options = options(Level::Fast, grammar, Layer::Zstd);
    options.segment_size = segment_size;
    options.index = index;
    let file = compress(documents, Feed::Tar, &options).unwrap();
    let corpus = Corpus::from_storage("x.zgram", Memory(file)).unwrap();
    corpus.verify(&Silent).unwrap();
    Access::new(Arc::new(corpus))
}

fn text() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        4 => Just(b" ".to_vec()),
        4 => Just(b"a".to_vec()),
        3 => Just(b"b a b".to_vec()),
        3 => Just(b"the cat ".to_vec()),
        2 => Just(b"\n".to_vec()),
        1 => Just(b", ".to_vec()),
        1 => Just("中文".into()),
        1 => Just("é".into()),
        1 => Just(b"\xe4\xb8".to_vec()),
        1 => proptest::collection::vec(any::<u8>(), 0..6),
    ];
    (proptest::collection::vec(piece, 0..60), 1usize..4)
        .prop_map(|(pieces, times)| pieces.concat().repeat(times))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(zgram_testkit::cases(200)))]
    #[test]
    fn answers_are_those_of_the_text(
        texts in proptest::collection::vec(text(), 1..6),
        segment_size in prop_oneof![Just(40u64), Just(200), Just(1 << 20)],
        sequitur in any::<bool>(),
        index in any::<bool>(),
        places in proptest::collection::vec((any::<u16>(), 0usize..80), 10),
    ) {
        let documents: Vec<Document> = texts
            .iter()
            .enumerate()
            .map(|(number, text)| Document::new(format!("{number:02}"), text.clone()))
            .collect();
        let access = open(&documents, segment_size, sequitur, index);
        if index {
            access.prepare().unwrap();
        }
        for (number, text) in texts.iter().enumerate() {
            for &(place, len) in &places {
                let offset = usize::from(place) % (text.len() + 1);
                let expected = &text[offset..(offset + len).min(text.len())];
                let got = access.extract(number, offset as u64, len).unwrap();
                prop_assert_eq!(got, expected, "{}+{} of {:?}", offset, len, text);
                let before = text[..offset].iter().filter(|&&byte| byte == b'\n').count() as u64;
                prop_assert_eq!(access.line_ends_before(number, offset as u64).unwrap(), before);
                let (from, to) = (u64::from(place) % 9, u64::from(place) % 9 + len as u64 % 4);
                let got = access.lines(number, from, to).unwrap();
                prop_assert_eq!(got, lines(text, from, to), "lines {}:{} of {:?}", from, to, text);
            }
            let past = access.extract(number, text.len() as u64 + 1, 1);
            let is_refused = matches!(past, Err(AccessError::OutOfRange { .. }));
            prop_assert!(is_refused);
        }
        for query in ["a", "b", "the", "中", "nowhere", "a b", "b a b", "the cat the", "中文", "a é", "b nowhere"] {
            let phrase = Phrase::new(query).unwrap();
            let mut all = Vec::new();
            for (number, text) in texts.iter().enumerate() {
                let expected = find(text, &phrase);
                prop_assert_eq!(access.search(number, &phrase).unwrap(), &expected[..], "{} in {:?}", query, text);
                prop_assert_eq!(access.count(number, &phrase).unwrap(), expected.len() as u64);
                if !expected.is_empty() {
                    all.push((number, expected));
                }
            }
            let total: usize = all.iter().map(|(_, found)| found.len()).sum();
            prop_assert_eq!(access.count_all(&phrase).unwrap(), total as u64);
            prop_assert_eq!(access.search_all(&phrase).unwrap(), all);
        }
    }
}

#[test]
fn long_documents_use_all_ways_of_searching() {
    // Frequent and rare words, long rules, one document far longer than the others.
    let tale = "the quick brown fox jumps over the lazy dog; ".repeat(7);
    let long: String =
        (0..2000).map(|number| format!("{tale} item {} of\n", number % 700)).collect();
    let texts = [long, tale.clone(), "rare the word".into()];
    let documents: Vec<Document> = texts
        .iter()
        .enumerate()
        .map(|(number, text)| Document::new(number.to_string(), text.as_bytes()))
        .collect();
    for segment_size in [100_000, 1 << 20, 128 << 20] {
        let access = open(&documents, segment_size, false, false);
        for query in ["the", "dog", "item 17 of", "699", "rare", "of the quick", "dog the"] {
            let phrase = Phrase::new(query).unwrap();
            for (number, text) in texts.iter().enumerate() {
                let expected = find(text.as_bytes(), &phrase);
                assert_eq!(
                    access.search(number, &phrase).unwrap(),
                    expected,
                    "{query} in {number}"
                );
                assert_eq!(access.count(number, &phrase).unwrap(), expected.len() as u64);
            }
        }
        for line in [1, 2, 77, 1999, 2000, 2001] {
            assert_eq!(
                access.lines(0, line, line + 1).unwrap(),
                lines(texts[0].as_bytes(), line, line + 1)
            );
        }
    }
}

#[test]
fn phrases_need_words() {
    assert!(matches!(Phrase::new("--"), Err(AccessError::EmptyPhrase)));
    assert_eq!(Phrase::new("don't").unwrap().words().count(), 2);
}
