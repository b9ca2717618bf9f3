//! Extracts stretches of documents: cuts them into units, one thread each, and joins the results.

use super::index::Index;
use super::records::Records;
use crate::error::GpuError;
use crate::kernels::access::read_extract::{self, STEPS, STRIDE, UNIT};
use crate::recording::{Download, Outcome, Recording};

/// The most steps of a thread in one dispatch: one software device silently ends loops after 65,535
/// rounds.
const BUDGET: u32 = 50_000;

/// The steps of a round that the next round may have to repeat.
const REPEATED: u32 = 1_000;

/// The most rounds that are worthwhile.
const MOST_ROUNDS: u64 = 4_000;

/// A stretch of a document after some insertions.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    pub(super) document: u32,
    pub(super) offset: u32,
    pub(super) len: u32,
    /// The document's first insertion, and the end of those that are visible.
    pub(super) first: u32,
    pub(super) end: u32,
}

/// The words that the device needs for a stretch.
pub(super) fn cost(len: u32) -> usize {
    len.div_ceil(UNIT) as usize * STRIDE
}

/// Recorded stretches.
pub(super) struct Extraction {
    download: Option<Download>,
    lens: Vec<u32>,
}

/// The cost of stretches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Work {
    pub(super) units: u64,
    pub(super) steps: u64,
    pub(super) most_steps: u64,
}

impl Extraction {
    pub(super) fn record(
        recording: &mut Recording,
        index: &Index,
        records: &Records,
        stretches: &[Stretch],
    ) -> Result<Self, GpuError> {
        let mut words = Vec::with_capacity(5 * stretches.len());
        for stretch in stretches {
            for from in (0..stretch.len).step_by(UNIT as usize) {
                let bytes = (stretch.len - from).min(UNIT);
                let offset = stretch.offset + from;
                words.extend([stretch.document, offset, bytes, stretch.first, stretch.end]);
            }
        }
        let lens = stretches.iter().map(|stretch| stretch.len).collect();
        let units = words.len() / 5;
        if units == 0 {
            return Ok(Self { download: None, lens });
        }
        let rounds = rounds(index, records)?;
        let words = recording.upload("units", words);
        let out = recording.buffer("extracted", units * STRIDE);
        let [rules, documents, tokens] = index.numbers;
        let [insertions, slots] = records.numbers;
        let on_device = &index.on_device;
        for _ in 0..rounds {
            recording.dispatch(
                &read_extract::KERNEL,
                units,
                &[rules, documents, tokens, units as u32, insertions, slots, BUDGET],
                &[
                    words.into(),
                    on_device.shape.into(),
                    on_device.symbols.into(),
                    on_device.sums.into(),
                    on_device.letters.into(),
                    records.words.into(),
                    records.inserted.into(),
                    out.into(),
                ],
            );
        }
        let download = Some(recording.download(out, 0..units * STRIDE));
        recording.free(words);
        recording.free(out);
        Ok(Self { download, lens })
    }

    /// The bytes of each stretch.
    pub(super) fn take(
        self,
        outcome: &mut Outcome,
        index: &Index,
        work: &mut Work,
    ) -> Result<Vec<Vec<u8>>, GpuError> {
        let out = self.download.map_or_else(Vec::new, |download| outcome.take(download));
        let mut units = out.chunks_exact(STRIDE);
        let mut texts = Vec::with_capacity(self.lens.len());
        for len in self.lens {
            let mut text = Vec::with_capacity(len as usize);
            while text.len() < len as usize {
                let bytes = (len as usize - text.len()).min(UNIT as usize);
                let unit = units.next().filter(|unit| unit[16] as usize == bytes);
                let unit = unit.ok_or(GpuError::TooDeep { levels: index.depth })?;
                work.units += 1;
                work.steps += u64::from(unit[STEPS]);
                work.most_steps = work.most_steps.max(u64::from(unit[STEPS]));
                let all = unit[..16].iter().flat_map(|word| word.to_le_bytes());
                text.extend(all.take(bytes));
            }
            texts.push(text);
        }
        Ok(texts)
    }
}

/// The number of dispatches after which every unit is finished.
fn rounds(index: &Index, records: &Records) -> Result<u32, GpuError> {
    let search = |items: u32| u64::from(u32::BITS - items.leading_zeros()) + 1;
    let levels = search(records.numbers[0]);
    let find = 2 * levels * (search(records.numbers[1]) + 1);
    let down = u64::from(index.depth + 1) * (search(index.longest_rule) + 1);
    let byte = 2 + find + search(index.longest_document) + down;
    let rounds = u64::from(UNIT) * byte / u64::from(BUDGET - REPEATED) + 1;
    if rounds > MOST_ROUNDS {
        return Err(GpuError::TooDeep { levels: index.depth });
    }
    Ok(rounds as u32)
}
