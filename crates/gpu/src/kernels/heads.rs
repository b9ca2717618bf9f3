//! Which of the sorted rotations differ from the one before.

use crate::kernel::{Call, kernel};

kernel!(
    /// One thread a rotation, and one more.
    heads, workgroup 64, params [listed, rotations, ahead], bindings [Read, Read, Gather, Fill]
);

fn heads(call: &mut Call<'_>) {
    let [listed, rotations, ahead] = call.params();
    let [keys, places, ranks, heads] = call.buffers();
    let both = |own: usize| (keys[own], ranks[((places[own] + ahead) % rotations) as usize]);
    for (own, head) in heads[..listed as usize].iter_mut().enumerate() {
        *head = u32::from(own == 0 || both(own) != both(own - 1));
    }
    heads[listed as usize] = 0;
}
