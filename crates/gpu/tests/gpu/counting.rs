//! Counts of the engine on grammars of all shapes, on both devices and the twins.

use crate::devices::{NAMES, backends, open};
use crate::grammars::{
    Answer, answer, chain, expected, grammar, job, long, random, rule, tower, wide,
};
use proptest::prelude::*;
use std::collections::BTreeMap;
use zgram::analytics::Traversal;
use zgram::plumbing::Grammar;
use zgram_gpu::{Backend, DeviceOptions, Engine, GpuError, Twins, self_test};

/// All documents together; per document top-down; per document bottom-up.
const WAYS: [(bool, Traversal); 3] = [
    (false, Traversal::TopDownSingle),
    (true, Traversal::TopDownSingle),
    (true, Traversal::BottomUp),
];

/// Checks the words of all documents, together and per document, on all backends.
fn check(grammar: &Grammar, sizes: &[usize]) {
    let documents: Vec<usize> = (0..grammar.doc_count()).collect();
    for (name, backend) in backends() {
        for (&n, way) in sizes.iter().flat_map(|n| WAYS.map(|way| (n, way))) {
            let (by_document, traversal) = way;
            let engine = Engine::new(backend).with_traversal(traversal);
            let job = job(grammar, &documents, n, by_document);
            let counted = engine.count_job(&job).unwrap();
            assert_eq!(answer(&counted, n), expected(&job), "{name}: {n} {way:?}");
        }
    }
}

#[test]
fn counts_pass_32_bits() {
    for levels in [40, 62] {
        let grammar = tower(levels);
        let half = 1u64 << (levels - 1);
        for (name, backend) in backends() {
            let document = |a: u64, b: u64| BTreeMap::from([(vec![0], a), (vec![1], b)]);
            let expected: Answer = vec![document(half, half), document(half / 2 + 1, half / 2)];
            let apart = job(&grammar, &[0, 1], 1, true);
            let up = Engine::new(backend).with_traversal(Traversal::BottomUp);
            assert_eq!(answer(&up.count_job(&apart).unwrap(), 1), expected, "{name}");
            let engine = Engine::new(backend);
            assert_eq!(answer(&engine.count_job(&apart).unwrap(), 1), expected, "{name}");
            let counted = engine.count_job(&job(&grammar, &[0, 1], 1, false)).unwrap();
            let all = document(half + half / 2 + 1, half + half / 2);
            assert_eq!(answer(&counted, 1), vec![all], "{name}");
        }
    }
}

#[test]
fn sequences_of_a_tower_pass_32_bits() {
    let grammar = tower(40);
    let half = 1u64 << 39;
    for (name, backend) in backends() {
        let engine = Engine::new(backend);
        let counted = engine.count_job(&job(&grammar, &[0, 1], 3, true)).unwrap();
        let document = |a: u64, b: u64| BTreeMap::from([(vec![0, 1, 0], a), (vec![1, 0, 1], b)]);
        let mut second = document(half / 2 - 1, half / 2 - 1);
        second.insert(vec![0, 0, 1], 1);
        assert_eq!(answer(&counted, 3), vec![document(half - 1, half - 1), second], "{name}");
    }
}

#[test]
fn counts_beyond_64_bits_are_refused() {
    let grammar = tower(70);
    for (name, backend) in backends() {
        for by_document in [false, true] {
            let job = job(&grammar, &[0, 1], 1, by_document);
            let error = Engine::new(backend).count_job(&job).unwrap_err();
            assert_eq!(error, GpuError::CountTooLarge, "{name}");
        }
    }
}

#[test]
fn wide_grammars() {
    check(&wide(5000, 40), &[1, 2, 3, 5]);
}

#[test]
fn a_long_rule_and_a_long_document() {
    check(&long(70_000), &[1, 3, 8]);
}

#[test]
fn empty_documents_and_no_words() {
    check(&grammar(&[vec![], vec![7, 7], vec![]], &[]), &[1, 2]);
    check(&grammar(&[vec![]], &[]), &[1, 3]);
    check(&grammar(&[vec![rule(1), rule(1)], vec![4]], &[vec![7, 7]]), &[1, 2]);
}

#[test]
fn a_hundred_thousand_levels() {
    let grammar = chain(100_000);
    let documents = [0, 1];
    for (name, backend) in backends() {
        let (down, up) = (Traversal::TopDownSingle, Traversal::BottomUp);
        for (n, by_document, traversal) in
            [(1, false, down), (3, true, down), (1, true, up), (3, true, up)]
        {
            let job = job(&grammar, &documents, n, by_document);
            let engine = Engine::new(backend).with_traversal(traversal);
            let counted = engine.count_job(&job).unwrap();
            assert_eq!(answer(&counted, n), expected(&job), "{name}");
        }
    }
}

#[test]
fn levels_of_few_rules_share_dispatches() {
    let grammar = chain(100_000);
    for by_document in [false, true] {
        let engine = Engine::new(Twins::default());
        engine.count_job(&job(&grammar, &[0, 1], 1, by_document)).unwrap();
        let stats = engine.stats();
        assert!(stats.counters.dispatches < 400, "{stats:?}");
        assert_eq!((stats.counters.submissions, stats.traversals), (1, 1));
    }
}

/// A wide level takes one dispatch per pass. Scans and sorts add a constant.
#[test]
fn dispatches_are_a_few_times_the_depth() {
    for (what, grammar) in [
        ("tower", tower(60)),
        ("chain", chain(1000)),
        ("wide", wide(5000, 40)),
        ("long", long(9000)),
    ] {
        let documents: Vec<usize> = (0..grammar.doc_count()).collect();
        for (n, (by_document, traversal)) in
            [1, 3].into_iter().flat_map(|n| WAYS.map(|way| (n, way)))
        {
            let engine = Engine::new(Twins::default()).with_traversal(traversal);
            engine.count_job(&job(&grammar, &documents, n, by_document)).unwrap();
            let (dispatches, depth) = (engine.stats().counters.dispatches, grammar.depth());
            let most = 4 * u64::from(depth) + 120;
            assert!(dispatches <= most, "{what}, {n}, {by_document}: {dispatches} at {depth}");
        }
    }
}

/// Counting is one submission, and its results are read once. Words need no other submission, unless
/// tables of documents must be placed for top-down. Sequences need two more, to find them and to number
/// them.
#[test]
fn counting_is_one_submission_and_one_download() {
    let grammar = wide(500, 40);
    let documents: Vec<usize> = (0..grammar.doc_count()).collect();
    for name in NAMES {
        let (down, up) = (Traversal::TopDownSingle, Traversal::BottomUp);
        for (n, by_document, traversal, submissions) in [
            (1, false, up, 1),
            (1, true, up, 1),
            (1, true, down, 2),
            (3, false, up, 3),
            (3, true, up, 3),
            (3, true, down, 4),
        ] {
            let options = DeviceOptions { shared_memory: false, ..DeviceOptions::default() };
            let engine = Engine::new(open(name, options)).with_traversal(traversal);
            let job = job(&grammar, &documents, n, by_document);
            assert_eq!(answer(&engine.count_job(&job).unwrap(), n), expected(&job), "{name}");
            let stats = engine.stats();
            assert_eq!(stats.traversals, 1, "{name}");
            let counters = stats.counters;
            assert_eq!((counters.submissions, counters.downloads), (submissions, submissions));
        }
    }
}

#[test]
fn devices_pass_their_self_test() {
    for (name, backend) in backends() {
        assert!(self_test(backend).unwrap().is_right, "{name}");
    }
}

/// Checks a grammar on some backends in all ways, with nodes cut at this length.
fn check_cut(
    grammar: &Grammar,
    n: usize,
    threshold: usize,
    backends: &[(String, &dyn Backend)],
) -> Result<(), TestCaseError> {
    let documents: Vec<usize> = (0..grammar.doc_count()).collect();
    for (name, backend) in backends {
        for (by_document, traversal) in WAYS {
            let engine = Engine::new(*backend).with_traversal(traversal).with_threshold(threshold);
            let job = job(grammar, &documents, n, by_document);
            let counted = engine.count_job(&job).unwrap();
            prop_assert_eq!(answer(&counted, n), expected(&job), "{}: {:?}", name, traversal);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(zgram_testkit::cases(300)))]

    #[test]
    fn twins_count_any_grammar(
        grammar in random(),
        n in prop_oneof![Just(1usize), 2usize..5, 5usize..40],
        threshold in 2usize..300,
    ) {
        let twins = Twins::default();
        check_cut(&grammar, n, threshold, &[("twins".to_owned(), &twins)])?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(zgram_testkit::cases(12)))]

    #[test]
    fn devices_count_any_grammar(
        grammar in random(),
        n in prop_oneof![Just(1usize), 2usize..5, 5usize..40],
        threshold in 2usize..300,
    ) {
        check_cut(&grammar, n, threshold, &backends()[1..])?;
    }
}
