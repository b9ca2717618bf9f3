//! Decodes the bytes of a segment.

use super::coding::default::root_read::RootReader;
use super::coding::default::rules;
use super::coding::{Coding, fast, max};
use super::numbering::ranks::{Ranks, Run, runs_from_bytes};
use super::root_blocks::{RootBlocks, RootCode};
use super::root_sink::RootAs;
use super::shape::{LaterNumbers, Parts, Shape};
use crate::format::adaptive::grammar_coder::Contexts;
use crate::format::bytes::{ByteReader, Malformed};
use crate::format::clusters::Clusters;
use crate::format::layer::take_stream;
use crate::grammar::Grammar;
use crate::token::Group;

/// A segment, decoded.
#[derive(Debug)]
pub(crate) struct Decoded {
    tokens: u32,
    rule_starts: Vec<u32>,
    /// Symbols of the root, if it is stored in full, and of all rules.
    symbols: Vec<u32>,
    /// How the root is decoded.
    pub(crate) root_as: RootAs,
    pub(crate) doc_starts: Vec<u32>,
    /// How often each symbol occurs in the root, if the root is counted.
    pub(crate) root_uses: Vec<u32>,
    /// The decoder of the root's blocks. If the root is to be stored in full, there is room for it in
    /// `symbols`, which the caller fills.
    pub(crate) blocks: Option<RootBlocks>,
}

impl Decoded {
    /// Room for the symbols of the root.
    pub(crate) fn root_mut(&mut self) -> &mut [u32] {
        &mut self.symbols[..self.rule_starts[1] as usize]
    }

    /// Gives each token its id in a larger dictionary of `tokens` tokens.
    pub(crate) fn renumber(&mut self, ids: &[u32], tokens: usize) -> Result<(), Malformed> {
        let rules = self.rule_starts.len() as u64 - 1;
        if tokens as u64 + rules > u64::from(u32::MAX) - 2 {
            return Err(Malformed::at(0, format!("{rules} rules and {tokens} tokens")));
        }
        let numbers = LaterNumbers::new(ids, tokens);
        // If blocks will fill the root, its symbols have no meaning yet.
        let filled = if self.blocks.is_some() { self.rule_starts[1] as usize } else { 0 };
        numbers.apply(&mut self.symbols[filled..]);
        if let Some(blocks) = &mut self.blocks {
            blocks.renumber(numbers);
        }
        if !self.root_uses.is_empty() {
            let mut uses = vec![0; tokens + rules as usize];
            for (symbol, &count) in (0..).zip(&self.root_uses) {
                uses[numbers.of(symbol) as usize] = count;
            }
            self.root_uses = uses;
        }
        self.tokens = tokens as u32;
        Ok(())
    }

    /// The grammar. It has no documents if its root is not stored in full.
    pub(crate) fn into_grammar(self) -> Grammar {
        let Self { tokens, rule_starts, symbols, mut doc_starts, root_as, .. } = self;
        if root_as != RootAs::Layout {
            doc_starts.truncate(1);
        }
        Grammar::from_checked(tokens, rule_starts, symbols, doc_starts)
    }
}

/// Decodes a segment whose tokens are those of a dictionary with these groups. `most_symbols` limits the memory that a damaged file can make a reader allocate.
pub(crate) fn decode(
    bytes: &[u8],
    groups: &[Group],
    clusters: &Clusters,
    most_symbols: u64,
    root_as: RootAs,
) -> Result<Decoded, Malformed> {
    let mut reader = ByteReader::new(bytes);
    let code = reader.u8()?;
    let Some(coding) = Coding::from_code(code) else {
        return reader.malformed(format!("unknown coding {code}"));
    };
    let tokens = u64::from(groups.last().map_or(0, |group| group.end));
    let most_symbols = most_symbols.min(u64::from(u32::MAX));
    let most_rules = most_symbols.min(u64::from(u32::MAX) - 2 - tokens);
    let rules = reader.varint_at_most(most_rules, "number of rules")? as usize;
    let root_len = reader.varint_at_most(most_symbols, "root length")? as usize;
    let documents = reader.varint_at_most(most_symbols, "number of documents")? as usize;
    let shape = Shape { tokens: tokens as u32, rules, root_len, root_as, most_symbols };
    let mut body = Body { reader, groups, clusters, shape, documents };
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

/// A segment after its header, and what the header says.
struct Body<'a> {
    reader: ByteReader<'a>,
    groups: &'a [Group],
    clusters: &'a Clusters,
    shape: Shape,
    documents: usize,
}

impl Body<'_> {
    fn decode_bit_packed(&mut self) -> Result<Decoded, Malformed> {
        let (_, ranks, doc_starts) = self.read_ranks()?;
        let block = self.read_block_size()?;
        let (parts, code) = fast::decode_rules(&mut self.reader, &ranks, self.shape)?;
        let blocks = RootBlocks::new(self.shape, block, ranks, RootCode::BitPacked(code));
        Ok(self.decoded(parts, doc_starts, Some(blocks)))
    }

    fn decode_huffman(&mut self, backrefs: bool) -> Result<Decoded, Malformed> {
        let Self { clusters, shape, .. } = *self;
        let (runs, ranks, doc_starts) = self.read_ranks()?;
        let block = self.read_block_size()?;
        let reader = &mut self.reader;
        let (parts, rows) = rules::decode_rules_only(reader, clusters, &ranks, &runs, shape)?;
        let code = RootReader::read(reader, clusters.count, &ranks, rows, backrefs)?;
        let blocks = RootBlocks::new(shape, block, ranks, RootCode::Huffman(code));
        Ok(self.decoded(parts, doc_starts, Some(blocks)))
    }

    fn decode_rans(&mut self) -> Result<Decoded, Malformed> {
        self.shape.root_as = self.shape.root_as.inline();
        let (runs, ranks, doc_starts) = self.read_ranks()?;
        let Self { clusters, shape, .. } = *self;
        let parts = rules::decode(&mut self.reader, clusters, &ranks, &runs, shape)?;
        Ok(self.decoded(parts, doc_starts, None))
    }

    fn decode_adaptive(&mut self, contexts: Contexts) -> Result<Decoded, Malformed> {
        self.shape.root_as = self.shape.root_as.inline();
        let doc_starts = self.read_documents()?;
        let Self { groups, clusters, shape, .. } = *self;
        let parts = max::decode(&mut self.reader, groups, clusters, contexts, shape)?;
        Ok(self.decoded(parts, doc_starts, None))
    }

    /// Reads what codings 0 to 3 begin with: runs and documents.
    fn read_ranks(&mut self) -> Result<(Vec<Run>, Ranks, Vec<u32>), Malformed> {
        let stream = take_stream(&mut self.reader)?;
        let at = self.reader.offset();
        let runs = runs_from_bytes(&stream, self.shape.rules, self.clusters.count)
            .map_err(|error| Malformed::at(at, format!("runs of rules: {error}")))?;
        let doc_starts = self.read_documents()?;
        let ranks = Ranks::new(self.groups, self.clusters, &runs);
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

/// Turns lengths that add up to `total` into offsets.
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
