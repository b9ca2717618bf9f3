//! Opens the corpus that a command reads.

use crate::args::CorpusFile;
use crate::complaint::Refusal;
use crate::paths::is_dash;
use crate::reporter::Reporter;
use crate::text::visible;
use anyhow::Context;
use std::ffi::OsString;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use zgram::Corpus;
use zgram::storage::Memory;
use zgram::store::Store;

/// Opens the corpus that a command works on, with its edits. Standard input is read into memory.
pub(crate) fn open_store(file: &CorpusFile, reporter: &Reporter) -> anyhow::Result<Store> {
    if !is_dash(&file.path) {
        let store = Store::open(&file.path).map_err(|error| not_opened(&file.path, error))?;
        store.notices().iter().for_each(|notice| reporter.notice(notice));
        return Ok(store);
    }
    let corpus = Corpus::from_storage("standard input", Memory(read_stdin()?))?;
    Ok(Store::from_corpus(corpus))
}

/// Opens the corpus that a task counts, as it is now: with its edits.
pub(crate) fn open_current(path: &Path, reporter: &Reporter) -> anyhow::Result<Arc<Corpus>> {
    if is_dash(path) {
        return Ok(open_store(&CorpusFile { path: path.to_owned() }, reporter)?.snapshot()?);
    }
    let corpus = Corpus::open(path).map_err(|error| not_opened(path, error))?;
    corpus.notices().iter().for_each(|notice| reporter.notice(notice));
    Ok(Arc::new(corpus))
}

/// An error of opening. If the file does not exist and a later argument is a corpus, the two were
/// probably swapped, and the hint says so.
pub(crate) fn not_opened(path: &Path, error: impl Into<anyhow::Error>) -> anyhow::Error {
    let words: Vec<&OsString> = crate::COMMAND_LINE.get().into_iter().flatten().skip(1).collect();
    let is_corpus = |word: &&&OsString| {
        let other = Path::new(word);
        other != path
            && other.extension().is_some_and(|ending| ending == "zgram")
            && other.is_file()
    };
    let (Some(verb), Some(corpus), false) =
        (words.first(), words.iter().find(is_corpus), path.exists())
    else {
        return error.into();
    };
    let [verb, corpus] = [verb, corpus].map(|word| visible(word.as_encoded_bytes()));
    let message = format!("cannot open {}: no such file or folder", path.display());
    let hint = format!("the corpus comes first: zgram {verb} {corpus} ...");
    Refusal::error(message, hint).into()
}

/// All of standard input.
pub(crate) fn read_stdin() -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes).context("cannot read standard input")?;
    Ok(bytes)
}
