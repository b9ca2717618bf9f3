//! Grammars of all shapes, and the counts of their items, computed in the simplest way.

use proptest::collection::vec;
use proptest::prelude::*;
use std::collections::BTreeMap;
use zgram::plumbing::Grammar;
use zgram::plumbing::{Counted, Job};

/// The words in the tests' grammars. Token 7 is not a word.
pub(crate) const WORDS: usize = 7;
pub(crate) const TOKENS: u32 = 8;
const NUMBERS: [u32; 8] = [3, 0, 1, 1, 2, 6, 4, u32::MAX];

/// Rules as lists of symbols. Rule 0, the root, is a list of documents.
pub(crate) fn grammar(documents: &[Vec<u32>], rules: &[Vec<u32>]) -> Grammar {
    let ends = |lists: &[Vec<u32>], from: u32| -> Vec<u32> {
        let mut end = from;
        let next = |list: &Vec<u32>| {
            end += list.len() as u32;
            end
        };
        lists.iter().map(next).collect()
    };
    let mut doc_starts = vec![0];
    doc_starts.extend(ends(documents, 0));
    let root = *doc_starts.last().unwrap();
    let mut rule_starts = vec![0, root];
    rule_starts.extend(ends(rules, root));
    let symbols = documents.iter().chain(rules).flatten().copied().collect();
    Grammar::new(TOKENS, rule_starts, symbols, doc_starts).unwrap()
}

/// A rule as a symbol.
pub(crate) fn rule(number: u32) -> u32 {
    TOKENS + number
}

/// `levels` rules, each twice the next. The last one is words 1 and 2.
pub(crate) fn tower(levels: u32) -> Grammar {
    let body = |number: u32| match number == levels {
        true => vec![1, 2],
        false => vec![rule(number + 1), rule(number + 1)],
    };
    let rules: Vec<Vec<u32>> = (1..=levels).map(body).collect();
    grammar(&[vec![rule(1)], vec![1, rule(2), 7]], &rules)
}

/// `levels` rules, each the next rule and a word: deep, but short.
pub(crate) fn chain(levels: u32) -> Grammar {
    let body = |number: u32| match number == levels {
        true => vec![1, 2],
        false => vec![number % TOKENS, rule(number + 1)],
    };
    let rules: Vec<Vec<u32>> = (1..=levels).map(body).collect();
    grammar(&[vec![rule(1), 3], vec![rule(2), rule(2)]], &rules)
}

/// One level of many rules.
pub(crate) fn wide(rules: u32, documents: u32) -> Grammar {
    let bodies: Vec<Vec<u32>> =
        (1..=rules).map(|number| vec![number % 7, number % 5, number % 3]).collect();
    let document = |number: u32| -> Vec<u32> {
        (0..200).map(|at| rule(1 + (number * 31 + at * 17) % rules)).collect()
    };
    let documents: Vec<Vec<u32>> = (0..documents).map(document).collect();
    grammar(&documents, &bodies)
}

/// A rule and a document that are far longer than a node.
pub(crate) fn long(symbols: u32) -> Grammar {
    let body: Vec<u32> = (0..symbols).map(|at| at * 7 / 3 % TOKENS).collect();
    let mut document = body.clone();
    document.extend([rule(1), 5, rule(1)]);
    grammar(&[document, vec![rule(1), rule(1)], vec![]], &[body])
}

/// A job on all documents.
pub(crate) fn job<'a>(
    grammar: &'a Grammar,
    documents: &'a [usize],
    n: usize,
    by_document: bool,
) -> Job<'a> {
    Job {
        grammar,
        numbers: &NUMBERS,
        words: WORDS,
        n,
        first_words: 0..u32::MAX,
        documents,
        by_document,
    }
}

/// Items of each document, in order: words, or sequences as their words.
pub(crate) type Answer = Vec<BTreeMap<Vec<u32>, u64>>;

/// The counts of an engine, in order.
pub(crate) fn answer(counted: &Counted, n: usize) -> Answer {
    let item = |item: u32| match n {
        1 => vec![item],
        n => counted.sequences[item as usize * n..][..n].to_vec(),
    };
    assert!(counted.sequences.chunks_exact(n).is_sorted_by(|a, b| a < b), "sequences rise");
    let document = |pair: &[usize]| {
        let items = counted.items[pair[0]..pair[1]].iter().map(|&number| item(number));
        let counts = counted.counts[pair[0]..pair[1]].iter().copied();
        let map: BTreeMap<Vec<u32>, u64> = items.zip(counts).collect();
        assert_eq!(map.len(), pair[1] - pair[0], "an item stands there once");
        map
    };
    counted.starts.windows(2).map(document).collect()
}

/// The same, computed by expanding every document.
pub(crate) fn expected(job: &Job<'_>) -> Answer {
    let count = |map: &mut BTreeMap<Vec<u32>, u64>, document: usize| {
        let words: Vec<u32> = job
            .grammar
            .document_tokens(document)
            .into_iter()
            .map(|token| job.numbers[token as usize])
            .filter(|&word| (word as usize) < job.words)
            .collect();
        for item in words.windows(job.n).filter(|item| job.first_words.contains(&item[0])) {
            *map.entry(item.to_vec()).or_insert(0) += 1;
        }
    };
    let mut answer = vec![BTreeMap::new(); if job.by_document { job.documents.len() } else { 1 }];
    for (at, &document) in job.documents.iter().enumerate() {
        count(&mut answer[if job.by_document { at } else { 0 }], document);
    }
    answer
}

/// Grammars of random rules; each consists of later rules and tokens. They are deep if rules mostly refer
/// to the next ones, wide if they refer to far ones, and have one long rule. Rules of 64 levels expand to
/// little text, so that it can be written out.
pub(crate) fn random() -> impl Strategy<Value = Grammar> {
    let bodies = vec(vec(any::<u32>(), 2..5), 1..64);
    let documents = vec(vec(any::<u32>(), 0..40), 1..6);
    (bodies, documents, 1u32..64, 0usize..1500).prop_map(|(bodies, documents, reach, long)| {
        let rules = bodies.len() as u32;
        // A token, or a rule not far behind; one symbol in four is a rule, so that texts stay short.
        let symbol = |any: u32, last: u32| {
            let place = last + 1 + any / 4 % reach;
            if any.is_multiple_of(4) && place <= rules { rule(place) } else { any / 4 % TOKENS }
        };
        let text = |list: &Vec<u32>, last: u32| list.iter().map(|&any| symbol(any, last)).collect();
        let documents: Vec<Vec<u32>> = documents.iter().map(|list| text(list, 0)).collect();
        let mut rules: Vec<Vec<u32>> =
            (1..).zip(&bodies).map(|(number, body)| text(body, number)).collect();
        if let Some(body) = rules.last_mut() {
            body.extend((0..long as u32).map(|at| at * at / 5 % TOKENS));
        }
        grammar(&documents, &rules)
    })
}
