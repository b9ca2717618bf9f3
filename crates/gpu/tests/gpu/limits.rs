//! Devices with little memory, small bindings and full tables.

use crate::devices::{NAMES, open};
use crate::grammars::{answer, expected, job, long, wide};
use crate::texts::books;
use std::ops::Range;
use zgram::Corpus;
use zgram::analytics::{Choice, Traversal};
use zgram::format::GrammarKind;
use zgram::plumbing::Grammar;
use zgram::plumbing::Job;
use zgram_gpu::kernels::mix;
use zgram_gpu::{Backend, DeviceOptions, Engine, GpuError, Limits, Stats, Twins};
use zgram_testkit::oracle::{self, Question, Task};
use zgram_testkit::{Document, Random, Way, ask, corpus};

/// The twins and both devices, with these limits in bytes.
fn limited(binding: u64, memory: u64) -> Vec<(String, Box<dyn Backend>)> {
    let words = |bytes: u64| usize::try_from(bytes / 4).unwrap_or(usize::MAX);
    let twins = Twins::new(Limits { binding: words(binding), memory: words(memory) });
    let options =
        DeviceOptions { binding: Some(binding), memory: Some(memory), ..DeviceOptions::default() };
    let device = |name: &str| -> (String, Box<dyn Backend>) {
        (name.to_owned(), Box::new(open(name, options)))
    };
    let mut backends: Vec<(String, Box<dyn Backend>)> = vec![("twins".to_owned(), Box::new(twins))];
    backends.extend(NAMES.map(device));
    backends
}

/// Counts with a small binding, and passes the statistics to `judge`.
fn check(grammar: &Grammar, binding: u64, n: usize, by_document: bool, judge: impl Fn(Stats)) {
    let documents: Vec<usize> = (0..grammar.doc_count()).collect();
    for (name, backend) in limited(binding, u64::MAX) {
        let engine = Engine::new(&*backend);
        let job = job(grammar, &documents, n, by_document);
        let counted = engine.count_job(&job).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(answer(&counted, n), expected(&job), "{name}");
        judge(engine.stats());
    }
}

#[test]
fn symbols_beyond_a_binding_are_seen_through_windows() {
    // 35,000 symbols of five bits take 22 kB.
    check(&long(20_000), 2400, 1, false, |stats| {
        assert_eq!((stats.splits, stats.counters.submissions), (0, 1));
        assert!(stats.counters.dispatches > 10, "{stats:?}");
    });
}

#[test]
fn tables_beyond_a_binding_are_made_for_half_of_the_documents() {
    check(&wide(500, 40), 16 << 10, 1, true, |stats| assert!(stats.splits > 0, "{stats:?}"));
    check(&wide(500, 40), 48 << 10, 3, true, |stats| assert!(stats.splits > 0, "{stats:?}"));
    check(&wide(500, 40), 48 << 10, 3, false, |stats| assert!(stats.splits > 0, "{stats:?}"));
}

#[test]
fn a_document_that_does_not_fit_is_an_error() {
    for (name, backend) in limited(4096, u64::MAX) {
        let grammar = wide(5000, 1);
        let error = Engine::new(&*backend).count_job(&job(&grammar, &[0], 1, false)).unwrap_err();
        assert!(matches!(error, GpuError::OutOfMemory { .. }), "{name}: {error}");
    }
}

/// Rules cannot be divided: a query that may fall back does, and any other fails.
#[test]
fn rules_beyond_a_binding_are_counted_by_the_cpu() {
    let text = |number: usize| -> Vec<u8> {
        let word = |at: usize| format!("w{} ", at * (number % 5 + 1) % 400).into_bytes();
        (0..600).flat_map(word).collect()
    };
    let documents: Vec<Document> =
        (0..12).map(|number| Document::new(format!("{number:02}"), text(number))).collect();
    let corpus = corpus(&documents, GrammarKind::RePair, 1 << 20);
    let expected = corpus.term_vector().rows().unwrap();
    for binding in [64, 512, 1600] {
        for (name, backend) in limited(binding, u64::MAX) {
            let engine = Engine::new(&*backend);
            let error = corpus.term_vector().accelerator(&engine, false).rows().unwrap_err();
            let why = std::error::Error::source(&error).unwrap().to_string();
            assert!(why.contains("bytes are needed on the device"), "{name}: {why}");
            let query = corpus.term_vector().accelerator(&engine, true);
            assert_eq!(query.rows().unwrap(), expected, "{name}, {binding}");
            let report = query.for_each_batch(|_| (), |()| Ok(())).unwrap();
            assert!(!report.failures.is_empty(), "{name}, {binding}");
        }
    }
}

/// A corpus of many segments, the number of its documents, and a tenth of its size.
fn ten_times_larger(count: usize) -> (Corpus, Vec<Document>, u64) {
    let mut random = Random::new(7);
    let mut text = || -> Vec<u8> {
        let word = |number: usize| format!("w{number} ").into_bytes();
        (0..75).flat_map(|_| word(random.below(300))).collect()
    };
    let documents: Vec<Document> =
        (0..count).map(|number| Document::new(format!("{number:04}"), text())).collect();
    let size: usize = documents.iter().map(|document| document.text.len()).sum();
    let budget = size as u64 / 10;
    let corpus = corpus(&documents, GrammarKind::RePair, budget / 10);
    assert!(corpus.facts().segments.len() >= 10);
    (corpus, documents, budget)
}

#[test]
fn a_corpus_ten_times_larger_than_the_memory() {
    let (corpus, documents, budget) = ten_times_larger(1200);
    let (down, up) = (Traversal::TopDownSingle, Traversal::Stream);
    for (task, n, traversal) in [
        (Task::WordCount, 1, down),
        (Task::InvertedIndex, 1, down),
        (Task::TermVector, 1, up),
        (Task::RankedInvertedIndex, 2, down),
        (Task::SequenceCount, 2, up),
    ] {
        let question = Question { n, ..Question::new(task) };
        let expected = oracle::answer(&documents, &question);
        for (name, backend) in limited(u64::MAX, budget) {
            let engine = Engine::new(&*backend).with_traversal(traversal);
            let accelerator = Some(&engine as _);
            let way = Way { choice: Choice::Auto, threads: 2, memory: 1 << 30, accelerator };
            assert_eq!(ask(&corpus, &question, way), expected, "{name}: {task:?}");
            let peak = engine.stats().counters.peak_bytes;
            assert!(peak > 0 && peak <= budget, "{name}: {peak} of {budget}");
        }
    }
}

/// With little memory on the host too, results that are merged from all segments are counted in several
/// passes, each for a range of first words, where gtadoc-embedded (Fig. 12) has one file per hash value.
/// Sequences of the corpus are merged from sorted runs on disk.
#[test]
fn little_memory_on_the_device_and_on_the_host() {
    let (corpus, documents, budget) = ten_times_larger(500);
    let segments = corpus.facts().segments.len() as u64;
    let questions = Task::ALL.map(|task| (Question { n: 2, ..Question::new(task) }, task));
    let of_corpus = Question { n: 2, corpus: true, ..Question::new(Task::SequenceCount) };
    for (question, task) in questions.into_iter().chain([(of_corpus, Task::SequenceCount)]) {
        let expected = oracle::answer(&documents, &question);
        let is_merged =
            question.corpus || matches!(task, Task::InvertedIndex | Task::RankedInvertedIndex);
        for (name, backend) in limited(u64::MAX, budget) {
            let engine = Engine::new(&*backend);
            let accelerator = Some(&engine as _);
            let way = Way { choice: Choice::Auto, threads: 2, memory: 1 << 19, accelerator };
            assert!(ask(&corpus, &question, way) == expected, "{name}: {question:?}");
            let stats = engine.stats();
            let peak = stats.counters.peak_bytes;
            assert!(peak > 0 && peak <= budget, "{name}: {peak} of {budget}");
            // Segments are counted once, or several times.
            let passes = stats.jobs / segments;
            assert_eq!(passes > 1, is_merged, "{name}: {question:?}: {passes} passes");
        }
    }
}

/// If the tables of words do not fit, the engine counts top-down, with the grammar that is on the device.
#[test]
fn tables_that_do_not_fit_send_nothing_twice() {
    let corpus = corpus(&books(20_000), GrammarKind::RePair, 1 << 30);
    let expected = corpus.term_vector().rows().unwrap();
    let count = |traversal: Traversal, memory: usize| {
        let twins = Twins::new(Limits { binding: 1 << 28, memory });
        let engine = Engine::new(twins).with_traversal(traversal);
        assert_eq!(corpus.term_vector().accelerator(&engine, false).rows().unwrap(), expected);
        engine.stats()
    };
    let [up, down] =
        [Traversal::BottomUp, Traversal::TopDownSingle].map(|way| count(way, 1 << 28).counters);
    assert!(up.peak_bytes > down.peak_bytes, "{up:?} {down:?}");
    let stats = count(Traversal::BottomUp, (up.peak_bytes + down.peak_bytes) as usize / 8);
    assert!(stats.counters.peak_bytes < up.peak_bytes, "{stats:?}");
    assert_eq!(stats.splits, 0, "{stats:?}");
    assert!(stats.counters.bytes_up < up.bytes_up * 5 / 4, "{stats:?} {up:?}");
}

#[test]
fn full_tables_are_made_larger() {
    // A thousand words, of which nearly all want the same few slots of a table for a thousand.
    let size = 1501;
    let words: Vec<u32> = (0..u32::MAX).filter(|&word| mix(word) % size < 3).take(1000).collect();
    let count = *words.last().unwrap() as usize + 1;
    let numbers: Vec<u32> = words.clone();
    let tokens = words.len() as u32;
    let body: Vec<u32> = (0..tokens).collect();
    // The first document is a rule of all words; the second contains some directly.
    let symbols = [&[tokens + 1, 0, 1], &body[..]].concat();
    let end = symbols.len() as u32;
    let grammar = Grammar::new(tokens, vec![0, 3, end], symbols, vec![0, 1, 3]).unwrap();
    let first_words: Range<u32> = 0..u32::MAX;
    let documents = &[0, 1];
    let job = Job {
        grammar: &grammar,
        numbers: &numbers,
        words: count,
        n: 1,
        first_words,
        documents,
        by_document: true,
    };
    for (name, backend) in limited(u64::MAX, u64::MAX) {
        for traversal in [Traversal::TopDownSingle, Traversal::BottomUp] {
            let engine = Engine::new(&*backend).with_traversal(traversal);
            let counted = engine.count_job(&job).unwrap();
            assert_eq!(answer(&counted, 1), expected(&job), "{name}");
            assert!(engine.stats().reruns > 0, "{name}, {traversal}");
        }
    }
}
