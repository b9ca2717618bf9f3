//! Numbers of the items that are counted.

use super::columns::NO_COLUMN;
use super::sparse::Terms;
use crate::analytics::words::Words;
use crate::error::{MatrixError, QueryError};
use std::collections::HashSet;

/// Numbers items by their keys.
pub(in crate::analytics) trait Numbering<K>: Send {
    /// The number of an item, which may be new; `None` if it is not wanted.
    fn learn(&mut self, key: &K) -> Result<Option<u32>, QueryError>;

    /// The number of an item that was learned.
    fn find(&self, key: &K) -> Option<u32>;
}

/// Words: their keys are ranks.
pub(in crate::analytics) enum WordNumbers {
    /// All of them, numbered by rank.
    All,
    /// Words of a vocabulary: the column of each rank, or [`NO_COLUMN`].
    Columns(Vec<u32>),
}

impl WordNumbers {
    /// Words of a vocabulary, numbered by its columns.
    pub(in crate::analytics) fn of_vocabulary(vocabulary: &Terms, words: &Words<'_>) -> Self {
        let mut columns = vec![NO_COLUMN; words.len()];
        for (term, column) in vocabulary.iter().zip(0..) {
            if let Some(rank) = rank_of(words, term) {
                columns[rank as usize] = column;
            }
        }
        Self::Columns(columns)
    }
}

impl Numbering<u64> for WordNumbers {
    #[inline(always)]
    fn learn(&mut self, key: &u64) -> Result<Option<u32>, QueryError> {
        Ok(self.find(key))
    }

    #[inline(always)]
    fn find(&self, key: &u64) -> Option<u32> {
        match self {
            Self::All => Some(*key as u32),
            Self::Columns(columns) => {
                Some(columns[*key as usize]).filter(|&column| column != NO_COLUMN)
            }
        }
    }
}

/// The rank of a word in the order of bytes.
pub(in crate::analytics) fn rank_of(words: &Words<'_>, text: &[u8]) -> Option<u32> {
    let word_at = &words.order().word_at;
    let place = word_at.binary_search_by(|&word| words.text(word).cmp(text)).ok()?;
    Some(place as u32)
}

/// Checks a vocabulary that is given.
pub(super) fn check(vocabulary: &Terms) -> Result<(), MatrixError> {
    if vocabulary.is_empty() {
        return Err(MatrixError::EmptyVocabulary);
    }
    if vocabulary.len() >= NO_COLUMN as usize {
        return Err(MatrixError::TooManyTerms { most: u64::from(NO_COLUMN) });
    }
    let mut met = HashSet::with_capacity(vocabulary.len());
    match vocabulary.iter().find(|&term| !met.insert(term)) {
        Some(term) => {
            let term = String::from_utf8_lossy(term).into_owned();
            Err(MatrixError::DuplicateTerm { term })
        }
        None => Ok(()),
    }
}
