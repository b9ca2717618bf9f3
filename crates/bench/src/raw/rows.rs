//! TSV rows on their way out.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Mutex;

use anyhow::{Context, Result};

/// A buffer is written when it has this many bytes.
const FULL: usize = 1 << 18;

/// A file or standard output, shared by workers.
pub struct Output(Mutex<Box<dyn Write + Send>>);

impl Output {
    /// Writes to the file at `path`, or to standard output.
    pub fn open(path: Option<&Path>) -> Result<Self> {
        Ok(Self::new(match path {
            Some(path) => Box::new(
                File::create(path).with_context(|| format!("cannot write {}", path.display()))?,
            ),
            None => Box::new(io::stdout()),
        }))
    }

    /// Writes to `writer`.
    pub fn new(writer: Box<dyn Write + Send>) -> Self {
        Self(Mutex::new(writer))
    }
}

/// Whole rows of one worker. Rows are lost without [`finish`](Self::finish).
pub struct Rows<'a> {
    /// The rows; words are appended here.
    pub buffer: Vec<u8>,
    output: &'a Output,
}

impl<'a> Rows<'a> {
    /// An empty buffer before `output`.
    #[must_use]
    pub fn new(output: &'a Output) -> Self {
        Self { buffer: Vec::with_capacity(FULL + FULL / 4), output }
    }

    /// Ends a row whose words are in the buffer: a count, and a tail that begins with a tab and the
    /// document or is empty, and that ends the line.
    #[inline]
    pub fn end(&mut self, count: u64, tail: &[u8]) -> io::Result<()> {
        if count < 10 {
            self.buffer.extend_from_slice(&[b'\t', b'0' + count as u8]);
        } else {
            write!(self.buffer, "\t{count}")?;
        }
        self.buffer.extend_from_slice(tail);
        if self.buffer.len() >= FULL { self.flush() } else { Ok(()) }
    }

    /// Writes the rest.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush()
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.0.lock().expect("no worker panics").write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }
}

/// The tail of the rows of a document: tab, name, end of line. Tabs, ends of lines and backslashes
/// in the name are escaped as zgram does.
#[must_use]
pub fn tail(name: &[u8]) -> Vec<u8> {
    let mut tail = b"\t".to_vec();
    for &byte in name {
        match byte {
            b'\t' => tail.extend(b"\\t"),
            b'\n' => tail.extend(b"\\n"),
            b'\r' => tail.extend(b"\\r"),
            b'\\' => tail.extend(b"\\\\"),
            other => tail.push(other),
        }
    }
    tail.push(b'\n');
    tail
}
