//! Compaction, alone and during reads and edits.

use super::{check, check_questions, corpus};
use proptest::prelude::*;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use tempfile::TempDir;
use zgram::access::Phrase;
use zgram::error::{EditError, OpenError};
use zgram::format::{GrammarKind, Layer, Level};
use zgram::progress::{Progress, Silent};
use zgram::store::{BackgroundCompaction, Edit, Store, Threshold};
use zgram_testkit::model::{Model, some_edit};
use zgram_testkit::{Document, Feed, Random, cases, compress, options};

#[test]
fn readers_go_on_while_edits_and_compaction_do() {
    let (_folder, path, _) = corpus(&mut Random::new(3), 1 << 20);
    let store = Store::open_for_editing(&path).unwrap();
    store.edit(&[Edit::Add { name: b"log".to_vec(), bytes: b"entry\n".repeat(500) }]).unwrap();
    let (word, rounds) = (Phrase::new("entry").unwrap(), 20u64);
    std::thread::scope(|scope| {
        let readers: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(|| {
                    let mut last = 0;
                    while last < 500 + rounds {
                        let document = store.find(b"log").unwrap().unwrap();
                        let count = store.count(document, &word).unwrap();
                        assert!(count >= last, "{count} after {last}");
                        let other = Store::open(&path).unwrap();
                        let seen =
                            other.count(other.find(b"log").unwrap().unwrap(), &word).unwrap();
                        assert!(seen >= last, "another reader sees {seen} after {last}");
                        last = count;
                    }
                })
            })
            .collect();
        for round in 0..rounds {
            let document = store.find(b"log").unwrap().unwrap();
            store.edit(&[Edit::Append { document, bytes: b"entry\n".to_vec() }]).unwrap();
            if round % 4 == 3 {
                store.compact(&Silent).unwrap();
            }
        }
        readers.into_iter().for_each(|reader| reader.join().unwrap());
    });
}

/// Makes edits whenever a compaction asks whether to stop, and keeps a copy of the journal.
struct EditsMeanwhile<'a> {
    store: &'a Store,
    journal: PathBuf,
    work: Mutex<Meanwhile>,
}

struct Meanwhile {
    random: Random,
    model: Model,
    names: u32,
    /// The model before any of these edits, and after each.
    states: Vec<Model>,
    old_journal: Vec<u8>,
}

impl Progress for EditsMeanwhile<'_> {
    fn is_cancelled(&self) -> bool {
        let mut work = self.work.lock().unwrap();
        let Meanwhile { random, model, names, states, old_journal } = &mut *work;
        if states.len() < 12 {
            let edit = some_edit(random, model, names);
            model.apply(&edit);
            self.store.edit(&[edit]).unwrap();
            states.push(model.clone());
            *old_journal = std::fs::read(&self.journal).unwrap();
        }
        false
    }
}

/// The model after a compaction that has merged `merged`. The documents of that time are renumbered, and
/// the others come after them.
fn renumbered(model: &Model, merged: &Model) -> Model {
    let left = |number: usize| merged.0.get(number).is_none_or(Option::is_some);
    let documents = model.0.iter().enumerate().filter(|(number, _)| left(*number));
    Model(documents.map(|(_, document)| document.clone()).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(20)))]
    /// No edit made during a compaction is lost: not in the store, not for a process that opens the corpus,
    /// and not by a crash before the new journal is written.
    #[test]
    fn edits_made_while_compacting_are_carried_over(seed in any::<u64>()) {
        let mut random = Random::new(seed);
        let (_folder, path, mut model) = corpus(&mut random, 60);
        let journal = path.with_file_name("c.zgram.journal");
        let store = Store::open_for_editing(&path).unwrap();
        let mut names = 0;
        for _ in 0..10 {
            let edit = some_edit(&mut random, &model, &mut names);
            model.apply(&edit);
            store.edit(&[edit]).unwrap();
        }
        let merged = model.clone();
        let states = vec![model.clone()];
        let work = Meanwhile { random, model, names, states, old_journal: Vec::new() };
        let progress = EditsMeanwhile { store: &store, journal: journal.clone(), work: work.into() };
        let done = store.compact(&progress).unwrap();
        let Meanwhile { mut random, model, names, states, old_journal } =
            progress.work.into_inner().unwrap();
        prop_assert_eq!(done.edits, 10);
        prop_assert!(states.len() > 1, "nothing was edited meanwhile");
        prop_assert_eq!(store.pending().edits, states.len() as u64 - 1);
        let mut model = renumbered(&model, &merged);
        check_questions(&store, &path, &model);
        check(&store, &model, &mut random);
        check(&Store::open(&path).unwrap(), &model, &mut random);

        // A crash before the new journal is written leaves the old one, perhaps with an incomplete end.
        let new_journal = std::fs::read(&journal).unwrap();
        drop(store);
        let mut seen = Vec::new();
        // Steps shorter than a record, so that each record is once the last.
        for len in (0..=old_journal.len()).rev().step_by(13) {
            std::fs::write(&journal, &old_journal[..len]).unwrap();
            let store = Store::open(&path).unwrap();
            let pending = store.pending().edits as usize;
            if seen.last() != Some(&pending) {
                seen.push(pending);
                check(&store, &renumbered(&states[pending], &merged), &mut random);
            }
            if random.below(8) == 0 {
                drop(store);
                let store = Store::open_for_editing(&path).unwrap();
                prop_assert_eq!(store.pending().edits as usize, pending);
                drop(store);
                // The writer has begun a new journal by now.
                let store = Store::open(&path).unwrap();
                prop_assert_eq!(store.pending().edits as usize, pending);
            }
        }
        prop_assert_eq!(seen, (0..states.len()).rev().collect::<Vec<_>>());

        // Editing and compacting continue to work.
        std::fs::write(&journal, new_journal).unwrap();
        let store = Store::open_for_editing(&path).unwrap();
        let mut names = names;
        for _ in 0..3 {
            let edit = some_edit(&mut random, &model, &mut names);
            model.apply(&edit);
            store.edit(&[edit]).unwrap();
        }
        store.compact(&Silent).unwrap();
        model.0.retain(Option::is_some);
        check(&store, &model, &mut random);
    }
}

#[test]
fn only_touched_segments_are_built_anew() {
    let documents: Vec<Document> = (0..6)
        .map(|at| Document::new(at.to_string(), format!("document {at} of six, ").repeat(20)))
        .collect();
    let mut options = options(Level::Default, GrammarKind::RePair, Layer::Zstd);
    options.segment_size = 800;
    options.index = true;
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("c.zgram");
    std::fs::write(&path, compress(&documents, Feed::Tar, &options).unwrap()).unwrap();
    let store = Store::open_for_editing(&path).unwrap();
    let segments = store.corpus().facts().segments.len();
    assert!(segments >= 3, "{segments} segments");
    store.edit(&[Edit::Insert { document: 0, offset: 0, bytes: b"new ".to_vec() }]).unwrap();
    store.edit(&[Edit::Rename { document: 5, name: b"five".to_vec() }]).unwrap();
    let done = store.compact(&Silent).unwrap();
    assert_eq!((done.edits, done.rebuilt, done.kept), (2, 1, segments - 1));
    store.corpus().verify(&Silent).unwrap();
    assert_eq!(store.find(b"five").unwrap(), Some(5));
    assert_eq!(store.count_all(&Phrase::new("document").unwrap()).unwrap(), 120);
    assert_eq!(store.extract(0, 0, 12).unwrap(), b"new document");
    // A crash right after the swap leaves the old journal beside the new file.
    let journal = folder.path().join("c.zgram.journal");
    let fresh = std::fs::read(&journal).unwrap();
    store.edit(&[Edit::Append { document: 0, bytes: b"!".to_vec() }]).unwrap();
    let old = std::fs::read(&journal).unwrap();
    store.compact(&Silent).unwrap();
    drop(store);
    std::fs::write(&journal, &old).unwrap();
    let store = Store::open_for_editing(&path).unwrap();
    assert_eq!((store.pending().edits, store.size(0).unwrap()), (0, 4 + 19 * 20 + 1));
    drop(store);
    std::fs::write(&journal, fresh).unwrap();
    assert_eq!(Store::open(&path).unwrap().pending().edits, 0);
    // A file that is no journal is refused, and so is the journal of an earlier state.
    std::fs::write(&journal, b"something else altogether, and long enough").unwrap();
    assert!(matches!(Store::open(&path), Err(OpenError::Journal { .. })));
}

#[test]
fn compaction_starts_past_the_threshold() {
    let (_folder, path, mut model) = corpus(&mut Random::new(3), 1 << 20);
    let store = Arc::new(Store::open_for_editing(&path).unwrap());
    assert_eq!(store.threshold(), Threshold::default());
    let threshold = Threshold { edits: 7, bytes: 1 << 20 };
    store.edit(&[Edit::SetThreshold { threshold }]).unwrap();
    assert_eq!((store.threshold(), store.pending().edits), (threshold, 0));
    let background = BackgroundCompaction::of(&store).unwrap();
    let add = Edit::Add { name: b"log".to_vec(), bytes: b"entry\n".repeat(50) };
    model.apply(&add);
    store.edit(&[add]).unwrap();
    let (document, word) = (model.0.len() - 1, Phrase::new("entry").unwrap());
    for number in 1..=40 {
        let edit = Edit::Append { document, bytes: b"entry\n".to_vec() };
        model.apply(&edit);
        store.edit(&[edit]).unwrap();
        // Reads do not depend on whether a compaction has happened yet.
        assert_eq!(store.count(document, &word).unwrap(), 50 + number);
    }
    while store.is_due() {
        std::thread::yield_now();
    }
    let made = background.stop().unwrap();
    assert!((1..=6).contains(&made), "{made} compactions");
    assert!(store.pending().edits < 7);
    // The threshold went into the new file, and nothing was lost.
    drop(store);
    let reader = Store::open(&path).unwrap();
    assert_eq!(reader.threshold(), threshold);
    check(&reader, &model, &mut Random::new(1));
    // A store that is open for reading cannot be compacted.
    assert!(matches!(
        BackgroundCompaction::of(&Arc::new(reader)),
        Err(EditError::OnlyReading { .. })
    ));
}
