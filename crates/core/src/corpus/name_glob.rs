//! Documents by patterns of their names.

use super::Corpus;
use crate::error::{AccessError, BadPattern, NoDocument, OpenError};
use globset::{GlobBuilder, GlobMatcher};
use std::path::Path;

/// A pattern for names: `*` and `?` match any characters, `/` too; `[ab]` and `{one,two}` choose.
#[derive(Clone, Debug)]
pub struct NameGlob(GlobMatcher);

impl NameGlob {
    /// Whether a name contains characters that have a meaning in patterns.
    #[must_use]
    pub fn is_pattern(name: &str) -> bool {
        name.contains(['*', '?', '[', '{'])
    }

    /// Reads a pattern.
    ///
    /// # Errors
    /// [`BadPattern`] when it is not one, such as `[a`.
    pub fn new(pattern: &str) -> Result<Self, BadPattern> {
        let glob = GlobBuilder::new(pattern).literal_separator(false).build();
        let glob = glob.map_err(|error| BadPattern {
            pattern: pattern.to_owned(),
            why: error.kind().to_string(),
        })?;
        Ok(Self(glob.compile_matcher()))
    }

    /// Whether a name matches.
    #[must_use]
    pub fn matches(&self, name: &[u8]) -> bool {
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStrExt;
            self.0.is_match(Path::new(std::ffi::OsStr::from_bytes(name)))
        }
        #[cfg(not(unix))]
        {
            std::str::from_utf8(name).is_ok_and(|name| self.0.is_match(Path::new(name)))
        }
    }
}

impl Corpus {
    /// The numbers of the documents whose names match a glob pattern, in order. `*` and `?` match any
    /// characters, `/` too; `[ab]` and `{one,two}` choose. If documents have exactly the name `pattern`,
    /// only they are chosen.
    ///
    /// # Errors
    /// [`AccessError::NoDocument`] when no name matches, [`AccessError::BadPattern`] when `pattern` is not one; or
    /// when the document table is damaged.
    pub fn documents_matching(&self, pattern: &str) -> Result<Vec<usize>, AccessError> {
        self.select_documents(pattern)
    }

    /// As [`documents_matching`](Self::documents_matching), for any operation that has these errors.
    pub(crate) fn select_documents<E>(&self, pattern: &str) -> Result<Vec<usize>, E>
    where
        E: From<OpenError> + From<NoDocument> + From<BadPattern>,
    {
        let table = self.documents()?;
        let is_name = |document: &usize| table.known_name(*document) == pattern.as_bytes();
        let exact: Vec<usize> = (0..table.len()).filter(is_name).collect();
        if !exact.is_empty() {
            return Ok(exact);
        }
        let glob = NameGlob::new(pattern)?;
        let names = table.iter().enumerate().filter(|(_, (name, _))| glob.matches(name));
        let documents: Vec<usize> = names.map(|(document, _)| document).collect();
        if documents.is_empty() {
            return Err(NoDocument { name: pattern.to_owned() }.into());
        }
        Ok(documents)
    }
}
