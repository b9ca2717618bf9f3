//! Decodes a root in Huffman codes: eight lanes in turn, one fetch of bits and three look-ups per
//! symbol. [`root_write`](super::root_write) is the encoder.

use super::{CELLS, CELLS_AND_CLASSES};
use crate::format::bytes::{ByteReader, Malformed};
use crate::format::clusters::MOST_CLUSTERS;
use crate::format::layer::take_stream;
use crate::format::segment::codec::CHUNK;
use crate::format::segment::codec::backrefs::{NoBackrefs, Resolver, Rings, is_far};
use crate::format::segment::codec::bits::last_window;
use crate::format::segment::codec::huffman::{SLOTS, read_code};
use crate::format::segment::codec::lanes::{LANES, decode_in_turn, warm};
use crate::format::segment::numbering::cells::{FINE, cell_start};
use crate::format::segment::numbering::ranks::Ranks;
use crate::format::segment::root_sink::Sink;

/// The decoder of a root's blocks.
#[derive(Debug)]
pub(crate) struct RootReader {
    tables: Tables,
    /// By rank.
    rows: Vec<u8>,
    has_backrefs: bool,
}

impl RootReader {
    /// Reads the codes; `rows` has the row of each rank.
    pub(crate) fn read(
        reader: &mut ByteReader<'_>,
        clusters: usize,
        ranks: &Ranks,
        rows: Vec<u8>,
        has_backrefs: bool,
    ) -> Result<Self, Malformed> {
        let at = reader.offset();
        let lengths = take_stream(reader)?;
        let mut lengths = ByteReader::new(&lengths);
        let tables = Tables::read(&mut lengths, clusters, &ranks.column_starts, has_backrefs)
            .and_then(|tables| lengths.expect_end().map(|()| tables))
            .map_err(|error| Malformed::at(at, format!("codes of the root: {error}")))?;
        Ok(Self { tables, rows, has_backrefs })
    }

    /// Decodes `len` symbols from all remaining bytes of `reader`.
    pub(crate) fn decode(
        &self,
        reader: &mut ByteReader<'_>,
        len: usize,
        rings: &mut LaneRings,
        sink: &mut Sink<'_>,
    ) -> Result<(), Malformed> {
        let bytes = reader.rest();
        let start = reader.offset();
        let mut lanes = [Lane::default(); LANES];
        for lane in &mut lanes {
            let len = usize::try_from(reader.varint()?).unwrap_or(usize::MAX);
            lane.bit = (reader.offset() - start) as u64 * 8;
            reader.take(len)?;
            lane.end = (reader.offset() - start) as u64 * 8;
        }
        let source = Source { bytes, reader: self };
        if self.has_backrefs {
            source.decode(&mut lanes, rings.cleared(), len, sink);
        } else {
            source.decode(&mut lanes, &mut [NoBackrefs; LANES], len, sink);
        }
        if lanes.iter().any(|lane| lane.bit.next_multiple_of(8) != lane.end) {
            return Err(Malformed::at(start, "the root: bytes are left over or missing"));
        }
        Ok(())
    }
}

/// The recent symbols of each lane, if there are back-references.
#[derive(Debug, Default)]
pub(crate) struct LaneRings(Option<Box<[Rings; LANES]>>);

impl LaneRings {
    /// Empty rings, as at the start of a lane.
    fn cleared(&mut self) -> &mut [Rings; LANES] {
        let new = || Box::new(std::array::from_fn(|_| Rings::default()));
        let rings = self.0.get_or_insert_with(new);
        rings.iter_mut().for_each(Rings::clear);
        rings
    }
}

/// Decoding tables, by the next bits of a lane. Both together are small enough to leave room for the
/// rows of all ranks in a core's own cache: waiting for those takes the most time.
#[derive(Debug)]
struct Tables {
    /// By row and bits: length of the code in 4 bits, and the column.
    columns: Box<[[u16; SLOTS]; MOST_CLUSTERS]>,
    /// By column and bits: length of the code in 4 bits, number of plain bits in 5, the bits before
    /// them in the place or distance in 4, and the flags [`KEPT`] and [`BACKREF`].
    cells: Box<[[u16; SLOTS]; MOST_CLUSTERS]>,
    column_starts: [u32; MOST_CLUSTERS],
}

impl Tables {
    fn read(
        reader: &mut ByteReader<'_>,
        clusters: usize,
        column_starts: &[u32],
        has_backrefs: bool,
    ) -> Result<Self, Malformed> {
        let mut tables = Self {
            columns: Box::new([[0; SLOTS]; MOST_CLUSTERS]),
            cells: Box::new([[0; SLOTS]; MOST_CLUSTERS]),
            column_starts: [u32::MAX; MOST_CLUSTERS],
        };
        tables.column_starts[..clusters].copy_from_slice(&column_starts[..clusters]);
        for slots in &mut tables.columns[..clusters] {
            let entry = |column, len| u16::from(column) << 4 | u16::from(len);
            read_code(reader, clusters, slots, entry)?;
        }
        let alphabet = if has_backrefs { CELLS_AND_CLASSES } else { CELLS };
        for slots in &mut tables.cells[..clusters] {
            read_code(reader, alphabet, slots, |cell, len| {
                let entry = match cell.checked_sub(CELLS as u8) {
                    None => {
                        let (start, bits) = cell_start::<FINE>(cell);
                        (start >> bits << 9) as u16 | u16::from(bits) << 4
                    }
                    Some(class) => {
                        let kept = if is_far(class) { KEPT } else { 0 };
                        1 << 9 | u16::from(class) << 4 | kept | BACKREF
                    }
                };
                entry | u16::from(len)
            })?;
        }
        let rare_from = if has_backrefs { reader.take(clusters)? } else { &[] };
        for (slots, &rare_from) in tables.cells.iter_mut().zip(rare_from) {
            let first = cell_start::<FINE>(rare_from).0;
            for entry in slots.iter_mut().filter(|entry| **entry & BACKREF == 0) {
                let start = u32::from(*entry >> 9) << (*entry >> 4 & 31);
                *entry |= if start >= first { KEPT } else { 0 };
            }
        }
        Ok(tables)
    }
}

/// Flags in an entry of [`Tables::cells`]: the symbol is added to the ring; it is a back-reference.
const KEPT: u16 = 1 << 13;
const BACKREF: u16 = 1 << 14;

/// A lane being decoded.
#[derive(Clone, Copy, Debug, Default)]
struct Lane {
    /// Offsets of the next bit and of the end.
    bit: u64,
    end: u64,
    /// The row of the last symbol.
    row: u8,
}

/// The bytes of all lanes, and their decoder.
struct Source<'a> {
    bytes: &'a [u8],
    reader: &'a RootReader,
}

impl Source<'_> {
    /// The rank of a lane's next symbol, which may be out of range in a damaged file.
    #[inline(always)]
    fn next(&self, lane: &mut Lane, resolver: &mut impl Resolver) -> u32 {
        let Self { bytes, reader: RootReader { tables, rows, .. } } = self;
        let byte = (lane.bit >> 3) as usize;
        let window = match bytes.get(byte..byte + 8) {
            Some(window) => u64::from_le_bytes(window.try_into().expect("eight bytes")),
            None => last_window(bytes, byte),
        };
        // At most 7 + 10 + 10 + 28 of the 64 bits are used.
        let window = window >> (lane.bit & 7);
        let row = lane.row as usize % MOST_CLUSTERS;
        let column = u64::from(tables.columns[row][window as usize % SLOTS]);
        let (column_len, column) = (column & 15, (column >> 4) as usize % MOST_CLUSTERS);
        let window = window >> column_len;
        let entry = tables.cells[column][window as usize % SLOTS];
        let cell = u64::from(entry);
        let (len, bits) = (cell & 15, cell >> 4 & 31);
        let plain = window >> len & ((1 << bits) - 1);
        lane.bit += column_len + len + bits;
        let place = ((cell >> 9 & 15) << bits | plain) as u32;
        let named = tables.column_starts[column].wrapping_add(place);
        let (is_backref, is_kept) = (entry & BACKREF != 0, entry & KEPT != 0);
        let rank = resolver.resolve(column, named, place, is_backref, is_kept);
        lane.row = rows.get(rank as usize).copied().unwrap_or(0);
        rank
    }

    /// Decodes `len` symbols; a damaged lane may continue in the bytes of the next one.
    fn decode<R: Resolver>(
        &self,
        lanes: &mut [Lane; LANES],
        resolvers: &mut [R; LANES],
        len: usize,
        sink: &mut Sink<'_>,
    ) {
        decode_in_turn(
            lanes,
            resolvers,
            len,
            |lane| warm(self.bytes, (lane.bit >> 3) as usize, CHUNK * 2),
            #[inline(always)]
            |lane, resolver| self.next(lane, resolver),
            |at, ranks| sink.take(at, ranks),
        );
    }
}
