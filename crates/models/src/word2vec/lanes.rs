//! Sums and products of rows, eight numbers at a time.
//!
//! Rows are whole lanes: a vector of 100 numbers takes 13 lanes, and the last numbers of the last lane
//! stay 0. Every level of SIMD adds the same numbers in the same order and none fuses a product with a
//! sum, so all processors compute the same bits.

use fearless_simd::{Simd, SimdFrom, f32x8, prelude::*};

/// How many numbers a lane has.
pub(super) const WIDTH: usize = 8;

/// Eight numbers, where the processor loads them with one instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub(super) struct Lane(pub(super) [f32; WIDTH]);

impl Lane {
    #[inline(always)]
    fn load<S: Simd>(&self, simd: S) -> f32x8<S> {
        f32x8::simd_from(simd, self.0)
    }

    #[inline(always)]
    fn store<S: Simd>(&mut self, value: f32x8<S>) {
        value.store_slice(&mut self.0);
    }
}

/// The sum of the products of two rows.
#[inline(always)]
pub(super) fn dot<S: Simd>(simd: S, a: &[Lane], b: &[Lane]) -> f32 {
    // Four sums at once: one alone would wait for each addition.
    let mut sums = [f32x8::splat(simd, 0.0); 4];
    let (a_four, a_rest) = a.as_chunks::<4>();
    let (b_four, b_rest) = b.as_chunks::<4>();
    for (a, b) in a_four.iter().zip(b_four) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a.load(simd) * b.load(simd);
        }
    }
    for (a, b) in a_rest.iter().zip(b_rest) {
        sums[0] += a.load(simd) * b.load(simd);
    }
    let (low, high) = ((sums[0] + sums[1]) + (sums[2] + sums[3])).split();
    let sum: [f32; 4] = (low + high).into();
    (sum[0] + sum[2]) + (sum[1] + sum[3])
}

/// Adds a row to another.
#[inline(always)]
pub(super) fn add<S: Simd>(simd: S, to: &mut [Lane], row: &[Lane]) {
    for (to, row) in to.iter_mut().zip(row) {
        to.store(to.load(simd) + row.load(simd));
    }
}

/// Multiplies a row by a number.
#[inline(always)]
pub(super) fn scale<S: Simd>(simd: S, row: &mut [Lane], by: f32) {
    let by = f32x8::splat(simd, by);
    for lane in row {
        lane.store(lane.load(simd) * by);
    }
}

/// The two updates of a step with error `gain`: the hidden layer's gradient gets the output row, and
/// the output row gets the hidden layer.
#[inline(always)]
pub(super) fn learn<S: Simd>(
    simd: S,
    gain: f32,
    hidden: &[Lane],
    output: &mut [Lane],
    gradient: &mut [Lane],
) {
    let gain = f32x8::splat(simd, gain);
    for ((hidden, output), gradient) in hidden.iter().zip(output).zip(gradient) {
        let old = output.load(simd);
        gradient.store(gradient.load(simd) + gain * old);
        output.store(old + gain * hidden.load(simd));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fearless_simd::{Level, dispatch};

    fn row(len: usize, seed: u64) -> Vec<Lane> {
        let mut random = crate::random::Random::new(seed, 0);
        (0..len).map(|_| Lane(std::array::from_fn(|_| random.unit() - 0.5))).collect()
    }

    #[test]
    fn rows_of_any_length_are_as_one_by_one() {
        let level = Level::new();
        for len in 0..12 {
            let (a, b) = (row(len, 1), row(len, 2));
            let numbers = |row: &[Lane]| row.iter().flat_map(|lane| lane.0).collect::<Vec<f32>>();
            let (plain_a, plain_b) = (numbers(&a), numbers(&b));
            let found = dispatch!(level, simd => dot(simd, &a, &b));
            let expected: f64 =
                plain_a.iter().zip(&plain_b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
            assert!((f64::from(found) - expected).abs() < 1e-6);
            let mut sum = a.clone();
            dispatch!(level, simd => add(simd, &mut sum, &b));
            dispatch!(level, simd => scale(simd, &mut sum, 0.5));
            let expected: Vec<f32> =
                plain_a.iter().zip(&plain_b).map(|(a, b)| (a + b) * 0.5).collect();
            assert_eq!(numbers(&sum), expected);
            let (mut output, mut gradient) = (b.clone(), row(len, 3));
            let before = numbers(&gradient);
            dispatch!(level, simd => learn(simd, 0.25, &a, &mut output, &mut gradient));
            for (at, (a, b)) in plain_a.iter().zip(&plain_b).enumerate() {
                assert_eq!(numbers(&output)[at], b + 0.25 * a);
                assert_eq!(numbers(&gradient)[at], before[at] + 0.25 * b);
            }
        }
    }

    #[test]
    fn every_level_of_simd_gives_the_same_bits() {
        let (a, b) = (row(13, 4), row(13, 5));
        let best = dispatch!(Level::new(), simd => dot(simd, &a, &b));
        let least = dispatch!(Level::baseline(), simd => dot(simd, &a, &b));
        assert_eq!(best.to_bits(), least.to_bits());
    }
}
