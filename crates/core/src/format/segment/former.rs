//! Codings that are read but not written any more: roots that are not in blocks. (The other one is
//! [`adaptive_model`](super::adaptive_model).)

use super::packed::{Packed, PackedCode};
use super::prefix_lanes::{LaneRings, PrefixReader};
use super::ranks::{Clusters, Ranks, Run};
use super::sink::Sink;
use super::{Parts, Shape, check_order, rule_starts_of_packed, static_model};
use crate::format::bytes::{ByteReader, Malformed};

/// Reads rules and root that were packed together.
pub(super) fn decode_packed(
    reader: &mut ByteReader<'_>,
    ranks: &Ranks,
    shape: Shape,
) -> Result<Parts, Malformed> {
    let at = reader.offset();
    let rule_starts = rule_starts_of_packed(reader, shape)?;
    let code = PackedCode::read(reader)?;
    let mut symbols = vec![0; *rule_starts.last().expect("the root's end") as usize];
    let (of_root, of_rules) = symbols.split_at_mut(shape.root_room());
    let packed = Packed::read(reader, &code, shape.root_len + of_rules.len())?;
    let mut root = shape.root_sink(ranks, of_root);
    let mut rules = Sink::layout(&ranks.symbol_of, of_rules);
    let is_whole = packed.unpack(|at, block| {
        let in_root = at.min(shape.root_len);
        let (of_root, of_rules) = block.split_at(block.len().min(shape.root_len - in_root));
        root.take(in_root, of_root);
        rules.take(at - in_root, of_rules);
    });
    let damaged = || Malformed::at(at, "packed symbols are damaged");
    rules.finish(0).filter(|_| is_whole).ok_or_else(damaged)?;
    let root_uses = root.finish(shape.symbols()).ok_or_else(damaged)?;
    check_order(&rule_starts, &symbols, shape).map_err(|what| Malformed::at(at, what))?;
    Ok(Parts { rule_starts, symbols, root_uses })
}

/// Reads rules by static statistics and a root by prefix codes after them.
pub(super) fn decode_prefix(
    reader: &mut ByteReader<'_>,
    clusters: &Clusters,
    ranks: &Ranks,
    runs: &[Run],
    shape: Shape,
    recalls: bool,
) -> Result<Parts, Malformed> {
    let (mut parts, rows) = static_model::decode_rules_only(reader, clusters, ranks, runs, shape)?;
    let code = PrefixReader::read(reader, clusters.count, ranks, rows, recalls)?;
    let at = reader.offset();
    let mut sink = shape.root_sink(ranks, &mut parts.symbols[..shape.root_room()]);
    code.decode(reader, shape.root_len, &mut LaneRings::default(), &mut sink)?;
    let root_uses = sink
        .finish(shape.symbols())
        .ok_or_else(|| Malformed::at(at, "the root: a symbol does not exist"))?;
    Ok(Parts { root_uses, ..parts })
}
