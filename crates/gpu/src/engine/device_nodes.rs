//! Nodes on a device, and the passes over them.

use super::measures::Measures;
use super::nodes::Nodes;
use super::plan::{Plan, Shape, bind};
use crate::error::GpuError;
use crate::kernel::Kernel;
use crate::kernels::count::packed_symbols::{bits_for, pack};
use crate::kernels::count::{node_starts_unpack, top_down_totals};
use crate::kernels::status;
use crate::recording::{Binding, Buffer, Recording};
use crate::session::{Phase, Session};
use std::ops::Range;

/// Nodes on a device.
#[derive(Clone, Debug)]
pub(crate) struct DeviceNodes {
    /// Symbols below this are words; the others are nodes.
    pub(crate) tokens: u32,
    /// The number of items to count: words or sequences.
    pub(crate) items: u32,
    /// The start of each node, on the host and on the device.
    pub(crate) node_starts: Vec<u32>,
    pub(crate) starts: Buffer,
    /// The symbols of nodes, of `symbol_bits` bits each.
    pub(crate) symbols: Buffer,
    pub(crate) symbol_bits: u32,
    pub(crate) first_document: u32,
    pub(crate) documents: u32,
    pub(crate) steps: Vec<Range<u32>>,
    /// Sizes that the host has computed; empty if they are not needed.
    pub(crate) measures: Measures,
    /// Sizes of texts, two per word, if sequences are to be counted.
    pub(crate) texts: Option<Buffer>,
    /// The sequences to count, if items are not words.
    pub(crate) sequences: Option<Occurrences>,
}

/// Nodes that have been uploaded but not unpacked: their symbols in as few bits as they need, and their
/// lengths and sizes of texts as 16-bit numbers, because nodes are short.
#[derive(Debug)]
pub(crate) struct UploadedNodes {
    /// The layout, without the lists that were uploaded.
    nodes: Nodes,
    node_starts: Vec<u32>,
    lengths: Buffer,
    symbols: Buffer,
    symbol_bits: u32,
    measures: Measures,
    texts: Option<Buffer>,
}

impl UploadedNodes {
    /// Records the upload. `n` is the number of words per sequence, if documents are counted one by one
    /// or sequences are counted.
    pub(crate) fn new(recording: &mut Recording, mut nodes: Nodes, n: Option<usize>) -> Self {
        let mut measures = n.map(|n| Measures::new(&nodes, n)).unwrap_or_default();
        let node_starts = std::mem::take(&mut nodes.starts);
        let lengths: Vec<u16> =
            node_starts.windows(2).map(|pair| (pair[1] - pair[0]) as u16).collect();
        let texts = std::mem::take(&mut measures.texts);
        let symbol_bits = bits_for(nodes.tokens + node_starts.len() as u32 - 1);
        let symbols = pack(&std::mem::take(&mut nodes.symbols), symbol_bits);
        Self {
            lengths: recording.upload("node_lengths", node_starts_unpack::pack(&lengths)),
            symbols: recording.upload("symbols", symbols),
            texts: (!texts.is_empty())
                .then(|| recording.upload("texts", node_starts_unpack::pack(&texts))),
            measures,
            symbol_bits,
            node_starts,
            nodes,
        }
    }

    /// The uploaded buffers.
    pub(crate) fn buffers(&self) -> Vec<Buffer> {
        [self.lengths, self.symbols].into_iter().chain(self.texts).collect()
    }
}

/// The occurrences of sequences in nodes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Occurrences {
    /// Words of a sequence, minus one.
    pub(crate) span: u32,
    /// The sequence of each occurrence.
    pub(crate) names: Buffer,
    /// The first occurrence of each symbol: see `kernels/count/shared/items.wgsl`.
    pub(crate) notes: Buffer,
}

/// Counts of items, per document or for all documents, laid out as in
/// [`Counted`](zgram::plumbing::Counted).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tallies {
    pub(crate) starts: Vec<usize>,
    pub(crate) items: Vec<u32>,
    pub(crate) counts: Vec<u64>,
    pub(crate) visited: u64,
    /// How often tables were too small.
    pub(crate) reruns: u32,
}

impl DeviceNodes {
    /// Unpacks uploaded nodes, to count words.
    pub(crate) fn new(recording: &mut Recording, sent: UploadedNodes, items: u32) -> Self {
        let UploadedNodes { nodes, node_starts, lengths, symbols, symbol_bits, measures, texts } =
            sent;
        let starts = recording.buffer("node_starts", node_starts.len());
        let count = node_starts.len() - 1;
        let bindings = [lengths.into(), starts.into()];
        recording.dispatch(&node_starts_unpack::KERNEL, count, &[count as u32], &bindings);
        recording.scan(starts, count + 1);
        recording.free(lengths);
        Self {
            tokens: nodes.tokens,
            items,
            starts,
            symbols,
            symbol_bits,
            first_document: nodes.first_document,
            documents: nodes.documents,
            steps: nodes.steps,
            node_starts,
            measures,
            texts,
            sequences: None,
        }
    }

    /// The number of nodes.
    pub(crate) fn len(&self) -> u32 {
        self.node_starts.len() as u32 - 1
    }

    pub(crate) fn symbol_count(&self) -> u64 {
        u64::from(*self.node_starts.last().expect("starts have an end"))
    }

    /// Words of a sequence, minus one.
    pub(crate) fn span(&self) -> u32 {
        self.sequences.map_or(0, |sequences| sequences.span)
    }

    /// The dispatches of a pass. A thread runs `rounds_a_symbol` loop rounds per symbol, and
    /// `more_rounds` besides those that find its node.
    pub(crate) fn plan(
        &self,
        session: &Session<'_>,
        is_top_down: bool,
        (rounds_a_symbol, more_rounds): (usize, usize),
        units: impl Fn(&Range<u32>) -> usize,
    ) -> Plan {
        let most_binding = session.backend.limits().binding;
        let rounds = 32 + more_rounds;
        let (node_starts, symbol_bits) = (&self.node_starts[..], self.symbol_bits);
        let shape = Shape { node_starts, symbol_bits, rounds_a_symbol, rounds, most_binding };
        if is_top_down {
            Plan::new(self.steps.iter().cloned(), shape, units)
        } else {
            Plan::new(self.steps.iter().rev().cloned(), shape, units)
        }
    }

    /// Runs a kernel over all steps of a plan. `items` is the number of items to count. The parameters
    /// `more` and the `bindings` follow the common ones.
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
        for dispatch in &plan.dispatches {
            let threads =
                dispatch.threads.div_ceil(kernel.workgroup as usize) as u32 * kernel.workgroup;
            let mut params = vec![
                dispatch.steps.start,
                dispatch.steps.end,
                threads,
                self.tokens,
                self.len(),
                items,
                self.first_document,
                self.documents,
                dispatch.window.start as u32,
                self.symbol_bits,
            ];
            params.extend(more);
            let mut all: Vec<Binding> = vec![
                steps.into(),
                self.starts.into(),
                bind(self.symbols, &dispatch.window, self.symbol_bits),
            ];
            all.extend(bindings);
            recording.dispatch(kernel, dispatch.threads, &params, &all);
        }
        recording.free(steps);
    }

    /// Runs a counting kernel over all steps of a plan. For sequences it gets the notes of symbols and
    /// the names of occurrences. The parameters `more` and the `bindings` follow.
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
        // Every binding of a kernel needs a buffer.
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

    /// Loop rounds per symbol, and additional ones, of a kernel that counts a symbol's items.
    pub(crate) fn rounds(&self) -> (usize, usize) {
        (1 + self.span() as usize, 0)
    }

    /// Counts the items of all documents together, top-down.
    pub(crate) fn count_all_documents(
        &self,
        session: &mut Session<'_>,
        mut recording: Recording,
    ) -> Result<Tallies, GpuError> {
        let words = 2 * (self.items as usize + self.len() as usize);
        check_binding(session, words)?;
        let totals = recording.buffer("totals", words);
        let status = recording.buffer("status", status::WORDS);
        let plan = self.plan(session, true, self.rounds(), ExactSizeIterator::len);
        let bindings = [totals.into(), status.into()];
        self.counting_pass(
            &mut recording,
            &top_down_totals::KERNEL,
            &plan,
            self.items,
            &[],
            &bindings,
        );
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

/// Refuses a buffer that is too large to bind.
pub(crate) fn check_binding(session: &Session<'_>, words: usize) -> Result<(), GpuError> {
    let limit = session.backend.limits().binding.min(session.backend.limits().memory);
    if words > limit {
        return Err(GpuError::OutOfMemory { needed: 4 * words as u64, limit: 4 * limit as u64 });
    }
    Ok(())
}

/// Refuses counts that do not fit in 64 bits.
pub(crate) fn check_counts(flags: u32) -> Result<(), GpuError> {
    match flags & status::COUNT_TOO_LARGE {
        0 => Ok(()),
        _ => Err(GpuError::CountTooLarge),
    }
}
