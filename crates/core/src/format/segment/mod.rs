//! A segment's grammar to bytes and back.
//!
//! ```text
//! coding: u8, rules: varint (without the root), root length: varint, documents: varint
//! stream: documents   root symbols of each document, as varints
//! then, by coding:
//!   nested   whether tokens' uses are exact: u8, symbols of rules: varint, the grammar's code
//!   buckets  as nested, by other contexts
//! or after another stream before the documents,
//! stream: runs        (DAG level step, column, frequency level, count) as varints
//!   packed   stream of rule lengths; packed symbols of all rules, the root first
//!   lanes    statistics and eight lanes: rule lengths, rules from the deepest up, the root
//!   adaptive lanes without the root; whether tokens' uses are exact: u8, the root's code
//!   prefix   lanes without the root; lengths of prefix codes, eight lanes of the root
//!   recall   as prefix, with distances of symbols that came lately
//! ```

mod adaptive_model;
mod cells;
mod clustering;
mod lanes;
mod nested_model;
mod packed;
mod prefix;
mod prefix_root;
mod ranks;
mod recall;
mod sink;
mod static_model;
#[cfg(test)]
mod tests;

pub(crate) use clustering::{DEFAULT_CLUSTERS, cluster_tokens, default_clusters};
pub(crate) use ranks::{Clusters, MOST_CLUSTERS};
pub(crate) use sink::{BLOCK, RootAs};

use super::adaptive::nested::Contexts;
use super::bytes::{ByteReader, Malformed, put_varint};
use super::layer::{Layer, put_stream, take_stream};
use super::{Level, Sizes};
use crate::grammar::Grammar;
use crate::threads::on_threads;
use crate::token::{Dictionary, LEVELS};
use packed::Packed;
use prefix_root::PrefixRoot;
use ranks::{RankedGrammar, Ranks, Run};
use sink::Sink;

/// How a segment's symbols are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Coding {
    /// Two-bit tags and plain ranks.
    Packed = 0,
    /// Static entropy coding in eight lanes.
    Lanes = 1,
    /// The root by adaptive models, the rest in lanes. Read, but not written any more.
    Adaptive = 2,
    /// The root by prefix codes in eight lanes, the rest as by [`Coding::Lanes`].
    Prefix = 3,
    /// All by adaptive models, each rule where it first comes.
    Nested = 4,
    /// As [`Coding::Prefix`]; rare symbols that came lately are called up by their distance.
    Recall = 5,
    /// As [`Coding::Nested`]; columns are foretold by buckets instead of tokens.
    Buckets = 6,
}

impl Coding {
    fn from_code(code: u8) -> Option<Self> {
        use Coding::{Adaptive, Buckets, Lanes, Nested, Packed, Prefix, Recall};
        [Packed, Lanes, Adaptive, Prefix, Nested, Recall, Buckets]
            .into_iter()
            .find(|&coding| coding as u8 == code)
    }

    /// The contexts of a coding by adaptive models alone.
    fn nested_contexts(self) -> Option<Contexts> {
        match self {
            Self::Nested => Some(Contexts::Tokens),
            Self::Buckets => Some(Contexts::Buckets),
            _ => None,
        }
    }
}

/// How a grammar is to be written at a level.
///
/// At `default` most grammars have static codes, which load fastest. They are made for roots. Where
/// rules outweigh the root, as in many versions of one text, adaptive models take a sixth less; and
/// if a symbol stands for that much text, even they load faster than plain text does by static codes.
/// At `max` tokens as contexts save up to 2 % where symbols stand for much text, which loads fast by
/// any of them; elsewhere buckets do nearly as well, much faster.
pub(crate) fn coding_of(level: Level, sizes: &Sizes) -> Coding {
    let rules_outweigh = sizes.root_symbols < sizes.symbols / 2;
    let text_a_symbol = sizes.text_bytes / sizes.symbols.max(1);
    match level {
        Level::Fast => Coding::Packed,
        Level::Default if rules_outweigh && text_a_symbol >= 128 => Coding::Nested,
        Level::Default => Coding::Prefix,
        Level::Max if text_a_symbol >= 32 => Coding::Nested,
        Level::Max => Coding::Buckets,
    }
}

/// Encodes a grammar whose tokens are ids of `dictionary`. [`Coding::Prefix`] gives way to
/// [`Coding::Lanes`] or [`Coding::Recall`] where that is much smaller. `alone` says that the corpus has no other
/// segment, so that a token's frequency level tells its uses in this one.
pub(crate) fn encode(
    grammar: &Grammar,
    dictionary: &Dictionary,
    clusters: &Clusters,
    coding: Coding,
    layer: Layer,
    alone: bool,
) -> Vec<u8> {
    let contexts = coding.nested_contexts().filter(|_| nested_model::fits(grammar));
    if let Some(contexts) = contexts {
        let mut out = header(grammar, coding);
        put_documents(&mut out, grammar, layer);
        nested_model::encode(&mut out, grammar, dictionary, clusters, contexts, alone);
        return out;
    }
    let ranked = RankedGrammar::new(grammar, dictionary, clusters);
    let grammar = &ranked.grammar;
    let root = (coding == Coding::Prefix).then(|| PrefixRoot::new(&ranked, clusters)).flatten();
    let coding = match (coding, &root) {
        (Coding::Packed, _) => Coding::Packed,
        (_, Some(root)) if root.recalls() => Coding::Recall,
        (_, Some(_)) => Coding::Prefix,
        (_, None) => Coding::Lanes,
    };
    let mut out = header(grammar, coding);
    put_stream(&mut out, layer, &runs_to_bytes(&ranked.runs));
    put_documents(&mut out, grammar, layer);
    match (coding, root) {
        (_, Some(root)) => root.encode(&mut out, clusters, layer),
        (Coding::Packed, None) => encode_packed(&mut out, &ranked, layer),
        (_, None) => static_model::encode(&mut out, &ranked, clusters, layer, true),
    }
    out
}

fn header(grammar: &Grammar, coding: Coding) -> Vec<u8> {
    let mut out = vec![coding as u8];
    put_varint(&mut out, grammar.rule_count() as u64 - 1);
    put_varint(&mut out, grammar.root().len() as u64);
    put_varint(&mut out, grammar.doc_count() as u64);
    out
}

fn put_documents(out: &mut Vec<u8>, grammar: &Grammar, layer: Layer) {
    let mut documents = Vec::new();
    for doc in grammar.doc_starts().windows(2) {
        put_varint(&mut documents, u64::from(doc[1] - doc[0]));
    }
    put_stream(out, layer, &documents);
}

fn encode_packed(out: &mut Vec<u8>, ranked: &RankedGrammar, layer: Layer) {
    let grammar = &ranked.grammar;
    let mut lengths = Vec::new();
    for rule in 1..grammar.rule_count() {
        put_varint(&mut lengths, grammar.rule(rule).len() as u64 - 2);
    }
    put_stream(out, layer, &lengths);
    let of = |&symbol: &u32| ranked.rank_of[symbol as usize];
    let sequence: Vec<u32> = grammar.symbols().iter().map(of).collect();
    packed::encode(out, &sequence, ranked.ranks.symbol_of.len(), layer);
}

/// A segment, decoded.
pub(crate) struct Decoded {
    /// With an empty root and no documents if the root was tallied.
    pub(crate) grammar: Grammar,
    /// How often each symbol stands in the root, if that was wanted.
    pub(crate) root_uses: Vec<u32>,
    /// Number of documents.
    pub(crate) documents: usize,
}

/// Decodes what [`encode`] wrote. `most_symbols` bounds what a damaged file can make us allocate.
pub(crate) fn decode(
    bytes: &[u8],
    dictionary: &Dictionary,
    clusters: &Clusters,
    most_symbols: u64,
    root_as: RootAs,
    threads: usize,
) -> Result<Decoded, Malformed> {
    let mut reader = ByteReader::new(bytes);
    let code = reader.u8()?;
    let Some(coding) = Coding::from_code(code) else {
        return reader.malformed(format!("unknown coding {code}"));
    };
    let tokens = dictionary.len() as u64;
    let most_symbols = most_symbols.min(u64::from(u32::MAX));
    let most_rules = most_symbols.min(u64::from(u32::MAX) - 2 - tokens);
    let rules = reader.varint_at_most(most_rules, "number of rules")? as usize;
    let root_len = reader.varint_at_most(most_symbols, "root length")? as usize;
    let documents = reader.varint_at_most(most_symbols, "number of documents")? as usize;
    let shape = Shape { tokens: tokens as u32, rules, root_len, root_as, most_symbols, threads };
    let runs = match coding {
        Coding::Nested | Coding::Buckets => Vec::new(),
        _ => runs_from_bytes(&take_stream(&mut reader)?, rules, clusters.count)
            .map_err(|error| Malformed::at(reader.offset(), format!("runs of rules: {error}")))?,
    };
    let mut doc_starts = offsets_from_bytes(&take_stream(&mut reader)?, documents, root_len)
        .map_err(|error| Malformed::at(reader.offset(), format!("documents: {error}")))?;
    let Parts { rule_starts, symbols, root_uses } = if let Some(contexts) = coding.nested_contexts()
    {
        nested_model::decode(&mut reader, dictionary, clusters, contexts, shape)?
    } else {
        let ranks = Ranks::new(dictionary, clusters, &runs);
        match coding {
            Coding::Packed => decode_packed(&mut reader, &ranks, shape)?,
            Coding::Lanes => static_model::decode(&mut reader, clusters, &ranks, &runs, shape)?,
            Coding::Adaptive => {
                adaptive_model::decode(&mut reader, clusters, &ranks, &runs, shape)?
            }
            _ => {
                let recalls = coding == Coding::Recall;
                prefix_root::decode(&mut reader, clusters, &ranks, &runs, shape, recalls)?
            }
        }
    };
    reader.expect_end()?;
    if root_as == RootAs::Tally {
        doc_starts.truncate(1);
    }
    let grammar = Grammar::from_checked(shape.tokens, rule_starts, symbols, doc_starts);
    Ok(Decoded { grammar, root_uses, documents })
}

/// Sizes that the header gives, and what is wanted.
#[derive(Clone, Copy, Debug)]
struct Shape {
    tokens: u32,
    /// Without the root.
    rules: usize,
    root_len: usize,
    root_as: RootAs,
    most_symbols: u64,
    /// The root may be decoded by so many at once.
    threads: usize,
}

/// A root is decoded by several threads if each has so many symbols to do.
const WORTH_A_THREAD: usize = if cfg!(test) { 64 } else { 1 << 16 };

impl Shape {
    /// Symbols of the root that are laid out.
    fn root_room(&self) -> usize {
        match self.root_as {
            RootAs::Layout => self.root_len,
            RootAs::Tally => 0,
        }
    }

    /// Threads to decode `len` symbols with.
    fn threads_for(&self, len: usize) -> usize {
        self.threads.min(len / WORTH_A_THREAD).max(1)
    }

    /// Tokens and rules with the root.
    fn symbols(&self) -> usize {
        self.tokens as usize + self.rules + 1
    }

    /// Where each rule starts, from the lengths of all but the root, each less two.
    fn rule_starts(
        &self,
        lengths: impl Iterator<Item = Result<u64, Malformed>>,
    ) -> Result<Vec<u32>, Malformed> {
        let room = self.root_room() as u64;
        let most = self.most_symbols - (self.root_len as u64 - room);
        let mut starts = Vec::with_capacity(self.rules + 2);
        starts.extend([0, room as u32]);
        let mut end = room;
        for length in lengths {
            end = end.saturating_add(length?).saturating_add(2);
            if end > most {
                return Err(Malformed::at(0, format!("over {} symbols", self.most_symbols)));
            }
            starts.push(end as u32);
        }
        Ok(starts)
    }

    /// Where the root goes; `room` is of [`root_room`](Self::root_room).
    fn root_sink<'a>(&self, ranks: &'a Ranks, room: &'a mut [u32]) -> Sink<'a> {
        match self.root_as {
            RootAs::Layout => Sink::layout(&ranks.symbol_of, room),
            RootAs::Tally => Sink::tally(&ranks.symbol_of),
        }
    }
}

/// The parts of a [`Decoded`] grammar.
struct Parts {
    rule_starts: Vec<u32>,
    symbols: Vec<u32>,
    root_uses: Vec<u32>,
}

fn decode_packed(
    reader: &mut ByteReader<'_>,
    ranks: &Ranks,
    shape: Shape,
) -> Result<Parts, Malformed> {
    let at = reader.offset();
    let lengths = take_stream(reader)?;
    let mut lengths = ByteReader::new(&lengths);
    let rule_starts = shape
        .rule_starts((0..shape.rules).map(|_| lengths.varint()))
        .and_then(|starts| lengths.expect_end().map(|()| starts))
        .map_err(|error| Malformed::at(at, format!("rule lengths: {error}")))?;
    let mut symbols = vec![0; *rule_starts.last().expect("the root's end") as usize];
    let total = shape.root_len + symbols.len() - shape.root_room();
    let packed = Packed::read(reader, total)?;
    let mut room = &mut symbols[..];
    let parts = packed.spans(shape.threads_for(total)).into_iter().map(|span| {
        let in_root = |at: usize| at.min(shape.root_len);
        let root_len = in_root(span.ranks.end) - in_root(span.ranks.start);
        let root_room = if shape.root_as == RootAs::Layout { root_len } else { 0 };
        let (of_root, rest) = std::mem::take(&mut room).split_at_mut(root_room);
        let (of_rules, rest) = rest.split_at_mut(span.ranks.len() - root_len);
        room = rest;
        let sinks = (shape.root_sink(ranks, of_root), Sink::layout(&ranks.symbol_of, of_rules));
        (span, root_len, sinks)
    });
    let mut parts = on_threads(parts.collect(), |(span, root_len, (mut root, mut rules))| {
        let is_whole = packed.unpack(&span, |at, block| {
            let in_root = at.min(root_len);
            let (of_root, of_rules) = block.split_at(block.len().min(root_len - in_root));
            root.take(in_root, of_root);
            rules.take(at - in_root, of_rules);
        });
        (is_whole && rules.finish(0).is_some()).then_some(root)
    })
    .into_iter();
    let damaged = || Malformed::at(at, "packed symbols are damaged");
    let mut root = parts.next().flatten().ok_or_else(damaged)?;
    for part in parts {
        root.absorb(part.ok_or_else(damaged)?);
    }
    let root_uses = root.finish(shape.symbols()).ok_or_else(damaged)?;
    for rule in 1..=shape.rules {
        let body = &symbols[rule_starts[rule] as usize..rule_starts[rule + 1] as usize];
        // A token comes out as a large number.
        if body.iter().any(|&symbol| symbol.wrapping_sub(shape.tokens) <= rule as u32) {
            return Err(Malformed::at(at, format!("rule {rule} refers to a rule above it")));
        }
    }
    Ok(Parts { rule_starts, symbols, root_uses })
}

fn runs_to_bytes(runs: &[Run]) -> Vec<u8> {
    let mut out = Vec::with_capacity(runs.len() * 4);
    let mut dag_level = 0;
    for run in runs {
        put_varint(&mut out, u64::from(run.dag_level - dag_level));
        dag_level = run.dag_level;
        out.push(run.column);
        out.push(run.frequency_level);
        put_varint(&mut out, u64::from(run.count));
    }
    out
}

fn runs_from_bytes(bytes: &[u8], rules: usize, columns: usize) -> Result<Vec<Run>, Malformed> {
    let mut reader = ByteReader::new(bytes);
    let mut runs = Vec::new();
    let (mut dag_level, mut left) = (0u32, rules as u64);
    while reader.remaining() > 0 {
        let step = reader.varint_at_most(u64::from(u32::MAX - dag_level), "DAG level")?;
        dag_level += step as u32;
        let (column, frequency_level) = (reader.u8()?, reader.u8()?);
        if column as usize >= columns || frequency_level as usize >= LEVELS {
            return reader.malformed(format!("no column {column} at level {frequency_level}"));
        }
        let count = reader.varint_at_most(left, "rules of a run")? as u32;
        left -= u64::from(count);
        runs.push(Run { dag_level, column, frequency_level, count });
    }
    if left > 0 {
        return reader.malformed(format!("{left} rules in no run"));
    }
    Ok(runs)
}

/// Offsets from lengths that add up to `total`.
fn offsets_from_bytes(bytes: &[u8], count: usize, total: usize) -> Result<Vec<u32>, Malformed> {
    let mut reader = ByteReader::new(bytes);
    if count > bytes.len() {
        return reader.malformed(format!("{count} lengths in {} bytes", bytes.len()));
    }
    let mut offsets = Vec::with_capacity(count + 1);
    let mut end = 0u64;
    offsets.push(0);
    for _ in 0..count {
        end += reader.varint_at_most(total as u64 - end, "length")?;
        offsets.push(end as u32);
    }
    reader.expect_end()?;
    if end != total as u64 {
        return reader.malformed(format!("lengths add up to {end}, not {total}"));
    }
    Ok(offsets)
}
