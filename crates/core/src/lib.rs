//! Compresses a corpus of text into a grammar, gives every byte back, and answers questions without
//! decompressing it.
//!
//! # The pipeline
//!
//! 1. [`input`] reads files, folders, tar archives and JSON Lines as streams of named documents, in a
//!    stable order.
//! 2. [`token`] splits their bytes into words and separators and gives each distinct token an id. The
//!    single space between two words is implied; all tokens together give back the bytes.
//! 3. [`mod@compress`] gathers documents into segments of bounded size. [`grammar`] makes a rule of each
//!    repeated phrase of a segment, by Re-Pair or Sequitur. Rules are numbered parents first and by
//!    level; each document is a slice of the root.
//! 4. [`mod@format`] writes the grammars, their common dictionary, the names and the facts as sections of
//!    one file, each with a checksum. Three levels trade size against loading speed.
//! 5. [`Corpus`] opens such a file, with its pending edits, and loads only what a question needs: facts,
//!    names, the dictionary, one segment's grammar. [`Expander`] turns symbols back into text;
//!    [`decompress()`] writes files.
//!
//! # Example
//!
//! ```
//! use zgram::input::Sources;
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
//! let sources = Sources::new([texts]);
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
//! // An empty selection means all documents.
//! let copy = scratch.join("copy");
//! decompress(&corpus, &[], &copy, &DecompressOptions::default(), &Silent)?;
//! assert_eq!(std::fs::read(copy.join("a.txt"))?, b"one fine day, one fine night");
//! # Ok(())
//! # }
//! ```
//!
//! # Modules
//!
//! | module | purpose |
//! |---|---|
//! | [`input`] | reads documents from files, folders, archives and JSON Lines |
//! | [`token`] | splits bytes into tokens, and joins tokens to bytes |
//! | [`grammar`] | finds repeated phrases and makes rules of them |
//! | [`mod@compress`] | turns a corpus, which may be larger than memory, into one file |
//! | [`mod@format`] | encodes grammars, dictionary and names as the sections of a file |
//! | [`access`] | extracts bytes and lines, searches and counts words and phrases |
//! | [`analytics`] | counts words and sequences, per document or in the whole corpus |
//! | [`store`] | edits a compressed corpus |
//! | [`storage`] | where the bytes of a file are: on disk, in memory, or elsewhere |
//! | [`progress`] | reports progress, and stops work on request |
//!
//! # Promises
//!
//! Decompression gives back the same bytes. The file does not depend on the number of threads. A damaged
//! or hostile file gives an [`Error`] that names the section and the byte; it causes no panic, and no
//! allocation out of proportion to its size. The library prints nothing; it reports through
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
pub mod plumbing;
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
