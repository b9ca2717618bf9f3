//! Random access to a compressed corpus: any bytes of any document, lines by number, words and
//! phrases with their places, without unpacking.
//!
//! The structures are those of the paper (random-access section IV-B), in the form that suits one
//! flat grammar a segment:
//!
//! | the paper's | here | built when |
//! |---|---|---|
//! | rootOffset | `offsets`: the text length before every eighth symbol of the root | a segment is loaded |
//! | word2rule, rule2location | `occurrences`: of every word, the symbols of the grammar it stands in, and where in them | words are searched again and again |
//! | rule2file | `counts`: of every document, its words and how often each stands in it | words are counted in one document again and again |
//! | – | `lines`: the same as rootOffset, for line ends | lines are asked for |
//!
//! Whoever asks once or twice is answered by going through the grammar (`scan`), which takes less than
//! making an index for all words; nearly as much as that is spent before one is made.
//!
//! `extract` needs only the first. The paper multiplies word2rule with rule2file for each count; we
//! keep the product, since it is what is asked for and smaller than its factors.
//!
//! Each is built in two phases (frequencies, then placement; section IV-C), segments and documents
//! in parallel. `counts` can be stored in the file (`compress --index`). The others are two linear
//! passes over a grammar that has to be decoded anyway: storing them would double the file, because
//! the places of all symbols are as much information as the root itself.
//!
//! # What a word is
//!
//! A query is cut by the rules the text was cut by (see [`token`](crate::token)). A [`Phrase`] is
//! one or more words in sequence; its words stand next to each other when only separators stand
//! between them, so `don't` finds *don't* and *don - t*, across rule borders, lines and segments.

mod below;
mod counts;
mod lazy;
mod lines;
mod neighbours;
mod occurrences;
mod offsets;
mod phrase;
mod phrase_totals;
mod places;
#[cfg(test)]
mod sample;
mod scan;
mod search;
mod segment;
mod vocabulary;
mod walk;

pub(crate) use counts::WordCounts;
pub(crate) use lazy::Lazy;
pub use phrase::{Match, Phrase, words_of};
pub(crate) use phrase::{TextSource, match_around};
pub(crate) use walk::{Passed, Walk};

use crate::corpus::{Corpus, Piece};
use crate::error::Error;
use crate::grammar::{Grammar, Symbol};
use neighbours::{Around, Neighbours};
use phrase_totals::{End, end_words};
use rayon::prelude::*;
use segment::Segment;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use vocabulary::Vocabulary;

/// A corpus whose segments stay in memory once they are needed, with what was built on them.
pub struct Access {
    corpus: Arc<Corpus>,
    segments: Vec<Lazy<Segment>>,
    /// Of every segment: how often each symbol stands in all documents, in the root or below.
    uses: Vec<Lazy<Vec<u64>>>,
    vocabulary: Lazy<Vocabulary>,
    /// How many tokens were looked for without it.
    tokens_asked: AtomicUsize,
}

/// A piece of a document in a loaded segment.
struct Part<'a> {
    segment: &'a Segment,
    number: usize,
    document: usize,
    /// Where it begins in the document.
    start: u64,
}

/// A phrase as the corpus knows it.
struct Query<'a> {
    phrase: &'a Phrase,
    ids: Vec<u32>,
    /// Which of its words stands least often in the grammars.
    rarest: usize,
}

/// Adds matches of a document that is the last one there, or after it.
fn push_match(
    documents: &mut Vec<(usize, Vec<Match>)>,
    document: usize,
    found: impl IntoIterator<Item = Match>,
) {
    if documents.last().is_none_or(|last| last.0 != document) {
        documents.push((document, Vec::new()));
    }
    documents.last_mut().expect("one was pushed").1.extend(found);
}

impl Access {
    /// Takes an open corpus; reads nothing yet.
    #[must_use]
    pub fn new(corpus: Arc<Corpus>) -> Self {
        let number = corpus.facts().segments.len();
        Self {
            segments: (0..number).map(|_| Lazy::default()).collect(),
            uses: (0..number).map(|_| Lazy::default()).collect(),
            vocabulary: Lazy::default(),
            tokens_asked: AtomicUsize::default(),
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
    pub fn prepare(&self) -> Result<(), Error> {
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
    /// When the document table cannot be read or is damaged.
    pub fn size(&self, document: usize) -> Result<u64, Error> {
        Ok(self.corpus.documents()?.size(document))
    }

    /// Up to `len` bytes of a document from `offset` on; fewer where the document ends.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] when `offset` is past the end; or when a section is damaged.
    pub fn extract(&self, document: usize, offset: u64, len: usize) -> Result<Vec<u8>, Error> {
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
    ) -> Result<(), Error> {
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
    /// What is past the last line is left out.
    ///
    /// # Errors
    /// When a section is damaged.
    pub fn lines(&self, document: usize, from: u64, to: u64) -> Result<Vec<u8>, Error> {
        if from > to || to == 0 {
            return Ok(Vec::new());
        }
        let start = self.line_start(document, from.max(1) - 1)?;
        let end = self.line_start(document, to)?;
        self.extract(document, start, usize::try_from(end - start).unwrap_or(usize::MAX))
    }

    /// Where the line begins before which `lines` line ends stand; the document's size if it has
    /// fewer.
    pub(crate) fn line_start(&self, document: usize, mut lines: u64) -> Result<u64, Error> {
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
    /// When a section is damaged.
    pub fn line_ends_before(&self, document: usize, offset: u64) -> Result<u64, Error> {
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

    /// Where a phrase stands in a document, in order.
    ///
    /// # Errors
    /// When a section is damaged.
    pub fn search(&self, document: usize, phrase: &Phrase) -> Result<Vec<Match>, Error> {
        let Some(query) = self.query(phrase)? else { return Ok(Vec::new()) };
        let mut matches = Vec::new();
        for part in self.parts(document) {
            let part = part?;
            let documents = part.document..part.document + 1;
            let start = |_| Ok((document, part.start));
            self.find_in(&query, part.segment, documents, start, |_, found| matches.push(found))?;
        }
        Ok(matches)
    }

    /// Where a phrase stands in all documents that have it: the documents in order, with their
    /// matches.
    ///
    /// # Errors
    /// When a section is damaged.
    pub fn search_all(&self, phrase: &Phrase) -> Result<Vec<(usize, Vec<Match>)>, Error> {
        let Some(query) = self.query(phrase)? else { return Ok(Vec::new()) };
        let in_segments: Vec<Vec<(usize, Vec<Match>)>> = (0..self.segments.len())
            .into_par_iter()
            .map(|number| {
                let segment = self.segment(number)?;
                let first = self.corpus.facts().segments[number].first_document as usize;
                let start = |document: usize| {
                    Ok((first + document, self.piece_start(first + document, number)?))
                };
                let mut found = Vec::new();
                let all = 0..segment.documents();
                self.find_in(&query, segment, all, start, |document, one| {
                    push_match(&mut found, document, [one]);
                })?;
                Ok(found)
            })
            .collect::<Result<_, Error>>()?;
        let mut documents = Vec::new();
        for (document, found) in in_segments.into_iter().flatten() {
            push_match(&mut documents, document, found);
        }
        Ok(documents)
    }

    /// Calls `found` with each match that has its rarest word in some documents of a segment, in
    /// order; `start` tells of a document there its number and where its piece begins.
    fn find_in(
        &self,
        query: &Query<'_>,
        segment: &Segment,
        documents: Range<usize>,
        start: impl Fn(usize) -> Result<(usize, u64), Error>,
        mut found: impl FnMut(usize, Match),
    ) -> Result<(), Error> {
        let Query { phrase, ids, rarest } = query;
        let len = segment.dictionary().bytes(ids[*rarest]).len() as u64;
        let mut neighbours = Neighbours::new(segment, ids, *rarest);
        let mut failed = Ok(());
        // The document of the last hit here and in the corpus, and where its piece begins.
        let mut last: Option<(usize, usize, u64)> = None;
        segment.find(ids[*rarest], documents, |here, hit| {
            let mut take = || -> Result<(), Error> {
                let (document, start) = match last {
                    Some((last, document, start)) if last == here => (document, start),
                    _ => start(here)?,
                };
                last = Some((here, document, start));
                if ids.len() == 1 {
                    found(document, Match { offset: start + hit.offset, len });
                    return Ok(());
                }
                match neighbours.around(&hit) {
                    Around::Phrase(from, to) => {
                        found(document, Match { offset: start + from, len: to - from });
                    }
                    Around::Other => {}
                    Around::Unknown => {
                        let text = DocumentText { access: self, document };
                        let around = match_around(&text, phrase, *rarest, start + hit.offset)?;
                        around.into_iter().for_each(|one| found(document, one));
                    }
                }
                Ok(())
            };
            if failed.is_ok() {
                failed = take();
            }
        });
        failed
    }

    /// How often a phrase stands in a document.
    ///
    /// # Errors
    /// When a section is damaged.
    pub fn count(&self, document: usize, phrase: &Phrase) -> Result<u64, Error> {
        let Some(word) = phrase.single() else {
            return Ok(self.search(document, phrase)?.len() as u64);
        };
        let Some(id) = self.vocabulary()?.find(self.corpus.dictionary()?, word) else {
            return Ok(0);
        };
        let mut count = 0;
        for part in self.parts(document) {
            let part = part?;
            count += part.segment.count(part.number, part.document, id)?;
        }
        Ok(count)
    }

    /// How often a phrase stands in all documents together.
    ///
    /// # Errors
    /// When a section is damaged.
    pub fn count_all(&self, phrase: &Phrase) -> Result<u64, Error> {
        let Some(Query { ids, rarest, .. }) = self.query(phrase)? else { return Ok(0) };
        if let [id] = ids[..] {
            return self.total(id);
        }
        let mut indexed = Vec::new();
        for number in 0..self.segments.len() {
            let segment = self.segment(number)?;
            let Some(index) = segment.occurrences_if_worth_it(segment.grammar.root().len()) else {
                let found = self.search_all(phrase)?;
                return Ok(found.iter().map(|(_, matches)| matches.len() as u64).sum());
            };
            indexed.push((segment, index));
        }
        let mut count = 0u64;
        for (number, (segment, index)) in indexed.into_iter().enumerate() {
            let uses = self.uses(number)?;
            let here = phrase_totals::count(segment, index, uses, &ids, rarest);
            count = count.saturating_add(here).saturating_add(self.count_before(number, &ids)?);
        }
        Ok(count)
    }

    /// How often a phrase begins before a segment and ends in its first piece of a document.
    fn count_before(&self, number: usize, ids: &[u32]) -> Result<u64, Error> {
        let facts = &self.corpus.facts().segments[number];
        if facts.documents == 0 || facts.first_piece == 0 {
            return Ok(0);
        }
        let most = ids.len() - 1;
        let mut words = end_words(self.segment(number)?, self.piece(number, 0)?, most, End::First);
        let here = words.len();
        let document = facts.first_document as usize;
        let before: Vec<Piece> =
            self.corpus.pieces(document).take_while(|piece| piece.segment < number).collect();
        for piece in before.iter().rev() {
            let missing = most - (words.len() - here);
            let symbols = self.piece(piece.segment, piece.document)?;
            let segment = self.segment(piece.segment)?;
            words.splice(0..0, end_words(segment, symbols, missing, End::Last));
        }
        let border = words.len() - here;
        let found = words.windows(ids.len()).enumerate();
        let is_across = |start: usize| start < border && start + ids.len() > border;
        Ok(found.filter(|(start, found)| found == &ids && is_across(*start)).count() as u64)
    }

    /// The symbols of a piece of a document.
    fn piece(&self, segment: usize, document: usize) -> Result<&[Symbol], Error> {
        Ok(self.segment(segment)?.grammar.document(document))
    }

    /// How often a token stands in all documents together.
    fn total(&self, id: u32) -> Result<u64, Error> {
        (0..self.segments.len()).map(|number| Ok(self.uses(number)?[id as usize])).sum()
    }

    /// How often each symbol stands in all documents of a segment; which need not be laid out.
    fn uses(&self, number: usize) -> Result<&Vec<u64>, Error> {
        self.uses[number].try_get(|| {
            let (mut uses, root) = match self.segments[number].made() {
                Some(Segment { grammar, .. }) => {
                    let mut uses = vec![0; grammar.tokens() as usize + grammar.rule_count()];
                    grammar.root().iter().for_each(|&symbol| uses[symbol as usize] += 1);
                    grammar.add_uses_below(&mut uses);
                    (uses, grammar.tokens())
                }
                None => {
                    let tally = self.corpus.segment_tally_in_pool(number)?;
                    (tally.uses(), tally.rules.tokens())
                }
            };
            uses[root as usize] = 1;
            Ok(uses)
        })
    }

    /// A phrase as the corpus knows it; `None` if one of its words stands nowhere.
    fn query<'p>(&self, phrase: &'p Phrase) -> Result<Option<Query<'p>>, Error> {
        let (vocabulary, dictionary) = (self.vocabulary()?, self.corpus.dictionary()?);
        let ids: Option<Vec<u32>> =
            phrase.words().map(|word| vocabulary.find(dictionary, word)).collect();
        let Some(ids) = ids else { return Ok(None) };
        // What its words are used is known once somebody has asked for a total; else about.
        let is_counted = self.uses.iter().all(|uses| uses.made().is_some());
        let mut rarest = (u64::MAX, 0);
        for (place, &id) in ids.iter().enumerate() {
            let uses = if is_counted { self.total(id)? } else { dictionary.level(id).into() };
            rarest = rarest.min((uses, place));
        }
        Ok(Some(Query { phrase, ids, rarest: rarest.1 }))
    }

    /// The id of a token.
    pub(crate) fn token(&self, bytes: &[u8]) -> Result<Option<u32>, Error> {
        Ok(self.vocabulary()?.find(self.corpus.dictionary()?, bytes))
    }

    /// The ids of tokens with these bytes. As long as only a few are asked for, no table is made.
    pub(crate) fn tokens(&self, tokens: &[&[u8]]) -> Result<Vec<Option<u32>>, Error> {
        let dictionary = self.corpus.dictionary()?;
        let asked = self.tokens_asked.fetch_add(tokens.len(), Ordering::Relaxed) + tokens.len();
        if self.vocabulary.made().is_none() && asked < WORTH_A_TABLE {
            return Ok(tokens.iter().map(|bytes| dictionary.find(bytes)).collect());
        }
        let vocabulary = self.vocabulary()?;
        Ok(tokens.iter().map(|bytes| vocabulary.find(dictionary, bytes)).collect())
    }

    /// The pieces of a document: where each lies, where it begins in the document and its length.
    pub(crate) fn pieces(&self, document: usize) -> Result<Vec<(Piece, u64, u64)>, Error> {
        let piece = |part: Part<'_>| {
            let len = part.segment.document_len(part.document);
            (Piece { segment: part.number, document: part.document }, part.start, len)
        };
        self.parts(document).map(|part| part.map(piece)).collect()
    }

    /// A walk through a piece of a document.
    pub(crate) fn walk(&self, piece: Piece) -> Result<Walk<'_>, Error> {
        Ok(Walk::new(self.segment(piece.segment)?, piece.document))
    }

    /// The grammar of a segment, if that is in memory.
    pub(crate) fn loaded(&self, segment: usize) -> Option<&Grammar> {
        self.segments[segment].made().map(|segment| &segment.grammar)
    }

    fn vocabulary(&self) -> Result<&Vocabulary, Error> {
        self.vocabulary.try_get(|| Ok(Vocabulary::new(self.corpus.dictionary()?)))
    }

    fn segment(&self, number: usize) -> Result<&Segment, Error> {
        self.segments[number].try_get(|| Segment::load(&self.corpus, number))
    }

    /// The pieces of a document, loaded one after the other as they are asked for.
    fn parts(&self, document: usize) -> impl Iterator<Item = Result<Part<'_>, Error>> {
        let mut start = 0u64;
        self.corpus.pieces(document).map(move |Piece { segment: number, document }| {
            let segment = self.segment(number)?;
            let part = Part { segment, number, document, start };
            start = start.saturating_add(segment.document_len(document));
            Ok(part)
        })
    }

    /// Where the piece of a document that lies in a segment begins in it.
    fn piece_start(&self, document: usize, segment: usize) -> Result<u64, Error> {
        for part in self.parts(document) {
            let part = part?;
            if part.number == segment {
                return Ok(part.start);
            }
        }
        Ok(0)
    }

    pub(crate) fn out_of_range(&self, document: usize, offset: u64, size: u64) -> Error {
        let name = self.corpus.documents().map(|table| table.name(document).to_vec());
        Error::OutOfRange {
            document: String::from_utf8_lossy(&name.unwrap_or_default()).into_owned(),
            offset,
            size,
        }
    }
}

/// Fewer tokens are found one by one, in less time than it takes to make a table of all.
const WORTH_A_TABLE: usize = 1000;

/// A length that somebody asks for is not a length that is there.
const MOST_RESERVED: usize = 1 << 20;

/// The text of one document, for looking around a place in it.
struct DocumentText<'a> {
    access: &'a Access,
    document: usize,
}

impl TextSource for DocumentText<'_> {
    fn size(&self) -> Result<u64, Error> {
        self.access.size(self.document)
    }

    fn read(&self, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<(), Error> {
        self.access.extract_to(self.document, offset, len, out)
    }
}
