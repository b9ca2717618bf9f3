//! Phrase indexes answer as a plain scan does: over any layout of segments, stored in the file or built
//! in memory, under views, with pending edits, and after compaction.

use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeMap;
use zgram::Corpus;
use zgram::access::{Match, NextWords, Passage, Phrase};
use zgram::analytics::{Case, View};
use zgram::error::OpenError;
use zgram::format::{GrammarKind, Layer, Level};
use zgram::plumbing::words_of;
use zgram::progress::Silent;
use zgram::storage::Memory;
use zgram::store::Store;
use zgram_testkit::model::{find, some_text};
use zgram_testkit::{Document, Edited, Feed, Random, compress, logs, options};

/// The file of some documents.
fn file(documents: &[Document], segment_size: u64, phrases: bool) -> Vec<u8> {
    let mut options = options(Level::Default, GrammarKind::RePair, Layer::Zstd);
    options.segment_size = segment_size;
    options.phrases = phrases;
    compress(documents, Feed::Tar, &options).expect("the documents are valid")
}

fn open(file: Vec<u8>) -> Corpus {
    Corpus::from_storage("indexed.zgram", Memory(file)).expect("it was just made")
}

fn words(text: &[u8]) -> Vec<Vec<u8>> {
    words_of(text, true).into_iter().map(|(_, word)| word.to_vec()).collect()
}

/// Phrases of the documents, of other words and of words in another order.
fn some_phrases(documents: &[Document], random: &mut Random) -> Vec<Phrase> {
    let mut phrases: Vec<Phrase> =
        ["the", "the cat", "a", "b a", "cat the cat", "absent", "the absent", "中 文"]
            .map(|text| Phrase::new(text).unwrap())
            .into();
    for document in documents {
        let all = words(&document.text);
        for len in [1, 2, 3, 5, 13, 50, all.len()] {
            if all.is_empty() {
                continue;
            }
            let start = random.below(all.len());
            let mut drawn = all[start..all.len().min(start + len)].to_vec();
            phrases.push(Phrase::new(drawn.join(&b' ')).unwrap());
            let place = random.below(drawn.len());
            drawn[place] = all[random.below(all.len())].clone();
            phrases.push(Phrase::new(drawn.join(&b' ')).unwrap());
        }
    }
    phrases
}

/// The words that follow a phrase, found by trying each word.
fn next_words(
    documents: &[Document],
    is_match: &dyn Fn(&[Vec<u8>]) -> bool,
    len: usize,
) -> NextWords {
    let (mut next, mut at_end) = (BTreeMap::<Vec<u8>, u64>::new(), 0);
    for document in documents {
        let all = words(&document.text);
        for start in
            (0..(all.len() + 1).saturating_sub(len)).filter(|&at| is_match(&all[at..at + len]))
        {
            match all.get(start + len) {
                Some(word) => *next.entry(word.clone()).or_default() += 1,
                None => at_end += 1,
            }
        }
    }
    let mut words: Vec<(Vec<u8>, u64)> = next.into_iter().collect();
    words.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    let mut all = NextWords::default();
    all.count = at_end + words.iter().map(|(_, count)| count).sum::<u64>();
    (all.at_end, all.words) = (at_end, words);
    all
}

/// How often some words occur in sequence.
fn count(documents: &[Document], phrase: &[Vec<u8>]) -> u64 {
    let windows = |document: &Document| {
        words(&document.text).windows(phrase.len()).filter(|found| found == &phrase).count() as u64
    };
    documents.iter().map(windows).sum()
}

/// The maximal passages of a text, found by trying all of them.
fn passages(documents: &[Document], text: &[u8], least: usize) -> Vec<(usize, usize, u64)> {
    let all = words(text);
    let occurs = |start: usize, end: usize| count(documents, &all[start..end]) > 0;
    let mut found = Vec::new();
    for start in 0..all.len() {
        let Some(end) = (start + 1..=all.len()).take_while(|&end| occurs(start, end)).last() else {
            continue;
        };
        let extends = start > 0 && occurs(start - 1, end);
        if end - start >= least && !extends {
            found.push((start, end, count(documents, &all[start..end])));
        }
    }
    found
}

/// Compares what a store answers with what a scan finds. `documents` are those of the store in order,
/// with their numbers there.
fn check(store: &Store, documents: &[Document], numbers: &[usize], random: &mut Random) {
    let phrases = some_phrases(documents, random);
    for phrase in &phrases {
        let expected: Vec<(usize, Vec<Match>)> = numbers
            .iter()
            .zip(documents)
            .map(|(&number, document)| (number, find(&document.text, phrase)))
            .collect();
        let total: u64 = expected.iter().map(|(_, found)| found.len() as u64).sum();
        assert_eq!(store.count_all(phrase).unwrap(), total, "{phrase:?} in {documents:?}");
        assert_eq!(
            store.count_like(phrase, None, false).unwrap(),
            total,
            "{phrase:?} in {documents:?}"
        );
        for (number, found) in &expected {
            assert_eq!(store.count(*number, phrase).unwrap(), found.len() as u64);
            assert_eq!(&store.search(*number, phrase).unwrap(), found);
        }
        let with_any: Vec<_> =
            expected.into_iter().filter(|(_, found)| !found.is_empty()).collect();
        assert_eq!(store.search_all(phrase).unwrap(), with_any, "{phrase:?} in {documents:?}");
    }
    let counts = store.count_each(&phrases).unwrap();
    let expected: Vec<u64> =
        phrases.iter().map(|phrase| store.count_all(phrase).unwrap()).collect();
    assert_eq!(counts, expected);
    for phrase in phrases.iter().take(12) {
        let wanted: Vec<Vec<u8>> = phrase.words().map(<[u8]>::to_vec).collect();
        let expected = next_words(documents, &|found| found == wanted, wanted.len());
        assert_eq!(store.next_words(phrase, None, false).unwrap(), expected, "{phrase:?}");
        // All words that begin like the last one.
        let (last, first) = wanted.split_last().unwrap();
        let prefix = &last[..last.len().min(1)];
        if let Ok(asked) = Phrase::new([first.concat_with_spaces(), prefix.to_vec()].concat())
            && asked.words().len() == wanted.len()
            && asked.words().last() == Some(prefix)
        {
            let begins = |found: &[Vec<u8>]| {
                found[..first.len()] == *first && found[first.len()].starts_with(prefix)
            };
            let expected = next_words(documents, &begins, wanted.len());
            assert_eq!(store.count_like(&asked, None, true).unwrap(), expected.count, "{asked:?}");
            assert_eq!(store.next_words(&asked, None, true).unwrap(), expected, "{asked:?}");
        }
        let view = View { case: Case::Fold, ..View::default() };
        let fold = |word: &Vec<u8>| String::from_utf8_lossy(word).to_lowercase();
        let equal = |found: &[Vec<u8>]| found.iter().map(fold).eq(wanted.iter().map(fold));
        let expected = next_words(documents, &equal, wanted.len());
        assert_eq!(store.next_words(phrase, Some(&view), false).unwrap(), expected, "{phrase:?}");
    }
    let mut text = b"absent ".to_vec();
    for document in documents.iter().take(4) {
        let all = words(&document.text);
        let start = random.below(all.len() + 1);
        text.extend(all[start..all.len().min(start + 12)].concat_with_spaces());
        text.extend(some_text(random, 5));
        text.push(b' ');
    }
    for least in [1, 2, 4] {
        let found = store.trace(&text, least, 2).unwrap();
        let in_words = words_of(&text, true);
        let ranges = found.iter().map(|Passage { offset, words, count, .. }| {
            let start = in_words.iter().position(|(at, _)| at == offset).unwrap();
            (start, start + words, *count)
        });
        let expected = passages(documents, &text, least);
        assert_eq!(ranges.collect::<Vec<_>>(), expected, "{text:?} in {documents:?}");
        for passage in found {
            let phrase = Phrase::new(&text[passage.offset..passage.offset + passage.len]).unwrap();
            let all = numbers.iter().zip(documents).flat_map(|(&number, document)| {
                find(&document.text, &phrase).into_iter().map(move |place| (number, place))
            });
            assert_eq!(passage.places, all.take(2).collect::<Vec<_>>());
        }
    }
}

trait ConcatWithSpaces {
    fn concat_with_spaces(&self) -> Vec<u8>;
}

impl ConcatWithSpaces for [Vec<u8>] {
    fn concat_with_spaces(&self) -> Vec<u8> {
        self.iter().flat_map(|word| [word.as_slice(), b" "].concat()).collect()
    }
}

/// Checks a store with the model of its documents.
fn check_edited(edited: &Edited, random: &mut Random) {
    check(edited.store(), &edited.model.documents(), &edited.model.live(), random);
}

fn some_documents() -> impl Strategy<Value = Vec<Document>> {
    let word = prop_oneof![
        4 => "[ab]{1,2}",
        2 => "[A-Ca-c1]{1,3}",
        2 => Just("the cat".to_owned()),
        1 => Just("中文".to_owned()),
    ];
    let text = (vec(word, 0..60), any::<bool>())
        .prop_map(|(words, spaced)| words.join(if spaced { " " } else { ", " }));
    vec(text, 0..6).prop_map(|texts| {
        let named = |(number, text): (usize, String)| Document::new(number.to_string(), text);
        texts.into_iter().enumerate().map(named).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(zgram_testkit::cases(24)))]
    /// Small segments, so that documents go over several of them.
    #[test]
    fn phrases_are_found_as_by_a_scan(
        documents in some_documents(),
        segment_size in prop_oneof![Just(1 << 20), 10u64..200],
        seed in any::<u64>(),
    ) {
        let mut random = Random::new(seed);
        let numbers: Vec<usize> = (0..documents.len()).collect();
        for stored in [true, false] {
            let corpus = open(file(&documents, segment_size, stored));
            prop_assert_eq!(corpus.has_phrase_index(), stored);
            prop_assert!(corpus.verify(&Silent).is_ok());
            let store = Store::from_corpus(corpus);
            check(&store, &documents, &numbers, &mut random);
        }
    }

    #[test]
    fn edits_are_part_of_every_answer(
        documents in some_documents(),
        segment_size in prop_oneof![Just(1 << 20), 40u64..200],
        edits in prop_oneof![Just(1usize), 2usize..30],
        seed in any::<u64>(),
    ) {
        let mut random = Random::new(seed);
        let mut edited = Edited::new(file(&documents, segment_size, true), &documents);
        edited.edit(&mut random, edits);
        check_edited(&edited, &mut random);
        edited.store().compact(&Silent).unwrap();
        let corpus = edited.store().corpus();
        prop_assert!(corpus.has_phrase_index() && corpus.verify(&Silent).is_ok());
        let live = edited.model.documents();
        let numbers: Vec<usize> = (0..live.len()).collect();
        check(edited.store(), &live, &numbers, &mut random);
    }

    #[test]
    fn indexes_come_and_go(
        documents in some_documents(),
        segment_size in prop_oneof![Just(1 << 20), 40u64..200],
        edits in 0usize..3,
        seed in any::<u64>(),
    ) {
        let mut random = Random::new(seed);
        let mut edited = Edited::new(file(&documents, segment_size, false), &documents);
        for wanted in [true, true, false, true] {
            edited.edit(&mut random, edits);
            let model = edited.model.documents();
            edited.store().index_phrases(wanted, &Silent).unwrap();
            let corpus = edited.store().corpus();
            prop_assert_eq!(corpus.has_phrase_index(), wanted);
            prop_assert!(corpus.verify(&Silent).is_ok());
            prop_assert_eq!(edited.store().pending().edits, 0);
            edited.model = zgram_testkit::model::Model::of(&model);
            let numbers: Vec<usize> = (0..model.len()).collect();
            check(edited.store(), &model, &numbers, &mut random);
        }
        let again = edited.reopened();
        prop_assert!(again.has_phrase_index());
    }
}

/// Lines that repeat: the index has runs.
#[test]
fn logs_in_one_segment_and_in_several() {
    let documents = logs();
    let numbers: Vec<usize> = (0..documents.len()).collect();
    for segment_size in [1 << 20, 4000] {
        let corpus = open(file(&documents, segment_size, true));
        assert!(corpus.verify(&Silent).is_ok());
        let few = &documents[..documents.len().min(8)];
        let store = Store::from_corpus(corpus);
        let mut random = Random::new(9);
        for phrase in some_phrases(few, &mut random) {
            let expected: Vec<Vec<Match>> =
                documents.iter().map(|document| find(&document.text, &phrase)).collect();
            let total: usize = expected.iter().map(Vec::len).sum();
            assert_eq!(store.count_all(&phrase).unwrap(), total as u64);
            let found = store.search_all(&phrase).unwrap();
            let with_any =
                numbers.iter().copied().zip(expected).filter(|(_, found)| !found.is_empty());
            assert_eq!(found, with_any.collect::<Vec<_>>());
        }
    }
}

/// An index that belongs to another text does not pass, whatever its checksums say.
#[test]
fn the_index_of_another_file_is_refused() {
    use zgram_testkit::Forged;
    let texts = ["one fine day, one fine night", "one fine day, two fine days"];
    let [one, two] = texts.map(|text| file(&[Document::new("a", text)], 1 << 20, true));
    let (one, two) = (Forged::parse(&one).unwrap(), Forged::parse(&two).unwrap());
    let at = one.position(b"PHRS");
    let forged = one.with_section(at, two.sections[two.position(b"PHRS")].bytes.clone());
    let error = open(forged).verify(&Silent).unwrap_err();
    assert!(matches!(error, OpenError::Container { .. }), "{error}");
    assert!(error.to_string().contains("phrase index"), "{error}");
}
