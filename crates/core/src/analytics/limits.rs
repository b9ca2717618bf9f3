//! Limits on how often, and in how many documents, a word or sequence occurs.

use super::query::Query;
use super::tasks::Question;
use crate::error::LimitError;

/// A limit on the number of documents that contain a term.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DocumentLimit {
    /// This many documents.
    Count(u64),
    /// This share of all documents, from 0 to 1.
    Share(f64),
}

impl DocumentLimit {
    /// The limit in documents, of `documents`. A share may fall between two numbers.
    fn documents(self, documents: usize) -> f64 {
        match self {
            Self::Count(count) => count as f64,
            Self::Share(share) => share * documents as f64,
        }
    }
}

/// Which words or sequences an answer has.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Limits {
    pub(crate) min_docs: Option<DocumentLimit>,
    pub(crate) max_docs: Option<DocumentLimit>,
    pub(crate) min_count: u64,
}

impl Limits {
    /// Whether anything is limited.
    pub(crate) fn are_any(&self) -> bool {
        self.min_count > 0 || self.are_of_documents()
    }

    /// Whether the number of documents matters.
    pub(crate) fn are_of_documents(&self) -> bool {
        self.min_docs.is_some() || self.max_docs.is_some()
    }

    /// Checks what can be checked before anything is counted.
    pub(crate) fn check(&self) -> Result<(), LimitError> {
        for limit in [self.min_docs, self.max_docs].into_iter().flatten() {
            if let DocumentLimit::Share(share) = limit
                && !(0.0..=1.0).contains(&share)
            {
                return Err(LimitError::BadShare { share });
            }
        }
        Ok(())
    }

    /// The limits for this many documents, which some number of documents must meet.
    pub(crate) fn of(&self, documents: usize) -> Result<Bounds, LimitError> {
        let bounds = self.bounds(documents);
        let Bounds { least, most, .. } = bounds;
        match most < least {
            // No document, no minimum.
            true if documents > 0 => Err(LimitError::Cross { least, most }),
            _ => Ok(bounds),
        }
    }

    /// The limits for this many documents.
    pub(crate) fn bounds(&self, documents: usize) -> Bounds {
        Bounds {
            least: self.min_docs.map_or(1.0, |limit| limit.documents(documents)),
            most: self.max_docs.map_or(f64::INFINITY, |limit| limit.documents(documents)),
            min_count: self.min_count,
        }
    }
}

/// Limits in numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    least: f64,
    most: f64,
    min_count: u64,
}

impl Bounds {
    /// Whether an item with this count is kept; `documents` is `None` if their number does not
    /// matter.
    #[inline]
    pub(crate) fn keep(&self, count: u64, documents: Option<u32>) -> bool {
        count >= self.min_count
            && documents.is_none_or(|n| (self.least..=self.most).contains(&f64::from(n)))
    }

    /// Whether an item is kept that has these counts in its documents.
    #[inline]
    pub(crate) fn keep_postings(&self, counts: impl ExactSizeIterator<Item = u64>) -> bool {
        let documents = u32::try_from(counts.len()).unwrap_or(u32::MAX);
        let count = match self.min_count {
            0 => 0,
            _ => counts.fold(0u64, u64::saturating_add),
        };
        self.keep(count, Some(documents))
    }
}

/// Limits on words, or on sequences in tasks about them. They have the meaning of scikit-learn's
/// `min_df` and `max_df`, and count what is within the chosen documents.
impl<Q: Clone + Into<Question>> Query<'_, Q> {
    /// Leaves out words and sequences that occur in fewer documents, or [units](Query::by).
    #[must_use]
    #[doc(alias = "min_df")]
    pub fn min_docs(mut self, limit: DocumentLimit) -> Self {
        self.options.limits.min_docs = Some(limit);
        self
    }

    /// Leaves out words and sequences that occur in more documents, or [units](Query::by).
    #[must_use]
    #[doc(alias = "max_df")]
    pub fn max_docs(mut self, limit: DocumentLimit) -> Self {
        self.options.limits.max_docs = Some(limit);
        self
    }

    /// Leaves out words and sequences with fewer occurrences in all documents together.
    #[must_use]
    pub fn min_count(mut self, count: u64) -> Self {
        self.options.limits.min_count = count;
        self
    }

    /// Counts for each row in how many documents its word or sequence occurs:
    /// [`Row::documents`](super::Row::documents). Only answers whose rows are for all documents together
    /// have that: word count, sort, and sequence count of the corpus.
    #[must_use]
    pub fn document_counts(mut self) -> Self {
        self.options.counts_documents = true;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_keep_what_is_within_them() {
        let limits = Limits {
            min_docs: Some(DocumentLimit::Count(2)),
            max_docs: Some(DocumentLimit::Share(0.5)),
            min_count: 7,
        };
        let bounds = limits.of(9).unwrap();
        assert!(bounds.keep(7, Some(2)) && bounds.keep(8, Some(4)) && bounds.keep(7, None));
        assert!(!bounds.keep(6, Some(2)) && !bounds.keep(9, Some(1)) && !bounds.keep(9, Some(5)));
        assert_eq!(limits.of(3).unwrap_err(), LimitError::Cross { least: 2.0, most: 1.5 });
        assert!(limits.of(0).is_ok());
        for share in [-0.1, 1.1, f64::NAN] {
            let bad = Limits { max_docs: Some(DocumentLimit::Share(share)), ..limits };
            assert!(matches!(bad.check(), Err(LimitError::BadShare { .. })));
        }
        assert!(!Limits::default().are_any());
    }
}
