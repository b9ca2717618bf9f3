//! Encodes a root in Huffman codes. [`root_read`](super::root_read) is the decoder.
//!
//! A symbol is stored as its column, in the context of the row before it, and its place in the column,
//! as in [`rules`](super::rules), but by Huffman codes and plain bits in one bit string per lane.
//! Decoding takes one fetch of bits and three look-ups per symbol, half the work of two steps of rANS,
//! for half a percent of size. Where a few symbols occur nearly always, a whole bit is too much for
//! them; such roots are left to rANS.
//!
//! A rare symbol may be stored by its distance instead of its cell: see
//! [`backrefs`](crate::format::segment::codec::backrefs). Natural text gains hardly anything by that
//! and does without.

use super::{CELLS, CELLS_AND_CLASSES};
use crate::format::bytes::put_varint;
use crate::format::clusters::Clusters;
use crate::format::layer::{Layer, put_stream};
use crate::format::segment::codec::backrefs::{Recent, class_of, is_far};
use crate::format::segment::codec::bits::BitWriter;
use crate::format::segment::codec::huffman::HuffmanCode;
use crate::format::segment::codec::lanes::{LANES, part_len};
use crate::format::segment::numbering::cells::{FINE, cell_of, cell_start};
use crate::format::segment::numbering::ranks::{RankedGrammar, rank_columns, symbol_rows};
use rayon::prelude::*;

/// Huffman codes may exceed the entropy by one part in this many,
const MOST_LOSS: f64 = 128.0;
/// plus this many bits, which do not matter in a small root.
const SPARE_BITS: f64 = 256.0;
/// Back-references must save one part in this many.
const LEAST_SAVING: f64 = 40.0;
/// A symbol is rare if its cell and plain bits take this many bits.
const RARE_BITS: u32 = 5;
/// Estimated bits of a distance's class, before its code exists.
const CLASS_BITS: u32 = 3;

/// A root and its codes, ready to be encoded.
pub(crate) struct RootWriter<'a> {
    ranked: &'a RankedGrammar,
    /// Symbols per block.
    block: usize,
    names: Vec<Name>,
    column_codes: Vec<HuffmanCode>,
    cell_codes: Vec<HuffmanCode>,
    /// By column: the first cell whose symbols are rare. Empty without back-references.
    rare_from: Vec<u8>,
}

/// All facts of a symbol that encoding needs, together: looking them up takes the most time.
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

/// How a symbol is coded.
#[derive(Clone, Copy, Debug)]
struct Coded {
    row: u8,
    column: u8,
    /// Or the class of a distance.
    cell: u8,
    plain: u32,
    plain_bits: u8,
}

/// How often columns and cells occur in their contexts, and the number of plain bits.
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

    /// The entropy in bits, plain bits included.
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

/// Bits of each cell and class, by column; [`NEVER`] for those without a code.
type Costs = Vec<Vec<u32>>;
const NEVER: u32 = u32::MAX / 2;

impl<'a> RootWriter<'a> {
    /// Makes the codes; `None` if rANS takes much less. Blocks have `block` symbols, the last perhaps
    /// fewer.
    pub(crate) fn new(
        ranked: &'a RankedGrammar,
        clusters: &Clusters,
        block: usize,
    ) -> Option<Self> {
        let mut root = Self {
            ranked,
            block,
            names: names(ranked, clusters),
            column_codes: Vec::new(),
            cell_codes: Vec::new(),
            rare_from: Vec::new(),
        };
        let counts = root.count(&root.parts(), &Vec::new());
        (root.column_codes, root.cell_codes) = (codes(&counts.columns), codes(&counts.cells));
        let (coded, entropy) = (root.coded_bits(&counts), counts.entropy());
        let is_close = coded <= entropy + entropy / MOST_LOSS + SPARE_BITS;
        let least = if is_close { coded } else { entropy };
        root.try_backrefs(&counts, least - least / LEAST_SAVING);
        (is_close || root.has_backrefs()).then_some(root)
    }

    /// Whether there are back-references.
    pub(crate) fn has_backrefs(&self) -> bool {
        !self.rare_from.is_empty()
    }

    /// Switches to codes with back-references if the root then takes at most `most_bits`. `named`
    /// counts all symbols by their cells.
    fn try_backrefs(&mut self, named: &Counts, most_bits: f64) {
        let mut costs = self.costs();
        self.rare_from = costs.iter().map(|costs| first_rare(costs)).collect();
        costs.iter_mut().for_each(|costs| costs[CELLS..].fill(CLASS_BITS));
        // A quarter of the root is enough to decide whether it is worth trying.
        let sample: Vec<&[u32]> = self.parts().into_iter().step_by(4).collect();
        let promised = self.count(&sample, &costs).entropy()
            / self.count(&sample, &Vec::new()).entropy().max(1.0);
        if promised > 1.0 - 0.5 / LEAST_SAVING {
            self.rare_from.clear();
            return;
        }
        let mut counts = self.count(&self.parts(), &costs);
        // Every symbol needs a code for its cell, even if it was always a back-reference.
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

    /// Bits of cells and classes in the current codes.
    fn costs(&self) -> Costs {
        let of_cell = |code: &HuffmanCode, cell: usize| match code.length(cell as u8) {
            Some(length) => u32::from(length),
            None => NEVER,
        };
        let of_column = |code| (0..CELLS_AND_CLASSES).map(|cell| of_cell(code, cell)).collect();
        self.cell_codes.iter().map(of_column).collect()
    }

    /// Bits that the codes take for these counts.
    fn coded_bits(&self, counts: &Counts) -> f64 {
        let of = |codes: &[HuffmanCode], counts: &[Vec<u32>]| -> u64 {
            let of_context = |(code, counts): (&HuffmanCode, &Vec<u32>)| -> u64 {
                let used = (0u8..=255).zip(counts).filter(|&(_, &count)| count > 0);
                used.map(|(symbol, &count)| u64::from(count) * u64::from(code.get(symbol).1)).sum()
            };
            codes.iter().zip(counts).map(of_context).sum()
        };
        let coded = of(&self.column_codes, &counts.columns) + of(&self.cell_codes, &counts.cells);
        (coded + counts.plain_bits) as f64
    }

    fn count(&self, parts: &[&[u32]], costs: &Costs) -> Counts {
        let clusters = self.ranked.ranks.column_starts.len() - 1;
        let nothing = || (self.recent(costs), Counts::new(clusters));
        let count_part = |(mut recent, mut counts): (Recent, Counts), part: &&[u32]| {
            self.code_part(part, costs, &mut recent, |coded| {
                counts.columns[usize::from(coded.row)][usize::from(coded.column)] += 1;
                counts.cells[usize::from(coded.column)][usize::from(coded.cell)] += 1;
                counts.plain_bits += u64::from(coded.plain_bits);
            });
            (recent, counts)
        };
        let counts = parts.par_iter().fold(nothing, count_part).map(|(_, counts)| counts);
        counts.reduce(|| Counts::new(clusters), Counts::plus)
    }

    /// Rings for [`code_part`](Self::code_part), empty without back-references.
    fn recent(&self, costs: &Costs) -> Recent {
        Recent::new(if costs.is_empty() { 0 } else { self.names.len() })
    }

    fn blocks(&self) -> std::slice::Chunks<'a, u32> {
        self.ranked.grammar.root().chunks(self.block)
    }

    /// The parts of all blocks, one per lane that has symbols.
    fn parts(&self) -> Vec<&'a [u32]> {
        self.blocks().flat_map(|block| block.chunks(part_len(block.len()))).collect()
    }

    /// Calls `emit` for each symbol of a part: by its cell if there are no `costs`, else by the
    /// cheaper of cell and distance.
    fn code_part(
        &self,
        part: &[u32],
        costs: &Costs,
        recent: &mut Recent,
        mut emit: impl FnMut(Coded),
    ) {
        recent.start();
        let mut row = 0;
        for &symbol in part {
            let Name { rank, column, cell, row: next_row } = self.names[symbol as usize];
            let place = rank - self.ranked.ranks.column_starts[usize::from(column)];
            let (start, plain_bits) = cell_start::<FINE>(cell);
            let mut coded = Coded { row, column, cell, plain: place - start, plain_bits };
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
                        coded.cell = (CELLS as u8) + class;
                        (coded.plain, coded.plain_bits) = (plain, class);
                        if is_far(class) {
                            recent.keep(column, rank);
                        }
                    }
                    _ => recent.keep(column, rank),
                }
            }
            emit(coded);
        }
    }

    /// Appends the codes.
    pub(crate) fn encode_codes(&self, out: &mut Vec<u8>, layer: Layer) {
        let mut lengths = Vec::new();
        for code in self.column_codes.iter().chain(&self.cell_codes) {
            code.write(&mut lengths);
        }
        lengths.extend_from_slice(&self.rare_from);
        put_stream(out, layer, &lengths);
    }

    /// The blocks, each with all its lanes.
    pub(crate) fn encode_blocks(&self) -> Vec<Vec<u8>> {
        let costs = if self.has_backrefs() { self.costs() } else { Vec::new() };
        let encode_part = |recent: &mut Recent, part: &&[u32]| {
            let mut bits = BitWriter::default();
            self.code_part(part, &costs, recent, |coded| {
                let (code, len) = self.column_codes[usize::from(coded.row)].get(coded.column);
                bits.push(code, len);
                let (code, len) = self.cell_codes[usize::from(coded.column)].get(coded.cell);
                bits.push(code, len);
                bits.push(coded.plain, coded.plain_bits);
            });
            bits.finish()
        };
        let lanes: Vec<Vec<u8>> =
            self.parts().par_iter().map_init(|| self.recent(&costs), encode_part).collect();
        let mut lanes = lanes.into_iter();
        let encode_block = |block: &[u32]| {
            let used = block.len().div_ceil(part_len(block.len()));
            let mut out = Vec::new();
            for lane in lanes.by_ref().take(used) {
                put_varint(&mut out, lane.len() as u64);
                out.extend_from_slice(&lane);
            }
            out.resize(out.len() + LANES - used, 0);
            out
        };
        self.blocks().map(encode_block).collect()
    }
}

fn codes(counts: &[Vec<u32>]) -> Vec<HuffmanCode> {
    counts.iter().map(|counts| HuffmanCode::new(counts)).collect()
}

/// The first cell of a column whose symbols are rare.
fn first_rare(costs: &[u32]) -> u8 {
    let bits =
        |cell: u8| costs[usize::from(cell)].saturating_add(u32::from(cell_start::<FINE>(cell).1));
    let rare = (0..CELLS as u8).find(|&cell| (RARE_BITS..NEVER).contains(&bits(cell)));
    rare.unwrap_or(CELLS as u8)
}
