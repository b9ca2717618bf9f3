//! The phrase index of one segment: intervals of suffixes, ψ, and places.
//!
//! See `build.rs` for ranks, entries and keys. A phrase is an interval of ranks: the suffixes that begin
//! with it. Putting a word in front takes two searches in the keys of that word.

use super::build::MOST_WALKS;
use super::cells::{Cells, Stored};
use super::gaps::{PageDecoder, PageForm};
use super::page::Page;
use super::parts::{SampleChunk, WordChunk, documents_from};
use super::sequence::Sequence;
use crate::format::{ContainerError, Malformed};
use std::ops::Range;

/// Words, documents or samples in one part, as a power of two.
pub(super) const PART_BITS: u32 = 12;

/// Sizes and settings of an index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) documents: u32,
    /// Number of words of text.
    pub(super) entries: u32,
    /// Number of words in the dictionary.
    pub(super) words: u32,
    /// The rank of the first document's first suffix.
    pub(super) first: u32,
    /// Entries of a page, and entries for each sample, as powers of two.
    pub(super) page_bits: u32,
    pub(super) sample_bits: u32,
    pub(super) form: PageForm,
}

impl Shape {
    /// Number of suffixes.
    pub(super) fn suffixes(&self) -> u64 {
        u64::from(self.documents) + u64::from(self.entries)
    }

    /// How many parts of `1 << bits` of something there are, out of `all`.
    pub(super) fn parts(all: u32, bits: u32) -> usize {
        (u64::from(all).div_ceil(1 << bits)) as usize
    }

    /// How many of `all` are in a part.
    pub(super) fn in_part(all: u32, bits: u32, part: usize) -> u32 {
        (u64::from(all) - ((part as u64) << bits)).min(1 << bits) as u32
    }

    /// Number of samples.
    pub(super) fn samples(&self) -> u32 {
        Self::parts(self.entries, self.sample_bits) as u32
    }
}

/// The phrase index of one segment.
pub(crate) struct SegmentIndex {
    pub(super) shape: Shape,
    /// Entries, and distinct words, before each part of the words.
    pub(super) word_bases: Vec<(u32, u32)>,
    pub(super) words: Cells<WordChunk>,
    /// Suffixes before each part of the documents.
    pub(super) document_bases: Vec<u32>,
    pub(super) documents: Cells<Sequence>,
    /// The first key of each page.
    pub(super) first_keys: Vec<u64>,
    pub(super) pages: Cells<Page>,
    pub(super) samples: Cells<SampleChunk>,
    /// More entries whose places are stored.
    pub(super) extra: Vec<(u32, u32)>,
    /// The file, and the codes of its pages; `None` if everything is in memory.
    pub(super) stored: Option<(Stored, PageDecoder)>,
}

/// A word that occurs in a segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    /// Its number among the words that occur.
    number: u32,
    /// Its entries.
    entries: Range<u32>,
}

impl Word {
    /// How often it occurs.
    pub(crate) fn count(&self) -> u32 {
        self.entries.end - self.entries.start
    }
}

/// Suffixes with neighbouring ranks.
pub(crate) type Ranks = Range<u32>;

/// A word of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct WordPlace {
    /// The document, by its number in the segment.
    pub(crate) document: usize,
    /// Its number in the document, from 0.
    pub(crate) word: u32,
    /// Its number in the segment, from 0.
    pub(crate) in_segment: u32,
}

impl SegmentIndex {
    /// Number of documents.
    pub(crate) fn document_count(&self) -> usize {
        self.shape.documents as usize
    }

    /// Number of words in the dictionary.
    pub(crate) fn dictionary_words(&self) -> u32 {
        self.shape.words
    }

    /// Number of words of text.
    pub(crate) fn word_count(&self) -> u32 {
        self.shape.entries
    }

    /// The rank of the suffix that is the first document.
    pub(crate) fn first(&self) -> u32 {
        self.shape.first
    }

    /// Bytes in memory.
    pub(crate) fn memory(&self) -> usize {
        let bases = 8 * (self.word_bases.len() + self.first_keys.len() + self.extra.len())
            + 4 * self.document_bases.len();
        let words: usize = self.words.made().map(WordChunk::memory).sum();
        let documents: usize = self.documents.made().map(Sequence::memory).sum();
        let pages: usize = self.pages.made().map(|page| page.memory() + 8).sum();
        bases
            + words
            + documents
            + pages
            + self.samples.made().map(SampleChunk::memory).sum::<usize>()
    }

    /// A word by its number in the dictionary, counted from the first word there; `None` if it does not
    /// occur in this segment.
    pub(crate) fn word(&self, word: u32) -> Result<Option<Word>, ContainerError> {
        if word >= self.shape.words {
            return Ok(None);
        }
        let (part, within) = ((word >> PART_BITS) as usize, word & ((1 << PART_BITS) - 1));
        let (entries, numbers) = self.word_bases[part];
        let chunk = self.word_chunk(part)?;
        let Some(number) = chunk.number(within) else { return Ok(None) };
        let start = entries + chunk.start(number);
        let end = match number + 1 < chunk.len() {
            true => entries + chunk.start(number + 1),
            false => self.word_bases.get(part + 1).map_or(self.shape.entries, |base| base.0),
        };
        Ok(Some(Word { number: numbers + number, entries: start..end }))
    }

    /// The suffixes that begin with a word.
    #[inline]
    pub(crate) fn suffixes_of(&self, word: &Word) -> Ranks {
        let ends = self.shape.documents;
        word.entries.start + ends..word.entries.end + ends
    }

    /// The suffixes that begin with a word, and go on with one of these.
    #[inline]
    pub(crate) fn before(&self, word: &Word, ranks: &Ranks) -> Result<Ranks, ContainerError> {
        let ends = self.shape.documents;
        let start = self.count_below(word, ranks.start)?;
        let end = if ranks.end == ranks.start + 1 {
            start + u32::from(self.follows(word, start, ranks.start)?)
        } else {
            self.count_below(word, ranks.end)?
        };
        Ok(start + ends..end.max(start) + ends)
    }

    /// The suffix that is this one with a word in front, if there is one.
    pub(crate) fn one_before(&self, word: &Word, rank: u32) -> Result<Option<u32>, ContainerError> {
        let ranks = self.before(word, &(rank..rank + 1))?;
        Ok((!ranks.is_empty()).then_some(ranks.start))
    }

    /// The entries of the whole index before the first one of this word whose ψ is `rank` or higher.
    fn count_below(&self, word: &Word, rank: u32) -> Result<u32, ContainerError> {
        let Word { number, entries } = word;
        // The rank behind the last one may have one bit more than a rank.
        let key = (u64::from(*number) << self.shape.form.rank_bits) + u64::from(rank);
        let bits = self.shape.page_bits;
        let (first, last) =
            ((entries.start >> bits) as usize, ((entries.end - 1) >> bits) as usize);
        let later = &self.first_keys[first + 1..=last];
        let page = first + later.partition_point(|&first| first < key);
        let below = (page << bits) as u32 + self.page(page)?.count_below(key);
        Ok(below.clamp(entries.start, entries.end))
    }

    /// Whether an entry is one of this word, and `rank` is its ψ.
    fn follows(&self, word: &Word, entry: u32, rank: u32) -> Result<bool, ContainerError> {
        Ok(entry < word.entries.end && self.next_of(entry)? == rank)
    }

    /// The suffix without its first word, or `None` for the end of a document.
    #[inline]
    pub(crate) fn next(&self, rank: u32) -> Result<Option<u32>, ContainerError> {
        rank.checked_sub(self.shape.documents).map(|entry| self.next_of(entry)).transpose()
    }

    #[inline]
    fn next_of(&self, entry: u32) -> Result<u32, ContainerError> {
        let bits = self.shape.page_bits;
        let key = self.page((entry >> bits) as usize)?.key(entry & ((1 << bits) - 1));
        Ok((key & ((1 << self.shape.form.rank_bits) - 1)) as u32)
    }

    /// The first word of a suffix, by its number in the dictionary counted from the first word there;
    /// `None` for the end of a document.
    pub(crate) fn word_of(&self, rank: u32) -> Result<Option<u32>, ContainerError> {
        let Some(entry) = rank.checked_sub(self.shape.documents) else { return Ok(None) };
        // Parts without any of the words begin where the next one does.
        let part = self.word_bases.partition_point(|&(entries, _)| entries <= entry) - 1;
        let chunk = self.word_chunk(part)?;
        let within = chunk.word_at(entry - self.word_bases[part].0);
        Ok(Some((part << PART_BITS) as u32 + within))
    }

    /// Where a suffix is in the text. The end of a document counts as a word here.
    pub(crate) fn place(&self, mut rank: u32) -> Result<WordPlace, ContainerError> {
        let (ends, bits) = (self.shape.documents, self.shape.sample_bits);
        for steps in 0..=MOST_WALKS << bits {
            let Some(entry) = rank.checked_sub(ends) else {
                let start = self.start_of(rank as usize + 1)?;
                return self.place_before(start - 1, steps);
            };
            if entry & ((1 << bits) - 1) == 0 {
                return self.place_before(self.sample(entry >> bits)?, steps);
            }
            if !self.extra.is_empty()
                && let Ok(at) = self.extra.binary_search_by_key(&entry, |&(entry, _)| entry)
            {
                return self.place_before(self.extra[at].1, steps);
            }
            rank = self.next_of(entry)?;
        }
        Err(self.malformed("a suffix leads to no stored place"))
    }

    /// The place of a sample.
    #[inline]
    pub(super) fn sample(&self, sample: u32) -> Result<u32, ContainerError> {
        let chunk = self.sample_chunk((sample >> PART_BITS) as usize)?;
        Ok(chunk.get((sample & ((1 << PART_BITS) - 1)) as usize))
    }

    /// The word some steps before a place, which counts ends of documents as words.
    fn place_before(&self, place: u32, steps: u32) -> Result<WordPlace, ContainerError> {
        let place = place.checked_sub(steps);
        let Some(place) = place.filter(|&place| u64::from(place) < self.shape.suffixes()) else {
            return Err(self.malformed("a stored place is outside the text"));
        };
        let part = self.document_bases.partition_point(|&base| base <= place) - 1;
        let within = self.document_chunk(part)?.count_below(u64::from(place) + 1) - 1;
        let document = (part << PART_BITS) + within;
        let word = place - self.start_of(document)?;
        Ok(WordPlace { document, word, in_segment: place - document as u32 })
    }

    /// The suffixes before the first one of a document, in the order of the text.
    pub(super) fn start_of(&self, document: usize) -> Result<u32, ContainerError> {
        if document == self.document_count() {
            return Ok(self.shape.suffixes() as u32);
        }
        let chunk = self.document_chunk(document >> PART_BITS)?;
        Ok(chunk.get(document & ((1 << PART_BITS) - 1)) as u32)
    }

    /// How many words a document has.
    #[cfg(test)]
    pub(super) fn document_len(&self, document: usize) -> Result<u32, ContainerError> {
        Ok(self.start_of(document + 1)? - self.start_of(document)? - 1)
    }

    fn word_chunk(&self, part: usize) -> Result<&WordChunk, ContainerError> {
        self.words.get(part, self.source(), |bytes| {
            let words = Shape::in_part(self.shape.words, PART_BITS, part);
            let (entries, numbers) = self.word_bases[part];
            let next = self.word_bases.get(part + 1);
            let (next_entries, next_numbers) = match next {
                Some(&next) => next,
                None => (self.shape.entries, u32::MAX),
            };
            let chunk = WordChunk::from_bytes(bytes, words, next_entries - entries)?;
            if next.is_some() && chunk.len() != next_numbers - numbers {
                return Err(Malformed::at(0, "the number of words is wrong"));
            }
            Ok(chunk)
        })
    }

    fn document_chunk(&self, part: usize) -> Result<&Sequence, ContainerError> {
        self.documents.get(part, self.source(), |bytes| {
            let documents = Shape::in_part(self.shape.documents, PART_BITS, part);
            let start = self.document_bases[part];
            let end = self.document_bases.get(part + 1).copied();
            let end = end.unwrap_or(self.shape.suffixes() as u32);
            documents_from(bytes, documents, start, end)
        })
    }

    pub(super) fn page(&self, page: usize) -> Result<&Page, ContainerError> {
        self.pages.get(page, self.source(), |bytes| {
            let (_, codes) = self.stored.as_ref().expect("bytes come from a file");
            let Shape { entries, page_bits, form, .. } = self.shape;
            let entries = Shape::in_part(entries, page_bits, page);
            let (first, suffixes) = (self.first_keys[page], self.shape.suffixes());
            let runs = codes.decode(bytes, first, entries, suffixes, form)?;
            let last = runs.last().map_or(0, |run| run.key + u64::from(run.len - 1));
            if self.first_keys.get(page + 1).is_some_and(|&next| next <= last) {
                return Err(Malformed::at(0, "keys do not rise"));
            }
            Ok(Page::new(&runs, form.as_runs))
        })
    }

    fn sample_chunk(&self, part: usize) -> Result<&SampleChunk, ContainerError> {
        self.samples.get(part, self.source(), |bytes| {
            let samples = Shape::in_part(self.shape.samples(), PART_BITS, part);
            SampleChunk::from_bytes(bytes, samples, self.shape.form.rank_bits)
        })
    }

    fn source(&self) -> Option<&Stored> {
        self.stored.as_ref().map(|(stored, _)| stored)
    }

    pub(super) fn malformed(&self, what: &str) -> ContainerError {
        let (stored, _) = self.stored.as_ref().expect("an index in memory was built here");
        stored.malformed(0, Malformed::at(0, what))
    }
}
