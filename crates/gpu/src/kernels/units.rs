//! How many threads each symbol needs going up.

use crate::kernel::{Call, kernel};

kernel!(
    /// One thread a symbol.
    units, workgroup 64, params [symbols, tokens, rows, items], bindings [Read, Read, Read, Write]
);

/// Slots that a thread takes.
pub(crate) const SLOTS: u32 = 64;

fn units(call: &mut Call<'_>) {
    let [count, tokens, rows, items] = call.params();
    let visits = call.visits();
    let [symbols, numbers, table_starts, units] = call.buffers();
    visits.add(count as usize);
    for (unit, &symbol) in units.iter_mut().zip(&symbols[..count as usize]) {
        *unit = match symbol.checked_sub(tokens) {
            Some(child) if child < rows => {
                let [start, end] = [child, child + 1].map(|row| table_starts[row as usize]);
                (end - start).div_ceil(SLOTS)
            }
            Some(_) => 0,
            None => u32::from(numbers[symbol as usize] < items),
        };
    }
}
