//! A segment whose documents are read one after the other.
//!
//! A root that is stored in blocks is never laid out in memory. A block is read from the file and
//! decoded when a document needs it, into a buffer that all blocks share.

use super::Corpus;
use crate::error::OpenError;
use crate::format::Section;
use crate::format::container::Container;
use crate::format::segment::{BlockRoom, RootBlocks};
use crate::format::word_counts::{ShortCounts, WordCounts};
use crate::grammar::{Grammar, Symbol};
use crate::token::Renumbering;
use std::path::PathBuf;
use std::sync::Arc;

/// A segment that is open for reading.
pub(crate) struct OpenSegment {
    /// Has neither root nor documents if those are read from the file.
    grammar: Arc<Grammar>,
    root: Option<StreamedRoot>,
    /// If given, the grammar has no rules, and each document has its words once, with these counts.
    counts: Option<ShortCounts>,
}

impl From<Grammar> for OpenSegment {
    fn from(grammar: Grammar) -> Self {
        Arc::new(grammar).into()
    }
}

impl From<Arc<Grammar>> for OpenSegment {
    fn from(grammar: Arc<Grammar>) -> Self {
        Self { grammar, root: None, counts: None }
    }
}

impl OpenSegment {
    /// From rules without a root, and the root in blocks.
    pub(super) fn streamed(rules: Grammar, root: StreamedRoot) -> Self {
        Self { grammar: Arc::new(rules), root: Some(root), counts: None }
    }

    /// From the counts of its words, of `tokens` tokens.
    pub(super) fn counted(counts: WordCounts, tokens: u32) -> Self {
        let (doc_starts, words, counts) = counts.into_parts();
        let rule_starts = vec![0, words.len() as u32];
        let grammar = Grammar::from_checked(tokens, rule_starts, words, doc_starts);
        Self { grammar: Arc::new(grammar), root: None, counts: Some(counts) }
    }

    /// The same segment with other ids for its tokens.
    pub(super) fn renumbered(self, ids: Renumbering<'_>) -> Self {
        let Self { grammar, root, counts } = self;
        let root = root.map(|root| StreamedRoot { blocks: root.blocks.renumbered(ids), ..root });
        Self { grammar: Arc::new(Arc::unwrap_or_clone(grammar).renumbered(ids)), root, counts }
    }

    /// Its documents.
    pub(crate) fn documents(&self) -> Documents<'_> {
        Documents { grammar: &self.grammar, root: self.root.as_ref(), counts: self.counts.as_ref() }
    }
}

/// The documents of a segment, in memory or in the file.
#[derive(Clone, Copy)]
pub(crate) struct Documents<'a> {
    grammar: &'a Grammar,
    root: Option<&'a StreamedRoot>,
    counts: Option<&'a ShortCounts>,
}

impl<'a> From<&'a Grammar> for Documents<'a> {
    fn from(grammar: &'a Grammar) -> Self {
        Self { grammar, root: None, counts: None }
    }
}

impl<'a> Documents<'a> {
    /// Whether documents are known by the counts of their words only.
    pub(crate) fn are_counted(self) -> bool {
        self.counts.is_some()
    }

    /// The words of a document and how often each occurs in it, if documents are
    /// [counted](Self::are_counted); nothing otherwise.
    pub(crate) fn word_counts(self, document: usize) -> impl Iterator<Item = (u32, u64)> {
        let start = self.grammar.doc_starts()[document] as usize;
        let words = self.counts.map(|counts| {
            let words = (start..).zip(self.grammar.document(document));
            words.map(move |(at, &word)| (word, counts.get(at)))
        });
        words.into_iter().flatten()
    }

    /// The grammar. It may lack root and documents; the other methods give those in any case.
    pub(crate) fn grammar(self) -> &'a Grammar {
        self.grammar
    }

    /// Number of documents.
    pub(crate) fn count(self) -> usize {
        self.root.map_or(self.grammar.doc_count(), |root| root.doc_starts.len() - 1)
    }

    /// Number of symbols of a document.
    pub(crate) fn len(self, document: usize) -> usize {
        match self.root {
            None => self.grammar.document(document).len(),
            Some(root) => {
                let starts = &root.doc_starts[document..document + 2];
                (starts[1] - starts[0]) as usize
            }
        }
    }

    /// Number of symbols of all documents.
    pub(crate) fn total_len(self) -> usize {
        let starts = self.root.map_or(self.grammar.doc_starts(), |root| &root.doc_starts);
        *starts.last().expect("the first document's start") as usize
    }

    /// Number of symbols of all rules but the root.
    pub(crate) fn rules_len(self) -> usize {
        self.grammar.symbols().len() - self.grammar.root().len()
    }

    /// The symbol of each number that [`read`](Self::read) hands out, or `None` if the numbers are
    /// symbols. A caller with a table by symbol can reorder the table by number once, and save a look-up
    /// per symbol of a document.
    pub(crate) fn symbol_of(self) -> Option<&'a [Symbol]> {
        self.root.map(|root| root.blocks.symbol_of())
    }

    /// Hands a document to `sink` in pieces: its symbols, or the numbers of its symbols.
    pub(crate) fn read(
        self,
        document: usize,
        cursor: &mut Cursor,
        mut sink: impl FnMut(&[u32]),
    ) -> Result<(), OpenError> {
        match self.root {
            Some(root) => root.read(document, cursor, sink),
            None => {
                sink(self.grammar.document(document));
                Ok(())
            }
        }
    }

    /// Puts the symbols of a document into `symbols`.
    pub(crate) fn gather(
        self,
        document: usize,
        cursor: &mut Cursor,
        symbols: &mut Vec<Symbol>,
    ) -> Result<(), OpenError> {
        symbols.clear();
        self.read(document, cursor, |numbers| match self.symbol_of() {
            None => symbols.extend_from_slice(numbers),
            Some(of) => symbols.extend(numbers.iter().map(|&number| of[number as usize])),
        })
    }
}

/// The block that was decoded last. A caller that reads documents in order keeps one cursor.
#[derive(Debug, Default)]
pub(crate) struct Cursor {
    block: Option<usize>,
    /// The ranks of its symbols.
    ranks: Vec<u32>,
    room: BlockRoom,
}

/// A root in blocks.
pub(crate) struct StreamedRoot {
    container: Arc<Container>,
    path: PathBuf,
    sections: Vec<Section>,
    blocks: RootBlocks,
    doc_starts: Vec<u32>,
}

impl StreamedRoot {
    pub(super) fn new(
        corpus: &Corpus,
        segment: usize,
        blocks: RootBlocks,
        doc_starts: Vec<u32>,
    ) -> Result<Self, OpenError> {
        let sections = corpus.root_sections(segment, &blocks)?;
        let container = Arc::clone(&corpus.container);
        Ok(Self { container, path: corpus.path.clone(), sections, blocks, doc_starts })
    }

    fn read(
        &self,
        document: usize,
        cursor: &mut Cursor,
        mut sink: impl FnMut(&[u32]),
    ) -> Result<(), OpenError> {
        let (mut at, end) =
            (self.doc_starts[document] as usize, self.doc_starts[document + 1] as usize);
        while at < end {
            let block = self.blocks.block_of(at);
            let range = self.blocks.range(block);
            if cursor.block != Some(block) {
                self.load(block, cursor)?;
            }
            let until = end.min(range.end);
            sink(&cursor.ranks[at - range.start..until - range.start]);
            at = until;
        }
        Ok(())
    }

    fn load(&self, block: usize, cursor: &mut Cursor) -> Result<(), OpenError> {
        cursor.block = None;
        cursor.ranks.resize(self.blocks.range(block).len(), 0);
        let BlockRoom { bytes, rings } = &mut cursor.room;
        self.container
            .parse_in(&self.sections[block], bytes, |bytes| {
                self.blocks.lay_out_ranks(block, bytes, rings, &mut cursor.ranks)
            })
            .map_err(|source| OpenError::Container { path: self.path.clone(), source })?;
        cursor.block = Some(block);
        Ok(())
    }
}
