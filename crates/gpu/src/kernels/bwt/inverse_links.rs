//! Twin of the kernel: writes the symbols of a last column as keys, and with each its row and itself.

use super::byte_of;
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per row.
    inverse_links, workgroup 64, params [rows], bindings [Read, Fill, Fill]
);

fn inverse_links(call: &mut Call<'_>) {
    let [rows] = call.params();
    let [column, keys, links] = call.buffers();
    for row in 0..rows as usize {
        keys[row] = byte_of(column, row);
        links[row] = keys[row] << 24 | row as u32;
    }
}
