//! Predicts the column of the next symbol by mixing adaptive distributions.
//!
//! [`ByToken`] has three: by the last two rows, by the last token, and by that token and its symbol's
//! bucket. The latter two are hashed and start as a copy of the coarser one. [`ByBucket`] has the
//! first, and one by the last bucket, which does not depend on the symbol itself: on prose it is 0.4 %
//! larger and takes three fifths of the time.

use super::mixing::{Distribution, learn_by_age};
use super::range_coder::BinaryCoder;
use crate::format::clusters::MOST_CLUSTERS;

/// Adaptive probabilities of one context (a line). Place 0 holds its age, and a check if it is hashed.
pub(super) type Probabilities = Distribution<MOST_CLUSTERS>;

/// The most lines of a hashed table, as a power of two. 2^16 lines would save 0.4 % on books and take
/// a third more time; 2^12 fit into a core's own cache.
const MOST_LINES: u32 = 12;
/// Slowest rate, as a shift, of lines that are not hashed.
pub(super) const LINE_RATE: u32 = 7;
/// In place 0 of a hashed line, the low bits are its age and the others a check of its context.
const AGE_MASK: u16 = 15;
/// Rate of a hashed line, as a shift, by its age.
const HASHED_RATES: [u32; 16] = [2, 2, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5];

/// Facts of the previous symbol, and the row before it.
#[derive(Clone, Copy, Default)]
pub(super) struct Before {
    pub(super) bucket: usize,
    pub(super) token: u32,
    pub(super) row: usize,
    pub(super) row_before: usize,
}

/// Predicts columns.
pub(super) trait ClusterPredictor {
    /// Codes a column in the context of `before`, and learns from it.
    fn code<C: BinaryCoder>(&mut self, coder: &mut C, before: &Before, column: usize) -> usize;
}

pub(super) struct ByToken {
    by_rows: Vec<Probabilities>,
    by_token: Vec<Probabilities>,
    by_token_and_bucket: Vec<Probabilities>,
    /// Weights of the first two kinds of lines, by the ages of the latter two. The third has the rest.
    weights: Vec<[u16; 2]>,
}

impl ByToken {
    /// For a sequence of `len` symbols.
    pub(super) fn new(len: usize) -> Self {
        let lines = 1 << len.max(1).ilog2().clamp(10, MOST_LINES);
        Self {
            by_rows: vec![Probabilities::even(); MOST_CLUSTERS * MOST_CLUSTERS],
            by_token: vec![Probabilities::default(); lines],
            by_token_and_bucket: vec![Probabilities::default(); lines],
            weights: vec![[u16::MAX / 3; 2]; 256],
        }
    }
}

impl ClusterPredictor for ByToken {
    #[inline]
    fn code<C: BinaryCoder>(&mut self, coder: &mut C, before: &Before, column: usize) -> usize {
        let token = u64::from(before.token);
        let by_rows = &mut self.by_rows[before.row * MOST_CLUSTERS + before.row_before];
        let (token_line, token_check) = line_of(token, self.by_token.len());
        let (both_line, both_check) =
            line_of(token << 16 | before.bucket as u64, self.by_token_and_bucket.len());
        let by_token = &mut self.by_token[token_line];
        let by_both = &mut self.by_token_and_bucket[both_line];
        // Fetch both before deciding on either: they miss the cache, but at the same time.
        let found = [by_token.0[0], by_both.0[0]];
        claim(by_token, found[0], token_check, by_rows);
        claim(by_both, found[1], both_check, by_token);
        let ages = [by_token.0[0] & AGE_MASK, by_both.0[0] & AGE_MASK];

        let weights = &mut self.weights[usize::from(ages[0] << 4 | ages[1])];
        let rest = u16::MAX - weights[0] - weights[1];
        let mixed =
            Probabilities::mixed([&*by_rows, by_token, by_both], [weights[0], weights[1], rest]);
        let column = coder.choice(column, &mixed.starts());

        let given = mixed.probability(column) + 2;
        let reference = by_both.probability(column);
        let push = |line: &Probabilities| push(line.probability(column) - reference, given);
        let first = (i32::from(weights[0]) + push(by_rows)).clamp(0, i32::from(u16::MAX));
        let second = (i32::from(weights[1]) + push(by_token)).clamp(0, i32::from(u16::MAX) - first);
        *weights = [first as u16, second as u16];

        learn_by_age(by_rows, column, LINE_RATE);
        for (line, age) in [by_token, by_both].into_iter().zip(ages) {
            line.learn(column, HASHED_RATES[usize::from(age)]);
            line.0[0] += u16::from(age < AGE_MASK);
        }
        column
    }
}

pub(super) struct ByBucket {
    by_rows: Vec<Probabilities>,
    by_bucket: Vec<Probabilities>,
    /// Weights of the first kind of lines, by row. The second has the rest.
    weights: [u16; MOST_CLUSTERS],
}

impl ByBucket {
    /// For buckets below the square of [`MOST_CLUSTERS`].
    pub(super) fn new() -> Self {
        let lines = vec![Probabilities::even(); MOST_CLUSTERS * MOST_CLUSTERS];
        let weights = [u16::MAX / 2; MOST_CLUSTERS];
        Self { by_rows: lines.clone(), by_bucket: lines, weights }
    }
}

impl ClusterPredictor for ByBucket {
    #[inline]
    fn code<C: BinaryCoder>(&mut self, coder: &mut C, before: &Before, column: usize) -> usize {
        let by_rows = &mut self.by_rows[before.row * MOST_CLUSTERS + before.row_before];
        let by_bucket = &mut self.by_bucket[before.bucket];
        let weight = &mut self.weights[before.row];
        let mixed = Probabilities::mixed([&*by_rows, by_bucket], [*weight, u16::MAX - *weight]);
        let column = coder.choice(column, &mixed.starts());

        let difference = by_rows.probability(column) - by_bucket.probability(column);
        let pushed = i32::from(*weight) + push(difference, mixed.probability(column) + 2);
        *weight = pushed.clamp(0, i32::from(u16::MAX)) as u16;
        learn_by_age(by_rows, column, LINE_RATE);
        learn_by_age(by_bucket, column, LINE_RATE);
        column
    }
}

/// By how much to increase the weight of a line whose probability was higher by `difference` than that
/// of the line it competes with. Follows the gradient of the logarithm of the mixed probability `given`.
#[inline]
fn push(difference: i32, given: i32) -> i32 {
    ((difference << 10) / given).clamp(-4096, 4096) >> 5
}

/// Index of a context's line in a table of `lines`, and its check in place 0.
#[inline]
fn line_of(context: u64, lines: usize) -> (usize, u16) {
    let hash = context.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    // Never zero: a new line has a check of zero.
    let check = (hash >> 12) as u16 & !AGE_MASK | (AGE_MASK + 1);
    ((hash >> 32) as usize & (lines - 1), check)
}

/// Starts the line as a copy of `coarser` unless it belongs to this context already.
#[inline]
fn claim(line: &mut Probabilities, found: u16, check: u16, coarser: &Probabilities) {
    if found & !AGE_MASK != check {
        *line = *coarser;
        line.0[0] = check;
    }
}
