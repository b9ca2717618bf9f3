//! Corpora in several files: answers, opening, merging and splitting.

mod answers;
mod files;
mod resharding;
