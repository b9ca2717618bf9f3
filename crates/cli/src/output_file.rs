//! A file that gets its name when it is complete, a pipe or device, or standard output.

use crate::complaint::Refusal;
use crate::destination::Destination;
use crate::interrupt;
use crate::paths::folder_of;
use anyhow::Context;
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;
use zgram::Corpus;
use zgram::plumbing::temporary_file;

/// Where results go. Dropped before [`commit`](Self::commit), it leaves no file.
pub(crate) struct OutputFile {
    target: Target,
}

enum Target {
    File { temporary: NamedTempFile, path: PathBuf, force: bool },
    Stream { file: File, path: PathBuf },
    Standard(io::Stdout),
}

impl OutputFile {
    /// Opens what `-o` names; without a path, standard output. `example` is a file name to suggest.
    pub(crate) fn open(path: Option<&Path>, force: bool, example: &str) -> anyhow::Result<Self> {
        let path = path.unwrap_or("-".as_ref());
        let target = match Destination::of(path, force, example)? {
            Destination::Stdout => Target::Standard(io::stdout()),
            Destination::Stream(file, path) => Target::Stream { file, path },
            Destination::File(path) => {
                // Results are made again in seconds; a corpus, and perhaps the one they come from, is not.
                if path.exists() && Corpus::open_without_edits(&path).is_ok() {
                    let message = format!("{} is a corpus", path.display());
                    return Err(Refusal::error(message, "name another file with -o").into());
                }
                // A temporary file is removed before the program ends.
                interrupt::clean_up_from_now_on();
                let folder = folder_of(&path);
                let temporary = temporary_file(folder)
                    .with_context(|| format!("cannot create a file in {}", folder.display()))?;
                Target::File { temporary, path, force }
            }
        };
        Ok(Self { target })
    }

    /// Whether a person reads the output as it comes.
    pub(crate) fn is_terminal(&self) -> bool {
        matches!(&self.target, Target::Standard(out) if out.is_terminal())
    }

    /// Whether the output is a file that a later one can replace.
    pub(crate) fn can_be_replaced(&self) -> bool {
        matches!(self.target, Target::File { .. })
    }

    /// What to write to. Its errors name the file.
    pub(crate) fn writer(&mut self) -> &mut (dyn Write + Send) {
        &mut self.target
    }

    /// Gives the complete file its name.
    pub(crate) fn commit(self) -> anyhow::Result<()> {
        match self.target {
            mut target @ (Target::Standard(_) | Target::Stream { .. }) => Ok(target.flush()?),
            Target::File { temporary, path, force } => {
                // The old file goes only when the new one is safe on disk. If there is no old file, a
                // crash can lose nothing.
                if path.exists() {
                    let synced = temporary.as_file().sync_all();
                    synced.with_context(|| format!("cannot write {}", path.display()))?;
                }
                let persisted = match force {
                    true => temporary.persist(&path).map_err(|error| error.error),
                    false => temporary.persist_noclobber(&path).map_err(|error| error.error),
                };
                persisted.with_context(|| format!("cannot create {}", path.display()))?;
                Ok(())
            }
        }
    }
}

impl Target {
    /// Does something with what is written to, and names it in an error.
    fn on<T>(&mut self, act: impl FnOnce(&mut dyn Write) -> io::Result<T>) -> io::Result<T> {
        let done = match self {
            Self::File { temporary, .. } => act(temporary.as_file_mut()),
            Self::Stream { file, .. } => act(file),
            Self::Standard(out) => act(out),
        };
        done.map_err(|source| {
            let name = match self {
                Self::File { path, .. } => path.display().to_string(),
                Self::Stream { path, .. } => format!("to {}", path.display()),
                Self::Standard(_) => "to standard output".to_owned(),
            };
            io::Error::new(source.kind(), format!("cannot write {name}: {source}"))
        })
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.on(|out| out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.on(|out| out.flush())
    }
}
