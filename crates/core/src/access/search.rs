//! Finding a word with the index (random-access section IV-D, *search*).
//!
//! Most words occur only in the root and in short rules, and their list has all places. Other words also
//! occur in long rules. The search descends into those, and the word's list has their places too.

use super::below::OFTEN;
use super::inside::{Inside, Start};
use super::occurrences::{Occurrences, Row, Sieve};
use super::segment::Segment;
use std::ops::{ControlFlow, Range};

/// An occurrence of a word.
#[derive(Clone, Debug)]
pub(super) struct Hit {
    /// Its offset in the piece of the document.
    pub(super) offset: u64,
    /// The place of the symbol that contains it, and its offset in that symbol's text.
    pub(super) at: usize,
    pub(super) within: u64,
    /// The right-hand side that contains the symbol; of the root, the document's part.
    pub(super) section: Range<usize>,
}

impl Segment {
    /// Calls `hit` with each occurrence of a word in some documents, in order, and the document's
    /// number here, until `hit` breaks. Most occurrences before the offset `from` of the first document
    /// are skipped, but not all.
    pub(super) fn find<B>(
        &self,
        word: u32,
        documents: Range<usize>,
        from: u64,
        hit: impl FnMut(usize, Hit) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        if documents.is_empty() {
            return ControlFlow::Continue(());
        }
        let starts = self.grammar.doc_starts();
        let mut range = starts[documents.start] as usize..starts[documents.end] as usize;
        let Some(occurrences) = self.occurrences_if_worth_it(range.len()) else {
            return self.scan(word, documents, from, hit);
        };
        if from > 0 {
            let (grammar, texts) = (&self.grammar, &self.texts);
            range.start = self.offsets.before_offset(grammar, texts, documents.start, from).at;
        }
        let row = occurrences.row(word);
        let search = Search {
            segment: self,
            occurrences,
            word,
            row,
            is_in_rules: row.at.last().is_some_and(|&at| at as usize >= self.grammar.root().len()),
            document: documents.start,
            first: (documents.start, from),
            inside: Inside::default(),
            hit,
        };
        search.run(&range)
    }
}

/// The places in a right-hand side that are still to be visited.
struct Ways<'a> {
    /// Places of the word.
    words: Row<'a>,
    /// Places of long rules that may contain it.
    long: &'a [u32],
}

impl Ways<'_> {
    /// The next place, with the word's offset there; `None` as the offset for a long rule.
    fn next(&mut self) -> Option<(usize, Option<u16>)> {
        match (self.words.at.split_first(), self.long.split_first()) {
            (Some((&at, rest)), long) if long.is_none_or(|(&long, _)| at < long) => {
                let within = self.words.within[0];
                self.words = Row { at: rest, within: &self.words.within[1..] };
                Some((at as usize, Some(within)))
            }
            (_, Some((&at, rest))) => {
                self.long = rest;
                Some((at as usize, None))
            }
            _ => None,
        }
    }
}

/// A long rule that the search has descended into.
struct Level<'a> {
    ways: Ways<'a>,
    section: Range<usize>,
    /// The coordinate at which the document would begin in this rule's coordinates.
    start: u64,
}

struct Search<'a, F> {
    segment: &'a Segment,
    occurrences: &'a Occurrences,
    word: u32,
    row: Row<'a>,
    /// Whether the word occurs in long rules.
    is_in_rules: bool,
    /// The document of the current place.
    document: usize,
    /// The first document, and the first offset in it that is wanted.
    first: (usize, u64),
    /// Offsets in short rules that contain the word often.
    inside: Inside,
    hit: F,
}

impl<'a, B, F: FnMut(usize, Hit) -> ControlFlow<B>> Search<'a, F> {
    fn run(mut self, range: &Range<usize>) -> ControlFlow<B> {
        let mut root = self.ways(range);
        let mut levels: Vec<Level<'a>> = Vec::new();
        loop {
            let (at, within, section, start) = if let Some(level) = levels.last_mut() {
                let Some((at, within)) = level.ways.next() else {
                    levels.pop();
                    continue;
                };
                (at, within, level.section.clone(), level.start)
            } else {
                let Some((at, within)) = root.next() else { return ControlFlow::Continue(()) };
                while self.segment.root_range(self.document).end <= at {
                    self.document += 1;
                }
                let start = self.segment.offsets.document_start(self.document);
                (at, within, self.segment.root_range(self.document), start)
            };
            let offset = self.occurrences.places.coordinate(at).wrapping_sub(start);
            match within {
                Some(within) => self.take(at, within, section, offset)?,
                None if self.is_before(at, offset) => {}
                None => levels.extend(self.go_down(at, offset)),
            }
        }
    }

    fn ways(&self, section: &Range<usize>) -> Ways<'a> {
        let long = if self.is_in_rules { self.occurrences.long(section) } else { &[] };
        Ways { words: self.row.part(section), long }
    }

    /// Whether the symbol at a place ends before the first offset that is wanted.
    fn is_before(&self, at: usize, offset: u64) -> bool {
        let (document, from) = self.first;
        if from == 0 || self.document != document {
            return false;
        }
        let len = self.segment.len_of(self.segment.grammar.symbols()[at]);
        offset.saturating_add(len) <= from
    }

    /// Descends into the long rule at a place.
    fn go_down(&self, at: usize, offset: u64) -> Option<Level<'a>> {
        let grammar = &self.segment.grammar;
        let rule = grammar.as_rule(grammar.symbols()[at])?;
        let starts = grammar.rule_starts();
        let section = starts[rule] as usize..starts[rule + 1] as usize;
        let start = self.occurrences.places.coordinate(section.start).wrapping_sub(offset);
        Some(Level { ways: self.ways(&section), section, start })
    }

    /// Calls `hit` with the occurrences in the symbol at a place: the word itself, or a short rule.
    fn take(
        &mut self,
        at: usize,
        within: u16,
        section: Range<usize>,
        offset: u64,
    ) -> ControlFlow<B> {
        if within != OFTEN {
            let within = u64::from(within);
            let hit = Hit { offset: offset.wrapping_add(within), at, within, section };
            return self.pass_on(hit);
        }
        if self.is_before(at, offset) {
            return ControlFlow::Continue(());
        }
        let (occurrences, sieve) = (self.occurrences, Sieve::of(self.word));
        let may_have = |rule: usize| occurrences.sieve(rule).may_have(sieve);
        let start = Start { at, section, offset };
        let (segment, word) = (self.segment, self.word);
        let mut inside = std::mem::take(&mut self.inside);
        let flow = inside.each(segment, word, start, 0, may_have, |hit| self.pass_on(hit));
        self.inside = inside;
        flow
    }

    fn pass_on(&mut self, hit: Hit) -> ControlFlow<B> {
        // In a forged file, sums of lengths may have wrapped.
        if hit.offset < self.segment.document_len(self.document) {
            return (self.hit)(self.document, hit);
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::{OFTEN, Row};
    use crate::access::below::Limits;
    use crate::access::sample::corpus_of;
    use crate::access::{Access, Match, Phrase, words_of};
    use std::sync::Arc;
    use zgram_testkit::Random;

    /// Every match of a phrase, from the words of the text.
    fn oracle(text: &[u8], phrase: &Phrase) -> Vec<Match> {
        let wanted: Vec<&[u8]> = phrase.words().collect();
        words_of(text, true)
            .windows(wanted.len())
            .filter(|found| found.iter().map(|(_, word)| word).eq(&wanted))
            .map(|found| {
                let (last, word) = found[found.len() - 1];
                let (offset, end) = (found[0].0 as u64, (last + word.len()) as u64);
                Match { offset, len: (end - offset) as usize }
            })
            .collect()
    }

    /// Sentences made of sentences, which give rules of all lengths.
    fn text(random: &mut Random, depth: usize, known: &mut Vec<String>) -> String {
        if depth == 0 {
            return ["a", "b", "the cat", "sat, ", "中文", " - ", "\n"][random.below(7)].into();
        }
        if !known.is_empty() && random.below(3) == 0 {
            return known[random.below(known.len())].clone();
        }
        let parts: Vec<String> =
            (0..2 + random.below(3)).map(|_| text(random, depth - 1, known)).collect();
        let joined = parts.join([" ", "", "; "][random.below(3)]);
        known.push(joined.clone());
        joined
    }

    /// The matches do not depend on how many rules are looked through.
    #[test]
    fn all_ways_lead_to_the_same_places() {
        let mut random = Random::new(11);
        let (mut through_rules, mut often) = (0, 0);
        for round in 0..40 {
            let mut known = Vec::new();
            let texts: Vec<String> = (0..3).map(|_| text(&mut random, 6, &mut known)).collect();
            let corpus = corpus_of(&texts);
            let limits = [(0, 4096), (1, 4096), (2, 4096), (6, 30), (1000, 0xF000)];
            // The last round starts without an index.
            for limits in limits.map(Some).into_iter().chain([None]) {
                let access = Access::new(Arc::clone(&corpus));
                let segment = access.segment(0).unwrap();
                let symbols = segment.grammar.symbols().len() as u64;
                // Sometimes so few entries that the limit of short rules must fall.
                let total = if round % 3 == 0 { symbols + 10 } else { 1 << 20 };
                let limits = limits.map(|(words, text)| Limits { words, text, total });
                if let Some(limits) = limits {
                    let occurrences = segment.occurrences_within(limits);
                    let cat = access.token(b"cat").unwrap();
                    let row = cat.map(|cat| occurrences.row(cat));
                    let root = segment.grammar.root().len() as u32;
                    let in_rules = |row: Row<'_>| row.at.last().is_some_and(|&at| at >= root);
                    through_rules += usize::from(row.is_some_and(in_rules));
                    often += usize::from(row.is_some_and(|row| row.within.contains(&OFTEN)));
                }
                for query in ["a", "cat", "文", "the cat", "cat sat the", "a a", "b - a b", "文 中"]
                {
                    let phrase = Phrase::new(query).unwrap();
                    let mut total = 0;
                    for (number, text) in texts.iter().enumerate() {
                        let found = access.search(number, &phrase).unwrap();
                        let expected = oracle(text.as_bytes(), &phrase);
                        assert_eq!(found, expected, "{query} in {text:?}, {limits:?}");
                        let count = access.count(number, &phrase).unwrap();
                        assert_eq!(count, expected.len() as u64, "{query} in {text:?}");
                        total += count;
                    }
                    let count = access.count_all(&phrase).unwrap();
                    assert_eq!(count, total, "{query} in {texts:?}, {limits:?}");
                }
            }
        }
        assert!(through_rules > 20 && often > 20, "{through_rules}, {often}");
    }

    /// The first searches traverse the grammar; later ones use an index.
    #[test]
    fn an_index_is_made_when_it_is_worth_it() {
        let access = Access::new(corpus_of(&["a b c a b d".repeat(100), "c d".repeat(50)]));
        let phrase = Phrase::new("d").unwrap();
        let is_indexed = || access.segment(0).unwrap().has_occurrences();
        let first = access.search_all(&phrase).unwrap();
        assert!(!is_indexed());
        for _ in 0..40 {
            assert_eq!(access.search_all(&phrase).unwrap(), first);
        }
        assert!(is_indexed());
        let counted: Vec<u64> = (0..40).map(|_| access.count(1, &phrase).unwrap()).collect();
        assert_eq!(counted, [1; 40]);
    }
}
