//! Text analytics directly on compressed text.
//!
//! wip

pub mod compress;
mod corpus;
mod decompress;
mod error;
mod expand;
pub mod format;
pub mod grammar;
pub mod input;
pub mod progress;
pub mod storage;
pub mod token;

pub use compress::{CompressOptions, Summary, compress, compress_to};
pub use corpus::{Corpus, Piece};
pub use decompress::{DecompressOptions, DecompressSummary, decompress};
pub use error::Error;
pub use expand::Expander;
