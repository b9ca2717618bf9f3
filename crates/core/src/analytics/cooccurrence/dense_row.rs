//! A row while it is counted: a sum for every column.

use crate::analytics::traverse::{Layers, Pending};
use std::collections::HashMap;

/// A sum of weights, without what has carried out of it.
pub(super) trait Sum: Copy + Default + PartialEq + Send + Sync {
    /// Bits of a sum. What carries is worth two to the power of this.
    const BITS: u32;

    /// From a weight, which must fit.
    fn of(weight: u128) -> Self;

    /// The weight times a number of uses. The product must fit.
    fn times(self, uses: u64) -> Self;

    /// The sum, and whether it carries.
    fn add(self, weight: Self) -> (Self, bool);

    fn wide(self) -> u128;
}

macro_rules! sum {
    ($integer:ty) => {
        impl Sum for $integer {
            const BITS: u32 = Self::BITS;

            #[inline(always)]
            fn of(weight: u128) -> Self {
                weight as Self
            }

            #[inline(always)]
            fn times(self, uses: u64) -> Self {
                self.wrapping_mul(uses as Self)
            }

            #[inline(always)]
            fn add(self, weight: Self) -> (Self, bool) {
                self.overflowing_add(weight)
            }

            #[inline(always)]
            fn wide(self) -> u128 {
                self.into()
            }
        }
    };
}

sum!(u32);
sum!(u64);
sum!(u128);

/// The sums of a row. Small ones keep the row in the cache; what carries is rare and kept aside.
pub(super) struct DenseRow<S> {
    sums: Vec<S>,
    /// Columns whose sums were zero before they were added to. The first `met` count.
    columns: Vec<u32>,
    met: usize,
    /// What has carried out of sums.
    carried: HashMap<u32, u128>,
    /// To visit columns in order.
    order: Pending,
}

impl<S: Sum> DenseRow<S> {
    /// A row of zeros.
    pub(super) fn new(width: usize) -> Self {
        Self {
            sums: vec![S::default(); width],
            columns: vec![0; width + 1],
            met: 0,
            carried: HashMap::new(),
            order: Pending::new(width, Layers::Double),
        }
    }

    /// Adds weights to columns, up to the first column that the row does not have: a break.
    #[inline(always)]
    pub(super) fn add(&mut self, cells: impl Iterator<Item = (u32, S)>) {
        let mut met = self.met;
        for (column, weight) in cells {
            let Some(sum) = self.sums.get_mut(column as usize) else { break };
            let before = *sum;
            let (after, carries) = before.add(weight);
            *sum = after;
            // Whether a column is new cannot be predicted, so it is always written down and often
            // overwritten.
            self.columns[met] = column;
            met += usize::from(before == S::default());
            if carries {
                self.carry(column, after);
            }
        }
        self.met = met;
    }

    #[cold]
    #[inline(never)]
    fn carry(&mut self, column: u32, sum: S) {
        *self.carried.entry(column).or_default() += 1;
        if sum == S::default() {
            // The column will be written down once more.
            self.columns.push(0);
        }
    }

    /// Passes the columns that were added to and their sums to `sink`, rising by column, and leaves a row
    /// of zeros.
    #[inline(always)]
    pub(super) fn drain(&mut self, mut sink: impl FnMut(u32, u128)) {
        for &column in &self.columns[..self.met] {
            self.order.insert(column as usize);
        }
        self.met = 0;
        while let Some(column) = self.order.pop() {
            let mut sum = std::mem::take(&mut self.sums[column]).wide();
            if !self.carried.is_empty()
                && let Some(carried) = self.carried.get(&(column as u32))
            {
                sum += carried << (S::BITS % u128::BITS);
            }
            sink(column as u32, sum);
        }
        self.carried.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_carry() {
        let mut row = DenseRow::<u32>::new(3);
        let half = 1u32 << 31;
        for _ in 0..5 {
            // The break keeps what follows out. Column 2 carries to exactly zero, again and again.
            row.add([(2, half), (0, 1), (2, half), (3, 9), (1, 9)].into_iter());
        }
        let mut cells = Vec::new();
        row.drain(|column, sum| cells.push((column, sum)));
        assert_eq!(cells, [(0, 5), (2, 5 << 32)]);
        row.drain(|_, _| panic!("a row of zeros"));
    }

    #[test]
    fn wide_sums_do_not_carry() {
        let mut row = DenseRow::<u128>::new(1);
        row.add([(0, u128::from(u64::MAX)), (0, 1)].into_iter());
        row.drain(|_, sum| assert_eq!(sum, 1 << 64));
    }
}
