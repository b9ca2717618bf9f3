//! Twin of the kernel: walks again, and writes the symbols of the walk to the text, at the place of the
//! walk.

use super::inverse_walk_measure::{ENDED, step};
use super::or_byte;
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per walk.
    inverse_walk_write, workgroup 64, params [walks, first, steps], bindings [Read, Write, Write, Write]
);

fn inverse_walk_write(call: &mut Call<'_>) {
    let [walks, first, steps] = call.params();
    let [links, at, places, text] = call.buffers();
    for (row, to) in at.iter_mut().zip(places).take(walks as usize) {
        for _ in 0..steps {
            if *row >= ENDED {
                break;
            }
            let (symbol, next) = step(links, *row, walks, first);
            or_byte(text, *to as usize, symbol);
            *to += 1;
            *row = next;
        }
    }
}
