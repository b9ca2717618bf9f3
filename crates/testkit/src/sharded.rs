//! Corpora in several files.

use crate::{Document, Random, file};
use std::sync::Arc;
use zgram::Corpus;
use zgram::format::GrammarKind;
use zgram::storage::Memory;

/// The files of some documents, cut before each of the rising numbers in `cuts`.
#[must_use]
pub fn shard_files(
    documents: &[Document],
    cuts: &[usize],
    grammar: GrammarKind,
    segment_size: u64,
) -> Vec<Vec<u8>> {
    let starts = std::iter::once(0).chain(cuts.iter().copied());
    let ends = cuts.iter().copied().chain(std::iter::once(documents.len()));
    starts.zip(ends).map(|(from, to)| file(&documents[from..to], grammar, segment_size)).collect()
}

/// A corpus in several files, which are in memory.
///
/// # Panics
/// When one cannot be opened.
#[must_use]
pub fn open_shards(files: impl IntoIterator<Item = Vec<u8>>) -> Corpus {
    let open = |(number, file): (usize, Vec<u8>)| {
        let shard = Corpus::from_storage(format!("shard {number}"), Memory(file));
        Arc::new(shard.expect("it was just made"))
    };
    Corpus::of_shards("shards", files.into_iter().enumerate().map(open)).expect("they fit")
}

/// Random places to cut a list of `documents` documents into `parts` parts, of which some may be empty.
#[must_use]
pub fn some_cuts(random: &mut Random, documents: usize, parts: usize) -> Vec<usize> {
    let mut cuts: Vec<usize> = (1..parts).map(|_| random.below(documents + 1)).collect();
    cuts.sort_unstable();
    cuts
}
