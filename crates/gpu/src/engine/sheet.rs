//! Rows on a device, and what passes over them give.

use super::measures::Measures;
use super::plan::{Plan, Shape, bind};
use super::rows::Rows;
use super::session::{Phase, Session};
use crate::error::GpuError;
use crate::kernel::Kernel;
use crate::kernels::packed::{bits_for, pack};
use crate::kernels::{status, unpack, weigh};
use crate::recording::{Binding, Buffer, Recording};
use std::ops::Range;

/// Rows on a device.
#[derive(Clone, Debug)]
pub(crate) struct Sheet {
    /// Symbols below are words; others are rows.
    pub(crate) tokens: u32,
    /// Items that are counted: words, or sequences.
    pub(crate) items: u32,
    /// Where each row starts, on the host and on the device.
    pub(crate) row_starts: Vec<u32>,
    pub(crate) starts: Buffer,
    /// The symbols of rows, of so many bits each.
    pub(crate) symbols: Buffer,
    pub(crate) symbol_bits: u32,
    pub(crate) first_document: u32,
    pub(crate) documents: u32,
    pub(crate) steps: Vec<Range<u32>>,
    /// What the host has found out of rows; nothing if it was not asked to.
    pub(crate) measures: Measures,
    /// Sizes of texts, two to a word, if sequences are to be counted.
    pub(crate) texts: Option<Buffer>,
    /// What the items are, if not words.
    pub(crate) sequences: Option<Occurrences>,
}

/// Rows that are on their way to a device: their symbols, in as few bits as they need, and their
/// lengths and sizes of texts, two to a word, since rows are never long.
#[derive(Debug)]
pub(crate) struct Sent {
    /// What is known of them, without the lists that were sent.
    rows: Rows,
    row_starts: Vec<u32>,
    lengths: Buffer,
    symbols: Buffer,
    symbol_bits: u32,
    measures: Measures,
    texts: Option<Buffer>,
}

impl Sent {
    /// Records how rows go to the device. If documents are to be counted apart, or sequences, `n` is the
    /// number of their words.
    pub(crate) fn new(recording: &mut Recording, mut rows: Rows, n: Option<usize>) -> Self {
        let mut measures = n.map(|n| Measures::new(&rows, n)).unwrap_or_default();
        let row_starts = std::mem::take(&mut rows.starts);
        let lengths: Vec<u16> =
            row_starts.windows(2).map(|pair| (pair[1] - pair[0]) as u16).collect();
        let texts = std::mem::take(&mut measures.texts);
        let symbol_bits = bits_for(rows.tokens + row_starts.len() as u32 - 1);
        let symbols = pack(&std::mem::take(&mut rows.symbols), symbol_bits);
        Self {
            lengths: recording.upload("row_lengths", unpack::pack(&lengths)),
            symbols: recording.upload("symbols", symbols),
            texts: (!texts.is_empty()).then(|| recording.upload("texts", unpack::pack(&texts))),
            measures,
            symbol_bits,
            row_starts,
            rows,
        }
    }

    /// What is on the device.
    pub(crate) fn buffers(&self) -> Vec<Buffer> {
        [self.lengths, self.symbols].into_iter().chain(self.texts).collect()
    }
}

/// Sequences that stand in rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Occurrences {
    /// Words of a sequence but one.
    pub(crate) span: u32,
    /// Which sequence each occurrence is.
    pub(crate) names: Buffer,
    /// The first occurrence of each symbol: see `shared/items.wgsl`.
    pub(crate) notes: Buffer,
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
    /// Makes rows ready that were sent, to count words.
    pub(crate) fn new(recording: &mut Recording, sent: Sent, items: u32) -> Self {
        let Sent { rows, row_starts, lengths, symbols, symbol_bits, measures, texts } = sent;
        let starts = recording.buffer("row_starts", row_starts.len());
        let count = row_starts.len() - 1;
        let bindings = [lengths.into(), starts.into()];
        recording.dispatch(&unpack::KERNEL, count, &[count as u32], &bindings);
        recording.scan(starts, count + 1);
        recording.free(lengths);
        Self {
            tokens: rows.tokens,
            items,
            starts,
            symbols,
            symbol_bits,
            first_document: rows.first_document,
            documents: rows.documents,
            steps: rows.steps,
            row_starts,
            measures,
            texts,
            sequences: None,
        }
    }

    /// How many rows there are.
    pub(crate) fn rows(&self) -> u32 {
        self.row_starts.len() as u32 - 1
    }

    pub(crate) fn symbol_count(&self) -> u64 {
        u64::from(*self.row_starts.last().expect("starts have an end"))
    }

    /// Words of a sequence but one.
    pub(crate) fn span(&self) -> u32 {
        self.sequences.map_or(0, |sequences| sequences.span)
    }

    /// The dispatches of a pass, in which a thread makes so many rounds of loops for each symbol, and
    /// so many more beside some for finding its row.
    pub(crate) fn plan(
        &self,
        session: &Session<'_>,
        is_top_down: bool,
        (rounds_a_symbol, more_rounds): (usize, usize),
        units: impl Fn(&Range<u32>) -> usize,
    ) -> Plan {
        let most_binding = session.backend.limits().binding;
        let rounds = 32 + more_rounds;
        let (row_starts, symbol_bits) = (&self.row_starts[..], self.symbol_bits);
        let shape = Shape { row_starts, symbol_bits, rounds_a_symbol, rounds, most_binding };
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
                self.symbol_bits,
            ];
            params.extend(more);
            let mut all: Vec<Binding> = vec![
                steps.into(),
                self.starts.into(),
                bind(self.symbols, &batch.window, self.symbol_bits),
            ];
            all.extend(bindings);
            recording.dispatch(kernel, batch.threads, &params, &all);
        }
        recording.free(steps);
    }

    /// Runs a kernel that counts over all steps of a plan: of sequences it knows notes of symbols and names
    /// of occurrences; `more` parameters and `bindings` come after.
    pub(crate) fn counting_pass(
        &self,
        recording: &mut Recording,
        kernel: &'static Kernel,
        plan: &Plan,
        items: u32,
        more: &[u32],
        bindings: &[Binding],
    ) {
        let spans = self.sequences;
        let known = spans.map(|spans| [spans.notes, spans.names]);
        // A kernel wants something in every place.
        let bound = known.unwrap_or_else(|| [(); 2].map(|()| recording.buffer("nothing", 1)));
        let mut params = vec![u32::from(spans.is_some())];
        params.extend(more);
        let mut all: Vec<Binding> = bound.map(Binding::from).into();
        all.extend(bindings);
        self.pass(recording, kernel, plan, items, &params, &all);
        if known.is_none() {
            bound.into_iter().for_each(|nothing| recording.free(nothing));
        }
    }

    /// Rounds of loops for each symbol, and beside, of a kernel that counts a symbol's items.
    pub(crate) fn rounds(&self) -> (usize, usize) {
        (1 + self.span() as usize, 0)
    }

    /// Counts the items of all documents together, top-down.
    pub(crate) fn count_together(
        &self,
        session: &mut Session<'_>,
        mut recording: Recording,
    ) -> Result<Tallies, GpuError> {
        let words = 2 * (self.items as usize + self.rows() as usize);
        check_binding(session, words)?;
        let totals = recording.buffer("totals", words);
        let status = recording.buffer("status", status::WORDS);
        let plan = self.plan(session, true, self.rounds(), ExactSizeIterator::len);
        let bindings = [totals.into(), status.into()];
        self.counting_pass(&mut recording, &weigh::KERNEL, &plan, self.items, &[], &bindings);
        let counts = recording.download(totals, 0..2 * self.items as usize);
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
