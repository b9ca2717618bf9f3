//! One block, from run-length coded bytes to bits.

use super::accelerator::{Accelerator, Failure};
use super::crc::Crc;
use super::runs::Unpacker;
use super::tables::{GROUP, MAX_ALPHABET, Tables};
use super::{BLOCK_MAGIC, MAGIC_BITS};
use crate::bits::BitWriter;
use crate::huffman::code::codes;
use crate::mtf::List;
use crate::transform::{Sorter, Transformed};

/// A block in the format's bits.
#[derive(Debug)]
pub(crate) struct EncodedBlock {
    /// The memory of the block itself.
    pub(crate) bytes: Vec<u8>,
    /// How many bits of the bytes count.
    pub(crate) bits: u64,
    /// The checksum of the text.
    pub(crate) crc: u32,
}

/// What encodes blocks: working memory for one at a time.
#[derive(Debug, Default)]
pub(crate) struct Encoder {
    sorter: Sorter,
}

impl Encoder {
    /// Encodes a block, which is not empty. If there is an accelerator, it does what it can do. The
    /// last column, and then the bits, take the place of the text.
    pub(crate) fn encode(
        &mut self,
        mut block: Vec<u8>,
        accelerator: Option<&dyn Accelerator>,
    ) -> Result<EncodedBlock, Failure> {
        let crc = checksum([&block[..]].into_iter()).expect("blocks end with whole runs");
        let Transformed { last_column, origin } = match accelerator {
            None => {
                let origin = self.sorter.transform(&mut block);
                Transformed { last_column: block, origin }
            }
            Some(accelerator) => accelerator.transform(&block)?,
        };
        let room = self.sorter.scratch(last_column.len() + 1);
        let symbols = Symbols::of(&last_column, room, accelerator)?;
        let mut writer = BitWriter::into_memory(last_column);
        put_magic(&mut writer, BLOCK_MAGIC);
        writer.put(crc, 32);
        writer.put(0, 1);
        writer.put(origin as u32, 24);
        symbols.put(&mut writer, accelerator)?;
        let bits = writer.len();
        Ok(EncodedBlock { bytes: writer.finish(), bits, crc })
    }
}

/// Appends a magic number.
pub(crate) fn put_magic(writer: &mut BitWriter, magic: u64) {
    writer.put((magic >> 24) as u32, MAGIC_BITS / 2);
    writer.put((magic & 0xff_ffff) as u32, MAGIC_BITS / 2);
}

/// The checksum of the text that some run-length coded pieces stand for; `None` if they end within a
/// run.
pub(crate) fn checksum<'a>(pieces: impl Iterator<Item = &'a [u8]>) -> Option<u32> {
    let mut crc = Crc::default();
    let mut unpacker = Unpacker::default();
    let mut text = [0; 1 << 12];
    for mut piece in pieces {
        loop {
            let written = unpacker.unpack(&mut piece, &mut text);
            crc.update(&text[..written]);
            if written < text.len() {
                break;
            }
        }
    }
    unpacker.is_complete().then(|| crc.value())
}

/// Everything behind the head of a block.
struct Symbols<'r> {
    /// Which bytes occur.
    used: [bool; 256],
    symbols: &'r [u16],
    /// How often each symbol occurs.
    counts: [u32; MAX_ALPHABET],
    alphabet: usize,
}

impl<'r> Symbols<'r> {
    /// The symbols of a column. There must be room for one more than it has.
    fn of(
        column: &[u8],
        room: &'r mut [u16],
        accelerator: Option<&dyn Accelerator>,
    ) -> Result<Self, Failure> {
        let mut used = [false; 256];
        for &byte in column {
            used[usize::from(byte)] = true;
        }
        let mut counts = [0; MAX_ALPHABET];
        let occurring: Vec<u8> = (0..=255).filter(|&byte| used[usize::from(byte)]).collect();
        let end = occurring.len() as u16 + 1;
        let symbols = match accelerator {
            None => symbols_of(places_of(column, &occurring), end, room, &mut counts),
            Some(accelerator) => {
                let places = accelerator.move_to_front(column, &full_list(&occurring))?;
                symbols_of(places.into_iter(), end, room, &mut counts)
            }
        };
        Ok(Self { used, symbols, counts, alphabet: usize::from(end) + 1 })
    }

    /// Appends which bytes occur, the tables, the symbols.
    fn put(
        &self,
        writer: &mut BitWriter,
        accelerator: Option<&dyn Accelerator>,
    ) -> Result<(), Failure> {
        put_used(writer, &self.used);
        let tables = Tables::choose(self.symbols, &self.counts[..self.alphabet]);
        put_selectors(writer, &tables);
        tables.lengths.iter().for_each(|lengths| put_lengths(writer, lengths));
        if let Some(accelerator) = accelerator {
            let Tables { lengths, selectors } = &tables;
            let (bytes, bits) = accelerator.code(self.symbols, lengths, selectors, GROUP)?;
            writer.append(&bytes, bits);
        } else {
            put_codes(writer, self.symbols, &tables);
        }
        Ok(())
    }
}

/// Appends the code of each symbol.
fn put_codes(writer: &mut BitWriter, symbols: &[u16], tables: &Tables) {
    // Code and length of each symbol side by side, so that one access gets both.
    let codes: Vec<Vec<(u32, u32)>> = tables
        .lengths
        .iter()
        .map(|lengths| codes(lengths).into_iter().zip(lengths.iter().map(|&l| l.into())).collect())
        .collect();
    for (group, &table) in symbols.chunks(GROUP).zip(&tables.selectors) {
        let codes = &codes[usize::from(table)];
        for &symbol in group {
            let (code, length) = codes[usize::from(symbol)];
            writer.put(code, length);
        }
    }
}

/// The list of a block's bytes, with those that do not occur behind them.
pub(crate) fn full_list(occurring: &[u8]) -> [u8; 256] {
    let mut list = [0; 256];
    let others = (0..=255).filter(|byte| occurring.binary_search(byte).is_err());
    let all = occurring.iter().copied().chain(others);
    list.iter_mut().zip(all).for_each(|(place, byte)| *place = byte);
    list
}

/// Which bytes occur: a map of 16 ranges, and a map of each range that has any.
fn put_used(writer: &mut BitWriter, used: &[bool; 256]) {
    let map = |flags: &mut dyn Iterator<Item = bool>| {
        flags.fold(0, |map, flag| map << 1 | u32::from(flag))
    };
    let ranges = || used.chunks(16);
    writer.put(map(&mut ranges().map(|range| range.contains(&true))), 16);
    for range in ranges().filter(|range| range.contains(&true)) {
        writer.put(map(&mut range.iter().copied()), 16);
    }
}

/// Moves to front, in a list that begins with the bytes that occur.
fn places_of(column: &[u8], occurring: &[u8]) -> impl Iterator<Item = u8> {
    let mut list = List::starting_with(occurring);
    column.iter().map(move |&byte| if byte == list.front() { 0 } else { list.find(byte) })
}

/// Writes runs of the place 0 as numbers with the digits 1 and 2, and the end. Returns the symbols,
/// and counts them.
fn symbols_of<'a>(
    places: impl Iterator<Item = u8>,
    end: u16,
    room: &'a mut [u16],
    counts: &mut [u32; MAX_ALPHABET],
) -> &'a [u16] {
    let mut len = 0;
    let mut put = |symbol: u16| {
        room[len] = symbol;
        len += 1;
        counts[usize::from(symbol)] += 1;
    };
    let mut run = 0u32;
    for place in places {
        if place == 0 {
            run += 1;
            continue;
        }
        put_run(std::mem::take(&mut run), &mut put);
        put(u16::from(place) + 1);
    }
    put_run(run, &mut put);
    put(end);
    &room[..len]
}

/// The digits of a run, the lowest first: symbol 0 is the digit 1, symbol 1 the digit 2.
#[inline]
fn put_run(mut run: u32, mut put: impl FnMut(u16)) {
    while run > 0 {
        run -= 1;
        put((run & 1) as u16);
        run >>= 1;
    }
}

/// Number of tables and groups, and the table of each group, moved to front and in unary.
fn put_selectors(writer: &mut BitWriter, tables: &Tables) {
    writer.put(tables.lengths.len() as u32, 3);
    writer.put(tables.selectors.len() as u32, 15);
    let mut list = List::default();
    for &table in &tables.selectors {
        let place = u32::from(list.find(table));
        writer.put((1 << (place + 1)) - 2, place + 1);
    }
}

/// The lengths of a table's codes, each by steps from the one before.
fn put_lengths(writer: &mut BitWriter, lengths: &[u8]) {
    let mut current = lengths[0];
    writer.put(current.into(), 5);
    for &length in lengths {
        while current != length {
            let up = length > current;
            writer.put(if up { 0b10 } else { 0b11 }, 2);
            current = if up { current + 1 } else { current - 1 };
        }
        writer.put(0, 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digits(run: u32) -> Vec<u16> {
        let mut digits = Vec::new();
        put_run(run, |digit| digits.push(digit));
        digits
    }

    #[test]
    fn runs_are_numbers_without_a_zero() {
        assert_eq!(digits(0), [0u16; 0]);
        assert_eq!(digits(1), [0]);
        assert_eq!(digits(2), [1]);
        assert_eq!(digits(3), [0, 0]);
        assert_eq!(digits(4), [1, 0]);
        assert_eq!(digits(5), [0, 1]);
        for run in 1..1000 {
            let value: u32 =
                digits(run).iter().enumerate().map(|(i, &d)| u32::from(d + 1) << i).sum();
            assert_eq!(value, run);
        }
    }

    #[test]
    fn symbols_of_the_example() {
        // ccbbbaaaaa: three symbols, so the list is a, b, c; 4 is the end.
        let (mut room, mut counts) = ([0; 11], [0; MAX_ALPHABET]);
        let places = places_of(b"ccbbbaaaaa", b"abc");
        assert_eq!(symbols_of(places, 4, &mut room, &mut counts), [3, 0, 3, 1, 3, 1, 0, 4]);
        assert_eq!(counts[..5], [2, 2, 0, 3, 1]);
    }
}
