//! A segment with some of its documents.
//!
//! Documents are slices of the root, so some of them are a part of it. Rules that this part uses once or
//! never are inlined or dropped, as a builder does.

use crate::compress::ReusedSegment;
use crate::corpus::Corpus;
use crate::error::OpenError;
use crate::expand::Expander;
use crate::format::envelopes::Envelopes;
use crate::format::{SegmentFacts, Sizes};
use crate::grammar::{Grammar, RuleSet};
use crate::token::Dictionary;
use std::ops::Range;

/// Takes segments of a corpus, whole or in slices. It keeps the last one, since the next slice is likely
/// to be of the same segment.
pub(super) struct Slices<'a> {
    corpus: &'a Corpus,
    last: Option<(usize, Grammar)>,
}

impl<'a> Slices<'a> {
    pub(super) fn of(corpus: &'a Corpus) -> Self {
        Self { corpus, last: None }
    }

    pub(super) fn corpus(&self) -> &'a Corpus {
        self.corpus
    }

    /// The segments with some of these documents.
    pub(super) fn segments_with(&self, documents: &Range<u64>) -> Vec<usize> {
        let segments = self.corpus.facts().segments.iter().enumerate();
        let has_any = |(number, segment): (usize, &SegmentFacts)| {
            (!pieces(segment, documents).is_empty()).then_some(number)
        };
        segments.filter_map(has_any).collect()
    }

    /// A segment with those of its documents that are in `documents`.
    pub(super) fn take(
        &mut self,
        number: usize,
        documents: &Range<u64>,
    ) -> Result<ReusedSegment, OpenError> {
        let segment = self.corpus.facts().segments[number];
        let chosen = pieces(&segment, documents);
        let is_rest = segment.first_document + segment.documents <= documents.end;
        let grammar = match self.last.take() {
            Some((last, grammar)) if last == number => grammar,
            _ => {
                let threads = rayon::current_num_threads();
                self.corpus.segment_by(number, threads)?
            }
        };
        let is_whole = chosen.len() as u64 == segment.documents;
        // Pending edits leave rules behind that are not used twice any more.
        let (grammar, is_kept) = match is_whole && grammar.validate().is_ok() {
            true => (grammar, true),
            false => {
                let sliced = sliced(&grammar, chosen.clone());
                self.last = (!is_rest).then_some((number, grammar));
                (sliced, false)
            }
        };
        self.finish(number, chosen, grammar, is_kept)
    }

    fn finish(
        &self,
        number: usize,
        chosen: Range<usize>,
        grammar: Grammar,
        is_kept: bool,
    ) -> Result<ReusedSegment, OpenError> {
        let (table, dictionary) = (self.corpus.documents()?, self.corpus.dictionary()?);
        let segment = self.corpus.facts().segments[number];
        let goes_on = segment.first_piece > 0;
        // The documents that begin in the segment, by their numbers in it.
        let begin = chosen.start.max(usize::from(goes_on))..chosen.end;
        let first = segment.first_document as usize;
        let documents: Vec<(Vec<u8>, u64)> = begin
            .clone()
            .map(|document| first + document)
            .map(|document| (table.known_name(document).to_vec(), table.known_size(document)))
            .collect();
        let envelopes = self.corpus.envelopes(number)?.map(|envelopes| {
            let skipped = begin.start - usize::from(goes_on);
            let mut own = Envelopes::default();
            envelopes.iter().skip(skipped).take(begin.len()).for_each(|one| own.push(&one));
            own
        });
        let facts = SegmentFacts {
            // The collector numbers it.
            first_document: 0,
            first_piece: if chosen.start == 0 { segment.first_piece } else { 0 },
            documents: chosen.len() as u64,
            sizes: if is_kept { segment.sizes } else { sizes(&grammar, dictionary) },
        };
        Ok(ReusedSegment { grammar, envelopes, facts, documents })
    }
}

/// The documents of a segment that are in `documents`, by their numbers in the segment.
fn pieces(segment: &SegmentFacts, documents: &Range<u64>) -> Range<usize> {
    let end = segment.first_document + segment.documents;
    let from = documents.start.clamp(segment.first_document, end) - segment.first_document;
    let to = documents.end.clamp(segment.first_document, end) - segment.first_document;
    from as usize..(to as usize).max(from as usize)
}

/// The grammar of some documents.
fn sliced(grammar: &Grammar, documents: Range<usize>) -> Grammar {
    let doc_starts = &grammar.doc_starts()[documents.start..=documents.end];
    let (from, to) = (doc_starts[0], doc_starts[doc_starts.len() - 1]);
    let root = grammar.root().len();
    let mut symbols = grammar.root()[from as usize..to as usize].to_vec();
    symbols.extend_from_slice(&grammar.symbols()[root..]);
    let rule_starts =
        grammar.rule_starts()[1..].iter().map(|start| start - root as u32 + to - from);
    let rules = RuleSet {
        tokens: grammar.tokens(),
        rule_starts: std::iter::once(0).chain(rule_starts).collect(),
        symbols,
        doc_starts: doc_starts.iter().map(|start| start - from).collect(),
    };
    rules.arrange()
}

/// The sizes of a grammar and of the text that it expands to.
fn sizes(grammar: &Grammar, dictionary: &Dictionary) -> Sizes {
    let uses = grammar.uses();
    let sum = |uses: &[u64]| uses.iter().fold(0u64, |sum, &uses| sum.saturating_add(uses));
    let expander = Expander::new(grammar, dictionary);
    let text_bytes = (0..grammar.doc_count())
        .fold(0u64, |sum, document| sum.saturating_add(expander.len(grammar.document(document))));
    let words = dictionary.words();
    Sizes {
        text_bytes,
        text_tokens: sum(&uses[..dictionary.len()]),
        text_words: sum(&uses[words.start as usize..words.end as usize]),
        rules: grammar.rule_count() as u64,
        symbols: grammar.symbols().len() as u64,
        root_symbols: grammar.root().len() as u64,
        depth: u64::from(grammar.depth()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slice_keeps_the_rules_it_uses() {
        // Tokens 0 to 3; rule 1 is `0 1`, rule 2 is `R1 2`.
        let [one, two] = [5, 6];
        let symbols = vec![two, 3, two, one, two, one, 2, 0, 1];
        // Parents come first: rule 1 is `R2 2`, rule 2 is `0 1`.
        let symbols: Vec<u32> = symbols
            .into_iter()
            .map(|symbol| match symbol {
                5 => 6,
                6 => 5,
                other => other,
            })
            .collect();
        let grammar = Grammar::new(4, vec![0, 5, 7, 9], symbols, vec![0, 2, 4, 5]).unwrap();
        grammar.validate().unwrap();
        for from in 0..=3 {
            for to in from..=3 {
                let slice = sliced(&grammar, from..to);
                slice.validate().unwrap();
                assert_eq!(slice.doc_count(), to - from);
                for document in from..to {
                    let expected = grammar.document_tokens(document);
                    assert_eq!(slice.document_tokens(document - from), expected);
                }
            }
        }
        assert_eq!(sliced(&grammar, 0..1).rule_count(), 1);
        assert_eq!(sliced(&grammar, 0..2).rule_count(), 3);
    }
}
