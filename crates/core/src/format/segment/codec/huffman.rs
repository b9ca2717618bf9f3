//! Huffman codes of at most [`LONGEST`] bits, decoded by one look-up. A code's first bit is the lowest.

use crate::format::bytes::{ByteReader, Malformed, put_varint};

/// Longest code in bits. One bit more saves 0.006 % of a book's root and doubles the tables.
const LONGEST: u32 = 10;

/// Entries of a decoding table: all values of the next [`LONGEST`] bits.
pub(crate) const SLOTS: usize = 1 << LONGEST;

/// The code of one context: the bits of each symbol, and their number plus one.
#[derive(Clone, Debug)]
pub(crate) struct HuffmanCode {
    lengths: Vec<u8>,
    codes: Vec<u16>,
}

impl HuffmanCode {
    /// The shortest code for symbols with these counts.
    pub(crate) fn new(counts: &[u32]) -> Self {
        let lengths = code_lengths(counts);
        let mut codes = vec![0; counts.len()];
        for (symbol, code, _) in canonical(&lengths) {
            codes[symbol] = code;
        }
        Self { lengths, codes }
    }

    /// The length of a symbol's code; `None` if it never occurs.
    pub(crate) fn length(&self, symbol: u8) -> Option<u8> {
        self.lengths.get(usize::from(symbol))?.checked_sub(1)
    }

    /// A symbol's code and its length.
    pub(crate) fn get(&self, symbol: u8) -> (u32, u8) {
        let symbol = usize::from(symbol);
        (u32::from(self.codes[symbol]), self.lengths[symbol] - 1)
    }

    /// Writes the number of symbols without trailing unused ones, then for each symbol one more than
    /// the length of its code, or 0 if it is unused.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        let used = self.lengths.iter().rposition(|&length| length > 0).map_or(0, |last| last + 1);
        put_varint(out, used as u64);
        out.extend_from_slice(&self.lengths[..used]);
    }
}

/// Reads a code that [`HuffmanCode::write`] wrote. Every slot whose bits begin with a symbol's code
/// gets `entry` of the symbol and the length of its code. A context without symbols does not change
/// `slots`.
pub(crate) fn read_code<T: Copy>(
    reader: &mut ByteReader<'_>,
    alphabet: usize,
    slots: &mut [T; SLOTS],
    entry: impl Fn(u8, u8) -> T,
) -> Result<(), Malformed> {
    let used = reader.varint_at_most(alphabet as u64, "alphabet")? as usize;
    let lengths = reader.take(used)?;
    let shares = lengths.iter().map(|&length| match u32::from(length) {
        0 => Some(0),
        length => LONGEST.checked_sub(length - 1).map(|rest| 1 << rest),
    });
    let sum: Option<usize> = shares.sum();
    if used > 0 && sum != Some(SLOTS) {
        return reader.malformed("lengths of codes do not add up");
    }
    for (symbol, code, length) in canonical(lengths) {
        let entry = entry(symbol as u8, length);
        slots[usize::from(code)..].iter_mut().step_by(1 << length).for_each(|slot| *slot = entry);
    }
    Ok(())
}

/// Symbols, codes and their lengths: short codes first, equal lengths by symbol. `lengths` are one
/// more than those of the codes, and the codes must not take more than all slots.
fn canonical(lengths: &[u8]) -> impl Iterator<Item = (usize, u16, u8)> {
    let mut next = 0u16;
    (0..=LONGEST as u8).flat_map(move |length| {
        let symbols = (0..lengths.len()).filter(move |&symbol| lengths[symbol] == length + 1);
        let codes: Vec<_> = symbols
            .map(|symbol| {
                let code = (next << (u16::BITS - LONGEST)).reverse_bits();
                next += 1 << (LONGEST - u32::from(length));
                (symbol, code, length)
            })
            .collect();
        codes
    })
}

/// One more than the length of each symbol's code, 0 for symbols that never occur. By package-merge.
///
/// Reference: L. Larmore, D. Hirschberg, "A fast algorithm for optimal length-limited Huffman
/// codes", Journal of the ACM 37(3), 1990.
fn code_lengths(counts: &[u32]) -> Vec<u8> {
    let mut lengths: Vec<u8> = counts.iter().map(|&count| u8::from(count > 0)).collect();
    let mut leaves: Vec<(u64, Vec<u8>)> = (0u8..=255)
        .zip(counts)
        .filter(|&(_, &count)| count > 0)
        .map(|(symbol, &count)| (u64::from(count), vec![symbol]))
        .collect();
    leaves.sort();
    let mut packages = leaves.clone();
    for _ in 1..LONGEST {
        let pairs = packages
            .chunks_exact(2)
            .map(|pair| (pair[0].0 + pair[1].0, [&pair[0].1[..], &pair[1].1[..]].concat()));
        packages = pairs.chain(leaves.iter().cloned()).collect();
        packages.sort();
    }
    let wanted = (2 * leaves.len()).saturating_sub(2);
    for &symbol in packages.iter().take(wanted).flat_map(|package| &package.1) {
        lengths[usize::from(symbol)] += 1;
    }
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(bytes: &[u8], alphabet: usize) -> Result<[(u8, u8); SLOTS], Malformed> {
        let mut slots = [(0, 0); SLOTS];
        read_code(&mut ByteReader::new(bytes), alphabet, &mut slots, |symbol, len| (symbol, len))?;
        Ok(slots)
    }

    proptest! {
        #[test]
        fn codes_come_back(mut counts in proptest::collection::vec(0u32..1000, 1..130), high in 0usize..130) {
            // One count is so high that other symbols would get codes that are too long.
            if let Some(count) = counts.get_mut(high) {
                *count = u32::MAX;
            }
            let code = HuffmanCode::new(&counts);
            let mut bytes = Vec::new();
            code.write(&mut bytes);
            let slots = read(&bytes, counts.len()).unwrap();
            for symbol in (0..counts.len()).filter(|&symbol| counts[symbol] > 0) {
                let (bits, length) = code.get(symbol as u8);
                let rest = (symbol * 77) << length;
                let slot = (rest | bits as usize) % SLOTS;
                prop_assert_eq!(slots[slot], (symbol as u8, length));
            }
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(0u8..20, 0..40)) {
            let _ = read(&bytes, 32);
        }
    }

    #[test]
    fn lengths_are_the_shortest() {
        assert_eq!(code_lengths(&[0, 0]), [0, 0]);
        assert_eq!(code_lengths(&[0, 9]), [0, 1]);
        assert_eq!(code_lengths(&[5, 2, 1, 1]), [2, 3, 4, 4]);
        let fibonacci: Vec<u32> = (0..30)
            .scan((1, 1), |pair, _| {
                *pair = (pair.1, pair.0 + pair.1);
                Some(pair.0)
            })
            .collect();
        let longest = code_lengths(&fibonacci).into_iter().max();
        assert_eq!(longest, Some(LONGEST as u8 + 1));
    }
}
