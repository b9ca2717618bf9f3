//! Failures that several operations have in common, and an error with its causes as text.

use std::error::Error;

/// An error and its causes in one line. A cause that the text before it already states is not repeated.
#[must_use]
pub fn chain(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    for cause in std::iter::successors(error.source(), |&cause| cause.source()) {
        let reason = cause.to_string();
        if !text.ends_with(&reason) {
            text = format!("{text}: {reason}");
        }
    }
    text
}

/// No document has this name or number.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no document {name}")]
pub struct NoDocument {
    /// What was asked for; bytes that are not UTF-8 are replaced.
    pub name: String,
}

impl NoDocument {
    /// No document has this name.
    pub(crate) fn named(name: &[u8]) -> Self {
        Self { name: String::from_utf8_lossy(name).into_owned() }
    }

    /// No document has this number.
    pub(crate) fn number(number: usize) -> Self {
        Self { name: format!("number {number}") }
    }
}

/// A pattern for document names is malformed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{pattern:?} is not a pattern for names: {why}")]
pub struct BadPattern {
    /// The pattern.
    pub pattern: String,
    /// What is wrong with it.
    pub why: String,
}

/// A document's name cannot be the name of a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the document name {name:?} cannot be used for a file: {why}")]
pub struct UnusableName {
    /// The name; bytes that are not UTF-8 are replaced.
    pub name: String,
    /// What is wrong with it.
    pub why: String,
}
