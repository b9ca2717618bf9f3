//! A corpus with applied edits.
//!
//! Edits change a few symbols of the roots and no rules. So a corpus with edits has the grammars of its
//! file, with some ranges of the roots replaced. Every question can be asked of it, at the price of a
//! copy of each grammar. Tokens that the file's dictionary lacks come last in their class, so symbols
//! are renumbered.
//!
//! Rules of such a grammar may be used once or never; no traversal depends on that.

use crate::access::Access;
use crate::corpus::{Corpus, SegmentTally, Shift, Variant};
use crate::error::OpenError;
use crate::format::word_counts::WordCounts;
use crate::format::{DocumentTable, Facts};
use crate::grammar::{Grammar, Symbol};
use crate::progress::Progress;
use crate::token::{Dictionary, DictionaryError};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// The differences from the corpus in the file.
pub(in crate::store) struct Patch {
    pub(in crate::store) access: Arc<Access>,
    pub(in crate::store) dictionary: Dictionary,
    pub(in crate::store) documents: DocumentTable,
    pub(in crate::store) facts: Facts,
    pub(in crate::store) shift: Shift,
    /// One per segment of the file.
    pub(in crate::store) segments: Vec<SegmentPatch>,
    /// One more segment, with the documents that are not in the file.
    pub(in crate::store) added: Option<Grammar>,
}

/// The differences in a segment.
#[derive(Clone, Debug, Default)]
pub(in crate::store) struct SegmentPatch {
    /// In rising order, without overlap.
    pub(in crate::store) cuts: Vec<Cut>,
    /// Removed documents, in rising order.
    pub(in crate::store) removed: Vec<usize>,
}

/// A range of a document's symbols in the root, and the symbols that replace it.
#[derive(Clone, Debug)]
pub(in crate::store) struct Cut {
    pub(in crate::store) document: usize,
    pub(in crate::store) root: Range<usize>,
    /// Numbered as in the patched corpus.
    pub(in crate::store) symbols: Vec<Symbol>,
}

impl Variant for Patch {
    fn dictionary(&self) -> Result<&Dictionary, OpenError> {
        Ok(&self.dictionary)
    }

    fn documents(&self) -> Result<&DocumentTable, OpenError> {
        Ok(&self.documents)
    }

    fn segment_by(&self, number: usize, _threads: usize) -> Result<Grammar, OpenError> {
        self.grammar(number)
    }

    fn segment_tally_by(&self, number: usize, _threads: usize) -> Result<SegmentTally, OpenError> {
        self.tally(number)
    }

    fn has_index(&self) -> bool {
        self.access.corpus().has_index()
    }

    fn verify_parts(&self, progress: &dyn Progress) -> Result<(), OpenError> {
        self.access.corpus().verify_parts(progress)
    }

    fn word_counts(&self, number: usize) -> Result<Option<WordCounts>, OpenError> {
        let Some(patch) = self.segments.get(number) else {
            return Ok(Some(WordCounts::new(&self.last_segment(), &self.dictionary)));
        };
        let Some(stored) = self.access.corpus().word_counts(number)? else { return Ok(None) };
        // The numbers of edited documents here and in the file.
        let mut edited: Vec<usize> = patch.cuts.iter().map(|cut| cut.document).collect();
        edited.dedup();
        let recounted = match edited.is_empty() {
            true => WordCounts::none(),
            false => {
                let removed_before = |document: &usize| {
                    document - patch.removed.partition_point(|removed| removed < document)
                };
                let here: Vec<usize> = edited.iter().map(removed_before).collect();
                WordCounts::of_documents(&self.grammar(number)?, &self.dictionary, &here)
            }
        };
        let (mut edited, mut removed) = (edited.iter().zip(0..).peekable(), patch.removed.iter());
        let mut next_removed = removed.next();
        let mut all = WordCounts::none();
        for document in 0..stored.documents() {
            if next_removed == Some(&document) {
                next_removed = removed.next();
            } else if let Some((_, at)) = edited.next_if(|(edited, _)| **edited == document) {
                all.push_document(recounted.document(at));
            } else {
                // New tokens come last in their class, so the order stays.
                let moved = |(word, count)| (self.shift.of(word), count);
                all.push_document(stored.document(document).map(moved));
            }
        }
        Ok(Some(all))
    }
}

impl Patch {
    /// The corpus with these edits.
    pub(in crate::store) fn into_corpus(self) -> Corpus {
        let file = Arc::clone(self.access.corpus());
        Corpus::with_variant(&file, self.facts.clone(), Box::new(self))
    }

    /// A segment's grammar.
    fn grammar(&self, number: usize) -> Result<Grammar, OpenError> {
        let Some(patch) = self.segments.get(number) else { return Ok(self.last_segment()) };
        let grammar = self.base(number)?;
        let more: usize = patch.cuts.iter().map(|cut| cut.symbols.len()).sum();
        let mut symbols = Vec::with_capacity(grammar.symbols().len() + more);
        let mut doc_starts = vec![0];
        self.each_stretch(number, &grammar, |stretch| match stretch {
            Stretch::Kept(kept) => self.shift.append(kept, &mut symbols),
            Stretch::New(new) => symbols.extend_from_slice(new),
            Stretch::EndOfDocument => doc_starts.push(symbols.len() as u32),
        });
        let (root, rest) = (symbols.len(), grammar.symbols().len() - grammar.root().len());
        if (root + rest) as u64 > u64::from(u32::MAX) {
            return Err(DictionaryError::TooLarge.into());
        }
        self.shift.append(&grammar.symbols()[grammar.root().len()..], &mut symbols);
        let rule_starts = self.rule_starts(&grammar, root);
        let tokens = self.dictionary.len() as u32;
        Ok(Grammar::from_checked(tokens, rule_starts, symbols, doc_starts))
    }

    /// A segment's rules, and how often each symbol occurs in its root.
    fn tally(&self, number: usize) -> Result<SegmentTally, OpenError> {
        let tokens = self.dictionary.len() as u32;
        let grammar = match self.segments.get(number) {
            Some(_) => self.base(number)?,
            None => Cow::Owned(self.last_segment()),
        };
        let mut uses = vec![0u32; tokens as usize + grammar.rule_count()];
        let mut symbols = Vec::new();
        if number < self.segments.len() {
            // Counted by their numbers in the file first, renumbered afterwards.
            let mut kept = vec![0u32; grammar.tokens() as usize + grammar.rule_count()];
            self.each_stretch(number, &grammar, |stretch| match stretch {
                Stretch::Kept(symbols) => count(symbols, &mut kept),
                Stretch::New(symbols) => count(symbols, &mut uses),
                Stretch::EndOfDocument => {}
            });
            for (symbol, kept) in (0..).zip(kept) {
                uses[self.shift.of(symbol) as usize] += kept;
            }
            self.shift.append(&grammar.symbols()[grammar.root().len()..], &mut symbols);
        } else {
            count(grammar.root(), &mut uses);
        }
        let rules = Grammar::from_checked(tokens, self.rule_starts(&grammar, 0), symbols, vec![0]);
        Ok(SegmentTally { rules, root_uses: uses })
    }

    fn base(&self, number: usize) -> Result<Cow<'_, Grammar>, OpenError> {
        match self.access.loaded(number) {
            Some(grammar) => Ok(Cow::Borrowed(grammar)),
            None => self.access.corpus().segment(number).map(Cow::Owned),
        }
    }

    fn last_segment(&self) -> Grammar {
        self.added.clone().expect("there are no more segments than that")
    }

    /// Where each rule starts after a root of this length.
    fn rule_starts(&self, grammar: &Grammar, root: usize) -> Vec<u32> {
        let starts = &grammar.rule_starts()[1..];
        let moved = starts.iter().map(|start| start - starts[0] + root as u32);
        std::iter::once(0).chain(moved).collect()
    }

    /// Calls `found` with the kept and new ranges of a segment's documents, in order.
    fn each_stretch<'a>(
        &'a self,
        number: usize,
        grammar: &'a Grammar,
        mut found: impl FnMut(Stretch<'a>),
    ) {
        let patch = &self.segments[number];
        let (mut cuts, mut removed) =
            (patch.cuts.iter().peekable(), patch.removed.iter().peekable());
        for (document, range) in grammar.doc_starts().windows(2).enumerate() {
            if removed.next_if_eq(&&document).is_some() {
                continue;
            }
            let mut at = range[0] as usize;
            while let Some(cut) = cuts.next_if(|cut| cut.document == document) {
                found(Stretch::Kept(&grammar.root()[at..cut.root.start]));
                found(Stretch::New(&cut.symbols));
                at = cut.root.end;
            }
            found(Stretch::Kept(&grammar.root()[at..range[1] as usize]));
            found(Stretch::EndOfDocument);
        }
    }
}

enum Stretch<'a> {
    Kept(&'a [Symbol]),
    New(&'a [Symbol]),
    EndOfDocument,
}

fn count(symbols: &[Symbol], uses: &mut [u32]) {
    symbols.iter().for_each(|&symbol| uses[symbol as usize] += 1);
}
