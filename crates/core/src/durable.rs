//! Files that survive a crash: written beside their place, flushed, then moved there.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// The operating system refused an operation on a file.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} {}: {source}", path.display())]
pub struct FileError {
    /// What was to be done, as a verb: "write", "create a file in".
    pub action: &'static str,
    /// The file or folder.
    pub path: PathBuf,
    /// Why it was refused.
    pub source: io::Error,
}

impl FileError {
    /// Adds the action and the path to an error of the operating system.
    pub(crate) fn on(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self { action, path, source }
    }
}

/// Writes a file beside its place and moves it there once all of it is on disk. A file that was
/// there before keeps its permissions, and stays as it is if anything fails.
pub(crate) fn replace_file<T, E: From<FileError>>(
    path: &Path,
    write: impl FnOnce(&mut (dyn Write + Send)) -> Result<T, E>,
) -> Result<T, E> {
    let folder = folder_of(path);
    let temporary = temporary_file(folder).map_err(FileError::on("create a file in", folder))?;
    let mut out = io::BufWriter::new(temporary);
    let result = write(&mut out)?;
    let failed = |source| FileError { action: "write", path: path.to_owned(), source };
    let temporary = out.into_inner().map_err(|error| failed(error.into_error()))?;
    if let Ok(old) = std::fs::metadata(path) {
        temporary.as_file().set_permissions(old.permissions()).map_err(failed)?;
    }
    temporary.as_file().sync_all().map_err(failed)?;
    temporary.persist(path).map_err(|error| failed(error.error))?;
    sync_folder(folder).map_err(failed)?;
    Ok(result)
}

/// The folder that contains a file.
#[must_use]
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Creates a temporary file with the permissions of any file that the user creates.
///
/// # Errors
/// The system's error.
pub fn temporary_file(folder: &Path) -> io::Result<NamedTempFile> {
    create_temporary(folder, 0o666)
}

/// Creates a temporary file that only the user can read.
///
/// # Errors
/// The system's error.
pub fn private_file(folder: &Path) -> io::Result<NamedTempFile> {
    create_temporary(folder, 0o600)
}

/// Systems without such permissions ignore `mode`.
#[cfg_attr(not(unix), expect(unused_variables))]
fn create_temporary(folder: &Path, mode: u32) -> io::Result<NamedTempFile> {
    let mut options = File::options();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode);
    // The file is opened here because errors of `tempfile` show its random name.
    Builder::new().prefix(".zgram-").suffix(".tmp").make_in(folder, |path| options.open(path))
}

/// Flushes the names of a folder's files to disk, on systems that can.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_do_not_show_names_of_temporary_files() {
        let folder = tempfile::tempdir().unwrap();
        for create in [temporary_file, private_file] {
            let error = create(&folder.path().join("missing")).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::NotFound);
            assert!(error.raw_os_error().is_some(), "{error}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn only_the_user_reads_a_private_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let file = private_file(folder.path()).unwrap();
        assert_eq!(file.as_file().metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
}
