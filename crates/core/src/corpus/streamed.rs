//! A segment whose documents are read one after the other.
//!
//! Where the root lies in blocks, it is never laid out: a block is read from the file and decoded
//! when a document wants it, into room that every other block had before.

use super::Corpus;
use crate::error::Error;
use crate::format::Section;
use crate::format::container::Container;
use crate::format::segment::{BlockRoom, RootBlocks};
use crate::grammar::{Grammar, Symbol};
use std::path::PathBuf;
use std::sync::Arc;

/// A segment that was opened to be read.
pub(crate) struct OpenSegment {
    /// Without root and documents if those are read from the file.
    grammar: Grammar,
    root: Option<StreamedRoot>,
}

impl From<Grammar> for OpenSegment {
    fn from(grammar: Grammar) -> Self {
        Self { grammar, root: None }
    }
}

impl OpenSegment {
    /// Rules without a root, and the root in blocks.
    pub(super) fn streamed(rules: Grammar, root: StreamedRoot) -> Self {
        Self { grammar: rules, root: Some(root) }
    }

    /// What can be read.
    pub(crate) fn documents(&self) -> Documents<'_> {
        Documents { grammar: &self.grammar, root: self.root.as_ref() }
    }
}

/// The documents of a segment, laid out or in the file.
#[derive(Clone, Copy)]
pub(crate) struct Documents<'a> {
    grammar: &'a Grammar,
    root: Option<&'a StreamedRoot>,
}

impl<'a> From<&'a Grammar> for Documents<'a> {
    fn from(grammar: &'a Grammar) -> Self {
        Self { grammar, root: None }
    }
}

impl<'a> Documents<'a> {
    /// The grammar, perhaps without root and documents: those are to be asked for here.
    pub(crate) fn grammar(self) -> &'a Grammar {
        self.grammar
    }

    /// Number of documents.
    pub(crate) fn count(self) -> usize {
        self.root.map_or(self.grammar.doc_count(), |root| root.doc_starts.len() - 1)
    }

    /// Symbols of a document.
    pub(crate) fn len(self, document: usize) -> usize {
        match self.root {
            None => self.grammar.document(document).len(),
            Some(root) => {
                let starts = &root.doc_starts[document..document + 2];
                (starts[1] - starts[0]) as usize
            }
        }
    }

    /// Symbols of all documents.
    pub(crate) fn total_len(self) -> usize {
        let starts = self.root.map_or(self.grammar.doc_starts(), |root| &root.doc_starts);
        *starts.last().expect("the first document's start") as usize
    }

    /// Symbols of all rules but the root.
    pub(crate) fn rules_len(self) -> usize {
        self.grammar.symbols().len() - self.grammar.root().len()
    }

    /// What the numbers that [`read`](Self::read) hands out stand for: the symbol of each, or `None` if
    /// they are symbols. Whoever looks up something for each number of a document can have it in that
    /// order, and save another look.
    pub(crate) fn symbol_of(self) -> Option<&'a [Symbol]> {
        self.root.map(|root| root.blocks.symbol_of())
    }

    /// Hands a document to `sink`, a stretch at a time: its symbols, or numbers that stand for them.
    pub(crate) fn read(
        self,
        document: usize,
        cursor: &mut Cursor,
        mut sink: impl FnMut(&[u32]),
    ) -> Result<(), Error> {
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
    ) -> Result<(), Error> {
        symbols.clear();
        self.read(document, cursor, |numbers| match self.symbol_of() {
            None => symbols.extend_from_slice(numbers),
            Some(of) => symbols.extend(numbers.iter().map(|&number| of[number as usize])),
        })
    }
}

/// The block that was read last. Whoever reads documents in order keeps one.
#[derive(Debug, Default)]
pub(crate) struct Cursor {
    block: Option<usize>,
    /// Ranks of its symbols.
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
    ) -> Result<Self, Error> {
        let sections = corpus.root_sections(segment, &blocks)?;
        let container = Arc::clone(&corpus.container);
        Ok(Self { container, path: corpus.path.clone(), sections, blocks, doc_starts })
    }

    fn read(
        &self,
        document: usize,
        cursor: &mut Cursor,
        mut sink: impl FnMut(&[u32]),
    ) -> Result<(), Error> {
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

    fn load(&self, block: usize, cursor: &mut Cursor) -> Result<(), Error> {
        cursor.block = None;
        cursor.ranks.resize(self.blocks.range(block).len(), 0);
        let BlockRoom { bytes, rings } = &mut cursor.room;
        self.container
            .parse_in(&self.sections[block], bytes, |bytes| {
                self.blocks.lay_out_ranks(block, bytes, rings, &mut cursor.ranks)
            })
            .map_err(|source| Error::Container { path: self.path.clone(), source })?;
        cursor.block = Some(block);
        Ok(())
    }
}
