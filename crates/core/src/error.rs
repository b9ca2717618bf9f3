//! What can go wrong, in one place: each error names the file and, where it can, the way out.

use crate::durable::FileError;
use crate::features::MissingFeature;
use crate::format::ContainerError;
use crate::input::InputError;
use crate::progress::Interrupted;
use crate::token::DictionaryError;
use std::io;
use std::path::PathBuf;

/// Any failure of this library.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused something.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was to be done, as a verb: "read", "create".
        action: &'static str,
        /// With which file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The corpus could not be read.
    #[error(transparent)]
    Input(InputError),
    /// A corpus file is damaged, foreign or from the future.
    #[error("{}: {source}", path.display())]
    Container {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, and where.
        source: ContainerError,
    },
    /// The corpus has too many distinct tokens.
    #[error(transparent)]
    Dictionary(#[from] DictionaryError),
    /// The memory ceiling is too low for this corpus.
    #[error(
        "the {tokens} distinct tokens, the document names and the envelopes of JSON lines take \
         {needed} bytes, more than three eighths of the memory ceiling of {ceiling} bytes; \
         raise the ceiling or split the corpus"
    )]
    MemoryCeiling {
        /// Distinct tokens so far.
        tokens: usize,
        /// Bytes that tokens, document names and envelopes take.
        needed: u64,
        /// The ceiling.
        ceiling: u64,
    },
    /// A file is in the way.
    #[error("{} exists already", path.display())]
    OutputExists {
        /// The file.
        path: PathBuf,
    },
    /// A document's name cannot be the name of a file.
    #[error("the document name {name:?} cannot be used for a file: {why}")]
    UnusableName {
        /// The name; bytes that are not UTF-8 are replaced.
        name: String,
        /// What is wrong with it.
        why: String,
    },
    /// Whoever takes an answer's rows failed.
    #[error("cannot write the answer: {source}")]
    Output {
        /// Why.
        source: io::Error,
    },
    /// An accelerator did not count.
    #[error("the GPU did not answer: {source}")]
    Accelerator {
        /// Why not.
        source: AcceleratorError,
    },
    /// A sequence of fewer than two words was asked for.
    #[error("a sequence has at least two words, not {n}; for single words there is word count")]
    SequenceTooShort {
        /// The words asked for.
        n: usize,
    },
    /// An offset past the end of a document.
    #[error("offset {offset} is past the end of {document}, which has {size} bytes")]
    OutOfRange {
        /// The document's name; bytes that are not UTF-8 are replaced.
        document: String,
        /// The offset.
        offset: u64,
        /// The document's size.
        size: u64,
    },
    /// There is nothing to search for.
    #[error("there is no word to search for: words are made of letters and digits")]
    EmptyPhrase,
    /// Very many words of the corpus are read alike.
    #[error("there are more than {most} ways to spell this; search for fewer words at once")]
    TooManySpellings {
        /// How many are possible.
        most: usize,
    },
    /// A phrase occurs too often for a list of all its matches.
    #[error("there are more than {most} matches, too many for one list; take them one by one")]
    TooManyMatches {
        /// How many are possible.
        most: usize,
    },
    /// No document has this name or number.
    #[error("no document {name}")]
    NoDocument {
        /// What was asked for; bytes that are not UTF-8 are replaced.
        name: String,
    },
    /// A pattern for document names cannot be read.
    #[error("{pattern:?} is not a pattern for names: {why}")]
    BadPattern {
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        why: String,
    },
    /// Another document has this name.
    #[error("there is a document {name} already")]
    NameTaken {
        /// The name; bytes that are not UTF-8 are replaced.
        name: String,
    },
    /// Documents that are lines of JSON Lines files can be edited, but not added or taken out.
    #[error("documents of this corpus are lines of JSON Lines files and cannot be {what}")]
    LinesStay {
        /// What was to be done: "added", "removed".
        what: &'static str,
    },
    /// Another process edits the corpus.
    #[error("{} is being edited by {holder}", path.display())]
    Locked {
        /// The corpus file.
        path: PathBuf,
        /// Who that is.
        holder: String,
    },
    /// The corpus was opened for reading.
    #[error("{} was opened for reading, not for editing", path.display())]
    OnlyReading {
        /// The corpus file.
        path: PathBuf,
    },
    /// A corpus file would be replaced whose edits are not in it yet.
    #[error("{} has edits that would be lost", journal.display())]
    PendingEdits {
        /// The journal.
        journal: PathBuf,
    },
    /// The journal of a corpus cannot be used.
    #[error("the journal {} cannot be used: {what}", path.display())]
    Journal {
        /// The journal.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// A language has no list of stop words.
    #[error("there is no list of stop words for {language}")]
    NoStopWords {
        /// The language.
        language: &'static str,
    },
    /// A part of the library is asked for that this build leaves out.
    #[error(transparent)]
    MissingFeature(#[from] MissingFeature),
    /// Edits of a document cannot be applied, since its text in the corpus file is damaged.
    #[error(
        "cannot apply the journal {}: {cause}. Other documents can still be read",
        journal.display()
    )]
    Unapplied {
        /// The journal.
        journal: PathBuf,
        /// What is damaged.
        cause: String,
    },
    /// A term matrix has no columns or no rows.
    #[error(transparent)]
    Matrix(#[from] MatrixError),
    /// The work was asked to stop.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

/// Why a term matrix cannot be made as asked.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MatrixError {
    /// The chosen documents have no words in this view.
    #[error("the chosen documents have no words; choose others, or a view that leaves out fewer")]
    NoWords,
    /// Every term is left out by the limits.
    #[error(
        "none of the {terms} distinct terms meets the limits on documents and counts; \
         lower the minimum or raise the maximum"
    )]
    NoTermsLeft {
        /// The distinct terms of the chosen documents.
        terms: u64,
    },
    /// No term of the given vocabulary occurs.
    #[error(
        "none of the {terms} terms of the vocabulary occurs in the chosen documents; \
         write terms as the view shows them, for example in lower case"
    )]
    NoTermOccurs {
        /// The terms of the vocabulary.
        terms: usize,
    },
    /// The given vocabulary is empty.
    #[error("the vocabulary is empty; give at least one term")]
    EmptyVocabulary,
    /// The given vocabulary has a term twice.
    #[error("the vocabulary has the term {term:?} twice")]
    DuplicateTerm {
        /// The term; bytes that are not UTF-8 are replaced.
        term: String,
    },
    /// There are no n-grams of this many words.
    #[error(
        "n-grams of {from} to {to} words are not possible; \
         choose from 1 to {most} words, the smaller number first"
    )]
    BadNgrams {
        /// The fewest words asked for.
        from: usize,
        /// The most words asked for.
        to: usize,
        /// The most words that are possible.
        most: usize,
    },
    /// A share of documents that is not between 0 and 1.
    #[error("{share} is not a share of documents; give a number from 0.0 to 1.0")]
    BadShare {
        /// The share.
        share: f64,
    },
    /// No number of documents is within both limits.
    #[error(
        "the maximum of {most} documents per term is below the minimum of {least}; \
         raise the maximum or lower the minimum"
    )]
    LimitsCross {
        /// The minimum, in documents.
        least: f64,
        /// The maximum, in documents.
        most: f64,
    },
    /// A limit of no columns.
    #[error("a matrix of at most 0 columns was asked for; keep at least one")]
    NoFeatures,
    /// There are more terms than column numbers.
    #[error("there are more than {most} distinct terms; set a limit, or use shorter n-grams")]
    TooManyTerms {
        /// The most terms that are possible.
        most: u64,
    },
    /// No document's name matches the pattern of units.
    #[error("no document's name matches the pattern {pattern}")]
    NoUnit {
        /// The pattern.
        pattern: String,
    },
}

/// Why an accelerator did not count.
pub type AcceleratorError = Box<dyn std::error::Error + Send + Sync>;

impl Error {
    pub(crate) fn io(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { action, path, source }
    }

    /// No document has this number.
    pub(crate) fn no_document(number: usize) -> Self {
        Self::NoDocument { name: format!("number {number}") }
    }

    /// Whether the work was asked to stop, rather than failed.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        matches!(self, Self::Interrupted(_))
    }
}

impl From<FileError> for Error {
    fn from(FileError { action, path, source }: FileError) -> Self {
        Self::Io { action, path, source }
    }
}

impl From<InputError> for Error {
    fn from(error: InputError) -> Self {
        match error {
            InputError::Interrupted(interrupted) => Self::Interrupted(interrupted),
            other => Self::Input(other),
        }
    }
}
