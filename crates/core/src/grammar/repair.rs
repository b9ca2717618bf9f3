//! Re-Pair in rounds: the most frequent pairs of neighbours become rules, many at a time.
//!
//! Larsson and Moffat's Re-Pair replaces the single most frequent pair, over and over, with a
//! queue and linked occurrence lists: several cache misses for each replacement, and no way to use
//! a second core. Here one *round* makes rules of the most frequent pairs that occur at least
//! `threshold` times and replaces them all in one pass; where two chosen pairs overlap, the more
//! frequent one wins, as it would have in the original. When no such pairs are left the threshold
//! falls and all pairs are counted; in between, counts are kept up to date by what a round changes.
//! Counting and replacing are scans over flat chunks, so they run from cache and on all cores.
//!
//! The result does not depend on the number of threads: chunks have a fixed size, counts are
//! exact sums, and ties are broken by the symbols themselves.

use super::{Grammar, GrammarBuilder, RuleSet, Symbol, TokenDocs};
use crate::progress::{Interrupted, Progress};
use rayon::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

mod candidates;
mod choose;
mod count;
mod replace;

use candidates::Candidates;
use choose::choose;
use count::{Pair, PairCounter, symbols_of};
use replace::{HotPairs, Noted, replace_pairs};

/// Stands between documents in a chunk; it pairs with nothing.
const BREAK: Symbol = Symbol::MAX;

/// Symbols a chunk holds at first: small enough to share out evenly, large enough that the pairs
/// lost at its borders do not matter.
const CHUNK: usize = 1 << 20;

/// Pairs of neighbours become rules, by falling frequency.
#[derive(Clone, Copy, Debug)]
pub struct RePair {
    /// A pair that occurs less often is left alone; at least 2.
    pub min_count: u32,
    /// A rule that saves less is written out where it is used; see [`RuleSet::arrange_worthy`].
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
        let lower = |threshold: u32| (threshold / THRESHOLD_STEP).max(min_count);
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

/// At most this share of all symbols is replaced in one round. What is taken together is not
/// weighed against its own consequences, so smaller rounds give a better grammar; the sequence
/// shrinks by as much in each full round, so the work stays linear.
const ROUND_SHARE: usize = 16;

/// The threshold falls by this factor. For each threshold all pairs are counted once; the lower it
/// is, the more candidates are to be kept.
const THRESHOLD_STEP: u32 = 16;

/// A round that replaces a smaller share of all symbols than this is the last.
const WORTH_A_ROUND: usize = 512;

/// The sequence as it shrinks, and the rules so far.
struct State {
    /// Number of terminals; rule `k` of `pairs` is symbol `tokens + 1 + k`, as rule 0 is the root.
    tokens: u32,
    chunks: Vec<Vec<Symbol>>,
    pairs: Vec<(Symbol, Symbol)>,
    /// Occurrences of each symbol in the chunks.
    frequency: Vec<u32>,
    counter: PairCounter,
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
            counter: PairCounter::default(),
        }
    }

    fn len(&self) -> usize {
        self.chunks.iter().map(Vec::len).sum()
    }

    /// Replaces the pairs that occur `threshold` times or more, round by round; if it is the `last`
    /// threshold, also those of the pairs that come of it.
    fn replace_frequent(
        &mut self,
        threshold: u32,
        last: bool,
        progress: &dyn Progress,
    ) -> Result<(), Interrupted> {
        progress.check()?;
        let counted = self.counter.count(&mut self.chunks, &self.frequency, threshold);
        let mut candidates = Candidates::new(counted, threshold);
        loop {
            let (hot, took_all) = choose(candidates.frequent(), self.len() / ROUND_SHARE);
            let goes_on = last || !took_all;
            let replaced = self.replace(&hot, goes_on.then_some(&candidates));
            if !goes_on || took_all && replaced <= self.len() / WORTH_A_ROUND {
                return Ok(());
            }
            progress.check()?;
            let is_frequent = |symbol: Symbol| self.frequency[symbol as usize] >= threshold;
            candidates.gain(self.counter.frequent(threshold, |pair| {
                let (left, right) = symbols_of(pair);
                is_frequent(left) && is_frequent(right)
            }));
        }
    }

    /// One round: makes rules of the pairs of `hot` and replaces them everywhere; returns how often.
    /// If there are `candidates` for another round, they lose what is broken up, and the counter has
    /// what they gain.
    fn replace(&mut self, hot: &[(Pair, u32)], candidates: Option<&Candidates>) -> usize {
        if hot.is_empty() {
            return 0;
        }
        let first = self.tokens + 1 + self.pairs.len() as u32;
        let map = HotPairs::new(hot, first);
        let made: Vec<AtomicU32> = (0..hot.len()).map(|_| AtomicU32::new(0)).collect();
        match candidates {
            Some(candidates) => {
                candidates.take(hot);
                let fresh = self.len() / ROUND_SHARE * 2;
                self.counter.scatter(&mut self.chunks, fresh, |chunk, partitions| {
                    replace_pairs(chunk, &map, &made, Some(Noted { candidates, partitions }));
                });
            }
            None => {
                let replace = |chunk| replace_pairs(chunk, &map, &made, None);
                self.chunks.par_iter_mut().for_each(replace);
            }
        }
        let mut replaced = 0usize;
        for (&(pair, _), made) in hot.iter().zip(&made) {
            let made = made.load(Relaxed);
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
        drop((self.chunks, self.counter));
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
