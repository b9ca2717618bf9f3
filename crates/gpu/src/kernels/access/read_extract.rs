//! Twin of the kernel: extracts bytes of documents as they are after some insertions (random-access-gpu
//! section IV-D, *extract*).

use super::Shape;
use super::records::Records;
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per unit.
    read_extract, workgroup 64,
    params [rules, documents, tokens, units, insertions, slots, budget],
    bindings [Read, Read, Read, Read, Read, Read, Read, Write]
);

/// The bytes of a unit.
pub(crate) const UNIT: u32 = 64;

/// The words of a unit's output: text, bytes done, where to continue, steps.
pub(crate) const STRIDE: usize = 20;

/// The word of a unit's output that counts its steps.
pub(crate) const STEPS: usize = 19;

fn byte(words: &[u32], at: u32) -> u32 {
    (words[at as usize / 4] >> (8 * (at % 4))) & 255
}

fn read_extract(call: &mut Call<'_>) {
    let [rules, documents, tokens, count, insertions, slots, budget] = call.params();
    let [units, words, symbols, sums, letters, records, inserted, out] = call.buffers();
    let shape = Shape { words, rules, documents, tokens };
    let mut records = Records::new(records, insertions, slots);
    for (unit, out) in units.chunks_exact(5).take(count as usize).zip(out.chunks_exact_mut(STRIDE))
    {
        let &[document, offset, bytes, first, end] = unit else { unreachable!("five words") };
        let bytes = bytes.min(UNIT);
        records.steps_left = budget;
        let mut done = out[16];
        let put = |out: &mut [u32], done: &mut u32, byte: u32| {
            out[*done as usize / 4] |= byte << (8 * (*done % 4));
            *done += 1;
        };
        while done < bytes && records.steps_left > 0 {
            records.step(1);
            let origin = records.origin_of(first, end, offset + done, bytes - done);
            if let Some(insertion) = origin.insertion {
                let from = records.text_start(insertion) + origin.offset;
                for at in from..from + origin.run {
                    put(out, &mut done, byte(inserted, at));
                }
                records.step(origin.run);
                continue;
            }
            let mut rule = out[17];
            let mut within = if rule > 0 { out[18] } else { origin.offset };
            let mut is_down = false;
            while !is_down && records.steps_left > 0 {
                let (mut low, mut high) = match rule {
                    0 => (shape.document_start(document), shape.document_start(document + 1)),
                    rule => (shape.rule_start(rule), shape.rule_start(rule + 1)),
                };
                let base = sums[low as usize];
                while high - low > 1 {
                    records.step(1);
                    let middle = low + (high - low) / 2;
                    if sums[middle as usize].wrapping_sub(base) <= within {
                        low = middle;
                    } else {
                        high = middle;
                    }
                }
                records.step(1);
                within -= sums[low as usize].wrapping_sub(base);
                let symbol = symbols[low as usize];
                let length = shape.length(symbol);
                if within >= length {
                    put(out, &mut done, u32::from(b' '));
                    is_down = true;
                } else if symbol < tokens {
                    let from = shape.token_start(symbol) + within;
                    let run = origin.run.min(length - within);
                    for at in from..from + run {
                        put(out, &mut done, byte(letters, at));
                    }
                    records.step(run);
                    is_down = true;
                } else {
                    rule = symbol - tokens;
                }
            }
            out[17] = if is_down { 0 } else { rule };
            out[18] = within;
        }
        out[16] = done;
        out[STEPS] += budget - records.steps_left;
    }
}
