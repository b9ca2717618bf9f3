//! Random access on the GPU: batches of extract, search, count, insert and append.
//!
//! [`RandomAccess`] answers a [`Transaction`] as [`Store::run`](zgram::store::Store::run) does, from indexes
//! that it builds on the device (random-access-gpu section IV). It reads the corpus and writes nothing.
//! The store makes edits durable, and hands the reads of its batches to a [`GpuReader`].
//!
//! | file | does |
//! |---|---|
//! | `plan` | turns names and words into numbers, and refuses invalid operations |
//! | `index` | builds a segment's index on the device |
//! | `records` | keeps a batch's insertions on the device, so that every read sees the text at its time |
//! | `extract` | extracts stretches of documents |
//! | `words` | counts and finds words |
//! | `changes` | finds words that insertions end or begin |
//! | `reader` | answers a store's batches, and leaves to the store what the device does not support |
//!
//! A batch is answered with one submission per segment, whatever its operations are, with these
//! exceptions. There is one more, or a few if words are long, if it looks for a word in a document that
//! it has changed before, because only the host can split text into words. There is another one if its
//! offsets are relative to the text before the batch. And there is another run if there are more matches
//! than fit the buffer, or if the device cannot take everything at once. Building the index of a segment
//! takes four submissions before that. All indexes stay on the device as long as the [`RandomAccess`].

mod changes;
mod extract;
mod index;
mod plan;
mod reader;
mod records;
#[cfg(test)]
mod tests;
mod words;

pub use reader::{GpuReader, ReaderReport};

use crate::backend::Backend;
use crate::error::GpuError;
use crate::recording::Recording;
use crate::session::{Phase, Session};
use changes::Changes;
use extract::{Extraction, Stretch, Work};
use index::Index;
use plan::{Answers, Asked, Left, Plan, Read, Task};
use records::{Offsets, Records};
use std::ops::AddAssign;
use std::sync::{Arc, Mutex};
use words::{Outcomes, Search, Units, Wanted};
use zgram::Corpus;
use zgram::access::Match;
use zgram::error::{EditError, NoDocument, OpenError, TransactionError};
use zgram::plumbing::Dictionary;
use zgram::store::{Answer, Transaction};

/// Why a batch was not answered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AccessError {
    /// The GPU failed, or does not support an operation of the batch.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// An operation of the batch is invalid.
    #[error(transparent)]
    Batch(#[from] TransactionError),
    /// The corpus cannot be read.
    #[error(transparent)]
    Corpus(#[from] OpenError),
    /// No document has this number.
    #[error(transparent)]
    NoDocument(#[from] NoDocument),
}

/// Statistics so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AccessStats {
    /// Submissions that answer, without those that build indexes.
    pub submissions: u64,
    /// Threads that extracted bytes, at most 64 each.
    pub extract_units: u64,
    /// Steps of these threads: searches, levels of the grammar, bytes.
    pub extract_steps: u64,
    /// The most steps of one thread.
    pub most_extract_steps: u64,
    /// Threads that counted words, at most 64 places each.
    pub word_units: u64,
    /// Matches that were found.
    pub matches: u64,
    /// How often there were more matches than fit the buffer.
    pub reruns: u64,
}

impl AddAssign for AccessStats {
    fn add_assign(&mut self, more: Self) {
        self.submissions += more.submissions;
        self.extract_units += more.extract_units;
        self.extract_steps += more.extract_steps;
        self.most_extract_steps = self.most_extract_steps.max(more.most_extract_steps);
        self.word_units += more.word_units;
        self.matches += more.matches;
        self.reruns += more.reruns;
    }
}

/// A corpus on a device.
pub struct RandomAccess<B: Backend> {
    backend: B,
    corpus: Arc<Corpus>,
    /// One batch runs at a time.
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    indexes: Vec<Option<Index>>,
    stats: AccessStats,
}

impl<B: Backend> RandomAccess<B> {
    /// Takes an open corpus. Uploads nothing yet.
    pub fn new(backend: B, corpus: Arc<Corpus>) -> Self {
        let mut state = State::default();
        state.indexes.resize_with(corpus.facts().segments.len(), || None);
        Self { backend, corpus, state: Mutex::new(state) }
    }

    /// The backend.
    pub fn backend(&self) -> &B {
        &self.backend
    }

    /// Statistics so far.
    pub fn stats(&self) -> AccessStats {
        self.state.lock().expect("no holder panics").stats
    }

    /// Uploads all segments and builds their indexes.
    ///
    /// # Errors
    /// When a section is damaged, the device fails, or something does not fit.
    pub fn prepare(&self) -> Result<(), AccessError> {
        let mut state = self.state.lock().expect("no holder panics");
        (0..state.indexes.len()).try_for_each(|segment| self.index(&mut state, segment).map(drop))
    }

    /// Answers a batch as [`Store::run`](zgram::store::Store::run) would if the store had no pending
    /// edits. Writes nothing.
    ///
    /// # Errors
    /// When an operation is invalid or the GPU does not support it, or when the device fails. Then no
    /// operation is answered.
    pub fn answer(
        &self,
        batch: &Transaction,
    ) -> Result<Vec<Result<Answer, EditError>>, AccessError> {
        let (answers, left) = self.run(batch)?;
        match left.first() {
            Some(&(_, what)) => Err(GpuError::Unsupported { what }.into()),
            None => Ok(answers.into_iter().flatten().collect()),
        }
    }

    /// Answers what the GPU can. Returns which operations it does not support, and why.
    fn run(&self, batch: &Transaction) -> Result<(Answers, Left), AccessError> {
        let mut state = self.state.lock().expect("no holder panics");
        let Plan { tasks, mut answers, left } = plan::plan(&self.corpus, batch, &mut |piece| {
            Ok(self.index(&mut state, piece.segment)?.lengths[piece.document])
        })?;
        for (segment, task) in tasks.iter().enumerate() {
            if !task.reads.is_empty() {
                self.index(&mut state, segment)?;
                let State { indexes, stats } = &mut *state;
                let index = indexes[segment].as_ref().expect("it was just made");
                let mut run = Run {
                    session: Session::new(&self.backend),
                    index,
                    dictionary: self.corpus.dictionary()?,
                    stats,
                };
                run.task(task, batch, &mut answers)?;
            }
        }
        Ok((answers, left))
    }

    fn index<'s>(&self, state: &'s mut State, segment: usize) -> Result<&'s Index, AccessError> {
        let slot = &mut state.indexes[segment];
        if slot.is_none() {
            let grammar = self.corpus.segment(segment)?;
            let index = Index::new(&self.backend, &grammar, self.corpus.dictionary()?)?;
            if let Err(error) = self.check_sizes(segment, &index) {
                self.backend.free(&index.on_device.all());
                return Err(error);
            }
            *slot = Some(index);
        }
        Ok(slot.as_ref().expect("it was just made"))
    }

    /// The document table must be correct, because offsets were checked against it.
    fn check_sizes(&self, segment: usize, index: &Index) -> Result<(), AccessError> {
        let sizes = self.corpus.documents()?.iter().map(|(_, size)| size);
        let first = self.corpus.facts().segments[segment].first_document as usize;
        let documents = (first..).zip(sizes.skip(first)).zip(&index.lengths);
        for ((document, size), &length) in documents {
            let length = u64::from(length);
            let is_whole = self.corpus.pieces(document)?.take(2).count() == 1;
            if length > size || is_whole && length < size {
                return Err(GpuError::Damaged { document, length, size }.into());
            }
        }
        Ok(())
    }
}

impl<B: Backend> Drop for RandomAccess<B> {
    fn drop(&mut self) {
        let state = self.state.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        for index in state.indexes.iter().flatten() {
            self.backend.free(&index.on_device.all());
        }
    }
}

/// Adds the answer of a document's next piece.
fn add(whole: &mut Answer, piece: Answer) {
    match (whole, piece) {
        (Answer::Bytes(whole), Answer::Bytes(piece)) if whole.is_empty() => *whole = piece,
        (Answer::Bytes(whole), Answer::Bytes(piece)) => whole.extend(piece),
        (Answer::Count(whole), Answer::Count(piece)) => *whole += piece,
        (Answer::Matches(whole), Answer::Matches(piece)) => match whole.first_mut() {
            Some((_, matches)) => matches.extend(piece.into_iter().flat_map(|own| own.1)),
            None => *whole = piece,
        },
        _ => {}
    }
}

/// A batch on one segment.
struct Run<'a> {
    session: Session<'a>,
    index: &'a Index,
    dictionary: &'a Dictionary,
    stats: &'a mut AccessStats,
}

/// For each word, how often it occurs in its document; for those to be found, where.
type AllWords = (Vec<u32>, Vec<Vec<words::Found>>);

/// Room for matches that every search gets at first.
const MATCHES_A_SEARCH: usize = 16;

impl Run<'_> {
    fn task(
        &mut self,
        task: &Task<'_>,
        batch: &Transaction,
        answers: &mut Answers,
    ) -> Result<(), GpuError> {
        let mut recording = Recording::new();
        let (records, offsets) =
            Records::upload(&self.session, &mut recording, &task.insertions, batch.offsets)?;
        let sees_changes =
            |read: &Read<'_>| read.asked.word().is_some() && read.sees.end > read.sees.first;
        let mut changes = Changes::default();
        let mut work = Work::default();
        if task.reads.iter().any(sees_changes) {
            let offsets = match offsets {
                Offsets::Known(offsets) => offsets,
                Offsets::Placed(buffer) => {
                    let download = recording.download(buffer, 0..task.insertions.len());
                    let recording = std::mem::take(&mut recording);
                    self.session.submit(Phase::Initialisation, recording)?.take(download)
                }
            };
            changes = Changes::new(
                &mut self.session,
                std::mem::take(&mut recording),
                self.index,
                &records,
                (&task.insertions, &offsets),
                &task.reads,
                &mut work,
            )?;
            changes.ask(&mut recording, &records);
        }
        let mut groups = self.groups(&task.reads);
        groups.reverse();
        while let Some(group) = groups.pop() {
            let recording = std::mem::take(&mut recording);
            if !self.group(recording, &records, &mut changes, group, &mut work, answers)? {
                // There are more matches than fit. Half of the reads have about half of them.
                let (first, second) = group.split_at(group.len() / 2);
                groups.extend([second, first]);
            }
        }
        *self.stats += AccessStats {
            submissions: self.session.submissions,
            extract_units: work.units,
            extract_steps: work.steps,
            most_extract_steps: work.most_steps,
            ..AccessStats::default()
        };
        Ok(())
    }

    fn token(&self, read: &Read<'_>) -> Option<u32> {
        read.asked.word().and_then(|word| self.dictionary.find(word))
    }

    /// Cuts reads into as few groups as the device can take. Each group is a submission.
    fn groups<'r, 'b>(&self, reads: &'r [Read<'b>]) -> Vec<&'r [Read<'b>]> {
        let limits = self.session.backend.limits();
        let most = limits.binding.min(limits.memory / 8);
        let mut groups = Vec::new();
        let (mut first, mut sum) = (0, 0);
        for (at, read) in reads.iter().enumerate() {
            let cost = match read.asked {
                Asked::Extract { len, .. } => extract::cost(len),
                Asked::Search { .. } | Asked::Count { .. } => {
                    4 * MATCHES_A_SEARCH + words::cost(self.index, self.token(read))
                }
            };
            if sum + cost > most && at > first {
                groups.push(&reads[first..at]);
                (first, sum) = (at, 0);
            }
            sum += cost;
        }
        groups.push(&reads[first..]);
        groups
    }

    /// Answers reads; `false` if their matches do not fit on the device.
    fn group<'b>(
        &mut self,
        mut recording: Recording,
        records: &Records,
        changes: &mut Changes<'b>,
        reads: &[Read<'b>],
        work: &mut Work,
        answers: &mut Answers,
    ) -> Result<bool, GpuError> {
        let (mut stretches, mut find, mut count) = (Vec::new(), Vec::new(), Vec::new());
        let mut questions = Vec::new();
        for read in reads {
            let Read { document, sees, .. } = *read;
            let wanted = Wanted { document, token: self.token(read), sees };
            match read.asked {
                Asked::Extract { offset, len } => {
                    let (first, end) = (sees.first, sees.end);
                    stretches.push(Stretch { document, offset, len, first, end });
                }
                Asked::Search { .. } => {
                    find.push(wanted);
                    questions.extend(changes.questions(read));
                }
                Asked::Count { .. } => count.push(wanted),
            }
        }
        let extraction = Extraction::record(&mut recording, self.index, records, &stretches)?;
        let units = Units::new(self.index, &find, &count);
        self.stats.word_units += units.len() as u64;
        let wished = if find.is_empty() { 0 } else { 1024 + MATCHES_A_SEARCH * find.len() };
        let capacity = wished.min(self.session.backend.limits().binding / words::room(1));
        let search = Search::record(&mut recording, self.index, records, &units, capacity);
        let moved = (!questions.is_empty()).then(|| records.follow(&mut recording, questions));
        let mut outcome = self.session.submit(Phase::Traversal, recording)?;
        changes.hear(&mut outcome);
        let texts = extraction.take(&mut outcome, self.index, work)?;
        let moved = moved.map_or_else(Vec::new, |moved| outcome.take(moved));
        let mut starts = Vec::new();
        let first = search.take(&mut outcome, &mut starts)?;
        let Some((counts, found)) = self.finish(records, &units, search, first, starts)? else {
            return match reads.len() {
                1 => Err(GpuError::TooMany { what: "places of a word" }),
                _ => Ok(false),
            };
        };
        self.stats.matches += found.iter().map(|found| found.len() as u64).sum::<u64>();

        let (found_counts, counted) = counts.split_at(find.len());
        debug_assert_eq!(found_counts.len(), found.len());
        let (mut texts, mut found) = (texts.into_iter(), found.into_iter());
        let (mut counted, mut moved) = (counted.iter(), moved.into_iter());
        for read in reads {
            let answer = match read.asked {
                Asked::Extract { .. } => Answer::Bytes(texts.next().unwrap_or_default()),
                Asked::Count { .. } => {
                    let count = u64::from(*counted.next().unwrap_or(&0));
                    Answer::Count(count.saturating_add_signed(changes.difference(read)))
                }
                Asked::Search { word } => {
                    let (ended, begun) = changes.places(read, &mut moved);
                    let places = found.next().unwrap_or_default().into_iter();
                    let mut places: Vec<u32> = places
                        .filter(|found| ended.binary_search(&found.finally).is_err())
                        .map(|found| found.now)
                        .collect();
                    places.extend(begun);
                    places.sort_unstable();
                    let len = word.len();
                    let found = |at: u32| Match { offset: read.start + u64::from(at), len };
                    let matches: Vec<Match> = places.into_iter().map(found).collect();
                    let is_empty = matches.is_empty();
                    let own = (read.name.to_vec(), matches);
                    Answer::Matches(if is_empty { Vec::new() } else { vec![own] })
                }
            };
            if let Some(Ok(whole)) = &mut answers[read.operation] {
                add(whole, answer);
            }
        }
        Ok(true)
    }

    /// Sees to it that all matches are found: with more room, or more time. `None` if there is not
    /// so much room.
    fn finish(
        &mut self,
        records: &Records,
        units: &Units,
        mut search: Search,
        mut came: Outcomes,
        mut starts: Vec<u32>,
    ) -> Result<Option<AllWords>, GpuError> {
        loop {
            let mut recording = Recording::new();
            match came {
                Outcomes::All { counts, found } => {
                    self.session.free(&search.kept());
                    return Ok(Some((counts, found)));
                }
                Outcomes::TooMany(matches) => {
                    self.session.free(&search.kept());
                    self.stats.reruns += 1;
                    let limits = self.session.backend.limits();
                    if words::room(matches) > limits.binding.min(limits.memory / 4) {
                        return Ok(None);
                    }
                    search = Search::record(&mut recording, self.index, records, units, matches);
                    starts.clear();
                }
                Outcomes::Unfinished => search.find(&mut recording, self.index, records),
            }
            let mut outcome = self.session.submit(Phase::Traversal, recording)?;
            came = search.take(&mut outcome, &mut starts)?;
        }
    }
}
