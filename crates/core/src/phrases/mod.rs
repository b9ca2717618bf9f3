//! The phrase index of a segment: counts any phrase in microseconds and finds where it occurs.
//!
//! The suffixes of a segment's words are sorted, separators left out. All suffixes that begin with a
//! phrase are then neighbours: an interval of *ranks*. The index stores ψ, which leads from the rank of
//! a suffix to the rank of the suffix one word on. Within the suffixes that begin with one word, ψ rises.
//! So two searches in the ψ of a word give the interval of that word followed by a phrase from the
//! interval of the phrase, and a phrase of m words takes 2 · (m − 1) searches, however long the text is
//! and however often the phrase occurs.
//!
//! | file | purpose |
//! |---|---|
//! | `text.rs` | a segment's words, in order |
//! | `build.rs` | sorts their suffixes |
//! | `bits.rs`, `sequence.rs` | numbers that rise, in little more space than needed, with access both ways |
//! | `page.rs` | ψ in memory: some thousand entries, one by one or as runs |
//! | `prefix_code.rs`, `gaps.rs` | ψ in a file, which is smaller |
//! | `parts.rs`, `cells.rs` | the other parts; reading and checking each part when it is needed |
//! | `section.rs` | the section PHRS |
//! | `index.rs`, `intervals.rs` | questions to the index |
//! | `verify.rs` | checks an index against its segment |
//!
//! The compressed suffix array is that of Sadakane, with ψ as gap-coded lists or as runs (Mäkinen,
//! Navarro and others). docs/decisions.md has the structures that were weighed against it.

mod bits;
mod build;
mod cells;
mod gaps;
mod index;
mod intervals;
mod page;
mod parts;
mod prefix_code;
mod section;
mod sequence;
#[cfg(test)]
mod tests;
mod text;
mod verify;

pub(crate) use index::{Ranks, SegmentIndex, Word, WordPlace};
pub(crate) use section::encode;
pub use section::with_right_phrase_checksums;
pub(crate) use text::word_counts;
pub(crate) use verify::Wrong;

use crate::features::MissingFeature;

/// Why a phrase index cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PhraseIndexError {
    /// A segment has too many words.
    #[error(
        "a segment has more than {most} words, too many for a phrase index; compress with a smaller \
         --segment-size"
    )]
    TooManyWords {
        /// How many words and documents are possible.
        most: u64,
    },
    /// There is not enough memory to sort the words of a segment.
    #[error("there is not enough memory to sort the words of a segment")]
    OutOfMemory,
    /// This build cannot sort.
    #[error(transparent)]
    MissingFeature(#[from] MissingFeature),
}

pub(crate) use PhraseIndexError as BuildError;

/// Refuses in a build that cannot build indexes.
pub(crate) const fn check_feature() -> Result<(), MissingFeature> {
    if cfg!(feature = "phrases") {
        return Ok(());
    }
    Err(MissingFeature::new("build a phrase index", "phrases"))
}
