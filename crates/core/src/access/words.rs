//! Finding and counting words and phrases, in one document or in all.
//!
//! A phrase is searched for by its rarest word (`search.rs`, `scan.rs`). Around each occurrence of that,
//! the symbols show whether the other words are there (`neighbours.rs`), or else the text does.

use super::matches::{MOST_MATCHES, all_kept, keep, push_match};
use super::neighbours::{Around, Neighbours};
use super::phrase_count::PhraseCount;
use super::phrase_totals::{self, End, end_words};
use super::segment::Segment;
use super::{Access, DocumentText, Match, Phrase, match_around};
use crate::corpus::Piece;
use crate::error::AccessError;
use crate::grammar::Symbol;
use crate::lazy::Lazy;
use rayon::prelude::*;
use std::ops::{ControlFlow, Range};

/// A phrase as tokens of the corpus.
pub(super) struct Query<'a> {
    phrase: &'a Phrase,
    pub(super) ids: Vec<u32>,
    /// The position of the word that occurs least often in the grammars.
    rarest: usize,
}

/// Symbols that are read in about the time of finding one match with an index.
const SYMBOLS_A_MATCH: u64 = 16;

/// Matches of one segment that are held until the segments before it are finished.
const MOST_WAITING: usize = 1 << 14;

/// Why a search of a segment was stopped: by an error, or by the caller (`None`).
type Stopped = Option<AccessError>;

/// Where in a corpus a search begins.
#[derive(Clone, Copy, Debug, Default)]
struct Origin {
    document: usize,
    offset: u64,
}

impl Access {
    /// The offsets of a phrase in a document, in order.
    ///
    /// # Errors
    /// [`AccessError::NoDocument`]; [`AccessError::TooManyMatches`] above 16,777,216 matches; or when a section is
    /// damaged.
    pub fn search(&self, document: usize, phrase: &Phrase) -> Result<Vec<Match>, AccessError> {
        let mut matches = Vec::new();
        let flow = self.search_each(document, phrase, 0, |found| keep(&mut matches, found))?;
        all_kept(flow)?;
        Ok(matches)
    }

    /// The matches of a phrase in all documents that have any: the documents in order, with their
    /// matches in order.
    ///
    /// # Errors
    /// [`AccessError::TooManyMatches`] above 16,777,216 matches; or when a section is damaged.
    pub fn search_all(&self, phrase: &Phrase) -> Result<Vec<(usize, Vec<Match>)>, AccessError> {
        let mut documents = Vec::new();
        let mut left = MOST_MATCHES;
        let flow = self.search_all_each(phrase, (0, 0), |document, found| {
            push_match(&mut documents, document, found, &mut left)
        })?;
        all_kept(flow)?;
        Ok(documents)
    }

    /// Calls `found` with each match of a phrase in a document that begins at the offset `from` or
    /// after it, in order, until `found` breaks. Holds no list of matches. Returns whether `found`
    /// broke.
    ///
    /// # Errors
    /// [`AccessError::NoDocument`]; or when a section is damaged.
    pub fn search_each(
        &self,
        document: usize,
        phrase: &Phrase,
        from: u64,
        mut found: impl FnMut(Match) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, AccessError> {
        self.corpus.check_document(document)?;
        if let Some(places) = self.places_for_document(document, phrase)? {
            return self.each_place(&places, (document, from), |_, one| found(one));
        }
        let Some(query) = self.query(phrase)? else { return Ok(ControlFlow::Continue(())) };
        for part in self.parts(document) {
            let part = part?;
            let len = part.segment.document_len(part.document);
            if part.start.saturating_add(len) <= from {
                continue;
            }
            let documents = part.document..part.document + 1;
            let start = |_| Ok((document, part.start));
            let local = from.saturating_sub(part.start);
            let flow = self.find_in(&query, part.segment, documents, local, start, |_, one| {
                if one.offset < from { ControlFlow::Continue(()) } else { found(one) }
            });
            if let ControlFlow::Break(stopped) = flow {
                return stopped.map_or(Ok(ControlFlow::Break(())), Err);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Calls `found` with each match of a phrase in all documents, in order, until `found` breaks.
    /// Begins at a document and an offset in it. Holds few matches at a time, however many there are.
    /// Returns whether `found` broke.
    ///
    /// # Errors
    /// When a section is damaged.
    pub fn search_all_each(
        &self,
        phrase: &Phrase,
        from: (usize, u64),
        mut found: impl FnMut(usize, Match) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, AccessError> {
        if let Some(places) = self.places_by_index(phrase)? {
            return self.each_place(&places, from, found);
        }
        let Some(query) = self.query(phrase)? else { return Ok(ControlFlow::Continue(())) };
        if let Some(flow) = self.search_streamed(&query.ids, from, &mut found) {
            return flow;
        }
        let from = Origin { document: from.0, offset: from.1 };
        let mut next = self.first_segment(from)?;
        // Some segments at a time are searched in parallel: few at first, since the caller may stop.
        let threads = rayon::current_num_threads();
        let mut together = threads;
        while next < self.segments.len() {
            let numbers = next..self.segments.len().min(next + together);
            next = numbers.end;
            together = (2 * together).min(8 * threads);
            if numbers.len() == 1 {
                match self.find_from(&query, numbers.start, from, &mut found) {
                    ControlFlow::Continue(()) => continue,
                    ControlFlow::Break(None) => return Ok(ControlFlow::Break(())),
                    ControlFlow::Break(Some(error)) => return Err(error),
                }
            }
            let waiting: Vec<Vec<(usize, Match)>> = numbers
                .clone()
                .into_par_iter()
                .map(|number| {
                    let mut matches = Vec::new();
                    let flow = self.find_from(&query, number, from, &mut |document, one| {
                        matches.push((document, one));
                        if matches.len() < MOST_WAITING {
                            return ControlFlow::Continue(());
                        }
                        ControlFlow::Break(())
                    });
                    match flow {
                        ControlFlow::Break(Some(error)) => Err(error),
                        _ => Ok(matches),
                    }
                })
                .collect::<Result<_, AccessError>>()?;
            for (number, matches) in numbers.zip(waiting) {
                for &(document, one) in &matches {
                    if found(document, one).is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                // If the segment has more matches, continue after the last.
                if matches.len() < MOST_WAITING {
                    continue;
                }
                let Some(&(document, Match { offset, .. })) = matches.last() else { continue };
                let rest = Origin { document, offset: offset.saturating_add(1) };
                match self.find_from(&query, number, rest, &mut found) {
                    ControlFlow::Continue(()) => {}
                    ControlFlow::Break(None) => return Ok(ControlFlow::Break(())),
                    ControlFlow::Break(Some(error)) => return Err(error),
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// The first segment of a search from this position on.
    fn first_segment(&self, from: Origin) -> Result<usize, AccessError> {
        let segments = &self.corpus.facts().segments;
        let first = segments.partition_point(|segment| {
            segment.first_document + segment.documents <= from.document as u64
        });
        if from.offset == 0 || first == segments.len() {
            return Ok(first);
        }
        for part in self.parts(from.document) {
            let part = part?;
            let len = part.segment.document_len(part.document);
            if part.start.saturating_add(len) > from.offset {
                return Ok(part.number);
            }
        }
        Ok(first)
    }

    /// Calls `found` with each match in a segment from a position on, in order.
    fn find_from(
        &self,
        query: &Query<'_>,
        number: usize,
        from: Origin,
        found: &mut impl FnMut(usize, Match) -> ControlFlow<()>,
    ) -> ControlFlow<Stopped> {
        let segment = match self.segment(number) {
            Ok(segment) => segment,
            Err(error) => return ControlFlow::Break(Some(error.into())),
        };
        let first = self.corpus.facts().segments[number].first_document as usize;
        let skipped = from.document.saturating_sub(first).min(segment.documents());
        let start =
            |document: usize| Ok((first + document, self.piece_start(first + document, number)?));
        let mut local = 0;
        if from.offset > 0 && first + skipped == from.document && skipped < segment.documents() {
            local = match self.piece_start(from.document, number) {
                Ok(start) => from.offset.saturating_sub(start),
                Err(error) => return ControlFlow::Break(Some(error)),
            };
        }
        let documents = skipped..segment.documents();
        self.find_in(query, segment, documents, local, start, |document, one| {
            if document == from.document && one.offset < from.offset {
                return ControlFlow::Continue(());
            }
            found(document, one)
        })
    }

    /// Calls `found` with each match whose rarest word is in some documents of a segment, in order.
    /// `start` gives the number of a document in the corpus and the offset of its piece here. Matches
    /// before the offset `from` of the first document's piece may be left out.
    fn find_in(
        &self,
        query: &Query<'_>,
        segment: &Segment,
        documents: Range<usize>,
        from: u64,
        start: impl Fn(usize) -> Result<(usize, u64), AccessError>,
        mut found: impl FnMut(usize, Match) -> ControlFlow<()>,
    ) -> ControlFlow<Stopped> {
        let Query { phrase, ids, rarest } = query;
        let len = segment.dictionary().bytes(ids[*rarest]).len();
        let mut neighbours = Neighbours::new(segment, ids, *rarest);
        // The document of the last hit, here and in the corpus, and the offset of its piece.
        let mut last: Option<(usize, usize, u64)> = None;
        segment.find(ids[*rarest], documents, from, |here, hit| {
            let mut take = || -> Result<ControlFlow<()>, AccessError> {
                let (document, start) = match last {
                    Some((last, document, start)) if last == here => (document, start),
                    _ => start(here)?,
                };
                last = Some((here, document, start));
                if ids.len() == 1 {
                    return Ok(found(document, Match { offset: start + hit.offset, len }));
                }
                let one = match neighbours.around(&hit) {
                    Around::Phrase(from, to) => {
                        Some(Match { offset: start + from, len: (to - from) as usize })
                    }
                    Around::Other => None,
                    Around::Unknown => {
                        let text = DocumentText { access: self, document };
                        match_around(&text, phrase, *rarest, start + hit.offset)?
                    }
                };
                Ok(one.map_or(ControlFlow::Continue(()), |one| found(document, one)))
            };
            match take() {
                Ok(ControlFlow::Continue(())) => ControlFlow::Continue(()),
                Ok(ControlFlow::Break(())) => ControlFlow::Break(None),
                Err(error) => ControlFlow::Break(Some(error)),
            }
        })
    }

    /// How often a phrase occurs in a document.
    ///
    /// # Errors
    /// [`AccessError::NoDocument`]; or when a section is damaged.
    pub fn count(&self, document: usize, phrase: &Phrase) -> Result<u64, AccessError> {
        self.corpus.check_document(document)?;
        let Some(word) = phrase.single() else { return self.count_phrase(document, phrase) };
        let Some(id) = self.token(word)? else { return Ok(0) };
        let mut count = 0;
        for part in self.parts(document) {
            let part = part?;
            count += part.segment.count(part.number, part.document, id)?;
        }
        Ok(count)
    }

    /// How often a phrase of several words occurs in a document. With an index, matches are counted one
    /// by one unless there are very many. Otherwise the count is computed on the grammar.
    fn count_phrase(&self, document: usize, phrase: &Phrase) -> Result<u64, AccessError> {
        if let Some(places) = self.places_for_document(document, phrase)? {
            return Ok(places.len() as u64);
        }
        if self.query(phrase)?.is_none() {
            return Ok(0);
        }
        let (mut is_indexed, mut symbols) = (true, 0);
        for part in self.parts(document) {
            let part = part?;
            let root_symbols = part.segment.root_range(part.document).len();
            is_indexed &= part.segment.occurrences_if_worth_it(root_symbols).is_some();
            symbols += part.segment.grammar.symbols().len() as u64;
        }
        if is_indexed {
            let (mut count, most) = (0, symbols / SYMBOLS_A_MATCH + 1);
            let flow = self.search_each(document, phrase, 0, |_| {
                count += 1;
                if count < most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })?;
            if flow.is_continue() {
                return Ok(count);
            }
        }
        let mut counting = PhraseCount::new(self, phrase)?;
        self.corpus.known_pieces(document).try_for_each(|piece| counting.read_piece(piece))?;
        Ok(counting.count())
    }

    /// How often a phrase occurs in all documents together.
    ///
    /// # Errors
    /// When a section is damaged.
    pub fn count_all(&self, phrase: &Phrase) -> Result<u64, AccessError> {
        if let Some(count) = self.count_by_index(phrase)? {
            return Ok(count);
        }
        let Some(Query { ids, rarest, .. }) = self.query(phrase)? else { return Ok(0) };
        if let [id] = ids[..] {
            return self.total(id);
        }
        if self.should_stream() {
            return self.count_streamed(&ids);
        }
        let index = |segment: &Lazy<Segment>| segment.made().is_some_and(Segment::has_occurrences);
        if !self.segments.iter().all(index) {
            return self.count_all_on_grammars(phrase);
        }
        let mut count = 0u64;
        for number in 0..self.segments.len() {
            let (segment, uses) = (self.segment(number)?, self.uses(number)?);
            let here = phrase_totals::count(segment, segment.occurrences(), uses, &ids, rarest);
            count = count.saturating_add(here).saturating_add(self.count_before(number, &ids)?);
        }
        Ok(count)
    }

    /// The same without an index. Segments are counted in parallel, as if their pieces of documents were
    /// whole; matches that cross segments are added afterwards.
    fn count_all_on_grammars(&self, phrase: &Phrase) -> Result<u64, AccessError> {
        let counted: Vec<(u64, u32)> = (0..self.segments.len())
            .into_par_iter()
            .map(|number| {
                let segment = self.segment(number)?;
                // This builds the index once it is worth it; the next count will use it.
                let _ = segment.occurrences_if_worth_it(segment.grammar.root().len());
                let mut counting = PhraseCount::new(self, phrase)?;
                for document in 0..segment.documents() {
                    counting.begin(0);
                    counting.read_piece(Piece { segment: number, document })?;
                }
                Ok((counting.count(), counting.state()))
            })
            .collect::<Result<_, AccessError>>()?;
        let mut total = 0u64;
        // How many words of the phrase the piece before ends with.
        let mut state = 0;
        for (number, (count, end)) in counted.into_iter().enumerate() {
            total = total.saturating_add(count);
            let facts = &self.corpus.facts().segments[number];
            if facts.documents == 0 {
                continue;
            }
            if facts.first_piece > 0 && state > 0 {
                let piece = Piece { segment: number, document: 0 };
                let (mut whole, mut apart) =
                    (PhraseCount::new(self, phrase)?, PhraseCount::new(self, phrase)?);
                whole.begin(state);
                whole.read_piece(piece)?;
                apart.read_piece(piece)?;
                total = total.saturating_add(whole.count().saturating_sub(apart.count()));
                state = if facts.documents == 1 { whole.state() } else { end };
            } else {
                state = end;
            }
        }
        Ok(total)
    }

    /// How often a phrase begins before a segment and ends in its first piece of a document.
    fn count_before(&self, number: usize, ids: &[u32]) -> Result<u64, AccessError> {
        let facts = &self.corpus.facts().segments[number];
        if facts.documents == 0 || facts.first_piece == 0 {
            return Ok(0);
        }
        let most = ids.len() - 1;
        let mut words = end_words(self.segment(number)?, self.piece(number, 0)?, most, End::First);
        let here = words.len();
        let document = facts.first_document as usize;
        let before: Vec<Piece> =
            self.corpus.known_pieces(document).take_while(|piece| piece.segment < number).collect();
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
    fn piece(&self, segment: usize, document: usize) -> Result<&[Symbol], AccessError> {
        Ok(self.segment(segment)?.grammar.document(document))
    }

    /// How often a word occurs in all documents together.
    fn total(&self, id: u32) -> Result<u64, AccessError> {
        if let Some(total) = self.corpus.word_totals()?.and_then(|totals| totals.of(id)) {
            return Ok(total);
        }
        (0..self.segments.len()).map(|number| Ok(self.uses(number)?[id as usize])).sum()
    }

    /// A phrase as tokens of the corpus; `None` if the corpus lacks one of its words.
    fn query<'p>(&self, phrase: &'p Phrase) -> Result<Option<Query<'p>>, AccessError> {
        let words: Vec<&[u8]> = phrase.words().collect();
        let dictionary = self.corpus.dictionary()?;
        let ids: Option<Vec<u32>> = self.tokens(&words)?.into_iter().collect();
        let Some(ids) = ids else { return Ok(None) };
        // The counts of its words are known if the file stores them, or once a total has been computed.
        // Otherwise their frequency levels are used.
        let is_counted =
            self.corpus.has_word_totals() || self.uses.iter().all(|uses| uses.made().is_some());
        let mut rarest = (u64::MAX, 0);
        for (place, &id) in ids.iter().enumerate() {
            let uses = if is_counted { self.total(id)? } else { dictionary.level(id).into() };
            rarest = rarest.min((uses, place));
        }
        Ok(Some(Query { phrase, ids, rarest: rarest.1 }))
    }

    /// The offset in a document of its piece in a segment.
    pub(super) fn piece_start(&self, document: usize, segment: usize) -> Result<u64, AccessError> {
        for part in self.parts(document) {
            let part = part?;
            if part.number == segment {
                return Ok(part.start);
            }
        }
        Ok(0)
    }
}
