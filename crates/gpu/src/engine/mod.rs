//! The engine: counts words and sequences of a segment's documents on a device.
//!
//! It is an [`Accelerator`]: the library does everything before and after counting. A segment that does
//! not fit on the device is counted in halves of its documents, and the results are merged. Segments are
//! streamed one by one (gtadoc-embedded section 5.2): while one is counted, another thread loads, lays
//! out and uploads the next.
//!
//! | word | meaning |
//! |---|---|
//! | item | what is counted: a word, or a sequence |
//! | node | a rule, a document, or a piece of a long one: a short list of symbols for one thread (`nodes`) |
//! | step | a range of nodes that do not depend on each other (`nodes`) |
//! | table | counts by key, in a pool of slots on the device (`per_document`) |
//! | occurrence | a sequence that spans symbols of one node (`sequences`) |

pub(crate) mod device_nodes;
mod measures;
mod merge;
mod nodes;
mod per_document;
mod plan;
mod sequences;

pub use nodes::Nodes;

use crate::backend::{Backend, Counters};
use crate::error::GpuError;
use crate::recording::{Buffer, Recording};
use crate::session::{Phases, Session};
use device_nodes::{DeviceNodes, Tallies, UploadedNodes};
use per_document::Direction;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;
use zgram::analytics::Traversal;
use zgram::plumbing::AcceleratorError;
use zgram::plumbing::{Accelerator, Counted, Job};

/// Counts on a backend.
pub struct Engine<B> {
    backend: B,
    /// The most symbols of a node, if set by hand.
    threshold: Option<usize>,
    direction: Direction,
    /// Held by the thread that uses the device: one segment is counted at a time.
    device_lock: Mutex<()>,
    /// Held by the one thread that waits for the device: only one segment is sent ahead.
    next_lock: Mutex<()>,
    /// The buffers of the segment that was sent ahead. The thread that uses the device frees them if it
    /// runs out of memory.
    sent_ahead: Mutex<Option<Vec<Buffer>>>,
    stats: Mutex<Stats>,
}

/// The most symbols of a node: lengths are uploaded as 16-bit numbers.
const MOST_THRESHOLD: usize = u16::MAX as usize;

/// A segment is sent ahead if it takes at most one part in this many of the device's memory. Most of the
/// memory is for the segment that is being counted.
const AHEAD_PART: usize = 8;

/// Statistics of an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Counters of the backend.
    pub counters: Counters,
    /// Time of the submissions that prepare counting.
    pub initialisation: Duration,
    /// Time of the submissions that count.
    pub traversal: Duration,
    /// Submissions that count.
    pub traversals: u64,
    /// Symbols that these submissions visited, out of [`Counters::visits`].
    pub visits: u64,
    /// Jobs: one per segment.
    pub jobs: u64,
    /// Jobs whose grammar was uploaded while the job before was being counted.
    pub ahead: u64,
    /// How often a job was cut in halves because it did not fit.
    pub splits: u64,
    /// How often tables were too small and counting was repeated.
    pub reruns: u64,
}

impl Stats {
    /// Adds the statistics of one job. The backend keeps its counters itself.
    fn add(&mut self, job: &Self) {
        self.initialisation += job.initialisation;
        self.traversal += job.traversal;
        self.traversals += job.traversals;
        self.visits += job.visits;
        self.jobs += job.jobs;
        self.ahead += job.ahead;
        self.splits += job.splits;
        self.reruns += job.reruns;
    }
}

impl<B: Backend> Engine<B> {
    /// An engine on a backend.
    pub fn new(backend: B) -> Self {
        let direction = Direction::BottomUp;
        Self {
            backend,
            threshold: None,
            direction,
            device_lock: Mutex::default(),
            next_lock: Mutex::default(),
            sent_ahead: Mutex::default(),
            stats: Mutex::default(),
        }
    }

    /// Limits nodes to this many symbols, at least two.
    #[must_use]
    pub fn with_threshold(mut self, symbols: usize) -> Self {
        self.threshold = Some(symbols.max(2));
        self
    }

    /// Selects the traversal for counts per document. The default is bottom-up: the content of each rule
    /// is then written out once, and not visited again for each document. If its tables do not fit on the
    /// device, the engine counts top-down all the same. Counts of all documents together are always
    /// top-down, because one number per rule is enough.
    #[must_use]
    pub fn with_traversal(mut self, traversal: Traversal) -> Self {
        self.direction = match traversal {
            Traversal::BottomUp | Traversal::Stream => Direction::BottomUp,
            _ => Direction::TopDown,
        };
        self
    }

    /// The backend.
    pub fn backend(&self) -> &B {
        &self.backend
    }

    /// Statistics so far.
    pub fn stats(&self) -> Stats {
        let stats = *self.stats.lock().expect("no holder panics");
        Stats { counters: self.backend.counters(), ..stats }
    }

    /// Counts a job, in halves if necessary.
    ///
    /// # Errors
    /// When the device fails, or a single document does not fit.
    pub fn count_job(&self, job: &Job<'_>) -> Result<Counted, GpuError> {
        let next = self.next_lock.lock().expect("no holder panics");
        let (device, sent) = match self.device_lock.try_lock() {
            Ok(device) => (device, None),
            Err(_) => {
                let sent = self.send_ahead(job);
                (self.device_lock.lock().expect("no holder panics"), sent)
            }
        };
        // The thread before may have freed the uploaded buffers.
        let sent = sent.filter(|_| self.sent_ahead().take().is_some());
        drop(next);
        let ahead = u64::from(sent.is_some());
        let mut stats = Stats { jobs: 1, ahead, ..Stats::default() };
        let counted = self.count_or_split(job, sent, self.direction, &mut stats);
        drop(device);
        self.stats.lock().expect("no holder panics").add(&stats);
        counted
    }

    fn sent_ahead(&self) -> MutexGuard<'_, Option<Vec<Buffer>>> {
        self.sent_ahead.lock().expect("no holder panics")
    }

    /// Uploads a job's grammar while another job is being counted. If that fails, the job is uploaded
    /// when its turn comes, and a second failure is reported then.
    fn send_ahead(&self, job: &Job<'_>) -> Option<UploadedNodes> {
        let mut uploads = Recording::new();
        let sent = self.record_sending(&mut uploads, job).ok()?;
        if uploads.words() > self.backend.limits().memory / AHEAD_PART {
            return None;
        }
        let mut sent_ahead = self.sent_ahead();
        self.backend.send(uploads).ok()?;
        *sent_ahead = Some(sent.buffers());
        Some(sent)
    }

    /// Frees the buffers of the job that was sent ahead. Returns whether there were any.
    fn make_room(&self) -> bool {
        let sent = self.sent_ahead().take();
        self.backend.free(sent.as_deref().unwrap_or(&[]));
        sent.is_some()
    }

    fn count_or_split(
        &self,
        job: &Job<'_>,
        sent: Option<UploadedNodes>,
        direction: Direction,
        stats: &mut Stats,
    ) -> Result<Counted, GpuError> {
        match self.count_whole(job, sent, direction, stats) {
            Err(GpuError::OutOfMemory { .. }) if self.make_room() => {
                self.count_or_split(job, None, direction, stats)
            }
            // The tables of rules do not get smaller with fewer documents.
            Err(GpuError::OutOfMemory { .. } | GpuError::TooMany { .. })
                if direction == Direction::BottomUp =>
            {
                self.count_or_split(job, None, Direction::TopDown, stats)
            }
            Err(GpuError::OutOfMemory { .. } | GpuError::TooMany { .. })
                if job.documents.len() > 1 =>
            {
                stats.splits += 1;
                let (first, second) = job.documents.split_at(job.documents.len() / 2);
                let mut count = |documents| {
                    self.count_or_split(&Job { documents, ..job.clone() }, None, direction, stats)
                };
                Ok(merge::merge(count(first)?, count(second)?, job.n, job.by_document))
            }
            counted => counted,
        }
    }

    /// Lays out a job's rules and documents as nodes, and records their upload.
    fn record_sending(
        &self,
        recording: &mut Recording,
        job: &Job<'_>,
    ) -> Result<UploadedNodes, GpuError> {
        let words = u32::try_from(job.words).map_err(|_| GpuError::TooMany { what: "words" })?;
        let threshold = self.threshold.unwrap_or_else(|| Nodes::threshold(job.grammar));
        let threshold = threshold.min(sequences::most_symbols(job.n)?);
        let item =
            |token: u32| job.numbers.get(token as usize).copied().filter(|&item| item < words);
        let threshold = threshold.min(MOST_THRESHOLD);
        let nodes = Nodes::new(job.grammar, job.documents, threshold, words, item)?;
        let n = (is_per_document(job) || job.n > 1).then_some(job.n);
        Ok(UploadedNodes::new(recording, nodes, n))
    }

    fn count_whole(
        &self,
        job: &Job<'_>,
        sent: Option<UploadedNodes>,
        direction: Direction,
        stats: &mut Stats,
    ) -> Result<Counted, GpuError> {
        let mut session = Session::new(&self.backend);
        let mut recording = Recording::new();
        let sent = match sent {
            Some(sent) => {
                session.adopt(&sent.buffers());
                sent
            }
            None => self.record_sending(&mut recording, job)?,
        };
        let mut nodes = DeviceNodes::new(&mut recording, sent, job.words as u32);
        let mut sequences = Vec::new();
        if job.n > 1 {
            let found = sequences::find(&mut session, recording, nodes, job)?;
            (nodes, sequences) = (found.nodes, found.words);
            recording = Recording::new();
        }
        let tallies = match is_per_document(job) {
            true => nodes.count_per_document(&mut session, recording, direction)?,
            false => nodes.count_all_documents(&mut session, recording)?,
        };
        let Phases { initialisation, traversal, traversals, visits } = session.phases;
        stats.visits += visits;
        stats.initialisation += initialisation;
        stats.traversal += traversal;
        stats.traversals += traversals;
        let Tallies { starts, items, counts, visited, reruns } = tallies;
        stats.reruns += u64::from(reruns);
        // The pass that finds sequences visits each symbol once.
        let visited = visited + if job.n > 1 { nodes.symbol_count() } else { 0 };
        Ok(Counted { sequences, starts, items, counts, visited })
    }
}

/// Whether to count per document. A single document is the same as all documents.
fn is_per_document(job: &Job<'_>) -> bool {
    job.by_document && job.documents.len() > 1
}

impl<B: Backend> Accelerator for Engine<B> {
    fn count(&self, job: &Job<'_>) -> Result<Counted, AcceleratorError> {
        Ok(self.count_job(job)?)
    }
}
