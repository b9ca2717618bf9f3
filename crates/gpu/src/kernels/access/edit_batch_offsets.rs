//! Twin of the kernel: converts insertion offsets that are relative to the text before the batch to
//! offsets at the time of each insertion.

use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per insertion.
    edit_batch_offsets, workgroup 64, params [insertions, level], bindings [Read, Read, Write, Write]
);

fn edit_batch_offsets(call: &mut Call<'_>) {
    let [insertions, level] = call.params();
    let [asked, sorted, merged, offsets] = call.buffers();
    let insertion = |number: u32| &asked[3 * number as usize..][..3];
    let (count, size) = (insertions as usize, 1usize << level);
    for first in (0..count).step_by(2 * size) {
        let (middle, end) = ((first + size).min(count), (first + 2 * size).min(count));
        let block = |range: std::ops::Range<usize>| -> Vec<u32> {
            range.map(|at| sorted[2 * at]).collect()
        };
        let (earlier, later) = (block(first..middle), block(middle..end));
        for &own in &later {
            let [document, offset, _] = insertion(own) else { unreachable!("three words") };
            let moves = earlier.iter().map(|&other| insertion(other));
            let moved: u32 = moves
                .filter(|other| other[0] == *document && other[1] <= *offset)
                .map(|other| other[2])
                .sum();
            offsets[own as usize] += moved;
        }
        let mut all = [earlier, later].concat();
        all.sort_by_key(|&number| (insertion(number)[0], insertion(number)[1]));
        let mut before = 0;
        for (at, number) in (first..).zip(all) {
            (merged[2 * at], merged[2 * at + 1]) = (number, before);
            before += insertion(number)[2];
        }
    }
}
