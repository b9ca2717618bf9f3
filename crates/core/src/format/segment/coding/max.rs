//! The codings of level `max`, also used at `default` where rules outweigh the root: the whole grammar
//! by adaptive models, each rule at its first use. See [`grammar_coder`].
//!
//! The coder produces rules in the order of the text. This module numbers them by DAG level, as a
//! grammar requires.

use crate::format::adaptive::grammar_coder::{
    self, Contexts, GrammarShape, OpenedRules, RootSink, TokenFacts,
};
use crate::format::bytes::{ByteReader, Malformed, put_varint};
use crate::format::clusters::Clusters;
use crate::format::segment::root_sink::RootAs;
use crate::format::segment::shape::{Parts, Shape};
use crate::grammar::{Grammar, Symbol};
use crate::token::{Dictionary, Group};

/// Whether every rule is used at least twice. Builders ensure that, but a forged file may not.
pub(crate) fn fits(grammar: &Grammar) -> bool {
    let mut uses = vec![0u8; grammar.rule_count()];
    for &symbol in grammar.symbols() {
        if let Some(rule) = grammar.as_rule(symbol) {
            uses[rule] = uses[rule].saturating_add(1);
        }
    }
    uses[1..].iter().all(|&uses| uses >= 2)
}

pub(crate) fn encode(
    out: &mut Vec<u8>,
    grammar: &Grammar,
    dictionary: &Dictionary,
    clusters: &Clusters,
    contexts: Contexts,
    tokens_are_exact: bool,
) {
    let levels = token_levels(dictionary.groups());
    let facts = token_facts(clusters, &levels, tokens_are_exact);
    let coded = grammar_coder::encode(grammar, &facts, contexts);
    out.push(u8::from(tokens_are_exact));
    put_varint(out, (grammar.symbols().len() - grammar.root().len()) as u64);
    put_varint(out, coded.len() as u64);
    out.extend_from_slice(&coded);
}

pub(crate) fn decode(
    reader: &mut ByteReader<'_>,
    groups: &[Group],
    clusters: &Clusters,
    contexts: Contexts,
    shape: Shape,
) -> Result<Parts, Malformed> {
    let tokens_are_exact = reader.u8()? != 0;
    let most = shape.most_symbols - shape.root_len as u64;
    let body_len = reader.varint_at_most(most, "symbols of rules")? as usize;
    if body_len / 2 < shape.rules {
        return reader.malformed(format!("{} rules of {body_len} symbols", shape.rules));
    }
    let at = reader.offset();
    let len = reader.varint()?;
    let coded = reader.take(usize::try_from(len).unwrap_or(usize::MAX))?;
    let levels = token_levels(groups);
    let facts = token_facts(clusters, &levels, tokens_are_exact);
    let nested = GrammarShape { rules: shape.rules, root_len: shape.root_len, body_len };
    let mut root = Root {
        symbols: Vec::with_capacity(shape.root_room() + body_len),
        uses: match shape.root_as {
            RootAs::Layout | RootAs::Apart => Vec::new(),
            RootAs::Tally => vec![0; shape.symbols()],
        },
    };
    let rules = grammar_coder::decode(coded, nested, &facts, contexts, &mut root)
        .map_err(|_| Malformed::at(at, "the grammar's code is damaged"))?;
    Ok(number_by_level(&rules, root, shape.tokens))
}

fn token_facts<'a>(clusters: &'a Clusters, levels: &'a [u8], exact: bool) -> TokenFacts<'a> {
    TokenFacts { columns: &clusters.columns, rows: &clusters.rows, levels, exact }
}

/// The frequency level of each token.
fn token_levels(groups: &[Group]) -> Vec<u8> {
    let mut levels = Vec::new();
    for group in groups {
        levels.resize(group.end as usize, group.level);
    }
    levels
}

/// Stores the root, or counts its symbols if there is room for counts.
struct Root {
    symbols: Vec<Symbol>,
    uses: Vec<u32>,
}

impl RootSink for Root {
    #[inline]
    fn take(&mut self, symbol: Symbol) {
        match self.uses.get_mut(symbol as usize) {
            Some(uses) => *uses += 1,
            None => self.symbols.push(symbol),
        }
    }
}

/// Numbers rules by DAG level, and within a level in the order in which they were opened.
fn number_by_level(rules: &OpenedRules, root: Root, tokens: u32) -> Parts {
    let first_rule = tokens + 1;
    let body = |rule: u32| {
        &rules.symbols
            [rules.starts[rule as usize] as usize..rules.starts[rule as usize + 1] as usize]
    };
    // From the root down: each rule comes after those that use it.
    let mut levels = vec![0u32; rules.completed.len()];
    for &rule in rules.completed.iter().rev() {
        let below = levels[rule as usize] + 1;
        for &symbol in body(rule).iter().filter(|&&symbol| symbol >= first_rule) {
            let level = &mut levels[(symbol - first_rule) as usize];
            *level = below.max(*level);
        }
    }
    let mut order: Vec<u32> = (0..levels.len() as u32).collect();
    order.sort_by_key(|&rule| levels[rule as usize]);
    let mut symbol_of = levels;
    for (symbol, &rule) in (first_rule..).zip(&order) {
        symbol_of[rule as usize] = symbol;
    }

    let renumber = |symbol: &mut Symbol| {
        if *symbol >= first_rule {
            *symbol = symbol_of[(*symbol - first_rule) as usize];
        }
    };
    let Root { mut symbols, uses } = root;
    let mut rule_starts = Vec::with_capacity(order.len() + 2);
    rule_starts.extend([0, symbols.len() as u32]);
    for &rule in &order {
        symbols.extend_from_slice(body(rule));
        rule_starts.push(symbols.len() as u32);
    }
    symbols.iter_mut().for_each(renumber);
    let mut root_uses = uses.clone();
    for (rule, &uses) in uses.iter().skip(first_rule as usize).enumerate() {
        root_uses[symbol_of[rule] as usize] = uses;
    }
    Parts { rule_starts, symbols, root_uses }
}
