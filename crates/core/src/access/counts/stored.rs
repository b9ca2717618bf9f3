//! Word counts as bytes.
//!
//! Versions of one text have nearly the same words, so a document may be told by what is different
//! from the one before it.
//!
//! ```text
//! documents: varint
//! stream: sizes    of each document, twice the number of its entries, and one more if they are
//!                  changes of the document before; varints
//! stream: steps    of each entry, by rising id: the step from the id before, varints
//! stream: counts   of each entry: the count, or how much it has changed, zigzag; varints
//! ```

use super::WordCounts;
use crate::format::bytes::{ByteReader, Malformed, put_varint};
use crate::format::layer::{Layer, put_stream, take_stream};
use std::ops::Range;

impl WordCounts {
    pub(crate) fn to_bytes(&self, layer: Layer) -> Vec<u8> {
        let [mut sizes, mut steps, mut counts] = [const { Vec::new() }; 3];
        let mut before = 0..0;
        for starts in self.starts.windows(2) {
            let document = starts[0] as usize..starts[1] as usize;
            let changes = self.changes(before, document.clone());
            let is_relative = changes.is_some();
            let entries = changes.unwrap_or_else(|| {
                document.clone().map(|at| (self.words[at], self.count_at(at))).collect()
            });
            put_varint(&mut sizes, 2 * entries.len() as u64 + u64::from(is_relative));
            let mut last = 0;
            for (word, count) in entries {
                put_varint(&mut steps, u64::from(word - last));
                put_varint(&mut counts, count);
                last = word;
            }
            before = document;
        }
        let mut out = Vec::new();
        put_varint(&mut out, self.starts.len() as u64 - 1);
        for stream in [sizes, steps, counts] {
            put_stream(&mut out, layer, &stream);
        }
        out
    }

    /// What makes one document's words another's; `None` if that is no shorter than the latter.
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
                changes.push((word, zigzag(new.wrapping_sub(old))));
            }
        }
        None
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote, for so many documents and tokens, and at most
    /// so many words in all.
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
        let sizes = take_stream(&mut reader)?;
        let steps = take_stream(&mut reader)?;
        let counts = take_stream(&mut reader)?;
        reader.expect_end()?;
        let mut entries = Entries {
            sizes: ByteReader::new(&sizes),
            steps: ByteReader::new(&steps),
            counts: ByteReader::new(&counts),
            tokens: tokens as u64,
        };
        let mut all = Self { starts: vec![0], ..Self::default() };
        let most = most.min(u64::from(u32::MAX)) as usize;
        (0..documents)
            .try_for_each(|_| entries.take_document(&mut all, most))
            .and_then(|()| entries.sizes.expect_end())
            .and_then(|()| entries.steps.expect_end())
            .and_then(|()| entries.counts.expect_end())
            .map_err(|error| Malformed::at(reader.offset(), format!("word counts: {error}")))?;
        Ok(all)
    }
}

/// The streams while they are read.
struct Entries<'a> {
    sizes: ByteReader<'a>,
    steps: ByteReader<'a>,
    counts: ByteReader<'a>,
    tokens: u64,
}

impl Entries<'_> {
    fn take_document(&mut self, all: &mut WordCounts, most: usize) -> Result<(), Malformed> {
        // Every entry takes a byte, so what is left bounds how many there can be.
        let size = 2 * self.steps.remaining() as u64 + 1;
        let size = self.sizes.varint_at_most(size, "entries")?;
        let (entries, is_relative) = (size / 2, size % 2 == 1);
        let mut old = all.last_document();
        if !is_relative {
            old.start = old.end;
        }
        let mut last = None;
        for _ in 0..entries {
            let word = self.take_word(last)?;
            last = Some(word);
            while old.start < old.end && all.words[old.start] < word {
                all.copy(old.start);
                old.start += 1;
            }
            let mut count = self.counts.varint()?;
            if count == 0 {
                return self.counts.malformed("a count of 0, or no change");
            }
            if is_relative {
                let is_there = old.start < old.end && all.words[old.start] == word;
                let before = if is_there { all.count_at(old.start) } else { 0 };
                old.start += usize::from(is_there);
                count = before.wrapping_add(unzigzag(count));
            }
            if count > 0 {
                all.push(word, count);
            }
        }
        old.for_each(|at| all.copy(at));
        all.end_document();
        // A document that is told by its changes takes few bytes and may have many words.
        if all.words.len() > most {
            return self.sizes.malformed("more words than the text has");
        }
        Ok(())
    }

    /// The next word of a document, after the last one.
    fn take_word(&mut self, last: Option<u32>) -> Result<u32, Malformed> {
        let step = self.steps.varint_at_most(self.tokens, "a word's id")?;
        if last.is_some() && step == 0 {
            return self.steps.malformed("a word stands twice");
        }
        let word = u64::from(last.unwrap_or_default()) + step;
        if word >= self.tokens {
            return self.steps.malformed(format!("no token {word}"));
        }
        Ok(word as u32)
    }
}

/// Small numbers of either sign as small ones.
fn zigzag(change: u64) -> u64 {
    (change << 1) ^ ((change as i64 >> 63) as u64)
}

fn unzigzag(coded: u64) -> u64 {
    (coded >> 1) ^ (coded & 1).wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(documents: &[std::collections::BTreeMap<u32, u64>]) -> WordCounts {
        let mut counts = WordCounts { starts: vec![0], ..WordCounts::default() };
        for document in documents {
            document.iter().for_each(|(&word, &count)| counts.push(word, count));
            counts.end_document();
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
            // Some are the one before with a few words more.
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
            let bytes = counts.to_bytes(Layer::Zstd);
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
    fn versions_are_told_by_their_changes() {
        let one: std::collections::BTreeMap<u32, u64> =
            (0..2000).map(|word| (word * 7, u64::from(word * word % 300) + 1)).collect();
        let versions: Vec<_> = (0..100u32)
            .map(|version| {
                let mut text = one.clone();
                text.insert(version * 50 + 1, 3);
                text.remove(&(version * 70));
                text
            })
            .collect();
        let alone = of(&versions[..1]).to_bytes(Layer::None).len();
        let all = of(&versions).to_bytes(Layer::None).len();
        assert!(all < 2 * alone, "{all} bytes, {alone} for one");
    }
}
