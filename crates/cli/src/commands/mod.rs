//! What the program can do, a file a verb.

pub(crate) mod bzip2;
pub(crate) mod cat;
pub(crate) mod compress;
pub(crate) mod decompress;
pub(crate) mod generate;
pub(crate) mod info;
pub(crate) mod ls;
pub(crate) mod verify;

use crate::args::CorpusFile;
use anyhow::Context;
use std::io::Read;
use std::path::Path;
use zgram::Corpus;
use zgram::storage::Memory;

/// What standard input and output are called on the command line.
fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Opens the corpus a command works on; standard input is read into memory for that.
fn open(file: &CorpusFile) -> anyhow::Result<Corpus> {
    if !is_dash(&file.path) {
        return Ok(Corpus::open(&file.path)?);
    }
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes).context("cannot read standard input")?;
    Ok(Corpus::from_storage("standard input", Box::new(Memory(bytes)))?)
}
