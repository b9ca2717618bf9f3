//! The tasks about sequences of words.
//!
//! Two or three words are packed into one register. Packed sequences are counted in an open table;
//! when there are too many for the cache, they are first partitioned by their hashes. Longer sequences,
//! and vocabularies that do not fit, are counted in a map of slices, which is slower.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use anyhow::Result;
use rustc_hash::FxHashMap;

use super::documents::{Source, Text};
use super::rows::{Output, Rows, tail};
use super::vocabulary::Vocabulary;
use super::{on_threads, tails};

/// Sequences that are counted in one table, so that it fits the cache.
const IN_CACHE: usize = 1 << 14;

/// Parts of a corpus's sequences that are grouped on their own; a power of two.
const PARTS: usize = 512;

/// How words are packed: this many bits each, counted from 1 so that no sequence is 0.
#[derive(Clone, Copy)]
struct Packing {
    bits: u32,
    n: usize,
}

impl Packing {
    /// How sequences of `n` words are packed, if they fit.
    fn new(n: usize, words: usize) -> Option<Self> {
        let bits = match n {
            2 => 32,
            3 => 21,
            _ => return None,
        };
        (words < (1 << bits) - 1).then_some(Self { bits, n })
    }

    /// Adds every sequence of a document to `keys`.
    fn pack(self, ids: &[u32], keys: &mut Vec<u64>) {
        let word = |id: &u32| u64::from(*id) + 1;
        let mask = u64::MAX >> (64 - self.bits * self.n as u32);
        let Some((first, rest)) = ids.split_at_checked(self.n - 1) else { return };
        let mut key = first.iter().fold(0, |key, id| key << self.bits | word(id));
        keys.extend(rest.iter().map(|id| {
            key = (key << self.bits | word(id)) & mask;
            key
        }));
    }

    /// Writes the words of a sequence.
    #[inline]
    fn write(self, key: u64, vocabulary: &Vocabulary, out: &mut Vec<u8>) {
        let mask = (1 << self.bits) - 1;
        for at in (0..self.n as u32).rev() {
            vocabulary.write(((key >> (at * self.bits)) & mask) as u32 - 1, out);
            if at > 0 {
                out.push(b' ');
            }
        }
    }
}

fn write_slice(ids: &[u32], vocabulary: &Vocabulary, out: &mut Vec<u8>) {
    for (at, id) in ids.iter().enumerate() {
        if at > 0 {
            out.push(b' ');
        }
        vocabulary.write(*id, out);
    }
}

/// The high bits of a key's hash are its part, those below its slot.
#[inline]
fn hash(key: u64) -> u64 {
    (key ^ key >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Counts packed sequences.
#[derive(Default)]
struct Counter {
    slots: Vec<(u64, u64)>,
    dealt: Vec<u64>,
}

impl Counter {
    /// Calls `emit` with every distinct key and its count.
    fn count(&mut self, keys: &[u64], mut emit: impl FnMut(u64, u64) -> Result<()>) -> Result<()> {
        if keys.len() <= 4 * IN_CACHE {
            return count_in_cache(&mut self.slots, keys, 0, &mut emit);
        }
        let bits = (keys.len() / IN_CACHE).ilog2().min(11) + 1;
        let ends = deal(keys, bits, &mut self.dealt);
        let mut start = 0;
        for end in ends {
            count_in_cache(&mut self.slots, &self.dealt[start..end], bits, &mut emit)?;
            start = end;
        }
        Ok(())
    }
}

/// Puts the keys into `dealt`, ordered by the first `bits` of their hashes; returns where each part
/// ends.
fn deal(keys: &[u64], bits: u32, dealt: &mut Vec<u64>) -> Vec<usize> {
    let part = |key: u64| (hash(key) >> (64 - bits)) as usize;
    let mut places = vec![0; (1 << bits) + 1];
    for &key in keys {
        places[part(key) + 1] += 1;
    }
    for at in 1..places.len() {
        places[at] += places[at - 1];
    }
    dealt.resize(keys.len(), 0);
    for &key in keys {
        let place = &mut places[part(key)];
        dealt[*place] = key;
        *place += 1;
    }
    // Each start has moved to its end.
    places.pop();
    places
}

/// Counts keys whose hashes agree in the first `skip` bits.
fn count_in_cache(
    slots: &mut Vec<(u64, u64)>,
    keys: &[u64],
    skip: u32,
    emit: &mut impl FnMut(u64, u64) -> Result<()>,
) -> Result<()> {
    let size = (keys.len() * 2).next_power_of_two().max(2);
    if slots.len() < size {
        slots.resize(size, (0, 0));
    }
    let slots = &mut slots[..size];
    slots.fill((0, 0));
    let shift = 64 - size.ilog2();
    for &key in keys {
        let mut at = (hash(key) << skip >> shift) as usize & (size - 1);
        loop {
            let slot = &mut slots[at];
            if slot.0 == key {
                slot.1 += 1;
                break;
            }
            if slot.0 == 0 {
                *slot = (key, 1);
                break;
            }
            at = (at + 1) & (size - 1);
        }
    }
    slots.iter().filter(|slot| slot.0 != 0).try_for_each(|&(key, count)| emit(key, count))
}

fn count_slices(ids: &[u32], n: usize) -> FxHashMap<&[u32], u64> {
    let mut counts = FxHashMap::default();
    for sequence in ids.windows(n) {
        *counts.entry(sequence).or_default() += 1;
    }
    counts
}

/// Every document with its sequences.
pub fn of_documents(source: &Source, output: &Output, threads: usize, n: usize) -> Result<()> {
    on_threads(threads, || {
        let mut vocabulary = Vocabulary::default();
        let (mut text, mut rows) = (Text::default(), Rows::new(output));
        let (mut ids, mut keys, mut counter) = (Vec::new(), Vec::new(), Counter::default());
        while source.next(&mut text)? {
            ids.clear();
            vocabulary.number_words(&text, |id| ids.push(id));
            let tail = source.with_name(text.document, tail);
            if let Some(packing) = Packing::new(n, vocabulary.len()) {
                keys.clear();
                packing.pack(&ids, &mut keys);
                counter.count(&keys, |key, count| {
                    packing.write(key, &vocabulary, &mut rows.buffer);
                    Ok(rows.end(count, &tail)?)
                })?;
            } else {
                for (sequence, count) in count_slices(&ids, n) {
                    write_slice(sequence, &vocabulary, &mut rows.buffer);
                    rows.end(count, &tail)?;
                }
            }
        }
        Ok(rows.finish()?)
    })?;
    Ok(())
}

/// All documents as numbers of words, which are the same for all.
struct Numbered {
    vocabulary: Vocabulary,
    /// The number of each document and its words.
    documents: Vec<(u32, Vec<u32>)>,
}

impl Numbered {
    fn read(source: &Source, threads: usize) -> Result<Self> {
        let parts = on_threads(threads, || {
            let (mut vocabulary, mut documents) = (Vocabulary::default(), Vec::new());
            let mut text = Text::default();
            while source.next(&mut text)? {
                let mut ids = Vec::with_capacity(text.bytes().len() / 5);
                vocabulary.number_words(&text, |id| ids.push(id));
                documents.push((text.document as u32, ids));
            }
            Ok(Self { vocabulary, documents })
        })?;
        let mut parts = parts.into_iter();
        let mut all = parts.next().expect("a worker");
        for mut more in parts {
            let ids: Vec<u32> = (0..more.vocabulary.len() as u32)
                .map(|id| all.vocabulary.number_of(more.vocabulary.spelling(id)))
                .collect();
            for (_, document) in &mut more.documents {
                document.iter_mut().for_each(|id| *id = ids[*id as usize]);
            }
            all.documents.append(&mut more.documents);
        }
        Ok(all)
    }
}

/// The sequences of the whole corpus.
pub fn of_corpus(source: &Source, output: &Output, threads: usize, n: usize) -> Result<()> {
    let Numbered { vocabulary, documents } = Numbered::read(source, threads)?;
    let mut rows = Rows::new(output);
    if let Some(packing) = Packing::new(n, vocabulary.len()) {
        let mut keys = Vec::new();
        documents.iter().for_each(|(_, ids)| packing.pack(ids, &mut keys));
        Counter::default().count(&keys, |key, count| {
            packing.write(key, &vocabulary, &mut rows.buffer);
            Ok(rows.end(count, b"\n")?)
        })?;
    } else {
        let mut counts: FxHashMap<&[u32], u64> = FxHashMap::default();
        for sequence in documents.iter().flat_map(|(_, ids)| ids.windows(n)) {
            *counts.entry(sequence).or_default() += 1;
        }
        for (sequence, count) in counts {
            write_slice(sequence, &vocabulary, &mut rows.buffer);
            rows.end(count, b"\n")?;
        }
    }
    Ok(rows.finish()?)
}

/// A packed sequence's count in a document.
#[derive(Clone, Copy)]
struct Posting {
    key: u64,
    document: u32,
    count: u32,
}

/// Every sequence with its documents, those that have it most often first.
pub fn ranked_index(source: &Source, output: &Output, threads: usize, n: usize) -> Result<()> {
    let Numbered { vocabulary, documents } = Numbered::read(source, threads)?;
    let tails = tails(source);
    let Some(packing) = Packing::new(n, vocabulary.len()) else {
        return ranked_slices(&vocabulary, &documents, &tails, output, n);
    };
    let next = AtomicUsize::new(0);
    let parts = on_threads(threads, || {
        let mut parts: Vec<Vec<Posting>> = vec![Vec::new(); PARTS];
        let (mut keys, mut counter) = (Vec::new(), Counter::default());
        while let Some((document, ids)) = documents.get(next.fetch_add(1, Relaxed)) {
            keys.clear();
            packing.pack(ids, &mut keys);
            counter.count(&keys, |key, count| {
                let part = (hash(key) >> (64 - PARTS.ilog2())) as usize;
                parts[part].push(Posting { key, document: *document, count: count as u32 });
                Ok(())
            })?;
        }
        Ok(parts)
    })?;
    drop(documents);

    let next = AtomicUsize::new(0);
    on_threads(threads, || {
        let mut rows = Rows::new(output);
        let mut postings: Vec<Posting> = Vec::new();
        loop {
            let part = next.fetch_add(1, Relaxed);
            if part >= PARTS {
                return Ok(rows.finish()?);
            }
            postings.clear();
            parts.iter().for_each(|parts| postings.extend(&parts[part]));
            postings.sort_unstable_by_key(|posting| {
                let rank = u64::from(!posting.count) << 32 | u64::from(posting.document);
                (posting.key, rank)
            });
            for posting in &postings {
                packing.write(posting.key, &vocabulary, &mut rows.buffer);
                rows.end(u64::from(posting.count), &tails[posting.document as usize])?;
            }
        }
    })?;
    Ok(())
}

fn ranked_slices(
    vocabulary: &Vocabulary,
    documents: &[(u32, Vec<u32>)],
    tails: &[Vec<u8>],
    output: &Output,
    n: usize,
) -> Result<()> {
    let mut index: FxHashMap<&[u32], Vec<(u64, u32)>> = FxHashMap::default();
    for (document, ids) in documents {
        for (sequence, count) in count_slices(ids, n) {
            index.entry(sequence).or_default().push((count, *document));
        }
    }
    let mut rows = Rows::new(output);
    for (sequence, mut found) in index {
        found.sort_unstable_by_key(|&(count, document)| (!count, document));
        for (count, document) in found {
            write_slice(sequence, vocabulary, &mut rows.buffer);
            rows.end(count, &tails[document as usize])?;
        }
    }
    Ok(rows.finish()?)
}
