//! Encodes word counts.
//!
//! Versions of one text have nearly the same words, so a document may be stored as its changes from the
//! document before. Entries are ordered by word, not by document: the documents of a word are often near
//! each other, and words in the same number of documents have steps of similar size. An entropy coder
//! needs the fewest bits for such steps. These are inverted lists; tadoc calls them an inverted index.
//!
//! ```text
//! documents: varint
//! stream: kinds    per document, a byte: 1 if its entries are changes from the document before
//! stream: entries  per token: the number of documents in which it has an entry; varints
//! stream: steps    per word, words with most entries first, then by id: for its first entry the number
//!                  of the document, for each further entry the step from the document before; varints
//! stream: counts   per entry, in the same order: the count, or its change as zigzag; varints
//! ```

use super::{ASIDE, ShortCounts, WordCounts};
use crate::format::bytes::{ByteReader, Malformed, from_zigzag, put_varint, zigzag};
use crate::format::layer::{Layer, put_stream, take_stream};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::ops::Range;

impl WordCounts {
    /// Encodes the counts, for a dictionary of `tokens` tokens.
    pub(crate) fn to_bytes(&self, tokens: usize, layer: Layer) -> Vec<u8> {
        let mut kinds = Vec::new();
        // All entries by document, and where the entries of each document end.
        let mut entries: Vec<(u32, u64)> = Vec::new();
        let mut ends = Vec::new();
        let mut before = 0..0;
        for starts in self.starts.windows(2) {
            let document = starts[0] as usize..starts[1] as usize;
            let changes = self.changes(before, document.clone());
            kinds.push(u8::from(changes.is_some()));
            match changes {
                Some(changes) => entries.extend(changes),
                None => {
                    entries.extend(document.clone().map(|at| (self.words[at], self.count_at(at))));
                }
            }
            ends.push(entries.len());
            before = document;
        }
        let mut numbers = vec![0u32; tokens];
        entries.iter().for_each(|&(word, _)| numbers[word as usize] += 1);
        // Moves each entry to the range of its word.
        let mut next = vec![0u32; tokens];
        let mut end = 0;
        for word in by_falling_number(&numbers) {
            next[word as usize] = end;
            end += numbers[word as usize];
        }
        let mut sorted = vec![(0u32, 0u64); entries.len()];
        let mut document = 0;
        for (at, &(word, count)) in entries.iter().enumerate() {
            while ends[document] <= at {
                document += 1;
            }
            let place = &mut next[word as usize];
            sorted[*place as usize] = (document as u32, count);
            *place += 1;
        }
        let [mut number_bytes, mut steps, mut counts] = [const { Vec::new() }; 3];
        numbers.iter().for_each(|&number| put_varint(&mut number_bytes, u64::from(number)));
        let mut sorted = sorted.into_iter();
        for word in by_falling_number(&numbers) {
            let mut last = 0;
            for (document, count) in sorted.by_ref().take(numbers[word as usize] as usize) {
                put_varint(&mut steps, u64::from(document - last));
                put_varint(&mut counts, count);
                last = document;
            }
        }
        let mut out = Vec::new();
        put_varint(&mut out, self.starts.len() as u64 - 1);
        for stream in [kinds, number_bytes, steps, counts] {
            put_stream(&mut out, layer, &stream);
        }
        out
    }

    /// The changes from one document's counts to another's; `None` if they are not fewer than the words
    /// of the latter.
    fn changes(&self, before: Range<usize>, after: Range<usize>) -> Option<Vec<(u32, u64)>> {
        let most = after.len();
        let (mut before, mut after) = (before.peekable(), after.peekable());
        let mut changes = Vec::new();
        while changes.len() < most {
            let words = [before.peek(), after.peek()].map(|at| at.map(|&at| self.words[at]));
            let Some(word) = words.into_iter().flatten().min() else { return Some(changes) };
            let count = |side: &mut std::iter::Peekable<Range<usize>>| {
                side.next_if(|&at| self.words[at] == word).map_or(0, |at| self.count_at(at))
            };
            let (old, new) = (count(&mut before), count(&mut after));
            if old != new {
                changes.push((word, zigzag(new.wrapping_sub(old) as i64)));
            }
        }
        None
    }

    /// Decodes what [`to_bytes`](Self::to_bytes) wrote, for this number of documents and of tokens. Refuses
    /// more than `most` words in all.
    pub(crate) fn from_bytes(
        bytes: &[u8],
        documents: usize,
        tokens: usize,
        most: u64,
    ) -> Result<Self, Malformed> {
        let mut reader = ByteReader::new(bytes);
        let count = reader.varint()?;
        if count != documents as u64 {
            return reader.malformed(format!("counts of {count} documents, not {documents}"));
        }
        let kinds = take_stream(&mut reader)?;
        let numbers = take_stream(&mut reader)?;
        let steps = take_stream(&mut reader)?;
        let counts = take_stream(&mut reader)?;
        reader.expect_end()?;
        let most = most.min(u64::from(u32::MAX)) as usize;
        let read = || {
            if kinds.len() != documents || kinds.iter().any(|&kind| kind > 1) {
                let what = format!("{} kinds of {documents} documents", kinds.len());
                return Err(Malformed::at(0, what));
            }
            // Each entry takes a byte at least, and no document has more entries than words.
            let numbers = take_numbers(&numbers, tokens, most.min(steps.len()))?;
            let entries = Entries::read(&numbers, documents, &steps, &counts)?;
            if !kinds.contains(&1) {
                let Entries { starts, words, counts } = entries;
                return Ok(Self { starts, words, counts });
            }
            let mut all = Self::none();
            for (document, &kind) in kinds.iter().enumerate() {
                entries.put_document(document, kind == 1, &mut all);
                // A document stored as changes takes few bytes and may have many words.
                if all.words.len() > most {
                    return Err(Malformed::at(0, "more words than the text has"));
                }
            }
            Ok(all)
        };
        read().map_err(|error| Malformed::at(reader.offset(), format!("word counts: {error}")))
    }
}

/// Words that have entries: those with most entries first, then by id.
fn by_falling_number(numbers: &[u32]) -> Vec<u32> {
    let mut words: Vec<u32> = (0..numbers.len() as u32).collect();
    words.retain(|&word| numbers[word as usize] > 0);
    words.sort_by_key(|&word| Reverse(numbers[word as usize]));
    words
}

/// The number of entries of each token; refuses more than `most` in all.
fn take_numbers(bytes: &[u8], tokens: usize, most: usize) -> Result<Vec<u32>, Malformed> {
    let mut reader = ByteReader::new(bytes);
    let mut left = most as u64;
    let mut numbers = Vec::with_capacity(tokens.min(bytes.len()));
    for _ in 0..tokens {
        let number = reader.varint_at_most(left, "entries of a word")?;
        left -= number;
        numbers.push(number as u32);
    }
    reader.expect_end()?;
    Ok(numbers)
}

/// All entries, by document.
struct Entries {
    /// Where each document's entries begin, and the end.
    starts: Vec<u32>,
    words: Vec<u32>,
    counts: ShortCounts,
}

impl Entries {
    fn read(
        numbers: &[u32],
        documents: usize,
        steps: &[u8],
        counts: &[u8],
    ) -> Result<Self, Malformed> {
        let (mut steps, mut counts) = (ByteReader::new(steps), ByteReader::new(counts));
        // Where each word's entries begin, by id.
        let mut first = Vec::with_capacity(numbers.len() + 1);
        let mut total = 0u32;
        for number in numbers {
            first.push(total);
            total += number;
        }
        // By word: documents and counts, apart from each other so that they take less memory.
        let mut by_word = vec![0u32; total as usize];
        let mut bytes = vec![0u8; total as usize];
        let mut large: FxHashMap<u32, u64> = FxHashMap::default();
        let mut starts = vec![0u32; documents + 1];
        for word in by_falling_number(numbers) {
            let (start, number) = (first[word as usize], numbers[word as usize]);
            let mut last = None;
            let range = start as usize..(start + number) as usize;
            let entries = by_word[range.clone()].iter_mut().zip(&mut bytes[range]);
            for (at, (entry, byte)) in (start..).zip(entries) {
                let step = steps.varint_at_most(documents as u64, "a step")?;
                let document = u64::from(last.unwrap_or_default()) + step;
                if document >= documents as u64 || last.is_some() && step == 0 {
                    return steps.malformed(format!("word {word} in document {document}"));
                }
                let count = counts.varint()?;
                if count == 0 {
                    return counts.malformed("a count of 0, or no change");
                }
                *entry = document as u32;
                *byte = count.min(u64::from(ASIDE)) as u8;
                if *byte == ASIDE {
                    large.insert(at, count);
                }
                last = Some(document as u32);
                starts[document as usize] += 1;
            }
        }
        steps.expect_end()?;
        counts.expect_end()?;
        let mut end = 0;
        for start in &mut starts {
            end += std::mem::replace(start, end);
        }
        Ok(Self::placed(numbers, &by_word, &bytes, &large, starts))
    }

    /// Sorts entries from the order of words to that of documents, whose entries begin at `starts`.
    /// `by_word` has their documents, `bytes` their counts unless these are in `large`.
    fn placed(
        numbers: &[u32],
        by_word: &[u32],
        bytes: &[u8],
        large: &FxHashMap<u32, u64>,
        starts: Vec<u32>,
    ) -> Self {
        let mut next = starts.clone();
        let mut words = vec![0; by_word.len()];
        let mut counts = ShortCounts { bytes: vec![0; by_word.len()], aside: Vec::new() };
        let mut entries = (0u32..).zip(by_word.iter().zip(bytes));
        for (word, &number) in (0..).zip(numbers) {
            for (at, (&document, &byte)) in entries.by_ref().take(number as usize) {
                let place = &mut next[document as usize];
                words[*place as usize] = word;
                counts.bytes[*place as usize] = byte;
                if byte == ASIDE {
                    counts.aside.push((*place, large[&at]));
                }
                *place += 1;
            }
        }
        counts.aside.sort_unstable();
        Self { starts, words, counts }
    }

    /// Adds the words of a document, which follows the last one in `all`.
    fn put_document(&self, document: usize, is_relative: bool, all: &mut WordCounts) {
        let mut old = all.last_document();
        if !is_relative {
            old.start = old.end;
        }
        let range = self.starts[document] as usize..self.starts[document + 1] as usize;
        for at in range {
            let (word, entry) = (self.words[at], self.counts.get(at));
            while old.start < old.end && all.words[old.start] < word {
                all.copy(old.start);
                old.start += 1;
            }
            let mut count = entry;
            if is_relative {
                let is_there = old.start < old.end && all.words[old.start] == word;
                let before = if is_there { all.count_at(old.start) } else { 0 };
                old.start += usize::from(is_there);
                count = before.wrapping_add_signed(from_zigzag(count));
            }
            if count > 0 {
                all.push(word, count);
            }
        }
        old.for_each(|at| all.copy(at));
        all.end_document();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(documents: &[std::collections::BTreeMap<u32, u64>]) -> WordCounts {
        let mut counts = WordCounts::none();
        for document in documents {
            counts.push_document(document.iter().map(|(&word, &count)| (word, count)));
        }
        counts
    }

    proptest! {
        #[test]
        fn counts_come_back(
            documents in proptest::collection::vec(
                (proptest::collection::btree_map(0u32..500, 1u64..2000, 0..20), any::<bool>()), 0..8),
            large in any::<u64>(),
        ) {
            // Some documents are the one before with a few changes.
            let mut texts: Vec<std::collections::BTreeMap<u32, u64>> = Vec::new();
            for (mut document, goes_on) in documents {
                if goes_on && let Some(before) = texts.last() {
                    let few: Vec<_> = document.into_iter().take(3).collect();
                    document = before.clone();
                    document.extend(few);
                    document.pop_first();
                    document.insert(17, large.max(1));
                }
                texts.push(document);
            }
            let counts = of(&texts);
            let most = counts.words.len() as u64;
            let bytes = counts.to_bytes(500, Layer::Zstd);
            let back = WordCounts::from_bytes(&bytes, texts.len(), 500, most).unwrap();
            prop_assert_eq!(&back, &counts);
            for (number, document) in texts.iter().enumerate() {
                for word in 0..500 {
                    let expected = document.get(&word).copied().unwrap_or(0);
                    prop_assert_eq!(back.get(number, word), expected);
                }
            }
            prop_assert!(WordCounts::from_bytes(&bytes, texts.len() + 1, 500, most).is_err());
            prop_assert!(most == 0 || WordCounts::from_bytes(&bytes, texts.len(), 500, most - 1).is_err());
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            let _ = WordCounts::from_bytes(&bytes, 3, 100, 1000);
        }
    }

    /// Many versions of one text take little more than one.
    #[test]
    fn versions_are_stored_as_their_changes() {
        let mut random = zgram_testkit::Random::new(5);
        let one: std::collections::BTreeMap<u32, u64> =
            (0..2000).map(|word| (word * 7, random.below(300) as u64 + 1)).collect();
        let versions: Vec<_> = (0..100u32)
            .map(|version| {
                let mut text = one.clone();
                text.insert(version * 50 + 1, 3);
                text.remove(&(version * 70));
                text
            })
            .collect();
        let alone = of(&versions[..1]).to_bytes(14_000, Layer::Zstd).len();
        let all = of(&versions).to_bytes(14_000, Layer::Zstd).len();
        assert!(all < 2 * alone, "{all} bytes, {alone} for one");
    }
}
