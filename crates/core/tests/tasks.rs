//! Tasks of a user's own, ordered and not, give what the oracle gives, over any layout of segments, by any
//! traversal, at any number of threads.

use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeMap;
use zgram::Corpus;
use zgram::analytics::{Choice, Digits, Task, TaskRun, Traversal, View};
use zgram::format::GrammarKind;
use zgram_testkit::oracle;
use zgram_testkit::{Document, corpus};

type Counts = BTreeMap<Vec<u32>, u64>;

/// Counts words.
struct Words;

impl Task for Words {
    type Value = Counts;
    type Message = Counts;

    fn value(&self) -> Counts {
        Counts::new()
    }

    fn local(&self, counts: &mut Counts, word: u32, times: u64) {
        *counts.entry(vec![word]).or_default() += times;
    }

    fn integrate(&self, counts: &mut Counts, message: &Counts, times: u64) {
        for (word, count) in message {
            *counts.entry(word.clone()).or_default() += count * times;
        }
    }

    fn propagate(&self, counts: &mut Counts) -> Counts {
        std::mem::take(counts)
    }
}

/// Counts sequences of `n` words: algorithm 5 of the TADOC paper.
struct Sequences {
    n: usize,
}

#[derive(Default)]
struct Part {
    /// The first and the last `n - 1` words.
    head: Vec<u32>,
    tail: Vec<u32>,
    counts: Counts,
}

const GAP: u32 = u32::MAX;

impl Task for Sequences {
    type Value = Part;
    type Message = Part;

    fn value(&self) -> Part {
        Part::default()
    }

    fn local(&self, part: &mut Part, word: u32, times: u64) {
        assert_eq!(times, 1);
        if part.head.len() < self.n - 1 {
            part.head.push(word);
        }
        part.tail.push(word);
        if part.tail.len() == self.n {
            if !part.tail.contains(&GAP) {
                *part.counts.entry(part.tail.clone()).or_default() += 1;
            }
            part.tail.remove(0);
        }
    }

    fn integrate(&self, part: &mut Part, message: &Part, times: u64) {
        message.head.iter().for_each(|&word| self.local(part, word, times));
        Words.integrate(&mut part.counts, &message.counts, times);
        if message.tail.len() == self.n - 1 {
            part.tail.clone_from(&message.tail);
        }
    }

    fn propagate(&self, part: &mut Part) -> Part {
        std::mem::take(part)
    }

    fn is_ordered(&self) -> bool {
        true
    }

    fn gap(&self, part: &mut Part) {
        self.local(part, GAP, 1);
    }
}

/// The rows of counts, in the oracle's order.
fn rows(run: &TaskRun<'_>, counts: &Counts, document: Option<&Document>) -> Vec<oracle::Row> {
    let row = |(words, &count): (&Vec<u32>, &u64)| oracle::Row {
        words: words.iter().map(|&word| run.words().text(word)).collect::<Vec<_>>().join(&b' '),
        count,
        document: document.map(|document| document.name.clone()),
    };
    counts.iter().map(row).collect()
}

fn sorted(mut rows: Vec<oracle::Row>) -> Vec<oracle::Row> {
    rows.sort();
    rows
}

fn check(corpus: &Corpus, documents: &[Document], n: usize, no_digits: bool) {
    let view =
        View { digits: if no_digits { Digits::Drop } else { Digits::Keep }, ..View::default() };
    let ask = |task: oracle::Task, corpus: bool| {
        let view = oracle::View { no_digits, ..oracle::View::default() };
        let question = oracle::Question { n, corpus, view, ..oracle::Question::new(task) };
        sorted(oracle::answer(documents, &question))
    };
    let words = ask(oracle::Task::TermVector, false);
    let totals = ask(oracle::Task::WordCount, false);
    let sequences = ask(oracle::Task::SequenceCount, false);
    let all_sequences = ask(oracle::Task::SequenceCount, true);
    for traversal in Traversal::ALL {
        for threads in [1, 3] {
            let query = corpus.traverse().view(view.clone()).threads(threads);
            let run = query.traversal(Choice::Fixed(traversal)).prepare().unwrap();
            let of_documents = |counts: Vec<(usize, Counts)>| {
                let numbers: Vec<usize> = counts.iter().map(|(document, _)| *document).collect();
                assert_eq!(numbers, (0..documents.len()).collect::<Vec<_>>());
                let each = counts.iter().zip(documents);
                sorted(
                    each.flat_map(|((_, counts), document)| rows(&run, counts, Some(document)))
                        .collect(),
                )
            };
            assert_eq!(of_documents(run.each_document(&Words).unwrap()), words);
            assert_eq!(sorted(rows(&run, &run.together(&Words).unwrap(), None)), totals);
            let parts = run.each_document(&Sequences { n }).unwrap();
            let counts = parts.into_iter().map(|(document, part)| (document, part.counts));
            assert_eq!(of_documents(counts.collect()), sequences, "{traversal}");
            let all = run.together(&Sequences { n }).unwrap();
            assert_eq!(sorted(rows(&run, &all.counts, None)), all_sequences, "{traversal}");
            assert_eq!(run.into_report().damaged.len(), 0);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(zgram_testkit::cases(40)))]

    #[test]
    fn tasks_give_the_rows_of_the_oracle(
        texts in vec(vec(("[a-c1 ]{0,30}", 1usize..8), 0..4), 1..5),
        n in 2usize..5,
        segment_size in 1u64..300,
        no_digits in any::<bool>(),
    ) {
        let text = |parts: &Vec<(String, usize)>| -> String {
            parts.iter().map(|(text, times)| text.repeat(*times)).collect()
        };
        let document = |(number, parts)| Document::new(format!("{number:02}"), text(parts));
        let documents: Vec<Document> = texts.iter().enumerate().map(document).collect();
        let corpus = corpus(&documents, GrammarKind::RePair, segment_size);
        check(&corpus, &documents, n, no_digits);
    }
}
