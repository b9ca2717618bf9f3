//! Eight lanes decoded in turn.
//!
//! Decoding one symbol depends on the one before it: a chain of table look-ups whose latency, not
//! their work, sets the speed. A root is cut into eight parts, one per lane. A decoder takes one symbol
//! from each lane in turn, so that the processor works on seven lanes while one waits.

use super::CHUNK;

/// Number of lanes.
pub(crate) const LANES: usize = 8;

/// Length of the parts that a root of `len` symbols is cut into. The last parts may be shorter or empty.
pub(crate) fn part_len(len: usize) -> usize {
    len.div_ceil(LANES).max(1)
}

/// Decodes `len` symbols. `next` decodes one symbol of a lane, `states` holds what it needs beside
/// the lane, and `fetch` is called before each chunk. `take` receives the symbols, with the position
/// of the first.
#[inline(always)]
pub(crate) fn decode_in_turn<L: Copy, S>(
    lanes: &mut [L; LANES],
    states: &mut [S; LANES],
    len: usize,
    fetch: impl Fn(&L),
    next: impl Fn(&mut L, &mut S) -> u32,
    mut take: impl FnMut(usize, &[u32]),
) {
    let part = part_len(len);
    // Only the last parts can be shorter than the others.
    let shortest = len.saturating_sub(part * (LANES - 1));
    let mut chunks = [[0; CHUNK]; LANES];
    for at in (0..shortest).step_by(CHUNK) {
        let steps = CHUNK.min(shortest - at);
        lanes.iter().for_each(&fetch);
        let mut current = *lanes;
        for step in 0..steps {
            for ((lane, state), chunk) in current.iter_mut().zip(&mut *states).zip(&mut chunks) {
                chunk[step] = next(lane, state);
            }
        }
        *lanes = current;
        for (number, chunk) in chunks.iter().enumerate() {
            take(number * part + at, &chunk[..steps]);
        }
    }
    for (number, (lane, state)) in lanes.iter_mut().zip(states).enumerate() {
        for at in number * part + shortest..len.min((number + 1) * part) {
            take(at, &[next(lane, state)]);
        }
    }
}

/// Fetches bytes that will be needed soon. A processor does not predict the pattern in which lanes
/// read; this fetches the bytes of all lanes at once instead of one after the other.
pub(crate) fn warm(bytes: &[u8], start: usize, len: usize) {
    const CACHE_LINE: usize = 64;
    let soon = bytes.get(start..).unwrap_or_default();
    let lines = soon[..len.min(soon.len())].iter().step_by(CACHE_LINE);
    std::hint::black_box(lines.fold(0, |sum, &byte| sum ^ byte));
}
