//! Encodes a grammar as a segment.

use super::coding::default::root_write::RootWriter;
use super::coding::default::rules;
use super::coding::{Coding, fast, max};
use super::numbering::ranks::{RankedGrammar, runs_to_bytes};
use crate::format::adaptive::grammar_coder::Contexts;
use crate::format::bytes::put_varint;
use crate::format::clusters::Clusters;
use crate::format::layer::{Layer, put_stream};
use crate::grammar::Grammar;
use crate::token::Dictionary;

/// A segment, encoded.
#[derive(Debug, Default)]
pub(crate) struct Encoded {
    pub(crate) segment: Vec<u8>,
    /// Blocks of the root, each for its own section.
    pub(crate) root: Vec<Vec<u8>>,
}

/// How to encode a segment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Form {
    pub(crate) coding: Coding,
    pub(crate) layer: Layer,
    /// Symbols per block of the root.
    pub(crate) block: usize,
    /// Whether the corpus has no other segment, so that a token's frequency level gives its uses in
    /// this one.
    pub(crate) alone: bool,
}

/// Encodes a grammar whose tokens are ids of `dictionary`. [`Coding::Huffman`] falls back to
/// [`Coding::Rans`] or [`Coding::HuffmanBackrefs`] where that is much smaller, and adaptive codings
/// fall back to [`Coding::Rans`] where a rule is used less than twice.
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
        max::encode(&mut out, grammar, dictionary, clusters, contexts, alone);
        Encoded { segment: out, root: Vec::new() }
    };
    let rank = || RankedGrammar::new(grammar, dictionary, clusters);
    let rans = |ranked: &RankedGrammar| {
        let mut out = ranked_header(ranked, Coding::Rans, layer);
        rules::encode(&mut out, ranked, clusters, layer, true);
        Encoded { segment: out, root: Vec::new() }
    };
    match coding {
        Coding::AdaptiveTokens if max::fits(grammar) => adaptive(coding, Contexts::Tokens),
        Coding::AdaptiveBuckets if max::fits(grammar) => adaptive(coding, Contexts::Buckets),
        Coding::BitPacked => {
            let ranked = rank();
            let mut segment = ranked_header(&ranked, coding, layer);
            let root = fast::encode(&mut segment, &ranked, layer, block);
            Encoded { segment, root }
        }
        Coding::Huffman | Coding::HuffmanBackrefs => {
            let ranked = rank();
            match RootWriter::new(&ranked, clusters, block) {
                Some(root) => encode_huffman(&ranked, &root, clusters, layer, block),
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

/// What codings 0 to 3 begin with: header, runs and documents.
fn ranked_header(ranked: &RankedGrammar, coding: Coding, layer: Layer) -> Vec<u8> {
    let mut out = header(&ranked.grammar, coding);
    put_stream(&mut out, layer, &runs_to_bytes(&ranked.runs));
    put_documents(&mut out, &ranked.grammar, layer);
    out
}

fn encode_huffman(
    ranked: &RankedGrammar,
    root: &RootWriter<'_>,
    clusters: &Clusters,
    layer: Layer,
    block: usize,
) -> Encoded {
    let coding = if root.has_backrefs() { Coding::HuffmanBackrefs } else { Coding::Huffman };
    let segment = || {
        let mut out = ranked_header(ranked, coding, layer);
        put_varint(&mut out, block as u64);
        rules::encode(&mut out, ranked, clusters, layer, false);
        root.encode_codes(&mut out, layer);
        out
    };
    let (segment, root) = rayon::join(segment, || root.encode_blocks());
    Encoded { segment, root }
}
