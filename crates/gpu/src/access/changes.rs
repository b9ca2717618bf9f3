//! Finds how insertions change the words around them.
//!
//! An insertion may cut a word in two, or join with the text next to it. So the host reads the text
//! around each insertion, from one safe place to the next (see [`is_safe_after`]), and splits it into
//! words as it was and as it is. The old words end there, and the new ones begin. A word is identified by
//! the offset of its first byte after all insertions of the batch. Nothing is ever deleted, so this
//! offset never changes.

use super::extract::{Extraction, Stretch, Work};
use super::index::Index;
use super::plan::{Insertion, Read};
use super::records::Records;
use crate::error::GpuError;
use crate::recording::{Download, Outcome, Recording};
use crate::session::{Phase, Session};
use std::collections::{HashMap, HashSet};
use zgram::plumbing::is_safe_after;
use zgram::plumbing::words_of;

/// The bytes to read on each side of an insertion at first; doubled until they are enough.
const WINDOW: u32 = 64;

/// A word that an insertion ended or began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Change {
    /// Its offset after all insertions of the batch, once it is [known](Changes::hear).
    finally: u32,
    insertion: u32,
    is_begun: bool,
    /// Its offset before the insertion, or after it if the insertion began the word.
    offset: u32,
}

/// Changes of words that the batch asks for.
#[derive(Debug, Default)]
pub(super) struct Changes<'b> {
    /// By document and word.
    changes: HashMap<(u32, &'b [u8]), Vec<Change>>,
    /// The end of the insertions of each document.
    ends: HashMap<u32, u32>,
    /// Their offsets after all insertions, once downloaded.
    asked: Option<Download>,
}

/// For each document, the words that are asked for after an insertion.
type Wanted<'b> = HashMap<u32, HashSet<&'b [u8]>>;

/// An insertion whose surroundings are needed.
struct Looking {
    insertion: usize,
    window: u32,
}

impl<'b> Changes<'b> {
    /// Reads the text around all insertions that precede a question about a word in their document. First
    /// submits a recording that uploads them.
    pub(super) fn new(
        session: &mut Session<'_>,
        mut recording: Recording,
        index: &Index,
        records: &Records,
        (insertions, offsets): (&[Insertion<'b>], &[u32]),
        reads: &[Read<'b>],
        work: &mut Work,
    ) -> Result<Self, GpuError> {
        let mut wanted = Wanted::new();
        // For each document: its first insertion, the end of those that are visible, the end of all.
        let mut documents: HashMap<u32, (u32, u32, u32)> = HashMap::new();
        for read in reads {
            let Some(word) = read.asked.word().filter(|_| read.sees.end > read.sees.first) else {
                continue;
            };
            wanted.entry(read.document).or_default().insert(word);
            let sees = (read.sees.first, 0, read.sees.all);
            let end = &mut documents.entry(read.document).or_insert(sees).1;
            *end = read.sees.end.max(*end);
        }
        let mut looking: Vec<Looking> = documents
            .values()
            .flat_map(|&(first, end, _)| first..end)
            .map(|insertion| Looking { insertion: insertion as usize, window: WINDOW })
            .collect();
        looking.sort_unstable_by_key(|looking| looking.insertion);
        let ends = documents.iter().map(|(&document, &(_, _, all))| (document, all)).collect();
        let mut changes = Self { ends, ..Self::default() };
        while !looking.is_empty() {
            let stretches: Vec<Stretch> = looking
                .iter()
                .map(|looking| {
                    let insertion = &insertions[looking.insertion];
                    let at = offsets[looking.insertion];
                    let offset = at.saturating_sub(looking.window);
                    let len = at.saturating_add(looking.window).min(insertion.size) - offset;
                    let (document, end) = (insertion.document, looking.insertion as u32);
                    let first = documents[&document].0;
                    Stretch { document, offset, len, first, end }
                })
                .collect();
            let extraction = Extraction::record(&mut recording, index, records, &stretches)?;
            let recording = std::mem::take(&mut recording);
            let mut outcome = session.submit(Phase::Initialisation, recording)?;
            let texts = extraction.take(&mut outcome, index, work)?;
            let mut again = Vec::new();
            for ((looking, stretch), text) in looking.into_iter().zip(&stretches).zip(texts) {
                let insertion = &insertions[looking.insertion];
                let at = (offsets[looking.insertion] - stretch.offset) as usize;
                let is_end = stretch.offset + stretch.len == insertion.size;
                match surroundings(&text, at, stretch.offset == 0, is_end) {
                    None => {
                        let window = looking.window.saturating_mul(2);
                        again.push(Looking { window, ..looking });
                    }
                    Some(around) => changes.add(
                        &wanted,
                        insertion,
                        looking.insertion as u32,
                        &text[around.clone()],
                        (at - around.start, stretch.offset + around.start as u32),
                    ),
                }
            }
            looking = again;
        }
        Ok(changes)
    }

    /// Notes the words of a text before and after an insertion at `at`. The text begins at `start`.
    fn add(
        &mut self,
        wanted: &Wanted<'b>,
        insertion: &Insertion<'b>,
        number: u32,
        old: &[u8],
        (at, start): (usize, u32),
    ) {
        let new = [&old[..at], insertion.bytes, &old[at..]].concat();
        let Some(wanted) = wanted.get(&insertion.document) else { return };
        for (text, is_begun) in [(old, false), (&new, true)] {
            for (within, word) in words_of(text, true) {
                if let Some(&word) = wanted.get(word) {
                    let key = (insertion.document, word);
                    self.changes.entry(key).or_default().push(Change {
                        finally: 0,
                        insertion: number,
                        is_begun,
                        offset: start + within as u32,
                    });
                }
            }
        }
    }

    /// Records the question for the offsets of all words after all insertions.
    pub(super) fn ask(&mut self, recording: &mut Recording, records: &Records) {
        let mut questions = Vec::new();
        for ((document, _), changes) in &self.changes {
            for change in changes {
                let known = change.insertion + u32::from(change.is_begun);
                questions.extend([known, self.ends[document], change.offset]);
            }
        }
        if !questions.is_empty() {
            self.asked = Some(records.follow(recording, questions));
        }
    }

    /// Takes the answer, from the first outcome after the question.
    pub(super) fn hear(&mut self, outcome: &mut Outcome) {
        let Some(asked) = self.asked.take() else { return };
        // In the order of the questions: the map has not changed.
        let all = self.changes.values_mut().flatten();
        all.zip(outcome.take(asked)).for_each(|(change, answer)| change.finally = answer);
    }

    fn of(&self, read: &Read<'b>) -> impl Iterator<Item = &Change> {
        let key = read.asked.word().map(|word| (read.document, word));
        let changes = key.and_then(|key| self.changes.get(&key));
        changes.into_iter().flatten().filter(|change| change.insertion < read.sees.end)
    }

    /// How many more occurrences of a word a document has than before the batch.
    pub(super) fn difference(&self, read: &Read<'b>) -> i64 {
        self.of(read).map(|change| if change.is_begun { 1 } else { -1 }).sum()
    }

    /// The questions for the offsets, at the time of a search, of the words that insertions before it
    /// began.
    pub(super) fn questions(&self, read: &Read<'b>) -> Vec<u32> {
        let begun = self.of(read).filter(|change| change.is_begun);
        begun.flat_map(|change| [change.insertion + 1, read.sees.end, change.offset]).collect()
    }

    /// The offsets, after all insertions, of words that insertions before a search ended or began:
    /// matches at these offsets in the compressed text are not reported again. And the offsets, at the
    /// time of the search, of words that were begun and not ended, given the answers to its
    /// [questions](Self::questions).
    pub(super) fn places(
        &self,
        read: &Read<'b>,
        answers: &mut impl Iterator<Item = u32>,
    ) -> (Vec<u32>, Vec<u32>) {
        let mut changes: Vec<(&Change, Option<u32>)> = Vec::new();
        for change in self.of(read) {
            changes.push((change, change.is_begun.then(|| answers.next()).flatten()));
        }
        changes.sort_unstable();
        let same = || changes.chunk_by(|(a, _), (b, _)| a.finally == b.finally);
        let begun = same().filter_map(|same| same.last().and_then(|&(_, now)| now));
        (same().map(|same| same[0].0.finally).collect(), begun.collect())
    }
}

/// From the last safe place before `at` to the first after it; `None` if the text is too short.
fn surroundings(
    text: &[u8],
    at: usize,
    is_start: bool,
    is_end: bool,
) -> Option<std::ops::Range<usize>> {
    let safe = (4.min(at)..=at).rev().find(|&end| is_safe_after(&text[..end]));
    let start = safe.or(is_start.then_some(0))?;
    let safe = (at + 1..=text.len()).find(|&end| is_safe_after(&text[at..end]));
    let end = safe.or(is_end.then_some(text.len()))?;
    Some(start..end)
}
