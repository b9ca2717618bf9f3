//! What is refused leaves no trace, and damage of one segment leaves the others alone.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use zgram::access::{Match, Phrase};
use zgram::error::{AccessError, CompressError, EditError, OpenError};
use zgram::format::{GrammarKind, Layer, Level};
use zgram::input::Sources;
use zgram::plumbing::{ReplaceGuard, SectionKind};
use zgram::progress::Silent;
use zgram::store::{Answer, Edit, Operation, Store, Transaction};
use zgram::{CompressOptions, Corpus, DecompressOptions};
use zgram_testkit::{Document, Feed, Random, chain, compress, options};

/// A corpus of several segments, one document after the other.
fn corpus_of_segments(level: Level) -> (TempDir, PathBuf) {
    let mut random = Random::new(1);
    let documents: Vec<Document> = (0..4)
        .map(|number| {
            let words: Vec<String> = (0..2000).map(|_| format!("w{}", random.below(900))).collect();
            Document::new(number.to_string(), words.join(" "))
        })
        .collect();
    let mut options = options(level, GrammarKind::RePair, Layer::Zstd);
    options.segment_size = 8 << 10;
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("c.zgram");
    std::fs::write(&path, compress(&documents, Feed::Tar, &options).unwrap()).unwrap();
    (folder, path)
}

/// Flips a bit in the last segment.
fn damage(path: &Path) {
    let corpus = Corpus::open_without_edits(path).unwrap();
    let segments = corpus.sections().iter().filter(|section| section.kind == SectionKind::Segment);
    let last = segments.max_by_key(|section| section.offset).unwrap();
    let at = (last.offset + last.len / 2) as usize;
    let mut bytes = std::fs::read(path).unwrap();
    bytes[at] ^= 1;
    std::fs::write(path, bytes).unwrap();
}

/// The files in a folder with their contents.
fn files(folder: &TempDir) -> Vec<(PathBuf, Vec<u8>)> {
    let entries = std::fs::read_dir(folder.path()).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let mut files: Vec<_> =
        paths.map(|path| (path.clone(), std::fs::read(path).unwrap())).collect();
    files.sort();
    files
}

fn append(document: usize, text: &str) -> Edit {
    Edit::Append { document, bytes: text.as_bytes().to_vec() }
}

const LEVELS: [Level; 3] = [Level::Fast, Level::Default, Level::Max];

#[test]
fn an_edit_of_a_damaged_document_leaves_no_trace() {
    for level in LEVELS {
        let (folder, path) = corpus_of_segments(level);
        damage(&path);
        let before = files(&folder);
        let store = Store::open_for_editing(&path).unwrap();
        let refused = chain(&store.edit(&[append(3, " more")]).unwrap_err());
        assert!(refused.contains("segment"), "{refused}");
        let both = store.edit(&[append(0, " more"), append(3, " more")]);
        assert!(both.is_err());
        let operation = |document: &str| Operation::Append {
            document: document.as_bytes().to_vec(),
            bytes: b" KEEP".to_vec(),
        };
        let mut batch = Transaction {
            operations: vec![operation("0"), operation("3")],
            ..Transaction::default()
        };
        assert_eq!(store.run(&batch).unwrap_err().operation, 1);
        drop(store);
        assert_eq!(files(&folder), before);
        // What can be done is.
        let store = Store::open_for_editing(&path).unwrap();
        batch.keep_going = true;
        let answers = store.run(&batch).unwrap();
        assert_eq!(answers[0].as_ref().unwrap(), &Answer::Done);
        assert!(answers[1].is_err());
        drop(store);
        let store = Store::open(&path).unwrap();
        assert_eq!(store.pending().edits, 1);
        let size = store.size(0).unwrap();
        assert_eq!(store.extract(0, size - 5, 9).unwrap(), b" KEEP");
    }
}

#[test]
fn a_damaged_segment_does_not_lock_the_others() {
    for level in LEVELS {
        let (_folder, path) = corpus_of_segments(level);
        let store = Store::open_for_editing(&path).unwrap();
        store.edit(&[append(0, " KEEPME")]).unwrap();
        store.edit(&[append(3, " gone"), append(3, " more")]).unwrap();
        let documents = store.documents().unwrap();
        drop(store);
        damage(&path);

        let store = Store::open_for_editing(&path).unwrap();
        assert_eq!(store.documents().unwrap(), documents);
        let size = store.size(0).unwrap();
        assert_eq!(store.extract(0, size - 7, 9).unwrap(), b" KEEPME");
        let refused = store.extract(3, 0, 9).unwrap_err();
        assert!(matches!(refused, AccessError::Open(OpenError::Unapplied { .. })), "{refused:?}");
        let message = refused.to_string();
        for part in ["c.zgram.journal", "segment", "damaged", "Other documents can still be read"] {
            assert!(message.contains(part), "{part}: {message}");
        }
        let phrase = Phrase::new("KEEPME").unwrap();
        assert_eq!(store.count(0, &phrase).unwrap(), 1);
        assert!(store.count(3, &phrase).is_err() && store.count_all(&phrase).is_err());
        assert!(store.search(3, &phrase).is_err() && store.lines(3, 1, 2).is_err());
        assert!(store.write_document(3, &mut Vec::new()).is_err());
        assert!(store.snapshot().is_err() || store.snapshot().unwrap().documents().is_ok());
        assert!(store.compact(&Silent).is_err());
        // The damage has a name.
        let damaged = chain(&store.corpus().verify(&Silent).unwrap_err());
        assert!(damaged.contains("damaged"), "{damaged}");
        // Others can be edited, and it can be removed or get another name.
        store.edit(&[append(0, " again")]).unwrap();
        assert!(store.edit(&[append(3, " again")]).is_err());
        store.edit(&[Edit::Rename { document: 3, name: b"three".to_vec() }]).unwrap();
        drop(store);
        let store = Store::open_for_editing(&path).unwrap();
        assert_eq!(store.count(0, &Phrase::new("KEEPME again").unwrap()).unwrap(), 1);
        assert_eq!(store.name(3).unwrap(), b"three");
        store.edit(&[Edit::Remove { document: 3 }]).unwrap();
        assert_eq!(store.documents().unwrap().len(), 3);
        assert_eq!(Store::open(&path).unwrap().pending().edits, 6);
    }
}

#[test]
fn a_refused_edit_leaves_no_files() {
    let (folder, path) = corpus_of_segments(Level::Fast);
    let before = files(&folder);
    for edit in [append(9, "x"), Edit::Add { name: b"1".to_vec(), bytes: Vec::new() }] {
        let store = Store::open_for_editing(&path).unwrap();
        assert!(matches!(Store::open_for_editing(&path), Err(EditError::Locked { .. })));
        assert!(store.edit(&[edit]).is_err());
        // Nothing to do is no edit either.
        store.edit(&[]).unwrap();
        store.compact(&Silent).unwrap();
        drop(store);
        assert_eq!(files(&folder), before);
    }
    // A journal that is there stays as it is, too.
    Store::open_for_editing(&path).unwrap().edit(&[append(0, "x")]).unwrap();
    let before = files(&folder);
    assert!(Store::open_for_editing(&path).unwrap().edit(&[append(9, "x")]).is_err());
    assert_eq!(files(&folder), before);
}

#[test]
fn names_that_no_file_can_have_are_refused() {
    let (folder, path) = corpus_of_segments(Level::Fast);
    let store = Store::open_for_editing(&path).unwrap();
    let add = |name: &str| Edit::Add { name: name.as_bytes().to_vec(), bytes: b"text".to_vec() };
    let rename = |name: &str| Edit::Rename { document: 2, name: name.as_bytes().to_vec() };
    store.edit(&[add("sub/a.txt")]).unwrap();
    let names =
        ["", "/", "/etc/x", ".", "..", "../x", "a/../b", "a//b", "b/", "0/below", "a\0b", "sub"];
    for name in names {
        let is_refused = |edit: &Edit| {
            matches!(store.edit(std::slice::from_ref(edit)), Err(EditError::UnusableName(_)))
        };
        assert!(is_refused(&add(name)), "{name:?}");
        assert!(is_refused(&rename(name)), "{name:?}");
        let operation = Operation::Add { name: name.as_bytes().to_vec(), bytes: Vec::new() };
        let batch = Transaction { operations: vec![operation], ..Transaction::default() };
        assert!(store.run(&batch).is_err(), "{name:?}");
    }
    // Also if the other name comes in the same batch.
    assert!(matches!(store.edit(&[add("x/y"), add("x")]), Err(EditError::UnusableName(_))));
    assert!(matches!(store.edit(&[add("x"), add("x/y")]), Err(EditError::UnusableName(_))));
    // A name is free again when its document has gone.
    store.edit(&[rename("2/of"), add("2")]).unwrap_err();
    store.edit(&[rename("two/of")]).unwrap();
    store.edit(&[rename("two")]).unwrap();
    let document = store.find(b"sub/a.txt").unwrap().unwrap();
    store.edit(&[Edit::Remove { document }, add("sub")]).unwrap();
    store.edit(&[add("new/of/it")]).unwrap();
    let corpus = store.snapshot().unwrap();
    let out = folder.path().join("out");
    let done =
        zgram::decompress(&corpus, &[], &out, &DecompressOptions::default(), &Silent).unwrap();
    assert_eq!(done.files, 6);
}

#[test]
fn a_journal_with_edits_is_not_replaced_unasked() {
    let (folder, path) = corpus_of_segments(Level::Fast);
    let store = Store::open_for_editing(&path).unwrap();
    store.edit(&[append(0, " a")]).unwrap();
    store.edit(&[append(0, " b"), append(1, " c")]).unwrap();
    drop(store);
    let text = folder.path().join("text");
    std::fs::write(&text, "other text").unwrap();
    let sources = || Sources::new([text.clone()]);
    let options = CompressOptions::default();
    let before = files(&folder);
    // Whether or not the file is still there.
    for moved in [false, true] {
        if moved {
            std::fs::rename(&path, folder.path().join("elsewhere")).unwrap();
        }
        let refused = zgram::compress(&sources(), &path, &options, &Silent);
        assert!(matches!(refused, Err(CompressError::PendingEdits { .. })));
        assert_eq!(ReplaceGuard::prepare(&path).unwrap().pending_edits(), Some(3));
    }
    std::fs::rename(folder.path().join("elsewhere"), &path).unwrap();
    assert_eq!(files(&folder), before);
    let guard = ReplaceGuard::prepare(&path).unwrap();
    assert!(matches!(Store::open_for_editing(&path), Err(EditError::Locked { .. })));
    guard.compress(&sources(), &options, &Silent).unwrap();
    assert_eq!(Store::open(&path).unwrap().pending().edits, 0);
    assert_eq!(ReplaceGuard::prepare(&path).unwrap().pending_edits(), Some(0));
}

/// A process that is killed after it has replaced a corpus file leaves the old journal beside it.
#[test]
fn a_discarded_journal_that_was_left_behind_is_ignored() {
    let folder = TempDir::new().unwrap();
    let (path, text) = (folder.path().join("c.zgram"), folder.path().join("text"));
    let journal = folder.path().join("c.zgram.journal");
    let (sources, options) = (Sources::new([&text]), CompressOptions::default());
    // With the same text, the new file would have the same bytes as the old one. A damaged journal was
    // discarded as well.
    for (new, is_damaged) in [("the text", false), ("other text", false), ("the text", true)] {
        std::fs::write(&text, "the text").unwrap();
        zgram::compress(&sources, &path, &options, &Silent).unwrap();
        let store = Store::open_for_editing(&path).unwrap();
        store.edit(&[append(0, " discarded")]).unwrap();
        store.edit(&[append(0, " too")]).unwrap();
        drop(store);
        let mut left_behind = std::fs::read(&journal).unwrap();
        if is_damaged {
            left_behind[60] ^= 1;
            std::fs::write(&journal, &left_behind).unwrap();
        }

        std::fs::write(&text, new).unwrap();
        let guard = ReplaceGuard::prepare(&path).unwrap();
        assert_eq!(guard.pending_edits(), if is_damaged { None } else { Some(2) });
        guard.compress(&sources, &options, &Silent).unwrap();
        assert!(!journal.exists());
        std::fs::write(&journal, &left_behind).unwrap();

        let read = |store: &Store| store.extract(0, 0, 99).unwrap();
        assert_eq!(read(&Store::open(&path).unwrap()), new.as_bytes());
        let mut out = Vec::new();
        Corpus::open(&path).unwrap().write_document(0, &mut out).unwrap();
        assert_eq!(out, new.as_bytes());
        assert_eq!(ReplaceGuard::prepare(&path).unwrap().pending_edits(), Some(0));
        // The next edit replaces the journal.
        Store::open_for_editing(&path).unwrap().edit(&[append(0, " kept")]).unwrap();
        let store = Store::open_for_editing(&path).unwrap();
        assert_eq!(read(&store), format!("{new} kept").as_bytes());
        store.compact(&Silent).unwrap();
        drop(store);
        assert_eq!(read(&Store::open(&path).unwrap()), format!("{new} kept").as_bytes());
        std::fs::remove_file(&journal).unwrap();
    }
}

#[test]
fn contexts_may_be_of_any_length() {
    let (_folder, path) = corpus_of_segments(Level::Fast);
    let store = Store::open(&path).unwrap();
    let phrase = Phrase::new("w17").unwrap();
    let mut contexts = Vec::new();
    for words in [usize::MAX, usize::MAX / 2, usize::MAX / 16, 10_000] {
        let _ = store
            .search_each(std::slice::from_ref(&phrase), Some(&[1]), |found| {
                contexts.push(found.context(words).unwrap().concat());
                ControlFlow::Break(())
            })
            .unwrap();
    }
    let all = store.extract(1, 0, usize::MAX).unwrap();
    assert_eq!(contexts, vec![all; 4]);
    let nowhere = Match { offset: u64::MAX, len: usize::MAX };
    assert!(store.context(1, nowhere, 3).is_err());
}
