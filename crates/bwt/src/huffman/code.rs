//! Codes from lengths, and back from codes to symbols.
//!
//! Codes are canonical: numbered in order of length, then symbol. So a reader needs only the lengths.

use crate::bits::BitReader;

/// The longest code that is read.
pub const LONGEST: usize = 20;
/// Bits decoded by one look into a table; longer codes are rare.
const QUICK: u32 = 10;

/// The code of each symbol, in the lowest bits: canonical, by length and then by symbol.
///
/// # Panics
///
/// If a length is above [`LONGEST`].
///
/// ```
/// assert_eq!(zgram_bwt::huffman::codes(&[1, 3, 3, 2]), [0b0, 0b110, 0b111, 0b10]);
/// ```
#[must_use]
pub fn codes(lengths: &[u8]) -> Vec<u32> {
    let mut next = first_codes(&count_lengths(lengths));
    lengths
        .iter()
        .map(|&length| {
            let code = next[usize::from(length)];
            next[usize::from(length)] += 1;
            code
        })
        .collect()
}

fn count_lengths(lengths: &[u8]) -> [u32; LONGEST + 1] {
    let mut counts = [0; LONGEST + 1];
    for &length in lengths {
        counts[usize::from(length)] += 1;
    }
    counts
}

/// The first code of each length.
fn first_codes(counts: &[u32; LONGEST + 1]) -> [u32; LONGEST + 1] {
    let mut code = 0;
    let mut first = [0; LONGEST + 1];
    for length in 1..=LONGEST {
        code = (code + counts[length - 1]) << 1;
        first[length] = code;
    }
    first
}

/// Codes by their lengths: what bits are matched against.
///
/// Lengths need not form a complete code. Bits are matched against shorter codes first, and bits that
/// match no code are not an error here. bzip2 does the same, so both accept the same files.
#[derive(Clone, Debug)]
pub struct CodeTable {
    /// The least value of the next [`LONGEST`] bits that does not match a code of this length.
    pub limit: [u32; LONGEST + 1],
    /// The first code of this length.
    pub first: [u32; LONGEST + 1],
    /// How many symbols have shorter codes.
    pub shorter: [u32; LONGEST + 1],
    /// Symbols in the order of their codes.
    pub symbols: Vec<u16>,
}

impl CodeTable {
    /// Codes of these lengths, 1 to [`LONGEST`].
    #[must_use]
    pub fn new(lengths: &[u8]) -> Self {
        debug_assert!(lengths.iter().all(|&length| (1..=LONGEST).contains(&usize::from(length))));
        let counts = count_lengths(lengths);
        let first = first_codes(&counts);
        let (mut limit, mut shorter) = ([0; LONGEST + 1], [0; LONGEST + 1]);
        for length in 1..=LONGEST {
            shorter[length] = shorter[length - 1] + counts[length - 1];
            limit[length] = (first[length] + counts[length]) << (LONGEST - length);
        }
        let mut symbols: Vec<u16> = (0..lengths.len() as u16).collect();
        symbols.sort_by_key(|&symbol| lengths[usize::from(symbol)]);
        Self { limit, first, shorter, symbols }
    }

    /// The symbol that the next [`LONGEST`] bits begin with, and the length of its code.
    #[must_use]
    pub fn find(&self, ahead: u32) -> Option<(u16, usize)> {
        let length = (1..=LONGEST).find(|&length| ahead < self.limit[length])?;
        Some((self.symbol(ahead >> (LONGEST - length), length)?, length))
    }

    fn symbol(&self, code: u32, length: usize) -> Option<u16> {
        let rank = code.checked_sub(self.first[length])? + self.shorter[length];
        self.symbols.get(rank as usize).copied()
    }

    fn has(&self, length: usize) -> bool {
        let end = self.shorter.get(length + 1).map_or(self.symbols.len(), |&end| end as usize);
        end > self.shorter[length] as usize
    }
}

/// Decodes symbols by table lookup.
#[derive(Debug)]
pub(crate) struct Decoder<'t> {
    /// For the next [`QUICK`] bits: symbol × 32 + length of its code; 0 where the code is longer or
    /// there is none.
    quick: Vec<u16>,
    table: &'t CodeTable,
}

impl<'t> Decoder<'t> {
    /// A decoder for codes of at most 2¹¹ symbols.
    pub(crate) fn new(table: &'t CodeTable) -> Self {
        debug_assert!(table.symbols.len() <= 1 << 11);
        let mut decoder = Self { quick: vec![0; 1 << QUICK], table };
        decoder.fill_quick();
        decoder
    }

    fn fill_quick(&mut self) {
        let mut filled = 0;
        for length in (1..=QUICK as usize).filter(|&length| self.table.has(length)) {
            let end = (self.table.limit[length] >> (LONGEST - QUICK as usize)).min(1 << QUICK);
            for value in filled..end {
                let code = value >> (QUICK as usize - length);
                self.quick[value as usize] = match self.table.symbol(code, length) {
                    Some(symbol) => symbol << 5 | length as u16,
                    None => 0,
                };
            }
            filled = filled.max(end);
        }
    }

    /// Decodes a symbol, whose bits must be [ready](BitReader::refill). `None` if no code matches.
    #[inline]
    pub(crate) fn decode(&self, bits: &mut BitReader<'_>) -> Option<u16> {
        let entry = self.quick[(bits.ahead() >> (64 - QUICK)) as usize];
        if entry != 0 {
            bits.skip(u32::from(entry & 31));
            return Some(entry >> 5);
        }
        self.decode_long(bits)
    }

    #[cold]
    fn decode_long(&self, bits: &mut BitReader<'_>) -> Option<u16> {
        let ahead = (bits.ahead() >> (64 - LONGEST)) as u32;
        let (symbol, length) = self.table.find(ahead)?;
        bits.skip(length as u32);
        Some(symbol)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::BitWriter;
    use crate::huffman::code_lengths;
    use proptest::prelude::*;

    /// Matches bits against codes one length after the other, as bzip2 does.
    fn by_definition(lengths: &[u8], ahead: u32) -> Option<(u16, usize)> {
        let counts = count_lengths(lengths);
        let first = first_codes(&counts);
        let mut sorted: Vec<usize> = (0..lengths.len()).collect();
        sorted.sort_by_key(|&symbol| lengths[symbol]);
        let mut shorter = 0;
        for length in 1..=LONGEST {
            let code = ahead >> (LONGEST - length);
            if code < first[length] + counts[length] {
                let rank = code.checked_sub(first[length])? + shorter;
                return Some((*sorted.get(rank as usize)? as u16, length));
            }
            shorter += counts[length];
        }
        None
    }

    proptest! {
        #[test]
        fn symbols_come_back(counts in proptest::collection::vec(any::<u32>(), 2..258)) {
            let lengths = code_lengths(&counts, LONGEST as u8);
            let mut writer = BitWriter::default();
            for (&code, &length) in codes(&lengths).iter().zip(&lengths) {
                writer.put(code, length.into());
            }
            let bytes = writer.finish();
            let table = CodeTable::new(&lengths);
            let decoder = Decoder::new(&table);
            let mut bits = BitReader::at(&bytes, 0);
            for symbol in 0..counts.len() as u16 {
                bits.refill();
                prop_assert_eq!(decoder.decode(&mut bits), Some(symbol));
            }
        }

        #[test]
        fn bad_codes_are_read_as_bzip2_reads_them(
            lengths in proptest::collection::vec(1u8..=20, 3..258), ahead in 0u32..1 << LONGEST,
        ) {
            let mut writer = BitWriter::default();
            writer.put(ahead, LONGEST as u32);
            let bytes = writer.finish();
            let mut bits = BitReader::at(&bytes, 0);
            bits.refill();
            let expected = by_definition(&lengths, ahead);
            let table = CodeTable::new(&lengths);
            prop_assert_eq!(table.find(ahead), expected);
            let found = Decoder::new(&table).decode(&mut bits);
            prop_assert_eq!(found, expected.map(|found| found.0));
            if let Some((_, length)) = expected {
                prop_assert_eq!(bits.position(), length as u64);
            }
        }
    }
}
