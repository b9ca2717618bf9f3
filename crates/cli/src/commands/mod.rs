//! What the program can do, a file a verb.

pub(crate) mod add;
pub(crate) mod append;
pub(crate) mod batch;
pub(crate) mod bzip2;
pub(crate) mod cat;
pub(crate) mod compact;
pub(crate) mod compress;
pub(crate) mod count;
pub(crate) mod decompress;
pub(crate) mod delete;
mod edit;
pub(crate) mod extract;
pub(crate) mod generate;
pub(crate) mod info;
pub(crate) mod insert;
pub(crate) mod ls;
pub(crate) mod rename;
pub(crate) mod replace;
pub(crate) mod rm;
pub(crate) mod search;
pub(crate) mod verify;

use crate::args::CorpusFile;
use crate::reporter::Reporter;
use anyhow::Context;
use std::ffi::OsString;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use zgram::Corpus;
use zgram::access::Phrase;
use zgram::storage::Memory;
use zgram::store::Store;

/// What standard input and output are called on the command line.
pub(crate) fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Opens the corpus a command works on, with its edits; standard input is read into memory for that.
fn open_store(file: &CorpusFile, reporter: &Reporter) -> anyhow::Result<Store> {
    if !is_dash(&file.path) {
        let store = Store::open(&file.path)?;
        store.notices().iter().for_each(|notice| reporter.notice(notice));
        return Ok(store);
    }
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes).context("cannot read standard input")?;
    let corpus = Corpus::from_storage("standard input", Box::new(Memory(bytes)))?;
    Ok(Store::from_corpus(corpus))
}

/// Opens the corpus a task asks about, as it is now: edits included.
pub(crate) fn open_current(path: &Path, reporter: &Reporter) -> anyhow::Result<Arc<Corpus>> {
    if is_dash(path) {
        return Ok(open_store(&CorpusFile { path: path.to_owned() }, reporter)?.snapshot()?);
    }
    let current = Store::current(path)?;
    current.notices.iter().for_each(|notice| reporter.notice(notice));
    Ok(Arc::new(current.corpus))
}

/// The phrase that several arguments make together.
fn phrase(words: &[OsString]) -> anyhow::Result<Phrase> {
    let words: Vec<&[u8]> = words.iter().map(|word| word.as_encoded_bytes()).collect();
    Ok(Phrase::new(words.join(&b' '))?)
}
