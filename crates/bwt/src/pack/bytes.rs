//! Codes bytes directly, bit by bit: for columns whose symbols are more predictable than their ranks,
//! and for streams that sorting does not help, such as packed numbers.
//!
//! Each bit is coded, from the highest down, by those of the byte before it, in two contexts: the
//! byte before, and how long it has been repeated.

use super::coder::{Bit, Coder};
use super::ranks::{RUNS, run_class};

/// Codes bytes in both directions: an encoder reads `bytes`, a decoder writes them.
pub(crate) fn code_bytes(coder: &mut impl Coder, bytes: &mut [u8]) {
    let mut after = vec![[Bit::default(); 256]; 256];
    let mut by_run = vec![[Bit::default(); 256]; RUNS];
    let (mut last, mut run) = (0u8, 0);
    for byte in bytes {
        let after = &mut after[usize::from(last)];
        let by_run = &mut by_run[run_class(run)];
        let mut known = 1usize;
        for place in (0..8).rev() {
            let bit = *byte >> place & 1 == 1;
            let bit = coder.code(bit, &mut after[known], &mut by_run[known]);
            known = known << 1 | usize::from(bit);
        }
        *byte = known as u8;
        run = if *byte == last { run + 1 } else { 0 };
        last = *byte;
    }
}
