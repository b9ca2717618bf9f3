//! Parts of an index other than its pages: which words occur and where their entries begin, where
//! documents begin, and places of some entries.

use super::bits::{BitWriter, bits_at};
use super::sequence::Sequence;
use crate::format::Malformed;
use crate::format::bytes::{ByteReader, put_varint};
use crate::format::layer::{Layer, put_stream, take_stream};

/// Numbers as varints in a stream.
pub(super) fn put_numbers(out: &mut Vec<u8>, numbers: impl Iterator<Item = u64>) {
    let mut bytes = Vec::new();
    numbers.for_each(|number| put_varint(&mut bytes, number));
    put_stream(out, Layer::Zstd, &bytes);
}

/// As many numbers from a stream; refuses more or fewer.
pub(super) fn take_numbers(
    reader: &mut ByteReader<'_>,
    count: usize,
) -> Result<Vec<u64>, Malformed> {
    let bytes = take_stream(reader)?;
    let mut numbers = ByteReader::new(&bytes);
    if count > numbers.remaining() {
        return reader.malformed(format!("{count} numbers expected"));
    }
    let all = (0..count).map(|_| numbers.varint()).collect::<Result<_, _>>()?;
    numbers.expect_end()?;
    Ok(all)
}

/// Which of some words of the dictionary occur, and where their entries begin.
#[derive(Debug)]
pub(super) struct WordChunk {
    /// A bit for each word.
    present: Box<[u64]>,
    /// How many words occur before each 64 words.
    before: Box<[u16]>,
    /// Entries before each word that occurs, from the first of them.
    starts: Sequence,
}

impl WordChunk {
    /// From the count of each word.
    pub(super) fn new(counts: &[u32]) -> Self {
        let mut present = vec![0u64; counts.len().div_ceil(64)];
        let mut before = Vec::with_capacity(present.len());
        let (mut starts, mut start) = (Vec::new(), 0u64);
        for (word, &count) in counts.iter().enumerate() {
            if word % 64 == 0 {
                before.push(starts.len() as u16);
            }
            if count > 0 {
                present[word / 64] |= 1 << (word % 64);
                starts.push(start);
                start += u64::from(count);
            }
        }
        let starts = Sequence::new(&starts);
        Self { present: present.into(), before: before.into(), starts }
    }

    pub(super) fn to_bytes(counts: &[u32]) -> Vec<u8> {
        let mut bytes = Vec::new();
        put_numbers(&mut bytes, counts.iter().map(|&count| count.into()));
        bytes
    }

    /// Of `words` words with `entries` entries together.
    pub(super) fn from_bytes(bytes: &[u8], words: u32, entries: u32) -> Result<Self, Malformed> {
        let mut reader = ByteReader::new(bytes);
        let counts = take_numbers(&mut reader, words as usize)?;
        reader.expect_end()?;
        let sum = counts.iter().fold(0u64, |sum, &count| sum.saturating_add(count));
        if sum != u64::from(entries) {
            return Err(Malformed::at(0, format!("{sum} words, not {entries}")));
        }
        let counts: Vec<u32> = counts.into_iter().map(|count| count as u32).collect();
        Ok(Self::new(&counts))
    }

    /// How many words occur.
    pub(super) fn len(&self) -> u32 {
        self.starts.len() as u32
    }

    /// The number of a word among those that occur.
    #[inline]
    pub(super) fn number(&self, word: u32) -> Option<u32> {
        let (at, bit) = (word as usize / 64, word % 64);
        let bits = self.present[at];
        let before = (bits & ((1 << bit) - 1)).count_ones();
        (bits >> bit & 1 == 1).then(|| u32::from(self.before[at]) + before)
    }

    /// Entries before the word with this number.
    #[inline]
    pub(super) fn start(&self, number: u32) -> u32 {
        self.starts.get(number as usize) as u32
    }

    /// The word that has an entry.
    pub(super) fn word_at(&self, entry: u32) -> u32 {
        let number = (self.starts.count_below(u64::from(entry) + 1) - 1) as u32;
        let at = self.before.partition_point(|&before| u32::from(before) <= number) - 1;
        let within = number - u32::from(self.before[at]);
        64 * at as u32 + super::bits::select_one(self.present[at], within)
    }

    pub(super) fn memory(&self) -> usize {
        8 * self.present.len() + 2 * self.before.len() + self.starts.memory()
    }
}

/// Where documents begin: suffixes before each, of which the first has `start` before it.
pub(super) fn documents(starts: &[u32]) -> Sequence {
    let starts: Vec<u64> = starts.iter().map(|&start| start.into()).collect();
    Sequence::new(&starts)
}

/// The words of some documents; `end` is where the last one ends.
pub(super) fn documents_to_bytes(starts: &[u32], end: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let ends = starts[1..].iter().chain([&end]);
    put_numbers(&mut bytes, starts.iter().zip(ends).map(|(start, end)| u64::from(end - start - 1)));
    bytes
}

/// Decodes `documents` documents between two places.
pub(super) fn documents_from(
    bytes: &[u8],
    documents: u32,
    start: u32,
    end: u32,
) -> Result<Sequence, Malformed> {
    let mut reader = ByteReader::new(bytes);
    let words = take_numbers(&mut reader, documents as usize)?;
    reader.expect_end()?;
    let mut at = u64::from(start);
    let mut starts = Vec::with_capacity(words.len());
    for words in words {
        starts.push(at);
        at = at.saturating_add(words).saturating_add(1);
    }
    if at != u64::from(end) {
        return Err(Malformed::at(0, format!("documents end at word {at}, not {end}")));
    }
    Ok(Sequence::new(&starts))
}

/// Places of some entries.
#[derive(Debug)]
pub(super) struct SampleChunk {
    bits: Box<[u64]>,
    width: u32,
}

impl SampleChunk {
    pub(super) fn new(places: &[u32], width: u32) -> Self {
        let mut bits = BitWriter::default();
        places.iter().for_each(|&place| bits.put(place.into(), width));
        Self { bits: bits.into_words().into(), width }
    }

    pub(super) fn to_bytes(places: &[u32], width: u32) -> Vec<u8> {
        let mut bits = BitWriter::default();
        places.iter().for_each(|&place| bits.put(place.into(), width));
        bits.to_bytes()
    }

    pub(super) fn from_bytes(bytes: &[u8], places: u32, width: u32) -> Result<Self, Malformed> {
        let expected = (u64::from(places) * u64::from(width)).div_ceil(8);
        if bytes.len() as u64 != expected {
            return Err(Malformed::at(0, format!("{} bytes, not {expected}", bytes.len())));
        }
        let words = bytes.chunks(8).map(|bytes| {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            u64::from_le_bytes(word)
        });
        Ok(Self { bits: words.collect(), width })
    }

    #[inline]
    pub(super) fn get(&self, sample: usize) -> u32 {
        bits_at(&self.bits, sample * self.width as usize, self.width) as u32
    }

    pub(super) fn memory(&self) -> usize {
        8 * self.bits.len()
    }
}
