//! Single edits.

use super::{QUERIES, check, check_questions, corpus};
use proptest::prelude::*;
use tempfile::TempDir;
use zgram::access::Phrase;
use zgram::error::{AccessError, EditError};
use zgram::format::{GrammarKind, Layer, Level};
use zgram::progress::Silent;
use zgram::store::{Edit, Store};
use zgram_testkit::model::{Model, find, some_edit, some_text};
use zgram_testkit::{Document, Feed, Random, cases, compress, options};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(100)))]
    #[test]
    fn edited_corpora_are_as_the_model(seed in any::<u64>(), segment_size in prop_oneof![Just(60u64), Just(1 << 20)]) {
        let mut random = Random::new(seed);
        let (_folder, path, mut model) = corpus(&mut random, segment_size);
        let mut store = Store::open_for_editing(&path).unwrap();
        let mut names = 0;
        for step in 0..25 {
            let mut edits = Vec::new();
            let mut after = model.clone();
            for _ in 0..1 + random.below(3) {
                let edit = some_edit(&mut random, &after, &mut names);
                after.apply(&edit);
                edits.push(edit);
            }
            if random.below(6) == 0 {
                // One edit is invalid: none is applied.
                let mut bad = edits.clone();
                bad.push(Edit::Insert { document: 99, offset: 0, bytes: vec![1] });
                prop_assert!(store.edit(&bad).is_err());
            }
            store.edit(&edits).unwrap();
            model = after;
            match random.below(12) {
                0 | 1 => {
                    drop(store);
                    store = Store::open_for_editing(&path).unwrap();
                }
                2 => {
                    let pending = store.pending().edits;
                    let done = store.compact(&Silent).unwrap();
                    prop_assert_eq!(done.edits, pending);
                    prop_assert_eq!(store.pending().edits, 0);
                    model.0.retain(Option::is_some);
                    store.corpus().verify(&Silent).unwrap();
                }
                _ => {}
            }
            if step % 5 == 4 {
                check_questions(&store, &path, &model);
                check(&store, &model, &mut random);
            }
        }
        check(&Store::open(&path).unwrap(), &model, &mut random);
    }
}

#[test]
fn many_edits_of_one_document() {
    let mut random = Random::new(7);
    let (_folder, path, mut model) = corpus(&mut random, 1 << 20);
    let store = Store::open_for_editing(&path).unwrap();
    store.edit(&[Edit::Add { name: b"x".to_vec(), bytes: b"the cat sat ".repeat(3000) }]).unwrap();
    model.apply(&Edit::Add { name: b"x".to_vec(), bytes: b"the cat sat ".repeat(3000) });
    let document = model.0.len() - 1;
    for _ in 0..3000 {
        let size = model.text(document).len();
        let offset = random.below(size + 1) as u64;
        let edit = match random.below(5) {
            0 => Edit::Append { document, bytes: some_text(&mut random, 5) },
            1 => {
                let len = (random.below(40) as u64).min(size as u64 - offset);
                Edit::Delete { document, offset, len }
            }
            _ => Edit::Insert { document, offset, bytes: some_text(&mut random, 5) },
        };
        model.apply(&edit);
        store.edit(&[edit]).unwrap();
    }
    check_questions(&store, &path, &model);
    check(&store, &model, &mut random);
    check(&Store::open(&path).unwrap(), &model, &mut random);
}

/// Reads between the edits of one document, so that its words are indexed early and the index is kept up
/// to date: small edits, appends, edits at one place, and deletions of many spans.
#[test]
fn reads_between_edits_of_one_document() {
    for seed in 0..6 {
        let mut random = Random::new(seed);
        let base = some_text(&mut random, 600);
        let documents = [Document::new("x", base)];
        let options = options(Level::Fast, GrammarKind::RePair, Layer::Zstd);
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("c.zgram");
        std::fs::write(&path, compress(&documents, Feed::Tar, &options).unwrap()).unwrap();
        let mut model = Model::of(&documents);
        let store = Store::open_for_editing(&path).unwrap();
        let document = 0;
        for step in 0..1500 {
            let size = model.text(document).len();
            let offset = match random.below(4) {
                0 => (size / 2) as u64,
                _ => random.below(size + 1) as u64,
            };
            let most = if random.below(200) == 0 { size / 2 } else { 12 };
            let len = (random.below(most + 1) as u64).min(size as u64 - offset);
            let bytes = some_text(&mut random, 6);
            let edit = match random.below(6) {
                0 | 1 => Edit::Append { document, bytes },
                2 => Edit::Delete { document, offset, len },
                3 => Edit::Replace { document, offset, len, bytes },
                _ => Edit::Insert { document, offset, bytes },
            };
            model.apply(&edit);
            store.edit(&[edit]).unwrap();
            let phrase = Phrase::new(QUERIES[step % QUERIES.len()]).unwrap();
            let expected = find(model.text(document), &phrase);
            assert_eq!(store.count(document, &phrase).unwrap(), expected.len() as u64);
            assert_eq!(store.count_all(&phrase).unwrap(), expected.len() as u64);
            assert_eq!(store.search(document, &phrase).unwrap(), expected, "{phrase:?}, {step}");
        }
        check(&store, &model, &mut random);
        check(&Store::open(&path).unwrap(), &model, &mut random);
    }
}

/// New text in so many spans that some chunks of spans have no old text. The words after them are still
/// found.
#[test]
fn old_words_after_many_stretches_of_new_text_are_found() {
    let text = b"the cat sat on the mat\n".repeat(40);
    let documents = [Document::new("x", &text[..])];
    let options = options(Level::Fast, GrammarKind::RePair, Layer::Zstd);
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("c.zgram");
    std::fs::write(&path, compress(&documents, Feed::Tar, &options).unwrap()).unwrap();
    let mut model = Model::of(&documents);
    let store = Store::open_for_editing(&path).unwrap();
    let line = text.len() as u64 / 40;
    for number in 0..1000 {
        // Always at the same place, so that no span continues the one before it.
        let bytes = format!("a b {number}\n").into_bytes();
        let edit = Edit::Insert { document: 0, offset: 3 * line, bytes };
        model.apply(&edit);
        store.edit(&[edit]).unwrap();
    }
    check(&store, &model, &mut Random::new(1));
}

#[test]
fn what_cannot_be_done_is_refused_before_anything_is_done() {
    let (_folder, path, model) = corpus(&mut Random::new(3), 1 << 20);
    let store = Store::open_for_editing(&path).unwrap();
    store.edit(&[Edit::Add { name: b"x".to_vec(), bytes: b"text".to_vec() }]).unwrap();
    let document = model.0.len();
    let insert = |offset| Edit::Insert { document, offset, bytes: b"y".to_vec() };
    assert!(matches!(
        store.edit(&[insert(5)]),
        Err(EditError::Access(AccessError::OutOfRange { offset: 5, size: 4, .. }))
    ));
    assert!(matches!(
        store.edit(&[insert(4), insert(6)]),
        Err(EditError::Access(AccessError::OutOfRange { .. }))
    ));
    let delete = Edit::Delete { document, offset: 2, len: u64::MAX };
    assert!(matches!(
        store.edit(&[delete]),
        Err(EditError::Access(AccessError::OutOfRange { .. }))
    ));
    let remove = Edit::Remove { document };
    let gone = store.edit(&[remove.clone(), insert(0)]);
    assert!(matches!(gone, Err(EditError::Access(AccessError::NoDocument(_)))));
    assert!(matches!(
        store.edit(&[remove.clone(), remove]),
        Err(EditError::Access(AccessError::NoDocument(_)))
    ));
    let add = Edit::Add { name: b"x".to_vec(), bytes: Vec::new() };
    assert!(matches!(store.edit(&[add]), Err(EditError::NameTaken { .. })));
    assert_eq!(store.extract(document, 0, 9).unwrap(), b"text");
    assert_eq!(store.pending().edits, 1);
    let reader = Store::open(&path).unwrap();
    assert!(matches!(reader.edit(&[insert(0)]), Err(EditError::OnlyReading { .. })));
}

#[test]
fn only_one_writes_and_many_read() {
    let (_folder, path, _) = corpus(&mut Random::new(3), 1 << 20);
    let store = Store::open_for_editing(&path).unwrap();
    match Store::open_for_editing(&path) {
        Err(EditError::Locked { holder, .. }) => {
            assert_eq!(holder, format!("process {}", std::process::id()));
        }
        _ => panic!("two writers"),
    }
    assert!(Store::open(&path).is_ok());
    drop(store);
    assert!(Store::open_for_editing(&path).is_ok());
}
