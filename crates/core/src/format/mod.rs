//! The `.zgram` file: grammars, dictionary and documents to bytes and back.
//!
//! | modules | contents |
//! |---|---|
//! | `container`, `section` | header, index and trailer around the sections; the kinds of sections |
//! | `facts`, `dictionary`, `documents`, `segment`, `envelopes`, `word_counts`, `word_totals`, `later`, `origin`, `threshold` | one kind of section each |
//! | `clusters` | clusters of tokens, which predict each other |
//! | `adaptive` | adaptive models over a range coder, for level `max` |
//! | `layer` | the second layer: a general-purpose compressor under all sections |
//! | `bytes`, `front_coding` | numbers and strings in byte strings |
//!
//! `docs/format.md` describes every byte.

mod adaptive;
pub(crate) mod bytes;
pub(crate) mod clusters;
pub(crate) mod container;
pub(crate) mod dictionary;
pub(crate) mod documents;
pub(crate) mod envelopes;
pub(crate) mod facts;
mod front_coding;
pub(crate) mod later;
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

/// How hard to compress: the trade-off between size and loading speed. The grammar and all answers
/// are the same at every level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[repr(u8)]
#[non_exhaustive]
pub enum Level {
    /// Loads fastest; about the size of `zstd -19`.
    Fast = 0,
    /// Smaller than `xz -9e` on text, and loads several hundred megabytes of text per second.
    #[default]
    Default = 1,
    /// Smallest; loads slowly.
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

/// The algorithm that builds the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[repr(u8)]
#[non_exhaustive]
pub enum GrammarKind {
    /// Sequitur: one pass; every pair of neighbours is unique and every rule is used at least twice.
    Sequitur = 0,
    /// Re-Pair: replaces the most frequent pairs first.
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
