//! What the shapes of answers ask of the items they count: words or sequences.

use super::scope::SegmentScope;
use super::{Loaded, Ranking};
use crate::analytics::sequences::{Key, Packing, PieceEnds};
use crate::corpus::Documents;
use crate::error::QueryError;
use crate::grammar::Grammar;
use std::ops::Range;

/// Work that needs a preparation per segment.
pub(crate) trait Prepare: Sync {
    /// What is prepared once per segment.
    type Prepared: Send + Sync;

    /// Prepares to visit `documents` of a segment, each separately or all together.
    fn prepare(
        &self,
        segment: Documents<'_>,
        documents: &[usize],
        by_document: bool,
    ) -> Result<Self::Prepared, QueryError>;

    /// Whether the counts of words are enough, without a grammar.
    fn reads_counts(&self) -> bool {
        false
    }

    /// How many symbols the preparation visited.
    fn visited_before(segment: Documents<'_>, prepared: &Self::Prepared) -> u64;
}

/// Items that are counted in documents.
pub(crate) trait Count: Prepare {
    type Key: Key;
    /// What a thread writes to while it counts.
    type Scratch;

    fn packing(&self) -> &Packing;

    fn scratch(&self, prepared: &Self::Prepared) -> Self::Scratch;

    /// Counts the items of `documents`, taken together, and appends them to `counts`, rising by key.
    /// Returns how many symbols it visited.
    fn count(
        &self,
        segment: &Loaded<Self::Prepared>,
        documents: &[usize],
        scratch: &mut Self::Scratch,
        counts: &mut Vec<(Self::Key, u64)>,
    ) -> Result<u64, QueryError>;

    /// Counts the items of one document and puts them in order. Returns how many symbols it visited.
    fn rank(
        &self,
        segment: &Loaded<Self::Prepared>,
        document: usize,
        scratch: &mut Self::Scratch,
        ranking: &mut Ranking<Self::Key>,
    ) -> Result<u64, QueryError>;

    /// Whether counting several documents together is less work than one after the other.
    fn prefers_together(prepared: &Self::Prepared) -> bool;

    /// What items that span pieces of a document need to know of a piece, in a grammar that has it.
    fn piece_ends(&self, grammar: &Grammar, document: usize) -> PieceEnds;
}

/// Items that can be counted in several passes, each for a range of first words.
pub(crate) trait Ranged: Count {
    /// Ranges of first words such that the items of each fit in memory.
    fn passes(&self, segments: &[SegmentScope]) -> Result<Vec<Range<u32>>, QueryError>;

    /// The most memory that an item of a unit takes while units are counted.
    fn bytes_an_item(&self) -> u64;

    /// Counts only items whose first word has a rank in `first_words` from now on.
    fn within(&mut self, first_words: Range<u32>);

    /// Whether an item is within the range.
    fn is_wanted(&self, key: &Self::Key) -> bool;
}
