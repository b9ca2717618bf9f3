//! Random access to a compressed corpus without decompressing it: bytes of a document, lines by
//! number, and matches of words and phrases.
//!
//! The structures are those of the paper (random-access section IV-B), adapted to one flat grammar per
//! segment:
//!
//! | the paper | here | built when |
//! |---|---|---|
//! | rootOffset | `offsets`: the text length before every eighth symbol of the root | a segment is loaded |
//! | word2rule, rule2location | `occurrences`: for each word, the symbols of the grammar that contain it, and where in them | many words have been searched for |
//! | rule2file | `format::word_counts`: for each document, its words and their counts | words have been counted in single documents many times |
//! | – | `phrases`: the suffixes of a segment's words, sorted | the file has it, or thousands of phrases have been counted |
//! | – | `lines`: like rootOffset, for line ends | lines are first asked for |
//!
//! The first few searches traverse the grammar (`scan`), which is faster than building an index of all
//! words. The index is built once the searches have cost about as much as building it.
//!
//! `extract` needs only the first structure. The paper multiplies word2rule with rule2file for each
//! count. We store the product: that is what callers ask for, and it is smaller than its factors.
//!
//! Each structure is built in two phases (frequencies, then placement; section IV-C), with segments and
//! documents in parallel. Word counts can be stored in the file (`compress --index`). The others are
//! two linear passes over a grammar that must be decoded anyway. Storing them would make the file two to
//! thirty times as large and save little time (docs/decisions.md has the figures).
//!
//! A phrase may match millions of times. So matches are passed on one by one (`words`), and counting a
//! phrase lists none of them (`phrase_count`).
//!
//! # What a word is
//!
//! The tokeniser that cut the text also cuts a query into words. A [`Phrase`] is
//! one or more words in sequence. Words are adjacent when only separators are between them, so `don't`
//! matches *don't* and *don - t*. A match may cross rules, lines and segments.

mod below;
mod by_index;
mod indexed;
mod inside;
mod lines;
mod matches;
mod neighbours;
mod next_words;
mod occurrences;
mod offsets;
mod patience;
pub(crate) mod phrase;
mod phrase_count;
mod phrase_totals;
mod places;
#[cfg(test)]
mod sample;
mod scan;
mod search;
mod segment;
mod streamed;
mod symbol_lens;
mod trace;
mod vocabulary;
mod walk;
mod word_offsets;
mod words;

pub(crate) use indexed::Pattern;
pub(crate) use matches::{MOST_MATCHES, all_kept, keep, push_match};
pub use next_words::NextWords;
pub use phrase::{Match, Phrase};
pub(crate) use phrase::{TextSource, each_word, match_around, words_of};
pub(crate) use phrase_count::PhraseCount;
pub use trace::Passage;
pub(crate) use walk::{Passed, Walk};

use crate::corpus::{Corpus, Piece};
use crate::error::{AccessError, NoDocument, OpenError};
use crate::grammar::Grammar;
use crate::lazy::Lazy;
pub(crate) use patience::Patience;
use rayon::prelude::*;
use segment::Segment;
use std::sync::Arc;
use vocabulary::Vocabulary;

/// A corpus whose segments stay in memory once they are loaded, with the indexes built on them.
pub struct Access {
    corpus: Arc<Corpus>,
    segments: Vec<Lazy<Segment>>,
    /// Per segment: how often each symbol occurs in all documents, in the root or below it.
    uses: Vec<Lazy<Vec<u64>>>,
    vocabulary: Lazy<Vocabulary>,
    /// Phrase indexes.
    indexes: indexed::Indexes,
    /// Counts the phrases that were counted without them.
    without_indexes: Patience,
    /// Counts the tokens that were looked up without `vocabulary`.
    without_vocabulary: Patience,
    /// Counts the questions that were answered without loading segments.
    without_segments: Patience,
}

/// A piece of a document in a loaded segment.
struct Part<'a> {
    segment: &'a Segment,
    number: usize,
    document: usize,
    /// Where it begins in the document.
    start: u64,
}

impl Access {
    /// Makes an access to an open corpus. Loads nothing yet.
    #[must_use]
    pub fn new(corpus: Arc<Corpus>) -> Self {
        let number = corpus.facts().segments.len();
        Self {
            segments: (0..number).map(|_| Lazy::default()).collect(),
            uses: (0..number).map(|_| Lazy::default()).collect(),
            vocabulary: Lazy::default(),
            indexes: indexed::Indexes::new(number),
            without_indexes: Patience::default(),
            without_vocabulary: Patience::default(),
            without_segments: Patience::default(),
            corpus,
        }
    }

    /// The corpus.
    #[must_use]
    pub fn corpus(&self) -> &Arc<Corpus> {
        &self.corpus
    }

    /// Loads all segments and builds everything that [`search`](Self::search) and
    /// [`count`](Self::count) need, in parallel.
    ///
    /// # Errors
    /// When a section cannot be read or is damaged.
    pub fn prepare(&self) -> Result<(), OpenError> {
        self.vocabulary()?;
        (0..self.segments.len()).into_par_iter().try_for_each(|number| {
            let segment = self.segment(number)?;
            segment.occurrences();
            self.uses(number)?;
            segment.counts(number).map(|_| ())
        })
    }

    /// A document's size in bytes.
    ///
    /// # Errors
    /// [`AccessError::NoDocument`]; or when the document table cannot be read or is damaged.
    pub fn size(&self, document: usize) -> Result<u64, AccessError> {
        let size = self.corpus.documents()?.size(document);
        size.ok_or_else(|| NoDocument::number(document).into())
    }

    /// Up to `len` bytes of a document from `offset` on; fewer where the document ends.
    ///
    /// # Errors
    /// [`AccessError::NoDocument`]; [`AccessError::OutOfRange`] when `offset` is past the end; or when a section is
    /// damaged.
    pub fn extract(
        &self,
        document: usize,
        offset: u64,
        len: usize,
    ) -> Result<Vec<u8>, AccessError> {
        let mut out = Vec::new();
        self.extract_to(document, offset, len, &mut out)?;
        Ok(out)
    }

    /// As [`extract`](Self::extract), appending to `out`.
    ///
    /// # Errors
    /// As [`extract`](Self::extract).
    pub fn extract_to(
        &self,
        document: usize,
        offset: u64,
        len: usize,
        out: &mut Vec<u8>,
    ) -> Result<(), AccessError> {
        let size = self.size(document)?;
        if offset > size {
            return Err(self.out_of_range(document, offset, size));
        }
        let mut left = len.min(usize::try_from(size - offset).unwrap_or(usize::MAX));
        if left == 0 {
            return Ok(());
        }
        out.reserve(left.min(MOST_RESERVED));
        for part in self.parts(document) {
            let part = part?;
            let end = part.start.saturating_add(part.segment.document_len(part.document));
            if end <= offset {
                continue;
            }
            let before = out.len();
            let local = offset.saturating_sub(part.start);
            part.segment.extract(part.document, local, left, out);
            left -= out.len() - before;
            if left == 0 {
                break;
            }
        }
        Ok(())
    }

    /// The bytes of the lines `from` to `to` of a document, counted from 1, with their line ends.
    /// Lines past the end are ignored.
    ///
    /// # Errors
    /// [`AccessError::NoDocument`]; or when a section is damaged.
    pub fn lines(&self, document: usize, from: u64, to: u64) -> Result<Vec<u8>, AccessError> {
        self.corpus.check_document(document)?;
        if from > to || to == 0 {
            return Ok(Vec::new());
        }
        let start = self.line_start(document, from.max(1) - 1)?;
        let end = self.line_start(document, to)?;
        self.extract(document, start, usize::try_from(end - start).unwrap_or(usize::MAX))
    }

    /// The offset of the line that has `lines` line ends before it; the document's size if it has fewer
    /// line ends.
    pub(crate) fn line_start(&self, document: usize, mut lines: u64) -> Result<u64, AccessError> {
        if lines == 0 {
            return Ok(0);
        }
        for part in self.parts(document) {
            let part = part?;
            let here = part.segment.line_ends(part.document);
            if lines <= here {
                return Ok(part.start + part.segment.after_line_end(part.document, lines));
            }
            lines -= here;
        }
        self.size(document)
    }

    /// Number of line ends before `offset`: the number of the line it is in, counted from 0.
    ///
    /// # Errors
    /// [`AccessError::NoDocument`]; or when a section is damaged.
    pub fn line_ends_before(&self, document: usize, offset: u64) -> Result<u64, AccessError> {
        self.corpus.check_document(document)?;
        let mut lines = 0;
        for part in self.parts(document) {
            let part = part?;
            if part.start >= offset {
                break;
            }
            lines += part.segment.line_ends_before(part.document, offset - part.start);
        }
        Ok(lines)
    }

    /// How often each symbol occurs in all documents of a segment. Does not load the segment.
    fn uses(&self, number: usize) -> Result<&Vec<u64>, OpenError> {
        self.uses[number].try_get(|| {
            let (mut uses, root) = match self.segments[number].made() {
                Some(Segment { grammar, .. }) => (grammar.uses(), grammar.tokens()),
                None => {
                    let threads = self.corpus.pool_threads_a_segment();
                    let tally = self.corpus.segment_tally_by(number, threads)?;
                    (tally.uses(), tally.rules.tokens())
                }
            };
            uses[root as usize] = 1;
            Ok(uses)
        })
    }

    /// The id of a token.
    pub(crate) fn token(&self, bytes: &[u8]) -> Result<Option<u32>, OpenError> {
        Ok(self.tokens(&[bytes])?[0])
    }

    /// The ids of tokens with these bytes. The first few are looked up without building a table.
    pub(crate) fn tokens(&self, tokens: &[&[u8]]) -> Result<Vec<Option<u32>>, OpenError> {
        let dictionary = self.corpus.dictionary()?;
        if self.vocabulary.made().is_none()
            && self.without_vocabulary.spend(tokens.len() as u64, WORTH_A_TABLE)
        {
            return Ok(tokens.iter().map(|bytes| dictionary.find(bytes)).collect());
        }
        let vocabulary = self.vocabulary()?;
        Ok(tokens.iter().map(|bytes| vocabulary.find(dictionary, bytes)).collect())
    }

    /// The pieces of a document: the segment of each, its offset in the document and its length.
    pub(crate) fn pieces(&self, document: usize) -> Result<Vec<(Piece, u64, u64)>, OpenError> {
        let piece = |part: Part<'_>| {
            let len = part.segment.document_len(part.document);
            (Piece { segment: part.number, document: part.document }, part.start, len)
        };
        self.parts(document).map(|part| part.map(piece)).collect()
    }

    /// Loads all segments in which a document is stored.
    pub(crate) fn load(&self, document: usize) -> Result<(), OpenError> {
        self.parts(document).try_for_each(|part| part.map(drop))
    }

    /// The symbols of the grammars in which a document is stored.
    pub(crate) fn grammar_symbols(&self, document: usize) -> Result<u64, OpenError> {
        let symbols = |part: Part<'_>| part.segment.grammar.symbols().len() as u64;
        self.parts(document).map(|part| part.map(symbols)).sum()
    }

    /// A walk over a piece of a document.
    pub(crate) fn walk(&self, piece: Piece) -> Result<Walk<'_>, OpenError> {
        Ok(Walk::new(self.segment(piece.segment)?, piece.document))
    }

    /// The grammar of a segment, if that is in memory.
    pub(crate) fn loaded(&self, segment: usize) -> Option<&Grammar> {
        self.segments[segment].made().map(|segment| &segment.grammar)
    }

    fn vocabulary(&self) -> Result<&Vocabulary, OpenError> {
        self.vocabulary.try_get(|| Ok(Vocabulary::new(self.corpus.dictionary()?)))
    }

    fn segment(&self, number: usize) -> Result<&Segment, OpenError> {
        self.segments[number].try_get(|| Segment::load(&self.corpus, number))
    }

    /// The pieces of a document. Each segment is loaded when the iterator reaches it.
    fn parts(&self, document: usize) -> impl Iterator<Item = Result<Part<'_>, OpenError>> {
        let mut start = 0u64;
        self.corpus.known_pieces(document).map(move |Piece { segment: number, document }| {
            let segment = self.segment(number)?;
            let part = Part { segment, number, document, start };
            start = start.saturating_add(segment.document_len(document));
            Ok(part)
        })
    }

    pub(crate) fn out_of_range(&self, document: usize, offset: u64, size: u64) -> AccessError {
        let name = self.corpus.documents().ok().and_then(|table| table.name(document));
        AccessError::OutOfRange {
            document: String::from_utf8_lossy(name.unwrap_or_default()).into_owned(),
            offset,
            size,
        }
    }
}

/// Looking up this many tokens one by one takes as long as building a table of all tokens.
const WORTH_A_TABLE: u64 = 1000;

/// Most bytes reserved in advance: a caller may ask for more bytes than the document has.
const MOST_RESERVED: usize = 1 << 20;

/// The text of one document, for reading around a match.
struct DocumentText<'a> {
    access: &'a Access,
    document: usize,
}

impl TextSource for DocumentText<'_> {
    fn size(&self) -> Result<u64, AccessError> {
        self.access.size(self.document)
    }

    fn read(&self, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<(), AccessError> {
        self.access.extract_to(self.document, offset, len, out)
    }
}
