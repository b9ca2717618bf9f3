//! The bytes of each chunk of coded symbols.

use crate::kernel::{Call, kernel};

kernel!(
    /// One thread a chunk, and one more.
    chunk_sizes, workgroup 64, params [symbols, chunk, chunks], bindings [Read, Fill]
);

fn chunk_sizes(call: &mut Call<'_>) {
    let [symbols, chunk, chunks] = call.params();
    let [sums, sizes] = call.buffers();
    for own in 0..chunks {
        let (first, end) = (own * chunk, symbols.min((own + 1) * chunk));
        sizes[own as usize] = (sums[end as usize] - sums[first as usize]).div_ceil(8);
    }
    sizes[chunks as usize] = 0;
}
