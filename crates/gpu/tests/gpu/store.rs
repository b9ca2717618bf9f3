//! A store whose batches are read on a device: the answers and the journal are the same as without it.

use crate::access::{Sample, some_batch, some_text};
use crate::devices::{NAMES, backends, open};
use proptest::prelude::*;
use std::path::{Path, PathBuf};
use zgram::access::Phrase;
use zgram::error::TransactionError;
use zgram::store::{Answer, Operation, Store, Transaction};
use zgram_gpu::access::GpuReader;
use zgram_gpu::{Backend, DeviceOptions, Limits, Twins};
use zgram_testkit::{Document, Random};

/// Every kind of operation, in any order, supported by the device or not.
fn any_batch(random: &mut Random, sample: &Sample, count: usize) -> Transaction {
    let mut batch = some_batch(random, sample, count, true);
    for operation in &mut batch.operations {
        let document = sample.documents[random.below(sample.documents.len())].name.clone();
        let phrase = Phrase::new(["the cat", "cat sat", "a"][random.below(3)]).unwrap();
        let (offset, len) = (random.below(20) as u64, random.below(8) as u64);
        let (from, to) = (random.below(4) as u64, random.below(4) as u64);
        let name = format!("new{}", random.below(4)).into_bytes();
        let other = match random.below(40) {
            0 => Operation::Lines { document, from, to },
            1 => Operation::Search { document: Some(document), phrase },
            2 => Operation::Count { document: Some(document), phrase },
            3 => Operation::Count { document: None, phrase },
            4 => Operation::Search { document: None, phrase },
            5 => Operation::Delete { document, offset, len },
            6 => Operation::Replace { document, offset, len, bytes: some_text(random, 3) },
            7 => Operation::Add { name, bytes: some_text(random, 9) },
            8 if random.below(4) == 0 => Operation::Remove { document },
            9 => Operation::Rename { document, name },
            10 => Operation::Extract { document: name, offset: 0, len: 50 },
            11 => Operation::Append { document: name, bytes: some_text(random, 3) },
            _ => continue,
        };
        *operation = other;
    }
    batch
}

fn journal_of(path: &Path) -> Vec<u8> {
    let mut journal = path.to_owned().into_os_string();
    journal.push(".journal");
    std::fs::read(journal).unwrap_or_default()
}

/// A store's answers, or the operation that it refuses.
fn outcome_of(
    answers: Result<Vec<Result<Answer, zgram::error::EditError>>, TransactionError>,
) -> Result<Vec<Result<Answer, String>>, (usize, String)> {
    match answers {
        Ok(answers) => Ok(answers
            .into_iter()
            .map(|answer| answer.map_err(|error| error.to_string()))
            .collect()),
        Err(error) => Err((error.operation, error.source.to_string())),
    }
}

/// All documents with their texts.
fn texts(store: &Store) -> Vec<(Vec<u8>, Vec<u8>)> {
    let text = |number| store.extract(number, 0, usize::MAX).unwrap();
    let documents = store.documents().unwrap().into_iter();
    documents.map(|entry| (entry.name, text(entry.number))).collect()
}

/// A copy of a sample's file, with the same name in another folder.
fn copy(sample: &Sample, folder: &tempfile::TempDir) -> PathBuf {
    let path = folder.path().join(sample.path.file_name().unwrap());
    std::fs::copy(&sample.path, &path).unwrap();
    path
}

/// Runs batches one after the other on a store that the library reads, and on one that a device reads.
fn check<B: Backend>(
    sample: &Sample,
    backend: B,
    batches: &[Transaction],
    what: &str,
) -> (u64, u64) {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let [plain_path, read_path] = [copy(sample, &folders[0]), copy(sample, &folders[1])];
    let plain = Store::open_for_editing(&plain_path).unwrap();
    let read = Store::open_for_editing(&read_path).unwrap();
    let reader = GpuReader::new(backend, true);
    for (number, batch) in batches.iter().enumerate() {
        let expected = outcome_of(plain.run(batch));
        let answers = outcome_of(read.run_with(batch, &reader));
        if let (Ok(answers), Ok(expected)) = (&answers, &expected) {
            for (at, (answer, expected)) in answers.iter().zip(expected).enumerate() {
                let operation = &batch.operations[at];
                assert_eq!(answer, expected, "{what}: batch {number}, {at}: {operation:?}");
            }
        }
        assert_eq!(answers, expected, "{what}: batch {number}");
        assert_eq!(texts(&read), texts(&plain), "{what}: batch {number}");
    }
    assert_eq!(journal_of(&read_path), journal_of(&plain_path), "{what}");
    let report = reader.report();
    assert_eq!(report.failures, Vec::<String>::new(), "{what}");
    (report.answered, report.left)
}

#[test]
fn a_store_is_the_same_whoever_reads() {
    let mut random = Random::new(21);
    let documents = (0..12).map(|number| {
        let text = some_text(&mut random, 60).repeat(1 + number % 3);
        Document::new(format!("{number:05}"), text)
    });
    // Some documents span segments.
    let sample = Sample::new(documents.collect(), 2000);
    let batches: Vec<Transaction> = (0..3)
        .map(|_| Transaction { keep_going: true, ..any_batch(&mut random, &sample, 150) })
        .collect();
    for (name, backend) in backends() {
        let (answered, left) = check(&sample, backend, &batches, &name);
        assert!(answered > 50 && left > 50, "{name}: {answered} and {left}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(zgram_testkit::cases(40)))]
    #[test]
    fn stores_read_by_the_twins(seed in any::<u64>(), segment_size in prop_oneof![Just(300u64), Just(1 << 20)]) {
        let mut random = Random::new(seed);
        let documents = 1 + random.below(6);
        let texts = (0..documents)
            .map(|number| Document::new(format!("{number:05}"), some_text(&mut random, 40)));
        let sample = Sample::new(texts.collect(), segment_size);
        let batches: Vec<Transaction> =
            (0..1 + random.below(3)).map(|_| any_batch(&mut random, &sample, 60)).collect();
        check(&sample, Twins::default(), &batches, "twins");
    }
}

#[test]
fn a_batch_that_must_be_read_by_the_gpu_is_refused_before_anything_is_done() {
    let sample = Sample::new(vec![Document::new("a", "one two\nthree")], 1 << 20);
    let store = Store::open_for_editing(&sample.path).unwrap();
    let append = Operation::Append { document: b"a".to_vec(), bytes: b"!".to_vec() };
    let count = |words: &str| Operation::Count {
        document: Some(b"a".to_vec()),
        phrase: Phrase::new(words).unwrap(),
    };
    let reader = GpuReader::new(open(NAMES[0], DeviceOptions::default()), false);
    let phrase = Transaction {
        operations: vec![append.clone(), count("one two")],
        ..Transaction::default()
    };
    let error = store.run_with(&phrase, &reader).unwrap_err();
    assert_eq!(error.operation, 1);
    let why = std::error::Error::source(&error.source).unwrap().to_string();
    assert_eq!(why, "a phrase of several words cannot be done on the GPU");
    assert_eq!(texts(&store), [(b"a".to_vec(), b"one two\nthree".to_vec())]);
    // The store makes the edits that the device does not support, as long as no read depends on them.
    let delete = Operation::Delete { document: b"a".to_vec(), offset: 0, len: 4 };
    let operations = vec![append, count("two"), delete];
    let edits = Transaction { operations: operations.clone(), ..Transaction::default() };
    assert_eq!(store.run_with(&edits, &reader).unwrap().len(), 3);
    assert_eq!(texts(&store), [(b"a".to_vec(), b"two\nthree!".to_vec())]);
    let after = Transaction {
        operations: [operations, vec![count("two")]].concat(),
        ..Transaction::default()
    };
    assert_eq!(store.run_with(&after, &reader).unwrap_err().operation, 3);
    // A batch that does not fit is an error, or the library answers it.
    let tiny = || Twins::new(Limits { binding: 64, memory: 100 });
    let two = Transaction { operations: vec![count("two")], ..Transaction::default() };
    assert!(store.run_with(&two, &GpuReader::new(tiny(), false)).is_err());
    let falling_back = GpuReader::new(tiny(), true);
    let answers = outcome_of(store.run_with(&two, &falling_back));
    assert_eq!(answers, Ok(vec![Ok(Answer::Count(1))]));
    assert_eq!(falling_back.report().failures.len(), 1);
}
