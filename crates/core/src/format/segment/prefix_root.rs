//! The root by prefix codes in eight lanes: the coding of level `default`.
//!
//! A symbol is its column, in the context of the row before it, and its place in the column, as in
//! [`static_model`]: here by prefix codes and plain bits in one stream a lane. Reading takes one
//! fetch of bits and three look-ups a symbol, half the work of two steps of rANS, for half a percent
//! of size. Where a few symbols come nearly always a whole bit is too coarse for them; such roots
//! are left to rANS.

use super::cells::{FINE, cell_of, cell_start, cells};
use super::lanes::{BitWriter, LANES, last_window, warm};
use super::prefix::{PrefixCode, SLOTS, read_code};
use super::ranks::{Clusters, MOST_CLUSTERS, RankedGrammar, Ranks, Run};
use super::sink::{BLOCK, Sink};
use super::static_model::{self, part_len, rank_columns, symbol_rows};
use super::{Parts, Shape};
use crate::format::bytes::{ByteReader, Malformed, put_varint};
use crate::format::layer::{Layer, put_stream, take_stream};

/// Prefix codes may take one part in so many more than the entropy of what they code,
const MOST_LOSS: f64 = 128.0;
/// and so many bits in any case: in a small root they are nothing.
const SPARE_BITS: f64 = 256.0;

/// A root and its codes, before it is written.
pub(super) struct PrefixRoot<'a> {
    ranked: &'a RankedGrammar,
    /// Per symbol.
    rows: Vec<u8>,
    /// Per rank.
    columns: Vec<u8>,
    column_codes: Vec<PrefixCode>,
    cell_codes: Vec<PrefixCode>,
}

impl<'a> PrefixRoot<'a> {
    /// Makes the codes, unless rANS takes much less.
    pub(super) fn new(ranked: &'a RankedGrammar, clusters: &Clusters) -> Option<Self> {
        let mut root = Self {
            ranked,
            rows: symbol_rows(&ranked.grammar, clusters),
            columns: rank_columns(&ranked.ranks),
            column_codes: Vec::new(),
            cell_codes: Vec::new(),
        };
        let mut column_counts = vec![vec![0u32; clusters.count]; clusters.count];
        let mut cell_counts = vec![vec![0u32; cells(FINE)]; clusters.count];
        let mut plain_bits = 0u64;
        for part in root.parts() {
            for (row, column, place) in root.places(part) {
                let cell = cell_of::<FINE>(place);
                column_counts[usize::from(row)][usize::from(column)] += 1;
                cell_counts[usize::from(column)][usize::from(cell)] += 1;
                plain_bits += u64::from(cell_start::<FINE>(cell).1);
            }
        }
        let codes = |counts: &[Vec<u32>]| -> Vec<PrefixCode> {
            counts.iter().map(|counts| PrefixCode::new(counts)).collect()
        };
        (root.column_codes, root.cell_codes) = (codes(&column_counts), codes(&cell_counts));
        let (mut coded, mut entropy) = (plain_bits as f64, plain_bits as f64);
        for (counts, codes) in
            [(&column_counts, &root.column_codes), (&cell_counts, &root.cell_codes)]
        {
            for (counts, code) in counts.iter().zip(codes) {
                let total: f64 = counts.iter().map(|&count| f64::from(count)).sum();
                for (symbol, &count) in (0u8..=255).zip(counts).filter(|&(_, &count)| count > 0) {
                    coded += f64::from(count) * f64::from(code.get(symbol).1);
                    entropy += f64::from(count) * (total / f64::from(count)).log2();
                }
            }
        }
        (coded <= entropy + entropy / MOST_LOSS + SPARE_BITS).then_some(root)
    }

    /// One part a lane; the last may be missing.
    fn parts(&self) -> impl Iterator<Item = &[u32]> {
        let root = self.ranked.grammar.root();
        root.chunks(part_len(root.len()))
    }

    /// For each symbol of a part: the row before it, its column, its place.
    fn places(&self, part: &[u32]) -> impl Iterator<Item = (u8, u8, u32)> {
        part.iter().scan(0, |row, &symbol| {
            let rank = self.ranked.rank_of[symbol as usize];
            let column = self.columns[rank as usize];
            let place = rank - self.ranked.ranks.column_starts[usize::from(column)];
            Some((std::mem::replace(row, self.rows[symbol as usize]), column, place))
        })
    }

    /// Appends the rules, then the root.
    pub(super) fn encode(&self, out: &mut Vec<u8>, clusters: &Clusters, layer: Layer) {
        static_model::encode(out, self.ranked, clusters, layer, false);
        let mut lengths = Vec::new();
        for code in self.column_codes.iter().chain(&self.cell_codes) {
            code.write(&mut lengths);
        }
        put_stream(out, layer, &lengths);
        let mut parts = self.parts();
        for _ in 0..LANES {
            let mut bits = BitWriter::default();
            for (row, column, place) in self.places(parts.next().unwrap_or_default()) {
                let (code, len) = self.column_codes[usize::from(row)].get(column);
                bits.push(code, len);
                let cell = cell_of::<FINE>(place);
                let (code, len) = self.cell_codes[usize::from(column)].get(cell);
                bits.push(code, len);
                let (start, len) = cell_start::<FINE>(cell);
                bits.push(place - start, len);
            }
            let lane = bits.finish();
            put_varint(out, lane.len() as u64);
            out.extend_from_slice(&lane);
        }
    }
}

pub(super) fn decode(
    reader: &mut ByteReader<'_>,
    clusters: &Clusters,
    ranks: &Ranks,
    runs: &[Run],
    shape: Shape,
) -> Result<Parts, Malformed> {
    let (mut parts, rows) = static_model::decode_rules_only(reader, clusters, ranks, runs, shape)?;
    let at = reader.offset();
    let damaged = |what: &str| Malformed::at(at, format!("the root: {what}"));
    let lengths = take_stream(reader)?;
    let mut lengths = ByteReader::new(&lengths);
    let tables = Tables::read(&mut lengths, clusters.count, &ranks.column_starts)
        .and_then(|tables| lengths.expect_end().map(|()| tables))
        .map_err(|error| damaged(&error.to_string()))?;
    let bytes = reader.rest();
    let start = reader.offset();
    let mut lanes = [Lane::default(); LANES];
    for lane in &mut lanes {
        let len = usize::try_from(reader.varint()?).unwrap_or(usize::MAX);
        lane.bit = (reader.offset() - start) as u64 * 8;
        reader.take(len)?;
        lane.end = (reader.offset() - start) as u64 * 8;
    }
    let mut sink = shape.root_sink(ranks, &mut parts.symbols[..shape.root_room()]);
    decode_lanes(&mut lanes, bytes, &tables, &rows, shape.root_len, &mut sink);
    let complete = lanes.iter().all(|lane| lane.bit.next_multiple_of(8) == lane.end);
    match sink.finish(shape.symbols()) {
        Some(root_uses) if complete => Ok(Parts { root_uses, ..parts }),
        Some(_) => Err(damaged("bytes are left over or missing")),
        None => Err(damaged("a symbol does not exist")),
    }
}

/// What the next bits of a lane say, by their first ones. Both tables together are small enough to
/// leave room for the rows of all ranks in a core's own cache: waiting for those is what takes time.
struct Tables {
    /// By row: length of the code in 4 bits, and the column.
    columns: Box<[[u16; SLOTS]; MOST_CLUSTERS]>,
    /// By column: length of the code in 4 bits, number of plain bits in 5, and what stands before
    /// them in the place.
    cells: Box<[[u16; SLOTS]; MOST_CLUSTERS]>,
    column_starts: [u32; MOST_CLUSTERS],
}

impl Tables {
    fn read(
        reader: &mut ByteReader<'_>,
        clusters: usize,
        column_starts: &[u32],
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
        for slots in &mut tables.cells[..clusters] {
            read_code(reader, cells(FINE), slots, |cell, len| {
                let (start, bits) = cell_start::<FINE>(cell);
                (start >> bits << 9) as u16 | u16::from(bits) << 4 | u16::from(len)
            })?;
        }
        Ok(tables)
    }
}

/// The reading end of a lane.
#[derive(Clone, Copy, Debug, Default)]
struct Lane {
    /// Where the next bit lies, and where bits end.
    bit: u64,
    end: u64,
    /// The row of the last symbol.
    row: u8,
}

impl Lane {
    /// The rank of the next symbol, which may be out of range in a damaged file.
    #[inline(always)]
    fn next(&mut self, bytes: &[u8], tables: &Tables, rows: &[u8]) -> u32 {
        let byte = (self.bit >> 3) as usize;
        let window = match bytes.get(byte..byte + 8) {
            Some(window) => u64::from_le_bytes(window.try_into().expect("eight bytes")),
            None => last_window(bytes, byte),
        };
        // At most 7 + 10 + 10 + 28 of the 64 bits are used up.
        let window = window >> (self.bit & 7);
        let row = self.row as usize % MOST_CLUSTERS;
        let column = u64::from(tables.columns[row][window as usize % SLOTS]);
        let (column_len, column) = (column & 15, (column >> 4) as usize % MOST_CLUSTERS);
        let window = window >> column_len;
        let cell = u64::from(tables.cells[column][window as usize % SLOTS]);
        let (len, bits) = (cell & 15, cell >> 4 & 31);
        let plain = window >> len & ((1 << bits) - 1);
        self.bit += column_len + len + bits;
        let place = (cell >> 9 << bits | plain) as u32;
        let rank = tables.column_starts[column].wrapping_add(place);
        self.row = rows.get(rank as usize).copied().unwrap_or(0);
        rank
    }
}

/// Reads symbols lane by lane in turn; a damaged lane may go on in its neighbour's bytes.
fn decode_lanes(
    lanes: &mut [Lane; LANES],
    bytes: &[u8],
    tables: &Tables,
    rows: &[u8],
    root_len: usize,
    sink: &mut Sink<'_>,
) {
    let part = part_len(root_len);
    // All parts are equally long but the last ones.
    let shortest = root_len.saturating_sub(part * (LANES - 1));
    let mut blocks = [[0; BLOCK]; LANES];
    for at in (0..shortest).step_by(BLOCK) {
        let len = BLOCK.min(shortest - at);
        lanes.iter().for_each(|lane| warm(bytes, (lane.bit >> 3) as usize, BLOCK * 2));
        let mut current = *lanes;
        for step in 0..len {
            for (lane, block) in current.iter_mut().zip(&mut blocks) {
                block[step] = lane.next(bytes, tables, rows);
            }
        }
        *lanes = current;
        for (number, block) in blocks.iter().enumerate() {
            sink.take(number * part + at, &block[..len]);
        }
    }
    for (number, lane) in lanes.iter_mut().enumerate() {
        for at in number * part + shortest..root_len.min((number + 1) * part) {
            sink.take(at, &[lane.next(bytes, tables, rows)]);
        }
    }
}
