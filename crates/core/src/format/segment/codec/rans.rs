//! Range asymmetric numeral systems (rANS) and plain bits, in eight lanes.
//!
//! All statistics are static and stored before the lanes, with a precision of 11 bits. See
//! [`lanes`](super::lanes) for why there are eight.
//!
//! Reference: J. Duda, "Asymmetric numeral systems", arXiv 1311.2540; the interleaving is
//! F. Giesen's, arXiv 1402.3392.

use super::bits::{BitWriter, last_window};
use super::lanes::{LANES, warm};
use crate::format::bytes::{ByteReader, Malformed, put_varint};
use crate::format::layer::{Layer, put_stream, take_stream};

/// Frequencies of a context add up to `1 << PRECISION`.
const PRECISION: u32 = 11;
const TOTAL: u32 = 1 << PRECISION;

/// A lane's state stays at or above this, and below 2^32.
const LOWER_BOUND: u32 = 1 << 16;

/// Contexts and alphabet of one table of statistics.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TableShape {
    pub(crate) contexts: usize,
    pub(crate) alphabet: usize,
}

/// The content of a lane, in order: coded symbols and plain bits.
#[derive(Debug, Default)]
pub(crate) struct Script {
    /// Table in the top byte, context in the middle, symbol in the low byte.
    coded: Vec<u32>,
    plain: BitWriter,
}

impl Script {
    pub(crate) fn push(&mut self, table: usize, context: usize, symbol: u8) {
        debug_assert!(table < 256 && context < 1 << 16);
        self.coded.push((table as u32) << 24 | (context as u32) << 8 | u32::from(symbol));
    }

    pub(crate) fn push_plain(&mut self, value: u32, bits: u8) {
        self.plain.push(value, bits);
    }
}

/// Writes the statistics and all lanes.
pub(crate) fn encode(out: &mut Vec<u8>, shapes: &[TableShape], scripts: Vec<Script>, layer: Layer) {
    assert_eq!(scripts.len(), LANES);
    let tables = EncodeTables::from_scripts(shapes, &scripts);
    let mut statistics = Vec::new();
    tables.write(&mut statistics);
    put_stream(out, layer, &statistics);
    for script in scripts {
        let words = tables.encode(&script.coded);
        put_varint(out, words.len() as u64);
        words.iter().for_each(|word| out.extend_from_slice(&word.to_le_bytes()));
        let plain = script.plain.finish();
        put_varint(out, plain.len() as u64);
        out.extend_from_slice(&plain);
    }
}

/// Frequencies per table, context and symbol; each context adds up to [`TOTAL`] or is all zero.
struct EncodeTables {
    shapes: Vec<TableShape>,
    /// Per table: `(start, frequency)` at `context * alphabet + symbol`.
    slots: Vec<Vec<(u32, u32)>>,
}

impl EncodeTables {
    fn from_scripts(shapes: &[TableShape], scripts: &[Script]) -> Self {
        let mut counts: Vec<Vec<u32>> =
            shapes.iter().map(|shape| vec![0; shape.contexts * shape.alphabet]).collect();
        for &op in scripts.iter().flat_map(|script| &script.coded) {
            let (table, context, symbol) = unpack(op);
            counts[table][context * shapes[table].alphabet + symbol] += 1;
        }
        let slots = counts
            .iter()
            .zip(shapes)
            .map(|(counts, shape)| {
                counts
                    .chunks(shape.alphabet)
                    .flat_map(|context| cumulate(&normalise(context)))
                    .collect()
            })
            .collect();
        Self { shapes: shapes.to_vec(), slots }
    }

    /// Per context: the number of symbols, then frequencies, trailing zeros left out.
    fn write(&self, out: &mut Vec<u8>) {
        for (slots, shape) in self.slots.iter().zip(&self.shapes) {
            for context in slots.chunks(shape.alphabet) {
                let used = context.iter().rposition(|slot| slot.1 > 0).map_or(0, |last| last + 1);
                put_varint(out, used as u64);
                context[..used].iter().for_each(|slot| put_varint(out, u64::from(slot.1)));
            }
        }
    }

    /// A lane's words, in the order in which a decoder reads them.
    fn encode(&self, coded: &[u32]) -> Vec<u16> {
        let mut words = Vec::with_capacity(coded.len() / 2 + 2);
        let mut state = LOWER_BOUND;
        for &op in coded.iter().rev() {
            let (table, context, symbol) = unpack(op);
            let (start, frequency) =
                self.slots[table][context * self.shapes[table].alphabet + symbol];
            let limit = u64::from(frequency) << (32 - PRECISION);
            if u64::from(state) >= limit {
                words.push(state as u16);
                state >>= 16;
            }
            state = (state / frequency) << PRECISION | (start + state % frequency);
        }
        words.push(state as u16);
        words.push((state >> 16) as u16);
        words.reverse();
        words
    }
}

fn unpack(op: u32) -> (usize, usize, usize) {
    ((op >> 24) as usize, (op >> 8 & 0xFFFF) as usize, (op & 0xFF) as usize)
}

/// Scales counts so that they add up to [`TOTAL`] and no symbol that occurs gets zero.
fn normalise(counts: &[u32]) -> Vec<u32> {
    let sum: u64 = counts.iter().map(|&count| u64::from(count)).sum();
    if sum == 0 {
        return vec![0; counts.len()];
    }
    let mut scaled: Vec<u32> = counts
        .iter()
        .map(|&count| match count {
            0 => 0,
            _ => ((u64::from(count) * u64::from(TOTAL) + sum / 2) / sum).max(1) as u32,
        })
        .collect();
    // Correct the sum where it changes the cost least: at the largest frequencies.
    loop {
        let total: u32 = scaled.iter().sum();
        let most = (0..scaled.len()).max_by_key(|&at| scaled[at]).expect("a symbol occurs");
        match total.cmp(&TOTAL) {
            std::cmp::Ordering::Equal => return scaled,
            std::cmp::Ordering::Less => scaled[most] += TOTAL - total,
            std::cmp::Ordering::Greater => {
                scaled[most] -= (total - TOTAL).min(scaled[most].div_ceil(4)).max(1);
            }
        }
    }
}

fn cumulate(frequencies: &[u32]) -> impl Iterator<Item = (u32, u32)> + use<> {
    let mut start = 0;
    let slots: Vec<_> = frequencies
        .iter()
        .map(|&frequency| {
            let slot = (start, frequency);
            start += frequency;
            slot
        })
        .collect();
    slots.into_iter()
}

/// One table for decoding: for each context and slot the symbol (low byte), its frequency (12 bits)
/// and the slot's distance from the symbol's first slot (12 bits).
#[derive(Debug)]
pub(crate) struct DecodeTable {
    contexts: Vec<[u32; TOTAL as usize]>,
}

/// Lanes being decoded, and their tables.
#[derive(Debug)]
pub(crate) struct RansDecoder<'a> {
    pub(crate) lanes: [Lane; LANES],
    pub(crate) tables: Vec<DecodeTable>,
    /// The bytes of all lanes.
    pub(crate) bytes: &'a [u8],
}

/// A lane being decoded. It holds only integers that index into the decoder's bytes, so its state
/// fits in registers or in the nearest cache.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lane {
    state: u32,
    /// Offsets of the next word and of the end of words.
    word: u32,
    words_end: u32,
    /// Offsets of the next plain bit and of the end of plain bits.
    bit: u64,
    bits_end: u64,
}

impl<'a> RansDecoder<'a> {
    /// Reads what [`encode`] wrote with the same shapes. Nothing may follow it in `reader`.
    pub(crate) fn new(
        reader: &mut ByteReader<'a>,
        shapes: &[TableShape],
    ) -> Result<Self, Malformed> {
        let at = reader.offset();
        let statistics = take_stream(reader)?;
        let mut numbers = ByteReader::new(&statistics);
        let mut tables = Vec::with_capacity(shapes.len());
        for shape in shapes {
            let table = DecodeTable::read(&mut numbers, *shape)
                .map_err(|error| Malformed::at(at, format!("statistics: {error}")))?;
            tables.push(table);
        }
        numbers.expect_end().map_err(|error| Malformed::at(at, format!("statistics: {error}")))?;
        let bytes = reader.rest();
        let start = reader.offset();
        if bytes.len() > (u32::MAX - 16) as usize {
            return reader.malformed("lanes of more than 4 GiB");
        }
        let mut lanes = [Lane::default(); LANES];
        for lane in &mut lanes {
            let words_len = reader.varint()?.saturating_mul(2);
            let word = reader.offset() - start;
            let words = reader.take(usize::try_from(words_len).unwrap_or(usize::MAX))?;
            let plain_len = reader.varint()?;
            let plain = reader.offset() - start;
            reader.take(usize::try_from(plain_len).unwrap_or(usize::MAX))?;
            let Some(&[b0, b1, b2, b3]) = words.first_chunk::<4>() else {
                return reader.malformed("a lane without a state");
            };
            let state = u32::from_le_bytes([b2, b3, b0, b1]);
            if state < LOWER_BOUND {
                return reader.malformed("a lane's state is too small");
            }
            *lane = Lane {
                state,
                word: word as u32 + 4,
                words_end: (word + words.len()) as u32,
                bit: plain as u64 * 8,
                bits_end: (plain as u64 + plain_len) * 8,
            };
        }
        Ok(Self { lanes, tables, bytes })
    }

    /// Whether every lane has been decoded to its end without damage. Until then a damaged lane
    /// yields symbols, perhaps from the bytes of the next lane, but only symbols of the tables.
    pub(crate) fn is_complete(&self) -> bool {
        self.lanes.iter().all(|lane| {
            lane.state == LOWER_BOUND
                && lane.word == lane.words_end
                && lane.bit.next_multiple_of(8) == lane.bits_end
        })
    }
}

impl DecodeTable {
    fn read(numbers: &mut ByteReader<'_>, shape: TableShape) -> Result<Self, Malformed> {
        let mut contexts = Vec::with_capacity(shape.contexts);
        for _ in 0..shape.contexts {
            let used = numbers.varint_at_most(shape.alphabet as u64, "alphabet")?;
            // A context that never occurs has no symbols. A damaged lane that gets there decodes symbol 0.
            let mut slots: [u32; TOTAL as usize] =
                std::array::from_fn(|offset| TOTAL << 8 | (offset as u32) << 20);
            let mut start = 0;
            for symbol in 0..used as u32 {
                let left = u64::from(TOTAL) - start as u64;
                let frequency = numbers.varint_at_most(left, "frequency")? as u32;
                let end = start + frequency as usize;
                for (slot, offset) in slots[start..end].iter_mut().zip(0..) {
                    *slot = symbol | frequency << 8 | offset << 20;
                }
                start = end;
            }
            if used > 0 && start != TOTAL as usize {
                return numbers.malformed("frequencies do not add up");
            }
            contexts.push(slots);
        }
        Ok(Self { contexts })
    }
}

impl Lane {
    /// Fetches the next `len` bytes of words and of plain bits.
    pub(crate) fn warm(&self, bytes: &[u8], len: usize) {
        warm(bytes, self.word as usize, len);
        warm(bytes, (self.bit >> 3) as usize, len);
    }

    /// The next coded symbol.
    #[inline(always)]
    pub(crate) fn symbol(&mut self, bytes: &[u8], table: &DecodeTable, context: usize) -> u8 {
        let (symbol, wanted) = self.step(self.next_words(bytes), table, context);
        self.word += u32::from(wanted) * 2;
        symbol
    }

    /// The next two coded symbols, the second in the context of the first.
    #[inline(always)]
    pub(crate) fn two_symbols(
        &mut self,
        bytes: &[u8],
        [first, second]: [&DecodeTable; 2],
        context: usize,
    ) -> (u8, u8) {
        let words = self.next_words(bytes);
        let (a, a_wanted) = self.step(words, first, context);
        let words = if a_wanted { words >> 16 } else { words };
        let (b, b_wanted) = self.step(words, second, a as usize);
        self.word += (u32::from(a_wanted) + u32::from(b_wanted)) * 2;
        (a, b)
    }

    /// The next two words, needed or not: a branch would be mispredicted half of the time.
    #[inline(always)]
    fn next_words(&self, bytes: &[u8]) -> u32 {
        let at = self.word as usize;
        match bytes.get(at..at + 4) {
            Some(words) => u32::from_le_bytes(words.try_into().expect("four bytes")),
            None => last_window(bytes, at) as u32,
        }
    }

    /// One symbol, and whether it used the low word.
    #[inline(always)]
    fn step(&mut self, words: u32, table: &DecodeTable, context: usize) -> (u8, bool) {
        let entry = table.contexts[context][(self.state & (TOTAL - 1)) as usize];
        let state = (entry >> 8 & 0xFFF) * (self.state >> PRECISION) + (entry >> 20);
        let wanted = state < LOWER_BOUND;
        self.state = if wanted { state << 16 | words & 0xFFFF } else { state };
        (entry as u8, wanted)
    }

    /// The next `bits` plain bits, at most 32; zeros beyond the end.
    #[inline(always)]
    pub(crate) fn plain(&mut self, bytes: &[u8], bits: u8) -> u32 {
        let byte = (self.bit >> 3) as usize;
        let window = match bytes.get(byte..byte + 8) {
            Some(window) => u64::from_le_bytes(window.try_into().expect("eight bytes")),
            None => last_window(bytes, byte),
        };
        let value = window >> (self.bit & 7) & ((1u64 << bits) - 1);
        self.bit += u64::from(bits);
        value as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SHAPES: [TableShape; 2] =
        [TableShape { contexts: 3, alphabet: 200 }, TableShape { contexts: 1, alphabet: 4 }];

    #[derive(Clone, Debug)]
    enum Op {
        Coded(usize, usize, u8),
        Plain(u32, u8),
    }

    fn ops() -> impl Strategy<Value = Vec<Op>> {
        let op = prop_oneof![
            (0usize..3, 0u8..200).prop_map(|(context, symbol)| Op::Coded(0, context, symbol)),
            (0u8..4).prop_map(|symbol| Op::Coded(1, 0, symbol)),
            (0u8..31, any::<u32>())
                .prop_map(|(bits, value)| Op::Plain(value & ((1 << bits) - 1), bits)),
        ];
        proptest::collection::vec(op, 0..300)
    }

    proptest! {
        #[test]
        fn lanes_come_back(ops in ops()) {
            let mut scripts: Vec<Script> = (0..LANES).map(|_| Script::default()).collect();
            for (at, op) in ops.iter().enumerate() {
                match *op {
                    Op::Coded(table, context, symbol) => scripts[at % LANES].push(table, context, symbol),
                    Op::Plain(value, bits) => scripts[at % LANES].push_plain(value, bits),
                }
            }
            let mut bytes = Vec::new();
            encode(&mut bytes, &SHAPES, scripts, Layer::None);
            let mut reader = ByteReader::new(&bytes);
            let mut decoder = RansDecoder::new(&mut reader, &SHAPES).unwrap();
            prop_assert!(reader.expect_end().is_ok());
            for (at, op) in ops.iter().enumerate() {
                let lane = &mut decoder.lanes[at % LANES];
                match *op {
                    Op::Coded(table, context, symbol) => {
                        prop_assert_eq!(lane.symbol(decoder.bytes, &decoder.tables[table], context), symbol);
                    }
                    Op::Plain(value, bits) => prop_assert_eq!(lane.plain(decoder.bytes, bits), value),
                }
            }
            prop_assert!(decoder.is_complete());
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            if let Ok(mut decoder) = RansDecoder::new(&mut ByteReader::new(&bytes), &SHAPES) {
                for at in 0..1000 {
                    decoder.lanes[at % LANES].symbol(decoder.bytes, &decoder.tables[0], at % 3);
                    decoder.lanes[at % LANES].plain(decoder.bytes, at as u8 % 32);
                }
            }
        }
    }

    #[test]
    fn skewed_counts_still_add_up() {
        for counts in [
            vec![1; 200],
            vec![u32::MAX, 1, 1],
            vec![0, 5],
            [vec![1_000_000], vec![1; 255]].concat(),
        ] {
            let scaled = normalise(&counts);
            assert_eq!(scaled.iter().sum::<u32>(), TOTAL);
            assert!(
                counts
                    .iter()
                    .zip(&scaled)
                    .all(|(&count, &frequency)| (count > 0) == (frequency > 0))
            );
        }
    }
}
