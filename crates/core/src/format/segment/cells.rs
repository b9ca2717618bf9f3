//! Ranks within a column as a short prefix and plain bits, like floating-point numbers.
//!
//! A place is cut into its leading one with two bits after it (the *cell*, entropy-coded) and the
//! bits below (written plainly): four cells an octave. Places are ordered by frequency, so the
//! symbols of a cell are about equally frequent and plain bits lose next to nothing.

/// One more than the largest cell.
pub(crate) const CELLS: usize = 128;

/// The cell of a place.
pub(crate) fn cell_of(place: u32) -> u8 {
    if place < 4 {
        return place as u8;
    }
    let shift = place.ilog2() - 2;
    (4 + shift * 4 + (place >> shift & 3)) as u8
}

/// The first place of a cell, and how many plain bits follow it.
pub(crate) const fn cell_start(cell: u8) -> (u32, u8) {
    if cell < 4 {
        return (cell as u32, 0);
    }
    let shift = (cell - 4) / 4;
    let mantissa = 4 + (cell as u32 % 4);
    if shift > 29 { (u32::MAX, 0) } else { (mantissa << shift, shift) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_lies_in_its_cell() {
        let edges = (0..32).flat_map(|bit| [1u32 << bit, (1u32 << bit).wrapping_sub(1)]);
        for place in (0..10_000).chain(edges).chain([u32::MAX]) {
            let cell = cell_of(place);
            assert!((cell as usize) < CELLS);
            let (start, bits) = cell_start(cell);
            assert!(start <= place && u64::from(place) < u64::from(start) + (1 << bits), "{place}");
        }
    }
}
