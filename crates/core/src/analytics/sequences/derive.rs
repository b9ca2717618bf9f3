//! Derives a grammar of sequences from a grammar of words (gtadoc section IV-D, tadoc section 4.4).
//!
//! Each rule owns the sequences that span two or more of its symbols; those within a symbol belong
//! to that symbol's rule. To see across a border, only the first and last `n - 1` words of a rule
//! are needed: its head and tail. In the derived grammar each rule has its sequences as tokens, and
//! the same rules as before. It contains every sequence of every document exactly as often as it
//! occurs, so that counting sequences is counting words.

use super::{Key, Packing};
use crate::grammar::{Grammar, Symbol};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// A grammar whose tokens are sequences.
#[derive(Debug)]
pub(crate) struct Derived<K> {
    pub(crate) grammar: Grammar,
    /// The sequences, in ascending order; token `t` of the grammar is `keys[t]`.
    pub(crate) keys: Vec<K>,
}

/// The most words that heads and tails may have together. Beyond that, sequences are streamed.
const MOST_EDGE_WORDS: usize = 1 << 26;

/// Derives the sequences of a grammar whose tokens are words. `None` if heads and tails would take
/// too much memory, or the sequences exceed 32-bit numbers.
pub(crate) fn derive<K: Key>(words: &Grammar, packing: &Packing) -> Option<Derived<K>> {
    let edges = RuleEdges::new(words, packing.n, MOST_EDGE_WORDS)?;
    let mut rows = Rows { edges, packing, numbers: HashMap::default(), body: Vec::new() };
    let mut bodies: Vec<u32> = Vec::new();
    let mut doc_starts = vec![0];
    let mut rule_starts = vec![0];
    let documents = (0..words.doc_count()).map(|doc| (true, words.document(doc)));
    let rules = (1..words.rule_count()).map(|rule| (false, words.rule(rule)));
    for (is_document, body) in documents.chain(rules) {
        if !is_document && rule_starts.len() == 1 {
            rule_starts.push(bodies.len() as u32);
        }
        rows.read(words, body);
        bodies.append(&mut rows.body);
        if bodies.len() > u32::MAX as usize || rows.numbers.len() >= RULE as usize {
            return None;
        }
        let starts = if is_document { &mut doc_starts } else { &mut rule_starts };
        starts.push(bodies.len() as u32);
    }
    if rule_starts.len() == 1 {
        rule_starts.push(bodies.len() as u32);
    }

    // Sequences get their final numbers in the order of their words.
    let mut keys: Vec<(K, u32)> = rows.numbers.into_iter().collect();
    keys.sort_unstable();
    let sequences = keys.len() as u32;
    if u64::from(sequences) + words.rule_count() as u64 > u64::from(u32::MAX) {
        return None;
    }
    let mut finals = vec![0; keys.len()];
    for ((_, provisional), number) in keys.iter().zip(0..) {
        finals[*provisional as usize] = number;
    }
    for symbol in &mut bodies {
        *symbol = match *symbol & RULE {
            0 => finals[*symbol as usize],
            _ => sequences + (*symbol & !RULE),
        };
    }
    let grammar = Grammar::from_checked(sequences, rule_starts, bodies, doc_starts);
    Some(Derived { grammar, keys: keys.into_iter().map(|(key, _)| key).collect() })
}

/// Marks rules among provisional symbols.
const RULE: u32 = 1 << 31;

/// First and last words of every rule.
pub(crate) struct RuleEdges {
    n: usize,
    words: Vec<u32>,
    rules: Vec<RuleEdge>,
}

#[derive(Clone, Copy, Debug, Default)]
struct RuleEdge {
    /// Number of words that the rule expands to.
    len: u64,
    /// Start of its edge words: all its words if there are at most `2 (n - 1)`, otherwise the first
    /// `n - 1` and the last `n - 1`.
    start: usize,
}

impl RuleEdges {
    /// The edges that sequences of `n` words need; `None` if they have more than `most_words` words.
    pub(crate) fn new(grammar: &Grammar, n: usize, most_words: usize) -> Option<Self> {
        let span = n - 1;
        let mut edges =
            Self { n, words: Vec::new(), rules: vec![RuleEdge::default(); grammar.rule_count()] };
        for rule in (1..grammar.rule_count()).rev() {
            let body = grammar.rule(rule);
            let len = body
                .iter()
                .fold(0u64, |len, &symbol| len.saturating_add(edges.len(grammar, symbol)));
            let start = edges.words.len();
            if edges.is_short(len) {
                for &symbol in body {
                    edges.copy(grammar, symbol, 0, edges.len(grammar, symbol) as usize);
                }
            } else {
                let mut left = span;
                for &symbol in body {
                    let take = (edges.len(grammar, symbol)).min(left as u64) as usize;
                    edges.copy(grammar, symbol, 0, take);
                    left -= take;
                    if left == 0 {
                        break;
                    }
                }
                edges.copy_tail(grammar, body, span);
            }
            edges.rules[rule] = RuleEdge { len, start };
            if edges.words.len() > most_words {
                return None;
            }
        }
        Some(edges)
    }

    fn is_short(&self, len: u64) -> bool {
        len <= 2 * (self.n as u64 - 1)
    }

    fn len(&self, grammar: &Grammar, symbol: Symbol) -> u64 {
        grammar.as_rule(symbol).map_or(1, |rule| self.rules[rule].len)
    }

    /// Whether a rule's edge words are all its words.
    pub(crate) fn has_all(&self, rule: usize) -> bool {
        self.is_short(self.rules[rule].len)
    }

    /// A rule's edge words, as described at [`RuleEdge::start`].
    pub(crate) fn of(&self, rule: usize) -> &[u32] {
        let RuleEdge { len, start } = self.rules[rule];
        let stored = len.min(2 * (self.n as u64 - 1)) as usize;
        &self.words[start..start + stored]
    }

    /// Appends `len` edge words of a symbol from `from` on, which must be in its head.
    fn copy(&mut self, grammar: &Grammar, symbol: Symbol, from: usize, len: usize) {
        match grammar.as_rule(symbol) {
            None => self.words.extend((len > 0).then_some(symbol)),
            Some(rule) => {
                let start = self.rules[rule].start + from;
                self.words.extend_from_within(start..start + len);
            }
        }
    }

    /// Appends the last `span` words of a body that has more.
    fn copy_tail(&mut self, grammar: &Grammar, body: &[Symbol], span: usize) {
        let mut left = span;
        let mut first = body.len();
        while left > 0 {
            first -= 1;
            let len = self.len(grammar, body[first]);
            left -= len.min(left as u64) as usize;
        }
        // Of the first of these symbols, only the last words may be needed.
        let mut wanted = span;
        for at in (first..body.len()).rev() {
            let len = self.len(grammar, body[at]);
            let take = len.min(wanted as u64) as usize;
            wanted -= take;
            if at == first {
                let stored = match grammar.as_rule(body[at]) {
                    Some(_) => len.min(2 * (self.n as u64 - 1)) as usize,
                    None => 1,
                };
                self.copy(grammar, body[at], stored - take, take);
            }
        }
        for &symbol in &body[first + 1..] {
            let len = self.len(grammar, symbol) as usize;
            self.copy(grammar, symbol, 0, len);
        }
    }
}

/// Reads bodies as rows of sequences and rules.
struct Rows<'p, K> {
    edges: RuleEdges,
    packing: &'p Packing,
    /// Provisional numbers of sequences.
    numbers: HashMap<K, u32, FxBuildHasher>,
    body: Vec<u32>,
}

impl<K: Key> Rows<'_, K> {
    /// Collects the sequences that span symbols of `body`, and the rules that contain sequences.
    fn read(&mut self, grammar: &Grammar, body: &[Symbol]) {
        let n = self.packing.n;
        let mut key = K::empty(self.packing);
        // Words since the last break, or since words that were not copied.
        let mut unbroken = 0usize;
        for &symbol in body {
            let Some(rule) = grammar.as_rule(symbol) else {
                key = key.roll(symbol, self.packing);
                unbroken = self.packing.unbroken(unbroken, symbol);
                if unbroken >= n {
                    push(&mut self.numbers, &mut self.body, &key);
                }
                continue;
            };
            let len = self.edges.rules[rule].len;
            let words = self.edges.of(rule);
            let is_short = self.edges.is_short(len);
            let head = if is_short { words } else { &words[..n - 1] };
            for (at, &word) in head.iter().enumerate() {
                key = key.roll(word, self.packing);
                unbroken = self.packing.unbroken(unbroken, word);
                if unbroken >= n && at + 1 < n {
                    push(&mut self.numbers, &mut self.body, &key);
                }
            }
            if !is_short {
                unbroken = 0;
                for &word in &words[n - 1..] {
                    key = key.roll(word, self.packing);
                    unbroken = self.packing.unbroken(unbroken, word);
                }
            }
            if len >= n as u64 {
                self.body.push(RULE | rule as u32);
            }
        }
    }
}

#[inline]
fn push<K: Key>(numbers: &mut HashMap<K, u32, FxBuildHasher>, body: &mut Vec<u32>, key: &K) {
    let next = numbers.len() as u32;
    body.push(*numbers.entry_ref(key).or_insert(next));
}
