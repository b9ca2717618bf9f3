//! Text as a grammar: compress a corpus once, get every byte back, and work on it as it is.
//!
//! # The pipeline
//!
//! 1. [`input`] reads files, folders, tar archives and JSON Lines as named documents, in a stable
//!    order, as streams.
//! 2. [`token`] cuts their bytes into words and separators and gives each distinct one an id. The
//!    single space between two words is implied; concatenating all tokens gives back the bytes.
//! 3. [`mod@compress`] gathers documents into segments of bounded size. [`grammar`] finds in each the
//!    phrases that repeat and makes rules of them, by Re-Pair or by Sequitur. Rules are numbered
//!    parents first and by level; each document is a slice of the root.
//! 4. [`mod@format`] writes the grammars, the one dictionary they share, names and facts as sections of
//!    one file, each with a checksum, at one of three levels of size against loading speed.
//! 5. [`Corpus`] opens such a file and loads what is asked for: facts, names, the dictionary, one
//!    segment's grammar. [`Expander`] turns symbols back into text; [`decompress()`] writes files.
//!
//! # Example
//!
//! ```
//! use zgram::input::{ReadOptions, Sources};
//! use zgram::progress::Silent;
//! use zgram::{CompressOptions, Corpus, DecompressOptions, compress, decompress};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let scratch = tempfile::tempdir()?;
//! # let scratch = scratch.path();
//! let texts = scratch.join("texts");
//! std::fs::create_dir(&texts)?;
//! std::fs::write(texts.join("a.txt"), "one fine day, one fine night")?;
//! std::fs::write(texts.join("b.txt"), "one fine day\n")?;
//!
//! let sources = Sources::new([texts], ReadOptions::default());
//! let file = scratch.join("texts.zgram");
//! compress(&sources, &file, &CompressOptions::default(), &Silent)?;
//!
//! let corpus = Corpus::open(&file)?;
//! assert_eq!(corpus.facts().documents, 2);
//! assert_eq!(corpus.documents()?.name(1), Some(&b"b.txt"[..]));
//! let mut text = Vec::new();
//! corpus.write_document(1, &mut text)?;
//! assert_eq!(text, b"one fine day\n");
//!
//! // All documents (an empty selection) back to files.
//! let copy = scratch.join("copy");
//! decompress(&corpus, &[], &copy, &DecompressOptions::default(), &Silent)?;
//! assert_eq!(std::fs::read(copy.join("a.txt"))?, b"one fine day, one fine night");
//! # Ok(())
//! # }
//! ```
//!
//! # Modules
//!
//! | module | answers |
//! |---|---|
//! | [`input`] | which documents are there, and what are their bytes? |
//! | [`token`] | which words are these bytes, and which bytes is this word? |
//! | [`grammar`] | which phrases repeat, and how is the whole built from them? |
//! | [`mod@compress`] | how does a corpus larger than memory become one file? |
//! | [`mod@format`] | which bytes stand for a grammar, a dictionary, a list of names? |
//! | [`access`] | which bytes stand there, and where does this word stand? |
//! | [`store`] | how does a compressed corpus change? |
//! | [`analytics`] | which words and sequences are in it, how often, and where? |
//! | [`storage`] | where do a file's bytes lie? |
//! | [`progress`] | how far is it, and should it go on? |
//!
//! # Promises
//!
//! Any bytes come back as they were. The file does not depend on the number of threads. A damaged or
//! hostile file gives an [`Error`] that names the section and the byte, not a panic and not more
//! memory than its size justifies. The library prints nothing; it reports through
//! [`Progress`](progress::Progress).

#![forbid(unsafe_code)]

pub mod access;
pub mod analytics;
mod byte_counts;
pub mod compress;
mod corpus;
mod decompress;
mod durable;
mod error;
mod expand;
mod features;
pub mod format;
pub mod grammar;
pub mod input;
mod lazy;
pub mod progress;
pub mod storage;
pub mod store;
mod threads;
pub mod token;

pub use compress::{CompressOptions, Summary, compress, compress_to};
pub use corpus::{Corpus, Piece, SegmentTally};
pub use decompress::{DecompressOptions, DecompressSummary, decompress};
pub use error::Error;
pub use expand::Expander;
pub use features::MissingFeature;

/// The example of the page on analytics, compiled.
#[doc = include_str!("../../../docs/analytics.md")]
#[cfg(doctest)]
struct AnalyticsDoctests;

/// The example of the README, compiled and run.
#[doc = include_str!("../../../README.md")]
#[cfg(doctest)]
struct ReadmeDoctests;
