//! Lists the files of a folder, depth first, in an order that depends only on their names.
//!
//! The folders on the way are kept in a list, not on the call stack, so no tree is too deep.

use super::InputError;
#[cfg(feature = "gitignore")]
use super::ignored::IgnoreFile;
use crate::progress::Progress;
use std::ffi::OsString;
use std::fs::{self, FileType};
use std::path::{Path, PathBuf};
use std::vec;

/// How many skipped entries are reported by name. Of the others only the number is reported.
const NAMED: u64 = 5;

/// A regular file found by a [`Walk`].
pub(super) struct Found {
    /// Where it was found.
    pub(super) path: PathBuf,
    /// What to open: `path`, or where the symbolic link at `path` leads.
    pub(super) target: PathBuf,
    /// The path below the root folder, with `/` between the parts.
    pub(super) name: Vec<u8>,
}

/// An iteration over the files of a folder.
pub(super) struct Walk<'p> {
    canonical_root: PathBuf,
    gitignore: bool,
    progress: &'p dyn Progress,
    skipped: u64,
    /// The folders from the root down to the current one.
    stack: Vec<Folder>,
}

/// A build without `.gitignore` files has none of them; [`Walk::new`] refuses to look for one.
#[cfg(not(feature = "gitignore"))]
enum IgnoreFile {}

#[cfg(not(feature = "gitignore"))]
impl IgnoreFile {
    fn read(_: &Path, _: &dyn Progress) -> Option<Self> {
        None
    }

    fn excludes(&self, _: &Path, _: bool) -> Option<bool> {
        match *self {}
    }
}

struct Folder {
    path: PathBuf,
    /// What the names of the entries begin with: empty, or ends with `/`.
    prefix: Vec<u8>,
    entries: vec::IntoIter<(OsString, FileType)>,
    ignore_file: Option<IgnoreFile>,
}

impl<'p> Walk<'p> {
    pub(super) fn new(
        root: &Path,
        gitignore: bool,
        progress: &'p dyn Progress,
    ) -> Result<Self, InputError> {
        #[cfg(not(feature = "gitignore"))]
        if gitignore {
            let source = crate::MissingFeature::new("read .gitignore files", "gitignore");
            return Err(InputError::MissingFeature { path: root.to_path_buf(), source });
        }
        let canonical_root = fs::canonicalize(root)
            .map_err(|source| InputError::Folder { path: root.to_path_buf(), source })?;
        let mut walk = Self { canonical_root, gitignore, progress, skipped: 0, stack: Vec::new() };
        walk.enter(root.to_path_buf(), Vec::new())?;
        Ok(walk)
    }

    fn enter(&mut self, path: PathBuf, prefix: Vec<u8>) -> Result<(), InputError> {
        let failed = |source| InputError::Folder { path: path.clone(), source };
        let mut entries = Vec::new();
        for entry in fs::read_dir(&path).map_err(failed)? {
            self.progress.check()?;
            let entry = entry.map_err(failed)?;
            entries.push((entry.file_name(), entry.file_type().map_err(failed)?));
        }
        entries.sort_unstable_by(|(a, _), (b, _)| a.as_encoded_bytes().cmp(b.as_encoded_bytes()));
        let ignore_file =
            if self.gitignore { IgnoreFile::read(&path, self.progress) } else { None };
        self.stack.push(Folder { path, prefix, entries: entries.into_iter(), ignore_file });
        Ok(())
    }

    /// Whether `path` is excluded by the innermost `.gitignore` that has a pattern for it.
    fn is_ignored(&self, path: &Path, is_folder: bool) -> bool {
        self.gitignore
            && (path.ends_with(".git")
                || (self.stack.iter().rev())
                    .filter_map(|folder| folder.ignore_file.as_ref())
                    .find_map(|file| file.excludes(path, is_folder))
                    .unwrap_or(false))
    }

    /// Where the symbolic link at `path` leads, if that is a regular file below the root.
    fn follow(&mut self, path: &Path) -> Option<PathBuf> {
        let why = match fs::canonicalize(path) {
            Err(_) => "it leads nowhere",
            Ok(target) if !target.starts_with(&self.canonical_root) => "it leads out of the folder",
            Ok(target) if target.is_dir() => "it leads to a folder",
            Ok(target) if target.is_file() => return Some(target),
            Ok(_) => "it does not lead to a regular file",
        };
        self.skip(&format!("the symbolic link {}: {why}", path.display()));
        None
    }

    /// Reports an entry that is skipped.
    fn skip(&mut self, what: &str) {
        self.skipped += 1;
        if self.skipped <= NAMED {
            self.progress.notice(&format!("skipped {what}"));
        }
    }

    /// Reports how many entries were skipped beyond those named.
    fn conclude(&mut self) {
        let more = std::mem::take(&mut self.skipped).saturating_sub(NAMED);
        if more > 0 {
            let what = "more symbolic links, pipes, sockets or devices";
            self.progress.notice(&format!("skipped {more} {what}"));
        }
    }
}

impl Iterator for Walk<'_> {
    type Item = Result<Found, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Err(interrupted) = self.progress.check() {
                return Some(Err(interrupted.into()));
            }
            let Some(folder) = self.stack.last_mut() else {
                self.conclude();
                return None;
            };
            let Some((entry, kind)) = folder.entries.next() else {
                self.stack.pop();
                continue;
            };
            let path = folder.path.join(&entry);
            let mut name = [&folder.prefix, entry.as_encoded_bytes()].concat();
            if self.is_ignored(&path, kind.is_dir()) {
                continue;
            }
            if kind.is_file() {
                return Some(Ok(Found { target: path.clone(), path, name }));
            } else if kind.is_dir() {
                name.push(b'/');
                if let Err(error) = self.enter(path, name) {
                    return Some(Err(error));
                }
            } else if kind.is_symlink() {
                if let Some(target) = self.follow(&path) {
                    return Some(Ok(Found { path, target, name }));
                }
            } else {
                self.skip(&format!("{}: it is a pipe, a socket or a device", path.display()));
            }
        }
    }
}
