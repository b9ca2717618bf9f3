//! Failures of keyness.

/// Why words cannot be compared as asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeynessError {
    /// There is nothing to compare with.
    #[error("there is no reference; give another corpus, or choose some documents as the target")]
    NoReference,
    /// The target has no words in this view.
    #[error("the target has no words; choose other documents, or a view that leaves out fewer")]
    NoWordsInTarget,
    /// The reference has no words in this view.
    #[error("the reference has no words; choose other documents, or a view that leaves out fewer")]
    NoWordsInReference,
}
