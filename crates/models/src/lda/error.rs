//! Failures of topic models.

use crate::readable;
use std::io;

/// Why a topic model cannot be made, trained or resumed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LdaError {
    /// A number of topics that is not possible.
    #[error("{topics} topics are not possible; choose from 1 to {most}")]
    BadTopics {
        /// The topics asked for.
        topics: usize,
        /// The most that are possible.
        most: usize,
    },
    /// A parameter that is no number in its range.
    #[error("{name} is {}; choose a number from {least} to {most}", readable(.value))]
    BadParameter {
        /// Its name: "alpha" or "beta".
        name: &'static str,
        /// What was given.
        value: f64,
        /// The least possible.
        least: f64,
        /// The most possible.
        most: f64,
    },
    /// The matrix has no counts.
    #[error("the documents have no words to find topics in")]
    NoTokens,
    /// The matrix has more tokens than fit.
    #[error(
        "there are {tokens} words in all, and at most {most} are possible; leave out frequent words"
    )]
    TooManyTokens {
        /// The sum of all counts.
        tokens: u64,
        /// The most possible.
        most: u64,
    },
    /// The counts do not fit in the memory that was allowed.
    #[error(
        "{topics} topics of {words} words in {documents} documents need {needed} bytes, \
         and {memory} are allowed; ask for fewer topics, leave out rare words, or allow more memory"
    )]
    TooLarge {
        /// The topics asked for.
        topics: usize,
        /// The distinct words.
        words: usize,
        /// The documents.
        documents: usize,
        /// What the model would take.
        needed: u64,
        /// What was allowed.
        memory: u64,
    },
    /// A share of documents that leaves nothing to train on, or nothing to test with.
    #[error(
        "a share of {} cannot be held out of {documents} documents with words: {left} would be left to \
         train on; give a number above 0 and below 1, with at least one document on each side",
        readable(.share)
    )]
    BadShare {
        /// The share to hold out.
        share: f64,
        /// Documents that have words.
        documents: usize,
        /// Those that would be left.
        left: usize,
    },
    /// A checkpoint that is no checkpoint, or damaged.
    #[error("this is not a complete checkpoint: {reason}")]
    BadCheckpoint {
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A checkpoint of a run that differs from this one.
    #[error("the checkpoint is of another run: {what} was {stored}, now it is {given}")]
    OtherRun {
        /// What differs.
        what: &'static str,
        /// What the checkpoint says.
        stored: String,
        /// What was asked for.
        given: String,
    },
    /// The checkpoint is of other documents or words.
    #[error(
        "the checkpoint is of another corpus or vocabulary: the documents, the words or the counts differ"
    )]
    OtherMatrix,
    /// A checkpoint cannot be read or written.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// No threads can be started.
    #[error("cannot start threads: {0}")]
    Threads(String),
    /// The work was asked to stop. A pass that was not finished is lost: resume from a checkpoint.
    #[error(transparent)]
    Interrupted(#[from] zgram::progress::Interrupted),
}
