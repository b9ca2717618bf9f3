//! One block, from run-length coded bytes to bits.

use super::accelerator::{Accelerator, Failure};
use super::crc::Crc;
use super::runs::Unpacker;
use super::symbols::{SLACK, symbols_of};
use super::tables::{GROUP, MAX_ALPHABET, Tables};
use super::{BLOCK_MAGIC, MAGIC_BITS};
use crate::bits::{BitWriter, code_word};
use crate::histogram::count_bytes;
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

/// Encodes blocks, one at a time, and keeps the working memory.
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
        let (Transformed { last_column, origin }, counts) = match accelerator {
            None => {
                let (origin, counts) = self.sorter.transform_and_count(&mut block);
                (Transformed { last_column: block, origin }, counts)
            }
            Some(accelerator) => (accelerator.transform(&block)?, count_bytes(&block)),
        };
        let room = self.sorter.scratch(last_column.len() + 1 + SLACK);
        let used = counts.map(|count| count > 0);
        let symbols = Symbols::of(&last_column, used, room, accelerator)?;
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

/// The checksum of the text that run-length coded pieces expand to; `None` if they end within a
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

/// Everything after the head of a block.
struct Symbols<'r> {
    /// Which bytes occur.
    used: [bool; 256],
    symbols: &'r [u16],
    /// How often each symbol occurs.
    counts: [u32; MAX_ALPHABET],
    alphabet: usize,
}

impl<'r> Symbols<'r> {
    /// The symbols of a column in which these bytes occur. It needs the room that [`symbols_of`]
    /// asks for.
    fn of(
        column: &[u8],
        used: [bool; 256],
        room: &'r mut [u16],
        accelerator: Option<&dyn Accelerator>,
    ) -> Result<Self, Failure> {
        let mut counts = [0; MAX_ALPHABET];
        let occurring: Vec<u8> = (0..=255).filter(|&byte| used[usize::from(byte)]).collect();
        let (front, end) = (occurring[0], occurring.len() as u16 + 1);
        let symbols = match accelerator {
            None => {
                let mut list = List::starting_with(&occurring);
                symbols_of(column, front, end, room, &mut counts, |at| list.find(column[at]))
            }
            Some(accelerator) => {
                let places = accelerator.move_to_front(column, &full_list(&occurring))?;
                symbols_of(column, front, end, room, &mut counts, |at| places[at])
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
            let Tables { lengths, selectors, .. } = &tables;
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
    let words = |lengths: &Vec<u8>| -> Vec<u32> {
        codes(lengths).into_iter().zip(lengths).map(|(code, &l)| code_word(code, l)).collect()
    };
    let words: Vec<Vec<u32>> = tables.lengths.iter().map(words).collect();
    let tables_of_groups = tables.selectors.iter().map(|&table| &words[usize::from(table)][..]);
    writer.put_codes(tables.bits, symbols.chunks(GROUP).zip(tables_of_groups));
}

/// The bytes that occur in a block, followed by those that do not.
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

/// Number of tables and groups, and the table of each group: moved to front, in unary.
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
