//! Answers that do not fit in memory at once: sorted runs in a temporary file, merged at the end.
//!
//! The file has no name, so it disappears with the process, however the process ends.

use super::total::Total;
use crate::analytics::sequences::{Key, Packing};
use crate::error::{FileError, QueryError};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};

/// Rows by descending count, then by key, run by run.
pub(super) struct Spill {
    packing: Packing,
    file: Option<File>,
    /// Where runs end.
    ends: Vec<u64>,
}

/// A run is read back in parts of this size.
const PART: usize = 1 << 18;

impl Spill {
    pub(super) fn new(packing: Packing) -> Self {
        Self { packing, file: None, ends: Vec::new() }
    }

    /// Stores a run.
    pub(super) fn store<K: Key, T: Total>(&mut self, rows: &[(K, T)]) -> Result<(), QueryError> {
        let folder = std::env::temp_dir();
        let failed = || FileError::on("write a temporary file in", &folder);
        let (packing, row_len) = (self.packing, self.row_len());
        let end = self.ends.last().copied().unwrap_or(0);
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(
                tempfile::tempfile_in(&folder)
                    .map_err(FileError::on("create a temporary file in", &folder))?,
            ),
        };
        let mut write = || -> io::Result<u64> {
            file.seek(SeekFrom::Start(end))?;
            let mut out = BufWriter::with_capacity(PART, &mut *file);
            for (key, total) in rows {
                out.write_all(&total.count().to_le_bytes())?;
                out.write_all(&total.documents().unwrap_or(0).to_le_bytes())?;
                for place in 0..packing.n {
                    out.write_all(&key.word(place, &packing).to_le_bytes())?;
                }
            }
            out.flush()?;
            Ok(end + (rows.len() * row_len) as u64)
        };
        let end = write().map_err(failed())?;
        self.ends.push(end);
        Ok(())
    }

    fn row_len(&self) -> usize {
        12 + 4 * self.packing.n
    }

    /// Passes all rows to `sink`, by descending count, then by key. Runs hold different keys.
    pub(super) fn merge<K: Key, T: Total>(
        &mut self,
        mut sink: impl FnMut(&K, T) -> Result<(), QueryError>,
    ) -> Result<(), QueryError> {
        let folder = std::env::temp_dir();
        let Some(mut file) = self.file.take() else { return Ok(()) };
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let mut runs: Vec<RunReader> = starts
            .zip(self.ends.iter().copied())
            .map(|(next, end)| RunReader { next, end, part: Vec::new(), at: 0 })
            .collect();
        let mut heap: BinaryHeap<(u64, Reverse<K>, u32, usize)> = BinaryHeap::new();
        let mut refill = |run: usize, heap: &mut BinaryHeap<_>| -> Result<(), QueryError> {
            let row = runs[run]
                .row(&mut file, self.row_len())
                .map_err(FileError::on("read a temporary file in", &folder))?;
            if let Some(row) = row {
                let number =
                    |at: usize| u32::from_le_bytes(row[at..at + 4].try_into().expect("four bytes"));
                let count = u64::from(number(0)) | u64::from(number(4)) << 32;
                let words = (0..self.packing.n).map(|place| number(12 + 4 * place));
                let key =
                    words.fold(K::empty(&self.packing), |key, word| key.roll(word, &self.packing));
                heap.push((count, Reverse(key), number(8), run));
            }
            Ok(())
        };
        for run in 0..self.ends.len() {
            refill(run, &mut heap)?;
        }
        while let Some((count, Reverse(key), documents, run)) = heap.pop() {
            sink(&key, T::new(count, documents))?;
            refill(run, &mut heap)?;
        }
        Ok(())
    }
}

struct RunReader {
    next: u64,
    end: u64,
    part: Vec<u8>,
    at: usize,
}

impl RunReader {
    /// The next row's bytes.
    fn row(&mut self, file: &mut File, row_len: usize) -> io::Result<Option<&[u8]>> {
        if self.at == self.part.len() {
            let most = (PART / row_len).max(1) * row_len;
            let len = (self.end - self.next).min(most as u64) as usize;
            if len == 0 {
                return Ok(None);
            }
            self.part.resize(len, 0);
            file.seek(SeekFrom::Start(self.next))?;
            file.read_exact(&mut self.part)?;
            self.next += len as u64;
            self.at = 0;
        }
        self.at += row_len;
        Ok(Some(&self.part[self.at - row_len..self.at]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_come_back_as_one() {
        let packing = Packing::new(2, 1 << 16);
        let mut spill = Spill::new(packing);
        let key = |a: u32, b: u32| 0u64.roll(a, &packing).roll(b, &packing);
        let many: Vec<(u64, u64)> = (0..60_000).map(|a| (key(1, a), 1)).collect();
        spill.store(&[(key(0, 5), 9u64), (key(0, 7), 1)]).unwrap();
        spill.store(&many).unwrap();
        spill.store(&[(key(2, 2), 1u64 << 40)]).unwrap();
        let mut rows = Vec::new();
        spill
            .merge(|key: &u64, count: u64| {
                rows.push((*key, count));
                Ok(())
            })
            .unwrap();
        let mut expected = vec![(key(2, 2), 1 << 40), (key(0, 5), 9), (key(0, 7), 1)];
        expected.extend(many);
        assert_eq!(rows, expected);
    }
}
