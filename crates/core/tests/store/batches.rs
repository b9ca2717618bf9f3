//! Many operations at once.

use super::{QUERIES, check, check_questions, corpus};
use proptest::prelude::*;
use zgram::access::Phrase;
use zgram::store::{Answer, OffsetBase, Operation, Store, Transaction};
use zgram_testkit::model::{Model, find, some_text};
use zgram_testkit::{Random, cases};

/// A document in which every byte from before the batch has a fixed slot.
struct Slots {
    /// The bytes inserted before each old byte and at the end, and the old byte unless it is deleted.
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

/// A batch of valid edits and reads of a model's documents, all by name.
fn some_batch(
    random: &mut Random,
    model: &Model,
    meaning: OffsetBase,
) -> (Transaction, Vec<Answer>, Model) {
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
        if meaning == OffsetBase::InSequence {
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
    (Transaction { operations, offsets: meaning, keep_going: false }, answers, after)
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
        let meaning = if in_batch { OffsetBase::InBatch } else { OffsetBase::InSequence };
        for _ in 0..3 {
            let (mut batch, expected, after) = some_batch(&mut random, &model, meaning);
            let given = store.run(&batch).unwrap();
            let given: Vec<Answer> = given.into_iter().map(Result::unwrap).collect();
            prop_assert_eq!(given, expected);
            model = after;
            // One refused operation refuses the whole batch.
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
    let batch = Transaction { operations, keep_going: true, ..Transaction::default() };
    let answers = store.run(&batch).unwrap();
    let good: Vec<bool> = answers.iter().map(Result::is_ok).collect();
    assert_eq!(good, [false, true, false, true, true, true, true, false]);
    assert_eq!(*answers[5].as_ref().unwrap(), Answer::Bytes(b"the text!".to_vec()));
}
