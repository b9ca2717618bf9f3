//! The `.gitignore` file of one folder.

use crate::progress::Progress;
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use std::path::Path;

/// What one `.gitignore` says about the entries below its folder.
pub(super) struct IgnoreFile(Gitignore);

impl IgnoreFile {
    /// Reads `folder/.gitignore`; lines that are no patterns are passed over with a notice.
    pub(super) fn read(folder: &Path, progress: &dyn Progress) -> Option<Self> {
        let path = folder.join(".gitignore");
        if !path.is_file() {
            return None;
        }
        let mut builder = GitignoreBuilder::new(folder);
        if let Some(error) = builder.add(&path) {
            progress.notice(&format!("not all of {} was understood: {error}", path.display()));
        }
        match builder.build() {
            Ok(rules) => Some(Self(rules)),
            Err(error) => {
                progress.notice(&format!("{} is left out of account: {error}", path.display()));
                None
            }
        }
    }

    /// Whether `path` is excluded, if this file says anything about it.
    pub(super) fn excludes(&self, path: &Path, is_folder: bool) -> Option<bool> {
        match self.0.matched(path, is_folder) {
            Match::None => None,
            Match::Ignore(_) => Some(true),
            Match::Whitelist(_) => Some(false),
        }
    }
}
