//! The commands, one file per verb. The six tasks and `tune` are in `analytics/`, and `zgram gpu` in `gpu/`.

pub(crate) mod add;
pub(crate) mod append;
pub(crate) mod batch;
pub(crate) mod bzip2;
pub(crate) mod cat;
pub(crate) mod collocates;
pub(crate) mod compact;
pub(crate) mod compress;
mod concordance;
pub(crate) mod cooccurrence;
pub(crate) mod count;
pub(crate) mod decompress;
pub(crate) mod delete;
mod edit;
pub(crate) mod extract;
pub(crate) mod generate;
pub(crate) mod index;
pub(crate) mod info;
pub(crate) mod insert;
pub(crate) mod keyness;
pub(crate) mod lda;
pub(crate) mod ls;
pub(crate) mod matrix;
pub(crate) mod merge;
pub(crate) mod nearest;
pub(crate) mod next;
pub(crate) mod rank;
pub(crate) mod rename;
pub(crate) mod replace;
pub(crate) mod rm;
pub(crate) mod search;
pub(crate) mod split;
pub(crate) mod tf_idf;
pub(crate) mod trace;
pub(crate) mod verify;
pub(crate) mod word2vec;

use crate::args::SpellingArgs;
use std::ffi::OsString;
use zgram::access::Phrase;
use zgram::analytics::{Case, View};
use zgram::error::QueryError;
use zgram::store::Store;

/// The phrase that the arguments form together.
fn phrase(words: &[OsString]) -> anyhow::Result<Phrase> {
    let words: Vec<&[u8]> = words.iter().map(|word| word.as_encoded_bytes()).collect();
    Ok(Phrase::new(words.join(&b' '))?)
}

/// All phrases to look for: the phrase itself, or every spelling that the options treat as equal.
fn spellings(args: SpellingArgs, store: &Store, phrase: Phrase) -> Result<Vec<Phrase>, QueryError> {
    match spelling_view(args) {
        Some(view) => store.spellings(&phrase, &view),
        None => Ok(vec![phrase]),
    }
}

/// The view under which words are compared, if they may differ.
fn spelling_view(args: SpellingArgs) -> Option<View> {
    let case = match (args.fold, args.lower) {
        (true, _) => Case::Fold,
        (_, true) => Case::Lower,
        _ => return None,
    };
    Some(View { case, ..View::default() })
}
