//! Devices that fail at any submission: there is never a partial answer.

use crate::devices::{NAMES, open};
use crate::texts::books;
use std::error::Error;
use std::sync::atomic::{AtomicU64, Ordering};
use zgram::Corpus;
use zgram::analytics::{Query, Question, Traversal};
use zgram::format::GrammarKind;
use zgram_gpu::{
    Backend, Buffer, Counters, DeviceOptions, Engine, GpuError, Limits, Outcome, Recording, Twins,
};
use zgram_testkit::{corpus, logs};

/// Twins with one submission that fails.
struct Failing {
    twins: Twins,
    error: GpuError,
    at: u64,
    submitted: AtomicU64,
}

impl Failing {
    fn new(error: &GpuError, at: u64) -> Self {
        let submitted = AtomicU64::new(0);
        Self { twins: Twins::default(), error: error.clone(), at, submitted }
    }
}

impl Backend for Failing {
    fn limits(&self) -> Limits {
        self.twins.limits()
    }

    fn submit(&self, recording: Recording) -> Result<Outcome, GpuError> {
        if self.submitted.fetch_add(1, Ordering::Relaxed) == self.at {
            return Err(self.error.clone());
        }
        self.twins.submit(recording)
    }

    fn send(&self, uploads: Recording) -> Result<(), GpuError> {
        self.twins.send(uploads)
    }

    fn free(&self, buffers: &[Buffer]) {
        self.twins.free(buffers);
    }

    fn counters(&self) -> Counters {
        self.twins.counters()
    }
}

const WAYS: [Traversal; 2] = [Traversal::TopDownSingle, Traversal::BottomUp];

/// Errors of drivers.
fn errors() -> [GpuError; 3] {
    let reason = "the driver said so".to_owned();
    [
        GpuError::Lost { reason: reason.clone() },
        GpuError::Refused { kernel: "top_down_totals", reason: reason.clone() },
        GpuError::Invalid { reason },
    ]
}

/// Makes each submission fail in turn. Returns the number of submissions.
fn check<Q: Clone + Into<Question>>(query: impl Fn() -> Query<'static, Q>, way: Traversal) -> u64 {
    let expected = query().rows().unwrap();
    for at in 0.. {
        for error in errors() {
            let failing = Failing::new(&error, at);
            let engine: &'static _ = Box::leak(Box::new(Engine::new(failing).with_traversal(way)));
            let told = query().accelerator(engine, false).rows();
            if engine.backend().submitted.load(Ordering::Relaxed) <= at {
                assert_eq!(told.unwrap(), expected, "nothing has failed");
                return at;
            }
            let told = told.unwrap_err();
            assert_eq!(told.source().unwrap().to_string(), error.to_string(), "at {at}");

            let failing = Failing::new(&error, at);
            let engine: &'static _ = Box::leak(Box::new(Engine::new(failing).with_traversal(way)));
            let query = query().accelerator(engine, true);
            assert_eq!(query.rows().unwrap(), expected, "at {at}");
        }
    }
    unreachable!("runs have an end")
}

#[test]
fn a_failing_device_is_reported_or_replaced_by_the_cpu() {
    let documents = &logs()[..6];
    let corpus: &'static Corpus =
        Box::leak(Box::new(corpus(documents, GrammarKind::RePair, 1 << 30)));
    let (down, up) = (Traversal::TopDownSingle, Traversal::BottomUp);
    assert_eq!(check(|| corpus.word_count(), down), 1);
    assert_eq!(check(|| corpus.term_vector(), down), 2);
    assert_eq!(check(|| corpus.term_vector(), up), 1);
    assert_eq!(check(|| corpus.sequence_count(), down), 4);
    assert_eq!(check(|| corpus.ranked_inverted_index(), up), 3);
}

/// A segment's grammar is uploaded once, and nothing else is: no tokens that are not counted, and word
/// numbers instead of tokens. Books have a document that is cut in pieces.
#[test]
fn no_more_than_the_grammar_goes_to_the_device() {
    let options = DeviceOptions { shared_memory: false, ..DeviceOptions::default() };
    let devices = NAMES.map(|name| open(name, options));
    for (what, documents) in [("logs", logs()), ("books", books(60_000))] {
        let corpus = corpus(&documents, GrammarKind::RePair, 1 << 30);
        let grammar = corpus.segment(0).unwrap();
        let words =
            [grammar.symbols().len(), grammar.rule_starts().len(), grammar.doc_starts().len()];
        let most = 4 * words.iter().sum::<usize>() as u64;
        for (device, way) in devices.iter().flat_map(|device| WAYS.map(|way| (device, way))) {
            let engine = Engine::new(device).with_traversal(way);
            let asked = |task: &str, ask: &dyn Fn()| {
                let before = device.counters().bytes_up;
                ask();
                let up = device.counters().bytes_up - before;
                assert!(up > 0 && up <= most, "{what}, {task}, {way}: {up} of {most}");
            };
            asked("words", &|| drop(corpus.sort().accelerator(&engine, false).rows().unwrap()));
            asked("words of documents", &|| {
                drop(corpus.term_vector().accelerator(&engine, false).rows().unwrap());
            });
            asked("sequences", &|| {
                drop(corpus.sequence_count().accelerator(&engine, false).rows().unwrap());
            });
        }
    }
}

/// Where the host and the device share memory, nothing is copied to the device.
#[test]
fn nothing_is_copied_where_memory_is_shared() {
    let corpus = corpus(&logs(), GrammarKind::RePair, 1 << 30);
    for (name, traversal) in NAMES.iter().flat_map(|name| WAYS.map(|traversal| (name, traversal))) {
        let device = open(name, DeviceOptions::default());
        assert!(device.shares_memory(), "{name}");
        let engine = Engine::new(device).with_traversal(traversal);
        corpus.term_vector().accelerator(&engine, false).rows().unwrap();
        corpus.ranked_inverted_index().accelerator(&engine, false).rows().unwrap();
        let Counters { bytes_up, bytes_down, bytes_shared, .. } = engine.stats().counters;
        assert_eq!((bytes_up, bytes_down), (0, 0), "{name}");
        assert!(bytes_shared > 0, "{name}");
    }
}
