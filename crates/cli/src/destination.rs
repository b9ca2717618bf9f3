//! Where `-o` leads.

use crate::complaint::Refusal;
use crate::paths::{folder_of, is_dash};
use anyhow::Context;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use zgram::Corpus;

/// What becomes of output.
#[derive(Debug)]
pub(crate) enum Destination {
    Stdout,
    /// A device or pipe, opened: written to as it is, never replaced.
    Stream(File, PathBuf),
    /// A file, replaced as a whole.
    File(PathBuf),
}

/// Refuses a folder to write to that is a file, or that would be in a folder that does not exist.
pub(crate) fn check_folder(path: &Path) -> anyhow::Result<()> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Ok(()),
        Ok(_) => {
            let message = format!("{} is a file", path.display());
            Err(Refusal::error(message, "name a folder with -o").into())
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let parent = folder_of(path);
            if parent.is_dir() {
                return Ok(());
            }
            let message = format!("the folder {} does not exist", parent.display());
            Err(Refusal::error(message, "create it first, with `mkdir -p`").into())
        }
        Err(error) => Err(error).with_context(|| format!("cannot look at {}", path.display())),
    }
}

/// The corpus that a file beside it belongs to. Its journal has edits that are nowhere else, and its lock
/// keeps writers apart.
fn corpus_beside(path: &Path) -> Option<PathBuf> {
    let kind = path.extension()?.to_str()?;
    let corpus = path.with_extension("");
    let is_beside = matches!(kind, "journal" | "words" | "lock");
    (is_beside && Corpus::open_without_edits(&corpus).is_ok()).then_some(corpus)
}

impl Destination {
    /// Refuses folders, missing folders, and files that exist unless `force` is given. `example` is a
    /// file name to suggest.
    ///
    /// Opening a named pipe waits for a reader. Call this before anything needs to be cleaned up, so
    /// that Ctrl-C ends the wait.
    pub(crate) fn of(path: &Path, force: bool, example: &str) -> anyhow::Result<Self> {
        if is_dash(path) {
            return Ok(Self::Stdout);
        }
        let cannot_look = || format!("cannot look at {}", path.display());
        let metadata = match fs::metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Self::new_file(path, force);
            }
            found => found.with_context(cannot_look)?,
        };
        if metadata.is_dir() {
            let message = format!("{} is a folder", path.display());
            let hint = format!("name the file to write, such as {example}");
            return Err(Refusal::error(message, hint).into());
        }
        if !metadata.is_file() {
            let file = File::options().write(true).open(path);
            let file = file.with_context(|| format!("cannot write to {}", path.display()))?;
            return Ok(Self::Stream(file, path.to_owned()));
        }
        if !force {
            let message = format!("{} exists already", path.display());
            return Err(Refusal::error(message, "--force replaces it; nothing was written").into());
        }
        // A link stays a link; the file it leads to is replaced.
        let path = fs::canonicalize(path).with_context(cannot_look)?;
        if let Some(corpus) = corpus_beside(&path) {
            let message = format!("{} belongs to the corpus {}", path.display(), corpus.display());
            return Err(Refusal::error(message, "name another file with -o").into());
        }
        Ok(Self::File(path))
    }

    /// Accepts a file that does not exist yet, but not a link to a missing file.
    fn new_file(path: &Path, force: bool) -> anyhow::Result<Self> {
        if !force && fs::symlink_metadata(path).is_ok() {
            let message =
                format!("{} is a symbolic link to a file that does not exist", path.display());
            let hint = "--force replaces the link; nothing was written";
            return Err(Refusal::error(message, hint).into());
        }
        let folder = folder_of(path);
        if !folder.exists() {
            let message = format!("the folder {} does not exist", folder.display());
            return Err(Refusal::error(message, "create it first, with `mkdir -p`").into());
        }
        Ok(Self::File(path.to_owned()))
    }
}
