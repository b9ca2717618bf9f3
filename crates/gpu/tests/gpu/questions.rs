//! The suite and random questions on the engine, against the oracle.

use crate::devices::{backends, devices};
use proptest::collection::vec;
use proptest::prelude::*;
use zgram::analytics::{Choice, Traversal};
use zgram::format::GrammarKind;
use zgram_gpu::{Backend, Engine, Twins};
use zgram_testkit::oracle::{self, Task};
use zgram_testkit::{Document, Way, ask, corpus, suite};

fn check(
    documents: &[Document],
    question: &oracle::Question,
    segment_size: u64,
    grammar: GrammarKind,
    backends: &[(String, &dyn Backend)],
    expected: &[oracle::Row],
) {
    let corpus = corpus(documents, grammar, segment_size);
    let text: usize = documents.iter().map(|document| document.text.len()).sum();
    for (name, backend) in backends {
        let traversal =
            if question.n.is_multiple_of(2) { Traversal::Stream } else { Traversal::TopDownSingle };
        let engine = Engine::new(*backend).with_traversal(traversal);
        // Plenty of memory, or so little that sequences are counted in several passes.
        let memory = if segment_size.is_multiple_of(2) { 1 << 30 } else { 2 * text as u64 };
        let way = Way { choice: Choice::Auto, threads: 2, memory, accelerator: Some(&engine) };
        let found = ask(&corpus, question, way);
        assert_eq!(found, expected, "{name}, segments of {segment_size}");
    }
}

#[test]
fn the_suite_holds_on_every_device() {
    for case in suite::cases() {
        let text: usize = case.documents.iter().map(|document| document.text.len()).sum();
        let segments =
            [(u64::MAX / 4 * 2, GrammarKind::RePair), (text as u64 / 3 + 1, GrammarKind::Sequitur)];
        for (segment_size, grammar) in segments {
            let (documents, question) = (&case.documents, &case.question);
            check(documents, question, segment_size, grammar, &backends(), &case.expected);
        }
    }
    assert!(devices().iter().all(|device| device.counters().dispatches > 0));
}

fn documents() -> impl Strategy<Value = Vec<Document>> {
    let stretch = prop_oneof![
        "[a-d ]{0,80}",
        ("[a-z]{1,3} [a-b]{1,2}[ ,.\n]{1,3}", 1usize..40)
            .prop_map(|(phrase, times)| phrase.repeat(times)),
    ];
    let text = vec(stretch.prop_map(String::into_bytes), 0..6);
    vec(text.prop_map(|stretches| stretches.concat()), 0..6).prop_map(|texts| {
        let document = |(number, text)| Document::new(format!("{number:02}"), text);
        texts.into_iter().enumerate().map(document).collect()
    })
}

fn questions() -> impl Strategy<Value = oracle::Question> {
    let task = proptest::sample::select(Task::ALL.to_vec());
    (task, prop_oneof![2usize..5, 5usize..40], any::<[bool; 3]>()).prop_map(
        |(task, n, [corpus, lower, sklearn])| oracle::Question {
            n,
            corpus: corpus && task == Task::SequenceCount,
            view: oracle::View { lower, sklearn, ..oracle::View::default() },
            ..oracle::Question::new(task)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(zgram_testkit::cases(200)))]

    #[test]
    fn twins_answer_any_question_as_the_oracle_does(
        documents in documents(),
        question in questions(),
        segment_size in 1u64..600,
    ) {
        let twins = Twins::default();
        let expected = oracle::answer(&documents, &question);
        let backends: [(String, &dyn Backend); 1] = [("twins".to_owned(), &twins)];
        check(&documents, &question, segment_size, GrammarKind::RePair, &backends, &expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(zgram_testkit::cases(12)))]

    #[test]
    fn devices_answer_any_question_as_the_oracle_does(
        documents in documents(),
        question in questions(),
        segment_size in 200u64..2000,
    ) {
        let expected = oracle::answer(&documents, &question);
        let backends = backends();
        check(&documents, &question, segment_size, GrammarKind::Sequitur, &backends[1..], &expected);
    }
}
