//! The six tasks by name, without their options.

/// One of the six tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TaskKind {
    /// Every word with its count.
    WordCount,
    /// All words in order, with counts.
    Sort,
    /// Every word with its documents.
    InvertedIndex,
    /// Every document with its words.
    TermVector,
    /// Every document with its sequences, or the sequences of the whole corpus.
    SequenceCount,
    /// Every sequence with its documents, those with the highest count first.
    RankedInvertedIndex,
}

impl TaskKind {
    /// Every task.
    pub const ALL: [Self; 6] = [
        Self::WordCount,
        Self::Sort,
        Self::InvertedIndex,
        Self::TermVector,
        Self::SequenceCount,
        Self::RankedInvertedIndex,
    ];

    /// Its name on command lines and in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::WordCount => "word-count",
            Self::Sort => "sort",
            Self::InvertedIndex => "inverted-index",
            Self::TermVector => "term-vector",
            Self::SequenceCount => "sequence-count",
            Self::RankedInvertedIndex => "ranked-inverted-index",
        }
    }

    /// The task with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|task| task.name() == name)
    }

    /// Whether its rows are sequences of words, not single words.
    #[must_use]
    pub const fn has_sequences(self) -> bool {
        matches!(self, Self::SequenceCount | Self::RankedInvertedIndex)
    }
}
