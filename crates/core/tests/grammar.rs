//! The flat grammar: its invariants, its figures, and the order of rules.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use zgram::plumbing::RePair;
use zgram::plumbing::{Grammar, GrammarBuilder, GrammarError, RuleSet, TokenDocs};
use zgram::progress::Progress;

fn grammar(tokens: u32, rules: &[&[u32]]) -> Result<Grammar, GrammarError> {
    let root = rules.first().map_or(0, |root| root.len() as u32);
    grammar_with_documents(tokens, rules, &[0, root])
}

fn grammar_with_documents(
    tokens: u32,
    rules: &[&[u32]],
    doc_starts: &[u32],
) -> Result<Grammar, GrammarError> {
    let set = rule_set(tokens, rules, doc_starts);
    Grammar::new(tokens, set.rule_starts, set.symbols, set.doc_starts)
}

fn rule_set(tokens: u32, rules: &[&[u32]], doc_starts: &[u32]) -> RuleSet {
    let mut rule_starts = vec![0];
    for rule in rules {
        rule_starts.push(rule_starts.last().unwrap() + rule.len() as u32);
    }
    RuleSet { tokens, rule_starts, symbols: rules.concat(), doc_starts: doc_starts.to_vec() }
}

fn bodies(grammar: &Grammar) -> Vec<&[u32]> {
    (0..grammar.rule_count()).map(|rule| grammar.rule(rule)).collect()
}

#[test]
fn a_grammar_needs_a_root() {
    assert_eq!(grammar(1, &[]), Err(GrammarError::NoRoot));
    assert_eq!(Grammar::new(1, vec![], vec![], vec![0]), Err(GrammarError::NoRoot));
}

#[test]
fn offsets_must_divide_the_symbols() {
    let refused = |rule_starts: &[u32], doc_starts: &[u32]| match Grammar::new(
        1,
        rule_starts.to_vec(),
        vec![0; 4],
        doc_starts.to_vec(),
    ) {
        Err(GrammarError::BadOffsets { what, index, len }) => (what, index, len),
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(&[1, 4], &[0, 4]), ("rule", 0, 4));
    assert_eq!(refused(&[0, 3, 2, 4], &[0, 4]), ("rule", 2, 4));
    assert_eq!(refused(&[0, 3], &[0, 3]), ("rule", 1, 4));
    assert_eq!(refused(&[0, 5], &[0, 4]), ("rule", 1, 4));
    assert_eq!(refused(&[0, 2, 4], &[]), ("document", 0, 2));
    assert_eq!(refused(&[0, 2, 4], &[1, 2]), ("document", 0, 2));
    assert_eq!(refused(&[0, 2, 4], &[0, 2, 1, 2]), ("document", 2, 2));
    assert_eq!(refused(&[0, 2, 4], &[0, 4]), ("document", 1, 2));
}

#[test]
fn symbols_must_exist() {
    let unknown = GrammarError::UnknownSymbol { rule: 1, symbol: 4 };
    assert_eq!(grammar(2, &[&[3, 3], &[0, 4]]), Err(unknown));
    let unknown = GrammarError::UnknownSymbol { rule: 0, symbol: u32::MAX };
    assert_eq!(grammar(2, &[&[0, u32::MAX]]), Err(unknown));
    // With 2^32 - 1 tokens the last number is the root itself.
    let root = GrammarError::NotTopological { rule: 0, child: 0 };
    assert_eq!(grammar(u32::MAX, &[&[u32::MAX - 1, u32::MAX]]), Err(root));
}

#[test]
fn rules_must_come_before_what_they_use() {
    let refused = |rules: &[&[u32]]| grammar(1, rules).unwrap_err();
    assert_eq!(refused(&[&[0, 1]]), GrammarError::NotTopological { rule: 0, child: 0 });
    assert_eq!(refused(&[&[2], &[0, 2]]), GrammarError::NotTopological { rule: 1, child: 1 });
    assert_eq!(
        refused(&[&[2, 3], &[0, 0], &[2, 2]]),
        GrammarError::NotTopological { rule: 2, child: 1 }
    );
}

#[test]
fn validation_asks_for_length_use_and_order_by_level() {
    let invalid = |rules: &[&[u32]]| grammar(1, rules).unwrap().validate().unwrap_err();
    assert_eq!(invalid(&[&[2, 2], &[0]]), GrammarError::ShortRule { rule: 1, len: 1 });
    assert_eq!(invalid(&[&[2, 0], &[0, 0]]), GrammarError::Useless { rule: 1, uses: 1 });
    assert_eq!(invalid(&[&[0, 0], &[0, 0]]), GrammarError::Useless { rule: 1, uses: 0 });
    let unordered: &[&[u32]] = &[&[2, 2, 4, 4], &[3, 3], &[0, 0], &[0, 0, 0]];
    assert_eq!(invalid(unordered), GrammarError::LevelOrder { rule: 3, level: 1 });
    // The depth does not depend on the order.
    assert_eq!(grammar(1, unordered).unwrap().depth(), 3);
}

#[test]
fn validation_of_digrams_forgives_only_overlaps() {
    let check = |rules: &[&[u32]]| grammar(2, rules).unwrap().validate_digrams();
    assert_eq!(check(&[&[0, 0, 0]]), Ok(()));
    let repeated =
        |first, second| Err(GrammarError::RepeatedDigram { pair: (0, 0), first, second });
    assert_eq!(check(&[&[0, 0, 0, 0]]), repeated(0, 0));
    assert_eq!(check(&[&[0, 0, 3, 3], &[0, 0, 1]]), repeated(0, 1));
    let across = grammar_with_documents(2, &[&[0, 1, 0, 1]], &[0, 1, 3, 4]).unwrap();
    assert_eq!(across.validate_digrams(), Ok(()));
}

#[test]
fn errors_say_what_is_wrong() {
    let error = GrammarError::RepeatedDigram { pair: (3, 4), first: 1, second: 2 };
    assert_eq!(error.to_string(), "digram (3, 4) occurs in rule 1 and again in rule 2");
}

#[test]
fn arranging_inlines_drops_and_orders() {
    const TOKENS: u32 = 2;
    let r = |rule: u32| TOKENS + rule;
    let rules: [&[u32]; 7] = [
        &[r(6), r(2), r(2)],
        &[0, 0],          // used once, by an unused rule: dropped
        &[r(3), r(3), 1], // level 1
        &[r(5), r(5)],    // level 2
        &[r(1), r(5)],    // unused: dropped, and its use of 5 does not count
        &[0, 1],          // level 3
        &[r(5), 0, r(2)], // used once: inlined in the root
    ];
    let grammar = rule_set(TOKENS, &rules, &[0, 2, 2, 3]).arrange();
    grammar.validate().unwrap();
    assert_eq!(
        bodies(&grammar),
        [&[r(3), 0, r(1), r(1), r(1)][..], &[r(2), r(2), 1], &[r(3), r(3)], &[0, 1]]
    );
    assert_eq!(grammar.doc_starts(), [0, 4, 4, 5]);
}

#[test]
fn arranging_an_empty_rule_set() {
    let grammar = rule_set(3, &[&[]], &[0, 0, 0]).arrange();
    grammar.validate().unwrap();
    assert_eq!((grammar.doc_count(), grammar.rule_count(), grammar.depth()), (2, 1, 0));
}

#[test]
fn arranging_a_long_chain_of_rules_used_once() {
    // Each rule is the next one and a token; all are inlined in the root.
    let rules = 100_000u32;
    let symbols = (1..=rules).flat_map(|r| if r < rules { [1 + r, 0] } else { [0, 0] }).collect();
    let rule_starts = (0..=rules).map(|rule| 2 * rule).collect();
    let grammar = RuleSet { tokens: 1, rule_starts, symbols, doc_starts: vec![0, 2] }.arrange();
    assert_eq!((grammar.rule_count(), grammar.root().len()), (1, rules as usize + 1));
}

#[test]
fn levels_are_longest_paths() {
    // Rule 3 is used by the root and by rule 2 under rule 1.
    let grammar = grammar(1, &[&[2, 2, 4], &[3, 3], &[4, 0], &[0, 0]]).unwrap();
    assert_eq!(grammar.levels(), [0, 1, 2, 3]);
    assert_eq!(grammar.depth(), 4);
    assert_eq!(grammar.expanded_lengths(), [14, 6, 3, 2]);
}

#[test]
fn depth_of_the_smallest() {
    assert_eq!(grammar(1, &[&[]]).unwrap().depth(), 0);
    assert_eq!(grammar(1, &[&[0]]).unwrap().depth(), 1);
}

#[test]
fn expanded_lengths_saturate() {
    let bodies: Vec<[u32; 2]> =
        (0..100).map(|r| if r < 99 { [r + 2; 2] } else { [0; 2] }).collect();
    let rules: Vec<&[u32]> = bodies.iter().map(|body| &body[..]).collect();
    let tower = grammar(1, &rules).unwrap();
    tower.validate_digrams().unwrap();
    let lengths = tower.expanded_lengths();
    assert_eq!((lengths[99], lengths[98], lengths[37]), (2, 4, 1 << 63));
    assert!(lengths[..=36].iter().all(|&length| length == u64::MAX));
}

#[test]
fn expansion_stops_early() {
    let bodies: Vec<[u32; 2]> =
        (0..100).map(|r| if r < 99 { [r + 2; 2] } else { [0; 2] }).collect();
    let rules: Vec<&[u32]> = bodies.iter().map(|body| &body[..]).collect();
    let tower = grammar(1, &rules).unwrap();
    let mut seen = 0;
    let stopped = tower.expand(tower.root(), |token| {
        assert_eq!(token, 0);
        seen += 1;
        if seen == 1000 { ControlFlow::Break("enough") } else { ControlFlow::Continue(()) }
    });
    assert_eq!((stopped, seen), (ControlFlow::Break("enough"), 1000));
}

#[test]
fn a_deep_grammar_expands_without_overflow() {
    // Rule r is [r + 1, a]: nested to the left, where every level needs a return.
    let rules = 100_000u32;
    let symbols =
        (0..rules).flat_map(|r| if r + 1 < rules { [r + 3, 0] } else { [1, 0] }).collect();
    let rule_starts = (0..=rules).map(|rule| 2 * rule).collect();
    let grammar = Grammar::new(2, rule_starts, symbols, vec![0, 2]).unwrap();
    assert_eq!(grammar.depth(), rules);
    let tokens = grammar.document_tokens(0);
    assert_eq!(tokens.len(), rules as usize + 1);
    assert!(tokens[0] == 1 && tokens[1..].iter().all(|&token| token == 0));
}

/// Asks to stop after a number of checks.
struct Patience(AtomicU32);

impl Progress for Patience {
    fn is_cancelled(&self) -> bool {
        self.0.fetch_add(1, Relaxed) > 1000
    }
}

#[test]
fn re_pair_ends_on_sequences_of_any_length() {
    for period in 1..12u32 {
        for times in (0..20).chain([100, 1000]) {
            let ids: Vec<u32> = (0..times).flat_map(|_| 0..period).collect();
            let doc_starts = [0, ids.len() as u32];
            let input = TokenDocs { tokens: period, ids: &ids, doc_starts: &doc_starts };
            let patience = Patience(AtomicU32::new(0));
            let grammar = RePair::default().build(input, &patience).expect("a few rounds suffice");
            grammar.validate().unwrap();
            assert_eq!(grammar.document_tokens(0), ids);
        }
    }
}
