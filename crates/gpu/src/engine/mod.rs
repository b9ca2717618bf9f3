//! The engine: counts words and sequences of a segment's documents on a device.
//!
//! It is an [`Accelerator`]: all before counting and after it is the library's. What does not fit
//! on the device is counted in halves, by documents, and put together again.

mod apart;
mod merge;
mod plan;
mod rows;
mod sequences;
pub(crate) mod session;
pub(crate) mod sheet;

pub use rows::Rows;

use crate::backend::{Backend, Counters};
use crate::error::GpuError;
use crate::recording::Recording;
use apart::Direction;
use session::{Phases, Session};
use sheet::{Sheet, Tallies};
use std::sync::Mutex;
use std::time::Duration;
use zgram::analytics::{Accelerator, AcceleratorError, Counted, Job, Traversal};

/// Counts on a backend.
pub struct Engine<B> {
    backend: B,
    /// Symbols that a thread may take, if not chosen for each grammar.
    threshold: Option<usize>,
    direction: Direction,
    /// One segment is on the device at a time; others are loaded meanwhile.
    stats: Mutex<Stats>,
}

/// What an engine has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// What the backend has done.
    pub counters: Counters,
    /// Time of submissions that find out what counting needs.
    pub initialisation: Duration,
    /// Time of submissions that count.
    pub traversal: Duration,
    /// Submissions that count.
    pub traversals: u64,
    /// Symbols that these looked at, of all that [`Counters::visits`] has.
    pub visits: u64,
    /// Jobs: one for each segment.
    pub jobs: u64,
    /// Times that a job was cut in halves because it did not fit.
    pub splits: u64,
    /// Times that tables were too small and were made larger.
    pub reruns: u64,
}

impl<B: Backend> Engine<B> {
    /// An engine on a backend.
    pub fn new(backend: B) -> Self {
        let direction = Direction::Down;
        Self { backend, threshold: None, direction, stats: Mutex::default() }
    }

    /// Lets a thread take at most so many symbols, two or more.
    #[must_use]
    pub fn with_threshold(mut self, symbols: usize) -> Self {
        self.threshold = Some(symbols.max(2));
        self
    }

    /// Goes bottom-up, where documents are counted apart, if `traversal` says so or would have
    /// documents streamed: what rules stand for is then written out, once, and not gone through
    /// again for each document. For all documents together one number a rule is enough: always
    /// top-down.
    #[must_use]
    pub fn with_traversal(mut self, traversal: Traversal) -> Self {
        self.direction = match traversal {
            Traversal::BottomUp | Traversal::Stream => Direction::Up,
            _ => Direction::Down,
        };
        self
    }

    /// The backend.
    pub fn backend(&self) -> &B {
        &self.backend
    }

    /// What was done so far.
    pub fn stats(&self) -> Stats {
        let stats = *self.stats.lock().expect("no holder panics");
        Stats { counters: self.backend.counters(), ..stats }
    }

    /// Counts, in halves if need be.
    ///
    /// # Errors
    /// When the device fails, or one document alone does not fit.
    pub fn count_job(&self, job: &Job<'_>) -> Result<Counted, GpuError> {
        let mut stats = self.stats.lock().expect("no holder panics");
        stats.jobs += 1;
        self.count_or_split(job, self.direction, &mut stats)
    }

    fn count_or_split(
        &self,
        job: &Job<'_>,
        direction: Direction,
        stats: &mut Stats,
    ) -> Result<Counted, GpuError> {
        match self.count_whole(job, direction, stats) {
            // Tables of what rules contain do not get smaller with fewer documents.
            Err(GpuError::OutOfMemory { .. } | GpuError::TooMany { .. })
                if direction == Direction::Up =>
            {
                self.count_or_split(job, Direction::Down, stats)
            }
            Err(GpuError::OutOfMemory { .. } | GpuError::TooMany { .. })
                if job.documents.len() > 1 =>
            {
                stats.splits += 1;
                let (first, second) = job.documents.split_at(job.documents.len() / 2);
                let mut count = |documents| {
                    self.count_or_split(&Job { documents, ..job.clone() }, direction, stats)
                };
                Ok(merge::merge(count(first)?, count(second)?, job.n, job.by_document))
            }
            counted => counted,
        }
    }

    fn count_whole(
        &self,
        job: &Job<'_>,
        direction: Direction,
        stats: &mut Stats,
    ) -> Result<Counted, GpuError> {
        let words = u32::try_from(job.words).map_err(|_| GpuError::TooMany { what: "words" })?;
        let threshold = self.threshold.unwrap_or_else(|| Rows::threshold(job.grammar));
        let threshold = threshold.min(sequences::most_symbols(job.n)?);
        let is_counted =
            |token: u32| job.numbers.get(token as usize).is_some_and(|&number| number < words);
        let rows = Rows::new(job.grammar, job.documents, threshold, is_counted)?;
        let mut session = Session::new(&self.backend);
        let mut recording = Recording::new();
        let sheet = Sheet::upload(&mut recording, rows, job.numbers, words);
        let is_apart = job.by_document && job.documents.len() > 1;
        let (tallies, sequences) = if job.n > 1 {
            let direction = if is_apart { direction } else { Direction::Down };
            let sequences = sequences::derive(&mut session, recording, sheet, job, direction)?;
            let sequences::Sequences { sheet, bounds, words } = sequences;
            let recording = Recording::new();
            let tallies = match is_apart {
                true => sheet.count_apart(&mut session, recording, bounds)?,
                false => sheet.count_together(&mut session, recording)?,
            };
            (tallies, words)
        } else if is_apart {
            let bounds = sheet.measure(&session, &mut recording, direction)?;
            (sheet.count_apart(&mut session, recording, bounds)?, Vec::new())
        } else {
            (sheet.count_together(&mut session, recording)?, Vec::new())
        };
        let Phases { initialisation, traversal, traversals, visits } = session.phases;
        stats.visits += visits;
        stats.initialisation += initialisation;
        stats.traversal += traversal;
        stats.traversals += traversals;
        let Tallies { starts, items, counts, visited, reruns } = tallies;
        stats.reruns += u64::from(reruns);
        Ok(Counted { sequences, starts, items, counts, visited })
    }
}

impl<B: Backend> Accelerator for Engine<B> {
    fn count(&self, job: &Job<'_>) -> Result<Counted, AcceleratorError> {
        Ok(self.count_job(job)?)
    }
}
