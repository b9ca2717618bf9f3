//! What can go wrong: one small enum per operation, and [`Error`](crate::Error) for all of them.
//!
//! | operation | error |
//! |---|---|
//! | open a corpus, load or verify its parts | [`OpenError`] |
//! | read documents, search, count phrases | [`AccessError`] |
//! | run an analytics query or a task | [`QueryError`], which contains those of limits, matrices, ranking, keyness and co-occurrence |
//! | compress | [`CompressError`] |
//! | decompress | [`DecompressError`] |
//! | merge, split | [`ReshardError`] |
//! | edit and compact | [`EditError`], in a transaction [`TransactionError`] |
//!
//! Each error names the file, document or option it is about and, where it can, the way out. Its text
//! contains its reason, so that printing the error alone is enough. An operation that opens a corpus or
//! reads a document first contains that operation's error as a variant.

mod access;
mod compress;
mod cooccurrence;
mod decompress;
mod edit;
mod keyness;
mod limits;
mod matrix;
mod open;
pub(crate) mod query;
mod rank;
mod reshard;
pub(crate) mod shared;
pub(crate) mod umbrella;

pub use crate::durable::FileError;
pub use crate::phrases::PhraseIndexError;
pub use access::AccessError;
pub use compress::CompressError;
pub use cooccurrence::CooccurrenceError;
pub use decompress::DecompressError;
pub use edit::{EditError, TransactionError};
pub use keyness::KeynessError;
pub use limits::LimitError;
pub use matrix::MatrixError;
pub use open::OpenError;
pub use query::QueryError;
pub use rank::RankError;
pub use reshard::ReshardError;
pub use shared::{BadPattern, NoDocument, UnusableName};
