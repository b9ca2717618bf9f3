//! Counts the rows of a text, one word after the other.
//!
//! What takes the time is not adding: a row is small and its frequent columns are in the first-level
//! cache. It is fetching the neighbours of places that are all over the text. So the neighbourhoods of
//! many places are copied first, in a loop where no load waits for another, and added afterwards. That
//! made counting four times as fast on books. Of what is left, adding is an eighth, so there is nothing to
//! win by dividing rows into blocks of the vocabulary.

use super::Side;
use super::dense_row::{DenseRow, Sum};
use super::text::{GROUP, Place, Places, Text, stride};
use super::weights::Weights;
use crate::analytics::engine::{Outlet, run_in_order};
use crate::error::QueryError;
use crate::progress::Progress;
use std::ops::Range;
use std::sync::Mutex;

/// Neighbourhoods that are copied before any is added.
const TOGETHER: usize = 64;

/// What is counted.
pub(super) struct Rule {
    pub(super) weights: Weights,
    pub(super) side: Side,
    /// Whether only cells on the diagonal and right of it are wanted.
    pub(super) upper_triangle: bool,
    /// The number of words: of rows and of columns.
    pub(super) width: usize,
}

/// What rows become.
pub(super) trait Rows: Default + Send {
    /// Adds a word's row and leaves a row of zeros.
    fn push<S: Sum>(&mut self, rule: &Rule, word: usize, row: &mut DenseRow<S>);
}

/// Counts all rows of a text, on threads, and passes them to `consume`, in order.
pub(super) fn count_rows<T: Text, R: Rows>(
    text: &T,
    rule: &Rule,
    threads: usize,
    progress: &dyn Progress,
    consume: impl FnMut(R) -> Result<(), QueryError> + Send,
) -> Result<(), QueryError> {
    let most = u128::from(rule.weights.most()) * u128::from(text.most_uses());
    // Where pairs count several times, small sums would carry too often.
    if !T::HAS_USES && u32::try_from(most).is_ok() {
        RowCounter::<T, u32>::new(text, rule).for_each(threads, progress, consume)
    } else if u64::try_from(most).is_ok() {
        RowCounter::<T, u64>::new(text, rule).for_each(threads, progress, consume)
    } else {
        RowCounter::<T, u128>::new(text, rule).for_each(threads, progress, consume)
    }
}

/// Counts rows of a text.
struct RowCounter<'t, T, S> {
    text: &'t T,
    places: Places,
    rule: &'t Rule,
    weights: Vec<S>,
}

/// What a thread writes to.
struct RowScratch<S> {
    row: DenseRow<S>,
    /// Copied neighbourhoods, and what is known of their places.
    around: Vec<u32>,
    known: [Place; TOGETHER],
}

impl<'t, T: Text, S: Sum> RowCounter<'t, T, S> {
    fn new(text: &'t T, rule: &'t Rule) -> Self {
        let weights = rule.weights.of_distance.iter().map(|&weight| S::of(weight.into())).collect();
        Self { text, places: Places::of(text, rule.width), rule, weights }
    }

    fn scratch(&self) -> RowScratch<S> {
        let around = vec![0; TOGETHER * stride(self.window())];
        let known = [Place::default(); TOGETHER];
        RowScratch { row: DenseRow::new(self.rule.width), around, known }
    }

    fn window(&self) -> usize {
        self.weights.len()
    }

    /// Adds the pairs of a word to its row.
    fn count(&self, word: usize, scratch: &mut RowScratch<S>) {
        let (window, stride) = (self.window(), stride(self.window()));
        let RowScratch { row, around, known } = scratch;
        let ids = self.text.ids();
        for places in self.places.of_word(word).chunks(TOGETHER) {
            let copies = around.chunks_exact_mut(stride).zip(known.iter_mut());
            for (&place, (copy, known)) in places.iter().zip(copies) {
                let first = place as usize - window;
                let (from, _) = ids[first..first + stride].as_chunks::<GROUP>();
                let (to, _) = copy.as_chunks_mut::<GROUP>();
                to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
                if T::HAS_USES {
                    *known = self.text.place(place as usize);
                }
            }
            let copies = around.chunks_exact(stride).zip(known.iter()).take(places.len());
            for (around, known) in copies {
                let Place { left, right, uses } = if T::HAS_USES { *known } else { Place::ONCE };
                let weigh = |(&id, &weight): (&u32, &S)| match T::HAS_USES {
                    true => (id, weight.times(uses)),
                    false => (id, weight),
                };
                if self.rule.side.has_right() {
                    let ids = &around[window + 1 + right..=2 * window];
                    row.add(ids.iter().zip(&self.weights[right..]).map(weigh));
                }
                if self.rule.side.has_left() {
                    let ids = &around[..window - left];
                    row.add(ids.iter().rev().zip(&self.weights[left..]).map(weigh));
                }
            }
        }
    }

    fn for_each<R: Rows>(
        &self,
        threads: usize,
        progress: &dyn Progress,
        consume: impl FnMut(R) -> Result<(), QueryError> + Send,
    ) -> Result<(), QueryError> {
        let units = self.units();
        let scratches = Mutex::new(Vec::new());
        let work = |unit: usize, outlet: &mut Outlet<'_, '_, R, QueryError>| {
            progress.check()?;
            let scratch = scratches.lock().expect("no holder panics").pop();
            let mut scratch = scratch.unwrap_or_else(|| self.scratch());
            let mut rows = R::default();
            for word in units[unit].clone() {
                self.count(word, &mut scratch);
                rows.push(self.rule, word, &mut scratch.row);
            }
            scratches.lock().expect("no holder panics").push(scratch);
            let _ = outlet.emit(rows);
            Ok(())
        };
        run_in_order(threads, units.len(), work, consume)
    }

    /// Words whose rows are counted together: few enough for threads to share the work evenly and for
    /// their cells to take little memory.
    fn units(&self) -> Vec<Range<usize>> {
        const CELLS: usize = 1 << 17;
        const PAIRS: usize = 1 << 22;
        let mut units = Vec::new();
        let (mut start, mut cells, mut pairs) = (0, 0, 0);
        for word in 0..self.rule.width {
            let own = self.places.of_word(word).len().saturating_mul(2 * self.window());
            pairs += own;
            cells += own.min(self.rule.width);
            if cells >= CELLS || pairs >= PAIRS || word + 1 == self.rule.width {
                units.push(start..word + 1);
                (start, cells, pairs) = (word + 1, 0, 0);
            }
        }
        units
    }
}
