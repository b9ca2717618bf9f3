//! The coding of level `fast`: rules and root in fixed widths, decoded at memory speed.

use crate::format::bytes::{ByteReader, Malformed, put_varint};
use crate::format::layer::{Layer, put_stream, take_stream};
use crate::format::segment::codec::bitpack::{self, Packed, PackedCode};
use crate::format::segment::numbering::ranks::{RankedGrammar, Ranks};
use crate::format::segment::root_sink::Sink;
use crate::format::segment::shape::{Parts, Shape};
use rayon::prelude::*;

/// Appends the rules to the segment's bytes; returns the blocks of the root.
pub(crate) fn encode(
    out: &mut Vec<u8>,
    ranked: &RankedGrammar,
    layer: Layer,
    block: usize,
) -> Vec<Vec<u8>> {
    let grammar = &ranked.grammar;
    put_varint(out, block as u64);
    let mut lengths = Vec::new();
    for rule in 1..grammar.rule_count() {
        put_varint(&mut lengths, grammar.rule(rule).len() as u64 - 2);
    }
    put_stream(out, layer, &lengths);
    let of = |&symbol: &u32| ranked.rank_of[symbol as usize];
    let symbols = ranked.ranks.symbol_of.len();
    let widths = bitpack::best_widths(grammar.symbols().iter().map(of), symbols);
    out.extend(widths);
    let pack = |out: &mut Vec<u8>, symbols: &[u32]| {
        let ranks: Vec<u32> = symbols.iter().map(of).collect();
        bitpack::encode(out, &ranks, widths, layer);
    };
    let root = grammar.root();
    pack(out, &grammar.symbols()[root.len()..]);
    let pack_block = |symbols: &[u32]| {
        let mut out = Vec::new();
        pack(&mut out, symbols);
        out
    };
    root.par_chunks(block).map(pack_block).collect()
}

/// Reads the rules, and the code of the root's blocks.
pub(crate) fn decode_rules(
    reader: &mut ByteReader<'_>,
    ranks: &Ranks,
    shape: Shape,
) -> Result<(Parts, PackedCode), Malformed> {
    let at = reader.offset();
    let rule_starts = read_rule_starts(reader, shape)?;
    let code = PackedCode::read(reader)?;
    let mut symbols = vec![0; *rule_starts.last().expect("the root's end") as usize];
    let of_rules = &mut symbols[shape.root_room()..];
    let packed = Packed::read(reader, &code, of_rules.len())?;
    let mut sink = Sink::layout(&ranks.symbol_of, of_rules);
    let is_whole = packed.unpack(|at, ranks| sink.take(at, ranks));
    let found = sink.finish(0).filter(|_| is_whole);
    found.ok_or_else(|| Malformed::at(at, "packed symbols are damaged"))?;
    check_order(&rule_starts, &symbols, shape).map_err(|what| Malformed::at(at, what))?;
    Ok((Parts { rule_starts, symbols, root_uses: Vec::new() }, code))
}

/// Where rules start, from a stream of their lengths.
fn read_rule_starts(reader: &mut ByteReader<'_>, shape: Shape) -> Result<Vec<u32>, Malformed> {
    let at = reader.offset();
    let lengths = take_stream(reader)?;
    let mut lengths = ByteReader::new(&lengths);
    shape
        .rule_starts((0..shape.rules).map(|_| lengths.varint()))
        .and_then(|starts| lengths.expect_end().map(|()| starts))
        .map_err(|error| Malformed::at(at, format!("rule lengths: {error}")))
}

/// Checks that rules refer only to later rules.
fn check_order(rule_starts: &[u32], symbols: &[u32], shape: Shape) -> Result<(), String> {
    for rule in 1..=shape.rules {
        let body = &symbols[rule_starts[rule] as usize..rule_starts[rule + 1] as usize];
        // For a token the difference wraps to a large number.
        if body.iter().any(|&symbol| symbol.wrapping_sub(shape.tokens) <= rule as u32) {
            return Err(format!("rule {rule} refers to a rule above it"));
        }
    }
    Ok(())
}
