//! Every traversal, at any number of threads, gives the oracle's rows in the oracle's order.

use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::Duration;
use zgram::Corpus;
use zgram::analytics::{Choice, Traversal};
use zgram::format::GrammarKind;
use zgram::plumbing::AcceleratorError;
use zgram::plumbing::{Accelerator, Counted, Job};
use zgram::progress::{Progress, Stage};
use zgram::store::Store;
use zgram_testkit::oracle::{self, Task};
use zgram_testkit::{Document, Edited, Random, Way, ask, corpus, file, suite};

/// Every traversal, with one thread and several; with plenty of memory, and with so little that it
/// takes several passes.
fn ways(documents: &[Document]) -> impl Iterator<Item = Way<'static>> {
    let text: usize = documents.iter().map(|document| document.text.len()).sum();
    let scarce = 2 * text as u64;
    let choices = [Choice::Auto, Choice::TopDown]
        .into_iter()
        .chain(Traversal::ALL.into_iter().map(Choice::Fixed));
    choices.flat_map(move |choice| {
        let way = move |(threads, memory)| Way { choice, threads, memory, accelerator: None };
        [(1, 1 << 30), (2, scarce), (8, 1 << 30)].into_iter().map(way)
    })
}

/// An accelerator that expands documents and counts in a map: all that the engine does with the counts of a
/// device is tested with it.
struct Naive;

impl Accelerator for Naive {
    fn count(&self, job: &Job<'_>) -> Result<Counted, AcceleratorError> {
        let of_document = |&document: &usize| {
            let mut words = Vec::new();
            let _ = job.grammar.expand(job.grammar.document(document), |token| {
                words.push(job.numbers[token as usize]);
                ControlFlow::<()>::Continue(())
            });
            words.retain(|&word| (word as usize) < job.words);
            let windows = words.windows(job.n).filter(|words| job.first_words.contains(&words[0]));
            windows.map(<[u32]>::to_vec).collect::<Vec<_>>()
        };
        let each: Vec<Vec<Vec<u32>>> = job.documents.iter().map(of_document).collect();
        let groups = if job.by_document { each } else { vec![each.concat()] };
        let distinct: BTreeSet<&Vec<u32>> = groups.iter().flatten().collect();
        let numbers: BTreeMap<&Vec<u32>, u32> = distinct.iter().copied().zip(0..).collect();
        let mut counted = Counted { starts: vec![0], ..Counted::default() };
        if job.n > 1 {
            counted.sequences = distinct.iter().copied().flatten().copied().collect();
        }
        for group in &groups {
            let mut counts: BTreeMap<u32, u64> = BTreeMap::new();
            for item in group {
                *counts.entry(if job.n > 1 { numbers[item] } else { item[0] }).or_default() += 1;
            }
            counted.items.extend(counts.keys());
            counted.counts.extend(counts.values());
            counted.starts.push(counted.items.len());
        }
        Ok(counted)
    }
}

#[test]
fn the_suite_holds_for_an_accelerator() {
    for case in suite::cases() {
        let text: usize = case.documents.iter().map(|document| document.text.len()).sum();
        for segment_size in [u64::MAX / 4, text as u64 / 3 + 1, 40.max(text as u64 / 50)] {
            let corpus = corpus(&case.documents, GrammarKind::RePair, segment_size);
            for (threads, memory) in [(1, 1 << 30), (2, 2 * text as u64)] {
                let choice = Choice::Auto;
                let way = Way { choice, threads, memory, accelerator: Some(&Naive) };
                let found = ask(&corpus, &case.question, way);
                assert_eq!(found, case.expected, "{case}, segments of {segment_size}, {way:?}");
            }
        }
    }
}

#[test]
fn the_suite_holds_for_every_traversal() {
    for case in suite::cases() {
        let text: usize = case.documents.iter().map(|document| document.text.len()).sum();
        // Whole, in a few segments, and in segments so small that documents are split.
        for (segment_size, grammar) in [
            (u64::MAX / 4, GrammarKind::RePair),
            (text as u64 / 3 + 1, GrammarKind::Sequitur),
            (40.max(text as u64 / 50), GrammarKind::RePair),
        ] {
            let corpus = corpus(&case.documents, grammar, segment_size);
            for way in ways(&case.documents) {
                let found = ask(&corpus, &case.question, way);
                assert_eq!(found, case.expected, "{case}, segments of {segment_size}, {way:?}");
            }
        }
    }
}

/// Documents that are short for their grammar are counted differently from long ones. So are words
/// whose count does not fit in a byte, and words and names that do not fit in a row's slots.
#[test]
fn short_and_long_documents_are_counted_alike() {
    let word = |number: usize| match number % 7 {
        0 => format!("{}{number}", "word".repeat(5)),
        _ => format!("w{number}"),
    };
    let document = |number: usize, text: String| {
        Document::new(format!("{number:03}{}", "-long".repeat(number % 14)), text.into_bytes())
    };
    let short = |number: usize| {
        let words: Vec<String> =
            (0..4).map(|place| word((number * 31 + place * 17) % 500)).collect();
        document(number, words.join(" "))
    };
    let long = |number: usize| {
        let often = "often ".repeat(200 + 77 * number);
        let words: Vec<String> = (0..400).map(|place| word(place * (number + 1) % 500)).collect();
        document(number, format!("{often}{} {}", words.join(" "), words[..90].join(", ")))
    };
    let corpora: [Vec<Document>; 3] = [
        (0..300).map(short).collect(),
        (0..9).map(long).collect(),
        (0..40).map(|number| if number % 20 == 3 { long(number) } else { short(number) }).collect(),
    ];
    for documents in &corpora {
        let corpus = corpus(documents, GrammarKind::RePair, u64::MAX / 4);
        for task in [Task::TermVector, Task::InvertedIndex, Task::SequenceCount] {
            for top in [None, Some(3)] {
                let question = oracle::Question { top, ..oracle::Question::new(task) };
                let expected = oracle::answer(documents, &question);
                for way in ways(documents) {
                    assert_eq!(ask(&corpus, &question, way), expected, "{task:?} {way:?}");
                }
            }
        }
    }
}

/// Notes what is reported to it.
#[derive(Default)]
struct Noted {
    expected: AtomicU64,
    advanced: AtomicU64,
    times: AtomicU64,
}

impl Progress for Noted {
    fn advance(&self, stage: Stage, amount: u64) {
        if stage == Stage::Traversing {
            self.advanced.fetch_add(amount, Ordering::Relaxed);
            self.times.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn expect(&self, stage: Stage, total: u64) {
        if stage == Stage::Traversing {
            self.expected.store(total, Ordering::Relaxed);
        }
    }
}

#[test]
fn progress_is_reported_within_a_segment_and_adds_up() {
    let text = |number: usize| format!("one two {number} three {} four", number % 9).repeat(5);
    let documents: Vec<Document> =
        (0..120).map(|number| Document::new(format!("{number:03}"), text(number))).collect();
    for (segment_size, memory) in [(u64::MAX / 4, 1 << 30), (2000, 1 << 30), (2000, 9000)] {
        let corpus = corpus(&documents, GrammarKind::RePair, segment_size);
        for threads in [1, 2, 8] {
            for choice in Traversal::ALL.map(Choice::Fixed) {
                let check = |task: &str, run: &dyn Fn(&Noted)| {
                    let noted = Noted::default();
                    run(&noted);
                    let [expected, advanced, times] =
                        [noted.expected, noted.advanced, noted.times].map(AtomicU64::into_inner);
                    let case = format!("{task} {choice:?} {threads} {segment_size} {memory}");
                    assert!(expected > 0 && advanced == expected, "{case}: {advanced} {expected}");
                    assert!(times > 10, "{case}: {times} times");
                };
                macro_rules! ask {
                    ($($task:ident),*) => {$(
                        check(stringify!($task), &|noted| {
                            let query = corpus.$task().threads(threads).traversal(choice);
                            query.memory(memory).progress(noted).rows().unwrap();
                        });
                    )*};
                }
                ask!(inverted_index, term_vector, sequence_count, ranked_inverted_index);
            }
        }
    }
}

/// Lets a unit of work finish only when a second one is under way.
#[derive(Default)]
struct Overlap {
    under_way: Mutex<UnderWay>,
    changed: Condvar,
}

#[derive(Default)]
struct UnderWay {
    now: usize,
    most: usize,
}

impl Progress for Overlap {
    /// Called by each unit of work before it is done.
    fn advance(&self, stage: Stage, _: u64) {
        if stage != Stage::Traversing {
            return;
        }
        let mut under_way = self.under_way.lock().unwrap();
        under_way.now += 1;
        under_way.most = under_way.most.max(under_way.now);
        self.changed.notify_all();
        // A run without overlap would wait forever; it goes on after a while, and the test fails.
        let alone = |under_way: &mut UnderWay| under_way.most < 2;
        let patience = Duration::from_secs(20);
        under_way = self.changed.wait_timeout_while(under_way, patience, alone).unwrap().0;
        under_way.most = under_way.most.max(1);
        under_way.now -= 1;
    }
}

#[test]
fn segments_are_worked_on_at_once_whatever_their_documents() {
    let text = |number: usize| {
        let words = (0..400).map(|place| format!("w{} ", (number * 31 + place * place) % 97));
        words.collect::<String>()
    };
    let each = |count: usize| -> Vec<Document> {
        (0..count).map(|number| Document::new(format!("{number:02}"), text(number))).collect()
    };
    let size = text(0).len() as u64;
    let one_per_segment = corpus(&each(8), GrammarKind::RePair, size);
    let document = Document::new("one", (0..8).map(text).collect::<String>());
    let one_in_all_segments = corpus(&[document], GrammarKind::RePair, size);
    let many_in_one_segment = corpus(&each(40), GrammarKind::RePair, u64::MAX / 4);
    assert!(one_per_segment.facts().segments.iter().all(|segment| segment.documents == 1));
    assert!(one_per_segment.facts().segments.len() >= 7);
    assert!(one_in_all_segments.facts().segments.len() >= 7);
    assert_eq!(many_in_one_segment.facts().segments.len(), 1);
    let corpora = [
        ("one document per segment", &one_per_segment, 0..8),
        ("one document in all segments", &one_in_all_segments, 0..1),
        ("some documents of one segment", &many_in_one_segment, 5..35),
    ];
    for (layout, corpus, chosen) in corpora {
        for traversal in Traversal::ALL {
            macro_rules! ask {
                ($($task:ident),*) => {$(
                    let overlap = Overlap::default();
                    let query = corpus.$task().threads(2).documents(chosen.clone());
                    query.traversal(Choice::Fixed(traversal)).progress(&overlap).rows().unwrap();
                    let most = overlap.under_way.into_inner().unwrap().most;
                    assert!(most >= 2, "{} by {traversal}, {layout}", stringify!($task));
                )*};
            }
            ask!(word_count, sort, inverted_index, term_vector);
            ask!(sequence_count, ranked_inverted_index);
        }
    }
}

/// Names the corpus to a process of this test that cannot start threads.
const WITHOUT_THREADS: &str = "ZGRAM_TEST_WITHOUT_THREADS";

#[test]
fn questions_are_answered_where_no_thread_can_be_started() {
    let answers = |corpus: &Corpus| {
        let choices = Traversal::ALL.map(Choice::Fixed).into_iter().chain([Choice::Auto]);
        let answers = choices.map(|choice| {
            macro_rules! ask {
                ($($task:ident),*) => {[$(
                    corpus.$task().traversal(choice).threads(8).rows().unwrap()
                ),*]};
            }
            ask!(word_count, sort, inverted_index, term_vector, sequence_count)
        });
        answers.collect::<Vec<_>>()
    };
    if let Some(path) = std::env::var_os(WITHOUT_THREADS) {
        assert!(std::thread::Builder::new().spawn(|| ()).is_err());
        let corpus = Corpus::open(&path).unwrap();
        return std::fs::write(
            Path::new(&path).with_extension("rows"),
            format!("{:?}", answers(&corpus)),
        )
        .unwrap();
    }
    let text = |number: usize| format!("one two {number} three {} four ", number % 9).repeat(50);
    let documents: Vec<Document> =
        (0..40).map(|number| Document::new(format!("{number:03}"), text(number))).collect();
    let folder = tempfile::tempdir().unwrap();
    for segment_size in [u64::MAX / 4, 5000] {
        let path = folder.path().join("c.zgram");
        std::fs::write(&path, file(&documents, GrammarKind::RePair, segment_size)).unwrap();
        // No address space holds such a stack, so that no thread starts.
        let name = "questions_are_answered_where_no_thread_can_be_started";
        let output = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", name, "--test-threads", "1", "--nocapture"])
            .env(WITHOUT_THREADS, &path)
            .env("RUST_MIN_STACK", (1u64 << 60).to_string())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let found = std::fs::read_to_string(path.with_extension("rows")).unwrap();
        assert_eq!(found, format!("{:?}", answers(&Corpus::open(&path).unwrap())));
    }
}

fn documents() -> impl Strategy<Value = Vec<Document>> {
    let stretch = prop_oneof![
        "[a-d ]{0,80}",
        "[a-cA-C_ .]{0,60}",
        "[\u{4e00}-\u{4e03}\u{3042}\u{0e01}\u{0301}\u{93f}a_ ]{0,40}",
        ("[a-z]{1,3} [a-b]{1,2}[ ,.\n]{1,3}", 1usize..40)
            .prop_map(|(phrase, times)| phrase.repeat(times)),
    ];
    let binary = vec(any::<u8>(), 0..60);
    let text = vec(prop_oneof![6 => stretch.prop_map(String::into_bytes), 1 => binary], 0..6);
    vec(text.prop_map(|stretches| stretches.concat()), 0..6).prop_map(|texts| {
        let folder = |number: usize| ["", "x/", "y/", "y/z/"][number * 5 % 4];
        let document =
            |(number, text)| Document::new(format!("{}{number:02}", folder(number)), text);
        let mut documents: Vec<Document> = texts.into_iter().enumerate().map(document).collect();
        documents.sort_by(|a, b| a.name.cmp(&b.name));
        documents
    })
}

fn questions() -> impl Strategy<Value = oracle::Question> {
    let view = (any::<[bool; 4]>(), 0usize..3).prop_map(|([lower, fold, digits, sklearn], min)| {
        oracle::View {
            lower,
            fold,
            no_digits: digits,
            sklearn,
            min_len: min,
            ..oracle::View::default()
        }
    });
    let view = prop_oneof![Just(oracle::View::default()), view];
    (
        proptest::sample::select(Task::ALL.to_vec()),
        prop_oneof![2usize..5, 5usize..40],
        any::<[bool; 3]>(),
        proptest::option::weighted(0.3, 0usize..6),
        // The second puts documents that do not follow each other into one unit, the third leaves
        // documents out.
        proptest::option::weighted(
            0.3,
            proptest::sample::select(vec!["folder", "(.)$", "/.*([0-2])"]),
        ),
        (
            proptest::option::weighted(0.2, 0u64..5),
            proptest::option::weighted(0.2, 0usize..3),
            proptest::option::weighted(0.2, 2usize..4),
        ),
        view,
    )
        .prop_map(|(task, n, [corpus, reverse, gaps], top, units, limits, view)| {
            oracle::Question {
                n,
                gaps,
                min_count: limits.0.unwrap_or(0),
                min_docs: limits.1.unwrap_or(0),
                max_docs: limits.2,
                units: units
                    .filter(|_| !matches!(task, Task::WordCount | Task::Sort))
                    .map(str::to_owned),
                corpus: corpus && task == Task::SequenceCount,
                reverse: reverse && task == Task::Sort,
                top,
                view,
                ..oracle::Question::new(task)
            }
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(zgram_testkit::cases(60)))]

    #[test]
    fn any_question_to_any_corpus_is_answered_as_by_the_oracle(
        documents in documents(),
        question in questions(),
        segment_size in 1u64..600,
        sequitur in any::<bool>(),
    ) {
        let grammar = if sequitur { GrammarKind::Sequitur } else { GrammarKind::RePair };
        let corpus = corpus(&documents, grammar, segment_size);
        let expected = oracle::answer(&documents, &question);
        for way in ways(&documents) {
            let found = ask(&corpus, &question, way);
            prop_assert_eq!(&found, &expected, "{:?}", way);
        }
    }

    #[test]
    fn pending_edits_are_seen_by_every_question(
        documents in documents(),
        question in questions(),
        segment_size in 1u64..600,
        edits in 1usize..30,
        seed in any::<u64>(),
    ) {
        let file = file(&documents, GrammarKind::RePair, segment_size);
        let mut edited = Edited::new(file, &documents);
        edited.edit(&mut Random::new(seed), edits);
        let documents = edited.model.documents();
        let expected = oracle::answer(&documents, &question);
        let snapshot = edited.store().snapshot().expect("nothing is damaged");
        for way in ways(&documents) {
            let found = ask(&snapshot, &question, way);
            prop_assert_eq!(&found, &expected, "{:?}", way);
        }
        // A store that has just replayed the journal knows the same.
        let reopened = Store::open(edited.path()).expect("a corpus").snapshot().expect("no damage");
        let way = Way { choice: Choice::Auto, threads: 2, memory: 1 << 30, accelerator: None };
        prop_assert_eq!(&ask(&reopened, &question, way), &expected);
    }
}
