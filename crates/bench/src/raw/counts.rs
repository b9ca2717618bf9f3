//! The tasks about single words.

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use anyhow::Result;

use super::documents::{Source, Text};
use super::rows::{Output, Rows, tail};
use super::vocabulary::Vocabulary;
use super::{on_threads, tails};

/// Words whose documents one worker writes at a time.
const SHARE: usize = 1 << 12;

/// The order of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Falling count, then bytes.
    Count,
    /// Bytes.
    Word,
}

/// Every word with its count.
pub fn word_count(source: &Source, output: &Output, threads: usize, order: Order) -> Result<()> {
    let (vocabulary, counts) = total(source, threads)?;
    let mut words: Vec<(u64, u64, u32)> = (0..vocabulary.len() as u32)
        .map(|id| (counts[id as usize], prefix(vocabulary.spelling(id)), id))
        .collect();
    let by_word = |a: &(u64, u64, u32), b: &(u64, u64, u32)| {
        // Most differ in their first bytes, without looking at the spelling.
        a.1.cmp(&b.1).then_with(|| vocabulary.spelling(a.2).cmp(vocabulary.spelling(b.2)))
    };
    match order {
        Order::Word => words.sort_unstable_by(by_word),
        Order::Count => words.sort_unstable_by(|a, b| match b.0.cmp(&a.0) {
            Ordering::Equal => by_word(a, b),
            unequal => unequal,
        }),
    }
    let mut rows = Rows::new(output);
    for (count, _, id) in words {
        vocabulary.write(id, &mut rows.buffer);
        rows.end(count, b"\n")?;
    }
    Ok(rows.finish()?)
}

/// The first eight bytes as a number that compares like them.
fn prefix(word: &[u8]) -> u64 {
    let mut bytes = [0; 8];
    let length = word.len().min(8);
    bytes[..length].copy_from_slice(&word[..length]);
    u64::from_le_bytes(bytes).swap_bytes()
}

fn total(source: &Source, threads: usize) -> Result<(Vocabulary, Vec<u64>)> {
    let parts = on_threads(threads, || {
        let (mut vocabulary, mut counts) = (Vocabulary::default(), Vec::new());
        let mut text = Text::default();
        while source.next(&mut text)? {
            vocabulary.number_words(&text, |id| match counts.get_mut(id as usize) {
                Some(count) => *count += 1,
                None => counts.push(1),
            });
        }
        Ok((vocabulary, counts))
    })?;
    let mut parts = parts.into_iter();
    let (mut vocabulary, mut counts): (Vocabulary, Vec<u64>) = parts.next().expect("a worker");
    for (other, more) in parts {
        for (id, more) in more.into_iter().enumerate() {
            let id = vocabulary.number_of(other.spelling(id as u32)) as usize;
            counts.resize(vocabulary.len(), 0);
            counts[id] += more;
        }
    }
    Ok((vocabulary, counts))
}

/// Counts the words of one document after the other.
#[derive(Default)]
struct DocumentCounts {
    vocabulary: Vocabulary,
    /// By word; all 0 between documents.
    counts: Vec<u32>,
    /// The words of the document, each once.
    seen: Vec<u32>,
}

impl DocumentCounts {
    fn count(&mut self, text: &Text) {
        let Self { vocabulary, counts, seen } = self;
        vocabulary.number_words(text, |id| match counts.get_mut(id as usize) {
            Some(count) => {
                if *count == 0 {
                    seen.push(id);
                }
                *count += 1;
            }
            None => {
                counts.push(1);
                seen.push(id);
            }
        });
    }

    /// The words of the document with their counts, which are then forgotten.
    fn take(&mut self) -> impl Iterator<Item = (u32, u32)> {
        let counts = &mut self.counts;
        self.seen.drain(..).map(|id| (id, std::mem::take(&mut counts[id as usize])))
    }
}

/// Every document with its words, in the order they first appear.
pub fn term_vector(source: &Source, output: &Output, threads: usize) -> Result<()> {
    on_threads(threads, || {
        let mut words = DocumentCounts::default();
        let (mut text, mut rows) = (Text::default(), Rows::new(output));
        while source.next(&mut text)? {
            words.count(&text);
            let tail = source.with_name(text.document, tail);
            let DocumentCounts { vocabulary, counts, seen } = &mut words;
            for id in seen.drain(..) {
                vocabulary.write(id, &mut rows.buffer);
                rows.end(u64::from(std::mem::take(&mut counts[id as usize])), &tail)?;
            }
        }
        Ok(rows.finish()?)
    })?;
    Ok(())
}

/// A word's count in a document.
#[derive(Clone, Copy, Default)]
struct Posting {
    document: u32,
    count: u32,
}

/// Every word with its documents, words in the order they first appear.
pub fn inverted_index(source: &Source, output: &Output, threads: usize) -> Result<()> {
    let parts = on_threads(threads, || {
        let mut words = DocumentCounts::default();
        let mut text = Text::default();
        let mut found: Vec<(u32, Posting)> = Vec::new();
        while source.next(&mut text)? {
            words.count(&text);
            let document = text.document as u32;
            found.extend(words.take().map(|(id, count)| (id, Posting { document, count })));
        }
        Ok((words.vocabulary, found))
    })?;
    let mut parts = parts.into_iter();
    let (mut vocabulary, first) = parts.next().expect("a worker");
    let mut found = vec![first];
    for (other, mut more) in parts {
        let ids: Vec<u32> =
            (0..other.len() as u32).map(|id| vocabulary.number_of(other.spelling(id))).collect();
        more.iter_mut().for_each(|(id, _)| *id = ids[*id as usize]);
        found.push(more);
    }
    let (starts, postings) = group(vocabulary.len(), &found);
    drop(found);

    let tails = tails(source);
    let next = AtomicUsize::new(0);
    on_threads(threads, || {
        let mut rows = Rows::new(output);
        loop {
            let start = next.fetch_add(SHARE, Relaxed);
            if start >= vocabulary.len() {
                return Ok(rows.finish()?);
            }
            for id in start..(start + SHARE).min(vocabulary.len()) {
                for posting in &postings[range(&starts, id)] {
                    vocabulary.write(id as u32, &mut rows.buffer);
                    rows.end(u64::from(posting.count), &tails[posting.document as usize])?;
                }
            }
        }
    })?;
    Ok(())
}

fn range(starts: &[usize], id: usize) -> Range<usize> {
    starts[id]..starts[id + 1]
}

/// Brings the postings of each word together: where those of each word begin, and all of them.
fn group(words: usize, found: &[Vec<(u32, Posting)>]) -> (Vec<usize>, Vec<Posting>) {
    let mut starts = vec![0; words + 2];
    for (id, _) in found.iter().flatten() {
        starts[*id as usize + 2] += 1;
    }
    for id in 2..starts.len() {
        starts[id] += starts[id - 1];
    }
    let mut postings = vec![Posting::default(); starts[words + 1]];
    for (id, posting) in found.iter().flatten() {
        // Moves each start to its end, which is the start of the next word.
        let place = &mut starts[*id as usize + 1];
        postings[*place] = *posting;
        *place += 1;
    }
    (starts, postings)
}
