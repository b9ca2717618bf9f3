//! What the tests and the fuzz targets of zgram share: small corpora, naive oracles, files forged
//! with valid checksums, and the bodies of the fuzz targets as plain functions.

mod ask;
mod block_sorting;
mod check;
mod documents;
mod edited;
mod exercise;
mod forge;
pub mod model;
pub mod oracle;
mod random;
mod sharded;
pub mod suite;
pub mod targets;

pub use ask::{Way, ask, corpus, file, view as library_view};
pub use check::check_corpus;
pub use documents::{
    Document, Fed, Feed, bursts_corpus, combinations, compress, compress_fed, feed, few_words,
    indexed_corpus, lines_corpus, logs, options, phrases_corpus, small_corpus, small_documents,
    totals_corpus,
};
pub use edited::Edited;
pub use exercise::{Outcome, exercise, exercise_with_files};
pub use forge::{Forged, ForgedSection};
pub use random::{Random, cases};
pub use sharded::{open_shards, shard_files, some_cuts};
pub use zgram::plumbing::chain;
