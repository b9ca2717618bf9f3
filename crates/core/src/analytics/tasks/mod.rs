//! The six tasks: what is asked, and the shape of the answer.

/// Evaluates `$body` with `$items`, sequences of this packing with the narrowest keys that hold
/// them. Does nothing if the corpus has fewer words than a sequence.
macro_rules! with_sequences {
    ($setting:expr, $packing:expr, |$items:ident| $body:expr) => {{
        use crate::analytics::engine::sequence_items::SequenceItems;
        use crate::analytics::sequences::{Key, Packing, Wide};
        let packing: Packing = $packing;
        if super::exceeds_corpus($setting, packing.n) {
            Ok(Passes::ONE)
        } else if u64::fits(&packing) {
            let $items = &mut SequenceItems::<u64>::new($setting, packing);
            $body
        } else if u128::fits(&packing) {
            let $items = &mut SequenceItems::<u128>::new($setting, packing);
            $body
        } else {
            let $items = &mut SequenceItems::<Wide>::new($setting, packing);
            $body
        }
    }};
}

mod inverted_index;
mod ranked_inverted_index;
mod sequence_count;
mod sort;
mod term_vector;
mod word_count;

pub use inverted_index::{DocumentLists, InvertedIndex};
pub use ranked_inverted_index::RankedInvertedIndex;
pub use sequence_count::SequenceCount;
pub use sort::{Sort, SortBy};
pub use term_vector::TermVector;
pub use word_count::WordCount;

use super::engine::total::{self, WordSums};
use super::engine::word_items::WordItems;
use super::engine::{Passes, Run, Setting};
use super::row_batch::Naming;
use super::task_kind::TaskKind;
use crate::error::QueryError;

/// Any of the six tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Every word with its count.
    WordCount(WordCount),
    /// Every word in order, with its count.
    Sort(Sort),
    /// Every word with the documents it occurs in.
    InvertedIndex(InvertedIndex),
    /// Every document with its words.
    TermVector(TermVector),
    /// Every document, or the corpus, with its sequences of words.
    SequenceCount(SequenceCount),
    /// Every sequence of words with the documents it occurs in.
    RankedInvertedIndex(RankedInvertedIndex),
}

/// Properties of the rows of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) words_a_row: usize,
    /// Whether rows name documents.
    pub(super) has_documents: bool,
    /// Whether rows are grouped by word or sequence.
    pub(super) by_item: bool,
    /// Whether only the number of each word's occurrences in all chosen documents matters.
    pub(super) is_of_totals: bool,
    /// Whether only the number of each word's occurrences in each document matters.
    pub(super) is_of_counts: bool,
}

impl Shape {
    /// Words of each document.
    pub(super) const BY_DOCUMENT: Self = Self {
        words_a_row: 1,
        has_documents: true,
        by_item: false,
        is_of_totals: false,
        is_of_counts: false,
    };

    /// Words of all documents together.
    pub(super) const TOTALS: Self = Self {
        words_a_row: 1,
        has_documents: false,
        by_item: false,
        is_of_totals: true,
        is_of_counts: false,
    };

    /// Counts of the words of each document.
    pub(super) const COUNTS: Self = Self { is_of_counts: true, ..Self::BY_DOCUMENT };
}

impl Question {
    /// Its name on command lines and in reports.
    #[must_use]
    pub fn name(&self) -> &'static str {
        let kind = match self {
            Self::WordCount(_) => TaskKind::WordCount,
            Self::Sort(_) => TaskKind::Sort,
            Self::InvertedIndex(_) => TaskKind::InvertedIndex,
            Self::TermVector(_) => TaskKind::TermVector,
            Self::SequenceCount(_) => TaskKind::SequenceCount,
            Self::RankedInvertedIndex(_) => TaskKind::RankedInvertedIndex,
        };
        kind.name()
    }

    /// Words in each row of its answer.
    #[must_use]
    pub fn words_a_row(&self) -> usize {
        match self {
            Self::SequenceCount(task) => task.n,
            Self::RankedInvertedIndex(task) => task.n,
            _ => 1,
        }
    }

    /// Whether rows of its answer name a document.
    #[must_use]
    pub fn has_documents(&self) -> bool {
        match self {
            Self::WordCount(_) | Self::Sort(_) => false,
            Self::SequenceCount(task) => !task.of_corpus,
            _ => true,
        }
    }

    /// What the selector needs to know about it.
    pub(super) fn shape(&self) -> Shape {
        Shape {
            words_a_row: self.words_a_row(),
            has_documents: self.has_documents(),
            by_item: matches!(self, Self::InvertedIndex(_) | Self::RankedInvertedIndex(_)),
            is_of_totals: matches!(self, Self::WordCount(_) | Self::Sort(_)),
            is_of_counts: matches!(self, Self::TermVector(_) | Self::InvertedIndex(_)),
        }
    }

    /// Refuses sequences shorter than two words.
    pub(super) fn check(&self) -> Result<(), QueryError> {
        match self {
            Self::SequenceCount(SequenceCount { n, .. })
            | Self::RankedInvertedIndex(RankedInvertedIndex { n, .. })
                if *n < 2 =>
            {
                Err(QueryError::SequenceTooShort { n: *n })
            }
            _ => Ok(()),
        }
    }

    /// Leaves out the words that the limits of a query do not keep, if that takes a traversal of its
    /// own. Returns how often the corpus was traversed.
    pub(super) fn keep_words(&self, setting: &mut Setting<'_>) -> Result<u64, QueryError> {
        if !matches!(self, Self::TermVector(_)) || !setting.plan.options.limits.are_any() {
            return Ok(0);
        }
        let (ranks, Passes(passes)) = total::kept(setting, &mut WordItems::new(setting))?;
        let mut keeps = vec![false; setting.plan.words.len()];
        for rank in ranks {
            keeps[setting.plan.words.order().word_at[rank as usize] as usize] = true;
        }
        setting.plan.words.keep_only(&keeps);
        Ok(passes)
    }

    pub(super) fn answer<O: Send>(&self, run: &mut Run<'_, O>) -> Result<Passes, QueryError> {
        match self {
            Self::WordCount(_) => word_count::answer(run),
            Self::Sort(task) => task.answer(run),
            Self::InvertedIndex(_) => inverted_index::answer(run),
            Self::TermVector(_) => term_vector::answer(run),
            Self::SequenceCount(task) => task.answer(run),
            Self::RankedInvertedIndex(task) => task.answer(run),
        }
    }
}

/// Whether no document can have a sequence of `n` words.
fn exceeds_corpus(setting: &Setting<'_>, n: usize) -> bool {
    n as u64 > setting.plan.corpus.facts().sizes.text_words
}

/// Writes rows of words, by number, and counts.
fn write_words<O: Send>(
    Run { writer, consume, .. }: &mut Run<'_, O>,
    sums: &WordSums,
    counts: impl Iterator<Item = (u32, u64)>,
) -> Result<(), QueryError> {
    // There is one answer.
    let _ = writer.words.total.set(sums.sum);
    let mut page = writer.page_named(Naming::ByNumber);
    for (word, count) in counts {
        page.note_documents(sums.documents(word));
        if let Some(encoded) = page.push(std::iter::once(word), count, None) {
            consume(encoded)?;
        }
    }
    page.turn().map_or(Ok(()), consume)
}
