//! Grammars, dictionary and documents to bytes and back: the `.zgram` file.
//!
//! `container` is the file around the sections; `facts`, `dictionary`, `documents`,
//! `envelopes`, `origin`, `segment`, `threshold`, `word_counts` and `word_totals` are the sections; `layer` is the second layer under them all.
//! `docs/format.md` has the byte map.

mod adaptive;
pub(crate) mod bytes;
pub(crate) mod clusters;
pub(crate) mod container;
pub(crate) mod dictionary;
pub(crate) mod documents;
pub(crate) mod envelopes;
pub(crate) mod facts;
mod front_coding;
pub(crate) mod layer;
pub(crate) mod origin;
pub(crate) mod section;
pub(crate) mod segment;
pub(crate) mod threshold;
pub(crate) mod word_counts;
pub(crate) mod word_totals;

pub(crate) use bytes::Malformed;
pub use container::ContainerError;
pub use documents::DocumentTable;
pub use facts::{Facts, SegmentFacts, Sizes};
pub use layer::Layer;
pub(crate) use section::{Section, SectionKind};

/// How hard to compress: a point on the front of size against loading speed. The grammar and all
/// answers are the same at every level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[repr(u8)]
#[non_exhaustive]
pub enum Level {
    /// Loads fastest; about the size of `zstd -19`.
    Fast = 0,
    /// Smaller than `xz -9e` on text, and loads at several hundred megabytes of text a second.
    #[default]
    Default = 1,
    /// As small as it gets; loads slowly.
    Max = 2,
}

impl Level {
    fn from_code(code: u8) -> Option<Self> {
        [Self::Fast, Self::Default, Self::Max].into_iter().find(|&level| level as u8 == code)
    }

    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Default => "default",
            Self::Max => "max",
        }
    }
}

/// What builds the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[repr(u8)]
#[non_exhaustive]
pub enum GrammarKind {
    /// Sequitur: one pass, every pair of neighbours unique, every rule used twice.
    Sequitur = 0,
    /// Re-Pair: the most frequent pairs first.
    #[default]
    RePair = 1,
}

impl GrammarKind {
    fn from_code(code: u8) -> Option<Self> {
        [Self::Sequitur, Self::RePair].into_iter().find(|&kind| kind as u8 == code)
    }

    /// Its name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Sequitur => "sequitur",
            Self::RePair => "repair",
        }
    }
}
