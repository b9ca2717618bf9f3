//! Rows on a device, and what passes over them give.

use super::apart::{Bounds, Direction};
use super::plan::{Plan, Shape, bind};
use super::rows::Rows;
use super::session::{Phase, Session};
use crate::error::GpuError;
use crate::kernel::Kernel;
use crate::kernels::{measure, status, weigh};
use crate::recording::{Binding, Buffer, Recording};
use std::ops::Range;

/// Rows on a device. Their tokens are those of a grammar, or occurrences of sequences.
#[derive(Clone, Debug)]
pub(crate) struct Sheet {
    pub(crate) tokens: u32,
    /// Items that are counted: `numbers` gives one for each token, or a number beyond.
    pub(crate) items: u32,
    /// Where each row starts, on the host and on the device.
    pub(crate) row_starts: Vec<u32>,
    pub(crate) starts: Buffer,
    pub(crate) symbols: Buffer,
    pub(crate) numbers: Buffer,
    pub(crate) first_document: u32,
    pub(crate) documents: u32,
    pub(crate) steps: Vec<Range<u32>>,
}

/// Counts of items, each document's apart or all together, as
/// [`Counted`](zgram::analytics::Counted) has them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tallies {
    pub(crate) starts: Vec<usize>,
    pub(crate) items: Vec<u32>,
    pub(crate) counts: Vec<u64>,
    pub(crate) visited: u64,
    /// Times that tables were too small.
    pub(crate) reruns: u32,
}

impl Sheet {
    /// Puts rows on the device.
    pub(crate) fn upload(
        recording: &mut Recording,
        rows: Rows,
        numbers: &[u32],
        words: u32,
    ) -> Self {
        let mut numbers = numbers.to_vec();
        numbers.resize(rows.tokens as usize, u32::MAX);
        Self {
            tokens: rows.tokens,
            items: words,
            starts: recording.upload("row_starts", rows.starts.clone()),
            symbols: recording.upload("symbols", rows.symbols),
            numbers: recording.upload("numbers", numbers),
            first_document: rows.first_document,
            documents: rows.documents,
            steps: rows.steps,
            row_starts: rows.starts,
        }
    }

    /// How many rows there are.
    pub(crate) fn rows(&self) -> u32 {
        self.row_starts.len() as u32 - 1
    }

    pub(crate) fn symbol_count(&self) -> u64 {
        u64::from(*self.row_starts.last().expect("starts have an end"))
    }

    /// The dispatches of a pass. Beside one round for each symbol a thread makes some for finding
    /// its row, and more where the pass says so.
    pub(crate) fn plan(
        &self,
        session: &Session<'_>,
        is_top_down: bool,
        more_rounds: usize,
        units: impl Fn(&Range<u32>) -> usize,
    ) -> Plan {
        let most_binding = session.backend.limits().binding;
        let shape = Shape { row_starts: &self.row_starts, rounds: 32 + more_rounds, most_binding };
        if is_top_down {
            Plan::new(self.steps.iter().cloned(), shape, units)
        } else {
            Plan::new(self.steps.iter().rev().cloned(), shape, units)
        }
    }

    /// Runs a kernel over all steps of a plan. `items` are those to be counted; `more` parameters
    /// and `bindings` come after the common ones.
    pub(crate) fn pass(
        &self,
        recording: &mut Recording,
        kernel: &'static Kernel,
        plan: &Plan,
        items: u32,
        more: &[u32],
        bindings: &[Binding],
    ) {
        let steps = recording.upload("steps", plan.steps.clone());
        for batch in &plan.batches {
            let threads =
                batch.threads.div_ceil(kernel.workgroup as usize) as u32 * kernel.workgroup;
            let mut params = vec![
                batch.steps.start,
                batch.steps.end,
                threads,
                self.tokens,
                self.rows(),
                items,
                self.first_document,
                self.documents,
                batch.window.start as u32,
            ];
            params.extend(more);
            let mut all: Vec<Binding> = vec![
                steps.into(),
                self.starts.into(),
                bind(self.symbols, &batch.window),
                self.numbers.into(),
            ];
            all.extend(bindings);
            recording.dispatch(kernel, batch.threads, &params, &all);
        }
        recording.free(steps);
    }

    /// Counts the items of all documents together, top-down.
    pub(crate) fn count_together(
        &self,
        session: &mut Session<'_>,
        mut recording: Recording,
    ) -> Result<Tallies, GpuError> {
        let items = self.items as usize;
        let words = 2 * (items + self.rows() as usize);
        check_binding(session, words)?;
        let totals = recording.buffer("totals", words);
        let status = recording.buffer("status", status::WORDS);
        let plan = self.plan(session, true, 0, ExactSizeIterator::len);
        let bindings = [totals.into(), status.into()];
        self.pass(&mut recording, &weigh::KERNEL, &plan, self.items, &[], &bindings);
        let counts = recording.download(totals, 0..2 * items);
        let state = recording.download(status, 0..status::WORDS);
        recording.free(totals);
        recording.free(status);
        let mut outcome = session.submit(Phase::Traversal, recording)?;
        check_counts(outcome.take(state)[0])?;
        let mut tallies = Tallies { visited: self.symbol_count(), ..Tallies::default() };
        for (item, count) in (0..).zip(outcome.take(counts).chunks_exact(2)) {
            let count = u64::from(count[0]) | u64::from(count[1]) << 32;
            if count > 0 {
                tallies.items.push(item);
                tallies.counts.push(count);
            }
        }
        tallies.starts = vec![0, tallies.items.len()];
        Ok(tallies)
    }

    /// How many words each row stands for, and what else is needed to go up: bottom-up.
    pub(crate) fn measure(
        &self,
        session: &Session<'_>,
        recording: &mut Recording,
        direction: Direction,
    ) -> Result<Bounds, GpuError> {
        let is_up = direction == Direction::Up;
        let units = if is_up { self.symbol_count() as usize + 1 } else { 1 };
        check_binding(session, units)?;
        let lengths = recording.buffer("lengths", self.rows() as usize);
        let units = recording.buffer("units", units);
        let plan = self.plan(session, false, 0, ExactSizeIterator::len);
        let bindings = [lengths.into(), units.into()];
        let more = [u32::from(is_up)];
        self.pass(recording, &measure::KERNEL, &plan, self.items, &more, &bindings);
        Ok(Bounds { lengths, units: is_up.then_some(units) })
    }
}

/// Refuses a buffer that no kernel could be given.
pub(crate) fn check_binding(session: &Session<'_>, words: usize) -> Result<(), GpuError> {
    let limit = session.backend.limits().binding.min(session.backend.limits().memory);
    if words > limit {
        return Err(GpuError::OutOfMemory { needed: 4 * words as u64, limit: 4 * limit as u64 });
    }
    Ok(())
}

/// Refuses counts that have passed 64 bits.
pub(crate) fn check_counts(flags: u32) -> Result<(), GpuError> {
    match flags & status::COUNT_TOO_LARGE {
        0 => Ok(()),
        _ => Err(GpuError::CountTooLarge),
    }
}
