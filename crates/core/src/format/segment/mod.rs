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
//!   lanes    statistics and eight lanes: rule lengths, rules from the deepest up, the root
//! or if the root lies in sections of its own, symbols of a block: varint, and
//!   packed blocks   stream of rule lengths; widths; packed symbols of all rules but the root
//!   prefix blocks   lanes without the root; lengths of prefix codes
//!   recall blocks   as prefix blocks, with distances of symbols that came lately
//! ```
//!
//! [`blocks`] has what lies in those sections.

mod blocks;
mod cells;
mod clustering;
mod lanes;
mod nested_model;
mod packed;
mod prefix;
mod prefix_lanes;
mod prefix_root;
mod ranks;
mod recall;
mod sink;
mod static_model;
#[cfg(test)]
mod tests;

pub(crate) use blocks::{BLOCK_SYMBOLS, BlockRoom, RootBlocks};
pub(crate) use clustering::{DEFAULT_CLUSTERS, cluster_tokens, default_clusters};
pub(crate) use ranks::{Clusters, MOST_CLUSTERS};
pub(crate) use sink::RootAs;

use super::adaptive::nested::Contexts;
use super::bytes::{ByteReader, Malformed, put_varint};
use super::layer::{Layer, put_stream, take_stream};
use super::{Level, Sizes};
use crate::grammar::Grammar;
use crate::token::Dictionary;
use blocks::RootCode;
use prefix_lanes::PrefixReader;
use prefix_root::PrefixRoot;
use ranks::{RankedGrammar, Ranks, Run, runs_from_bytes, runs_to_bytes};
use rayon::prelude::*;
use sink::Sink;

/// How a segment's symbols are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Coding {
    /// Two-bit tags and plain ranks; the root in blocks.
    BitPacked = 0,
    /// Everything by static rANS in eight lanes; the root is part of the segment.
    Rans = 1,
    /// Rules as by [`Coding::Rans`]; the root by Huffman codes, in blocks of eight lanes.
    Huffman = 2,
    /// As [`Coding::Huffman`]; rare symbols that occurred recently are coded by their distance.
    HuffmanBackrefs = 3,
    /// Everything by adaptive models, each rule at its first use; the root is part of the segment.
    /// The last token helps to predict columns.
    AdaptiveTokens = 4,
    /// As [`Coding::AdaptiveTokens`]; the last bucket helps to predict columns, not the last token.
    AdaptiveBuckets = 5,
}

impl Coding {
    /// By code.
    const ALL: [Self; 6] = [
        Self::BitPacked,
        Self::Rans,
        Self::Huffman,
        Self::HuffmanBackrefs,
        Self::AdaptiveTokens,
        Self::AdaptiveBuckets,
    ];

    fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
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
        Level::Fast => Coding::BitPacked,
        Level::Default if rules_outweigh && text_a_symbol >= 128 => Coding::AdaptiveTokens,
        Level::Default => Coding::Huffman,
        Level::Max if text_a_symbol >= 32 => Coding::AdaptiveTokens,
        Level::Max => Coding::AdaptiveBuckets,
    }
}

/// A segment, encoded.
#[derive(Debug, Default)]
pub(crate) struct Encoded {
    pub(crate) segment: Vec<u8>,
    /// Blocks of the root, which become sections of their own.
    pub(crate) root: Vec<Vec<u8>>,
}

/// How segments are to be encoded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Form {
    pub(crate) coding: Coding,
    pub(crate) layer: Layer,
    /// Symbols of a root's block.
    pub(crate) block: usize,
    /// The corpus has no other segment, so that a token's frequency level tells its uses in this one.
    pub(crate) alone: bool,
}

/// Encodes a grammar whose tokens are ids of `dictionary`. [`Coding::Huffman`] gives way to
/// [`Coding::Rans`] or [`Coding::HuffmanBackrefs`] where that is much smaller.
pub(crate) fn encode(
    grammar: &Grammar,
    dictionary: &Dictionary,
    clusters: &Clusters,
    form: Form,
) -> Encoded {
    let Form { coding, layer, block, alone } = form;
    let adaptive = |coding, contexts| {
        let mut out = header(grammar, coding);
        put_documents(&mut out, grammar, layer);
        nested_model::encode(&mut out, grammar, dictionary, clusters, contexts, alone);
        Encoded { segment: out, root: Vec::new() }
    };
    let rank = || RankedGrammar::new(grammar, dictionary, clusters);
    let rans = |ranked: &RankedGrammar| {
        let mut out = ranked_header(ranked, Coding::Rans, layer);
        static_model::encode(&mut out, ranked, clusters, layer, true);
        Encoded { segment: out, root: Vec::new() }
    };
    match coding {
        Coding::AdaptiveTokens if nested_model::fits(grammar) => adaptive(coding, Contexts::Tokens),
        Coding::AdaptiveBuckets if nested_model::fits(grammar) => {
            adaptive(coding, Contexts::Buckets)
        }
        Coding::BitPacked => encode_packed(&rank(), layer, block),
        Coding::Huffman | Coding::HuffmanBackrefs => {
            let ranked = rank();
            match PrefixRoot::new(&ranked, clusters, block) {
                Some(root) => encode_prefix(&ranked, &root, clusters, layer, block),
                None => rans(&ranked),
            }
        }
        Coding::Rans | Coding::AdaptiveTokens | Coding::AdaptiveBuckets => rans(&rank()),
    }
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

/// What all codings by ranks begin with.
fn ranked_header(ranked: &RankedGrammar, coding: Coding, layer: Layer) -> Vec<u8> {
    let mut out = header(&ranked.grammar, coding);
    put_stream(&mut out, layer, &runs_to_bytes(&ranked.runs));
    put_documents(&mut out, &ranked.grammar, layer);
    out
}

fn encode_packed(ranked: &RankedGrammar, layer: Layer, block: usize) -> Encoded {
    let grammar = &ranked.grammar;
    let mut out = ranked_header(ranked, Coding::BitPacked, layer);
    put_varint(&mut out, block as u64);
    let mut lengths = Vec::new();
    for rule in 1..grammar.rule_count() {
        put_varint(&mut lengths, grammar.rule(rule).len() as u64 - 2);
    }
    put_stream(&mut out, layer, &lengths);
    let of = |&symbol: &u32| ranked.rank_of[symbol as usize];
    let symbols = ranked.ranks.symbol_of.len();
    let widths = packed::best_widths(grammar.symbols().iter().map(of), symbols);
    out.extend(widths);
    let pack = |out: &mut Vec<u8>, symbols: &[u32]| {
        let ranks: Vec<u32> = symbols.iter().map(of).collect();
        packed::encode(out, &ranks, widths, layer);
    };
    let root = grammar.root();
    pack(&mut out, &grammar.symbols()[root.len()..]);
    let pack_block = |symbols: &[u32]| {
        let mut out = Vec::new();
        pack(&mut out, symbols);
        out
    };
    Encoded { segment: out, root: root.par_chunks(block).map(pack_block).collect() }
}

fn encode_prefix(
    ranked: &RankedGrammar,
    root: &PrefixRoot<'_>,
    clusters: &Clusters,
    layer: Layer,
    block: usize,
) -> Encoded {
    let coding = if root.recalls() { Coding::HuffmanBackrefs } else { Coding::Huffman };
    let segment = || {
        let mut out = ranked_header(ranked, coding, layer);
        put_varint(&mut out, block as u64);
        static_model::encode(&mut out, ranked, clusters, layer, false);
        root.encode_codes(&mut out, layer);
        out
    };
    let (segment, root) = rayon::join(segment, || root.encode_blocks());
    Encoded { segment, root }
}

/// A segment, decoded.
#[derive(Debug)]
pub(crate) struct Decoded {
    tokens: u32,
    rule_starts: Vec<u32>,
    /// Of the root, if it is to be laid out, and all rules.
    symbols: Vec<u32>,
    /// What was done with the root, or is to be done.
    pub(crate) root_as: RootAs,
    pub(crate) doc_starts: Vec<u32>,
    /// How often each symbol stands in the root, if that was wanted.
    pub(crate) root_uses: Vec<u32>,
    /// What is to be known to read the root's blocks. There is room for the root if it is wanted, but
    /// nothing in it yet.
    pub(crate) blocks: Option<RootBlocks>,
}

impl Decoded {
    /// Where the root goes.
    pub(crate) fn root_mut(&mut self) -> &mut [u32] {
        &mut self.symbols[..self.rule_starts[1] as usize]
    }

    /// The grammar; without documents if its root was not to be laid out.
    pub(crate) fn into_grammar(self) -> Grammar {
        let Self { tokens, rule_starts, symbols, mut doc_starts, root_as, .. } = self;
        if root_as != RootAs::Layout {
            doc_starts.truncate(1);
        }
        Grammar::from_checked(tokens, rule_starts, symbols, doc_starts)
    }
}

/// Decodes what [`encode`] wrote. `most_symbols` bounds what a damaged file can make us allocate.
pub(crate) fn decode(
    bytes: &[u8],
    dictionary: &Dictionary,
    clusters: &Clusters,
    most_symbols: u64,
    root_as: RootAs,
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
    let shape = Shape { tokens: tokens as u32, rules, root_len, root_as, most_symbols };
    let mut body = Body { reader, dictionary, clusters, shape, documents };
    let decoded = match coding {
        Coding::BitPacked => body.decode_bit_packed(),
        Coding::Rans => body.decode_rans(),
        Coding::Huffman => body.decode_huffman(false),
        Coding::HuffmanBackrefs => body.decode_huffman(true),
        Coding::AdaptiveTokens => body.decode_adaptive(Contexts::Tokens),
        Coding::AdaptiveBuckets => body.decode_adaptive(Contexts::Buckets),
    }?;
    body.reader.expect_end()?;
    Ok(decoded)
}

/// A segment after its header, and what is known by then.
struct Body<'a> {
    reader: ByteReader<'a>,
    dictionary: &'a Dictionary,
    clusters: &'a Clusters,
    shape: Shape,
    documents: usize,
}

impl Body<'_> {
    fn decode_bit_packed(&mut self) -> Result<Decoded, Malformed> {
        let (_, ranks, doc_starts) = self.read_ranks()?;
        let block = self.read_block_size()?;
        let (parts, code) = blocks::decode_packed_rules(&mut self.reader, &ranks, self.shape)?;
        let blocks = RootBlocks::new(self.shape, block, ranks, RootCode::BitPacked(code));
        Ok(self.decoded(parts, doc_starts, Some(blocks)))
    }

    fn decode_huffman(&mut self, backrefs: bool) -> Result<Decoded, Malformed> {
        let Self { clusters, shape, .. } = *self;
        let (runs, ranks, doc_starts) = self.read_ranks()?;
        let block = self.read_block_size()?;
        let reader = &mut self.reader;
        let (parts, rows) =
            static_model::decode_rules_only(reader, clusters, &ranks, &runs, shape)?;
        let code = PrefixReader::read(reader, clusters.count, &ranks, rows, backrefs)?;
        let blocks = RootBlocks::new(shape, block, ranks, RootCode::Huffman(code));
        Ok(self.decoded(parts, doc_starts, Some(blocks)))
    }

    fn decode_rans(&mut self) -> Result<Decoded, Malformed> {
        self.shape.root_as = self.shape.root_as.inline();
        let (runs, ranks, doc_starts) = self.read_ranks()?;
        let Self { clusters, shape, .. } = *self;
        let parts = static_model::decode(&mut self.reader, clusters, &ranks, &runs, shape)?;
        Ok(self.decoded(parts, doc_starts, None))
    }

    fn decode_adaptive(&mut self, contexts: Contexts) -> Result<Decoded, Malformed> {
        self.shape.root_as = self.shape.root_as.inline();
        let doc_starts = self.read_documents()?;
        let Self { dictionary, clusters, shape, .. } = *self;
        let parts = nested_model::decode(&mut self.reader, dictionary, clusters, contexts, shape)?;
        Ok(self.decoded(parts, doc_starts, None))
    }

    /// What all codings by ranks begin with: runs and documents.
    fn read_ranks(&mut self) -> Result<(Vec<Run>, Ranks, Vec<u32>), Malformed> {
        let stream = take_stream(&mut self.reader)?;
        let at = self.reader.offset();
        let runs = runs_from_bytes(&stream, self.shape.rules, self.clusters.count)
            .map_err(|error| Malformed::at(at, format!("runs of rules: {error}")))?;
        let doc_starts = self.read_documents()?;
        let ranks = Ranks::new(self.dictionary, self.clusters, &runs);
        Ok((runs, ranks, doc_starts))
    }

    fn read_documents(&mut self) -> Result<Vec<u32>, Malformed> {
        let stream = take_stream(&mut self.reader)?;
        offsets_from_bytes(&stream, self.documents, self.shape.root_len)
            .map_err(|error| Malformed::at(self.reader.offset(), format!("documents: {error}")))
    }

    fn read_block_size(&mut self) -> Result<usize, Malformed> {
        match self.reader.varint_at_most(u64::from(u32::MAX), "symbols of a block")? {
            0 => self.reader.malformed("blocks without symbols"),
            size => Ok(size as usize),
        }
    }

    fn decoded(&self, parts: Parts, doc_starts: Vec<u32>, blocks: Option<RootBlocks>) -> Decoded {
        let Parts { rule_starts, symbols, root_uses } = parts;
        let Shape { tokens, root_as, .. } = self.shape;
        Decoded { tokens, rule_starts, symbols, root_as, doc_starts, root_uses, blocks }
    }
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
}

impl Shape {
    /// Symbols of the root that are laid out.
    fn root_room(&self) -> usize {
        match self.root_as {
            RootAs::Layout => self.root_len,
            RootAs::Tally | RootAs::Apart => 0,
        }
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
            RootAs::Tally => Sink::tally(&ranks.symbol_of),
            RootAs::Layout | RootAs::Apart => Sink::layout(&ranks.symbol_of, room),
        }
    }
}

/// The parts of a [`Decoded`] grammar.
struct Parts {
    rule_starts: Vec<u32>,
    symbols: Vec<u32>,
    root_uses: Vec<u32>,
}

/// Where rules start, by a stream of their lengths.
fn rule_starts_of_packed(reader: &mut ByteReader<'_>, shape: Shape) -> Result<Vec<u32>, Malformed> {
    let at = reader.offset();
    let lengths = take_stream(reader)?;
    let mut lengths = ByteReader::new(&lengths);
    shape
        .rule_starts((0..shape.rules).map(|_| lengths.varint()))
        .and_then(|starts| lengths.expect_end().map(|()| starts))
        .map_err(|error| Malformed::at(at, format!("rule lengths: {error}")))
}

/// Rules refer only to rules after them.
fn check_order(rule_starts: &[u32], symbols: &[u32], shape: Shape) -> Result<(), String> {
    for rule in 1..=shape.rules {
        let body = &symbols[rule_starts[rule] as usize..rule_starts[rule + 1] as usize];
        // A token comes out as a large number.
        if body.iter().any(|&symbol| symbol.wrapping_sub(shape.tokens) <= rule as u32) {
            return Err(format!("rule {rule} refers to a rule above it"));
        }
    }
    Ok(())
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
