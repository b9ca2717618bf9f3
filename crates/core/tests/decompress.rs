//! Documents back to files: pieces put together, and no trace of work that was stopped.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use tempfile::TempDir;
use zgram::error::DecompressError;
use zgram::input::{ReadOptions, Sources};
use zgram::progress::{Progress, Silent};
use zgram::{CompressOptions, Corpus, DecompressOptions, compress, decompress};

/// A folder with documents of many sizes in `in`, compressed in small segments to `c.zgram`.
fn corpus(jsonl: bool) -> (TempDir, Corpus) {
    let place = TempDir::new().unwrap();
    fs::create_dir(place.path().join("in")).unwrap();
    for (number, lines) in [0, 1, 400, 3, 5000, 2, 0, 700].into_iter().enumerate() {
        // One line is long enough to be split.
        let words = |line: usize| if line == 399 { 20_000 } else { line % 90 };
        let line = |line: usize| match jsonl {
            true => format!("{{\"n\": {line}, \"t\": \"{}\"}}\n", "x y ".repeat(words(line))),
            false => format!("document {number} line {line}, words words words\r\n"),
        };
        let text: String = (0..lines).map(line).collect();
        fs::write(place.path().join(format!("in/{number}")), text).unwrap();
    }
    let file = place.path().join("c.zgram");
    let jsonl_field = jsonl.then(|| "t".to_owned());
    let sources = Sources::new([place.path().join("in")])
        .options(ReadOptions { jsonl_field, ..ReadOptions::default() });
    let mut options = CompressOptions::default();
    options.segment_size = 10_000;
    compress(&sources, &file, &options, &Silent).unwrap();
    let corpus = Corpus::open(&file).unwrap();
    let segments = &corpus.facts().segments;
    assert!(segments.len() > 3 && segments.iter().any(|segment| segment.first_piece > 0));
    (place, corpus)
}

fn files(folder: &Path) -> Vec<(std::ffi::OsString, Vec<u8>)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let mut files: Vec<_> =
        entries.map(|entry| (entry.file_name(), fs::read(entry.path()).unwrap())).collect();
    files.sort();
    files
}

/// Stops the work at the `left`-th time it asks.
struct Stopping {
    left: AtomicUsize,
}

impl Progress for Stopping {
    fn is_cancelled(&self) -> bool {
        self.left.fetch_update(SeqCst, SeqCst, |left| left.checked_sub(1)).is_err()
    }
}

#[test]
fn pieces_are_put_together_with_any_number_of_threads() {
    for jsonl in [false, true] {
        let (place, corpus) = corpus(jsonl);
        let expected = files(&place.path().join("in"));
        for threads in [1, 2, 3, 9] {
            let folder = place.path().join(format!("out{threads}"));
            let mut options = DecompressOptions::default();
            options.threads = threads;
            let summary = decompress(&corpus, &[], &folder, &options, &Silent).unwrap();
            assert!(files(&folder) == expected, "{threads} threads, JSON Lines: {jsonl}");
            assert_eq!(summary.files as usize, expected.len());
            assert_eq!(summary.documents, corpus.facts().documents);
            assert_eq!(summary.text_bytes, corpus.facts().sizes.text_bytes);
        }
    }
}

#[test]
fn stopped_work_leaves_only_whole_files() {
    let (place, corpus) = corpus(false);
    let all = files(&place.path().join("in"));
    let mut stopped = 0;
    for left in 0.. {
        let folder = place.path().join(format!("out{left}"));
        let progress = Stopping { left: AtomicUsize::new(left) };
        let outcome = decompress(&corpus, &[], &folder, &DecompressOptions::default(), &progress);
        let written = files(&folder);
        assert!(written.iter().all(|file| all.contains(file)), "stopped after {left}");
        match outcome {
            Err(error) => assert!(error.is_interrupted(), "{error}"),
            Ok(_) => {
                assert_eq!(written, all);
                break;
            }
        }
        stopped += 1;
    }
    assert!(stopped > 10);
}

#[test]
fn chosen_documents_may_repeat_and_need_no_order() {
    let (place, corpus) = corpus(false);
    let folder = place.path().join("out");
    let options = DecompressOptions::default();
    decompress(&corpus, &[7, 2, 7, 0], &folder, &options, &Silent).unwrap();
    let names: Vec<_> = files(&folder).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["0", "2", "7"]);
    let again = decompress(&corpus, &[2], &folder, &options, &Silent);
    assert!(
        matches!(again, Err(DecompressError::OutputExists { path }) if path == folder.join("2"))
    );
}

#[test]
fn documents_are_written_one_after_the_other() {
    let (place, corpus) = corpus(false);
    let all = files(&place.path().join("in"));
    let mut text = Vec::new();
    corpus.write_documents(&[4, 1, 4, 0], &mut text).unwrap();
    assert!(text == [&all[4].1[..], &all[1].1, &all[4].1].concat());
}

#[test]
fn expanding_stops_at_a_length_and_tells_it() {
    let long = "the same words again, and a separator of its own: ";
    let text = long.repeat(4000) + &"=".repeat(2000) + " end";
    let corpus = zgram_testkit::corpus(
        &[zgram_testkit::Document::new("a", text.clone()), zgram_testkit::Document::new("b", "")],
        zgram::format::GrammarKind::RePair,
        1 << 20,
    );
    let (grammar, dictionary) = (corpus.segment(0).unwrap(), corpus.dictionary().unwrap());
    let expander = zgram::plumbing::Expander::new(&grammar, dictionary);
    for (document, text) in [text.as_bytes(), b""].into_iter().enumerate() {
        let symbols = grammar.document(document);
        let len = text.len() as u64;
        assert_eq!(expander.len(symbols), len);
        for most in [0, 1, 1 << 16, len.saturating_sub(1), len, len + 1, u64::MAX] {
            let mut out = Vec::new();
            let told = expander.write_at_most(symbols, most, &mut out).unwrap();
            assert_eq!(told, (len <= most).then_some(len));
            assert!(if told.is_some() { out == text } else { text.starts_with(&out) });
            assert!(out.len() as u64 <= most);
        }
    }
}
