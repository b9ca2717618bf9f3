//! Whole commands, as a user or a script runs them.

mod access;
mod analytics;
mod answers;
mod bzip2;
mod choosing;
mod cooccurrence;
mod damage;
mod editing;
mod formats;
// Without the feature there is nothing to test.
#[cfg(feature = "gpu")]
mod gpu;
mod help;
mod interrupting;
mod keyness;
mod lda;
mod limits;
mod matrix;
mod mistakes;
mod names;
mod phrases;
mod rank;
mod refusals;
mod round_trips;
mod shards;
mod support;
mod tf_idf;
#[cfg(unix)]
mod transcripts;
mod word2vec;
