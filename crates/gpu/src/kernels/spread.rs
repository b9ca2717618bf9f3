//! Top-down for each document apart: tables of documents at rows, tables of words at documents.

use super::status;
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread a slot.
    spread, workgroup 64,
    params [
        first_step, end_step, threads, tokens, rows, words, first_document, documents, symbol_base
    ],
    bindings [Read, Read, Read, Read, Read, Write, Write]
);

/// Longer searches end the dispatch: it is repeated with larger tables.
const MOST_PROBES: u32 = 256;

/// The tables in the pool.
struct Tables<'a> {
    starts: &'a [u32],
    pool: &'a mut [u32],
    state: &'a mut [u32],
}

impl Tables<'_> {
    fn add(&mut self, table: u32, key: u32, keys: u32, value: u64) {
        let [first, end] = [table, table + 1].map(|table| self.starts[table as usize]);
        let size = end - first;
        if size == 0 {
            self.state[0] |= status::TABLE_TOO_SMALL;
            return;
        }
        let mut at = if size == keys { key } else { super::mix(key) } % size;
        for _ in 0..MOST_PROBES {
            let slot = &mut self.pool[3 * (first + at) as usize..][..3];
            if slot[0] == 0 || slot[0] == key + 1 {
                slot[0] = key + 1;
                let before = u64::from(slot[1]) | u64::from(slot[2]) << 32;
                let (sum, overflows) = before.overflowing_add(value);
                (slot[1], slot[2]) = (sum as u32, (sum >> 32) as u32);
                self.state[0] |= if overflows { status::COUNT_TOO_LARGE } else { 0 };
                return;
            }
            at = if at + 1 == size { 0 } else { at + 1 };
        }
        self.state[0] |= status::TABLE_TOO_SMALL;
    }
}

fn spread(call: &mut Call<'_>) {
    let [first_step, end_step, _, tokens, rows, words, first_document, documents, base] =
        call.params();
    let [steps, row_starts, symbols, numbers, starts, pool, state] = call.buffers();
    let mut tables = Tables { starts, pool, state };
    for row in super::ranges(steps, first_step, end_step).flatten() {
        for slot in tables.starts[row as usize]..tables.starts[row as usize + 1] {
            let mut document = row.wrapping_sub(first_document);
            let mut weight = 1;
            if document >= documents {
                let slot = &tables.pool[3 * slot as usize..][..3];
                if slot[0] == 0 {
                    continue;
                }
                document = slot[0] - 1;
                weight = u64::from(slot[1]) | u64::from(slot[2]) << 32;
            }
            for &symbol in super::body(row_starts, symbols, row, base) {
                match symbol.checked_sub(tokens) {
                    Some(child) if child < rows => tables.add(child, document, documents, weight),
                    Some(_) => {}
                    None if numbers[symbol as usize] < words => {
                        tables.add(rows + document, numbers[symbol as usize], words, weight);
                    }
                    None => {}
                }
            }
        }
    }
}
