//! Builds the [`Patch`] of a corpus from its edited texts.
//!
//! The text that a document keeps stays in the symbols of the file, as far as whole symbols are kept.
//! Around each edit a few symbols are taken apart, and the new bytes are cut into tokens.

use super::facts::{SegmentChange, facts_with};
use super::final_symbols::{DraftSymbol, FinalSymbols};
use super::patch::{Cut, Patch, SegmentPatch};
use crate::access::{Access, Passed, Walk};
use crate::corpus::Piece;
use crate::error::OpenError;
use crate::grammar::Grammar;
use crate::store::State;
use crate::store::overlay::text::{EditedText, Span};
use crate::store::view::deferred::EditSource;
use crate::token::{DictionaryError, Interner, Splitter};
use std::sync::Arc;

/// A cut whose symbols have no final numbers yet.
struct DraftCut {
    piece: Piece,
    root: std::ops::Range<usize>,
    symbols: Vec<DraftSymbol>,
}

pub(in crate::store) struct Builder<'a> {
    state: &'a State,
    access: &'a Access,
    /// All tokens of the new bytes.
    tokens: Interner,
    /// The id of each in the file, if the file has it.
    known: Vec<Option<u32>>,
    cuts: Vec<DraftCut>,
}

impl<'a> Builder<'a> {
    pub(in crate::store) fn new(state: &'a State) -> Self {
        let tokens = Interner::default();
        Self { state, access: &state.access, tokens, known: Vec::new(), cuts: Vec::new() }
    }

    pub(in crate::store) fn build(mut self) -> Result<Patch, OpenError> {
        self.state.overlay.check_applied()?;
        let base = self.access.corpus().facts().documents as usize;
        let mut added = Vec::new();
        for document in self.state.overlay.edited() {
            let text = self.state.overlay.text(document)?.expect("it is edited");
            if document < base {
                self.cut_document(document, text)?;
            } else {
                let bytes: Vec<u8> =
                    text.spans().flat_map(|span| new_bytes(text, span)).copied().collect();
                let mut symbols = Vec::new();
                self.cut_bytes(&bytes, &mut symbols)?;
                added.push(symbols);
            }
        }
        let dictionary = self.access.corpus().dictionary()?;
        let finals = FinalSymbols::new(&self.tokens, &self.known, dictionary);
        let all = dictionary.with(&finals.new)?;
        let mut segments =
            vec![SegmentPatch::default(); self.access.corpus().facts().segments.len()];
        for cut in &self.cuts {
            segments[cut.piece.segment].cuts.push(Cut {
                document: cut.piece.document,
                root: cut.root.clone(),
                symbols: cut.symbols.iter().map(|&symbol| finals.of(symbol)).collect(),
            });
        }
        for document in self.state.overlay.removed() {
            for piece in self.access.corpus().known_pieces(document) {
                segments[piece.segment].removed.push(piece.document);
            }
        }
        let added = (!added.is_empty())
            .then(|| plain_grammar(&added, &finals, all.len() as u32))
            .transpose()?;
        let documents = self.state.documents()?;
        let differences = segments.iter().map(|segment| SegmentChange {
            removed: segment.removed.clone(),
            symbols: segment.cuts.iter().map(|cut| cut.symbols.len() as u64).sum(),
        });
        let more = added.as_ref().map(|added| (added.doc_count(), added.symbols().len() as u64));
        let text_bytes = documents.iter().fold(0, |sum: u64, (_, size)| sum.saturating_add(size));
        let facts = facts_with(
            self.access.corpus().facts(),
            (documents.len() as u64, text_bytes),
            &all,
            &differences.collect::<Vec<_>>(),
            more,
        );
        let shift = finals.shift;
        Ok(Patch {
            access: Arc::clone(&self.state.access),
            dictionary: all,
            documents,
            facts,
            shift,
            segments,
            added,
        })
    }

    /// Adds the cuts of a document of the file.
    fn cut_document(&mut self, document: usize, text: &EditedText) -> Result<(), OpenError> {
        let mut spans = text.spans().peekable();
        for (piece, start, len) in self.access.pieces(document)? {
            let mut scissors = Scissors::new(piece, self.access.walk(piece)?);
            loop {
                match spans.peek_mut() {
                    Some(Span::Base { start: from, len: left }) if *from < start + len => {
                        let to = (start + len).min(*from + *left);
                        scissors.skip(*from - start);
                        scissors.keep(to - start, self)?;
                        *left -= to - *from;
                        *from = to;
                        if *left > 0 {
                            break;
                        }
                        spans.next();
                    }
                    // New bytes at the border of two pieces go to the first piece.
                    Some(span @ Span::New { .. }) => {
                        scissors.put(new_bytes(text, *span));
                        spans.next();
                    }
                    _ => break,
                }
            }
            scissors.skip(len);
            scissors.close(self)?;
        }
        Ok(())
    }

    /// Cuts bytes into tokens.
    fn cut_bytes(&mut self, bytes: &[u8], symbols: &mut Vec<DraftSymbol>) -> Result<(), OpenError> {
        let (tokens, first) = (&mut self.tokens, symbols.len());
        Splitter::default().finish(bytes, |class, bytes| {
            symbols.push(DraftSymbol::Token(tokens.intern(class, bytes)))
        });
        for symbol in &mut symbols[first..] {
            let DraftSymbol::Token(token) = *symbol else { continue };
            if token as usize == self.known.len() {
                self.known.push(self.access.token(self.tokens.bytes(token))?);
            }
        }
        Ok(())
    }
}

/// Makes the cuts of a piece of a document, from left to right.
struct Scissors<'a> {
    piece: Piece,
    walk: Walk<'a>,
    cut: Option<OpenCut>,
}

/// A cut that is being made.
struct OpenCut {
    /// Where it begins in the root.
    start: usize,
    symbols: Vec<DraftSymbol>,
    /// Bytes behind the symbols.
    text: Vec<u8>,
}

impl OpenCut {
    fn at(start: usize) -> Self {
        Self { start, symbols: Vec::new(), text: Vec::new() }
    }
}

impl<'a> Scissors<'a> {
    fn new(piece: Piece, walk: Walk<'a>) -> Self {
        Self { piece, walk, cut: None }
    }

    /// Keeps the text up to an offset.
    fn keep(&mut self, offset: u64, builder: &mut Builder<'_>) -> Result<(), OpenError> {
        // If a symbol was taken apart, its parts are kept.
        if !self.walk.is_between() {
            self.pass(offset, builder)?;
        }
        if self.walk.is_between() {
            self.close(builder)?;
        }
        if self.walk.offset() < offset {
            self.walk.seek(offset);
            if self.walk.offset() < offset {
                self.pass(offset, builder)?;
            }
        }
        Ok(())
    }

    /// Keeps the part of the root symbol up to an offset.
    fn pass(&mut self, offset: u64, builder: &mut Builder<'_>) -> Result<(), OpenError> {
        let at = self.walk.at();
        let OpenCut { symbols, text, .. } = self.cut.get_or_insert_with(|| OpenCut::at(at));
        let mut failed = Ok(());
        self.walk.pass(offset, |passed| match passed {
            Passed::Text(bytes) => text.extend_from_slice(bytes),
            Passed::Symbol(symbol) => {
                if failed.is_ok() {
                    failed = builder.cut_bytes(text, symbols);
                }
                text.clear();
                symbols.push(DraftSymbol::Kept(symbol));
            }
        });
        failed
    }

    /// Leaves out the text up to an offset.
    fn skip(&mut self, offset: u64) {
        if self.walk.offset() == offset {
            return;
        }
        self.cut.get_or_insert_with(|| OpenCut::at(self.walk.at()));
        if !self.walk.is_between() {
            self.walk.pass(offset, |_| {});
        }
        if self.walk.is_between() && self.walk.offset() < offset {
            self.walk.seek(offset);
            if self.walk.offset() < offset {
                self.walk.pass(offset, |_| {});
            }
        }
    }

    /// Inserts bytes.
    fn put(&mut self, bytes: &[u8]) {
        let at = self.walk.at();
        self.cut.get_or_insert_with(|| OpenCut::at(at)).text.extend_from_slice(bytes);
    }

    /// Ends the cut at the next symbol of the root.
    fn close(&mut self, builder: &mut Builder<'_>) -> Result<(), OpenError> {
        let Some(OpenCut { start, mut symbols, text }) = self.cut.take() else { return Ok(()) };
        builder.cut_bytes(&text, &mut symbols)?;
        let root = start..self.walk.at();
        builder.cuts.push(DraftCut { piece: self.piece, root, symbols });
        Ok(())
    }
}

/// The bytes of a span of new bytes.
fn new_bytes(text: &EditedText, span: Span) -> &[u8] {
    match span {
        Span::New { start, len } => text.new_bytes(start, len),
        Span::Base { .. } => &[],
    }
}

/// A grammar of these documents, without rules.
fn plain_grammar(
    documents: &[Vec<DraftSymbol>],
    finals: &FinalSymbols<'_>,
    tokens: u32,
) -> Result<Grammar, OpenError> {
    let len: usize = documents.iter().map(Vec::len).sum();
    let end = u32::try_from(len).map_err(|_| DictionaryError::TooLarge)?;
    let mut symbols = Vec::with_capacity(len);
    let mut starts = vec![0];
    for document in documents {
        symbols.extend(document.iter().map(|&symbol| finals.of(symbol)));
        starts.push(symbols.len() as u32);
    }
    Ok(Grammar::from_checked(tokens, vec![0, end], symbols, starts))
}
