//! One block, from bits to run-length coded bytes. Refuses exactly what bzip2 1.0.8 refuses.

use super::accelerator::{Accelerator, CodedSymbols, DecodedSymbols, Failure};
use super::encode::{checksum, full_list};
use super::random::flipped_places;
use super::tables::{GROUP, MAX_ALPHABET, MAX_TABLES};
use super::{BLOCK_MAGIC, BLOCK_UNIT, MAGIC_BITS};
use crate::bits::BitReader;
use crate::huffman::code::{CodeTable, Decoder, LONGEST};
use crate::inverse::{Pieces, scratch_len};
use crate::mtf::List;

/// Groups beyond this number are read and ignored: bzip2 before 1.0.8 wrote a few too many.
const MAX_SELECTORS: usize = 900_000 / GROUP + 2;
/// The longest run is less than 2 to this power.
const RUN_DIGITS: u32 = 21;

/// Why a block could not be decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BlockError {
    /// The bytes end before the block does.
    Truncated,
    /// The bits are not those of a block.
    Damaged(&'static str),
    /// The text is not what was compressed.
    Checksum { stored: u32, computed: u32 },
    /// The accelerator failed.
    Accelerator(String),
}

use BlockError::Damaged;

impl From<Failure> for BlockError {
    fn from(failure: Failure) -> Self {
        Self::Accelerator(failure.to_string())
    }
}

/// A decoded block.
#[derive(Debug)]
pub(crate) struct DecodedBlock {
    /// The text, run-length coded.
    pub(crate) pieces: Pieces,
    pub(crate) crc: u32,
    /// The bit after the block.
    pub(crate) end: u64,
}

impl DecodedBlock {
    /// The block with positions counted from that many bits before the bytes it was decoded from.
    pub(crate) fn later_by(mut self, bits: u64) -> Self {
        self.end += bits;
        self
    }
}

/// A block whose bits are decoded but whose transform is not yet undone.
#[derive(Debug)]
pub(crate) struct SortedBlock {
    last_column: Vec<u8>,
    origin: usize,
    is_randomised: bool,
    crc: u32,
    end: u64,
}

impl SortedBlock {
    /// Takes the block that begins, with its magic number, at a bit of `bytes`. The column is
    /// written to `memory`. If there is an accelerator, it does what it can do.
    pub(crate) fn take(
        bytes: &[u8],
        start: u64,
        level: u8,
        memory: Vec<u8>,
        accelerator: Option<&dyn Accelerator>,
    ) -> Result<Self, BlockError> {
        let mut bits = BitReader::at(bytes, start);
        let taken = Self::take_bits(&mut bits, level, memory, accelerator);
        // Past the end all bits are zero; what they decode to is not an error of the block.
        if bits.is_overrun() { Err(BlockError::Truncated) } else { taken }
    }

    fn take_bits(
        bits: &mut BitReader<'_>,
        level: u8,
        memory: Vec<u8>,
        accelerator: Option<&dyn Accelerator>,
    ) -> Result<Self, BlockError> {
        let capacity = usize::from(level) * BLOCK_UNIT;
        if take_magic(bits) != BLOCK_MAGIC {
            return Err(Damaged("no block begins here"));
        }
        let crc = bits.take(32);
        let is_randomised = bits.bit();
        let origin = bits.take(24) as usize;
        if origin > capacity + 10 {
            return Err(Damaged("its origin is outside"));
        }
        let used = take_used(bits)?;
        let alphabet = used.len() + 2;
        let tables = bits.take(3) as usize;
        if !(2..=MAX_TABLES).contains(&tables) {
            return Err(Damaged("it has fewer than 2 or more than 6 tables"));
        }
        let selectors = take_selectors(bits, tables)?;
        let tables = (0..tables)
            .map(|_| Ok(CodeTable::new(&take_lengths(bits, alphabet)?)))
            .collect::<Result<Vec<_>, BlockError>>()?;
        let coded = Coded { used: &used, selectors: &selectors, tables: &tables, capacity };
        let accelerated = accelerator.map(|accelerator| coded.accelerated(bits, accelerator));
        let last_column = match accelerated.transpose()?.flatten() {
            Some(column) => column,
            None => coded.take_column(bits, memory)?,
        };
        if origin >= last_column.len() {
            return Err(Damaged("its origin is outside"));
        }
        Ok(Self { last_column, origin, is_randomised, crc, end: bits.position() })
    }

    /// Undoes the transform, except for [`inverse`](crate::inverse()), which the caller runs.
    pub(crate) fn restore(
        self,
        inverse: impl FnOnce(Vec<u8>, usize) -> Result<Pieces, Failure>,
    ) -> Result<DecodedBlock, BlockError> {
        let Self { last_column, origin, is_randomised, crc, end } = self;
        let len = last_column.len();
        let mut pieces = inverse(last_column, origin)?;
        if is_randomised {
            pieces.flip_lowest_bits(flipped_places(len));
        }
        check(&pieces, crc)?;
        Ok(DecodedBlock { pieces, crc, end })
    }
}

/// Takes a magic number.
pub(crate) fn take_magic(bits: &mut BitReader<'_>) -> u64 {
    let high = bits.take(MAGIC_BITS / 2);
    u64::from(high) << (MAGIC_BITS / 2) | u64::from(bits.take(MAGIC_BITS / 2))
}

fn check(pieces: &Pieces, stored: u32) -> Result<(), BlockError> {
    match checksum(pieces.slices()) {
        None => Err(Damaged("it ends within a run")),
        Some(computed) if computed != stored => Err(BlockError::Checksum { stored, computed }),
        Some(_) => Ok(()),
    }
}

/// The bytes that occur.
fn take_used(bits: &mut BitReader<'_>) -> Result<Vec<u8>, BlockError> {
    let ranges = bits.take(16);
    let mut used = Vec::with_capacity(256);
    for range in (0..16u8).filter(|range| ranges << range & 0x8000 != 0) {
        let map = bits.take(16);
        used.extend(
            (0..16u8).filter(|byte| map << byte & 0x8000 != 0).map(|byte| range * 16 + byte),
        );
    }
    if used.is_empty() { Err(Damaged("no byte occurs in it")) } else { Ok(used) }
}

/// The table of each group.
fn take_selectors(bits: &mut BitReader<'_>, tables: usize) -> Result<Vec<u8>, BlockError> {
    let count = bits.take(15) as usize;
    if count == 0 {
        return Err(Damaged("it has no groups"));
    }
    let mut list = List::default();
    let mut selectors = Vec::with_capacity(count);
    for _ in 0..count {
        let mut place = 0;
        while bits.bit() {
            place += 1;
            if usize::from(place) >= tables {
                return Err(Damaged("a group has no table"));
            }
        }
        selectors.push(list.take(place));
        if bits.is_overrun() {
            break;
        }
    }
    selectors.truncate(MAX_SELECTORS);
    Ok(selectors)
}

/// The lengths of a table's codes.
fn take_lengths(bits: &mut BitReader<'_>, alphabet: usize) -> Result<Vec<u8>, BlockError> {
    let mut current = bits.take(5);
    let mut lengths = Vec::with_capacity(MAX_ALPHABET);
    for _ in 0..alphabet {
        loop {
            if !(1..=LONGEST as u32).contains(&current) {
                return Err(Damaged("the length of a code is out of range"));
            }
            if !bits.bit() {
                break;
            }
            // May wrap below 0, which is out of range too.
            current = if bits.bit() { current.wrapping_sub(1) } else { current + 1 };
        }
        lengths.push(current as u8);
    }
    Ok(lengths)
}

const TOO_LONG: BlockError = Damaged("it is longer than its level allows");

/// The tables that code the symbols, and how many bytes they may expand to.
struct Coded<'b> {
    used: &'b [u8],
    selectors: &'b [u8],
    tables: &'b [CodeTable],
    capacity: usize,
}

impl Coded<'_> {
    /// The symbol at the end.
    fn end(&self) -> u16 {
        self.used.len() as u16 + 1
    }

    /// Decodes symbols up to the end of the block, and undoes runs and move-to-front.
    fn take_column(
        &self,
        bits: &mut BitReader<'_>,
        mut column: Vec<u8>,
    ) -> Result<Vec<u8>, BlockError> {
        // The inverse transform writes the text into the same memory.
        column.reserve_exact(scratch_len(self.capacity).saturating_sub(column.len()));
        column.resize(self.capacity, 0);
        let end = self.end();
        let decoders: Vec<Decoder<'_>> = self.tables.iter().map(Decoder::new).collect();
        let mut list = List::starting_with(self.used);
        let mut len = 0;
        let mut run = Run::default();
        for &table in self.selectors {
            let decoder = &decoders[usize::from(table)];
            for symbol in 0..GROUP {
                // Two codes take at most 40 bits.
                if symbol % 2 == 0 {
                    bits.refill();
                }
                let symbol = decoder.decode(bits).ok_or(Damaged("bits that are no code"))?;
                if symbol < 2 {
                    run.push(symbol)?;
                    continue;
                }
                if run.digits > 0 {
                    let zeros = std::mem::take(&mut run).len;
                    let filled = column.get_mut(len..len + zeros).ok_or(TOO_LONG)?;
                    filled.fill(list.front());
                    len += zeros;
                }
                if symbol == end {
                    column.truncate(len);
                    return Ok(column);
                }
                *column.get_mut(len).ok_or(TOO_LONG)? = list.take((symbol - 1) as u8);
                len += 1;
            }
            if bits.is_overrun() {
                return Err(BlockError::Truncated);
            }
        }
        Err(Damaged("it has more symbols than groups"))
    }

    /// The same on an accelerator, except for the runs. `None` if something is wrong;
    /// [`take_column`](Self::take_column) then reports what.
    fn accelerated(
        &self,
        bits: &mut BitReader<'_>,
        accelerator: &dyn Accelerator,
    ) -> Result<Option<Vec<u8>>, BlockError> {
        let decoded = accelerator.decode(&CodedSymbols {
            bytes: bits.bytes(),
            start: bits.position(),
            tables: self.tables,
            selectors: self.selectors,
            group: GROUP,
            end: self.end(),
        })?;
        let Some(DecodedSymbols { symbols, end }) = decoded else { return Ok(None) };
        let Ok(places) = self.places(&symbols) else { return Ok(None) };
        let column = accelerator.move_from_front(&places, &full_list(self.used))?;
        *bits = BitReader::at(bits.bytes(), end);
        Ok(Some(column))
    }

    /// Undoes runs.
    fn places(&self, symbols: &[u16]) -> Result<Vec<u8>, BlockError> {
        let mut places = Vec::new();
        let mut run = Run::default();
        // The end of the symbols ends a run too.
        for symbol in symbols.iter().copied().chain([self.end()]) {
            if symbol < 2 {
                run.push(symbol)?;
                continue;
            }
            let zeros = std::mem::take(&mut run).len;
            let others = usize::from(symbol != self.end());
            if zeros + others > self.capacity - places.len() {
                return Err(TOO_LONG);
            }
            places.resize(places.len() + zeros, 0);
            places.extend((others > 0).then_some((symbol - 1) as u8));
        }
        Ok(places)
    }
}

/// A run of zeros as a number of digits 1 and 2.
#[derive(Default)]
struct Run {
    len: usize,
    digits: u32,
}

impl Run {
    fn push(&mut self, digit: u16) -> Result<(), BlockError> {
        if self.digits == RUN_DIGITS {
            return Err(TOO_LONG);
        }
        self.len += usize::from(digit + 1) << self.digits;
        self.digits += 1;
        Ok(())
    }
}
