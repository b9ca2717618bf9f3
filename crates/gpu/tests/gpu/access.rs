//! Random access: the device and the library give the same answers.

use crate::devices::{NAMES, backends, open};
use proptest::prelude::*;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use tempfile::TempDir;
use zgram::Corpus;
use zgram::access::{Match, Phrase};
use zgram::format::{GrammarKind, Layer, Level};
use zgram::plumbing::words_of;
use zgram::store::{Answer, OffsetBase, Operation, Store, Transaction};
use zgram_gpu::access::{AccessError, RandomAccess};
use zgram_gpu::{Backend, DeviceOptions, GpuError, Limits, Twins};
use zgram_testkit::{Document, Feed, Random, compress, options};

/// Words that split and join each other when they are put together, scripts with and without spaces, and
/// bytes that are not text.
const PARTS: [&[u8]; 16] = [
    b"a",
    b"ab",
    b"the",
    b"cat",
    b" ",
    b" ",
    b"  ",
    b"\n",
    b", ",
    b"don't",
    b"caf\xc3\xa9",
    b"\xe7\x8c\xab",
    b"\xff",
    b"x1",
    b"-",
    b"the cat sat on the mat. ",
];

pub(crate) fn some_text(random: &mut Random, parts: usize) -> Vec<u8> {
    let parts = random.below(parts + 1);
    (0..parts).flat_map(|_| PARTS[random.below(PARTS.len())].iter().copied()).collect()
}

/// A corpus file in its own folder.
pub(crate) struct Sample {
    _folder: TempDir,
    pub(crate) path: PathBuf,
    pub(crate) documents: Vec<Document>,
}

impl Sample {
    pub(crate) fn new(documents: Vec<Document>, segment_size: u64) -> Self {
        let mut options = options(Level::Fast, GrammarKind::RePair, Layer::Zstd);
        options.segment_size = segment_size;
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("c.zgram");
        std::fs::write(&path, compress(&documents, Feed::Tar, &options).unwrap()).unwrap();
        Self { _folder: folder, path, documents }
    }

    /// Documents of random words, some of them several times.
    fn random(random: &mut Random, documents: usize, parts: usize) -> Self {
        let documents = (0..documents)
            .map(|number| {
                let text = some_text(random, parts);
                let times = 1 + random.below(3);
                Document::new(format!("{number:05}"), text.repeat(times))
            })
            .collect();
        Self::new(documents, 1 << 20)
    }

    fn corpus(&self) -> Arc<Corpus> {
        Arc::new(Corpus::open(&self.path).unwrap())
    }

    /// The library's answers. Its edits are discarded.
    fn expected(&self, batch: &Transaction) -> Result<Vec<Result<Answer, String>>, String> {
        let store = Store::open_for_editing(&self.path).unwrap();
        let answers = store.run(batch);
        drop(store);
        let mut journal = self.path.clone().into_os_string();
        journal.push(".journal");
        let _ = std::fs::remove_file(journal);
        outcome_of(answers.map_err(|error| error.to_string()))
    }

    /// Checks answers against texts that are edited and read in the simplest way.
    fn check_plainly(&self, answers: &[Result<Answer, String>], batch: &Transaction, what: &str) {
        let mut texts: HashMap<&[u8], Vec<u8>> = HashMap::new();
        for document in &self.documents {
            texts.insert(&document.name, document.text.clone());
        }
        for (operation, answer) in batch.operations.iter().zip(answers) {
            let Ok(answer) = answer else { continue };
            let words = |document: &Option<Vec<u8>>, phrase: &Phrase| -> (Vec<u8>, Vec<Match>) {
                let document = document.clone().unwrap();
                let word = phrase.words().next().unwrap();
                let len = word.len();
                let all = words_of(&texts[&document[..]], true).into_iter();
                let same = all.filter(|(_, found)| *found == word);
                let found = same.map(|(offset, _)| Match { offset: offset as u64, len }).collect();
                (document, found)
            };
            let expected = match operation {
                Operation::Extract { document, offset, len } => {
                    let from = texts[&document[..]].iter().skip(*offset as usize);
                    Answer::Bytes(from.take(*len).copied().collect())
                }
                Operation::Search { document, phrase } => {
                    let found = words(document, phrase);
                    Answer::Matches(if found.1.is_empty() { vec![] } else { vec![found] })
                }
                Operation::Count { document, phrase } => {
                    Answer::Count(words(document, phrase).1.len() as u64)
                }
                Operation::Insert { document, offset, bytes } => {
                    let at = *offset as usize;
                    texts.get_mut(&document[..]).unwrap().splice(at..at, bytes.iter().copied());
                    Answer::Done
                }
                Operation::Append { document, bytes } => {
                    texts.get_mut(&document[..]).unwrap().extend(bytes);
                    Answer::Done
                }
                other => panic!("{other:?} is not asked for here"),
            };
            assert_eq!(*answer, expected, "{what}: {operation:?}");
        }
    }

    /// Checks a batch on a backend.
    fn check<B: Backend>(&self, access: &RandomAccess<B>, batch: &Transaction, what: &str) {
        let answers = access.answer(batch).map_err(|error| match error {
            AccessError::Batch(error) => error.to_string(),
            other => panic!("{what}: {other}"),
        });
        let (answers, expected) = (outcome_of(answers), self.expected(batch));
        if let (Ok(answers), OffsetBase::InSequence) = (&answers, batch.offsets) {
            self.check_plainly(answers, batch, what);
        }
        if let (Ok(answers), Ok(expected)) = (&answers, &expected) {
            assert_eq!(answers.len(), expected.len());
            for (at, (answer, expected)) in answers.iter().zip(expected).enumerate() {
                assert_eq!(answer, expected, "{what}: operation {at}, {:?}", batch.operations[at]);
            }
        }
        assert_eq!(answers, expected, "{what}");
    }
}

fn outcome_of(
    answers: Result<Vec<Result<Answer, zgram::error::EditError>>, String>,
) -> Result<Vec<Result<Answer, String>>, String> {
    let tell =
        |answer: Result<Answer, zgram::error::EditError>| answer.map_err(|error| error.to_string());
    answers.map(|answers| answers.into_iter().map(tell).collect())
}

/// Operations, some of them edits and a few of them invalid.
pub(crate) fn some_batch(
    random: &mut Random,
    sample: &Sample,
    count: usize,
    edits: bool,
) -> Transaction {
    let mut sizes: Vec<usize> =
        sample.documents.iter().map(|document| document.text.len()).collect();
    let words: [&[u8]; 8] =
        [b"the", b"cat", b"a", b"ab", b"caf\xc3\xa9", b"\xe7\x8c\xab", b"x1", b"nowhere"];
    let meaning = if random.below(2) == 0 { OffsetBase::InSequence } else { OffsetBase::InBatch };
    let operations = (0..count)
        .map(|_| {
            let number = random.below(sample.documents.len());
            let document = match random.below(200) {
                0 => b"none".to_vec(),
                _ => sample.documents[number].name.clone(),
            };
            let most = match meaning {
                OffsetBase::InSequence => sizes[number],
                OffsetBase::InBatch => sample.documents[number].text.len(),
            };
            let past = usize::from(random.below(100) == 0);
            let phrase = Phrase::new(words[random.below(words.len())]).unwrap();
            match random.below(if edits { 5 } else { 3 }) {
                0 => {
                    let offset = random.below(sizes[number] + 1) + past;
                    let len = random.below(200);
                    Operation::Extract { document, offset: offset as u64, len }
                }
                1 => Operation::Search { document: Some(document), phrase },
                2 => Operation::Count { document: Some(document), phrase },
                kind => {
                    let bytes = some_text(random, 6);
                    let offset = (random.below(most + 1) + past) as u64;
                    if past == 0 && document != b"none" {
                        sizes[number] += bytes.len();
                    }
                    match kind {
                        3 => Operation::Insert { document, offset, bytes },
                        _ => Operation::Append { document, bytes },
                    }
                }
            }
        })
        .collect();
    Transaction { operations, offsets: meaning, keep_going: random.below(8) > 0 }
}

#[test]
fn reads_are_as_the_library_has_them() {
    let mut random = Random::new(11);
    let sample = Sample::random(&mut random, 40, 60);
    let batch = some_batch(&mut random, &sample, 600, false);
    let batch = Transaction { keep_going: true, ..batch };
    for (name, backend) in backends() {
        let access = RandomAccess::new(backend, sample.corpus());
        access.prepare().unwrap();
        sample.check(&access, &batch, &name);
        assert_eq!(access.stats().submissions, 1, "{name}");
    }
}

#[test]
fn each_read_sees_the_edits_before_it() {
    let mut random = Random::new(12);
    for round in 0..6 {
        let sample = Sample::random(&mut random, 1 + 3 * round, 40);
        let batch = some_batch(&mut random, &sample, 200, true);
        for (name, backend) in backends() {
            let access = RandomAccess::new(backend, sample.corpus());
            sample.check(&access, &batch, &format!("{name}, round {round}"));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(zgram_testkit::cases(60)))]
    #[test]
    fn batches_on_the_twins(seed in any::<u64>(), segment_size in prop_oneof![Just(400u64), Just(1 << 20)]) {
        let mut random = Random::new(seed);
        let documents = 1 + random.below(6);
        let texts = (0..documents)
            .map(|number| Document::new(format!("{number}"), some_text(&mut random, 30)))
            .collect();
        let sample = Sample::new(texts, segment_size);
        let batch = some_batch(&mut random, &sample, 80, true);
        let access = RandomAccess::new(Twins::default(), sample.corpus());
        // Only the library answers for a document that spans segments.
        let corpus = sample.corpus();
        if (0..documents).all(|document| corpus.pieces(document).unwrap().count() == 1) {
            sample.check(&access, &batch, "twins");
        }
    }
}

#[test]
fn a_hundred_thousand_operations_are_one_submission() {
    let mut random = Random::new(13);
    let sample = Sample::random(&mut random, 200, 60);
    let batch = some_batch(&mut random, &sample, 100_000, false);
    let batch = Transaction { keep_going: true, ..batch };
    let device = open(NAMES[0], DeviceOptions::default());
    let access = RandomAccess::new(device, sample.corpus());
    access.prepare().unwrap();
    sample.check(&access, &batch, NAMES[0]);
    let stats = access.stats();
    // Another one if there are more matches than fit the buffer.
    assert_eq!(stats.submissions, 1 + stats.reruns);
    assert!(stats.reruns <= 1);
}

#[test]
fn hundreds_of_insertions_in_one_document() {
    let mut random = Random::new(14);
    let sample = Sample::random(&mut random, 1, 200);
    for meaning in [OffsetBase::InSequence, OffsetBase::InBatch] {
        let batch = some_batch(&mut random, &sample, 1_500, true);
        // An offset within the text before the batch stays valid.
        let most = sample.documents[0].text.len() as u64;
        let within = batch.operations.into_iter().map(|operation| match operation {
            Operation::Insert { document, offset, bytes } => {
                Operation::Insert { document, offset: offset.min(most), bytes }
            }
            other => other,
        });
        let batch =
            Transaction { operations: within.collect(), offsets: meaning, keep_going: true };
        for (name, backend) in backends() {
            let access = RandomAccess::new(backend, sample.corpus());
            sample.check(&access, &batch, &format!("{name}, {meaning:?}"));
        }
    }
}

/// The host splits the text around insertions into words, so it must see that text first. If offsets are
/// relative to the text before the batch, it must also know where to look.
#[test]
fn mixed_batches_are_two_submissions_or_three() {
    let mut random = Random::new(19);
    let sample = Sample::random(&mut random, 10, 60);
    let batch = some_batch(&mut random, &sample, 500, true);
    for (meaning, submissions) in [(OffsetBase::InSequence, 2), (OffsetBase::InBatch, 3)] {
        let batch = Transaction { offsets: meaning, keep_going: true, ..batch.clone() };
        for (name, backend) in backends() {
            let access = RandomAccess::new(backend, sample.corpus());
            access.prepare().unwrap();
            sample.check(&access, &batch, &name);
            assert_eq!(access.stats().submissions, submissions, "{name}, {meaning:?}");
        }
    }
}

#[test]
fn edits_and_extracts_are_one_submission() {
    let mut random = Random::new(15);
    let sample = Sample::random(&mut random, 10, 60);
    let mut batch = some_batch(&mut random, &sample, 500, true);
    batch.operations.retain(|operation| {
        !matches!(operation, Operation::Search { .. } | Operation::Count { .. })
    });
    for meaning in [OffsetBase::InSequence, OffsetBase::InBatch] {
        let batch = Transaction { offsets: meaning, keep_going: true, ..batch.clone() };
        for (name, backend) in backends() {
            let access = RandomAccess::new(backend, sample.corpus());
            access.prepare().unwrap();
            sample.check(&access, &batch, &name);
            assert_eq!(access.stats().submissions, 1, "{name}, {meaning:?}");
        }
    }
}

/// The work of an extract does not grow with the corpus: with twenty times the documents, the same
/// stretches take at most the few more steps of a deeper grammar.
#[test]
fn extracting_takes_the_same_work_in_a_large_corpus() {
    let mut random = Random::new(16);
    let all = Sample::random(&mut random, 400, 120).documents;
    let steps: Vec<f64> = [20, 400]
        .into_iter()
        .map(|count| {
            let sample = Sample::new(all[..count].to_vec(), 1 << 20);
            let operations = (0..2000).map(|_| {
                let document = &all[random.below(20)];
                let offset = random.below(document.text.len() + 1) as u64;
                Operation::Extract { document: document.name.clone(), offset, len: 64 }
            });
            let batch = Transaction { operations: operations.collect(), ..Transaction::default() };
            let access =
                RandomAccess::new(open(NAMES[0], DeviceOptions::default()), sample.corpus());
            sample.check(&access, &batch, NAMES[0]);
            let stats = access.stats();
            stats.extract_steps as f64 / stats.extract_units as f64
        })
        .collect();
    assert!(steps[0] > 64.0, "every byte is a step: {steps:?}");
    assert!(steps[1] < 1.5 * steps[0], "{steps:?}");
}

#[test]
fn small_limits_make_more_submissions() {
    let mut random = Random::new(17);
    let sample = Sample::random(&mut random, 6, 30);
    let mut batch = some_batch(&mut random, &sample, 300, true);
    batch.operations.extend(some_batch(&mut random, &sample, 900, false).operations);
    let batch = Transaction { keep_going: true, ..batch };
    let limits = Limits { binding: 1 << 13, memory: 1 << 17 };
    let submissions = [Limits { binding: 1 << 20, memory: 1 << 24 }, limits].map(|limits| {
        let twins = RandomAccess::new(Twins::new(limits), sample.corpus());
        sample.check(&twins, &batch, &format!("{limits:?}"));
        twins.stats().submissions
    });
    assert!(submissions[0] <= 3 && submissions[1] > submissions[0] + 1, "{submissions:?}");
    for name in NAMES {
        let options = DeviceOptions {
            binding: Some(4 * limits.binding as u64),
            memory: Some(4 * limits.memory as u64),
            ..DeviceOptions::default()
        };
        let access = RandomAccess::new(open(name, options), sample.corpus());
        sample.check(&access, &batch, name);
    }
    let tiny = Twins::new(Limits { binding: 64, memory: 1 << 10 });
    let error = RandomAccess::new(tiny, sample.corpus()).answer(&batch).unwrap_err();
    assert!(matches!(error, AccessError::Gpu(GpuError::OutOfMemory { .. })), "{error}");
}

#[test]
fn more_matches_than_expected_are_found_in_a_second_run() {
    let text = b"cat dog ".repeat(5000);
    let sample = Sample::new(vec![Document::new("a", text)], 1 << 20);
    let operations = ["cat", "dog", "cow"].map(|word| Operation::Search {
        document: Some(b"a".to_vec()),
        phrase: Phrase::new(word).unwrap(),
    });
    let batch = Transaction { operations: operations.into(), ..Transaction::default() };
    for (name, backend) in backends() {
        let access = RandomAccess::new(backend, sample.corpus());
        sample.check(&access, &batch, &name);
        assert_eq!((access.stats().reruns, access.stats().matches), (1, 10_000), "{name}");
    }
}

#[test]
fn matches_that_do_not_fit_are_found_in_halves() {
    let text = b"cat dog ".repeat(1500);
    let sample = Sample::new(vec![Document::new("a", text)], 1 << 20);
    let search = |word: &str| Operation::Search {
        document: Some(b"a".to_vec()),
        phrase: Phrase::new(word).unwrap(),
    };
    let limits = Limits { binding: 1 << 13, memory: 1 << 17 };
    let operations = ["cat", "dog", "cow", "dog"].map(search);
    let batch = Transaction { operations: operations.into(), ..Transaction::default() };
    let access = RandomAccess::new(Twins::new(limits), sample.corpus());
    sample.check(&access, &batch, "twins");
    assert!(access.stats().reruns > 1);
    // A read that does not fit alone is an error.
    let limits = Limits { binding: 1 << 12, ..limits };
    let access = RandomAccess::new(Twins::new(limits), sample.corpus());
    let batch = Transaction { operations: vec![search("cat")], ..Transaction::default() };
    let error = access.answer(&batch).unwrap_err();
    assert!(matches!(error, AccessError::Gpu(GpuError::TooMany { .. })), "{error}");
}

#[test]
fn unsupported_operations_are_reported() {
    let sample = Sample::new(vec![Document::new("a", "one two")], 1 << 20);
    let access = RandomAccess::new(Twins::default(), sample.corpus());
    let document = || b"a".to_vec();
    let phrase = |words: &str| Phrase::new(words).unwrap();
    for operation in [
        Operation::Lines { document: document(), from: 1, to: 2 },
        Operation::Search { document: None, phrase: phrase("one") },
        Operation::Count { document: Some(document()), phrase: phrase("one two") },
        Operation::Delete { document: document(), offset: 0, len: 1 },
        Operation::Remove { document: document() },
    ] {
        let batch = Transaction { operations: vec![operation], ..Transaction::default() };
        let error = access.answer(&batch).unwrap_err();
        assert!(matches!(error, AccessError::Gpu(GpuError::Unsupported { .. })), "{error}");
    }
    // A document that spans segments.
    let sample = Sample::new(vec![Document::new("a", b"one two ".repeat(100))], 60);
    let access = RandomAccess::new(Twins::default(), sample.corpus());
    let append = Operation::Append { document: document(), bytes: b"x".to_vec() };
    let batch = Transaction { operations: vec![append], ..Transaction::default() };
    let error = access.answer(&batch).unwrap_err();
    assert!(matches!(error, AccessError::Gpu(GpuError::Unsupported { .. })), "{error}");
}

#[test]
fn documents_in_several_segments_are_read() {
    let mut random = Random::new(18);
    let texts = (0..4).map(|number| {
        let text: Vec<u8> = (0..20).flat_map(|_| some_text(&mut random, 30)).collect();
        Document::new(format!("{number}"), text)
    });
    let sample = Sample::new(texts.collect(), 400);
    let corpus = sample.corpus();
    assert!((0..4).any(|document| corpus.pieces(document).unwrap().count() > 2));
    let batch = some_batch(&mut random, &sample, 400, false);
    let batch = Transaction { keep_going: true, ..batch };
    for (name, backend) in backends() {
        let access = RandomAccess::new(backend, sample.corpus());
        sample.check(&access, &batch, &name);
    }
}
