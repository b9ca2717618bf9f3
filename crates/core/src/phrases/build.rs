//! Builds the phrase index of a segment: sorts the suffixes of its words and derives ψ.
//!
//! Memory is 8 bytes a word, plus what the result takes: the text is overwritten with the ranks of its
//! places, and the suffix array with ψ.

use super::BuildError;
use super::text::{END, Text};
use crate::grammar::Grammar;

/// Places are recorded so densely that this many times the distance between two samples is walked at
/// most. Only texts that repeat themselves exactly need more places than those at every so many ranks.
pub(super) const MOST_WALKS: u32 = 32;

/// The suffixes of a segment's words, sorted: everything that the index stores, uncompressed.
///
/// Symbols are the ends of documents, in their order, then the words by token. *Ranks* number the
/// suffixes from 0; those that begin with the end of a document come first. An *entry* is a rank less
/// the number of documents.
pub(super) struct Sorted {
    /// Where each document's words begin, counting the ends before them.
    pub(super) starts: Vec<u32>,
    /// How often each word occurs, by token.
    pub(super) counts: Vec<u32>,
    /// For each entry, the rank of the suffix one word on: ψ.
    pub(super) next: Vec<i32>,
    /// The rank of the suffix at each place.
    ranks: Vec<i32>,
}

impl Sorted {
    /// Sorts the words of a grammar; its tokens below `first_word` are separators.
    pub(super) fn new(grammar: &Grammar, first_word: u32) -> Result<Self, BuildError> {
        let Text { mut symbols, documents } = Text::of(grammar, first_word)?;
        let mut counts = vec![0u32; (grammar.tokens() - first_word) as usize];
        for &symbol in symbols.iter().filter(|&&symbol| symbol != END) {
            counts[symbol as usize] += 1;
        }
        let mut starts = Vec::with_capacity(documents);
        number_symbols(&mut symbols, &counts, &mut starts);
        let mut next = sort(&mut symbols)?;
        for (rank, &place) in (0..).zip(&next) {
            symbols[place as usize] = rank;
        }
        let ranks = symbols;
        let entries = next.len() - documents;
        for entry in 0..entries {
            next[entry] = ranks[next[entry + documents] as usize + 1];
        }
        next.truncate(entries);
        Ok(Self { starts, counts, next, ranks })
    }

    /// Number of documents.
    pub(super) fn documents(&self) -> u32 {
        self.starts.len() as u32
    }

    /// The rank of the first document's first suffix.
    pub(super) fn first(&self) -> u32 {
        self.ranks.first().map_or(0, |&rank| rank as u32)
    }

    /// The bits of a rank.
    pub(super) fn rank_bits(&self) -> u32 {
        rank_bits(self.ranks.len() as u64)
    }

    /// The key of each entry, in order: the number of its word among those that occur, and ψ in the
    /// lowest bits. Keys rise strictly.
    pub(super) fn keys(&self) -> impl Iterator<Item = u64> {
        let bits = self.rank_bits();
        let counts = self.counts.iter().filter(|&&count| count > 0);
        let words = (0u64..).zip(counts).flat_map(|(word, &count)| (0..count).map(move |_| word));
        words.zip(&self.next).map(move |(word, &next)| word << bits | next as u64)
    }

    /// The places of every so many entries, and of a few more, so that no walk to a recorded place takes
    /// more than [`MOST_WALKS`] times as many steps. In a text that repeats itself exactly, all suffixes
    /// on a walk may have ranks between two regular ones.
    pub(super) fn samples(&self, step: u32) -> (Vec<u32>, Vec<(u32, u32)>) {
        let ends = self.documents();
        let mut samples = vec![0; self.next.len().div_ceil(step as usize)];
        let (mut extra, mut walked) = (Vec::new(), 0);
        for (place, &rank) in self.ranks.iter().enumerate().rev() {
            match (rank as u32).checked_sub(ends) {
                None => walked = 0,
                Some(entry) if entry.is_multiple_of(step) => {
                    samples[(entry / step) as usize] = place as u32;
                    walked = 0;
                }
                Some(_) if walked + 1 < MOST_WALKS * step => walked += 1,
                Some(entry) => {
                    extra.push((entry, place as u32));
                    walked = 0;
                }
            }
        }
        extra.sort_unstable();
        (samples, extra)
    }
}

/// The bits of a number below `suffixes`.
pub(super) fn rank_bits(suffixes: u64) -> u32 {
    (64 - suffixes.saturating_sub(1).leading_zeros()).max(1)
}

/// Numbers the ends of documents from 0, and behind them the words that occur. Records where each
/// document starts.
fn number_symbols(symbols: &mut [i32], counts: &[u32], starts: &mut Vec<u32>) {
    let documents = symbols.iter().filter(|&&symbol| symbol == END).count() as i32;
    let mut numbers = Vec::with_capacity(counts.len());
    let mut next = documents;
    for &count in counts {
        numbers.push(next);
        next += i32::from(count > 0);
    }
    let mut start = 0;
    for (place, symbol) in (0u32..).zip(symbols) {
        if *symbol == END {
            *symbol = starts.len() as i32;
            starts.push(start);
            start = place + 1;
        } else {
            *symbol = numbers[*symbol as usize];
        }
    }
}

/// The suffix array of a text that ends with a symbol of its own. Leaves the text as it was.
#[cfg(feature = "phrases")]
fn sort(symbols: &mut [i32]) -> Result<Vec<i32>, BuildError> {
    use libsais::SuffixArrayConstruction;
    if symbols.len() < 2 {
        return Ok((0..symbols.len() as i32).collect());
    }
    let mut suffixes = vec![0i32; symbols.len()];
    SuffixArrayConstruction::for_text_mut(symbols)
        .in_borrowed_buffer(&mut suffixes)
        .single_threaded()
        .run()
        .map_err(|_| BuildError::OutOfMemory)?;
    Ok(suffixes)
}

#[cfg(not(feature = "phrases"))]
fn sort(_: &mut [i32]) -> Result<Vec<i32>, BuildError> {
    Err(super::check_feature().expect_err("the feature is missing").into())
}
