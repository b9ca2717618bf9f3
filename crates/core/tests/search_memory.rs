//! Searching and counting take little memory, however often a phrase occurs.
//!
//! The peak memory of a process is known only for a whole process, so the searches run in a child: this
//! same test, with a path in its environment.

#![cfg(target_os = "linux")]

use std::ops::ControlFlow;
use std::process::Command;
use zgram::access::Phrase;
use zgram::format::{GrammarKind, Layer, Level};
use zgram::store::{Answer, Edit, Operation, Store, Transaction};
use zgram_testkit::{Document, Feed, compress, options};

const CORPUS: &str = "ZGRAM_SEARCH_CORPUS";
/// Words of the long document. A list of their places takes 16 bytes each.
const WORDS: u64 = 4 << 20;
/// A small part of that list, and what the program and an index take.
const MOST_BYTES: u64 = 48 << 20;

/// Counts the matches of some phrases, one by one.
fn count_each(store: &Store, phrases: &[Phrase], documents: Option<&[usize]>) -> u64 {
    let (mut count, mut last) = (0, None);
    let flow = store.search_each(phrases, documents, |found| {
        let place = (found.document, found.place.offset);
        assert!(documents.is_some() || last < Some(place), "{last:?} before {place:?}");
        last = Some(place);
        count += 1;
        ControlFlow::Continue(())
    });
    assert!(flow.unwrap().is_continue());
    count
}

/// All ways to ask, of a corpus whose first document has `words` words `a` and `more` words `b` behind.
fn ask(store: &Store, words: u64, more: u64) {
    let [a, b, aa] = ["a", "b", "a a"].map(|text| Phrase::new(text).unwrap());
    let mut seen = Vec::new();
    let flow = store.search_each(std::slice::from_ref(&a), None, |found| {
        seen.push((found.name().unwrap().to_vec(), found.place.offset));
        if seen.len() < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert!(flow.unwrap().is_break());
    assert_eq!(seen, [(b"1".to_vec(), 0), (b"1".to_vec(), 2)]);
    assert_eq!(count_each(store, std::slice::from_ref(&a), None), words + 2);
    assert_eq!(count_each(store, &[b, a.clone()], None), words + more + 3);
    assert_eq!(count_each(store, &[a], Some(&[1, 0])), words + 2);
    for _ in 0..40 {
        assert_eq!(store.count_all(&aa).unwrap(), words - 1);
        assert_eq!(store.count(0, &aa).unwrap(), words - 1);
    }
    let count = Operation::Count { document: None, phrase: aa.clone() };
    let answers =
        store.run(&Transaction { operations: vec![count], ..Transaction::default() }).unwrap();
    assert_eq!(answers[0].as_ref().unwrap(), &Answer::Count(words - 1));
    // With the index that was made by now. In edited text each match is looked up, which takes longer.
    let (mut seen, most) = (0, if more == 0 { u64::MAX } else { 10_000 });
    let flow = store.search_each(&[aa], Some(&[0]), |_| {
        seen += 1;
        if seen < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    assert_eq!((flow.unwrap().is_break(), seen), (more > 0, most.min(words - 1)));
}

/// What the child does: asks, edits, asks again, and prints its peak memory in bytes.
fn ask_here(path: &std::ffi::OsStr) {
    ask(&Store::open(path).unwrap(), WORDS, 0);
    let store = Store::open_for_editing(path).unwrap();
    store.edit(&[Edit::Append { document: 0, bytes: b" b".to_vec() }]).unwrap();
    ask(&store, WORDS, 1);
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kilobytes: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    println!("peak {}", kilobytes * 1024);
}

#[test]
fn memory_does_not_grow_with_the_matches() {
    if let Some(path) = std::env::var_os(CORPUS) {
        return ask_here(&path);
    }
    let folder = tempfile::tempdir().unwrap();
    let documents = [Document::new("1", "a ".repeat(WORDS as usize)), Document::new("2", "a b, a")];
    for segment_size in [128 << 20, 3 << 20] {
        let mut options = options(Level::Fast, GrammarKind::RePair, Layer::Zstd);
        options.segment_size = segment_size;
        let path = folder.path().join(format!("{segment_size}.zgram"));
        std::fs::write(&path, compress(&documents, Feed::Tar, &options).unwrap()).unwrap();
        let done = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "memory_does_not_grow_with_the_matches", "--nocapture"])
            .env(CORPUS, &path)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&done.stdout);
        let errors = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "{segment_size}: {said}{errors}");
        let peak = said.lines().find_map(|line| line.strip_prefix("peak ")).unwrap();
        let peak: u64 = peak.parse().unwrap();
        assert!(peak < MOST_BYTES, "segments of {segment_size}: {peak} bytes");
    }
}
