//! The `.gitignore` file of one folder.

use crate::progress::Progress;
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use std::path::Path;

/// The patterns of one `.gitignore`, for the entries below its folder.
pub(super) struct IgnoreFile(Gitignore);

impl IgnoreFile {
    /// Reads `folder/.gitignore`. Reports lines that are not patterns with a notice and ignores them.
    pub(super) fn read(folder: &Path, progress: &dyn Progress) -> Option<Self> {
        let path = folder.join(".gitignore");
        if !path.is_file() {
            return None;
        }
        let mut builder = GitignoreBuilder::new(folder);
        if let Some(error) = builder.add(&path) {
            progress.notice(&format!("ignored invalid lines of {}: {error}", path.display()));
        }
        match builder.build() {
            Ok(rules) => Some(Self(rules)),
            Err(error) => {
                progress.notice(&format!("ignored {}: {error}", path.display()));
                None
            }
        }
    }

    /// Whether `path` is excluded; `None` if no pattern of this file matches it.
    pub(super) fn excludes(&self, path: &Path, is_folder: bool) -> Option<bool> {
        match self.0.matched(path, is_folder) {
            Match::None => None,
            Match::Ignore(_) => Some(true),
            Match::Whitelist(_) => Some(false),
        }
    }
}
