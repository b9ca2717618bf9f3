//! A corpus that differs from its file, or is in several files.
//!
//! A corpus answers from its file unless it has a variant, which answers instead. The store implements
//! two variants: pending edits, applied at once or on demand. The third is a corpus in several files. This
//! module knows only the questions, so that nothing here depends on how a corpus is edited.

use super::word_totals::WordTotals;
use super::{Corpus, OpenSegment, SegmentTally};
use crate::error::OpenError;
use crate::format::DocumentTable;
use crate::format::word_counts::WordCounts;
use crate::grammar::{Grammar, Symbol};
use crate::progress::Progress;
use crate::token::{Dictionary, TokenClass};
use std::sync::Arc;

/// Answers in place of a corpus file.
pub(crate) trait Variant: Send + Sync {
    /// All tokens.
    fn dictionary(&self) -> Result<&Dictionary, OpenError>;

    /// Names and sizes of all documents.
    fn documents(&self) -> Result<&DocumentTable, OpenError>;

    /// The grammar of a segment, loaded by several threads.
    fn segment_by(&self, number: usize, threads: usize) -> Result<Grammar, OpenError>;

    /// The rules of a segment, and how often each symbol occurs in its root, loaded by several threads.
    fn segment_tally_by(&self, number: usize, threads: usize) -> Result<SegmentTally, OpenError>;

    /// Opens a segment for reading.
    fn open_segment(&self, number: usize) -> Result<OpenSegment, OpenError> {
        self.segment_by(number, 1).map(OpenSegment::from)
    }

    /// Whether the word counts of all documents are stored, if only of those that were not edited.
    fn has_index(&self) -> bool;

    /// How often each word occurs in each document of a segment, if the file stores that for the
    /// documents that were not edited.
    fn word_counts(&self, number: usize) -> Result<Option<WordCounts>, OpenError>;

    /// Whether the word totals are stored.
    fn has_word_totals(&self) -> bool {
        false
    }

    /// The word totals, if they are stored.
    fn word_totals(&self) -> Result<Option<&WordTotals>, OpenError> {
        Ok(None)
    }

    /// Checks all files.
    fn verify_parts(&self, progress: &dyn Progress) -> Result<(), OpenError>;

    /// The corpora that it is made of, if it is in several files.
    fn shards(&self) -> &[Arc<Corpus>] {
        &[]
    }

    /// The shard that contains a segment, and the segment's number there.
    fn shard(&self, segment: usize) -> Option<(&Corpus, usize)> {
        let _ = segment;
        None
    }

    /// The word totals of a file and the changes to them, if they are known without the grammars.
    fn totals(&self) -> Option<&VariantTotals> {
        None
    }

    /// Whether the grammars of the variant are still to be made.
    fn is_deferred(&self) -> bool {
        false
    }
}

/// A corpus file of which some segments may be in memory.
pub(crate) trait LoadedSegments: Send + Sync {
    /// The corpus in the file.
    fn file(&self) -> &Arc<Corpus>;

    /// The grammar of a segment, if it is in memory.
    fn loaded(&self, segment: usize) -> Option<&Grammar>;
}

/// How often each word occurs in a variant: the totals of the file, and by how much they change.
pub(crate) struct VariantTotals {
    pub(crate) segments: Arc<dyn LoadedSegments>,
    /// The tokens of the file, and the words that only the variant has.
    pub(crate) dictionary: Dictionary,
    /// Renumbers the tokens of the file to those of `dictionary`.
    pub(crate) shift: Shift,
    /// Tokens, and by how much their totals change. A token may occur several times.
    pub(crate) changes: Vec<(u32, i64)>,
}

impl VariantTotals {
    /// The corpus in the file.
    pub(crate) fn file(&self) -> &Arc<Corpus> {
        self.segments.file()
    }

    /// Tallies a segment of the file, from memory if it is loaded.
    pub(crate) fn segment_tally(
        &self,
        number: usize,
        threads: usize,
    ) -> Result<SegmentTally, OpenError> {
        match self.segments.loaded(number) {
            Some(grammar) => Ok(SegmentTally::of(grammar)),
            None => self.file().segment_tally_by(number, threads),
        }
    }
}

/// Renumbers symbols for a dictionary that has more tokens than the file's. New tokens come last in
/// their class, so each class, and then the rules, move by a constant.
#[derive(Clone, Debug)]
pub(crate) struct Shift {
    /// Where each class and then the rules begin in the file, and by how much they move.
    starts: [(u32, u32); 4],
}

impl Shift {
    /// For a dictionary that gains `more` tokens of each class.
    pub(crate) fn new(dictionary: &Dictionary, more: [u32; 3]) -> Self {
        let [_, spaced, unspaced] = TokenClass::ALL.map(|class| dictionary.ids(class).start);
        Self {
            starts: [
                (0, 0),
                (spaced, more[0]),
                (unspaced, more[0] + more[1]),
                (dictionary.len() as u32, more.iter().sum()),
            ],
        }
    }

    /// A symbol's new number.
    #[inline]
    pub(crate) fn of(&self, symbol: Symbol) -> Symbol {
        let moved = self.starts.iter().rev().find(|(start, _)| symbol >= *start);
        symbol + moved.map_or(0, |(_, by)| *by)
    }

    /// The number of the first new token of a class.
    pub(crate) fn first_new(&self, class: TokenClass) -> u32 {
        let (end, _) = self.starts[class as usize + 1];
        end + self.starts[class as usize].1
    }

    /// Appends symbols with their new numbers.
    pub(crate) fn append(&self, symbols: &[Symbol], out: &mut Vec<Symbol>) {
        if self.starts.iter().all(|(_, by)| *by == 0) {
            out.extend_from_slice(symbols);
        } else {
            out.extend(symbols.iter().map(|&symbol| self.of(symbol)));
        }
    }
}
