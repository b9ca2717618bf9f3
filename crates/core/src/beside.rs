//! The files beside a corpus file: their paths are the corpus's with a suffix.

use std::path::{Path, PathBuf};

/// The journal: edits that are not in the corpus file yet.
pub(crate) fn journal(corpus: &Path) -> PathBuf {
    with_suffix(corpus, ".journal")
}

/// By how much the edits of the journal change the count of each word.
pub(crate) fn words(corpus: &Path) -> PathBuf {
    with_suffix(corpus, ".words")
}

/// The lock of the process that edits.
pub(crate) fn lock(corpus: &Path) -> PathBuf {
    with_suffix(corpus, ".lock")
}

/// A journal that is no longer than this has no edits.
pub(crate) const JOURNAL_HEADER_LEN: u64 = 40;

/// Whether there is a journal with edits beside a corpus file, which itself need not exist.
#[must_use]
pub fn has_edits(corpus: &Path) -> bool {
    let journal = std::fs::metadata(journal(corpus));
    journal.is_ok_and(|journal| journal.len() > JOURNAL_HEADER_LEN)
}

fn with_suffix(corpus: &Path, suffix: &str) -> PathBuf {
    let mut path = corpus.as_os_str().to_owned();
    path.push(suffix);
    path.into()
}
