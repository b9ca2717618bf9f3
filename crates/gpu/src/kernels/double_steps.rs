//! Where twice as many steps lead.

use crate::kernel::{Call, kernel};

kernel!(
    /// One thread a position.
    double_steps, workgroup 64, params [positions], bindings [Read, Write]
);

fn double_steps(call: &mut Call<'_>) {
    let [positions] = call.params();
    let [steps, doubled] = call.buffers();
    for (to, &step) in doubled.iter_mut().zip(&steps[..positions as usize]) {
        *to = steps[step as usize];
    }
}
