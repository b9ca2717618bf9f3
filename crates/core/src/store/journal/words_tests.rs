//! The changes of word counts are read back, or ignored.

use crate::Corpus;
use crate::access::Access;
use crate::beside;
use crate::input::Sources;
use crate::progress::Silent;
use crate::store::journal::End;
use crate::store::journal::words_file::{WordsFile, read};
use crate::store::overlay::word_change::{MOST_LOOKED_AT, Sum, WordChange};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use tempfile::TempDir;

/// A corpus of one text.
fn corpus() -> (TempDir, PathBuf, Access) {
    let scratch = tempfile::tempdir().unwrap();
    let (text, path) = (scratch.path().join("text"), scratch.path().join("corpus.zgram"));
    std::fs::write(&text, "one fine day, 中 one fine night").unwrap();
    let sources = Sources::new([text]);
    crate::compress(&sources, &path, &crate::CompressOptions::default(), &Silent).unwrap();
    let access = Access::new(Arc::new(Corpus::open_without_edits(&path).unwrap()));
    (scratch, path, access)
}

/// The ends of this many records of a journal.
fn ends(records: u64) -> Vec<End> {
    (0..=records).map(|sequence| End { sequence, len: 0, chain: sequence * sequence }).collect()
}

fn change(gained: &str, lost: &str) -> WordChange {
    let mut change = WordChange::default();
    change.gain(gained.as_bytes());
    change.lose(lost.as_bytes());
    change
}

/// The change as seen from the corpus in the file.
fn sum(access: &Access, gained: &str, lost: &str) -> Option<Sum> {
    Sum::of(access, &change(gained, lost)).unwrap()
}

/// The changes by word.
fn changes_in(
    path: &std::path::Path,
    access: &Access,
    ends: &[End],
) -> Option<BTreeMap<Vec<u8>, i64>> {
    let sum = read(path, access.corpus().identity(), ends)?;
    let dictionary = access.corpus().dictionary().unwrap();
    assert!(sum.suits(dictionary));
    let mut words: BTreeMap<Vec<u8>, i64> = BTreeMap::new();
    for (id, by) in sum.known() {
        *words.entry(dictionary.bytes(id).to_vec()).or_default() += by;
    }
    for (_, word, by) in sum.new.iter() {
        assert_eq!(dictionary.find(word), None);
        *words.entry(word.to_vec()).or_default() += by;
    }
    words.retain(|_, by| *by != 0);
    Some(words)
}

#[test]
fn changes_come_back_from_a_file_that_is_whole() {
    let (_scratch, path, access) = corpus();
    assert_eq!(changes_in(&path, &access, &ends(1)), None, "there is no file yet");
    let all = ends(3);
    let (identity, first) = (access.corpus().identity(), sum(&access, "one rainy day 文", "night"));
    let mut file = WordsFile::begin(&path, identity, all[1], first.as_ref()).unwrap();
    assert!(file.add(all[2], sum(&access, "fine, fine", "rainy 中").as_ref()));
    assert!(file.add(all[3], Some(&Sum::default())));
    let expected: [(&[u8], i64); 6] = [
        (b"day", 1),
        (b"fine", 2),
        (b"night", -1),
        (b"one", 1),
        ("中".as_bytes(), -1),
        ("文".as_bytes(), 1),
    ];
    let expected = expected.into_iter().map(|(word, by)| (word.to_vec(), by)).collect();
    assert_eq!(changes_in(&path, &access, &all), Some(expected));
    // A reader of a shorter journal takes fewer records; of a longer one, it finds the file incomplete.
    assert_eq!(changes_in(&path, &access, &all[..2]).unwrap()[&b"rainy"[..]], 1);
    assert_eq!(changes_in(&path, &access, &ends(4)), None);
    assert_eq!(changes_in(&path, &access, &all[..1]), Some(BTreeMap::new()));
    // Other edits, or another corpus.
    let mut others = all.clone();
    others[2].chain += 1;
    assert_eq!(changes_in(&path, &access, &others), None);
    let mut other = identity;
    other.len += 1;
    assert!(read(&path, other, &all).is_none());

    let bytes = std::fs::read(beside::words(&path)).unwrap();
    for len in 0..bytes.len() {
        std::fs::write(beside::words(&path), &bytes[..len]).unwrap();
        assert_eq!(changes_in(&path, &access, &all), None, "cut at {len}");
    }
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        std::fs::write(beside::words(&path), &damaged).unwrap();
        assert_eq!(changes_in(&path, &access, &all), None, "byte {at}");
    }
}

#[test]
fn an_unknown_change_is_not_stored() {
    let (_scratch, path, access) = corpus();
    let all = ends(2);
    let identity = access.corpus().identity();
    assert!(WordsFile::begin(&path, identity, all[1], None).is_none());
    let mut file = WordsFile::begin(&path, identity, all[0], None).unwrap();
    let long = "word ".repeat(MOST_LOOKED_AT as usize / 5 + 1);
    assert!(!change(&long, "").is_known());
    let mut merged = change("a", "b");
    merged.merge(&change(&long, ""));
    assert!(!file.add(all[1], Sum::of(&access, &merged).unwrap().as_ref()));
    assert_eq!(changes_in(&path, &access, &all[..2]), None);
    // Where no file can be written, there is none.
    std::fs::remove_file(beside::words(&path)).unwrap();
    std::fs::create_dir(beside::words(&path)).unwrap();
    assert!(WordsFile::begin(&path, identity, all[0], Some(&Sum::default())).is_none());
    assert_eq!(changes_in(&path, &access, &all[..2]), None);
}

proptest! {
    #[test]
    fn changes_are_sums(
        texts in proptest::collection::vec(("[ab中 ]{0,9}", any::<bool>()), 0..9),
        at in 0usize..9,
    ) {
        let mut expected: BTreeMap<Vec<u8>, i64> = BTreeMap::new();
        let mut parts = [const { Vec::new() }; 2];
        for (number, (text, comes)) in texts.iter().enumerate() {
            let by = if *comes { 1 } else { -1 };
            for (_, word) in crate::access::words_of(text.as_bytes(), true) {
                *expected.entry(word.to_vec()).or_default() += by;
            }
            parts[usize::from(number < at)].push((text, comes));
        }
        let [mut all, other] = parts.map(|part| {
            let mut change = WordChange::default();
            for (text, comes) in part {
                if *comes { change.gain(text.as_bytes()) } else { change.lose(text.as_bytes()) }
            }
            change
        });
        all.merge(&other);
        let found: BTreeMap<Vec<u8>, i64> =
            all.iter().map(|(_, word, by)| (word.to_vec(), by)).collect();
        expected.retain(|_, by| *by != 0);
        prop_assert_eq!(found, expected);
    }
}
