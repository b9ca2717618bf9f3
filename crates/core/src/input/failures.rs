//! Readers that record why they failed.
//!
//! A document's bytes pass several layers (file, decompression, archive) and then the visitor, and each
//! may wrap or drop an [`io::Error`]. So the layer that fails records the [`InputError`] in a [`Watch`]
//! that all layers share. When the visitor returns, [`Watch::settle`] replaces its error by that first
//! cause.

use super::{Compression, InputError};
use crate::progress::Progress;
use std::cell::RefCell;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// The longest single read, so that a request to stop is noticed soon.
const LONGEST_READ: usize = 1 << 20;

/// One stream being read: where it comes from, and its first failure.
pub(super) struct Watch<'p> {
    path: PathBuf,
    progress: &'p dyn Progress,
    failure: RefCell<Option<InputError>>,
}

impl<'p> Watch<'p> {
    pub(super) fn new(path: PathBuf, progress: &'p dyn Progress) -> Self {
        Self { path, progress, failure: RefCell::new(None) }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn progress(&self) -> &'p dyn Progress {
        self.progress
    }

    /// Records `error`, unless there is an earlier one, and returns it in the form that readers need.
    ///
    /// The kind is never [`ErrorKind::Interrupted`]; callers would try again forever.
    fn fail(&self, error: InputError) -> io::Error {
        let message = error.to_string();
        self.failure.borrow_mut().get_or_insert(error);
        io::Error::other(message)
    }

    /// Records that this build cannot read the stream, and returns that in the form readers need.
    #[cfg(not(all(feature = "gzip", feature = "bzip2", feature = "xz")))]
    pub(super) fn miss(&self, part: &'static str, feature: &'static str) -> io::Error {
        let source = crate::MissingFeature::new(part, feature);
        self.fail(InputError::MissingFeature { path: self.path.clone(), source })
    }

    /// The first failure recorded by any layer, or else `source` as a failure of `layer`.
    pub(super) fn error(&self, layer: Layer, source: io::Error) -> InputError {
        self.failure.take().unwrap_or_else(|| layer.error(&self.path, source))
    }

    /// Returns `outcome`, or the recorded failure if reading failed.
    pub(super) fn settle<T, E: From<InputError>>(&self, outcome: Result<T, E>) -> Result<T, E> {
        self.failure.take().map_or(outcome, |failure| Err(failure.into()))
    }
}

/// The layer in which a reader failed.
#[derive(Clone, Copy)]
pub(super) enum Layer {
    /// The file or pipe itself.
    Raw,
    /// A decoder.
    Decompress(Compression),
    /// The tar reader.
    #[cfg(feature = "archives")]
    Archive,
}

impl Layer {
    fn error(self, path: &Path, source: io::Error) -> InputError {
        let path = path.to_path_buf();
        match self {
            Self::Raw => InputError::Read { path, source },
            Self::Decompress(format) => InputError::Decompress { path, format, source },
            #[cfg(feature = "archives")]
            Self::Archive => InputError::Archive { path, source },
        }
    }
}

/// A reader that records failures in a [`Watch`] and stops when asked to.
pub(super) struct Watched<'w, R> {
    inner: R,
    watch: &'w Watch<'w>,
    layer: Layer,
}

impl<'w, R: Read> Watched<'w, R> {
    pub(super) fn new(inner: R, watch: &'w Watch<'w>, layer: Layer) -> Self {
        Self { inner, watch, layer }
    }
}

impl<R: Read> Read for Watched<'_, R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let end = buf.len().min(LONGEST_READ);
        loop {
            if let Err(interrupted) = self.watch.progress.check() {
                return Err(self.watch.fail(interrupted.into()));
            }
            match self.inner.read(&mut buf[..end]) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    let error = self.layer.error(&self.watch.path, error);
                    return Err(self.watch.fail(error));
                }
                Ok(count) => return Ok(count),
            }
        }
    }
}

/// A file that must not change between opening and its end.
pub(super) struct SteadyFile<'w> {
    file: File,
    watch: &'w Watch<'w>,
    /// Length and modification time; `None` for pipes, devices and files whose length the system
    /// does not know.
    opened: Option<(u64, Option<SystemTime>)>,
    /// The first byte, where it had to be read to find out whether the file is empty.
    first: Option<u8>,
    got: u64,
}

impl<'w> SteadyFile<'w> {
    /// Opens `path` on behalf of `watch`, whose own path may be a symbolic link to it.
    pub(super) fn open(path: &Path, watch: &'w Watch<'w>) -> Result<Self, InputError> {
        let failed = |source| InputError::Open { path: watch.path.clone(), source };
        let mut file = File::open(path).map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        let mut opened = metadata.is_file().then(|| (metadata.len(), metadata.modified().ok()));
        let mut first = None;
        if metadata.is_file() && metadata.len() == 0 {
            // Files of /proc and /sys have text but no length. One that has just been written to has
            // a length by now, and is refused as changed.
            first = first_byte(&mut file).map_err(|error| watch.error(Layer::Raw, error))?;
            if first.is_some() && file.metadata().map_err(failed)?.len() == 0 {
                opened = None;
            }
        }
        Ok(Self { file, watch, opened, first, got: 0 })
    }

    /// The length when opened, if it has one.
    pub(super) fn len(&self) -> Option<u64> {
        self.opened.map(|(len, _)| len)
    }

    fn check(&self, at_end: bool) -> io::Result<()> {
        let Some((expected, modified)) = self.opened else { return Ok(()) };
        let path = || self.watch.path.clone();
        if self.got > expected || (at_end && self.got < expected) {
            let got = self.got;
            return Err(self.watch.fail(InputError::Changed { path: path(), expected, got }));
        }
        if at_end && self.file.metadata()?.modified().ok() != modified {
            return Err(self.watch.fail(InputError::Modified { path: path() }));
        }
        Ok(())
    }
}

impl Read for SteadyFile<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let count = match (self.first, buf.first_mut()) {
            (Some(byte), Some(room)) => {
                *room = byte;
                self.first = None;
                1
            }
            _ => self.file.read(buf)?,
        };
        self.got += count as u64;
        self.check(count == 0 && !buf.is_empty())?;
        Ok(count)
    }
}

/// The first byte of a file, if it has any.
fn first_byte(file: &mut File) -> io::Result<Option<u8>> {
    let mut byte = [0];
    loop {
        match file.read(&mut byte) {
            Ok(count) => return Ok((count > 0).then_some(byte[0])),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
