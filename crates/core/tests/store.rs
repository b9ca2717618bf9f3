//! Edits against a plain model of the documents, with reopening in between.

use proptest::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use tempfile::TempDir;
use zgram::access::Phrase;
use zgram::analytics::{Choice, Row, Traversal};
use zgram::format::{GrammarKind, Layer, Level};
use zgram::plumbing::Splitter;
use zgram::progress::{Progress, Silent};
use zgram::store::Changes;
use zgram::store::{
    Answer, BackgroundCompaction, Batch, Edit, Meaning, Operation, Store, Threshold,
};
use zgram::{Corpus, Error};
use zgram_testkit::model::{Model, find, lines, some_edit, some_text};
use zgram_testkit::{Document, Feed, Random, cases, compress, options};

const QUERIES: [&str; 9] = ["a", "b", "the", "中", "cat", "a b", "the cat", "b a b", "文 a"];

/// Checks every answer of a store against the model.
fn check(store: &Store, model: &Model, random: &mut Random) {
    let expected: Vec<(usize, &[u8], u64)> = model
        .live()
        .into_iter()
        .map(|number| {
            let (name, text) = model.0[number].as_ref().unwrap();
            (number, &name[..], text.len() as u64)
        })
        .collect();
    let documents = store.documents().unwrap();
    let got: Vec<(usize, &[u8], u64)> =
        documents.iter().map(|entry| (entry.number, &entry.name[..], entry.size)).collect();
    assert_eq!(got, expected);
    for &number in &model.live() {
        let (name, text) = model.0[number].as_ref().unwrap();
        assert_eq!(store.find(name).unwrap(), Some(number));
        let mut written = Vec::new();
        store.write_document(number, &mut written).unwrap();
        assert_eq!(&written, text);
        let offset = random.below(text.len() + 1);
        let end = (offset + random.below(40)).min(text.len());
        assert_eq!(store.extract(number, offset as u64, end - offset).unwrap(), text[offset..end]);
        let (from, to) = (random.below(6), random.below(9));
        let (from, to) = (from as u64, to as u64);
        assert_eq!(store.lines(number, from, to).unwrap(), lines(text, from, to));
    }
    // The snapshot for analytics has the same bytes.
    let snapshot = store.snapshot().unwrap();
    let table = snapshot.documents().unwrap();
    for (at, document) in model.documents().into_iter().enumerate() {
        let mut written = Vec::new();
        snapshot.write_document(at, &mut written).unwrap();
        assert_eq!((table.name(at), &written), (Some(&document.name[..]), &document.text));
        assert_eq!(table.size(at), Some(written.len() as u64));
    }
    for query in QUERIES {
        let phrase = Phrase::new(query).unwrap();
        let mut all = Vec::new();
        for number in model.live() {
            let (_, text) = model.0[number].as_ref().unwrap();
            let expected = find(text, &phrase);
            assert_eq!(store.search(number, &phrase).unwrap(), expected, "{query} in {text:?}");
            assert_eq!(store.count(number, &phrase).unwrap(), expected.len() as u64);
            if !expected.is_empty() {
                all.push((number, expected));
            }
        }
        let total: usize = all.iter().map(|(_, found)| found.len()).sum();
        assert_eq!(store.count_all(&phrase).unwrap(), total as u64);
        assert_eq!(store.search_all(&phrase).unwrap(), all);
    }
}

/// Checks what is asked of the whole corpus: in a store that edits it, and by who opens it only for
/// that. It is known which words the edits change, so words are counted without making them.
fn check_questions(store: &Store, path: &Path, model: &Model) {
    let has_edits = store.pending().edits > 0;
    let opened = Corpus::open(path).unwrap();
    let other = Store::open(path).unwrap().snapshot().unwrap();
    assert!(!other.has_deferred_edits());
    check_counts(&opened, &other, model, has_edits);
    check_counts(&store.snapshot().unwrap(), &other, model, has_edits);
}

/// Checks a corpus against the model, and against one whose edits were all made.
fn check_counts(corpus: &Corpus, other: &Corpus, model: &Model, has_edits: bool) {
    assert_eq!(corpus.has_deferred_edits(), has_edits);
    let mut words: BTreeMap<Vec<u8>, u64> = BTreeMap::new();
    for document in model.documents() {
        Splitter::default().finish(&document.text, |class, word| {
            if class.is_word() {
                *words.entry(word.to_vec()).or_default() += 1;
            }
        });
    }
    let row = |(words, count): (&Vec<u8>, &u64)| (words.clone(), *count);
    let by_word: Vec<(Vec<u8>, u64)> = words.iter().map(row).collect();
    let mut by_count = by_word.clone();
    by_count.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let pairs = |rows: Vec<Row>| -> Vec<(Vec<u8>, u64)> {
        rows.into_iter().map(|row| (row.words, row.count)).collect()
    };
    assert_eq!(pairs(corpus.word_count().rows().unwrap()), by_count);
    assert_eq!(
        pairs(corpus.word_count().top(3).threads(1).rows().unwrap()),
        by_count[..by_count.len().min(3)]
    );
    assert_eq!(pairs(corpus.sort().rows().unwrap()), by_word);
    let view = |corpus: &Corpus| corpus.sort().fold().min_len(2).rows().unwrap();
    assert_eq!(view(corpus), view(other));
    let texts = model.documents();
    let bytes: u64 = texts.iter().map(|document| document.text.len() as u64).sum();
    let facts = corpus.facts();
    assert_eq!((facts.documents, facts.sizes.text_bytes), (texts.len() as u64, bytes));
    assert_eq!(corpus.has_deferred_edits(), has_edits, "no edit had to be made");
    // Whatever else is asked, they are made.
    let table = corpus.documents().unwrap();
    assert_eq!(corpus.facts().documents, table.len() as u64);
    let count = |corpus: &Corpus, choice| corpus.word_count().traversal(choice).rows().unwrap();
    assert_eq!(count(corpus, Choice::Fixed(Traversal::BottomUp)), count(other, Choice::Auto));
    assert!(!corpus.has_deferred_edits());
    for (at, document) in model.documents().into_iter().enumerate() {
        let mut written = Vec::new();
        corpus.write_document(at, &mut written).unwrap();
        assert_eq!((table.name(at), &written), (Some(&document.name[..]), &document.text));
        assert_eq!(table.size(at), Some(written.len() as u64));
    }
    assert_eq!(corpus.term_vector().rows().unwrap(), other.term_vector().rows().unwrap());
    let sklearn = |corpus: &Corpus| corpus.word_count().sklearn().rows().unwrap();
    assert_eq!(sklearn(corpus), sklearn(other));
    let sequences = |corpus: &Corpus| corpus.sequence_count().words(2).of_corpus().rows().unwrap();
    assert_eq!(sequences(corpus), sequences(other));
    assert_eq!(pairs(corpus.word_count().rows().unwrap()), by_count);
}

/// A corpus file of some documents in a folder of its own.
fn corpus(random: &mut Random, segment_size: u64) -> (TempDir, PathBuf, Model) {
    let documents: Vec<Document> = (0..random.below(5))
        .map(|number| Document::new(format!("{number}.txt"), some_text(random, 80)))
        .collect();
    let mut options = options(Level::Fast, GrammarKind::RePair, Layer::Zstd);
    options.segment_size = segment_size;
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("c.zgram");
    std::fs::write(&path, compress(&documents, Feed::Tar, &options).unwrap()).unwrap();
    (folder, path, Model::of(&documents))
}

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
                // One that cannot be made: none of them is.
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

/// New text in so many stretches that some of the lists they are kept in have no old text: the words
/// after them are found all the same.
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
        // Always at the same place, so that no stretch goes on where the one before it has ended.
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
    assert!(matches!(store.edit(&[insert(5)]), Err(Error::OutOfRange { offset: 5, size: 4, .. })));
    assert!(matches!(store.edit(&[insert(4), insert(6)]), Err(Error::OutOfRange { .. })));
    let delete = Edit::Delete { document, offset: 2, len: u64::MAX };
    assert!(matches!(store.edit(&[delete]), Err(Error::OutOfRange { .. })));
    let remove = Edit::Remove { document };
    let gone = store.edit(&[remove.clone(), insert(0)]);
    assert!(matches!(gone, Err(Error::NoDocument { .. })));
    assert!(matches!(store.edit(&[remove.clone(), remove]), Err(Error::NoDocument { .. })));
    let add = Edit::Add { name: b"x".to_vec(), bytes: Vec::new() };
    assert!(matches!(store.edit(&[add]), Err(Error::NameTaken { .. })));
    assert_eq!(store.extract(document, 0, 9).unwrap(), b"text");
    assert_eq!(store.pending().edits, 1);
    assert_eq!(store.changes(), Changes { added: vec![document], ..Changes::default() });
    let reader = Store::open(&path).unwrap();
    assert!(matches!(reader.edit(&[insert(0)]), Err(Error::OnlyReading { .. })));
}

#[test]
fn only_one_writes_and_many_read() {
    let (_folder, path, _) = corpus(&mut Random::new(3), 1 << 20);
    let store = Store::open_for_editing(&path).unwrap();
    match Store::open_for_editing(&path) {
        Err(Error::Locked { holder, .. }) => {
            assert_eq!(holder, format!("process {}", std::process::id()));
        }
        _ => panic!("two writers"),
    }
    assert!(Store::open(&path).is_ok());
    drop(store);
    assert!(Store::open_for_editing(&path).is_ok());
}

/// A document of which every byte from before the batch keeps its place.
struct Slots {
    /// What is put in before each old byte, and at the end; whether the old byte is still there.
    slots: Vec<(Vec<u8>, Option<u8>)>,
    appended: Vec<u8>,
}

impl Slots {
    fn new(text: &[u8]) -> Self {
        let old = text.iter().map(|&byte| (Vec::new(), Some(byte)));
        Self { slots: old.chain([(Vec::new(), None)]).collect(), appended: Vec::new() }
    }

    fn text(&self) -> Vec<u8> {
        let slots = self.slots.iter().flat_map(|(before, byte)| before.iter().chain(byte));
        slots.chain(&self.appended).copied().collect()
    }
}

/// A batch of edits and reads of the documents of a model, all by name, none of them wrong.
fn some_batch(random: &mut Random, model: &Model, meaning: Meaning) -> (Batch, Vec<Answer>, Model) {
    let live = model.live();
    let names: Vec<Vec<u8>> =
        live.iter().map(|&at| model.0[at].as_ref().unwrap().0.clone()).collect();
    let mut texts: Vec<Slots> =
        live.iter().map(|&at| Slots::new(&model.0[at].as_ref().unwrap().1)).collect();
    let mut operations = Vec::new();
    let mut answers = Vec::new();
    for _ in 0..random.below(40) {
        let at = random.below(live.len());
        let document = names[at].clone();
        if meaning == Meaning::InSequence {
            texts[at] = Slots::new(&texts[at].text());
        }
        let now = texts[at].text();
        let old = texts[at].slots.len() - 1;
        let offset = random.below(old + 1);
        let len = random.below((old - offset).min(20) + 1);
        let phrase = Phrase::new(QUERIES[random.below(QUERIES.len())]).unwrap();
        let bytes = some_text(random, 4);
        let (operation, answer) = match random.below(9) {
            0 => {
                let offset = random.below(now.len() + 1);
                let len = random.below(30).min(now.len() - offset);
                let bytes = now[offset..offset + len].to_vec();
                (Operation::Extract { document, offset: offset as u64, len }, Answer::Bytes(bytes))
            }
            1 => {
                let found = find(&now, &phrase);
                let found = if found.is_empty() { vec![] } else { vec![(document.clone(), found)] };
                (Operation::Search { document: Some(document), phrase }, Answer::Matches(found))
            }
            2 => {
                let count = find(&now, &phrase).len() as u64;
                (Operation::Count { document: Some(document), phrase }, Answer::Count(count))
            }
            3 => {
                let all = texts.iter().map(|text| find(&text.text(), &phrase).len() as u64).sum();
                (Operation::Count { document: None, phrase }, Answer::Count(all))
            }
            4 => {
                texts[at].appended.extend(&bytes);
                (Operation::Append { document, bytes }, Answer::Done)
            }
            5 => {
                texts[at].slots[offset..offset + len].iter_mut().for_each(|slot| slot.1 = None);
                let (offset, len) = (offset as u64, len as u64);
                (Operation::Delete { document, offset, len }, Answer::Done)
            }
            6 => {
                texts[at].slots[offset..offset + len].iter_mut().for_each(|slot| slot.1 = None);
                texts[at].slots[offset].0.extend(&bytes);
                let (offset, len) = (offset as u64, len as u64);
                (Operation::Replace { document, offset, len, bytes }, Answer::Done)
            }
            _ => {
                texts[at].slots[offset].0.extend(&bytes);
                (Operation::Insert { document, offset: offset as u64, bytes }, Answer::Done)
            }
        };
        operations.push(operation);
        answers.push(answer);
    }
    let mut after = model.clone();
    for (at, text) in live.into_iter().zip(texts) {
        *after.text(at) = text.text();
    }
    (Batch { operations, meaning, keep_going: false }, answers, after)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(200)))]
    #[test]
    fn every_read_of_a_batch_sees_the_edits_before_it(seed in any::<u64>(), in_batch in any::<bool>()) {
        let mut random = Random::new(seed);
        let (_folder, path, mut model) = corpus(&mut random, 200);
        if model.0.is_empty() {
            return Ok(());
        }
        let store = Store::open_for_editing(&path).unwrap();
        let meaning = if in_batch { Meaning::InBatch } else { Meaning::InSequence };
        for _ in 0..3 {
            let (mut batch, expected, after) = some_batch(&mut random, &model, meaning);
            let given = store.run(&batch).unwrap();
            let given: Vec<Answer> = given.into_iter().map(Result::unwrap).collect();
            prop_assert_eq!(given, expected);
            model = after;
            // With one operation that cannot be done, nothing is done.
            let wrong = Operation::Insert { document: b"nobody".to_vec(), offset: 0, bytes: vec![] };
            batch.operations.push(wrong);
            let refused = store.run(&batch).unwrap_err();
            prop_assert!(refused.operation < batch.operations.len());
        }
        check_questions(&store, &path, &model);
        check(&store, &model, &mut random);
        check(&Store::open(&path).unwrap(), &model, &mut random);
    }
}

#[test]
fn a_batch_that_keeps_going_leaves_out_what_cannot_be_done() {
    let (_folder, path, _) = corpus(&mut Random::new(3), 1 << 20);
    let store = Store::open_for_editing(&path).unwrap();
    let name = || b"x".to_vec();
    let operations = vec![
        Operation::Append { document: name(), bytes: b"early".to_vec() },
        Operation::Add { name: name(), bytes: b"the text".to_vec() },
        Operation::Insert { document: name(), offset: 99, bytes: b"?".to_vec() },
        Operation::Rename { document: name(), name: b"y".to_vec() },
        Operation::Append { document: b"y".to_vec(), bytes: b"!".to_vec() },
        Operation::Extract { document: b"y".to_vec(), offset: 0, len: 99 },
        Operation::Remove { document: b"y".to_vec() },
        Operation::Extract { document: b"y".to_vec(), offset: 0, len: 99 },
    ];
    let batch = Batch { operations, keep_going: true, ..Batch::default() };
    let answers = store.run(&batch).unwrap();
    let good: Vec<bool> = answers.iter().map(Result::is_ok).collect();
    assert_eq!(good, [false, true, false, true, true, true, true, false]);
    assert_eq!(*answers[5].as_ref().unwrap(), Answer::Bytes(b"the text!".to_vec()));
}

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

/// Makes edits while a compaction asks whether it should stop, and keeps the journal as it was then.
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

/// The model after a compaction that had merged `merged`: the documents that were there then are
/// numbered anew, the others come after them.
fn renumbered(model: &Model, merged: &Model) -> Model {
    let left = |number: usize| merged.0.get(number).is_none_or(Option::is_some);
    let documents = model.0.iter().enumerate().filter(|(number, _)| left(*number));
    Model(documents.map(|(_, document)| document.clone()).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(20)))]
    /// Edits go on while a corpus is compacted, and none is lost: not in the store, not for who opens
    /// it, and not by a crash before the new journal is there.
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

        // A crash before the new journal is there leaves the old one, maybe with a torn end.
        let new_journal = std::fs::read(&journal).unwrap();
        drop(store);
        let mut seen = Vec::new();
        // Steps shorter than a record, so that each of them is once the last.
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
                // The writer has begun a journal of its own by now.
                let store = Store::open(&path).unwrap();
                prop_assert_eq!(store.pending().edits as usize, pending);
            }
        }
        prop_assert_eq!(seen, (0..states.len()).rev().collect::<Vec<_>>());

        // Life goes on.
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
    // What is left of a crash right after the swap: the old journal beside the new file.
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
    // A journal of nobody's is refused, and so is one of an earlier state.
    std::fs::write(&journal, b"something else altogether, and long enough").unwrap();
    assert!(matches!(Store::open(&path), Err(Error::Journal { .. })));
}

#[test]
fn compaction_starts_by_itself_past_the_threshold() {
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
        // Nothing that is read ever depends on whether it has happened yet.
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
    // Without the right to edit there is nothing to compact.
    assert!(matches!(BackgroundCompaction::of(&Arc::new(reader)), Err(Error::OnlyReading { .. })));
}
