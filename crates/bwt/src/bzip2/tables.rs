//! Which codes a block is written in: 2 to 6 tables, and one of them for each group of 50 symbols.
//!
//! Tables begin as guesses, each good for a range of symbols of about equal frequency. Then each
//! group takes the table that codes it shortest, and each table is rebuilt from the groups that
//! took it. This happens four times, as in bzip2.

use crate::bits::LONGEST_WORD;
use crate::huffman::code_lengths;

/// Symbols in a group.
pub(crate) const GROUP: usize = 50;
/// The most tables of a block.
pub(crate) const MAX_TABLES: usize = 6;
/// The most symbols of an alphabet: 256 bytes less the front one, two digits of runs, the end.
pub(crate) const MAX_ALPHABET: usize = 258;
/// Bits per symbol.
const SYMBOL_BITS: u32 = 9;
/// The longest code that is written. Readers take 20 bits; bzip2 writes 17.
const LONGEST: u8 = 17;
const _: () = assert!(LONGEST as u32 <= LONGEST_WORD);
const ROUNDS: usize = 4;

/// Lengths of all tables for one symbol, four to a number, so that two additions take all tables. A
/// group's bits stay below 2¹⁶.
type Costs = [u64; 2];

/// The cost of one table.
fn cost(costs: Costs, table: usize) -> u64 {
    costs[table / 4] >> (table % 4 * 16) & 0xffff
}

/// The codes of a block.
#[derive(Debug)]
pub(crate) struct Tables {
    /// Code lengths of each table.
    pub(crate) lengths: Vec<Vec<u8>>,
    /// The table of each group.
    pub(crate) selectors: Vec<u8>,
    /// The total length of all symbols' codes.
    pub(crate) bits: u64,
}

impl Tables {
    /// Chooses codes for symbols with these counts.
    pub(crate) fn choose(symbols: &[u16], counts: &[u32]) -> Self {
        let tables = match symbols.len() {
            0..200 => 2,
            200..600 => 3,
            600..1200 => 4,
            1200..2400 => 5,
            _ => MAX_TABLES,
        };
        let mut lengths = guesses(counts, symbols.len(), tables);
        let mut selectors = vec![0; symbols.len().div_ceil(GROUP)];
        let mut taken = [[0; MAX_ALPHABET]; MAX_TABLES];
        for round in 0..ROUNDS {
            let costs = costs(&lengths);
            for (group, selector) in symbols.chunks(GROUP).zip(&mut selectors) {
                let best = cheapest(group, &costs, tables);
                let before = usize::from(*selector);
                // After the first round most groups stay with their table.
                if round > 0 && best == before {
                    continue;
                }
                *selector = best as u8;
                for &symbol in group {
                    taken[best][usize::from(symbol)] += 1;
                }
                if round > 0 {
                    for &symbol in group {
                        taken[before][usize::from(symbol)] -= 1;
                    }
                }
            }
            let of_table =
                |taken: &[u32; MAX_ALPHABET]| code_lengths(&taken[..counts.len()], LONGEST);
            lengths = taken[..tables].iter().map(of_table).collect();
        }
        let of_table = |(taken, lengths): (&[u32; MAX_ALPHABET], &Vec<u8>)| {
            taken
                .iter()
                .zip(lengths)
                .map(|(&n, &length)| u64::from(n) * u64::from(length))
                .sum::<u64>()
        };
        let bits = taken.iter().zip(&lengths).map(of_table).sum();
        Self { lengths, selectors, bits }
    }
}

/// Tables that each prefer one range of symbols; all ranges are about equally frequent. They are costs,
/// not codes: low inside the range, high outside.
fn guesses(counts: &[u32], total: usize, tables: usize) -> Vec<Vec<u8>> {
    let mut left = total as u32;
    let mut start = 0;
    let mut guesses = Vec::with_capacity(tables);
    for table in 0..tables {
        let share = left / (tables - table) as u32;
        let mut end = start;
        let mut sum = 0;
        while sum < share && end < counts.len() {
            sum += counts[end];
            end += 1;
        }
        // Every other range gives back the symbol that exceeded its share, so that errors do not
        // add up.
        if end > start + 1 && table != 0 && table + 1 != tables && table % 2 == 1 {
            end -= 1;
            sum -= counts[end];
        }
        guesses.push(
            (0..counts.len()).map(|s| if (start..end).contains(&s) { 0 } else { 15 }).collect(),
        );
        start = end;
        left -= sum;
    }
    guesses
}

/// The lengths by symbol instead of by table. There are entries for all numbers of [`SYMBOL_BITS`], so
/// that no lookup needs a bounds check.
fn costs(lengths: &[Vec<u8>]) -> [Costs; 1 << SYMBOL_BITS] {
    let mut costs = [Costs::default(); 1 << SYMBOL_BITS];
    for (table, lengths) in lengths.iter().enumerate() {
        for (costs, &length) in costs.iter_mut().zip(lengths) {
            costs[table / 4] |= u64::from(length) << (table % 4 * 16);
        }
    }
    costs
}

/// The table that codes a group in the fewest bits.
fn cheapest(group: &[u16], costs: &[Costs; 1 << SYMBOL_BITS], tables: usize) -> usize {
    let mut bits = Costs::default();
    let mut add = |symbol: u16| {
        let [first, second] = costs[usize::from(symbol) % costs.len()];
        bits[0] += first;
        bits[1] += second;
    };
    match group.first_chunk::<GROUP>() {
        // All groups but the last: their number of steps is known at compile time.
        Some(whole) => whole.iter().for_each(|&symbol| add(symbol)),
        None => group.iter().for_each(|&symbol| add(symbol)),
    }
    (0..tables).min_by_key(|&table| cost(bits, table)).expect("a block has tables")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(symbols: &[u16]) -> Tables {
        let alphabet = usize::from(*symbols.iter().max().unwrap()) + 1;
        let counts = crate::histogram::histogram(symbols, alphabet);
        Tables::choose(symbols, &counts)
    }

    #[test]
    fn the_number_of_tables_follows_the_number_of_symbols() {
        for (symbols, tables) in [(1, 2), (199, 2), (200, 3), (600, 4), (1200, 5), (2400, 6)] {
            let symbols: Vec<u16> = (0..symbols).map(|i| i % 5).collect();
            let chosen = chosen(&symbols);
            assert_eq!(chosen.lengths.len(), tables);
            assert_eq!(chosen.selectors.len(), symbols.len().div_ceil(GROUP));
            assert!(chosen.selectors.iter().all(|&table| usize::from(table) < tables));
        }
    }

    #[test]
    fn groups_that_differ_take_different_tables() {
        let symbols: Vec<u16> =
            (0..200u16).flat_map(|group| (0..50).map(move |i| group % 2 * 4 + i % 4)).collect();
        let chosen = chosen(&symbols);
        let bits = |group: usize, table: u8| -> u32 {
            let lengths = &chosen.lengths[usize::from(table)];
            symbols[group * 50..][..50].iter().map(|&s| u32::from(lengths[usize::from(s)])).sum()
        };
        assert_ne!(chosen.selectors[0], chosen.selectors[1]);
        assert!((0..200).all(|group| bits(group, chosen.selectors[group]) <= 130));
    }
}
