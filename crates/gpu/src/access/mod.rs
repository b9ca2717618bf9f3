//! Random access on the GPU: batches of extract, search, count, insert and append.
//!
//! [`RandomAccess`] answers a [`Batch`] as [`Store::run`](zgram::store::Store::run) does, from
//! indexes that are built on the device (random-access-gpu section IV). It reads the corpus and answers;
//! it writes nothing: edits are made durable by the store, which has its batches read here by a
//! [`GpuReader`].
//!
//! | file | what it does |
//! |---|---|
//! | `plan` | names and words become numbers; what cannot be done is refused |
//! | `index` | a segment's index, built on the device |
//! | `records` | a batch's insertions on the device, so that every read sees its own text |
//! | `extract` | stretches of documents |
//! | `words` | words counted and found |
//! | `changes` | words that insertions end or begin |
//! | `reader` | the store's batches: what the device answers, and what is left to the store |
//!
//! A batch is one submission a segment, whatever its operations are, with these exceptions: one more,
//! or some if words are long, if a word is asked for in a document that was changed before in the
//! batch, because only the host can cut text into words; then another one for offsets that count in
//! the text before the batch; and another run if matches are more than was made room for, or the device
//! cannot take all at once.

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
use zgram::access::Match;
use zgram::plumbing::Dictionary;
use zgram::store::{Answer, Batch, BatchError};
use zgram::{Corpus, Error};

/// Why a batch was not answered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AccessError {
    /// The GPU did not answer, or does not do an operation of the batch.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// An operation of the batch cannot be done.
    #[error(transparent)]
    Batch(#[from] BatchError),
    /// The corpus cannot be read.
    #[error(transparent)]
    Corpus(#[from] Error),
}

/// What was done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AccessStats {
    /// Submissions for answers, those that build indexes not counted in.
    pub submissions: u64,
    /// Threads that extracted bytes, up to 64 each.
    pub extract_units: u64,
    /// Steps of these threads: searches, levels of the grammar, bytes.
    pub extract_steps: u64,
    /// The most steps of one of them.
    pub most_extract_steps: u64,
    /// Threads that counted words, up to 64 places each.
    pub word_units: u64,
    /// Places of words that were found.
    pub matches: u64,
    /// Times that matches were more than was made room for.
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
    /// Takes an open corpus; nothing is put on the device yet.
    pub fn new(backend: B, corpus: Arc<Corpus>) -> Self {
        let mut state = State::default();
        state.indexes.resize_with(corpus.facts().segments.len(), || None);
        Self { backend, corpus, state: Mutex::new(state) }
    }

    /// The backend.
    pub fn backend(&self) -> &B {
        &self.backend
    }

    /// What was done so far.
    pub fn stats(&self) -> AccessStats {
        self.state.lock().expect("no holder panics").stats
    }

    /// Puts all segments on the device and builds their indexes there.
    ///
    /// # Errors
    /// When a section is damaged, the device fails, or something does not fit.
    pub fn prepare(&self) -> Result<(), AccessError> {
        let mut state = self.state.lock().expect("no holder panics");
        (0..state.indexes.len()).try_for_each(|segment| self.index(&mut state, segment).map(drop))
    }

    /// Answers a batch: what [`Store::run`](zgram::store::Store::run) answers if the store has no
    /// edits before it. Nothing is written.
    ///
    /// # Errors
    /// When an operation cannot be done, or not on the GPU; when the device fails. Then there is no
    /// answer to any.
    pub fn answer(&self, batch: &Batch) -> Result<Vec<Result<Answer, Error>>, AccessError> {
        let (answers, left) = self.run(batch)?;
        match left.first() {
            Some(&(_, what)) => Err(GpuError::Unsupported { what }.into()),
            None => Ok(answers.into_iter().flatten().collect()),
        }
    }

    /// Answers what the GPU can; tells what it does not do, and why.
    fn run(&self, batch: &Batch) -> Result<(Answers, Left), AccessError> {
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

    /// The document table must tell the truth: offsets were checked against it.
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

/// Of each word, how often it stands in its document; of those to be found, where.
type AllWords = (Vec<u32>, Vec<Vec<words::Found>>);

/// Room for matches that every search is given at first.
const MATCHES_A_SEARCH: usize = 16;

impl Run<'_> {
    fn task(
        &mut self,
        task: &Task<'_>,
        batch: &Batch,
        answers: &mut Answers,
    ) -> Result<(), GpuError> {
        let mut recording = Recording::new();
        let (records, offsets) =
            Records::upload(&self.session, &mut recording, &task.insertions, batch.meaning)?;
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
                // More matches than fit: half of the reads have half of them, more or less.
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

    /// Cuts reads into as few groups as the device can take, each a submission.
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

    /// Answers reads; `false` if their matches are more than fit on the device.
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
