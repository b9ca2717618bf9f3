//! Compress a corpus of text once, then count, index, search and edit it while it stays compressed.
//!
//! zgram turns text into a grammar: phrases that repeat become rules, and queries read the rules
//! instead of the text. One file holds any number of documents.
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
//! let file = scratch.join("texts.zgram");
//! compress(&Sources::new([&texts]), &file, &CompressOptions::default(), &Silent)?;
//!
//! let corpus = Corpus::open(&file)?;
//! for row in corpus.term_vector().top(1).rows()? {
//!     println!("{:?}: {} occurs {} times", row.document_name(), row.text(), row.count);
//! }
//!
//! let mut text = Vec::new();
//! corpus.write_document(corpus.documents_matching("b.*")?[0], &mut text)?;
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
//! The folder `examples/` of the crate has five longer ones, each a tutorial to read and run:
//! `compress_and_ask`, `stream_rows`, `edit_and_compact`, `own_task` and `own_storage`. (`document_sets` there measures
//! how sets of documents are stored.)
//!
//! # Modules
//!
//! | module | what it is for |
//! |---|---|
//! | the root | [`compress()`] and [`decompress()`] a corpus, and open it as a [`Corpus`] |
//! | [`input`] | the files, folders, archives and JSON Lines that become documents |
//! | [`analytics`] | six tasks over words and sequences; matrices, ranking, keyness, co-occurrence; tasks of your own |
//! | [`access`] | read any part of a document, search for phrases and count them |
//! | [`store`] | edit documents in place; edits go to a journal beside the file until you compact it |
//! | [`mod@format`] | facts about a corpus file: sizes, levels, names of documents |
//! | [`error`] | one error type per operation; [`Error`] covers them all |
//! | [`storage`] | where the bytes of a corpus file are: a disk, memory or a place of your own |
//! | [`progress`] | follow long work, and stop it |
//! | [`plumbing`] | what zgram's own crates share; outside semantic versioning |
//!
//! # Features
//!
//! All features are on by default. A build without them has 41 packages instead of 102. When such a
//! build is asked for a missing part, it returns [`MissingFeature`].
//!
//! | feature | what it adds |
//! |---|---|
//! | `archives` | the members of tar archives as documents |
//! | `gzip`, `bzip2`, `xz` | compressed input (zstd is always there); `gzip` also as a corpus file's second layer |
//! | `bwt` | block sorting as a corpus file's second layer |
//! | `phrases` | building phrase indexes; reading and asking them needs no feature |
//! | `gitignore` | leaving out what `.gitignore` files exclude |
//! | `unicode` | case folding, normal forms, words with digits, scikit-learn's words |
//! | `collation` | sorting by the Unicode Collation Algorithm |
//! | `stemmers` | stems of words in 18 languages |
//! | `stop-words` | lists of stop words for 17 languages |
//!
//! # Guarantees
//!
//! * Decompression returns the exact bytes that were compressed, text or not.
//! * The file does not depend on the number of threads.
//! * A damaged or hostile file produces an [`Error`] that names the section and the byte. It causes no
//!   panic and takes no more memory than its size justifies.
//! * The library prints nothing. It reports through [`Progress`](progress::Progress).

#![forbid(unsafe_code)]

pub mod access;
pub mod analytics;
mod beside;
mod byte_counts;
mod compress;
mod corpus;
mod decompress;
mod durable;
pub mod error;
mod expand;
mod features;
pub mod format;
mod grammar;
pub mod input;
mod lazy;
mod names;
mod phrases;
pub mod plumbing;
pub mod progress;
mod reshard;
pub mod storage;
pub mod store;
mod threads;
mod token;

pub use compress::{CompressOptions, Summary, compress, compress_documents, compress_to};
pub use corpus::Corpus;
pub use decompress::{DecompressOptions, DecompressSummary, decompress};
pub use error::umbrella::Error;
pub use features::MissingFeature;
pub use reshard::{ReshardOptions, SplitFile, merge, split};

/// The example of the page on analytics, compiled.
#[doc = include_str!("../../../docs/analytics.md")]
#[cfg(doctest)]
struct AnalyticsDoctests;

/// The example of the README, compiled and run.
#[doc = include_str!("../../../README.md")]
#[cfg(doctest)]
struct ReadmeDoctests;
