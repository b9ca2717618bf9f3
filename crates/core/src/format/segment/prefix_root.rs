//! The root by prefix codes in eight lanes: the coding of level `default`.
//!
//! A symbol is its column, in the context of the row before it, and its place in the column, as in
//! [`static_model`]: here by prefix codes and plain bits in one stream a lane. Reading takes one
//! fetch of bits and three look-ups a symbol, half the work of two steps of rANS, for half a percent
//! of size. Where a few symbols come nearly always a whole bit is too coarse for them; such roots
//! are left to rANS.
//!
//! In place of its cell a rare symbol may have its distance from where it last came; see
//! [`recall`](super::recall). Natural text hardly gains by it and goes without.

use super::cells::{FINE, cell_of, cell_start, cells};
use super::lanes::{BitWriter, LANES, last_window, warm};
use super::prefix::{PrefixCode, SLOTS, read_code};
use super::ranks::{Clusters, MOST_CLUSTERS, RankedGrammar, Ranks, Run};
use super::recall::{CLASSES, Recent, Rings, class_of, is_far};
use super::sink::{BLOCK, Sink};
use super::static_model::{self, part_len, rank_columns, symbol_rows};
use super::{Parts, Shape};
use crate::format::bytes::{ByteReader, Malformed, put_varint};
use crate::format::layer::{Layer, put_stream, take_stream};
use crate::threads::on_threads;
use rayon::prelude::*;

/// Prefix codes may take one part in so many more than the entropy of what they code,
const MOST_LOSS: f64 = 128.0;
/// and so many bits in any case: in a small root they are nothing.
const SPARE_BITS: f64 = 256.0;
/// Recalling must save one part in so many.
const LEAST_SAVING: f64 = 40.0;
/// A symbol is rare if its cell and plain bits take so many bits,
const RARE_BITS: u32 = 5;
/// and a distance's class is thought to take so many before it is known.
const CLASS_BITS: u32 = 3;

const CELLS: usize = cells(FINE);
/// In the place of cells: classes of distances.
const CELLS_AND_CLASSES: usize = CELLS + CLASSES;

/// A root and its codes, before it is written.
pub(super) struct PrefixRoot<'a> {
    ranked: &'a RankedGrammar,
    names: Vec<Name>,
    column_codes: Vec<PrefixCode>,
    cell_codes: Vec<PrefixCode>,
    /// Per column: the first cell whose symbols are rare. Empty if no symbol is recalled.
    rare_from: Vec<u8>,
}

/// What is to be known of a symbol, in one place: looking it up is what takes time.
#[derive(Clone, Copy, Debug)]
struct Name {
    rank: u32,
    row: u8,
    column: u8,
    cell: u8,
}

/// By symbol.
fn names(ranked: &RankedGrammar, clusters: &Clusters) -> Vec<Name> {
    let columns = rank_columns(&ranked.ranks);
    let name = |(row, &rank): (u8, &u32)| {
        let column = columns.get(rank as usize).copied().unwrap_or(0);
        let place = rank - ranked.ranks.column_starts[usize::from(column)];
        Name { rank, row, column, cell: cell_of::<FINE>(place) }
    };
    symbol_rows(&ranked.grammar, clusters).into_iter().zip(&ranked.rank_of).map(name).collect()
}

/// A symbol as it is told.
#[derive(Clone, Copy, Debug)]
struct Told {
    row: u8,
    column: u8,
    /// Or a class of distances.
    cell: u8,
    plain: u32,
    plain_bits: u8,
}

/// How often columns and cells come in their contexts, and the number of plain bits.
#[derive(Debug)]
struct Counts {
    columns: Vec<Vec<u32>>,
    cells: Vec<Vec<u32>>,
    plain_bits: u64,
}

impl Counts {
    fn new(clusters: usize) -> Self {
        Self {
            columns: vec![vec![0; clusters]; clusters],
            cells: vec![vec![0; CELLS_AND_CLASSES]; clusters],
            plain_bits: 0,
        }
    }

    fn plus(mut self, other: Self) -> Self {
        let own = self.columns.iter_mut().chain(&mut self.cells).flatten();
        let others = other.columns.iter().chain(&other.cells).flatten();
        own.zip(others).for_each(|(own, other)| *own += other);
        self.plain_bits += other.plain_bits;
        self
    }

    /// Bits that no code can do without.
    fn entropy(&self) -> f64 {
        let of_context = |counts: &Vec<u32>| -> f64 {
            let total: f64 = counts.iter().map(|&count| f64::from(count)).sum();
            let used = counts.iter().filter(|&&count| count > 0).map(|&count| f64::from(count));
            used.map(|count| count * (total / count).log2()).sum()
        };
        let coded: f64 = self.columns.iter().chain(&self.cells).map(of_context).sum();
        coded + self.plain_bits as f64
    }
}

/// Bits of each cell and class, by column; [`NEVER`] if it has no code.
type Costs = Vec<Vec<u32>>;
const NEVER: u32 = u32::MAX / 2;

impl<'a> PrefixRoot<'a> {
    /// Makes the codes, unless rANS takes much less.
    pub(super) fn new(ranked: &'a RankedGrammar, clusters: &Clusters) -> Option<Self> {
        let mut root = Self {
            ranked,
            names: names(ranked, clusters),
            column_codes: Vec::new(),
            cell_codes: Vec::new(),
            rare_from: Vec::new(),
        };
        let counts = root.count(root.parts(), &Vec::new());
        (root.column_codes, root.cell_codes) = (codes(&counts.columns), codes(&counts.cells));
        let (coded, entropy) = (root.coded_bits(&counts), counts.entropy());
        let is_close = coded <= entropy + entropy / MOST_LOSS + SPARE_BITS;
        let least = if is_close { coded } else { entropy };
        root.recall(&counts, least - least / LEAST_SAVING);
        (is_close || root.recalls()).then_some(root)
    }

    /// Whether rare symbols are recalled.
    pub(super) fn recalls(&self) -> bool {
        !self.rare_from.is_empty()
    }

    /// Changes to codes by which rare symbols are recalled, if the root then takes less than
    /// `most_bits`; `named` has all symbols by their cells.
    fn recall(&mut self, named: &Counts, most_bits: f64) {
        let mut costs = self.costs();
        self.rare_from = costs.iter().map(|costs| first_rare(costs)).collect();
        costs.iter_mut().for_each(|costs| costs[CELLS..].fill(CLASS_BITS));
        // A quarter of the root tells whether to go on.
        let sample = || self.parts().step_by(4);
        let promised = self.count(sample(), &costs).entropy()
            / self.count(sample(), &Vec::new()).entropy().max(1.0);
        if promised > 1.0 - 0.5 / LEAST_SAVING {
            self.rare_from.clear();
            return;
        }
        let mut counts = self.count(self.parts(), &costs);
        // Any symbol must have a code by its cell, also those that were always recalled.
        for (counts, named) in counts.cells.iter_mut().zip(&named.cells) {
            let missing = counts.iter_mut().zip(named).filter(|(count, _)| **count == 0);
            missing.for_each(|(count, &named)| *count = named.min(1));
        }
        let named_codes = std::mem::replace(&mut self.cell_codes, codes(&counts.cells));
        if self.coded_bits(&counts) > most_bits {
            self.cell_codes = named_codes;
            self.rare_from.clear();
        }
    }

    /// Bits of cells and classes as the codes are now.
    fn costs(&self) -> Costs {
        let of_cell = |code: &PrefixCode, cell: usize| match code.length(cell as u8) {
            Some(length) => u32::from(length),
            None => NEVER,
        };
        let of_column = |code| (0..CELLS_AND_CLASSES).map(|cell| of_cell(code, cell)).collect();
        self.cell_codes.iter().map(of_column).collect()
    }

    /// Bits that the codes take for what was counted.
    fn coded_bits(&self, counts: &Counts) -> f64 {
        let of = |codes: &[PrefixCode], counts: &[Vec<u32>]| -> u64 {
            let of_context = |(code, counts): (&PrefixCode, &Vec<u32>)| -> u64 {
                let used = (0u8..=255).zip(counts).filter(|&(_, &count)| count > 0);
                used.map(|(symbol, &count)| u64::from(count) * u64::from(code.get(symbol).1)).sum()
            };
            codes.iter().zip(counts).map(of_context).sum()
        };
        let coded = of(&self.column_codes, &counts.columns) + of(&self.cell_codes, &counts.cells);
        (coded + counts.plain_bits) as f64
    }

    fn count<'p>(
        &self,
        parts: impl IndexedParallelIterator<Item = &'p [u32]>,
        costs: &Costs,
    ) -> Counts {
        let clusters = self.ranked.ranks.column_starts.len() - 1;
        let count_part = |recent: &mut Recent, part: &[u32]| {
            let mut counts = Counts::new(clusters);
            self.tell(part, costs, recent, |told| {
                counts.columns[usize::from(told.row)][usize::from(told.column)] += 1;
                counts.cells[usize::from(told.column)][usize::from(told.cell)] += 1;
                counts.plain_bits += u64::from(told.plain_bits);
            });
            counts
        };
        parts
            .map_init(|| self.recent(costs), count_part)
            .reduce(|| Counts::new(clusters), Counts::plus)
    }

    /// What [`tell`](Self::tell) needs if symbols are recalled.
    fn recent(&self, costs: &Costs) -> Recent {
        Recent::new(if costs.is_empty() { 0 } else { self.names.len() })
    }

    /// One part a lane; the last may be missing.
    fn parts(&self) -> impl IndexedParallelIterator<Item = &'a [u32]> + use<'a> {
        let root = self.ranked.grammar.root();
        root.par_chunks(part_len(root.len()))
    }

    /// Tells the symbols of a part; by cells alone if there are no `costs`, else by what costs less.
    fn tell(&self, part: &[u32], costs: &Costs, recent: &mut Recent, mut hear: impl FnMut(Told)) {
        recent.start();
        let mut row = 0;
        for &symbol in part {
            let Name { rank, column, cell, row: next_row } = self.names[symbol as usize];
            let place = rank - self.ranked.ranks.column_starts[usize::from(column)];
            let (start, plain_bits) = cell_start::<FINE>(cell);
            let mut told = Told { row, column, cell, plain: place - start, plain_bits };
            row = next_row;
            if let Some(costs) = costs.get(usize::from(column))
                && cell >= self.rare_from[usize::from(column)]
            {
                let named_bits = costs[usize::from(cell)] + u32::from(plain_bits);
                let recalled = recent.distance(column, rank).map(|distance| {
                    let class = class_of(distance);
                    (class, distance - (1 << class))
                });
                match recalled {
                    Some((class, plain))
                        if costs[CELLS + usize::from(class)] + u32::from(class) < named_bits =>
                    {
                        told.cell = (CELLS as u8) + class;
                        (told.plain, told.plain_bits) = (plain, class);
                        if is_far(class) {
                            recent.keep(column, rank);
                        }
                    }
                    _ => recent.keep(column, rank),
                }
            }
            hear(told);
        }
    }

    /// Appends the rules, then the root.
    pub(super) fn encode(&self, out: &mut Vec<u8>, clusters: &Clusters, layer: Layer) {
        let rules = || {
            let mut rules = Vec::new();
            static_model::encode(&mut rules, self.ranked, clusters, layer, false);
            rules
        };
        let (rules, lanes) = rayon::join(rules, || self.encode_lanes());
        out.extend_from_slice(&rules);
        let mut lengths = Vec::new();
        for code in self.column_codes.iter().chain(&self.cell_codes) {
            code.write(&mut lengths);
        }
        lengths.extend_from_slice(&self.rare_from);
        put_stream(out, layer, &lengths);
        for lane in 0..LANES {
            let lane = lanes.get(lane).map_or(&[][..], |lane| lane);
            put_varint(out, lane.len() as u64);
            out.extend_from_slice(lane);
        }
    }

    /// The lanes that have symbols.
    fn encode_lanes(&self) -> Vec<Vec<u8>> {
        let costs = if self.recalls() { self.costs() } else { Vec::new() };
        let encode_part = |recent: &mut Recent, part: &[u32]| {
            let mut bits = BitWriter::default();
            self.tell(part, &costs, recent, |told| {
                let (code, len) = self.column_codes[usize::from(told.row)].get(told.column);
                bits.push(code, len);
                let (code, len) = self.cell_codes[usize::from(told.column)].get(told.cell);
                bits.push(code, len);
                bits.push(told.plain, told.plain_bits);
            });
            bits.finish()
        };
        self.parts().map_init(|| self.recent(&costs), encode_part).collect()
    }
}

fn codes(counts: &[Vec<u32>]) -> Vec<PrefixCode> {
    counts.iter().map(|counts| PrefixCode::new(counts)).collect()
}

/// The first cell of a column whose symbols are rare.
fn first_rare(costs: &[u32]) -> u8 {
    let bits =
        |cell: u8| costs[usize::from(cell)].saturating_add(u32::from(cell_start::<FINE>(cell).1));
    let rare = (0..CELLS as u8).find(|&cell| (RARE_BITS..NEVER).contains(&bits(cell)));
    rare.unwrap_or(CELLS as u8)
}

pub(super) fn decode(
    reader: &mut ByteReader<'_>,
    clusters: &Clusters,
    ranks: &Ranks,
    runs: &[Run],
    shape: Shape,
    recalls: bool,
) -> Result<Parts, Malformed> {
    let (mut parts, rows) = static_model::decode_rules_only(reader, clusters, ranks, runs, shape)?;
    let at = reader.offset();
    let damaged = |what: &str| Malformed::at(at, format!("the root: {what}"));
    let lengths = take_stream(reader)?;
    let mut lengths = ByteReader::new(&lengths);
    let tables = Tables::read(&mut lengths, clusters.count, &ranks.column_starts, recalls)
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
    let source = Source { bytes, tables: &tables, rows: &rows, recalls };
    let root_uses = decode_root(&source, &mut lanes, ranks, shape, &mut parts.symbols)
        .ok_or_else(|| damaged("a symbol does not exist"))?;
    if lanes.iter().any(|lane| lane.bit.next_multiple_of(8) != lane.end) {
        return Err(damaged("bytes are left over or missing"));
    }
    Ok(Parts { root_uses, ..parts })
}

/// Reads the root into the beginning of `symbols`, or tallies it; its lanes are divided among threads.
/// `None` if a symbol does not exist.
fn decode_root(
    source: &Source<'_>,
    lanes: &mut [Lane; LANES],
    ranks: &Ranks,
    shape: Shape,
    symbols: &mut [u32],
) -> Option<Vec<u32>> {
    let threads = shape.threads_for(shape.root_len).min(LANES);
    let lanes_each = LANES >> threads.ilog2();
    let part = part_len(shape.root_len);
    let mut left = shape.root_len;
    let mut room = &mut symbols[..shape.root_room()];
    let groups = lanes.chunks_mut(lanes_each).map(|lanes| {
        let len = left.min(part * lanes_each);
        left -= len;
        let (own, rest) = std::mem::take(&mut room).split_at_mut(len.min(shape.root_room()));
        room = rest;
        (lanes, len, shape.root_sink(ranks, own))
    });
    let sinks = on_threads(groups.collect(), |(lanes, len, mut sink)| {
        match lanes_each {
            8 => source.decode_lanes::<8>(lanes, part, len, &mut sink),
            4 => source.decode_lanes::<4>(lanes, part, len, &mut sink),
            2 => source.decode_lanes::<2>(lanes, part, len, &mut sink),
            _ => source.decode_lanes::<1>(lanes, part, len, &mut sink),
        }
        sink
    });
    let whole = sinks.into_iter().reduce(|mut whole, sink| {
        whole.absorb(sink);
        whole
    });
    whole?.finish(shape.symbols())
}

/// What the next bits of a lane say, by their first ones. Both tables together are small enough to
/// leave room for the rows of all ranks in a core's own cache: waiting for those is what takes time.
struct Tables {
    /// By row: length of the code in 4 bits, and the column.
    columns: Box<[[u16; SLOTS]; MOST_CLUSTERS]>,
    /// By column: length of the code in 4 bits, number of plain bits in 5, what stands before them
    /// in the place or distance in 4, and whether the symbol is kept, and recalled.
    cells: Box<[[u16; SLOTS]; MOST_CLUSTERS]>,
    column_starts: [u32; MOST_CLUSTERS],
}

impl Tables {
    fn read(
        reader: &mut ByteReader<'_>,
        clusters: usize,
        column_starts: &[u32],
        recalls: bool,
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
        let alphabet = if recalls { CELLS_AND_CLASSES } else { CELLS };
        for slots in &mut tables.cells[..clusters] {
            read_code(reader, alphabet, slots, |cell, len| {
                let entry = match cell.checked_sub(CELLS as u8) {
                    None => {
                        let (start, bits) = cell_start::<FINE>(cell);
                        (start >> bits << 9) as u16 | u16::from(bits) << 4
                    }
                    Some(class) => {
                        let kept = if is_far(class) { KEPT } else { 0 };
                        1 << 9 | u16::from(class) << 4 | kept | RECALLED
                    }
                };
                entry | u16::from(len)
            })?;
        }
        let rare_from = if recalls { reader.take(clusters)? } else { &[] };
        for (slots, &rare_from) in tables.cells.iter_mut().zip(rare_from) {
            let first = cell_start::<FINE>(rare_from).0;
            for entry in slots.iter_mut().filter(|entry| **entry & RECALLED == 0) {
                let start = u32::from(*entry >> 9) << (*entry >> 4 & 31);
                *entry |= if start >= first { KEPT } else { 0 };
            }
        }
        Ok(tables)
    }
}

/// In an entry of [`Tables::cells`].
const KEPT: u16 = 1 << 13;
const RECALLED: u16 = 1 << 14;

/// The reading end of a lane.
#[derive(Clone, Copy, Debug, Default)]
struct Lane {
    /// Where the next bit lies, and where bits end.
    bit: u64,
    end: u64,
    /// The row of the last symbol.
    row: u8,
}

/// What all lanes are read from.
struct Source<'a> {
    bytes: &'a [u8],
    tables: &'a Tables,
    /// By rank.
    rows: &'a [u8],
    recalls: bool,
}

impl Source<'_> {
    /// The rank of a lane's next symbol, which may be out of range in a damaged file.
    #[inline(always)]
    fn next<const RECALLS: bool>(&self, lane: &mut Lane, rings: &mut Rings) -> u32 {
        let Self { bytes, tables, rows, .. } = self;
        let byte = (lane.bit >> 3) as usize;
        let window = match bytes.get(byte..byte + 8) {
            Some(window) => u64::from_le_bytes(window.try_into().expect("eight bytes")),
            None => last_window(bytes, byte),
        };
        // At most 7 + 10 + 10 + 28 of the 64 bits are used up.
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
        let mut rank = tables.column_starts[column].wrapping_add(place);
        if RECALLS {
            rank = rings.pass(column, rank, place, entry & RECALLED != 0, entry & KEPT != 0);
        }
        lane.row = rows.get(rank as usize).copied().unwrap_or(0);
        rank
    }

    /// Reads `len` symbols of `N` lanes, `part` of each but the last ones.
    fn decode_lanes<const N: usize>(
        &self,
        lanes: &mut [Lane],
        part: usize,
        len: usize,
        sink: &mut Sink<'_>,
    ) {
        let lanes: &mut [Lane; N] = lanes.try_into().expect("so many lanes");
        if self.recalls {
            self.decode::<true, N>(lanes, part, len, sink);
        } else {
            self.decode::<false, N>(lanes, part, len, sink);
        }
    }

    /// Reads symbols lane by lane in turn; a damaged lane may go on in its neighbour's bytes.
    fn decode<const RECALLS: bool, const N: usize>(
        &self,
        lanes: &mut [Lane; N],
        part: usize,
        len: usize,
        sink: &mut Sink<'_>,
    ) {
        // All parts are equally long but the last ones.
        let shortest = len.saturating_sub(part * (N - 1));
        let mut rings: [Rings; N] = std::array::from_fn(|_| Rings::new());
        let mut blocks = [[0; BLOCK]; N];
        for at in (0..shortest).step_by(BLOCK) {
            let steps = BLOCK.min(shortest - at);
            lanes.iter().for_each(|lane| warm(self.bytes, (lane.bit >> 3) as usize, BLOCK * 2));
            let mut current = *lanes;
            for step in 0..steps {
                for ((lane, rings), block) in current.iter_mut().zip(&mut rings).zip(&mut blocks) {
                    block[step] = self.next::<RECALLS>(lane, rings);
                }
            }
            *lanes = current;
            for (number, block) in blocks.iter().enumerate() {
                sink.take(number * part + at, &block[..steps]);
            }
        }
        for (number, (lane, rings)) in lanes.iter_mut().zip(&mut rings).enumerate() {
            for at in number * part + shortest..len.min((number + 1) * part) {
                sink.take(at, &[self.next::<RECALLS>(lane, rings)]);
            }
        }
    }
}
