//! One output file: written beside its place and moved there when it is complete.

use crate::durable::temporary_file;
use crate::error::{DecompressError, FileError};
use crate::expand::Expander;
use crate::grammar::Symbol;
use crate::input::{Envelope, StringStyle};
use crate::progress::{Progress, Stage};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Restored lines are written once this many bytes have gathered.
const LINES_BUFFER: usize = 1 << 18;

/// A file being written. If it is dropped before [`finish`](Self::finish), nothing is left behind.
pub(super) struct Output {
    path: PathBuf,
    temporary: NamedTempFile,
    /// Bytes written of the current document.
    pub(super) document_bytes: u64,
    /// The line whose text is not complete yet.
    line: Option<Line>,
    /// Lines restored but not written yet.
    lines: Vec<u8>,
}

/// A JSON line that continues in the next segment, or is about to be restored.
struct Line {
    prefix: Vec<u8>,
    suffix: Vec<u8>,
    literal: Vec<u8>,
    style: StringStyle,
    text: Vec<u8>,
}

impl Output {
    pub(super) fn create(path: PathBuf) -> Result<Self, DecompressError> {
        let folder = path.parent().unwrap_or(Path::new("."));
        let temporary =
            temporary_file(folder).map_err(FileError::on("create a file in", folder))?;
        Ok(Self { path, temporary, document_bytes: 0, line: None, lines: Vec::new() })
    }

    /// Writes the text of `symbols` and returns its length, or `None` if it is longer than `most`.
    pub(super) fn write_text(
        &mut self,
        expander: &Expander<'_>,
        symbols: &[Symbol],
        most: u64,
        progress: &dyn Progress,
    ) -> Result<Option<u64>, DecompressError> {
        let mut out = Reported { inner: &mut self.temporary, progress };
        expander.write_at_most(symbols, most, &mut out).or_else(|source| {
            progress.check()?;
            Err(FileError::on("write", &self.path)(source).into())
        })
    }

    /// Begins a line of JSON. Its text follows.
    pub(super) fn begin_line(&mut self, envelope: &Envelope<'_>) {
        self.line = Some(Line {
            prefix: envelope.prefix.to_owned(),
            suffix: envelope.suffix.to_owned(),
            literal: envelope.literal.to_owned(),
            style: envelope.style,
            text: Vec::new(),
        });
    }

    /// Adds the text of `symbols` to the line and returns its length, or `None` if it is longer than
    /// `most`.
    pub(super) fn add_to_line(
        &mut self,
        expander: &Expander<'_>,
        symbols: &[Symbol],
        most: u64,
    ) -> Option<u64> {
        let line = self.line.as_mut().expect("a line was begun");
        let added = expander.write_at_most(symbols, most, &mut line.text);
        added.expect("memory takes what is written")
    }

    /// Restores the line, now that its text is complete.
    pub(super) fn end_line(&mut self, progress: &dyn Progress) -> Result<(), DecompressError> {
        let line = self.line.take().expect("a line was begun");
        let Line { prefix, suffix, literal, style, text } = &line;
        Envelope { prefix, suffix, literal, style: *style }.restore(text, &mut self.lines);
        progress.advance(Stage::Expanding, text.len() as u64);
        if self.lines.len() >= LINES_BUFFER { self.write_lines() } else { Ok(()) }
    }

    fn write_lines(&mut self) -> Result<(), DecompressError> {
        let written = self.temporary.write_all(&self.lines);
        self.lines.clear();
        Ok(written.map_err(FileError::on("write", &self.path))?)
    }

    /// Moves the complete file to its place.
    pub(super) fn finish(mut self, force: bool) -> Result<(), DecompressError> {
        self.write_lines()?;
        let Self { path, temporary, .. } = self;
        let moved =
            if force { temporary.persist(&path) } else { temporary.persist_noclobber(&path) };
        match moved {
            Ok(_) => Ok(()),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
                Err(DecompressError::OutputExists { path })
            }
            Err(error) => Err(FileError::on("write", path)(error.error).into()),
        }
    }
}

/// Reports the bytes written, and stops when asked to.
struct Reported<'a> {
    inner: &'a mut NamedTempFile,
    progress: &'a dyn Progress,
}

impl Write for Reported<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.progress.check().map_err(io::Error::other)?;
        let written = self.inner.as_file_mut().write(bytes)?;
        self.progress.advance(Stage::Expanding, written as u64);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.as_file_mut().flush()
    }
}
