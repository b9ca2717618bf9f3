//! What a run cost, phase by phase.

use super::select::Stored;
use super::task::Traversal;
use crate::error::OpenError;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What a run cost. Times are summed over threads.
#[derive(Debug, Default)]
pub struct Report {
    /// The traversal; `None` when what the file stores answered.
    pub traversal: Option<Traversal>,
    /// What the file stores that answered, without a traversal.
    pub stored: Option<Stored>,
    /// Reading sections, decoding grammars and the dictionary.
    pub load: Duration,
    /// Traversing grammars.
    pub traverse: Duration,
    /// Merging and sorting the results of segments.
    pub merge: Duration,
    /// Encoding and writing rows.
    pub write: Duration,
    /// Rules of the grammars that were loaded.
    pub rules: u64,
    /// Symbols visited.
    pub symbols: u64,
    /// Rows of the answer.
    pub rows: u64,
    /// How often the corpus was traversed: more than once where an answer did not fit in memory.
    pub passes: u64,
    /// Damaged segments that were skipped, where the query asked for that.
    pub damaged: Vec<OpenError>,
    /// Why an accelerator failed, for each time the CPU took over.
    pub failures: Vec<String>,
}

/// A phase of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Phase {
    Load,
    Traverse,
    Merge,
    Write,
}

/// Gathers a [`Report`] from several threads.
#[derive(Debug, Default)]
pub(crate) struct Meter {
    nanoseconds: [AtomicU64; 4],
    pub(crate) rules: AtomicU64,
    pub(crate) symbols: AtomicU64,
    pub(crate) rows: AtomicU64,
}

impl Meter {
    /// Counts the time of `work` towards a phase.
    pub(crate) fn time<T>(&self, phase: Phase, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.add_time(phase, start.elapsed());
        result
    }

    pub(crate) fn add_time(&self, phase: Phase, time: Duration) {
        self.nanoseconds[phase as usize].fetch_add(time.as_nanos() as u64, Ordering::Relaxed);
    }

    pub(crate) fn into_report(self) -> Report {
        let [load, traverse, merge, write] =
            self.nanoseconds.map(|time| Duration::from_nanos(time.into_inner()));
        Report {
            load,
            traverse,
            merge,
            write,
            rules: self.rules.into_inner(),
            symbols: self.symbols.into_inner(),
            rows: self.rows.into_inner(),
            ..Report::default()
        }
    }
}
