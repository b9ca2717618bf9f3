//! Builds the grammar of a full segment.

use super::spill::{BuiltSegment, Spill};
use crate::error::CompressError;
use crate::format::envelopes::Envelopes;
use crate::format::{SegmentFacts, Sizes};
use crate::grammar::{Grammar, GrammarBuilder, TokenDocs};
use crate::progress::{Progress, Stage};
use std::sync::{Arc, Mutex};

/// The tokens of a segment, before its grammar is built.
#[derive(Default)]
pub(super) struct FullSegment {
    pub(super) ids: Vec<u32>,
    /// Where documents begin in `ids`, and the end of the last.
    pub(super) doc_starts: Vec<u32>,
    pub(super) envelopes: Envelopes,
    pub(super) facts: SegmentFacts,
}

/// How often each token occurs in the grammars so far.
#[derive(Debug, Default)]
pub(super) struct TokenUses(Mutex<Vec<u32>>);

impl TokenUses {
    pub(super) fn add(&self, grammar: &Grammar) {
        let tokens = grammar.tokens();
        let mut uses = self.0.lock().expect("no holder panics");
        if uses.len() < tokens as usize {
            uses.resize(tokens as usize, 0);
        }
        for &symbol in grammar.symbols().iter().filter(|&&symbol| symbol < tokens) {
            uses[symbol as usize] = uses[symbol as usize].saturating_add(1);
        }
    }

    /// The counts of all `tokens`; none are left here.
    pub(super) fn to_counts(&self, tokens: usize) -> Vec<u32> {
        let mut uses = std::mem::take(&mut *self.0.lock().expect("no holder panics"));
        uses.resize(tokens, 0);
        uses
    }
}

/// What a thread needs to build a segment.
pub(super) struct BuildJob<'env> {
    /// Number of distinct tokens so far.
    pub(super) tokens: u32,
    pub(super) builder: &'env dyn GrammarBuilder,
    pub(super) spill: &'env Spill,
    pub(super) progress: &'env dyn Progress,
    pub(super) uses: Arc<TokenUses>,
}

impl BuildJob<'_> {
    /// Builds the grammar and stores it in the spill.
    pub(super) fn build(
        &self,
        full: FullSegment,
        pool: &rayon::ThreadPool,
    ) -> Result<BuiltSegment, CompressError> {
        let FullSegment { ids, doc_starts, envelopes, mut facts } = full;
        let input = TokenDocs { tokens: self.tokens, ids: &ids, doc_starts: &doc_starts };
        let grammar = pool.install(|| self.builder.build(input, self.progress))?;
        drop((ids, doc_starts));
        self.progress.advance(Stage::Building, facts.sizes.text_bytes);
        facts.sizes = Sizes {
            rules: grammar.rule_count() as u64,
            symbols: grammar.symbols().len() as u64,
            root_symbols: grammar.root().len() as u64,
            depth: u64::from(grammar.depth()),
            ..facts.sizes
        };
        self.uses.add(&grammar);
        self.spill.store(facts, &envelopes, &grammar)
    }
}
