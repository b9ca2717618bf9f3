//! Opens the corpus that a command reads.

use crate::args::CorpusFile;
use crate::paths::is_dash;
use crate::reporter::Reporter;
use anyhow::Context;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use zgram::Corpus;
use zgram::storage::Memory;
use zgram::store::Store;

/// Opens the corpus a command works on, with its edits; standard input is read into memory for that.
pub(crate) fn open_store(file: &CorpusFile, reporter: &Reporter) -> anyhow::Result<Store> {
    if !is_dash(&file.path) {
        let store = Store::open(&file.path)?;
        store.notices().iter().for_each(|notice| reporter.notice(notice));
        return Ok(store);
    }
    let corpus = Corpus::from_storage("standard input", Memory(read_stdin()?))?;
    Ok(Store::from_corpus(corpus))
}

/// Opens the corpus a task asks about, as it is now: edits included.
pub(crate) fn open_current(path: &Path, reporter: &Reporter) -> anyhow::Result<Arc<Corpus>> {
    if is_dash(path) {
        return Ok(open_store(&CorpusFile { path: path.to_owned() }, reporter)?.snapshot()?);
    }
    let corpus = Corpus::open(path)?;
    corpus.notices().iter().for_each(|notice| reporter.notice(notice));
    Ok(Arc::new(corpus))
}

/// All of standard input.
pub(crate) fn read_stdin() -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes).context("cannot read standard input")?;
    Ok(bytes)
}
