//! A list of shares, and where a place among them leads.
//!
//! Each lane of a vector adds up every eighth share, so no addition waits for another lane. Laid end to
//! end, the lanes are the shares in another order. A search first finds the lane, then the group in it,
//! by counting what lies before the place: nothing could predict branches here.

use super::counts::{Group, LANES, at};

/// The shares of one draw.
#[derive(Debug)]
pub(super) struct Shares {
    /// For each group and lane the sum of this group and all before.
    sums: Vec<Group<f32>>,
    /// Where each lane begins.
    lane_starts: Group<f32>,
    total: f32,
}

impl Shares {
    pub(super) fn new() -> Self {
        Self { sums: Vec::new(), lane_starts: [0.0; LANES], total: 0.0 }
    }

    /// Takes `len` other groups of shares, at least one.
    #[inline]
    pub(super) fn fill(&mut self, len: usize, groups: impl Iterator<Item = Group<f32>>) {
        let mut sum = [0.0; LANES];
        // Not `extend`: checking for room in every step took a fifth of the time of a pass.
        self.sums.resize(len, sum);
        for (sums, group) in self.sums.iter_mut().zip(groups) {
            for lane in 0..LANES {
                sum[lane] += group[lane];
            }
            *sums = sum;
        }
        // By pairs: three additions in a row instead of seven.
        let pairs = [sum[0] + sum[1], sum[2] + sum[3], sum[4] + sum[5], sum[6] + sum[7]];
        let half = pairs[0] + pairs[1];
        let most = half + pairs[2];
        let before = [0.0, pairs[0], half, most];
        for (pair, before) in before.into_iter().enumerate() {
            self.lane_starts[2 * pair] = before;
            self.lane_starts[2 * pair + 1] = before + sum[2 * pair];
        }
        self.total = most + pairs[3];
    }

    #[inline]
    pub(super) fn total(&self) -> f32 {
        self.total
    }

    /// Where a share ends.
    #[inline]
    pub(super) fn end(&self, share: usize) -> f32 {
        self.lane_starts[share % LANES] + at(&self.sums, share)
    }

    /// The share at a place from 0 to the total. A rounding error may lead past the last one.
    #[inline]
    pub(super) fn find(&self, place: f32) -> usize {
        let lane: u32 = self.lane_starts[1..].iter().map(|&start| u32::from(start <= place)).sum();
        let lane = lane as usize % LANES;
        let place = place - self.lane_starts[lane];
        let last = self.sums.len() - 1;
        let group: u32 = self.sums[..last].iter().map(|sums| u32::from(sums[lane] <= place)).sum();
        group as usize * LANES + lane
    }

    /// As [`find`](Self::find), if a share has `less`: its end moves down, and all after it too.
    #[inline]
    pub(super) fn find_without(&self, place: f32, share: usize, less: f32) -> usize {
        let is_after = place >= self.end(share) - less;
        self.find(place + if is_after { less } else { 0.0 })
    }
}
