//! Which passages of a text occur in the corpus, word for word.
//!
//! A passage is *maximal* if neither the word before it nor the one after it can be added. All maximal
//! passages of at least N words are found by looking at windows of N words from right to left: where a
//! window does not occur as a whole, the search shows how far to move on. A window that occurs is
//! extended to the right, and the next passage begins where the word behind it allows.

use super::indexed::Cursor;
use super::{Access, Match, Phrase, words_of};
use crate::error::AccessError;
use crate::format::ContainerError;
use crate::phrases::{Ranks, SegmentIndex, Word};
use std::ops::{ControlFlow, Range};

/// Occurrences that are followed one by one when a passage is extended.
const MOST_FOLLOWED: usize = 16;

/// A passage of a text that occurs in the corpus, and cannot be extended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Passage {
    /// Where it is in the text.
    pub offset: usize,
    /// Bytes from its first word to the end of its last one.
    pub len: usize,
    /// Number of words.
    pub words: usize,
    /// How often it occurs in the corpus.
    pub count: u64,
    /// The first places where it does: documents, with offset and length there.
    pub places: Vec<(usize, Match)>,
}

impl Access {
    /// The maximal passages of at least `least` words of a text, in order, each with its first `most`
    /// places.
    pub(crate) fn trace(
        &self,
        text: &[u8],
        least: usize,
        most: usize,
    ) -> Result<Vec<Passage>, AccessError> {
        let found = words_of(text, true);
        let bytes: Vec<&[u8]> = found.iter().map(|(_, word)| *word).collect();
        let first = self.corpus.dictionary()?.words().start;
        let ids = self.tokens(&bytes)?;
        let word = |id: Option<u32>| id.and_then(|id| id.checked_sub(first));
        let words: Vec<Option<u32>> = ids.into_iter().map(word).collect();
        let mut passages = Vec::new();
        for number in 0..self.segments.len() {
            let trace = self.corpus.in_index(Trace::new(self.index(number)?, &words))?;
            passages.extend(self.corpus.in_index(trace.passages(least.max(1)))?);
            if self.continues(number) {
                self.trace_border(number, &words, least, &mut passages)?;
            }
        }
        let passages = maximal(passages);
        let describe = |range: Range<usize>| {
            let (offset, _) = found[range.start];
            let (last, word) = found[range.end - 1];
            let ids: Option<Vec<u32>> = words[range.clone()].iter().copied().collect();
            let count = self.count_words(&ids.expect("its words occur"))?;
            let places = self.first_places(&bytes[range.clone()], most)?;
            let len = last + word.len() - offset;
            Ok(Passage { offset, len, words: range.len(), count, places })
        };
        passages.into_iter().map(describe).collect()
    }

    fn first_places(
        &self,
        words: &[&[u8]],
        most: usize,
    ) -> Result<Vec<(usize, Match)>, AccessError> {
        let mut places = Vec::new();
        if most > 0 {
            let phrase = Phrase::of_words(words.iter().map(|word| word.to_vec()).collect());
            let _ = self.search_all_each(&phrase, (0, 0), |document, place| {
                places.push((document, place));
                match places.len() < most {
                    true => ControlFlow::Continue(()),
                    false => ControlFlow::Break(()),
                }
            })?;
        }
        Ok(places)
    }

    /// The passages that occur across the beginning of a segment.
    fn trace_border(
        &self,
        number: usize,
        words: &[Option<u32>],
        least: usize,
        passages: &mut Vec<Range<usize>>,
    ) -> Result<(), AccessError> {
        let border = Cursor { segment: number, rank: self.index(number)?.first() };
        let Some((first, behind)) = self.word_after(border)? else { return Ok(()) };
        for split in 1..words.len() {
            let Some(before) = words[split - 1].filter(|_| words[split] == Some(first)) else {
                continue;
            };
            let Some(mut cursor) = self.word_before(border, &[before])? else { continue };
            let mut start = split - 1;
            while let Some(word) = start.checked_sub(1).and_then(|at| words[at]) {
                let Some(next) = self.word_before(cursor, &[word])? else { break };
                cursor = next;
                start -= 1;
            }
            let (mut end, mut cursor) = (split + 1, behind);
            while let Some(&Some(word)) = words.get(end) {
                match self.word_after(cursor)? {
                    Some((found, next)) if found == word => cursor = next,
                    _ => break,
                }
                end += 1;
            }
            if end - start >= least {
                passages.push(start..end);
            }
        }
        Ok(())
    }
}

/// Only the ranges that are in no other one, in order.
fn maximal(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_unstable_by(|a, b| a.start.cmp(&b.start).then(b.end.cmp(&a.end)));
    let mut end = 0;
    ranges.retain(|range| {
        let is_longer = range.end > end;
        end = end.max(range.end);
        is_longer
    });
    ranges
}

/// The words of a text as they occur in one segment.
struct Trace<'a> {
    index: &'a SegmentIndex,
    words: Vec<Option<Word>>,
}

impl<'a> Trace<'a> {
    fn new(index: &'a SegmentIndex, words: &[Option<u32>]) -> Result<Self, ContainerError> {
        let found = |&word: &Option<u32>| word.map_or(Ok(None), |word| index.word(word));
        Ok(Self { index, words: words.iter().map(found).collect::<Result<_, _>>()? })
    }

    /// The maximal passages inside documents of the segment.
    fn passages(&self, least: usize) -> Result<Vec<Range<usize>>, ContainerError> {
        let mut passages = Vec::new();
        let mut start = 0;
        while start + least <= self.words.len() {
            let (from, ranks) = self.backward(start..start + least)?;
            if from > start {
                // Whatever begins before here would have the words from the one before on, which do
                // not occur together.
                start = from;
                continue;
            }
            let end = self.extend(start..start + least, ranks)?;
            passages.push(start..end);
            if end == self.words.len() {
                break;
            }
            (start, _) = self.backward(start + 1..end + 1)?;
        }
        Ok(passages)
    }

    /// How far to the left the words before the end of a range occur, and the suffixes that begin so.
    fn backward(&self, range: Range<usize>) -> Result<(usize, Ranks), ContainerError> {
        let mut from = range.end;
        let mut ranks = 0..0;
        while from > range.start {
            let Some(word) = &self.words[from - 1] else { break };
            let longer = match from == range.end {
                true => self.index.suffixes_of(word),
                false => self.index.before(word, &ranks)?,
            };
            if longer.is_empty() {
                break;
            }
            (from, ranks) = (from - 1, longer);
        }
        Ok((from, ranks))
    }

    /// The end of the longest passage that begins like this range, of which these are the suffixes.
    fn extend(&self, mut range: Range<usize>, mut ranks: Ranks) -> Result<usize, ContainerError> {
        let mut step = 1;
        while ranks.len() > MOST_FOLLOWED && range.end < self.words.len() {
            let longer = range.start..self.words.len().min(range.end + step);
            let (from, found) = self.backward(longer.clone())?;
            if from == range.start {
                (range, ranks) = (longer, found);
                step *= 2;
            } else if step == 1 {
                return Ok(range.end);
            } else {
                step = 1;
            }
        }
        let mut followed: Vec<u32> = Vec::with_capacity(ranks.len().min(MOST_FOLLOWED));
        if range.end < self.words.len() {
            for mut rank in ranks {
                for _ in range.clone() {
                    rank = self.index.next(rank)?.unwrap_or(0);
                }
                followed.push(rank);
            }
        }
        while let Some(Some(word)) = self.words.get(range.end) {
            let suffixes = self.index.suffixes_of(word);
            followed.retain(|rank| suffixes.contains(rank));
            if followed.is_empty() {
                break;
            }
            for rank in &mut followed {
                *rank = self.index.next(*rank)?.unwrap_or(0);
            }
            range.end += 1;
        }
        Ok(range.end)
    }
}
