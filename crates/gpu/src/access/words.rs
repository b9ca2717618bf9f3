//! Counts and finds words in documents.
//!
//! A word's places in rules are cut into units of 64, one thread each, so that a frequent word gets more
//! threads (random-access-gpu section IV-D). The sums of the units' counts yield the count of each word,
//! and the position of each match in the output. Then every match gets a thread.

use super::index::Index;
use super::plan::Sees;
use super::records::Records;
use crate::error::GpuError;
use crate::kernels::access::{DONE, read_count, read_search, read_search_offsets};
use crate::recording::{Buffer, Download, Outcome, Recording};
use std::ops::Range;

/// The places in rules that one thread takes.
const UNIT: usize = 64;

/// The words of a unit and of a match.
const UNIT_WORDS: usize = 8;
const MATCH_WORDS: usize = 4;

/// The most steps of a thread in one dispatch. One more round of each loop stays far below 65,535 rounds.
const BUDGET: u32 = 30_000;

/// Dispatches per submission. If they are not enough, another submission follows.
const ROUNDS: usize = 2;

/// A word to find or count in a document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    pub(super) document: u32,
    /// `None` if the corpus does not contain the word.
    pub(super) token: Option<u32>,
    pub(super) sees: Sees,
}

/// The offsets of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// After the insertions that the search sees.
    pub(super) now: u32,
    /// After all insertions of the batch.
    pub(super) finally: u32,
}

/// The units of words; those to be found come first.
pub(super) struct Units {
    words: Vec<u32>,
    /// The units of each word.
    ranges: Vec<Range<usize>>,
    /// The number of words to find, and the number of their units.
    found: usize,
    finding: usize,
}

/// The words that the device needs for the units of a word.
pub(super) fn cost(index: &Index, token: Option<u32>) -> usize {
    token.map_or(0, |token| (index.places(token).in_rules.len() / UNIT + 1) * UNIT_WORDS)
}

/// The words that the device needs for matches.
pub(super) fn room(matches: usize) -> usize {
    MATCH_WORDS * matches
}

impl Units {
    pub(super) fn new(index: &Index, find: &[Wanted], count: &[Wanted]) -> Self {
        let mut units =
            Self { words: Vec::new(), ranges: Vec::new(), found: find.len(), finding: 0 };
        for wanted in find {
            units.push(index, wanted);
        }
        units.finding = units.len();
        for wanted in count {
            units.push(index, wanted);
        }
        units
    }

    pub(super) fn len(&self) -> usize {
        self.words.len() / UNIT_WORDS
    }

    fn push(&mut self, index: &Index, wanted: &Wanted) {
        let first = self.len();
        if let Some(token) = wanted.token {
            let places = index.places(token);
            let mut in_root = places.in_root;
            let mut from = places.in_rules.start;
            loop {
                let end = places.in_rules.end.min(from + UNIT as u32);
                let Sees { first, end: seen, all } = wanted.sees;
                let root = [in_root.start, in_root.end];
                let unit = [wanted.document, from, end, root[0], root[1], first, seen, all];
                self.words.extend(unit);
                in_root = 0..0;
                from = end;
                if from >= places.in_rules.end {
                    break;
                }
            }
        }
        self.ranges.push(first..self.len());
    }
}

/// A recorded search.
pub(super) struct Search {
    starts: Option<Download>,
    matches: Option<Download>,
    ranges: Vec<Range<usize>>,
    found: usize,
    finding: usize,
    capacity: usize,
    /// What another submission needs to continue: units, their starts, matches.
    kept: Option<[Buffer; 3]>,
}

/// The result of a search.
pub(super) enum Outcomes {
    /// For each word, how often it occurs in its document; for those to be found, where.
    All { counts: Vec<u32>, found: Vec<Vec<Found>> },
    /// The matches do not fit; this is their number.
    TooMany(usize),
    /// The search has not finished within its steps.
    Unfinished,
}

impl Search {
    /// Records a search with room for `capacity` matches. The units stay on the device.
    pub(super) fn record(
        recording: &mut Recording,
        index: &Index,
        records: &Records,
        units: &Units,
        capacity: usize,
    ) -> Self {
        let (count, found, finding) = (units.len(), units.found, units.finding);
        let ranges = units.ranges.clone();
        if count == 0 {
            let (starts, matches, kept) = (None, None, None);
            return Self { starts, matches, ranges, found, finding, capacity, kept };
        }
        let words = recording.upload("units", units.words.clone());
        let starts = recording.buffer("unit_starts", count + 1);
        let [rules, documents, tokens] = index.numbers;
        let on_device = &index.on_device;
        recording.dispatch(
            &read_count::KERNEL,
            count,
            &[rules, documents, tokens, count as u32],
            &[
                words.into(),
                on_device.shape.into(),
                on_device.places.into(),
                on_device.owners.into(),
                on_device.tables.into(),
                starts.into(),
            ],
        );
        recording.scan(starts, count + 1);
        let matches = recording.buffer("matches", MATCH_WORDS * capacity);
        let mut search = Self {
            starts: Some(recording.download(starts, 0..count + 1)),
            matches: None,
            ranges,
            found,
            finding,
            capacity,
            kept: Some([words, starts, matches]),
        };
        search.find(recording, index, records);
        search
    }

    /// Records the search for matches, from where the last submission stopped.
    pub(super) fn find(&mut self, recording: &mut Recording, index: &Index, records: &Records) {
        let Some([words, starts, matches]) = self.kept else { return };
        if self.finding == 0 {
            return;
        }
        let [rules, documents, tokens] = index.numbers;
        let (units, capacity) = (self.finding as u32, self.capacity as u32);
        let on_device = &index.on_device;
        for _ in 0..ROUNDS {
            recording.dispatch(
                &read_search::KERNEL,
                self.capacity,
                &[rules, documents, tokens, units, capacity, BUDGET],
                &[
                    words.into(),
                    on_device.shape.into(),
                    on_device.places.into(),
                    on_device.owners.into(),
                    on_device.tables.into(),
                    on_device.sums.into(),
                    starts.into(),
                    matches.into(),
                ],
            );
        }
        let [insertions, slots] = records.numbers;
        recording.dispatch(
            &read_search_offsets::KERNEL,
            self.capacity,
            &[insertions, slots, units, capacity],
            &[words.into(), starts.into(), records.words.into(), matches.into()],
        );
        self.matches = Some(recording.download(matches, 0..MATCH_WORDS * self.capacity));
    }

    /// The buffers to free.
    pub(super) fn kept(&self) -> Vec<Buffer> {
        self.kept.iter().flatten().copied().collect()
    }

    /// The result, with the starts of units if an earlier submission has returned them.
    pub(super) fn take(
        &self,
        outcome: &mut Outcome,
        known: &mut Vec<u32>,
    ) -> Result<Outcomes, GpuError> {
        if let (Some(starts), true) = (self.starts, known.is_empty()) {
            *known = outcome.take(starts);
        }
        let at = |unit: usize| known.get(unit).copied().unwrap_or(0) as usize;
        let total = at(self.finding);
        if total > self.capacity {
            return Ok(Outcomes::TooMany(total));
        }
        let matches = self.matches.map_or_else(Vec::new, |matches| outcome.take(matches));
        let mut found = Vec::new();
        let mut counts = Vec::with_capacity(self.ranges.len());
        for (number, range) in self.ranges.iter().enumerate() {
            let (from, end) = (at(range.start), at(range.end));
            counts.push((end - from) as u32);
            if number < self.found {
                let words = &matches[MATCH_WORDS * from..MATCH_WORDS * end];
                let mut own = Vec::with_capacity(end - from);
                for found in words.chunks_exact(MATCH_WORDS) {
                    if found[1] != DONE {
                        return Ok(Outcomes::Unfinished);
                    }
                    if found[0] == DONE {
                        return Err(GpuError::Invalid {
                            reason: "a word's places and its counts do not agree".to_owned(),
                        });
                    }
                    own.push(Found { now: found[2], finally: found[3] });
                }
                found.push(own);
            }
        }
        Ok(Outcomes::All { counts, found })
    }
}
