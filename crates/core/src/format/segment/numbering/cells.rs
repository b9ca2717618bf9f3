//! Cuts a number into a cell and plain bits, like a floating-point number.
//!
//! The *cell* is the leading one and the `M` bits after it, and is entropy-coded. The bits below it are
//! stored plainly. There are `1 << M` cells per octave. Places in a column are ordered by frequency, so
//! the symbols of a cell are about equally frequent, and plain bits lose next to nothing.

/// Four cells per octave.
pub(crate) const COARSE: u32 = 2;

/// Eight cells per octave: on books they save 0.05 % of a root.
pub(crate) const FINE: u32 = 3;

/// Number of cells.
pub(crate) const fn cells(m: u32) -> usize {
    (33 - m as usize) << m
}

/// The cell of a place.
pub(crate) fn cell_of<const M: u32>(place: u32) -> u8 {
    if place < 1 << M {
        return place as u8;
    }
    let shift = place.ilog2() - M;
    ((shift + 1) << M | (place >> shift & ((1 << M) - 1))) as u8
}

/// The first place of a cell, and the number of plain bits that follow it. A value that is not a cell
/// gives the largest number.
pub(crate) const fn cell_start<const M: u32>(cell: u8) -> (u32, u8) {
    if (cell as u32) < 1 << M {
        return (cell as u32, 0);
    }
    let shift = (cell >> M) - 1;
    let mantissa = 1 << M | (cell as u32 & ((1 << M) - 1));
    if (cell as usize) < cells(M) { (mantissa << shift, shift) } else { (u32::MAX, 0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every_place_lies_in_its_cell<const M: u32>() {
        let edges = (0..32).flat_map(|bit| [1u32 << bit, (1u32 << bit).wrapping_sub(1)]);
        for place in (0..10_000).chain(edges).chain([u32::MAX]) {
            let cell = cell_of::<M>(place);
            assert!((cell as usize) < cells(M));
            let (start, bits) = cell_start::<M>(cell);
            assert!(start <= place && u64::from(place) < u64::from(start) + (1 << bits), "{place}");
        }
    }

    #[test]
    fn places_lie_in_their_cells() {
        every_place_lies_in_its_cell::<COARSE>();
        every_place_lies_in_its_cell::<FINE>();
    }
}
