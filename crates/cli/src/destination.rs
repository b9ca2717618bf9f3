//! Where `-o` leads.

use crate::complaint::Refusal;
use crate::paths::is_dash;
use anyhow::Context;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// What becomes of output.
#[derive(Debug)]
pub(crate) enum Destination {
    Stdout,
    /// A device or pipe: written to as it is, never replaced.
    Stream(PathBuf),
    /// A file, replaced as a whole.
    File(PathBuf),
}

impl Destination {
    /// Refuses folders, and files that exist unless `force` is given. `example` is the name of a
    /// file that would do.
    pub(crate) fn of(path: &Path, force: bool, example: &str) -> anyhow::Result<Self> {
        if is_dash(path) {
            return Ok(Self::Stdout);
        }
        let metadata = match fs::metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(Self::File(path.to_owned()));
            }
            found => found.with_context(|| format!("cannot look at {}", path.display()))?,
        };
        if metadata.is_dir() {
            let message = format!("{} is a folder", path.display());
            let hint = format!("name the file to write, such as {example}");
            return Err(Refusal::error(message, hint).into());
        }
        if !metadata.is_file() {
            return Ok(Self::Stream(path.to_owned()));
        }
        if !force {
            return Err(zgram::Error::OutputExists { path: path.to_owned() }.into());
        }
        // A link stays a link; what it leads to is replaced.
        let path =
            fs::canonicalize(path).with_context(|| format!("cannot look at {}", path.display()))?;
        Ok(Self::File(path))
    }
}
