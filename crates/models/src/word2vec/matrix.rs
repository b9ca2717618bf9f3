//! The two layers of weights: a row per word or inner node.

use super::lanes::{Lane, WIDTH};
use crate::random::Random;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// A layer: rows of whole lanes.
#[derive(Clone, Debug)]
pub(super) struct Matrix {
    lanes: Vec<Lane>,
    /// Lanes per row.
    stride: usize,
    /// Numbers per row, without those that fill the last lane.
    size: usize,
}

/// Access to the rows of a layer, by one thread alone or by several.
pub(super) trait Rows {
    /// A row to be read.
    type Read<'r>: Deref<Target = [Lane]>
    where
        Self: 'r;
    /// A row to be changed.
    type Change<'r>: DerefMut<Target = [Lane]>
    where
        Self: 'r;

    fn read(&mut self, number: u32) -> Self::Read<'_>;
    fn change(&mut self, number: u32) -> Self::Change<'_>;
    /// Loads a row into the cache, for a step that comes soon.
    fn touch(&self, number: u32);
}

impl Matrix {
    /// Rows of zeros; `None` if memory does not suffice.
    pub(super) fn zeros(rows: usize, size: usize) -> Option<Self> {
        let stride = size.div_ceil(WIDTH);
        let len = rows.checked_mul(stride)?;
        let mut lanes = Vec::new();
        lanes.try_reserve_exact(len).ok()?;
        lanes.resize(len, Lane::default());
        Some(Self { lanes, stride, size })
    }

    /// Fills rows with numbers between ±1 / (2 `size`), as word2vec.c begins.
    pub(super) fn randomize(&mut self, seed: u64) {
        let size = self.size;
        for (row, stream) in self.lanes.chunks_exact_mut(self.stride).zip(0..) {
            let mut random = Random::new(seed, stream);
            let numbers = row.iter_mut().flat_map(|lane| &mut lane.0).take(size);
            numbers.for_each(|number| *number = (random.unit() - 0.5) / size as f32);
        }
    }

    /// Numbers per row.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// The numbers of all rows, without those that fill lanes.
    pub(super) fn numbers(&self) -> impl Iterator<Item = f32> {
        let rows = self.lanes.chunks_exact(self.stride);
        rows.flat_map(|row| row.iter().flat_map(|lane| lane.0).take(self.size))
    }

    /// Rows for one thread.
    pub(super) fn alone(&mut self) -> OwnRows<'_> {
        OwnRows { lanes: &mut self.lanes, stride: self.stride }
    }

    /// Rows for several threads.
    pub(super) fn shared(&mut self) -> SharedLayer {
        let pairs = self.lanes.iter().flat_map(|lane| lane.0.as_chunks::<2>().0);
        let cells = pairs.map(|&pair| AtomicU64::new(bits(pair))).collect();
        SharedLayer { cells, stride: self.stride }
    }

    /// Takes over what threads have made of the rows.
    pub(super) fn take(&mut self, layer: SharedLayer) {
        let (cells, _) = layer.cells.as_chunks::<CELLS>();
        for (lane, cells) in self.lanes.iter_mut().zip(cells) {
            load(lane, cells);
        }
    }
}

/// The rows of a layer for one thread.
pub(super) struct OwnRows<'m> {
    lanes: &'m mut [Lane],
    stride: usize,
}

impl Rows for OwnRows<'_> {
    type Read<'r>
        = &'r [Lane]
    where
        Self: 'r;
    type Change<'r>
        = &'r mut [Lane]
    where
        Self: 'r;

    #[inline(always)]
    fn read(&mut self, number: u32) -> &[Lane] {
        &self.lanes[number as usize * self.stride..][..self.stride]
    }

    #[inline(always)]
    fn change(&mut self, number: u32) -> &mut [Lane] {
        &mut self.lanes[number as usize * self.stride..][..self.stride]
    }

    #[inline(always)]
    fn touch(&self, number: u32) {
        let row = &self.lanes[number as usize * self.stride..][..self.stride];
        // Two lanes are a line of the cache.
        let sum: f32 = row.iter().step_by(2).map(|lane| lane.0[0]).sum();
        std::hint::black_box(sum);
    }
}

/// A layer that several threads change at the same time: two numbers per cell.
///
/// A thread copies a row, changes the copy and writes it back. What another thread has written in between
/// is lost, cell by cell. That is Hogwild (Niu and others 2011), which converges because few rows are in
/// use at the same time; but here no access is a data race.
pub(super) struct SharedLayer {
    cells: Vec<AtomicU64>,
    /// Lanes per row.
    stride: usize,
}

/// Cells per lane.
const CELLS: usize = WIDTH / 2;

#[inline(always)]
fn bits([low, high]: [f32; 2]) -> u64 {
    u64::from(low.to_bits()) | u64::from(high.to_bits()) << 32
}

#[inline(always)]
fn load(lane: &mut Lane, cells: &[AtomicU64; CELLS]) {
    for (pair, cell) in lane.0.as_chunks_mut::<2>().0.iter_mut().zip(cells) {
        let bits = cell.load(Relaxed);
        *pair = [f32::from_bits(bits as u32), f32::from_bits((bits >> 32) as u32)];
    }
}

#[inline(always)]
fn store(lane: &Lane, cells: &[AtomicU64; CELLS]) {
    for (&pair, cell) in lane.0.as_chunks::<2>().0.iter().zip(cells) {
        cell.store(bits(pair), Relaxed);
    }
}

impl SharedLayer {
    /// Rows for one of the threads.
    pub(super) fn rows(&self) -> SharedRows<'_> {
        let (cells, _) = self.cells.as_chunks::<CELLS>();
        SharedRows { cells, copy: vec![Lane::default(); self.stride] }
    }
}

/// The rows of a shared layer for one of the threads.
pub(super) struct SharedRows<'l> {
    cells: &'l [[AtomicU64; CELLS]],
    /// The row in use.
    copy: Vec<Lane>,
}

impl<'l> SharedRows<'l> {
    #[inline(always)]
    fn cells(&self, number: u32) -> &'l [[AtomicU64; CELLS]] {
        &self.cells[number as usize * self.copy.len()..][..self.copy.len()]
    }

    #[inline(always)]
    fn copy(&mut self, number: u32) -> &'l [[AtomicU64; CELLS]] {
        let cells = self.cells(number);
        self.copy.iter_mut().zip(cells).for_each(|(lane, cells)| load(lane, cells));
        cells
    }
}

/// A copy of a row, written back when it is dropped.
pub(super) struct Copied<'r, 'l> {
    copy: &'r mut [Lane],
    cells: &'l [[AtomicU64; CELLS]],
}

impl Deref for Copied<'_, '_> {
    type Target = [Lane];

    #[inline(always)]
    fn deref(&self) -> &[Lane] {
        self.copy
    }
}

impl DerefMut for Copied<'_, '_> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [Lane] {
        self.copy
    }
}

impl Drop for Copied<'_, '_> {
    #[inline(always)]
    fn drop(&mut self) {
        self.copy.iter().zip(self.cells).for_each(|(lane, cells)| store(lane, cells));
    }
}

impl<'l> Rows for SharedRows<'l> {
    type Read<'r>
        = &'r [Lane]
    where
        Self: 'r;
    type Change<'r>
        = Copied<'r, 'l>
    where
        Self: 'r;

    #[inline(always)]
    fn read(&mut self, number: u32) -> &[Lane] {
        self.copy(number);
        &self.copy
    }

    #[inline(always)]
    fn change(&mut self, number: u32) -> Copied<'_, 'l> {
        let cells = self.copy(number);
        Copied { copy: &mut self.copy, cells }
    }

    #[inline(always)]
    fn touch(&self, number: u32) {
        let cells = self.cells(number).iter().step_by(2);
        std::hint::black_box(cells.fold(0, |sum, cells| sum ^ cells[0].load(Relaxed)));
    }
}
