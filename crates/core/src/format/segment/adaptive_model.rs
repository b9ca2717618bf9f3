//! The root by adaptive models, the rules by static ones: how level `max` was written before
//! [`nested_model`](super::nested_model), and is read forever.
//!
//! Most of a grammar of natural text is its root, and roots are bursty: what was used lately is used
//! again. The rules come first, so that for symbols of a known number of uses it is known how many
//! of them are left for the root.

use super::ranks::{Clusters, Ranks, Run};
use super::{Parts, Shape, static_model};
use crate::format::adaptive::recency::UNKNOWN_USES;
use crate::format::adaptive::symbols::{self, Bucket, SymbolModel};
use crate::format::bytes::{ByteReader, Malformed};
use crate::token::{EXACT_LEVELS, LEVELS};

pub(super) fn decode(
    reader: &mut ByteReader<'_>,
    clusters: &Clusters,
    ranks: &Ranks,
    runs: &[Run],
    shape: Shape,
) -> Result<Parts, Malformed> {
    let (mut parts, _) = static_model::decode_rules_only(reader, clusters, ranks, runs, shape)?;
    let tokens_are_exact = reader.u8()? != 0;
    let at = reader.offset();
    let len = reader.varint()?;
    let coded = reader.take(usize::try_from(len).unwrap_or(usize::MAX))?;
    let facts = SymbolFacts::new(
        ranks,
        clusters,
        shape.tokens,
        &parts.rule_starts,
        &parts.symbols,
        tokens_are_exact,
    );
    let mut sink = shape.root_sink(ranks, &mut parts.symbols[..shape.root_room()]);
    let decoded =
        symbols::decode(coded, shape.root_len, &facts.model(), |at, block| sink.take(at, block));
    match (decoded, sink.finish(shape.symbols())) {
        (Ok(()), Some(root_uses)) => Ok(Parts { root_uses, ..parts }),
        _ => Err(Malformed::at(at, "the root is damaged")),
    }
}

/// What both sides know of each rank once the rules are known.
struct SymbolFacts {
    buckets: Vec<Bucket>,
    rows: Vec<u8>,
    last_tokens: Vec<u32>,
    uses_left: Vec<u8>,
}

impl SymbolFacts {
    /// `rule_starts` and `symbols` are the grammar's; of the root's symbols none is looked at.
    fn new(
        ranks: &Ranks,
        clusters: &Clusters,
        tokens: u32,
        rule_starts: &[u32],
        symbols: &[u32],
        tokens_are_exact: bool,
    ) -> Self {
        let mut last_tokens: Vec<u32> = (0..tokens).collect();
        last_tokens.resize(tokens as usize + rule_starts.len() - 1, 0);
        let mut uses_in_rules = vec![0u32; last_tokens.len()];
        for rule in (1..rule_starts.len() - 1).rev() {
            let body = &symbols[rule_starts[rule] as usize..rule_starts[rule + 1] as usize];
            for &symbol in body {
                uses_in_rules[symbol as usize] += 1;
            }
            let last = body[body.len() - 1];
            last_tokens[tokens as usize + rule] = last_tokens[last as usize];
        }
        let levels = rank_levels(ranks);
        let uses_left = ranks.symbol_of.iter().zip(levels).map(|(&symbol, level)| {
            if level < EXACT_LEVELS && (tokens_are_exact || symbol >= tokens) {
                u32::from(level).saturating_sub(uses_in_rules[symbol as usize]) as u8
            } else {
                UNKNOWN_USES
            }
        });
        let last_of = |&symbol: &u32| last_tokens[symbol as usize];
        Self {
            buckets: buckets(ranks),
            rows: ranks.symbol_of.iter().map(|s| clusters.rows[last_of(s) as usize]).collect(),
            uses_left: uses_left.collect(),
            last_tokens: ranks.symbol_of.iter().map(last_of).collect(),
        }
    }

    fn model(&self) -> SymbolModel<'_> {
        SymbolModel {
            buckets: &self.buckets,
            row: &self.rows,
            last_token: &self.last_tokens,
            uses_left: &self.uses_left,
        }
    }
}

/// The frequency level of each rank.
fn rank_levels(ranks: &Ranks) -> impl Iterator<Item = u8> {
    ranks.bucket_starts.windows(2).enumerate().flat_map(|(bucket, starts)| {
        let level = (LEVELS - 1 - bucket % LEVELS) as u8;
        std::iter::repeat_n(level, (starts[1] - starts[0]) as usize)
    })
}

/// Columns divided by frequency: exact counts apart, more frequent symbols by octaves.
fn buckets(ranks: &Ranks) -> Vec<Bucket> {
    let mut buckets: Vec<Bucket> = Vec::new();
    let mut last = None;
    for (index, starts) in ranks.bucket_starts.windows(2).enumerate() {
        let (first_rank, size) = (starts[0], starts[1] - starts[0]);
        if size == 0 {
            continue;
        }
        let column = (index / LEVELS) as u8;
        let level = (LEVELS - 1 - index % LEVELS) as u8;
        // At most 24 coarse levels and 8 exact ones, as many as a column may have.
        let coarse =
            if level < EXACT_LEVELS { level } else { EXACT_LEVELS + (level / 2).min(27) - 4 };
        match buckets.last_mut().filter(|_| last == Some((column, coarse))) {
            Some(bucket) => bucket.size += size,
            None => buckets.push(Bucket { first_rank, size, column }),
        }
        last = Some((column, coarse));
    }
    buckets
}
