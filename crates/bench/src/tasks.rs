//! The six analytics tasks, as all contestants know them.

use clap::ValueEnum;
use serde::Serialize;

/// What is asked of a corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Task {
    /// Every word with its count.
    WordCount,
    /// All words in byte order, with counts.
    Sort,
    /// Every word with its documents.
    InvertedIndex,
    /// Every document with its words.
    TermVector,
    /// Every document with its sequences of words.
    SequenceCount,
    /// Every sequence of words with its documents, by falling count.
    RankedInvertedIndex,
}

impl Task {
    /// Every task, in the order of the table.
    pub const ALL: [Self; 6] = [
        Self::WordCount,
        Self::Sort,
        Self::InvertedIndex,
        Self::TermVector,
        Self::SequenceCount,
        Self::RankedInvertedIndex,
    ];

    /// Its name on every command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::WordCount => "word-count",
            Self::Sort => "sort",
            Self::InvertedIndex => "inverted-index",
            Self::TermVector => "term-vector",
            Self::SequenceCount => "sequence-count",
            Self::RankedInvertedIndex => "ranked-inverted-index",
        }
    }

    /// Whether it is about sequences and not about single words.
    #[must_use]
    pub fn has_sequences(self) -> bool {
        matches!(self, Self::SequenceCount | Self::RankedInvertedIndex)
    }
}
