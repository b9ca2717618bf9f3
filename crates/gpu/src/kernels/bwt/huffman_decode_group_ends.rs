//! Twin of the kernel: computes, for every bit of a window and every table, where a group of symbols
//! that begins there ends.

use super::coded::Coded;
use crate::kernel::{Call, kernel};

kernel!(
    /// One workgroup per 1,024 bits and table.
    huffman_decode_group_ends, workgroup 256, params [first, tiles, tables, bits, group, table_words],
    bindings [Read, Read, Fill]
);

/// The bits that a workgroup takes. A group must be shorter.
pub(crate) const TILE: usize = 1024;

fn huffman_decode_group_ends(call: &mut Call<'_>) {
    let [first, tiles, tables, bits, group, table_words] = call.params();
    let [coded, table_words_of_all, jumps] = call.buffers();
    let coded = Coded { bits: coded, tables: table_words_of_all, table_words };
    let positions = tiles as usize * TILE;
    jumps.fill(0);
    for table in 0..tables as usize {
        // Where the code at each bit ends. The last entry means none.
        let none = positions + TILE;
        let end = |own: usize| {
            let at = first + own as u32;
            let (_, length) = (at < bits).then(|| coded.find(table as u32, at)).flatten()?;
            (at + length <= bits).then_some((own + length as usize).min(none))
        };
        let mut steps: Vec<usize> = (0..none).map(|own| end(own).unwrap_or(none)).collect();
        steps.push(none);
        let mut reached: Vec<usize> = (0..positions).collect();
        let mut left = group;
        while left > 0 {
            if left % 2 == 1 {
                reached.iter_mut().for_each(|at| *at = steps[*at]);
            }
            steps = steps.iter().map(|&at| steps[at]).collect();
            left /= 2;
        }
        for (own, &at) in reached.iter().enumerate().filter(|&(_, &at)| at < none) {
            let place = table * positions + own;
            jumps[place / 2] |= ((at - own) as u32) << (16 * (place % 2));
        }
    }
}
