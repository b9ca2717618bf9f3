//! Disks that fail, fill up or vanish, and work that is stopped. Each must give an error that says what
//! happened, keep the old file unchanged, and leave nothing behind.

use std::borrow::Cow;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use zgram::error::{AccessError, CompressError, FileError, OpenError};
use zgram::format::{ContainerError, GrammarKind, Layer, Level};
use zgram::progress::{Progress, Silent, Stage};
use zgram::storage::Storage;
use zgram::{CompressOptions, Corpus, Error};
use zgram_testkit::{
    Document, Fed, Feed, chain, combinations, compress_fed, feed, lines_corpus, options,
    small_corpus, small_documents,
};

/// Reads this many times, then always fails.
struct FailingDisk {
    file: Vec<u8>,
    good_reads: usize,
    reads: Arc<AtomicUsize>,
}

impl Storage for FailingDisk {
    fn len(&self) -> u64 {
        self.file.len() as u64
    }

    fn read(&self, offset: u64, len: usize) -> io::Result<Cow<'_, [u8]>> {
        if self.reads.fetch_add(1, Relaxed) >= self.good_reads {
            return Err(io::Error::other("the disk has gone"));
        }
        Ok(Cow::Borrowed(&self.file[offset as usize..offset as usize + len]))
    }
}

/// Reads everything, up to the first failure.
fn read_all(disk: FailingDisk) -> Result<Vec<Vec<u8>>, Error> {
    let corpus = Corpus::from_storage("corpus.zgram", disk)?;
    let mut texts = Vec::new();
    for document in 0..corpus.documents()?.len() {
        texts.push(Vec::new());
        corpus.write_document(document, &mut texts[document])?;
    }
    for segment in 0..corpus.facts().segments.len() {
        corpus.segment(segment)?;
    }
    corpus.verify(&Silent)?;
    Ok(texts)
}

#[test]
fn a_disk_that_fails_at_any_read_is_reported_with_part_and_place() {
    let files = combinations()
        .map(|(level, grammar, layer)| small_corpus(level, grammar, layer))
        .chain([lines_corpus(Level::Default, Layer::Zstd)]);
    for file in files {
        let run = |good_reads| {
            let reads = Arc::new(AtomicUsize::new(0));
            let disk = FailingDisk { file: file.clone(), good_reads, reads: Arc::clone(&reads) };
            (read_all(disk), reads.load(Relaxed))
        };
        let (whole, needed) = run(usize::MAX);
        assert!(whole.is_ok() && needed > 5);
        for good_reads in 0..needed {
            match run(good_reads).0 {
                Err(Error::Open(error) | Error::Access(AccessError::Open(error))) => {
                    let is_disk = matches!(
                        error,
                        OpenError::Container { source: ContainerError::Io { .. }, .. }
                    );
                    assert!(is_disk, "{error}");
                    let text = chain(&error);
                    assert!(text.starts_with("corpus.zgram: cannot read "), "{text}");
                    assert!(text.contains(" at byte "), "{text}");
                    assert!(text.ends_with("the disk has gone"), "{text}");
                }
                other => panic!("after {good_reads} reads: {other:?}"),
            }
        }
    }
}

/// Accepts this many bytes, then the disk is full.
struct FullDisk {
    room: usize,
}

impl Write for FullDisk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.room == 0 && !bytes.is_empty() {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let taken = bytes.len().min(self.room);
        self.room -= taken;
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn in_segments(level: Level) -> CompressOptions {
    let mut options = options(level, GrammarKind::RePair, Layer::Zstd);
    options.segment_size = 220;
    options.threads = 2;
    options
}

#[test]
fn a_disk_that_fills_up_at_any_byte_is_reported() {
    let fed = feed(&small_documents(), Feed::Tar);
    for level in [Level::Fast, Level::Default, Level::Max] {
        let options = in_segments(level);
        let len = compress_fed(&fed, &options).unwrap().len();
        for room in (0..len).step_by(7).chain([1, 15, 16, 17, len - 33, len - 1]) {
            let mut disk = FullDisk { room };
            let full =
                zgram::compress_to(&fed.sources, &mut disk, fed.scratch(), &options, &Silent);
            match full {
                Err(CompressError::File(FileError { action: "write", source, .. })) => {
                    assert_eq!(source.kind(), io::ErrorKind::StorageFull);
                }
                other => panic!("{room} of {len} bytes: {other:?}"),
            }
        }
        let mut disk = FullDisk { room: len };
        zgram::compress_to(&fed.sources, &mut disk, fed.scratch(), &options, &Silent).unwrap();
        assert_eq!(disk.room, 0);
    }
}

#[test]
fn a_scratch_folder_that_does_not_exist_is_reported() {
    let fed = feed(&small_documents(), Feed::Tar);
    let nowhere = fed.scratch().join("nowhere");
    let options = in_segments(Level::Default);
    let error = zgram::compress_to(&fed.sources, &mut Vec::new(), &nowhere, &options, &Silent);
    let text = chain(&error.unwrap_err());
    assert!(text.contains("nowhere"), "{text}");
}

/// Names of all files in a folder.
fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// Documents, and an empty folder to write to.
fn fed_and_folder() -> (Fed, tempfile::TempDir) {
    (feed(&small_documents(), Feed::Tar), tempfile::tempdir().unwrap())
}

#[test]
fn a_path_that_cannot_be_written_is_named() {
    let (fed, folder) = fed_and_folder();
    let options = in_segments(Level::Default);
    fs::write(folder.path().join("file"), b"old").unwrap();
    fs::create_dir(folder.path().join("taken")).unwrap();
    fs::write(folder.path().join("taken/inside"), b"kept").unwrap();
    for (path, named) in
        [("nowhere/x.zgram", "nowhere"), ("file/x.zgram", "file"), ("taken", "taken")]
    {
        let error = zgram::compress(&fed.sources, folder.path().join(path), &options, &Silent);
        let error = error.unwrap_err();
        let text = chain(&error);
        assert!(matches!(error, CompressError::File(_)), "{text}");
        let named = folder.path().join(named);
        assert!(text.contains(&named.display().to_string()), "{text}");
        assert_eq!(files(folder.path()), ["file", "taken"]);
        assert_eq!(fs::read(folder.path().join("file")).unwrap(), b"old");
        assert_eq!(fs::read(folder.path().join("taken/inside")).unwrap(), b"kept");
    }
}

#[test]
fn an_input_that_is_not_there_leaves_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.zgram");
    fs::write(&out, b"old").unwrap();
    let sources = zgram::input::Sources::new([folder.path().join("missing.txt")]);
    let error = zgram::compress(&sources, &out, &in_segments(Level::Fast), &Silent).unwrap_err();
    assert!(chain(&error).contains("missing.txt"), "{}", chain(&error));
    assert_eq!(files(folder.path()), ["out.zgram"]);
    assert_eq!(fs::read(&out).unwrap(), b"old");
}

/// Stops the work after this many checks.
struct StopAfter {
    answers: usize,
    asked: AtomicUsize,
}

impl StopAfter {
    fn new(answers: usize) -> Self {
        Self { answers, asked: AtomicUsize::new(0) }
    }
}

impl Progress for StopAfter {
    fn is_cancelled(&self) -> bool {
        self.asked.fetch_add(1, Relaxed) >= self.answers
    }
}

#[test]
fn work_stopped_at_any_moment_leaves_the_old_file_and_nothing_else() {
    let (fed, folder) = fed_and_folder();
    let out = folder.path().join("out.zgram");
    for (level, grammar, layer) in combinations().filter(|(_, _, layer)| *layer == Layer::Zstd) {
        let mut options = options(level, grammar, layer);
        options.segment_size = 220;
        fs::write(&out, b"old").unwrap();
        let mut answers = 0;
        let summary = loop {
            match zgram::compress(&fed.sources, &out, &options, &StopAfter::new(answers)) {
                Ok(summary) => break summary,
                Err(error) => {
                    assert!(error.is_interrupted(), "{}", chain(&error));
                    assert_eq!(fs::read(&out).unwrap(), b"old", "stopped after {answers} answers");
                    assert_eq!(files(folder.path()), ["out.zgram"]);
                }
            }
            answers += 1;
        };
        assert!(answers > 5, "asked only {answers} times");
        assert_eq!(files(folder.path()), ["out.zgram"]);
        let corpus = Corpus::open(&out).unwrap();
        assert_eq!(corpus.facts(), &summary.facts);
        assert_eq!(corpus.compressed_bytes(), summary.compressed_bytes);

        let mut answers = 0;
        while let Err(error) = corpus.verify(&StopAfter::new(answers)) {
            assert!(error.is_interrupted(), "{}", chain(&error));
            answers += 1;
        }
        assert!(answers > 2);
    }
}

#[test]
fn a_large_document_can_be_stopped_in_the_middle() {
    let text = "some words that repeat, and some that do not; ".repeat(60_000);
    let fed = feed(&[Document::new("large", text)], Feed::Tar);
    for grammar in [GrammarKind::RePair, GrammarKind::Sequitur] {
        let options = options(Level::Fast, grammar, Layer::None);
        let whole = StopAfter::new(usize::MAX);
        zgram::compress_to(&fed.sources, &mut Vec::new(), fed.scratch(), &options, &whole).unwrap();
        let asked = whole.asked.load(Relaxed);
        assert!(asked > 12, "asked only {asked} times in 3 MB");
        for answers in [asked / 3, asked / 2, asked - 1] {
            let stop = StopAfter::new(answers);
            let mut out = Vec::new();
            let error = zgram::compress_to(&fed.sources, &mut out, fed.scratch(), &options, &stop);
            assert!(error.unwrap_err().is_interrupted());
        }
    }
}

#[test]
fn a_corpus_replaces_an_old_file_whole() {
    let (fed, folder) = fed_and_folder();
    let out = folder.path().join("out.zgram");
    fs::write(&out, vec![b'x'; 100_000]).unwrap();
    let options = in_segments(Level::Default);
    zgram::compress(&fed.sources, &out, &options, &Silent).unwrap();
    assert!(fs::read(&out).unwrap() == compress_fed(&fed, &options).unwrap());
    assert_eq!(files(folder.path()), ["out.zgram"]);
}

/// Adds up what is reported.
#[derive(Default)]
struct Tally([AtomicUsize; 3]);

impl Progress for Tally {
    fn advance(&self, stage: Stage, amount: u64) {
        let at = [Stage::Reading, Stage::Building, Stage::Writing].iter().position(|&s| s == stage);
        self.0[at.expect("a stage of compression")].fetch_add(amount as usize, Relaxed);
    }
}

#[test]
fn progress_adds_up_to_the_text_in_every_stage() {
    let fed = feed(&small_documents(), Feed::Gzip);
    let total: usize = small_documents().iter().map(|document| document.text.len()).sum();
    let tally = Tally::default();
    let options = in_segments(Level::Default);
    zgram::compress_to(&fed.sources, &mut Vec::new(), fed.scratch(), &options, &tally).unwrap();
    assert_eq!(tally.0.map(AtomicUsize::into_inner), [total; 3]);
}
