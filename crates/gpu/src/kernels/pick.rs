//! Words at listed places.

use crate::kernel::{Call, kernel};

kernel!(
    /// One thread a place.
    pick, workgroup 64, params [places], bindings [Read, Read, Write]
);

fn pick(call: &mut Call<'_>) {
    let [count] = call.params();
    let [data, places, picked] = call.buffers();
    for (word, &place) in picked.iter_mut().zip(&places[..count as usize]) {
        *word = data[place as usize];
    }
}
