//! Passes: where an answer does not fit in memory at once, each pass counts the items of a range of
//! (first) words.

use super::scope::SegmentScope;
use super::{Setting, word_totals};
use crate::error::QueryError;
use std::ops::Range;

/// How often the segments were traversed: more than once where an answer does not fit in memory at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Passes(pub(crate) u64);

impl Passes {
    pub(crate) const ONE: Self = Self(1);

    /// One for each range of first words.
    pub(crate) fn of(ranges: &[Range<u32>]) -> Self {
        Self(ranges.len() as u64)
    }
}

/// Ranges of ranks of first words such that the items of each take at most half of the memory.
/// `most_items` gives the most items that a word with this many occurrences can begin.
pub(super) fn passes(
    setting: &Setting<'_>,
    segments: &[SegmentScope],
    bytes_an_item: u64,
    most_items: impl Fn(u64) -> u64,
) -> Result<Vec<Range<u32>>, QueryError> {
    let facts = &setting.plan.corpus.facts().segments;
    // A forged file may claim any number.
    let words = segments
        .iter()
        .fold(0u64, |sum, scope| sum.saturating_add(facts[scope.segment].sizes.text_words));
    let most = (setting.plan.options.memory / 2) / bytes_an_item;
    if words <= most {
        return Ok(std::iter::once(0..u32::MAX).collect());
    }
    let totals = setting.plan.while_ordering(|| word_totals::totals(setting, segments))?;
    let mut ranges = Vec::new();
    let (mut start, mut filled) = (0, 0u64);
    for (&word, rank) in setting.plan.words.order().word_at.iter().zip(0..) {
        let items = most_items(totals[word as usize]);
        if filled > 0 && filled.saturating_add(items) > most {
            ranges.push(start..rank);
            (start, filled) = (rank, 0);
        }
        filled = filled.saturating_add(items);
    }
    ranges.push(start..u32::MAX);
    Ok(ranges)
}
