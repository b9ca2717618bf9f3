//! Rows of several texts, added up: the rows of each text in a temporary file, one run after the other.
//!
//! The file has no name, so it disappears with the process, however the process ends.

use super::dense_row::{DenseRow, Sum};
use super::rows::{Rows, Rule};
use crate::error::{FileError, QueryError};
use crate::format::bytes::{ByteReader, put_varint};
use crate::progress::Progress;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};

/// The runs of a count.
#[derive(Default)]
pub(super) struct Runs {
    file: Option<File>,
    /// Where runs end.
    ends: Vec<u64>,
    len: u64,
}

/// Rows of a run as bytes: for each row its length, then columns and sums.
#[derive(Default)]
pub(super) struct RunBytes {
    bytes: Vec<u8>,
}

/// Bytes of a row's length.
const LENGTH: usize = 8;

impl Rows for RunBytes {
    fn push<S: Sum>(&mut self, _: &Rule, _: usize, row: &mut DenseRow<S>) {
        self.add(row);
    }
}

impl RunBytes {
    fn add<S: Sum>(&mut self, row: &mut DenseRow<S>) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(&[0; LENGTH]);
        let mut next = 0;
        row.drain(|column, sum| {
            let high = (sum >> 64) as u64;
            put_varint(&mut self.bytes, u64::from(column - next) << 1 | u64::from(high > 0));
            put_varint(&mut self.bytes, sum as u64);
            if high > 0 {
                put_varint(&mut self.bytes, high);
            }
            next = column + 1;
        });
        let len = self.bytes.len() - start - LENGTH;
        self.bytes[start..start + LENGTH].copy_from_slice(&(len as u64).to_le_bytes());
    }
}

impl Runs {
    pub(super) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Stores rows of the run that is being written.
    pub(super) fn store(&mut self, rows: &RunBytes) -> Result<(), QueryError> {
        let folder = std::env::temp_dir();
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(
                tempfile::tempfile_in(&folder)
                    .map_err(FileError::on("create a temporary file in", &folder))?,
            ),
        };
        let written = file.write_all(&rows.bytes);
        written.map_err(FileError::on("write a temporary file in", &folder))?;
        self.len += rows.bytes.len() as u64;
        Ok(())
    }

    /// Ends a run.
    pub(super) fn end(&mut self) {
        self.ends.push(self.len);
    }

    /// Adds up the rows of all runs, which have `words` rows each, and passes each row to `sink`.
    pub(super) fn merge(
        self,
        words: usize,
        progress: &dyn Progress,
        mut sink: impl FnMut(usize, &mut DenseRow<u128>) -> Result<(), QueryError>,
    ) -> Result<(), QueryError> {
        let folder = std::env::temp_dir();
        let Some(mut file) = self.file else { return Ok(()) };
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let mut runs: Vec<RunReader> =
            starts.zip(self.ends.iter().copied()).map(RunReader::new).collect();
        let mut row = DenseRow::new(words);
        for word in 0..words {
            progress.check()?;
            for run in &mut runs {
                let added = run.add_row(&mut file, &mut row);
                added.map_err(FileError::on("read a temporary file in", &folder))?;
            }
            sink(word, &mut row)?;
        }
        Ok(())
    }
}

/// A run that is read from its first row on.
struct RunReader {
    next: u64,
    end: u64,
    part: Vec<u8>,
    at: usize,
}

impl RunReader {
    fn new((next, end): (u64, u64)) -> Self {
        Self { next, end, part: Vec::new(), at: 0 }
    }

    fn add_row(&mut self, file: &mut File, row: &mut DenseRow<u128>) -> io::Result<()> {
        let len = self.take(file, LENGTH)?.try_into().expect("as many bytes as were asked for");
        let bytes = self.take(file, u64::from_le_bytes(len) as usize)?;
        let mut cells = ByteReader::new(bytes);
        let mut next = 0;
        while cells.remaining() > 0 {
            let mut number = || cells.varint().map_err(io::Error::other);
            let first = number()?;
            let column = next + (first >> 1) as u32;
            let low = u128::from(number()?);
            let high = if first & 1 == 1 { u128::from(number()?) << 64 } else { 0 };
            row.add(std::iter::once((column, high | low)));
            next = column + 1;
        }
        Ok(())
    }

    /// The next `len` bytes.
    fn take(&mut self, file: &mut File, len: usize) -> io::Result<&[u8]> {
        /// A run is read in parts of this size, unless a row takes more.
        const PART: usize = 1 << 16;
        let left = self.part.len() - self.at;
        if left < len {
            self.part.drain(..self.at);
            self.at = 0;
            let room = (self.end - self.next).min(PART.max(len - left) as u64);
            self.part.resize(left + room as usize, 0);
            file.seek(SeekFrom::Start(self.next))?;
            file.read_exact(&mut self.part[left..])?;
            self.next += room;
        }
        let bytes = self.part.get(self.at..self.at + len);
        self.at += len;
        bytes.ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;

    #[test]
    fn runs_are_added_up() {
        const WORDS: u32 = 6000;
        // Rows larger than a part, and empty ones.
        let width = |word: u32| if word % 1000 == 1 { WORDS } else { 0 };
        let mut runs = Runs::default();
        let large = 1u128 << 70 | 1 << 63;
        for run in 0..3 {
            let mut bytes = RunBytes::default();
            for word in 0..WORDS {
                let mut row = DenseRow::<u128>::new(width(word) as usize);
                row.add((run..width(word)).map(|column| (column, large + u128::from(column))));
                bytes.add(&mut row);
            }
            runs.store(&bytes).unwrap();
            runs.end();
        }
        let merged = runs.merge(WORDS as usize, &Silent, |word, row| {
            let mut cells = 0;
            row.drain(|column, sum| {
                let times = u128::from(column.min(2)) + 1;
                assert_eq!(sum, times * (large + u128::from(column)));
                cells += 1;
            });
            assert_eq!(cells, width(word as u32));
            Ok(())
        });
        merged.unwrap();
    }
}
