//! Compresses or decompresses one stream into another.

use super::Job;
use super::failure::{as_unavailable, reading_failed};
use crate::complaint::Reported;
use crate::exit::Exit;
use crate::interrupt;
use anyhow::Context;
use std::io::{self, Read, Write};
use std::sync::Arc;
use zgram_bwt::bzip2::{Reader, Writer, WriterOptions};

impl Job<'_> {
    /// Compresses or decompresses. Returns the sizes of input and output.
    pub(super) fn pass(
        &self,
        name: &str,
        input: impl Read,
        output: impl Write,
    ) -> anyhow::Result<(u64, u64)> {
        let mut input = Counted { inner: input, bytes: 0 };
        let mut output = Counted { inner: output, bytes: 0 };
        let cannot = || format!("cannot write the output for {name}");
        if self.is_packing {
            let options = WriterOptions { level: self.level, threads: self.threads };
            let mut writer = Writer::new(&mut output, options);
            if let Some(accelerator) = &self.accelerator {
                writer = writer.with_accelerator(Arc::clone(accelerator));
            }
            self.copy(name, &mut input, &mut writer)?;
            writer.finish().with_context(cannot).map_err(as_unavailable)?;
        } else {
            let mut start = Vec::new();
            if self.args.force && !self.args.test {
                let taken = (&mut input).take(4).read_to_end(&mut start);
                taken.map_err(|error| reading_failed(name, error))?;
            }
            let mut whole = start.as_slice().chain(&mut input);
            if !may_be_compressed(&start) {
                self.copy(name, &mut whole, &mut output)?;
                output.flush().with_context(cannot).map_err(as_unavailable)?;
                return Ok((input.bytes, output.bytes));
            }
            let mut reader = Reader::new(whole, self.threads);
            if let Some(accelerator) = &self.accelerator {
                reader = reader.with_accelerator(Arc::clone(accelerator));
            }
            self.copy(name, &mut reader, &mut output)?;
            output.flush().with_context(cannot).map_err(as_unavailable)?;
            if reader.has_trailing_garbage() {
                self.reporter
                    .notice(&format!("{name}: ignoring the bytes after the compressed data"));
            }
        }
        Ok((input.bytes, output.bytes))
    }

    fn copy(&self, name: &str, from: &mut impl Read, to: &mut impl Write) -> anyhow::Result<()> {
        let mut portion = vec![0; 1 << 16];
        loop {
            if interrupt::is_asked_to_stop() {
                return Err(Reported(Exit::Interrupted).into());
            }
            let len = match from.read(&mut portion) {
                Ok(0) => return Ok(()),
                Ok(len) => len,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(reading_failed(name, error)),
            };
            to.write_all(&portion[..len])
                .with_context(|| format!("cannot write the output for {name}"))
                .map_err(as_unavailable)?;
        }
    }
}

/// Whether the first four bytes of a file can be those of a .bz2 file.
fn may_be_compressed(start: &[u8]) -> bool {
    let is_right = |(place, &byte): (usize, &u8)| match place {
        3 => (b'1'..=b'9').contains(&byte),
        _ => byte == b"BZh"[place],
    };
    start.iter().take(4).enumerate().all(is_right)
}

/// Counts the bytes that are read or written.
struct Counted<T> {
    inner: T,
    bytes: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(out)?;
        self.bytes += len as u64;
        Ok(len)
    }
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let len = self.inner.write(bytes)?;
        self.bytes += len as u64;
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
