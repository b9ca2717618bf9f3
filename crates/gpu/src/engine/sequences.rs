//! Finds the sequences of a grammar of words on the device (gtadoc section IV-D).
//!
//! There are two submissions, because the second needs a size that the first computes:
//!
//! 1. bottom-up, the text around the borders of each node's symbols, which includes its first and last
//!    words; the sequences that span symbols, and which of them are equal. The host
//!    [computes](super::measures) the sizes of texts;
//! 2. the order of sequences, by which they are numbered.
//!
//! After that each symbol has a range of occurrences, and counting sequences works like counting words.
//! No other grammar is built.

use super::device_nodes::{DeviceNodes, Occurrences, check_binding};
use crate::error::GpuError;
use crate::kernels::count::{
    node_starts_unpack, sequence_expand, sequence_identify, sequence_list, sequence_number,
    sequence_rank, sequence_words,
};
use crate::kernels::status;
use crate::recording::{Buffer, Recording};
use crate::session::{Phase, Session};
use zgram::plumbing::Job;

/// The most loop rounds of a thread for one node.
const MOST_ROUNDS: usize = 8000;

/// How often the table of sequences is enlarged before the engine gives up.
const MOST_RERUNS: u32 = 4;

/// The sequences of nodes on the device.
pub(super) struct Sequences {
    /// The nodes, with the sequences as items.
    pub(super) nodes: DeviceNodes,
    /// The words of all sequences, in order.
    pub(super) words: Vec<u32>,
}

/// The most symbols of a node when sequences of `n` words are counted.
pub(super) fn most_symbols(n: usize) -> Result<usize, GpuError> {
    match MOST_ROUNDS / n {
        0 | 1 => Err(GpuError::SequenceTooLong { words: n, most: MOST_ROUNDS / 2 }),
        most => Ok(most),
    }
}

/// Finds the sequences of `n` words of a job.
pub(super) fn find(
    session: &mut Session<'_>,
    mut recording: Recording,
    nodes: DeviceNodes,
    job: &Job<'_>,
) -> Result<Sequences, GpuError> {
    let n = job.n as u32;
    let (count, list) = (nodes.len() as usize, nodes.len() as usize + 1);
    let symbols = nodes.symbol_count() as usize;
    // Sums of 32 bits must hold the sizes of texts, and sums of 31 bits those of occurrences.
    if ((symbols + count) as u64).saturating_mul(4 * u64::from(n)) > u64::from(u32::MAX) {
        return Err(GpuError::TooMany { what: "sequences" });
    }
    let [text, occurrences] = nodes.measures.text_sizes;
    for words in [2 * list, symbols + 1, text, 2 * occurrences] {
        check_binding(session, words)?;
    }
    let starts = recording.buffer("starts", 2 * list);
    let sizes = nodes.texts.expect("nodes of sequences come with sizes of texts");
    let count = 2 * list;
    let bindings = [sizes.into(), starts.into()];
    recording.dispatch(&node_starts_unpack::KERNEL, count, &[count as u32], &bindings);
    recording.scan(starts, count);
    let text = recording.buffer("text", text);
    let places = recording.buffer("occurrences", occurrences);
    let notes = recording.buffer("notes", symbols + 1);
    let plan = nodes.plan(session, false, (2 * job.n, 0), ExactSizeIterator::len);
    let bindings = [starts.into(), text.into(), places.into(), notes.into()];
    nodes.pass(&mut recording, &sequence_expand::KERNEL, &plan, 0, &[n], &bindings);
    recording.free(sizes);
    recording.free(starts);
    let found = Found { text, places, occurrences, n };
    let (names, marks, count) = found.identify(session, recording, job)?;
    let words = found.name(session, names, marks, count, job.words)?;
    session.free(&[text, places, marks]);
    let occurrences = Occurrences { span: n - 1, names, notes };
    let nodes =
        DeviceNodes { items: count as u32, texts: None, sequences: Some(occurrences), ..nodes };
    Ok(Sequences { nodes, words })
}

/// The occurrences that were found.
struct Found {
    text: Buffer,
    places: Buffer,
    occurrences: usize,
    n: u32,
}

impl Found {
    /// Finds which occurrences are equal. Returns their names, the sums of the marks of those that
    /// represent a sequence, and the number of sequences.
    fn identify(
        &self,
        session: &mut Session<'_>,
        mut recording: Recording,
        job: &Job<'_>,
    ) -> Result<(Buffer, Buffer, usize), GpuError> {
        let Self { text, places, occurrences, n } = *self;
        let names = recording.buffer("names", occurrences);
        let marks = recording.buffer("marks", occurrences + 1);
        let probes = (5 * MOST_ROUNDS as u32 / (n + 1)).min(256);
        for rerun in 0..=MOST_RERUNS {
            let size = (2 * occurrences).max(2) << rerun;
            check_binding(session, size)?;
            let slots = recording.buffer("slots", size);
            let state = recording.buffer("status", status::WORDS);
            let first = &job.first_words;
            recording.clear(marks);
            recording.dispatch(
                &sequence_identify::KERNEL,
                occurrences,
                &[occurrences as u32, n, size as u32, first.start, first.end, probes],
                &[
                    text.into(),
                    places.into(),
                    slots.into(),
                    names.into(),
                    marks.into(),
                    state.into(),
                ],
            );
            recording.scan(marks, occurrences + 1);
            let count = recording.download(marks, occurrences..occurrences + 1);
            let flags = recording.download(state, 0..1);
            recording.free(slots);
            recording.free(state);
            let mut outcome = session.submit(Phase::Initialisation, recording)?;
            if outcome.take(flags)[0] & status::TABLE_TOO_SMALL == 0 {
                return Ok((names, marks, outcome.take(count)[0] as usize));
            }
            recording = Recording::new();
        }
        Err(GpuError::Overflow { times: MOST_RERUNS + 1 })
    }

    /// Numbers the sequences in the order of their words. Returns these words.
    fn name(
        &self,
        session: &mut Session<'_>,
        names: Buffer,
        marks: Buffer,
        count: usize,
        words: usize,
    ) -> Result<Vec<u32>, GpuError> {
        let Self { text, places, occurrences, n } = *self;
        let total = n as usize * count;
        check_binding(session, total)?;
        let mut recording = Recording::new();
        let list = recording.buffer("list", count);
        let all = [names.into(), marks.into(), list.into()];
        recording.dispatch(&sequence_list::KERNEL, occurrences, &[occurrences as u32], &all);
        let bits = usize::BITS - words.saturating_sub(1).leading_zeros();
        let sorter = recording.sorter(count, bits);
        let keys = recording.buffer("keys", count);
        let take = |recording: &mut Recording, place: u32, to: usize, into: Buffer| {
            let bindings = [text.into(), places.into(), list.into(), into.into()];
            let params = [count as u32, place, to as u32];
            recording.dispatch(&sequence_words::KERNEL, count, &params, &bindings);
        };
        for place in (0..n).rev() {
            take(&mut recording, place, 0, keys);
            sorter.sort(&mut recording, keys, list);
        }
        sorter.free(&mut recording);
        let ranks = recording.buffer("ranks", occurrences);
        recording.dispatch(
            &sequence_rank::KERNEL,
            count,
            &[count as u32],
            &[list.into(), ranks.into()],
        );
        let bindings = [ranks.into(), names.into()];
        recording.dispatch(&sequence_number::KERNEL, occurrences, &[occurrences as u32], &bindings);
        let columns = recording.buffer("columns", total);
        for place in 0..n {
            take(&mut recording, place, place as usize * count, columns);
        }
        let download = recording.download(columns, 0..total);
        for buffer in [list, keys, ranks, columns] {
            recording.free(buffer);
        }
        let columns = session.submit(Phase::Initialisation, recording)?.take(download);
        let places = 0..n as usize;
        let words = (0..count).flat_map(|at| places.clone().map(move |place| place * count + at));
        Ok(words.map(|at| columns[at]).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_sequences_are_refused_with_the_limit() {
        assert_eq!(most_symbols(4000), Ok(2));
        let error = most_symbols(4001).unwrap_err();
        assert_eq!(error.to_string(), "the GPU counts sequences of at most 4000 words, not 4001");
    }
}
