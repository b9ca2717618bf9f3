//! Finding and counting words and phrases, in one document or in all.
//!
//! A phrase is looked for by the word of it that stands least often (`search.rs`, `scan.rs`); around
//! each of its places symbols tell whether the others are there (`neighbours.rs`), or the text does.

use super::neighbours::{Around, Neighbours};
use super::phrase_totals::{self, End, end_words};
use super::segment::Segment;
use super::{Access, Match, Phrase, TextSource, match_around};
use crate::corpus::Piece;
use crate::error::Error;
use crate::grammar::Symbol;
use crate::lazy::Lazy;
use rayon::prelude::*;
use std::ops::Range;

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
    /// Where a phrase stands in a document, in order.
    ///
    /// # Errors
    /// [`Error::NoDocument`]; or when a section is damaged.
    pub fn search(&self, document: usize, phrase: &Phrase) -> Result<Vec<Match>, Error> {
        self.corpus.check_document(document)?;
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
        let len = segment.dictionary().bytes(ids[*rarest]).len();
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
                        found(document, Match { offset: start + from, len: (to - from) as usize });
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
    /// [`Error::NoDocument`]; or when a section is damaged.
    pub fn count(&self, document: usize, phrase: &Phrase) -> Result<u64, Error> {
        self.corpus.check_document(document)?;
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
        let index = |segment: &Lazy<Segment>| segment.made().is_some_and(Segment::has_occurrences);
        if !self.segments.iter().all(index) {
            let found = self.search_all(phrase)?;
            return Ok(found.iter().map(|(_, matches)| matches.len() as u64).sum());
        }
        let mut count = 0u64;
        for number in 0..self.segments.len() {
            let (segment, uses) = (self.segment(number)?, self.uses(number)?);
            let here = phrase_totals::count(segment, segment.occurrences(), uses, &ids, rarest);
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
    fn piece(&self, segment: usize, document: usize) -> Result<&[Symbol], Error> {
        Ok(self.segment(segment)?.grammar.document(document))
    }

    /// How often a word stands in all documents together.
    fn total(&self, id: u32) -> Result<u64, Error> {
        if let Some(total) = self.corpus.word_totals()?.and_then(|totals| totals.of(id)) {
            return Ok(total);
        }
        (0..self.segments.len()).map(|number| Ok(self.uses(number)?[id as usize])).sum()
    }

    /// A phrase as the corpus knows it; `None` if one of its words stands nowhere.
    fn query<'p>(&self, phrase: &'p Phrase) -> Result<Option<Query<'p>>, Error> {
        let (vocabulary, dictionary) = (self.vocabulary()?, self.corpus.dictionary()?);
        let ids: Option<Vec<u32>> =
            phrase.words().map(|word| vocabulary.find(dictionary, word)).collect();
        let Some(ids) = ids else { return Ok(None) };
        // What its words are used is known if the file tells, or once somebody has asked for a total;
        // else about.
        let is_counted =
            self.corpus.has_word_totals() || self.uses.iter().all(|uses| uses.made().is_some());
        let mut rarest = (u64::MAX, 0);
        for (place, &id) in ids.iter().enumerate() {
            let uses = if is_counted { self.total(id)? } else { dictionary.level(id).into() };
            rarest = rarest.min((uses, place));
        }
        Ok(Some(Query { phrase, ids, rarest: rarest.1 }))
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
}

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
