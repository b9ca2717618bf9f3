//! Sequitur finds rules in one pass, token by token (Nevill-Manning and Witten, *Identifying
//! hierarchical structure in sequences*, 1997; TADOC paper, section 2.1).
//!
//! After every token two properties hold. *Digram uniqueness*: no pair of neighbouring
//! symbols occurs twice, except overlapping itself as in `aaa`. *Rule utility*: each rule is used
//! at least twice. No digram crosses a document boundary; all documents share the rules.
//!
//! # Why a loop at the end of the text is enough
//!
//! The authors describe the enforcement as a recursion. It never branches, and a repeated digram is
//! only found at the end of the text. Let `X t` be the last digram, and let it be known already:
//!
//! - If it is the whole of a rule, it becomes a use of that rule, and the new last digram is checked
//!   next. `t` keeps two uses: it is a token, or the rule that the previous step put there, which had
//!   two before that.
//! - If it is known elsewhere and `X` is a rule with no other uses than these two, a rule for `X t`
//!   would leave `X` with one use and inline it there. So `X` itself is extended by `t`.
//! - Otherwise a new rule replaces both occurrences. All new digrams contain the new rule. They could
//!   only repeat each other if the occurrences had equal neighbours on a side, but then a digram of
//!   that neighbour would have been repeated before.
//!
//! In the first two cases `X` may be left with one use, as the first symbol of a rule. That happens
//! only if the same text followed both occurrences from which `X` was made, because uses with different
//! continuations never merge. Inlining `X` makes a digram of its last symbol and `t`. That digram was
//! at the first of the occurrences when `X` was made and was unique, and no step since then can have
//! made another.
//!
//! Debug builds assert the steps of this argument, and tests compare the result with `naive.rs`, which
//! searches everywhere. Time is linear: each step of the loop removes a symbol, each token adds one.
//!
//! # Layout
//!
//! Symbols are 12-byte nodes of doubly linked lists in one array. The outer links of a rule's first and
//! last symbol hold the complement of the rule's number. So the two nodes of a digram show whether it is
//! the whole of a rule, and of which. With the digram index, a symbol of the grammar takes 22 to 27
//! bytes, and a rule 12 more.

mod digrams;

use super::{Grammar, GrammarBuilder, RuleSet, Symbol, TokenDocs};
use crate::progress::{Interrupted, Progress};
use digrams::{DigramIndex, Pair, Probe};

/// Builds grammars by the Sequitur algorithm. They satisfy [`Grammar::validate_digrams`].
///
/// # Panics
/// Building panics when there are too many tokens for 32-bit symbols and links: two thirds of 2^32
/// tokens of text, fewer when there are billions of distinct ones.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sequitur;

/// Tokens between two checks for a request to stop.
const CHECK_INTERVAL: usize = 1 << 16;

/// How many tokens in advance the index prefetches a digram. Appending that many takes about as long as
/// a read from memory.
const AHEAD: usize = 4;

impl GrammarBuilder for Sequitur {
    fn build(&self, input: TokenDocs<'_>, progress: &dyn Progress) -> Result<Grammar, Interrupted> {
        let mut text = Text::new(input);
        let mut until_check = 0;
        for document in input.documents() {
            text.start_document();
            for (at, &token) in document.iter().enumerate() {
                if let Some(&[first, second]) = document.get(at + AHEAD..at + AHEAD + 2) {
                    text.digrams.fetch((first, second));
                }
                if until_check == 0 {
                    progress.check()?;
                    until_check = CHECK_INTERVAL;
                }
                until_check -= 1;
                text.append(token);
            }
        }
        progress.check()?;
        Ok(text.into_rule_set().arrange())
    }
}

/// A symbol in its list. A link is a node, or at the ends of a rule the complement of its number.
#[derive(Clone, Copy)]
struct Node {
    value: Symbol,
    prev: u32,
    next: u32,
}

/// A rule, or a free rule number with the next free one as `first`.
#[derive(Clone, Copy)]
struct Rule {
    first: u32,
    last: u32,
    uses: u32,
}

/// The link beyond the ends of a document: the complement of the root, rule 0.
const BOUNDARY: u32 = !0;

/// Ends the lists of free nodes and free rule numbers; there is no node 0, rule 0 is the root.
const NONE: u32 = 0;

/// The grammar of the text so far.
struct Text {
    tokens: u32,
    /// Links from here on are complemented rules.
    first_end: u32,
    nodes: Vec<Node>,
    /// Free nodes, linked by `next`.
    free_node: u32,
    rules: Vec<Rule>,
    /// Free rule numbers, linked by `first`; none of them has a use.
    free_rule: u32,
    /// The first node of each document, or [`BOUNDARY`]. The node stays, even if its symbol changes.
    documents: Vec<u32>,
    /// The last node of the last document, or [`BOUNDARY`].
    last: u32,
    digrams: DigramIndex,
}

impl Text {
    fn new(input: TokenDocs<'_>) -> Self {
        // A rule has two symbols or more, and symbols never outnumber the tokens read.
        let most_rules = input.ids.len() / 2 + 1;
        let nodes = input.ids.len() + 2;
        let symbols = input.tokens as usize + most_rules;
        assert!(
            symbols.max(nodes + most_rules) < u32::MAX as usize,
            "more tokens than 32-bit numbers can name"
        );
        Self {
            tokens: input.tokens,
            first_end: !(most_rules as u32),
            nodes: vec![Node { value: 0, prev: NONE, next: NONE }],
            free_node: NONE,
            rules: vec![Rule { first: NONE, last: NONE, uses: 0 }],
            free_rule: NONE,
            documents: Vec::with_capacity(input.doc_starts.len()),
            last: BOUNDARY,
            digrams: DigramIndex::new(),
        }
    }

    fn start_document(&mut self) {
        self.documents.push(BOUNDARY);
        self.last = BOUNDARY;
    }

    /// Appends a token to the last document and restores both properties.
    fn append(&mut self, token: u32) {
        debug_assert!(token < self.tokens);
        let node = self.new_node(Node { value: token, prev: self.last, next: BOUNDARY });
        if self.last == BOUNDARY {
            *self.documents.last_mut().expect("a document is started") = node;
        } else {
            self.nodes[self.last as usize].next = node;
        }
        self.last = node;
        while self.resolve_last_digram() {}
    }

    /// Adds the last digram to the index, or removes the repetition if it is known. Returns whether
    /// there is a new last digram to check.
    #[inline]
    fn resolve_last_digram(&mut self) -> bool {
        let repeated = self.nodes[self.last as usize].prev;
        let Some(pair) = self.digram(repeated) else { return false };
        self.digrams.reserve_one();
        let hash = self.digrams.hash(pair);
        match self.probe(pair, hash) {
            Probe::Vacant(slot) => {
                self.digrams.fill(slot, hash, repeated);
                false
            }
            Probe::Known { node: known, .. } if self.next(known) == repeated => false,
            Probe::Known { slot, node: known } => {
                if let Some(rule) = self.rule_of_just(known) {
                    self.substitute(repeated, rule);
                    if self.is_underused(pair.0) {
                        self.digrams.remove(hash, known);
                        self.write_out_first(rule);
                    }
                    debug_assert!(!self.is_underused(pair.1));
                    return true;
                }
                match self.rule_named(pair.0) {
                    Some(rule) if self.rules[rule as usize].uses == 2 => {
                        self.digrams.remove(hash, known);
                        self.extend_rule(rule, known, repeated);
                    }
                    _ => {
                        let rule = self.new_rule(pair);
                        self.digrams.repoint(slot, self.rules[rule as usize].first);
                        self.substitute(known, rule);
                        self.substitute(repeated, rule);
                        self.enter(self.nodes[known as usize].prev);
                        self.enter(known);
                        self.enter(self.nodes[repeated as usize].prev);
                    }
                }
                debug_assert!(!self.is_underused(pair.1));
                false
            }
        }
    }

    /// Replaces the digram at `first` by a use of `rule`, whose right-hand side it is. The digram
    /// itself must no longer be in the index.
    #[inline]
    fn substitute(&mut self, first: u32, rule: u32) {
        let Node { value, prev, next: second } = self.nodes[first as usize];
        if !self.is_end(prev) {
            self.forget(prev, self.nodes[prev as usize].prev);
        }
        self.unuse(value);
        self.rules[rule as usize].uses += 1;
        self.nodes[first as usize].value = self.tokens + rule;
        self.unlink_after(first);
        self.unuse(self.nodes[second as usize].value);
        self.free(second);
    }

    /// Gives a rule that is used only in the digrams at `known` and `repeated` their second symbol
    /// as its last. The digram must no longer be in the index.
    fn extend_rule(&mut self, rule: u32, known: u32, repeated: u32) {
        let moved = self.next(known);
        let dropped = self.next(repeated);
        self.unlink_after(known);
        self.unlink_after(repeated);
        self.unuse(self.nodes[dropped as usize].value);
        self.free(dropped);

        let last = self.rules[rule as usize].last;
        self.link(last, moved);
        self.link(moved, !rule);
        self.enter(last);
        self.enter(known);
    }

    /// Replaces the first symbol of a rule, which is a rule without other uses, by that rule's symbols.
    /// The digram at the first symbol must no longer be in the index.
    fn write_out_first(&mut self, rule: u32) {
        let node = self.rules[rule as usize].first;
        let Node { value, next, .. } = self.nodes[node as usize];
        let unused = value - self.tokens;
        let Rule { first, last, .. } = self.rules[unused as usize];
        self.rules[rule as usize].first = first;
        self.nodes[first as usize].prev = !rule;
        self.link(last, next);
        self.free(node);
        self.rules[unused as usize] = Rule { first: self.free_rule, last: NONE, uses: 0 };
        self.free_rule = unused;
        self.enter(last);
    }

    /// Removes the node after `node` from its list, and the digram that it starts from the index.
    #[inline]
    fn unlink_after(&mut self, node: u32) {
        let gone = self.next(node);
        let after = self.next(gone);
        self.forget(gone, after);
        if gone == self.last {
            self.last = node;
        }
        self.link(node, after);
    }

    /// Removes the digram at `node` from the index, before one of its symbols is removed.
    ///
    /// In a run of three equal symbols only one of the two overlapping digrams is in the index. If
    /// the other is at `neighbour`, which stays, it replaces the removed one.
    #[inline]
    fn forget(&mut self, node: u32, neighbour: u32) {
        let Some(pair) = self.digram(node) else { return };
        let hash = self.digrams.hash(pair);
        if pair.0 == pair.1 && self.digram(neighbour) == Some(pair) {
            if let Some(slot) = self.digrams.slot_of(hash, node) {
                self.digrams.repoint(slot, neighbour);
            }
        } else {
            self.digrams.remove(hash, node);
        }
    }

    /// Adds a digram that is new, overlaps itself, or is in the index already.
    fn enter(&mut self, node: u32) {
        let Some(pair) = self.digram(node) else { return };
        self.digrams.reserve_one();
        let hash = self.digrams.hash(pair);
        match self.probe(pair, hash) {
            Probe::Vacant(slot) => self.digrams.fill(slot, hash, node),
            Probe::Known { node: known, .. } => {
                debug_assert!(
                    known == node || self.next(known) == node || self.next(node) == known,
                    "a digram is repeated inside the grammar"
                );
            }
        }
    }

    #[inline]
    fn probe(&self, pair: Pair, hash: u32) -> Probe {
        self.digrams.probe(hash, |node| {
            let Node { value, next, .. } = self.nodes[node as usize];
            (value, self.nodes[next as usize].value) == pair
        })
    }

    /// The pair of symbols that starts at a link, if a node is there and another follows.
    #[inline]
    fn digram(&self, link: u32) -> Option<Pair> {
        if self.is_end(link) {
            return None;
        }
        let Node { value, next, .. } = self.nodes[link as usize];
        (!self.is_end(next)).then(|| (value, self.nodes[next as usize].value))
    }

    /// The rule whose whole right-hand side is the digram at `first`.
    #[inline]
    fn rule_of_just(&self, first: u32) -> Option<u32> {
        let Node { prev, next: second, .. } = self.nodes[first as usize];
        let whole = self.is_end(prev) && prev != BOUNDARY && self.next(second) == prev;
        whole.then_some(!prev)
    }

    fn is_end(&self, link: u32) -> bool {
        link >= self.first_end
    }

    fn next(&self, node: u32) -> u32 {
        self.nodes[node as usize].next
    }

    /// Makes neighbours of a node and a link.
    fn link(&mut self, left: u32, right: u32) {
        self.nodes[left as usize].next = right;
        if !self.is_end(right) {
            self.nodes[right as usize].prev = left;
        } else if right != BOUNDARY {
            self.rules[!right as usize].last = left;
        }
    }

    fn rule_named(&self, symbol: Symbol) -> Option<u32> {
        symbol.checked_sub(self.tokens)
    }

    fn is_underused(&self, symbol: Symbol) -> bool {
        self.rule_named(symbol).is_some_and(|rule| self.rules[rule as usize].uses < 2)
    }

    fn unuse(&mut self, symbol: Symbol) {
        if let Some(rule) = self.rule_named(symbol) {
            self.rules[rule as usize].uses -= 1;
        }
    }

    /// A rule with a digram as its right-hand side and no use yet.
    fn new_rule(&mut self, pair: Pair) -> u32 {
        let rule = match self.free_rule {
            NONE => {
                self.rules.push(Rule { first: NONE, last: NONE, uses: 0 });
                (self.rules.len() - 1) as u32
            }
            free => {
                self.free_rule = self.rules[free as usize].first;
                free
            }
        };
        let first = self.new_node(Node { value: pair.0, prev: !rule, next: NONE });
        let last = self.new_node(Node { value: pair.1, prev: first, next: !rule });
        self.nodes[first as usize].next = last;
        self.rules[rule as usize] = Rule { first, last, uses: 0 };
        for symbol in [pair.0, pair.1] {
            if let Some(child) = self.rule_named(symbol) {
                self.rules[child as usize].uses += 1;
            }
        }
        rule
    }

    fn new_node(&mut self, node: Node) -> u32 {
        if self.free_node == NONE {
            self.nodes.push(node);
            (self.nodes.len() - 1) as u32
        } else {
            let free = self.free_node;
            self.free_node = self.next(free);
            self.nodes[free as usize] = node;
            free
        }
    }

    fn free(&mut self, node: u32) {
        self.nodes[node as usize].next = self.free_node;
        self.free_node = node;
    }

    /// Copies the lists out.
    fn into_rule_set(self) -> RuleSet {
        let Self { tokens, first_end, nodes, rules, documents, digrams, .. } = self;
        drop(digrams);
        let mut symbols = Vec::new();
        let mut copy_list = |first: u32| {
            let start = symbols.len() as u32;
            let mut link = first;
            while link < first_end {
                let Node { value, next, .. } = nodes[link as usize];
                symbols.push(value);
                link = next;
            }
            start
        };
        let mut doc_starts: Vec<u32> = documents.iter().map(|&first| copy_list(first)).collect();
        let mut rule_starts = vec![0];
        rule_starts.extend(rules[1..].iter().map(|rule| {
            // A free number becomes an empty rule, which `arrange` drops because it has no use.
            copy_list(if rule.uses == 0 { BOUNDARY } else { rule.first })
        }));
        let end = symbols.len() as u32;
        rule_starts.push(end);
        doc_starts.push(rule_starts[1]);
        RuleSet { tokens, rule_starts, symbols, doc_starts }
    }
}
