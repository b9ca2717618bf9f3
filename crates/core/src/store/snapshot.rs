//! The corpus as it is now, for questions to the whole of it.
//!
//! Edited documents become stretches of symbols in place of others in the grammars of the file (see
//! `patch.rs`): what is kept stays as it was compressed, only the new bytes are cut into
//! tokens. The work is that of the edits, not of the documents or segments they are in.

use super::deferred::{self, EditSource, Outline};
use super::patch::{Cut, Patch, SegmentPatch};
use super::text::{EditedText, Span};
use super::words::Sum;
use super::{State, Store};
use crate::access::{Access, Passed, Walk};
use crate::corpus::{Corpus, Piece, Shift};
use crate::error::Error;
use crate::format::{DocumentTable, Facts, SegmentFacts, Sizes};
use crate::grammar::{Grammar, Symbol};
use crate::token::{Dictionary, DictionaryError, Interner, Splitter, TokenClass};
use std::sync::Arc;

impl Store {
    /// The corpus as it is now, edits included: analytics see every edit. Later edits do not change
    /// it. Without edits it is the corpus in the file. If it is known which words the edits change, as
    /// in a store that was opened for editing, more is worked out when a question needs more.
    ///
    /// # Errors
    /// When a section is damaged, or there are more than 4 GiB of distinct tokens.
    pub fn snapshot(&self) -> Result<Arc<Corpus>, Error> {
        let state = self.read();
        if state.overlay.edits == 0 {
            return Ok(Arc::clone(state.access.corpus()));
        }
        let mut last = state.snapshot.lock().expect("no holder panics");
        if let Some((edits, corpus)) = &*last
            && *edits == state.overlay.edits
        {
            return Ok(Arc::clone(corpus));
        }
        let deferred = match state.words() {
            Some(words) => state.deferred(words)?,
            None => None,
        };
        let corpus = match deferred {
            Some(corpus) => corpus,
            None => Builder::new(&state).build()?.into_corpus(),
        };
        let corpus = Arc::new(corpus);
        *last = Some((state.overlay.edits, Arc::clone(&corpus)));
        Ok(corpus)
    }
}

impl State {
    /// The corpus as it is now, if its edits change the word counts so.
    fn deferred(&self, words: &Sum) -> Result<Option<Corpus>, Error> {
        let base = self.access.corpus().facts().documents as usize;
        let (mut edited, mut added) = (Vec::new(), Vec::new());
        for document in self.overlay.edited() {
            let text = self.overlay.text(document).expect("it is edited");
            if document < base {
                let (spans, new) = text.extent();
                edited.push((document, spans as u64, new as u64));
            } else {
                added.push(text.size());
            }
        }
        let table = self.access.corpus().documents()?;
        let mut outline =
            Outline { removed: self.overlay.removed(), edited, added, ..Outline::default() };
        for document in self.overlay.documents() {
            outline.documents += 1;
            let size = self.overlay.size(table, document);
            outline.text_bytes = outline.text_bytes.saturating_add(size);
        }
        deferred::corpus(&self.access, words, outline, self.frozen())
    }
}

impl EditSource for State {
    fn make(&self) -> Result<Patch, Error> {
        Builder::new(self).build()
    }

    fn documents(&self) -> Result<DocumentTable, Error> {
        let base = self.access.corpus().documents()?;
        let mut table = DocumentTable::default();
        for document in self.overlay.documents() {
            table.push(self.overlay.name(base, document), self.overlay.size(base, document));
        }
        Ok(table)
    }
}

/// A symbol before all tokens are known.
#[derive(Clone, Copy)]
enum Early {
    /// As in the file.
    Kept(Symbol),
    /// A token of the interner.
    Token(u32),
}

/// A cut before all tokens are known.
struct EarlyCut {
    piece: Piece,
    root: std::ops::Range<usize>,
    symbols: Vec<Early>,
}

pub(super) struct Builder<'a> {
    state: &'a State,
    access: &'a Access,
    /// All tokens of new bytes.
    tokens: Interner,
    /// Of each, its id in the file, if it is there.
    known: Vec<Option<u32>>,
    cuts: Vec<EarlyCut>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(state: &'a State) -> Self {
        let tokens = Interner::default();
        Self { state, access: &state.access, tokens, known: Vec::new(), cuts: Vec::new() }
    }

    pub(super) fn build(mut self) -> Result<Patch, Error> {
        let base = self.access.corpus().facts().documents as usize;
        let mut added = Vec::new();
        for document in self.state.overlay.edited() {
            let text = self.state.overlay.text(document).expect("it is edited");
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
        let finals = Finals::new(&self.tokens, &self.known, dictionary);
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
        let differences = segments.iter().map(|segment| Difference {
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

    /// Notes what is different in a document of the file.
    fn cut_document(&mut self, document: usize, text: &EditedText) -> Result<(), Error> {
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
                    // New bytes at the border of two pieces go to the first of them.
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
    fn cut_bytes(&mut self, bytes: &[u8], symbols: &mut Vec<Early>) -> Result<(), Error> {
        let (tokens, first) = (&mut self.tokens, symbols.len());
        Splitter::default()
            .finish(bytes, |class, bytes| symbols.push(Early::Token(tokens.intern(class, bytes))));
        for symbol in &mut symbols[first..] {
            let Early::Token(token) = *symbol else { continue };
            if token as usize == self.known.len() {
                self.known.push(self.access.token(self.tokens.bytes(token))?);
            }
        }
        Ok(())
    }
}

/// What is different in a segment of a corpus with edits.
#[derive(Clone, Debug, Default)]
pub(super) struct Difference {
    /// Its documents that are gone, rising.
    pub(super) removed: Vec<usize>,
    /// At most so many symbols are new in its root.
    pub(super) symbols: u64,
}

/// Facts of a corpus with edits: those of its file, its documents now and their bytes, its tokens, what
/// is different in each segment, and how many documents with at most how many symbols are in one more. Sizes in
/// bytes are exact, those in words at most too large.
pub(super) fn facts_with(
    file: &Facts,
    (documents, text_bytes): (u64, u64),
    dictionary: &Dictionary,
    segments: &[Difference],
    added: Option<(usize, u64)>,
) -> Facts {
    let mut facts = file.clone();
    facts.documents = documents;
    facts.vocabulary = dictionary.len() as u64;
    facts.vocabulary_words =
        facts.vocabulary - u64::from(dictionary.ids(TokenClass::Separator).end);
    let mut gone = 0;
    for (segment, difference) in facts.segments.iter_mut().zip(segments) {
        let removed = difference.removed.len() as u64;
        let continues = segment.documents > 0 && segment.first_piece > 0;
        let is_first_removed = difference.removed.first() == Some(&0);
        // A document that is left out counts where it begins.
        let goes_on = u64::from(continues && is_first_removed);
        if goes_on > 0 {
            segment.first_piece = 0;
        }
        segment.first_document = segment.first_document + goes_on - gone;
        segment.documents -= removed;
        gone += removed - goes_on;
        add_symbols(&mut segment.sizes, difference.symbols);
    }
    if let Some((count, symbols)) = added {
        let mut sizes = Sizes { rules: 1, depth: 1, ..Sizes::default() };
        add_symbols(&mut sizes, symbols);
        let documents = count as u64;
        let first_document = facts.documents - documents;
        facts.segments.push(SegmentFacts { first_document, documents, sizes, first_piece: 0 });
    }
    facts.sizes = Sizes::default();
    for segment in &facts.segments {
        facts.sizes.add(&segment.sizes);
    }
    facts.sizes.text_bytes = text_bytes;
    facts
}

/// Makes the cuts of a piece of a document, from left to right.
struct Scissors<'a> {
    piece: Piece,
    walk: Walk<'a>,
    /// The cut that is being made: where it begins in the root, its symbols, and then bytes.
    cut: Option<(usize, Vec<Early>, Vec<u8>)>,
}

impl<'a> Scissors<'a> {
    fn new(piece: Piece, walk: Walk<'a>) -> Self {
        Self { piece, walk, cut: None }
    }

    /// Keeps the text up to an offset.
    fn keep(&mut self, offset: u64, builder: &mut Builder<'_>) -> Result<(), Error> {
        // Of a symbol that has been taken apart, the parts are kept.
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

    /// Keeps what is in the symbol of the root up to an offset.
    fn pass(&mut self, offset: u64, builder: &mut Builder<'_>) -> Result<(), Error> {
        let at = self.walk.at();
        let (_, symbols, text) = self.cut.get_or_insert_with(|| (at, Vec::new(), Vec::new()));
        let mut failed = Ok(());
        self.walk.pass(offset, |passed| match passed {
            Passed::Text(bytes) => text.extend_from_slice(bytes),
            Passed::Symbol(symbol) => {
                if failed.is_ok() {
                    failed = builder.cut_bytes(text, symbols);
                }
                text.clear();
                symbols.push(Early::Kept(symbol));
            }
        });
        failed
    }

    /// Leaves out the text up to an offset.
    fn skip(&mut self, offset: u64) {
        if self.walk.offset() == offset {
            return;
        }
        self.cut.get_or_insert_with(|| (self.walk.at(), Vec::new(), Vec::new()));
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

    /// Puts bytes there.
    fn put(&mut self, bytes: &[u8]) {
        let at = self.walk.at();
        self.cut.get_or_insert_with(|| (at, Vec::new(), Vec::new())).2.extend_from_slice(bytes);
    }

    /// Ends the cut at the next symbol of the root.
    fn close(&mut self, builder: &mut Builder<'_>) -> Result<(), Error> {
        let Some((start, mut symbols, text)) = self.cut.take() else { return Ok(()) };
        builder.cut_bytes(&text, &mut symbols)?;
        let root = start..self.walk.at();
        builder.cuts.push(EarlyCut { piece: self.piece, root, symbols });
        Ok(())
    }
}

/// The bytes of a span of new ones.
fn new_bytes(text: &EditedText, span: Span) -> &[u8] {
    match span {
        Span::New { start, len } => text.new_bytes(start, len),
        Span::Base { .. } => &[],
    }
}

/// Adds symbols to a root, each of them a word at most.
fn add_symbols(sizes: &mut Sizes, count: u64) {
    for size in
        [&mut sizes.text_tokens, &mut sizes.text_words, &mut sizes.symbols, &mut sizes.root_symbols]
    {
        *size = size.saturating_add(count);
    }
}

/// Documents without rules.
fn plain_grammar(
    documents: &[Vec<Early>],
    finals: &Finals<'_>,
    tokens: u32,
) -> Result<Grammar, Error> {
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

/// The numbers of all symbols in the patched corpus.
pub(super) struct Finals<'a> {
    pub(super) shift: Shift,
    /// Of the tokens of the interner.
    pub(super) tokens: Vec<Symbol>,
    /// Tokens that the file does not have, by class and bytes.
    pub(super) new: Vec<(TokenClass, &'a [u8])>,
}

impl<'a> Finals<'a> {
    /// For the tokens of an interner, of which some are known in the file.
    pub(super) fn new(
        tokens: &'a Interner,
        known: &[Option<u32>],
        dictionary: &Dictionary,
    ) -> Self {
        let ids = 0..tokens.len() as u32;
        let key = |token: &u32| (tokens.class(*token), tokens.bytes(*token));
        let mut new: Vec<u32> = ids.filter(|&token| known[token as usize].is_none()).collect();
        new.sort_unstable_by(|a, b| key(a).cmp(&key(b)));
        let more = TokenClass::ALL
            .map(|class| new.iter().filter(|&&token| tokens.class(token) == class).count() as u32);
        let shift = Shift::new(dictionary, more);
        let mut finals: Vec<Symbol> =
            known.iter().map(|known| known.map_or(0, |token| shift.of(token))).collect();
        for class in TokenClass::ALL {
            let of_class = new.iter().filter(|&&token| tokens.class(token) == class);
            for (&token, id) in of_class.zip(shift.first_new(class)..) {
                finals[token as usize] = id;
            }
        }
        Self { shift, tokens: finals, new: new.iter().map(key).collect() }
    }

    fn of(&self, symbol: Early) -> Symbol {
        match symbol {
            Early::Kept(symbol) => self.shift.of(symbol),
            Early::Token(token) => self.tokens[token as usize],
        }
    }
}
