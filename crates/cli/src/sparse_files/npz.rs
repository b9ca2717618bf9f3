//! `npz` as `scipy.sparse.load_npz` reads it: a zip archive of numpy arrays.
//!
//! Columns are written as they come, if their number is known. Values, packed, and columns without a known
//! number wait in memory, or beyond a limit in a temporary file, since an archive takes one array after the
//! other and an array begins with its length. Arrays are not compressed: that would take
//! longer than counting.

use super::{MatrixFile, Number, Out, RowWriter, Scratch};
use std::io::{BufReader, Seek, Write};
use std::marker::PhantomData;
use zip::write::{SimpleFileOptions, StreamWriter, ZipWriter};

/// Values that are written together.
const CHUNK: usize = 1 << 12;

/// Whether indices need 64 bits. scipy and older estimators prefer 32.
fn is_wide(shape: [u64; 2], cells: u64) -> bool {
    shape.into_iter().chain([cells]).any(|number| number > i32::MAX as u64)
}

pub(super) struct Npz<'w, N> {
    zip: ZipWriter<StreamWriter<Out<'w>>>,
    /// Columns that wait; `None` if they need not.
    columns: Option<Scratch>,
    values: Scratch,
    row_starts: Vec<u64>,
    shape: [u64; 2],
    is_wide: bool,
    number: PhantomData<N>,
}

impl<'w, N: Number> Npz<'w, N> {
    pub(super) fn new(matrix: &MatrixFile<'_>, out: Out<'w>) -> anyhow::Result<Self> {
        let shape = [matrix.rows.len as u64, matrix.columns.len as u64];
        let is_wide = is_wide(shape, matrix.cells.unwrap_or(0));
        let mut npz = Self {
            zip: ZipWriter::new_stream(out),
            columns: matrix.cells.is_none().then(Scratch::new),
            values: Scratch::new(),
            row_starts: vec![0],
            shape,
            is_wide,
            number: PhantomData,
        };
        npz.begin("format.npy", "|S3", "()", 3)?;
        npz.zip.write_all(b"csr")?;
        npz.begin("shape.npy", "<i8", "(2,)", 16)?;
        for len in shape {
            npz.zip.write_all(&len.to_le_bytes())?;
        }
        if let Some(cells) = matrix.cells {
            npz.begin_indices("indices.npy", cells)?;
        }
        Ok(npz)
    }

    fn begin_indices(&mut self, name: &str, len: u64) -> anyhow::Result<()> {
        let (kind, width) = if self.is_wide { ("<i8", 8) } else { ("<i4", 4) };
        self.begin(name, kind, &format!("({len},)"), width * len)
    }

    fn write_index(&mut self, index: u64) -> std::io::Result<()> {
        match self.is_wide {
            true => self.zip.write_all(&index.to_le_bytes()),
            false => self.zip.write_all(&(index as u32).to_le_bytes()),
        }
    }

    /// Begins an array of `bytes` bytes.
    fn begin(&mut self, name: &str, kind: &str, shape: &str, bytes: u64) -> anyhow::Result<()> {
        let options = SimpleFileOptions::default()
            .compression_method(zip::CompressionMethod::Stored)
            .large_file(bytes > u64::from(u32::MAX) - (1 << 10));
        self.zip.start_file(name, options)?;
        let mut header =
            format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}");
        // Magic, version and length take ten bytes; numpy wants the data aligned to 64.
        while (10 + header.len() + 1) % 64 != 0 {
            header.push(' ');
        }
        header.push('\n');
        self.zip.write_all(b"\x93NUMPY\x01\x00")?;
        self.zip.write_all(&(header.len() as u16).to_le_bytes())?;
        Ok(self.zip.write_all(header.as_bytes())?)
    }
}

impl<N: Number> RowWriter<N> for Npz<'_, N> {
    fn row(&mut self, columns: &[u32], values: &[N]) -> std::io::Result<()> {
        let mut bytes = Vec::with_capacity(8 * columns.len());
        for &column in columns {
            match self.is_wide {
                true => bytes.extend_from_slice(&u64::from(column).to_le_bytes()),
                false => bytes.extend_from_slice(&column.to_le_bytes()),
            }
        }
        match &mut self.columns {
            Some(waiting) => waiting.write_all(&bytes)?,
            None => self.zip.write_all(&bytes)?,
        }
        bytes.clear();
        values.iter().for_each(|value| value.pack(&mut bytes));
        self.values.write_all(&bytes)?;
        let end = self.row_starts[self.row_starts.len() - 1] + columns.len() as u64;
        self.row_starts.push(end);
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> anyhow::Result<()> {
        let starts = std::mem::take(&mut self.row_starts);
        debug_assert_eq!(starts.len() as u64, self.shape[0] + 1);
        let cells = starts.last().copied().unwrap_or_default();
        if let Some(mut waiting) = self.columns.take() {
            self.begin_indices("indices.npy", cells)?;
            waiting.rewind()?;
            std::io::copy(&mut waiting, &mut self.zip)?;
            // Columns fit in 32 bits in any case; only these numbers may not.
            self.is_wide |= cells > i32::MAX as u64;
        }
        self.begin_indices("indptr.npy", starts.len() as u64)?;
        for &start in &starts {
            self.write_index(start)?;
        }
        self.begin("data.npy", N::NUMPY, &format!("({cells},)"), 8 * cells)?;
        self.values.rewind()?;
        let mut packed = BufReader::with_capacity(1 << 16, &mut self.values);
        let mut bytes = Vec::with_capacity(8 * CHUNK);
        for start in (0..cells).step_by(CHUNK) {
            bytes.clear();
            for _ in start..cells.min(start + CHUNK as u64) {
                bytes.extend_from_slice(&N::unpack(&mut packed)?.to_bytes());
            }
            self.zip.write_all(&bytes)?;
        }
        self.zip.finish()?.into_inner().flush()?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_are_wide_from_two_to_the_31_cells_on() {
        let most = i32::MAX as u64;
        assert!(!is_wide([3, 4], most));
        assert!(is_wide([3, 4], most + 1));
        assert!(is_wide([most + 1, 4], 0) && is_wide([4, most + 1], 0));
    }

    #[test]
    fn values_come_out_as_they_were_packed() {
        let counts = [0, 1, 127, 128, 300, 1 << 35, u64::MAX];
        let mut packed = Vec::new();
        counts.iter().for_each(|count| count.pack(&mut packed));
        let mut left = &packed[..];
        let found: Vec<u64> = counts.iter().map(|_| u64::unpack(&mut left).unwrap()).collect();
        assert_eq!((found, left.len()), (counts.to_vec(), 0));
        let mut packed = Vec::new();
        0.1f64.pack(&mut packed);
        assert_eq!(f64::unpack(&mut &packed[..]).unwrap(), 0.1);
    }
}
