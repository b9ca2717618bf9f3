//! Counts each symbol of a block (thesis, section 2.3.1).
//!
//! As in the thesis, every worker counts its part in its own table, and the tables are added.

use rayon::prelude::*;

/// Symbols that one worker counts; the cost of a table is negligible in comparison.
const PART: usize = 1 << 16;

/// Counts bytes, on the calling thread.
///
/// Four tables take turns: counting a byte that has just been counted would wait for the first
/// count to be stored, and in a last column most bytes repeat the one before.
#[must_use]
pub fn count_bytes(bytes: &[u8]) -> [u32; 256] {
    let mut tables = [[0u32; 256]; 4];
    let (fours, rest) = bytes.as_chunks::<4>();
    for four in fours {
        for (table, &byte) in tables.iter_mut().zip(four) {
            table[usize::from(byte)] += 1;
        }
    }
    for &byte in rest {
        tables[0][usize::from(byte)] += 1;
    }
    let [mut sum, others @ ..] = tables;
    for other in others {
        for (sum, more) in sum.iter_mut().zip(other) {
            *sum += more;
        }
    }
    sum
}

/// Counts symbols below `alphabet`, on all cores.
///
/// # Panics
///
/// If a symbol is not below `alphabet`.
///
/// ```
/// assert_eq!(zgram_bwt::histogram::histogram(&[0, 3, 0], 4), [2, 0, 0, 1]);
/// ```
#[must_use]
pub fn histogram(symbols: &[u16], alphabet: usize) -> Vec<u32> {
    let count = |part: &[u16]| {
        let mut table = vec![0u32; alphabet];
        for &symbol in part {
            table[usize::from(symbol)] += 1;
        }
        table
    };
    let add = |mut sum: Vec<u32>, table: Vec<u32>| {
        for (sum, more) in sum.iter_mut().zip(table) {
            *sum += more;
        }
        sum
    };
    symbols.par_chunks(PART).map(count).reduce(|| vec![0; alphabet], add)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn counts_are_what_a_scan_finds(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let counts = count_bytes(&bytes);
            for symbol in 0..=255u8 {
                let found = bytes.iter().filter(|&&byte| byte == symbol).count();
                prop_assert_eq!(counts[usize::from(symbol)] as usize, found);
            }
        }
    }

    #[test]
    fn parts_are_added_up() {
        let symbols: Vec<u16> = (0..3 * PART + 7).map(|i| (i % 300) as u16).collect();
        let counts = histogram(&symbols, 300);
        assert_eq!(counts.iter().sum::<u32>() as usize, symbols.len());
        assert_eq!(counts[299] as usize, symbols.len() / 300);
        assert_eq!(histogram(&[], 3), [0, 0, 0]);
    }
}
