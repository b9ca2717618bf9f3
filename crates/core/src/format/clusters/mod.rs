//! Clusters of tokens: which tokens behave alike before and after others.
//!
//! Tokens are divided into clusters twice: by what tends to follow them (their *row*) and by what
//! tends to come before them (their *column*). Coders predict the column of a symbol from the row of
//! the symbol before it. The dictionary section stores the clusters.

mod learn;

pub(crate) use learn::cluster_tokens;

use crate::token::{Dictionary, TokenClass};

/// The most clusters that a file may use.
pub(crate) const MOST_CLUSTERS: usize = 32;

/// The clusters of all tokens, by id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Clusters {
    /// Number of clusters. All rows and columns are below it.
    pub(crate) count: usize,
    pub(crate) rows: Vec<u8>,
    pub(crate) columns: Vec<u8>,
}

impl Clusters {
    /// One cluster for all tokens.
    pub(crate) fn single(tokens: usize) -> Self {
        Self { count: 1, rows: vec![0; tokens], columns: vec![0; tokens] }
    }
}

/// Number of clusters that depend on a token's bytes alone.
pub(crate) const DEFAULT_CLUSTERS: usize = 4;

/// The cluster of a token that is too rare to learn one: by class, first digit and first capital.
fn default_cluster(class: TokenClass, bytes: &[u8]) -> u8 {
    match (class, bytes.first()) {
        (TokenClass::Separator, _) => 0,
        (_, Some(first)) if first.is_ascii_digit() => 1,
        (TokenClass::Unspaced, _) => 2,
        (_, Some(first)) if first.is_ascii_uppercase() => 2,
        _ => 3,
    }
}

/// The default clusters of all tokens, where a file has `count` clusters.
pub(crate) fn default_clusters(dictionary: &Dictionary, count: usize) -> Clusters {
    let most = count.min(DEFAULT_CLUSTERS) as u8 - 1;
    let columns: Vec<u8> = (0..dictionary.len() as u32)
        .map(|id| default_cluster(dictionary.class(id), dictionary.bytes(id)).min(most))
        .collect();
    Clusters { count, rows: columns.clone(), columns }
}
