//! Every traversal, at any number of threads, gives the oracle's rows in the oracle's order.

use proptest::collection::vec;
use proptest::prelude::*;
use zgram::analytics::{Choice, Traversal};
use zgram::format::GrammarKind;
use zgram_testkit::oracle::{self, Task};
use zgram_testkit::{Document, Way, ask, corpus, suite};

/// Every traversal, one thread and several; with plenty of memory, and with so little that sequences
/// are counted in several passes.
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
        let document = |(number, text)| Document::new(format!("{number:02}"), text);
        texts.into_iter().enumerate().map(document).collect()
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
        any::<[bool; 2]>(),
        proptest::option::weighted(0.3, 0usize..6),
        view,
    )
        .prop_map(|(task, n, [corpus, reverse], top, view)| oracle::Question {
            n,
            corpus: corpus && task == Task::SequenceCount,
            reverse: reverse && task == Task::Sort,
            top,
            view,
            ..oracle::Question::new(task)
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

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
}
