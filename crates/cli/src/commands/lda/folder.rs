//! The folder of a topic model: its checkpoint, and its results when it is complete.

use crate::complaint::Refusal;
use crate::destination::check_folder;
use crate::output_file::OutputFile;
use crate::paths::is_dash;
use anyhow::Context;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use zgram_models::lda::LdaError;

const CHECKPOINT: &str = "checkpoint";

/// A folder that is created when there is something to put into it.
pub(super) struct Folder {
    path: PathBuf,
}

impl Folder {
    /// Refuses a folder that has files, unless a run is resumed or its files may be replaced.
    pub(super) fn open(path: &Path, resume: bool, force: bool) -> anyhow::Result<Self> {
        if is_dash(path) {
            let message = "topics need a folder: one file for words, one for documents";
            return Err(Refusal::error(message, "name the folder to write with -o").into());
        }
        let folder = Self { path: path.to_owned() };
        match fs::read_dir(path) {
            Ok(mut entries) => {
                if resume && !folder.checkpoint().exists() {
                    let message = format!("{} has no checkpoint", path.display());
                    return Err(Refusal::error(message, "leave out --resume").into());
                }
                if !resume && !force && entries.next().is_some() {
                    let message = format!("{} exists already", path.display());
                    let hint = "--resume goes on with it, --force replaces it; nothing was written";
                    return Err(Refusal::error(message, hint).into());
                }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if resume {
                    let message = format!("there is no {} to resume", path.display());
                    return Err(Refusal::error(message, "leave out --resume").into());
                }
                check_folder(path)?;
            }
            Err(error) => {
                check_folder(path)?;
                return Err(error).with_context(|| format!("cannot look at {}", path.display()));
            }
        }
        Ok(folder)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn checkpoint(&self) -> PathBuf {
        self.path.join(CHECKPOINT)
    }

    fn create(&self) -> anyhow::Result<()> {
        fs::create_dir_all(&self.path)
            .with_context(|| format!("cannot create {}", self.path.display()))
    }

    /// Replaces the checkpoint when the new one is complete.
    pub(super) fn write_checkpoint(
        &self,
        write: impl FnOnce(&mut dyn Write) -> Result<(), LdaError>,
    ) -> anyhow::Result<()> {
        self.create()?;
        let path = self.checkpoint();
        let mut file = OutputFile::open(Some(&path), true, CHECKPOINT)?;
        let mut out = BufWriter::new(file.writer());
        write(&mut out)?;
        out.flush()?;
        drop(out);
        file.commit()
    }

    /// Puts files into the folder once all of them are complete.
    pub(super) fn fill(
        &self,
        names: &[String],
        write: impl FnOnce(&Path) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        self.create()?;
        let cannot_write = || format!("cannot write to {}", self.path.display());
        let mut builder = tempfile::Builder::new();
        let temporary =
            builder.prefix(".zgram-").tempdir_in(&self.path).with_context(cannot_write)?;
        write(temporary.path())?;
        for name in names {
            let (from, to) = (temporary.path().join(name), self.path.join(name));
            fs::rename(from, to).with_context(cannot_write)?;
        }
        Ok(())
    }
}
