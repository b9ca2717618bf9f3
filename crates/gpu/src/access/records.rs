//! Insertions on the device: the paper's `records` (random-access-gpu section IV-B) over the immutable
//! grammar, and its offset snapshots (section IV-D, *mixed operations*).
//!
//! The paper gives every document a thread, which processes its insertions one after the other. Here all
//! insertions are processed at once: neighbours are joined to blocks of two, those to blocks of four, and
//! so on. Each block is a list of the pieces of new text that it leaves (see
//! `kernels/access/shared/records.wgsl`). Blocks of all sizes are kept, so the text after any insertion
//! is the text after a few blocks. A read finds its snapshot, and no copy is made for it.

use super::plan::Insertion;
use crate::bytes::pack;
use crate::engine::device_nodes::check_binding;
use crate::error::GpuError;
use crate::kernels::access::{
    edit_batch_offsets, edit_blocks_begin, edit_blocks_join, edit_blocks_split, edit_follow_offsets,
};
use crate::recording::{Buffer, Download, Recording};
use crate::session::Session;
use zgram::store::OffsetBase;

/// The insertions of a batch on the device.
#[derive(Clone, Copy, Debug)]
pub(super) struct Records {
    /// The numbers of insertions and of slots per level: parameters of kernels.
    pub(super) numbers: [u32; 2],
    pub(super) words: Buffer,
    /// All new bytes.
    pub(super) inserted: Buffer,
}

/// The offset of each insertion at the time it is made.
pub(super) enum Offsets {
    /// As given.
    Known(Vec<u32>),
    /// As computed on the device.
    Placed(Buffer),
}

impl Records {
    /// Records the upload of insertions, each with its offset at the time it is made.
    pub(super) fn upload(
        session: &Session<'_>,
        recording: &mut Recording,
        insertions: &[Insertion<'_>],
        meaning: OffsetBase,
    ) -> Result<(Self, Offsets), GpuError> {
        let mut starts = vec![0u32];
        let mut bytes = Vec::new();
        for insertion in insertions {
            bytes.extend_from_slice(insertion.bytes);
            let end = u32::try_from(bytes.len());
            starts.push(end.map_err(|_| GpuError::TooMany { what: "inserted bytes" })?);
        }
        let count = insertions.len();
        let slots = 2 * count.next_power_of_two();
        // There are no blocks larger than the number of insertions.
        let levels = if count == 0 { 0 } else { count.ilog2() + 1 };
        let words = count + 1 + slots + 4 * slots * levels as usize;
        check_binding(session, words)?;
        let records = recording.buffer("records", words);
        let starts = recording.upload("text_starts", starts);
        recording.copy(starts, 0..count + 1, records, 0);
        recording.free(starts);
        let numbers = [count as u32, slots as u32];
        let asked: Vec<u32> = insertions.iter().map(|insertion| insertion.offset).collect();
        let given = recording.upload("offsets", asked.clone());
        let offsets = match meaning {
            OffsetBase::InSequence => Offsets::Known(asked),
            OffsetBase::InBatch => {
                place(recording, insertions, given);
                Offsets::Placed(given)
            }
        };
        let bindings = [given.into(), records.into()];
        recording.dispatch(&edit_blocks_begin::KERNEL, count, &numbers, &bindings);
        if let Offsets::Known(_) = offsets {
            recording.free(given);
        }
        let splits = recording.buffer("splits", slots + 1);
        for level in 1..levels {
            let params = [numbers[0], numbers[1], level - 1];
            let read = [records.into(), splits.into()];
            recording.dispatch(&edit_blocks_split::KERNEL, slots, &params, &read);
            recording.scan(splits, slots + 1);
            let joined = [splits.into(), records.into()];
            recording.dispatch(&edit_blocks_join::KERNEL, slots, &params, &joined);
            recording.clear(splits);
        }
        recording.free(splits);
        let inserted = recording.upload("inserted", pack(&bytes));
        Ok((Self { numbers, words: records, inserted }, offsets))
    }

    /// Records questions about the offsets of bytes after later insertions: see the kernel
    /// `edit_follow_offsets`.
    pub(super) fn follow(&self, recording: &mut Recording, questions: Vec<u32>) -> Download {
        let count = questions.len() / 3;
        let questions = recording.upload("questions", questions);
        let answers = recording.buffer("answers", count);
        let [insertions, slots] = self.numbers;
        recording.dispatch(
            &edit_follow_offsets::KERNEL,
            count,
            &[insertions, slots, count as u32],
            &[questions.into(), self.words.into(), answers.into()],
        );
        let download = recording.download(answers, 0..count);
        recording.free(questions);
        recording.free(answers);
        download
    }
}

/// Records the conversion of offsets that are relative to the text before the batch.
fn place(recording: &mut Recording, insertions: &[Insertion<'_>], offsets: Buffer) {
    let count = insertions.len();
    // An appended text has its final offset, and moves nothing that has an offset in the text before the
    // batch. So it is treated as an empty insertion in a separate document.
    let words = insertions.iter().flat_map(|insertion| match insertion.is_append {
        true => [u32::MAX, insertion.offset, 0],
        false => [insertion.document, insertion.offset, insertion.bytes.len() as u32],
    });
    let words = recording.upload("asked", words.collect());
    let sorted = (0..count as u32).flat_map(|number| [number, 0]).collect();
    let mut from = recording.upload("sorted", sorted);
    let mut to = recording.buffer("merged", 2 * count);
    for level in 0..count.next_power_of_two().ilog2() {
        recording.dispatch(
            &edit_batch_offsets::KERNEL,
            count,
            &[count as u32, level],
            &[words.into(), from.into(), to.into(), offsets.into()],
        );
        std::mem::swap(&mut from, &mut to);
    }
    for buffer in [words, from, to] {
        recording.free(buffer);
    }
}
