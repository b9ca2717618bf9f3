//! Rules in eight lanes of rANS, for all codings of level `default`, and the root for coding 1.
//!
//! | what | coded by | in the context of |
//! |---|---|---|
//! | a rule's length | its cell, plain bits | the rule's frequency level |
//! | a rule's first symbol | its rank minus that of the previous rule in the run | the last distance |
//! | any other symbol: column | column | the row of the previous symbol |
//! | place in the column | its cell, plain bits | the column |
//!
//! Rules are stored from the deepest DAG level up, so that a symbol's row (that of its last token) is
//! known when the next symbol is decoded. Rule `r` is in lane `r % 8`; the root is cut into eight parts.

use crate::format::bytes::{ByteReader, Malformed};
use crate::format::clusters::{Clusters, MOST_CLUSTERS};
use crate::format::layer::Layer;
use crate::format::segment::codec::CHUNK;
use crate::format::segment::codec::lanes::{self, LANES, part_len};
use crate::format::segment::codec::rans::{
    self, DecodeTable, Lane, RansDecoder, Script, TableShape,
};
use crate::format::segment::numbering::cells::{COARSE, cell_of, cell_start};
use crate::format::segment::numbering::ranks::{
    RankedGrammar, Ranks, Run, rank_columns, symbol_rows,
};
use crate::format::segment::root_sink::Sink;
use crate::format::segment::shape::{Parts, Shape};

/// Tables by number.
const LENGTH: usize = 0;
const DISTANCE: usize = 1;
const RULE_COLUMN: usize = 2;
const RULE_CELL: usize = 3;
const ROOT_COLUMN: usize = 4;
const ROOT_CELL: usize = 5;

/// Cells of a table; the last ones belong to no number.
const CELLS: usize = 128;

const LENGTH_CONTEXTS: usize = 8;
const DISTANCE_CONTEXTS: usize = CELLS / 4;

fn table_shapes(clusters: usize) -> [TableShape; 6] {
    let column = TableShape { contexts: clusters, alphabet: clusters };
    let cell = TableShape { contexts: clusters, alphabet: CELLS };
    [
        TableShape { contexts: LENGTH_CONTEXTS, alphabet: CELLS },
        TableShape { contexts: DISTANCE_CONTEXTS, alphabet: CELLS },
        column,
        cell,
        column,
        cell,
    ]
}

fn length_context(run: &Run) -> usize {
    (run.frequency_level as usize / 2).min(LENGTH_CONTEXTS - 1)
}

fn distance_context(last_cell: u8) -> usize {
    last_cell as usize / 4
}

/// Encodes the rules, and the root if it is wanted here.
pub(crate) fn encode(
    out: &mut Vec<u8>,
    ranked: &RankedGrammar,
    clusters: &Clusters,
    layer: Layer,
    with_root: bool,
) {
    let RankedGrammar { grammar, runs, ranks, rank_of } = ranked;
    let rows = symbol_rows(grammar, clusters);
    let columns = rank_columns(ranks);
    let mut scripts: Vec<Script> = (0..LANES).map(|_| Script::default()).collect();
    let push_number = |script: &mut Script, table: usize, context: usize, number: u32| -> u8 {
        let cell = cell_of::<COARSE>(number);
        let (start, bits) = cell_start::<COARSE>(cell);
        script.push(table, context, cell);
        script.push_plain(number - start, bits);
        cell
    };
    let push_symbol = |script: &mut Script, tables: [usize; 2], row: u8, symbol: u32| {
        let rank = rank_of[symbol as usize];
        let column = columns[rank as usize];
        script.push(tables[0], row as usize, column);
        let place = rank - ranks.column_starts[column as usize];
        push_number(script, tables[1], column as usize, place);
    };

    let mut rule = 1;
    for run in runs {
        for _ in 0..run.count {
            let length = grammar.rule(rule).len() as u32 - 2;
            push_number(&mut scripts[rule % LANES], LENGTH, length_context(run), length);
            rule += 1;
        }
    }
    for run in runs.iter().rev() {
        let mut last_rank = ranks.column_starts[run.column as usize];
        let mut last_cell = 0;
        let first_rule = rule - run.count as usize;
        for rule in first_rule..rule {
            let script = &mut scripts[rule % LANES];
            let body = grammar.rule(rule);
            let rank = rank_of[body[0] as usize];
            last_cell =
                push_number(script, DISTANCE, distance_context(last_cell), rank - last_rank);
            last_rank = rank;
            for pair in body.windows(2) {
                push_symbol(script, [RULE_COLUMN, RULE_CELL], rows[pair[0] as usize], pair[1]);
            }
        }
        rule = first_rule;
    }
    let root = if with_root { grammar.root() } else { &[] };
    for (script, part) in scripts.iter_mut().zip(root.chunks(part_len(root.len()))) {
        let mut row = 0;
        for &symbol in part {
            push_symbol(script, [ROOT_COLUMN, ROOT_CELL], row, symbol);
            row = rows[symbol as usize];
        }
    }
    rans::encode(out, &table_shapes(clusters.count), scripts, layer);
}

/// Decodes rules and root.
pub(crate) fn decode(
    reader: &mut ByteReader<'_>,
    clusters: &Clusters,
    ranks: &Ranks,
    runs: &[Run],
    shape: Shape,
) -> Result<Parts, Malformed> {
    let root = |decoder: &mut RansDecoder<'_>, places: &Places<'_>, room: &mut [u32]| {
        let mut sink = shape.root_sink(ranks, room);
        decode_root(decoder, places, shape.root_len, &mut sink);
        sink.finish(shape.symbols())
    };
    decode_with(reader, clusters, ranks, runs, shape, root).map(|(parts, _)| parts)
}

/// Decodes the rules alone, and leaves room for the root. Also returns the row of each rank.
pub(crate) fn decode_rules_only(
    reader: &mut ByteReader<'_>,
    clusters: &Clusters,
    ranks: &Ranks,
    runs: &[Run],
    shape: Shape,
) -> Result<(Parts, Vec<u8>), Malformed> {
    decode_with(reader, clusters, ranks, runs, shape, |_, _, _| Some(Vec::new()))
}

/// Decodes the rules, then the root by `root`, which gets room for it and returns its tally.
fn decode_with(
    reader: &mut ByteReader<'_>,
    clusters: &Clusters,
    ranks: &Ranks,
    runs: &[Run],
    shape: Shape,
    root: impl FnOnce(&mut RansDecoder<'_>, &Places<'_>, &mut [u32]) -> Option<Vec<u32>>,
) -> Result<(Parts, Vec<u8>), Malformed> {
    let at = reader.offset();
    let damaged = |what: &str| Malformed::at(at, format!("lanes: {what}"));
    let mut decoder = RansDecoder::new(reader, &table_shapes(clusters.count))?;
    let rule_starts = decode_lengths(&mut decoder, runs, shape)?;
    let mut symbols = vec![0; *rule_starts.last().expect("the root's end") as usize];
    let mut places = Places::new(ranks, clusters, shape.tokens);
    let (room, rules) = symbols.split_at_mut(shape.root_room());
    decode_rules(&mut decoder, &mut places, runs, &rule_starts, shape, rules)
        .ok_or_else(|| damaged("a rule refers to a symbol out of order"))?;
    let root_uses =
        root(&mut decoder, &places, room).ok_or_else(|| damaged("a symbol does not exist"))?;
    if !decoder.is_complete() {
        return Err(damaged("bytes are left over or missing"));
    }
    Ok((Parts { rule_starts, symbols, root_uses }, places.rows))
}

fn decode_lengths(
    decoder: &mut RansDecoder<'_>,
    runs: &[Run],
    shape: Shape,
) -> Result<Vec<u32>, Malformed> {
    let mut rule = 0;
    let lengths = runs.iter().flat_map(|run| std::iter::repeat_n(run, run.count as usize));
    shape.rule_starts(lengths.map(|run| {
        rule += 1;
        let lane = &mut decoder.lanes[rule % LANES];
        Ok(u64::from(number(lane, decoder.bytes, &decoder.tables[LENGTH], length_context(run)).0))
    }))
}

/// A number and its cell.
#[inline(always)]
fn number(lane: &mut Lane, bytes: &[u8], table: &DecodeTable, context: usize) -> (u32, u8) {
    let cell = lane.symbol(bytes, table, context);
    let (start, bits) = CELL_STARTS[(cell as usize) % CELLS];
    (start.wrapping_add(lane.plain(bytes, bits)), cell)
}

const CELL_STARTS: [(u32, u8); CELLS] = {
    let mut starts = [(0, 0); CELLS];
    let mut cell = 0;
    while cell < CELLS {
        starts[cell] = cell_start::<COARSE>(cell as u8);
        cell += 1;
    }
    starts
};

/// The facts of ranks that decoding a symbol needs.
struct Places<'a> {
    column_starts: [u32; MOST_CLUSTERS],
    symbol_of: &'a [u32],
    run_starts: &'a [u32],
    /// Row of each rank. Those of rules are filled in as rules are decoded.
    rows: Vec<u8>,
}

impl<'a> Places<'a> {
    fn new(ranks: &'a Ranks, clusters: &Clusters, tokens: u32) -> Self {
        let row = |&symbol: &u32| if symbol < tokens { clusters.rows[symbol as usize] } else { 0 };
        let mut column_starts = [u32::MAX; MOST_CLUSTERS];
        column_starts[..clusters.count].copy_from_slice(&ranks.column_starts[..clusters.count]);
        Self {
            column_starts,
            symbol_of: &ranks.symbol_of,
            run_starts: &ranks.run_starts,
            rows: ranks.symbol_of.iter().map(row).collect(),
        }
    }

    /// The row of a rank, or 0 if the rank does not exist.
    #[inline(always)]
    fn row(&self, rank: u32) -> u8 {
        self.rows.get(rank as usize).copied().unwrap_or(0)
    }

    /// The next symbol's rank, which may be out of range in a damaged file.
    #[inline(always)]
    fn rank(&self, lane: &mut Lane, bytes: &[u8], tables: [&DecodeTable; 2], row: u8) -> u32 {
        let (column, cell) = lane.two_symbols(bytes, tables, row as usize);
        let (start, bits) = CELL_STARTS[cell as usize % CELLS];
        let place = start.wrapping_add(lane.plain(bytes, bits));
        self.column_starts[column as usize % MOST_CLUSTERS].wrapping_add(place)
    }

    /// Replaces ranks by their symbols. `None` if a rank does not exist or is a rule before
    /// `first_rule`: the rules are on one level of the DAG and refer only to deeper ones.
    fn name(&self, ranks: &mut [u32], tokens: u32, first_rule: usize) -> Option<()> {
        let mut sound = true;
        for rank in ranks {
            let symbol = self.symbol_of.get(*rank as usize).copied().unwrap_or(tokens);
            sound &= symbol < tokens || symbol as usize >= tokens as usize + first_rule;
            *rank = symbol;
        }
        sound.then_some(())
    }
}

/// Fills `out`, the symbols of all rules but the root. `None` if the file is damaged.
///
/// Decodes eight rules at a time, one per lane, symbol by symbol in turn. While one lane waits, above
/// all for the row of a rank, the others are decoded.
fn decode_rules(
    decoder: &mut RansDecoder<'_>,
    places: &mut Places<'_>,
    runs: &[Run],
    rule_starts: &[u32],
    shape: Shape,
    out: &mut [u32],
) -> Option<()> {
    let RansDecoder { lanes, tables, bytes } = decoder;
    let rule_tables = [&tables[RULE_COLUMN], &tables[RULE_CELL]];
    let start_of = |rule: usize| rule_starts[rule] as usize - shape.root_room();
    let mut end = shape.rules + 1;
    for (run, &run_start) in runs.iter().zip(places.run_starts).rev() {
        let rules = end - run.count as usize..end;
        let mut rank = places.column_starts[run.column as usize];
        let mut last_cell = 0;
        for first in rules.clone().step_by(LANES) {
            let eight = first..end.min(first + LANES);
            let mut current = [0; LANES];
            for (rule, current) in eight.clone().zip(&mut current) {
                let lane = &mut lanes[rule % LANES];
                let context = distance_context(last_cell);
                let (distance, cell) = number(lane, bytes, &tables[DISTANCE], context);
                last_cell = cell;
                rank = rank.checked_add(distance)?;
                *current = rank;
                out[start_of(rule)] = rank;
            }
            let lengths = eight.clone().map(|rule| start_of(rule + 1) - start_of(rule));
            for at in 1..lengths.max().unwrap_or(0) {
                for (rule, current) in eight.clone().zip(&mut current) {
                    let slot = start_of(rule) + at;
                    if slot < start_of(rule + 1) {
                        let lane = &mut lanes[rule % LANES];
                        *current = places.rank(lane, bytes, rule_tables, places.row(*current));
                        out[slot] = *current;
                    }
                }
            }
            let own = run_start as usize + (first - rules.start);
            for (own_rank, current) in (own..).zip(&current[..eight.len()]) {
                places.rows[own_rank] = places.row(*current);
            }
        }
        let body = start_of(rules.start)..start_of(rules.end);
        places.name(&mut out[body], shape.tokens, end)?;
        end = rules.start;
    }
    Some(())
}

/// Reads the root.
fn decode_root(
    decoder: &mut RansDecoder<'_>,
    places: &Places<'_>,
    root_len: usize,
    sink: &mut Sink<'_>,
) {
    let RansDecoder { lanes, tables, bytes } = decoder;
    let tables = [&tables[ROOT_COLUMN], &tables[ROOT_CELL]];
    lanes::decode_in_turn(
        lanes,
        &mut [0; LANES],
        root_len,
        |lane| lane.warm(bytes, CHUNK * 2),
        #[inline(always)]
        |lane, row| {
            let rank = places.rank(lane, bytes, tables, *row);
            *row = places.row(rank);
            rank
        },
        |at, ranks| sink.take(at, ranks),
    );
}
