//! `npz` as `scipy.sparse.load_npz` reads it: a zip archive of numpy arrays.
//!
//! Columns are written as they come. Values wait in memory, or beyond a limit in a temporary file,
//! since an archive takes one array after the other. Arrays are not compressed: that would take
//! longer than counting.

use super::{MatrixFile, Number, Out, RowWriter};
use std::io::{Seek, Write};
use std::marker::PhantomData;
use tempfile::SpooledTempFile;
use zip::write::{SimpleFileOptions, StreamWriter, ZipWriter};

/// Bytes of values that stay in memory.
const IN_MEMORY: usize = 64 << 20;

pub(super) struct Npz<'w, N> {
    zip: ZipWriter<StreamWriter<Out<'w>>>,
    values: SpooledTempFile,
    row_starts: Vec<u64>,
    shape: [u64; 2],
    is_wide: bool,
    number: PhantomData<N>,
}

impl<'w, N: Number> Npz<'w, N> {
    pub(super) fn new(matrix: &MatrixFile<'_>, out: Out<'w>) -> anyhow::Result<Self> {
        let shape = [matrix.rows.len as u64, matrix.columns.len as u64];
        // scipy and old estimators prefer 32-bit indices.
        let is_wide =
            matrix.cells > i32::MAX as u64 || shape.iter().any(|&len| len > i32::MAX as u64);
        let mut npz = Self {
            zip: ZipWriter::new_stream(out),
            values: SpooledTempFile::new(IN_MEMORY),
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
        npz.begin_indices("indices.npy", matrix.cells)?;
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
        self.zip.write_all(&bytes)?;
        bytes.clear();
        for value in values {
            bytes.extend_from_slice(&value.to_bytes());
        }
        self.values.write_all(&bytes)?;
        let end = self.row_starts[self.row_starts.len() - 1] + columns.len() as u64;
        self.row_starts.push(end);
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> anyhow::Result<()> {
        let starts = std::mem::take(&mut self.row_starts);
        debug_assert_eq!(starts.len() as u64, self.shape[0] + 1);
        self.begin_indices("indptr.npy", starts.len() as u64)?;
        for &start in &starts {
            self.write_index(start)?;
        }
        let cells = starts.last().copied().unwrap_or_default();
        self.begin("data.npy", N::NUMPY, &format!("({cells},)"), 8 * cells)?;
        self.values.rewind()?;
        std::io::copy(&mut self.values, &mut self.zip)?;
        self.zip.finish()?.into_inner().flush()?;
        Ok(())
    }
}
