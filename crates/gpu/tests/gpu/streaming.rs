//! Segments streamed one by one: the next one is sent to the device while one is counted.

use crate::devices::{NAMES, devices, open};
use std::sync::{Condvar, Mutex};
use std::time::Duration;
use zgram::Corpus;
use zgram::analytics::Traversal;
use zgram::format::GrammarKind;
use zgram_gpu::{
    Backend, Buffer, Counters, DeviceOptions, Engine, GpuError, Limits, Outcome, Recording, Stats,
    Twins,
};
use zgram_testkit::{Document, Random, corpus};

/// A call to a backend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    Sent,
    Began,
    Ended,
}

/// A backend whose first submission lasts until something is sent.
struct Watching<B> {
    backend: B,
    events: Mutex<Vec<Event>>,
    changed: Condvar,
}

/// Twins with this many words of memory.
fn twins(memory: usize) -> Twins {
    Twins::new(Limits { binding: 1 << 28, memory })
}

impl<B: Backend> Watching<B> {
    fn new(backend: B) -> Self {
        Self { backend, events: Mutex::default(), changed: Condvar::new() }
    }

    fn note(&self, event: Event) {
        self.events.lock().unwrap().push(event);
        self.changed.notify_all();
    }
}

impl<B: Backend> Backend for Watching<B> {
    fn limits(&self) -> Limits {
        self.backend.limits()
    }

    fn submit(&self, recording: Recording) -> Result<Outcome, GpuError> {
        self.note(Event::Began);
        // An engine that sends only after the submission has ended would wait forever.
        let events = self.events.lock().unwrap();
        let is_first_alone =
            |events: &mut Vec<Event>| events.iter().all(|event| *event == Event::Began);
        let most = Duration::from_secs(30);
        drop(self.changed.wait_timeout_while(events, most, is_first_alone).unwrap());
        let outcome = self.backend.submit(recording);
        self.note(Event::Ended);
        outcome
    }

    fn send(&self, uploads: Recording) -> Result<(), GpuError> {
        let sent = self.backend.send(uploads);
        self.note(Event::Sent);
        sent
    }

    fn free(&self, buffers: &[Buffer]) {
        self.backend.free(buffers);
    }

    fn counters(&self) -> Counters {
        self.backend.counters()
    }
}

/// Four segments of repetitive texts: their grammars are small, but their tables of words are not.
fn segments() -> Corpus {
    let mut random = Random::new(11);
    let lines: Vec<String> = (0..30)
        .map(|_| (0..40).map(|_| format!("w{} ", random.below(900))).collect::<String>())
        .collect();
    let mut text = || -> String {
        (0..60).map(|_| lines[random.below(lines.len())].as_str()).collect::<Vec<_>>().concat()
    };
    let documents: Vec<Document> =
        (0..24).map(|number| Document::new(format!("{number:02}"), text())).collect();
    let size: usize = documents.iter().map(|document| document.text.len()).sum();
    let corpus = corpus(&documents, GrammarKind::RePair, size as u64 / 4);
    assert!(corpus.facts().segments.len() >= 3);
    corpus
}

/// Counts with one thread, one segment after the other. Returns the statistics; the peak is the memory
/// that this takes.
fn one_by_one<B: Backend>(corpus: &Corpus, backend: B, way: Traversal) -> Stats {
    let engine = Engine::new(backend).with_traversal(way);
    let query = corpus.term_vector().threads(1).accelerator(&engine, false);
    assert_eq!(query.rows().unwrap(), corpus.term_vector().rows().unwrap());
    assert_eq!(engine.stats().ahead, 0);
    engine.stats()
}

/// Counts with two threads, on a new backend each time.
fn check_sending<B: Backend>(what: &str, make: impl Fn() -> B) {
    let corpus = segments();
    for way in [Traversal::TopDownSingle, Traversal::BottomUp] {
        let engine = Engine::new(Watching::new(make())).with_traversal(way);
        let query = corpus.term_vector().threads(2).accelerator(&engine, false);
        assert_eq!(query.rows().unwrap(), corpus.term_vector().rows().unwrap());
        let events = engine.backend().events.lock().unwrap().clone();
        // It may have been sent before the first submission began, depending on the threads.
        let first_end = events.iter().position(|event| *event == Event::Ended).unwrap();
        assert!(events[..first_end].contains(&Event::Sent), "{what}, {way}: {events:?}");
        let (stats, alone) = (engine.stats(), one_by_one(&corpus, make(), way));
        assert!(stats.ahead >= 1, "{what}, {way}: {stats:?}");
        // Each grammar was uploaded once, and nothing was done twice.
        assert!(stats.counters.bytes_up > 0, "{what}, {way}");
        assert_eq!(stats.counters.bytes_up, alone.counters.bytes_up, "{what}, {way}");
        assert_eq!(stats.counters.submissions, alone.counters.submissions, "{what}, {way}");
    }
}

#[test]
fn the_next_segment_is_sent_while_one_is_counted() {
    check_sending("twins", || twins(1 << 28));
    for name in NAMES {
        let options = DeviceOptions { shared_memory: false, ..DeviceOptions::default() };
        check_sending(name, || open(name, options));
    }
}

/// Nothing delays a submission here: the device accepts uploads while it counts. The second thread is
/// likely, but not certain, to be in time, so it has some tries.
#[test]
fn devices_take_segments_while_they_count() {
    let corpus = segments();
    let expected = corpus.ranked_inverted_index().rows().unwrap();
    for device in devices() {
        let engine = Engine::new(device);
        for _ in 0..20 {
            let query = corpus.ranked_inverted_index().threads(2).accelerator(&engine, false);
            assert!(query.rows().unwrap() == expected, "{}", device.adapter().name);
            if engine.stats().ahead > 0 {
                break;
            }
        }
        assert!(engine.stats().ahead > 0, "{}", device.adapter().name);
    }
}

/// With just enough memory for one segment, the segment that was sent ahead is freed.
#[test]
fn what_was_sent_ahead_gives_way() {
    let corpus = segments();
    for way in [Traversal::TopDownSingle, Traversal::BottomUp] {
        let most = one_by_one(&corpus, Twins::default(), way).counters.peak_bytes;
        let engine = Engine::new(Watching::new(twins(most as usize / 4))).with_traversal(way);
        let query = corpus.term_vector().threads(2).accelerator(&engine, false);
        assert_eq!(query.rows().unwrap(), corpus.term_vector().rows().unwrap());
        let stats = engine.stats();
        assert!(engine.backend().events.lock().unwrap().contains(&Event::Sent), "{way}");
        assert!(stats.counters.peak_bytes <= most, "{way}: {stats:?}");
        assert_eq!(stats.splits, 0, "{way}: {stats:?}");
    }
}
