//! Segments in memory, and the shares of their documents that threads work on.
//!
//! The documents of all segments, in order, are divided into shares, and threads take the shares in
//! order. So results come early and in order, and no thread holds the whole answer of a segment
//! until its turn. The first thread that needs a segment loads it. A thread that would have to wait
//! for that loads the next segment meanwhile. This is the paper's coarse-grained parallelism (tadoc
//! section 4.3) over segments, and finer within them.

use super::even_chunks::even_chunks;
use super::ordered::{self, Outlet};
use super::scope::SegmentScope;
use super::{Prepare, Setting};
use crate::analytics::report::Phase;
use crate::corpus::{Documents, OpenSegment};
use crate::error::QueryError;
use crate::progress::Stage;
use std::cell::Cell;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex};

/// A segment in memory.
pub(crate) struct Loaded<P> {
    segment: OpenSegment,
    /// What was prepared for counting.
    pub(crate) prepared: P,
}

impl<P> Loaded<P> {
    pub(crate) fn new(segment: OpenSegment, prepared: P) -> Self {
        Self { segment, prepared }
    }

    /// The segment's documents.
    pub(crate) fn documents(&self) -> Documents<'_> {
        self.segment.documents()
    }
}

/// Documents of a segment that one thread works on.
pub(crate) struct Share<'a, I: Prepare> {
    pub(crate) segment: &'a Loaded<I::Prepared>,
    pub(crate) scope: &'a SegmentScope,
    pub(crate) documents: &'a [usize],
    progress: Advance<'a>,
}

/// Reports progress while the documents of a share are worked on.
struct Advance<'a> {
    setting: &'a Setting<'a>,
    /// Bytes of the segment's text that all its shares have reported.
    reported: &'a AtomicU64,
    /// Symbols of finished documents that were not reported yet.
    passed: Cell<usize>,
}

/// About how often a segment reports progress.
const STEPS: usize = 64;

impl<I: Prepare> Share<'_, I> {
    /// A document is done.
    pub(crate) fn passed(&self, document: usize) {
        let Advance { setting, reported, passed } = &self.progress;
        let documents = self.segment.documents();
        let symbols = passed.get() + documents.len(document);
        let root = documents.total_len();
        if symbols < root / STEPS {
            return passed.set(symbols);
        }
        passed.set(0);
        // The bytes of documents are estimated from their symbols. The end of the segment corrects
        // the sum.
        let text = setting.plan.text_bytes(self.scope);
        let bytes = u128::from(text) * symbols as u128 / root.max(1) as u128;
        let before = reported.fetch_add(bytes as u64, Ordering::Relaxed);
        let rest = text.saturating_sub(before);
        setting.plan.options.progress.advance(Stage::Traversing, rest.min(bytes as u64));
    }
}

/// How documents are counted. This decides how many shares a segment has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Division {
    /// Each document separately. Many small shares keep all threads busy to the end.
    Separate,
    /// One by one, and then added up. There are as many shares.
    Summed,
    /// All documents of a share in one visit, which visits each rule once per share. So a segment
    /// has at most one share per thread, and one share where there are many segments.
    Together,
}

impl Division {
    /// The maximum number of shares per segment.
    fn shares_a_segment(self, setting: &Setting<'_>, segments: usize) -> usize {
        const SHARES_A_THREAD: usize = 8;
        const MANY_SEGMENTS_A_THREAD: usize = 4;
        match (self, setting.plan.threads) {
            (_, 0 | 1) => 1,
            // An accelerator counts whole segments.
            _ if setting.plan.is_accelerated() => 1,
            (Self::Together, threads) if segments >= MANY_SEGMENTS_A_THREAD * threads => 1,
            (Self::Together, threads) => threads,
            (Self::Separate | Self::Summed, threads) => SHARES_A_THREAD * threads,
        }
    }
}

/// Runs `work` on shares of the documents and passes what they emit to `consume`, in order.
pub(crate) fn for_each_share<I, T, W>(
    setting: &Setting<'_>,
    items: &I,
    segments: &[SegmentScope],
    division: Division,
    work: W,
    consume: &mut (dyn FnMut(T) -> Result<(), QueryError> + Send),
) -> Result<(), QueryError>
where
    I: Prepare,
    T: Send,
    W: Fn(Share<'_, I>, &mut Outlet<'_, '_, T, QueryError>) -> Result<(), QueryError> + Sync,
{
    let most_shares = division.shares_a_segment(setting, segments.len());
    let units = Units::new(segments, most_shares);
    setting.begin(segments);
    let pool = SegmentPool::new(setting, items, segments, division, &units);
    let share = |unit: usize, outlet: &mut Outlet<'_, '_, T, QueryError>| {
        let number = units.segment_of(unit);
        let scope = &segments[number];
        if let Some(present) = pool.get(number)? {
            // Large documents may leave fewer shares than the maximum.
            if let Some(share) = present.shares.get(unit - units.starts[number]) {
                let documents = &scope.documents[share.clone()];
                let reported = &pool.reported[number];
                let progress = Advance { setting, reported, passed: Cell::new(0) };
                work(Share { segment: &present.segment, scope, documents, progress }, outlet)?;
            }
        }
        pool.release(number);
        Ok(())
    };
    // A unit may be taken if its segment can be in memory beside the segment whose turn it is. A
    // limit in units alone would leave threads idle where a segment has one document, or one large
    // one.
    let at_once = most_in_memory(setting, segments);
    let limit = |turn: usize| units.starts[(units.segment_of(turn) + at_once).min(segments.len())];
    ordered::run_within(setting.plan.threads, units.count(), &limit, share, consume)
}

/// The work units of all segments: one for each share that a segment may have.
struct Units {
    /// The first unit of each segment, and the end.
    starts: Vec<usize>,
}

impl Units {
    fn new(segments: &[SegmentScope], most_shares: usize) -> Self {
        let mut starts = vec![0];
        for scope in segments {
            let shares = scope.documents.len().clamp(1, most_shares);
            starts.push(starts[starts.len() - 1] + shares);
        }
        Self { starts }
    }

    fn count(&self) -> usize {
        self.starts[self.starts.len() - 1]
    }

    fn of(&self, segment: usize) -> usize {
        self.starts[segment + 1] - self.starts[segment]
    }

    fn segment_of(&self, unit: usize) -> usize {
        self.starts.partition_point(|&start| start <= unit) - 1
    }
}

/// How many segments may be in memory at once: one per thread plus the next one, as far as they fit
/// in half of the memory, and at least one.
fn most_in_memory(setting: &Setting<'_>, segments: &[SegmentScope]) -> usize {
    /// Size of a symbol in the grammar and in what a traversal prepares from it; or of a count, which
    /// takes about a byte in the file.
    const BYTES_A_SYMBOL: u64 = 16;
    let facts = &setting.plan.corpus.facts().segments;
    let size = |scope: &SegmentScope| match setting.plan.is_indexed() {
        true => setting.plan.corpus.word_counts_bytes(scope.segment),
        false => facts[scope.segment].sizes.symbols,
    };
    let largest = segments.iter().map(size).max();
    let bytes = largest.unwrap_or(0).saturating_mul(BYTES_A_SYMBOL).max(1);
    let held = usize::try_from(setting.plan.options.memory / 2 / bytes).unwrap_or(usize::MAX);
    held.clamp(1, setting.plan.threads.max(1) + 1)
}

/// The segments in memory.
struct SegmentPool<'r, I: Prepare> {
    setting: &'r Setting<'r>,
    items: &'r I,
    segments: &'r [SegmentScope],
    division: Division,
    units: &'r Units,
    slots: Mutex<Vec<PoolSlot<I::Prepared>>>,
    arrived: Condvar,
    /// Bytes of each segment's text that were reported as done.
    reported: Vec<AtomicU64>,
}

struct PoolSlot<P> {
    state: State<P>,
    /// Shares that are not done yet.
    shares: usize,
}

enum State<P> {
    Absent,
    Loading,
    /// `None` if the segment is damaged and to be skipped, or if it is done.
    Ready(Option<Arc<PooledSegment<P>>>),
}

/// A segment in memory and its shares.
struct PooledSegment<P> {
    segment: Loaded<P>,
    /// The chosen documents of each share.
    shares: Vec<Range<usize>>,
}

impl<'r, I: Prepare> SegmentPool<'r, I> {
    fn new(
        setting: &'r Setting<'r>,
        items: &'r I,
        segments: &'r [SegmentScope],
        division: Division,
        units: &'r Units,
    ) -> Self {
        let slot = |number| PoolSlot { state: State::Absent, shares: units.of(number) };
        let slots = Mutex::new((0..segments.len()).map(slot).collect());
        let arrived = Condvar::new();
        let reported = segments.iter().map(|_| AtomicU64::new(0)).collect();
        Self { setting, items, segments, division, units, slots, arrived, reported }
    }

    /// Returns a segment, and loads it if necessary; `None` if it is to be skipped.
    fn get(&self, number: usize) -> Result<Option<Arc<PooledSegment<I::Prepared>>>, QueryError> {
        let at_once = most_in_memory(self.setting, self.segments);
        let mut slots = self.slots.lock().expect("no holder panics");
        loop {
            let next = match &slots[number].state {
                State::Ready(present) => return Ok(present.clone()),
                State::Absent => Some(number),
                State::Loading => {
                    let first = slots.iter().position(|slot| slot.shares > 0);
                    let end = (first.unwrap_or(number) + at_once).min(slots.len());
                    (number + 1..end).find(|&at| matches!(slots[at].state, State::Absent))
                }
            };
            let Some(next) = next else {
                slots = self.arrived.wait(slots).expect("no holder panics");
                continue;
            };
            slots[next].state = State::Loading;
            drop(slots);
            let result = self.load(next);
            if next == number {
                result?;
            }
            slots = self.slots.lock().expect("no holder panics");
        }
    }

    fn load(&self, number: usize) -> Result<(), QueryError> {
        let mut guard = LoadGuard { pool: self, number, state: State::Absent };
        let scope = &self.segments[number];
        let segment = self.setting.load(scope, self.items.reads_counts())?;
        let prepare = |segment: OpenSegment| {
            let documents = segment.documents();
            let by_document = self.division == Division::Separate;
            let prepare = || self.items.prepare(documents, &scope.documents, by_document);
            let prepared = self.setting.ledger.meter.time(Phase::Traverse, prepare)?;
            let size = |document: usize| documents.len(document);
            let shares = even_chunks(&scope.documents, size, self.units.of(number));
            self.setting.visited(I::visited_before(documents, &prepared));
            let segment = Loaded::new(segment, prepared);
            Ok::<_, QueryError>(Arc::new(PooledSegment { segment, shares }))
        };
        guard.state = State::Ready(segment.map(prepare).transpose()?);
        Ok(())
    }

    /// A share of a segment is done. The last one drops the segment.
    fn release(&self, number: usize) {
        let mut slots = self.slots.lock().expect("no holder panics");
        let slot = &mut slots[number];
        slot.shares -= 1;
        if slot.shares == 0 {
            let done = std::mem::replace(&mut slot.state, State::Ready(None));
            drop(slots);
            drop(done);
            let reported = self.reported[number].load(Ordering::Relaxed);
            self.setting.end(&self.segments[number], reported);
        }
    }
}

/// Sets the state of a segment when its loading ends, also by an error or a panic.
struct LoadGuard<'a, 'r, I: Prepare> {
    pool: &'a SegmentPool<'r, I>,
    number: usize,
    state: State<I::Prepared>,
}

impl<I: Prepare> Drop for LoadGuard<'_, '_, I> {
    fn drop(&mut self) {
        if let Ok(mut slots) = self.pool.slots.lock() {
            slots[self.number].state = std::mem::replace(&mut self.state, State::Absent);
        }
        self.pool.arrived.notify_all();
    }
}
