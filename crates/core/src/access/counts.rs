//! How often each word stands in each document: the paper's word2rule times its rule2file.
//!
//! A document's words are a sorted list of ids, so a count is a binary search. Counts take one byte;
//! the few above 254 stand aside.
//!
//! ```text
//! documents: varint
//! stream: sizes    distinct words of each document, varints
//! stream: steps    of each word, by rising id: the step from the id before, varints
//! stream: counts   of each word, varints
//! ```

use crate::format::bytes::{ByteReader, Malformed, put_varint};
use crate::format::layer::{Layer, put_stream, take_stream};
use crate::grammar::{Grammar, Symbol};
use crate::token::{Dictionary, TokenClass};
use rayon::prelude::*;

/// In place of a count that stands aside.
const ASIDE: u8 = u8::MAX;

/// Counts of words in the documents of a segment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct WordCounts {
    /// Where each document's words begin, and the end.
    starts: Vec<u32>,
    words: Vec<u32>,
    counts: Vec<u8>,
    /// Places in `words` whose count is large, rising, and the counts.
    aside: Vec<(u32, u64)>,
}

impl WordCounts {
    /// Counts, documents in parallel.
    pub(crate) fn new(grammar: &Grammar, dictionary: &Dictionary) -> Self {
        let first = dictionary.ids(TokenClass::Separator).end;
        let ready = ReadyWords::new(grammar, first);
        let lengths = grammar.expanded_lengths();
        let none =
            || (vec![0u64; (grammar.tokens() - first) as usize], vec![0u64; grammar.rule_count()]);
        let documents: Vec<Vec<(u32, u64)>> = (0..grammar.doc_count())
            .into_par_iter()
            .map_init(none, |(counts, weights), document| {
                let mut words = Vec::new();
                let mut found = |word: u32, times: u64| {
                    let count = &mut counts[(word - first) as usize];
                    if *count == 0 {
                        words.push(word);
                    }
                    *count = count.saturating_add(times);
                };
                let symbols = grammar.document(document);
                let tokens = symbols.iter().fold(0u64, |sum, &symbol| {
                    let tokens = grammar.as_rule(symbol).map_or(1, |rule| lengths[rule]);
                    sum.saturating_add(tokens)
                });
                // A text longer than the grammar is never passed through.
                if tokens > grammar.symbols().len() as u64 {
                    weigh(grammar, first, symbols, weights, &mut found);
                } else {
                    ready.each_word(grammar, symbols, |word| found(word, 1));
                }
                words.sort_unstable();
                let take = |word: u32| std::mem::take(&mut counts[(word - first) as usize]);
                words.iter().copied().zip(words.iter().copied().map(take)).collect()
            })
            .collect();
        let mut all = Self { starts: vec![0], ..Self::default() };
        for document in documents {
            document.into_iter().for_each(|(word, count)| all.push(word, count));
            all.end_document();
        }
        all
    }

    fn push(&mut self, word: u32, count: u64) {
        if count >= u64::from(ASIDE) {
            self.aside.push((self.words.len() as u32, count));
        }
        self.words.push(word);
        self.counts.push(count.min(u64::from(ASIDE)) as u8);
    }

    fn end_document(&mut self) {
        self.starts.push(self.words.len() as u32);
    }

    /// How often a word stands in a document.
    pub(crate) fn get(&self, document: usize, word: u32) -> u64 {
        let (start, end) = (self.starts[document] as usize, self.starts[document + 1] as usize);
        match self.words[start..end].binary_search(&word) {
            Err(_) => 0,
            Ok(at) => self.count_at(start + at),
        }
    }

    fn count_at(&self, at: usize) -> u64 {
        match self.counts[at] {
            ASIDE => {
                let place = self.aside.partition_point(|&(place, _)| (place as usize) < at);
                self.aside[place].1
            }
            count => u64::from(count),
        }
    }

    pub(crate) fn to_bytes(&self, layer: Layer) -> Vec<u8> {
        let [mut sizes, mut steps, mut counts] = [const { Vec::new() }; 3];
        for range in self.starts.windows(2) {
            put_varint(&mut sizes, u64::from(range[1] - range[0]));
            let mut last = 0;
            for at in range[0] as usize..range[1] as usize {
                put_varint(&mut steps, u64::from(self.words[at] - last));
                put_varint(&mut counts, self.count_at(at));
                last = self.words[at];
            }
        }
        let mut out = Vec::new();
        put_varint(&mut out, self.starts.len() as u64 - 1);
        for stream in [sizes, steps, counts] {
            put_stream(&mut out, layer, &stream);
        }
        out
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote, for so many documents and tokens.
    pub(crate) fn from_bytes(
        bytes: &[u8],
        documents: usize,
        tokens: usize,
    ) -> Result<Self, Malformed> {
        let mut reader = ByteReader::new(bytes);
        let count = reader.varint()?;
        if count != documents as u64 {
            return reader.malformed(format!("counts of {count} documents, not {documents}"));
        }
        let sizes = take_stream(&mut reader)?;
        let steps = take_stream(&mut reader)?;
        let counts = take_stream(&mut reader)?;
        reader.expect_end()?;
        let (mut sizes, mut steps) = (ByteReader::new(&sizes), ByteReader::new(&steps));
        let mut counts = ByteReader::new(&counts);
        let mut all = Self { starts: vec![0], ..Self::default() };
        let mut document = || -> Result<(), Malformed> {
            // Every word takes a byte, so what is left bounds how many there can be.
            let size = sizes.varint_at_most(steps.remaining() as u64, "distinct words")?;
            let mut word = 0;
            for at in 0..size {
                let step = steps.varint_at_most(tokens as u64, "a word's id")?;
                if at > 0 && step == 0 {
                    return steps.malformed("a word stands twice");
                }
                word += step;
                if word >= tokens as u64 {
                    return steps.malformed(format!("no token {word}"));
                }
                let count = counts.varint()?;
                if count == 0 {
                    return counts.malformed("a count of 0");
                }
                all.push(word as u32, count);
            }
            all.end_document();
            Ok(())
        };
        (0..documents)
            .try_for_each(|_| document())
            .and_then(|()| sizes.expect_end())
            .and_then(|()| steps.expect_end())
            .and_then(|()| counts.expect_end())
            .map_err(|error| Malformed::at(reader.offset(), format!("word counts: {error}")))?;
        Ok(all)
    }
}

/// Calls `found` with words of some symbols and how often they stand there, by passing the weight of
/// every rule down to what it is made of. `weights` must be all zero, and is so afterwards.
fn weigh(
    grammar: &Grammar,
    first: u32,
    symbols: &[Symbol],
    weights: &mut [u64],
    found: &mut impl FnMut(u32, u64),
) {
    let mut pass = |weights: &mut [u64], symbols: &[Symbol], weight: u64| {
        for &symbol in symbols {
            match grammar.as_rule(symbol) {
                Some(rule) => weights[rule] = weights[rule].saturating_add(weight),
                None if symbol >= first => found(symbol, weight),
                None => {}
            }
        }
    };
    pass(weights, symbols, 1);
    for rule in 1..grammar.rule_count() {
        let weight = std::mem::take(&mut weights[rule]);
        if weight > 0 {
            pass(weights, grammar.rule(rule), weight);
        }
    }
}

/// The words of short rules, written out once: most of a text is short rules, used often.
struct ReadyWords {
    /// First token that is a word.
    first: u32,
    /// Of each rule, where its words begin and how many they are; `LONG` if they are not here.
    places: Vec<(u32, u32)>,
    words: Vec<u32>,
}

/// In place of the number of words of a rule that is expanded each time.
const LONG: u32 = u32::MAX;

/// A rule with more words is expanded each time.
const READY_WORDS: u32 = 64;

/// All words written out stay below this number.
const READY_TOTAL: usize = 1 << 25;

impl ReadyWords {
    fn new(grammar: &Grammar, first: u32) -> Self {
        let places = vec![(0, LONG); grammar.rule_count()];
        let mut ready = Self { first, places, words: Vec::new() };
        for rule in (1..grammar.rule_count()).rev() {
            let start = ready.words.len();
            if start < READY_TOTAL && ready.write_out(grammar.rule(rule), grammar) {
                ready.places[rule] = (start as u32, (ready.words.len() - start) as u32);
            } else {
                ready.words.truncate(start);
            }
        }
        ready
    }

    /// Appends the words of a rule's body; `false` if they are too many.
    fn write_out(&mut self, body: &[Symbol], grammar: &Grammar) -> bool {
        let most = self.words.len() + READY_WORDS as usize;
        for &symbol in body {
            match grammar.as_rule(symbol) {
                None if symbol >= self.first => self.words.push(symbol),
                None => {}
                Some(rule) => {
                    let (start, len) = self.places[rule];
                    if len == LONG {
                        return false;
                    }
                    self.words.extend_from_within(start as usize..(start + len) as usize);
                }
            }
            if self.words.len() > most {
                return false;
            }
        }
        true
    }

    /// Calls `found` with every word of some symbols, in any order.
    fn each_word<'a>(
        &self,
        grammar: &'a Grammar,
        symbols: &'a [Symbol],
        mut found: impl FnMut(u32),
    ) {
        let mut pending = vec![symbols];
        while let Some(symbols) = pending.pop() {
            for &symbol in symbols {
                match grammar.as_rule(symbol) {
                    None if symbol >= self.first => found(symbol),
                    None => {}
                    Some(rule) => {
                        let (start, len) = self.places[rule];
                        if len == LONG {
                            pending.push(grammar.rule(rule));
                        } else {
                            let words = &self.words[start as usize..(start + len) as usize];
                            words.iter().copied().for_each(&mut found);
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn counts_come_back(
            documents in proptest::collection::vec(
                proptest::collection::btree_map(0u32..500, 1u64..2000, 0..20), 0..8),
        ) {
            let mut counts = WordCounts { starts: vec![0], ..WordCounts::default() };
            for document in &documents {
                document.iter().for_each(|(&word, &count)| counts.push(word, count));
                counts.end_document();
            }
            let bytes = counts.to_bytes(Layer::Zstd);
            let back = WordCounts::from_bytes(&bytes, documents.len(), 500).unwrap();
            prop_assert_eq!(&back, &counts);
            for (number, document) in documents.iter().enumerate() {
                for word in 0..500 {
                    let expected = document.get(&word).copied().unwrap_or(0);
                    prop_assert_eq!(back.get(number, word), expected);
                }
            }
            prop_assert!(WordCounts::from_bytes(&bytes, documents.len() + 1, 500).is_err());
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            let _ = WordCounts::from_bytes(&bytes, 3, 100);
        }
    }
}
