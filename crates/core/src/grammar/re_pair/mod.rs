//! Re-Pair in rounds: the most frequent pairs of neighbours become rules, many at a time.
//!
//! Larsson and Moffat's Re-Pair replaces the single most frequent pair, over and over, with a
//! queue and linked occurrence lists: several cache misses per replacement, on one core only. Here one
//! *round* makes rules of the most frequent pairs that occur at least `threshold` times and replaces them
//! all in one pass. Where two chosen pairs overlap, the more frequent one wins, as in the original. When
//! no such pairs are left, the threshold falls and all pairs are counted. In between, each round only
//! updates the counts that it changes. Counting and replacing are scans over flat chunks, so they use the
//! cache well and all cores.
//!
//! The result does not depend on the number of threads: chunks have a fixed size, counts are
//! exact sums, and ties are broken by the symbols themselves.

use super::{Grammar, GrammarBuilder, RuleSet, Symbol, TokenDocs};
use crate::progress::{Interrupted, Progress};

mod candidates;
mod choose;
mod count;
mod filter;
mod replace;
mod scatter;

use candidates::Candidates;
use choose::choose;
use count::{Pair, symbols_of};
use replace::{HotPairs, replace_pairs};
use scatter::Scattered;

/// Separates documents in a chunk. It is in no pair.
const BREAK: Symbol = Symbol::MAX;

/// Symbols per chunk at first: small enough to divide evenly among threads, large enough that the pairs
/// lost at chunk borders do not matter.
const CHUNK: usize = 1 << 20;

/// Builds grammars by making rules of pairs of neighbours, the most frequent first.
#[derive(Clone, Copy, Debug)]
pub struct RePair {
    /// Pairs that occur less often are not replaced; at least 2.
    pub min_count: u32,
    /// Rules that save less are inlined; see [`RuleSet::arrange_worthy`].
    pub min_gain: u64,
}

impl Default for RePair {
    fn default() -> Self {
        Self { min_count: 2, min_gain: 2 }
    }
}

impl GrammarBuilder for RePair {
    fn build(&self, input: TokenDocs<'_>, progress: &dyn Progress) -> Result<Grammar, Interrupted> {
        let mut state = State::new(input);
        let min_count = self.min_count.max(2);
        // No pair is more frequent than the most frequent symbol.
        let most = state.frequency.iter().copied().max().unwrap_or(0);
        let lower = |threshold: u32| match threshold / THRESHOLD_STEP {
            0..LOW_THRESHOLD => min_count,
            lower => lower.max(min_count),
        };
        let mut threshold = lower(most);
        loop {
            state.replace_frequent(threshold, threshold == min_count, progress)?;
            if threshold == min_count {
                return Ok(state.into_grammar(input, self.min_gain));
            }
            threshold = lower(threshold);
        }
    }
}

/// At most this share of all symbols is replaced in one round. Pairs chosen in the same round cannot
/// react to each other's replacements, so smaller rounds give a better grammar. Each full round shortens
/// the sequence by this share, so total work stays linear.
const ROUND_SHARE: usize = 16;

/// The threshold falls by this factor. All pairs are counted once per threshold; a lower threshold
/// means more candidates to keep.
const THRESHOLD_STEP: u32 = 64;

/// Below this, the threshold falls to the last one at once: counting in between is not worth it.
const LOW_THRESHOLD: u32 = 6;

/// A round is the last one if it replaces less than this share of all symbols.
const WORTH_A_ROUND: usize = 512;

/// The sequence as it shrinks, and the rules so far.
struct State {
    /// Number of terminals; rule `k` of `pairs` is symbol `tokens + 1 + k`, as rule 0 is the root.
    tokens: u32,
    chunks: Vec<Vec<Symbol>>,
    pairs: Vec<(Symbol, Symbol)>,
    /// Occurrences of each symbol in the chunks.
    frequency: Vec<u32>,
    scattered: Scattered,
}

impl State {
    fn new(input: TokenDocs<'_>) -> Self {
        let mut chunks = vec![Vec::new()];
        for document in input.documents() {
            let mut rest = document;
            while !rest.is_empty() {
                let last = chunks.last_mut().expect("there is always a chunk");
                if last.len() >= CHUNK {
                    chunks.push(Vec::with_capacity(CHUNK.min(rest.len())));
                    continue;
                }
                let (now, later) = rest.split_at(rest.len().min(CHUNK - last.len()));
                last.extend_from_slice(now);
                rest = later;
            }
            chunks.last_mut().expect("there is always a chunk").push(BREAK);
        }
        let mut frequency = vec![0u32; input.tokens as usize + 1];
        for &id in input.ids {
            frequency[id as usize] += 1;
        }
        Self {
            tokens: input.tokens,
            chunks,
            pairs: Vec::new(),
            frequency,
            scattered: Scattered::default(),
        }
    }

    fn len(&self) -> usize {
        self.chunks.iter().map(Vec::len).sum()
    }

    /// Replaces the pairs that occur at least `threshold` times, round by round. At the `last` threshold
    /// it continues with the new pairs that result.
    fn replace_frequent(
        &mut self,
        threshold: u32,
        last: bool,
        progress: &dyn Progress,
    ) -> Result<(), Interrupted> {
        progress.check()?;
        self.scattered.all(&mut self.chunks, &self.frequency, threshold);
        let mut candidates = Candidates::new(&self.scattered, threshold);
        loop {
            let (hot, took_all) = choose(candidates.iter(), self.len() / ROUND_SHARE);
            let goes_on = last || !took_all;
            let replaced = self.replace(&hot, goes_on);
            if !goes_on || took_all && replaced <= self.len() / WORTH_A_ROUND {
                return Ok(());
            }
            progress.check()?;
            candidates.update(&self.scattered, hot.last().copied());
        }
    }

    /// One round: makes rules of the pairs in `hot` and replaces them everywhere. Returns how often. If
    /// another round follows, new and broken pairs are `noted`.
    fn replace(&mut self, hot: &[(Pair, u32)], noted: bool) -> usize {
        if hot.is_empty() {
            return 0;
        }
        let first = self.tokens + 1 + self.pairs.len() as u32;
        let map = HotPairs::new(hot, first);
        let made = self.scattered.changes(&mut self.chunks, |group, partitions| {
            let mut made = vec![0; hot.len()];
            for chunk in group {
                replace_pairs(chunk, &map, &mut made, noted.then_some(&mut *partitions));
            }
            made
        });
        let mut replaced = 0usize;
        for (rule, &(pair, _)) in hot.iter().enumerate() {
            let made = made.iter().map(|made| made[rule]).sum();
            let (left, right) = symbols_of(pair);
            self.frequency[left as usize] -= made;
            self.frequency[right as usize] -= made;
            self.frequency.push(made);
            self.pairs.push((left, right));
            replaced += made as usize;
        }
        replaced
    }

    fn into_grammar(self, input: TokenDocs<'_>, min_gain: u64) -> Grammar {
        let mut doc_starts = Vec::with_capacity(input.doc_starts.len());
        let mut symbols = Vec::with_capacity(self.len() + 2 * self.pairs.len());
        doc_starts.push(0);
        for chunk in &self.chunks {
            for &symbol in chunk {
                if symbol == BREAK {
                    doc_starts.push(symbols.len() as u32);
                } else {
                    symbols.push(symbol);
                }
            }
        }
        drop((self.chunks, self.scattered));
        let mut rule_starts = Vec::with_capacity(self.pairs.len() + 2);
        rule_starts.push(0);
        for &(left, right) in &self.pairs {
            rule_starts.push(symbols.len() as u32);
            symbols.extend([left, right]);
        }
        rule_starts.push(symbols.len() as u32);
        RuleSet { tokens: self.tokens, rule_starts, symbols, doc_starts }.arrange_worthy(min_gain)
    }
}
