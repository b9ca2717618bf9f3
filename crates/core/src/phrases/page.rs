//! A part of ψ in memory: the keys of some consecutive entries, one by one or as runs.
//!
//! A *run* is a maximal stretch of entries whose keys rise by one: suffixes that are neighbours and stay
//! neighbours one word on. Prose has hardly any; in logs a run has dozens of entries.

use super::sequence::Sequence;

/// The keys of some entries.
#[derive(Debug)]
pub(super) struct Page {
    /// The key of each entry, or of the first entry of each run.
    keys: Sequence,
    /// The number within the page of the first entry of each run.
    starts: Option<Sequence>,
    entries: u32,
}

/// A stretch of entries whose keys rise by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// The key of the first entry.
    pub(super) key: u64,
    /// Number of entries.
    pub(super) len: u32,
}

impl Page {
    /// From runs; if each has one entry and `as_runs` is not set, their lengths take no space.
    pub(super) fn new(runs: &[Run], as_runs: bool) -> Self {
        let keys: Vec<u64> = runs.iter().map(|run| run.key).collect();
        let mut entries = 0;
        let starts: Vec<u64> = runs
            .iter()
            .map(|run| {
                let start = u64::from(entries);
                entries += run.len;
                start
            })
            .collect();
        let starts = as_runs.then(|| Sequence::new(&starts));
        Self { keys: Sequence::new(&keys), starts, entries }
    }

    /// The key of an entry.
    #[inline]
    pub(super) fn key(&self, entry: u32) -> u64 {
        match &self.starts {
            None => self.keys.get(entry as usize),
            Some(starts) => {
                let run = starts.count_below(u64::from(entry) + 1) - 1;
                self.keys.get(run) + (u64::from(entry) - starts.get(run))
            }
        }
    }

    /// How many entries have a key below `key`.
    #[inline]
    pub(super) fn count_below(&self, key: u64) -> u32 {
        let below = self.keys.count_below(key);
        let Some(starts) = &self.starts else { return below as u32 };
        let Some(run) = below.checked_sub(1) else { return 0 };
        let end = if below < starts.len() { starts.get(below) } else { u64::from(self.entries) };
        // Keys of hostile files may be so far apart that the sum exceeds a page.
        let inside = (key - self.keys.get(run)).min(u64::from(u32::MAX));
        (starts.get(run) + inside).min(end) as u32
    }

    /// Bytes in memory.
    pub(super) fn memory(&self) -> usize {
        self.keys.memory() + self.starts.as_ref().map_or(0, Sequence::memory)
    }
}

/// Cuts rising keys into pages of `len` entries, as runs or with one entry a run, and calls `take` with
/// each page.
pub(super) fn each_page<E>(
    keys: impl Iterator<Item = u64>,
    len: u32,
    as_runs: bool,
    mut take: impl FnMut(&[Run]) -> Result<(), E>,
) -> Result<(), E> {
    let (mut runs, mut entries) = (Vec::<Run>::new(), 0);
    for key in keys {
        if entries == len {
            take(&runs)?;
            runs.clear();
            entries = 0;
        }
        match runs.last_mut() {
            Some(run) if as_runs && run.key + u64::from(run.len) == key => run.len += 1,
            _ => runs.push(Run { key, len: 1 }),
        }
        entries += 1;
    }
    if entries > 0 { take(&runs) } else { Ok(()) }
}
