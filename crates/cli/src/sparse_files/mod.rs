//! Sparse matrices in the files that other tools read, written row by row.
//!
//! A matrix is one file and, beside it, one text file per axis that names its rows or columns, one
//! line each. All files appear together, when the last row is written.

mod columnar;
mod npz;
mod text;

use crate::args::MatrixFormat;
use crate::columnar::Container;
use crate::complaint::Refusal;
use crate::output_file::OutputFile;
use crate::paths::is_dash;
use crate::text::tsv_field;
use std::ffi::OsString;
use std::io::{self, BufRead, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use tempfile::SpooledTempFile;

/// A matrix to be written: its size, its axes, and the name of its values.
pub(crate) struct MatrixFile<'m> {
    pub(crate) format: MatrixFormat,
    pub(crate) rows: Axis<'m>,
    pub(crate) columns: Axis<'m>,
    /// Number of cells that are stored; `None` if it is known only when the last one is written.
    pub(crate) cells: Option<u64>,
    /// What a value is, such as `count`: the name of the third column in tables.
    pub(crate) value: &'static str,
}

/// What the rows or the columns of a matrix are.
pub(crate) struct Axis<'m> {
    /// What one of them is, such as `document`.
    pub(crate) name: &'static str,
    pub(crate) len: usize,
    pub(crate) text: &'m (dyn Fn(usize) -> &'m [u8] + Sync),
    /// The end of the name of the file that lists them; `None` if the other axis is the same.
    pub(crate) suffix: Option<&'static str>,
}

/// A value of a matrix.
pub(crate) trait Number: Copy + Send {
    /// How numpy calls the type.
    const NUMPY: &'static str;
    /// How Matrix Market calls it.
    const FIELD: &'static str;

    /// Eight bytes, the lowest first.
    fn to_bytes(self) -> [u8; 8];

    /// Appends it in few bytes, for [`unpack`](Self::unpack).
    fn pack(self, out: &mut Vec<u8>);

    fn unpack(packed: &mut impl BufRead) -> io::Result<Self>;

    fn write_text(self, out: &mut dyn Write) -> io::Result<()>;

    /// A column of an Arrow batch.
    fn array(values: Vec<Self>) -> arrow_array::ArrayRef;
}

impl Number for u64 {
    // As scikit-learn has counts. A count above 2^63 would be a text of more than an exabyte.
    const NUMPY: &'static str = "<i8";
    const FIELD: &'static str = "integer";

    fn to_bytes(self) -> [u8; 8] {
        self.to_le_bytes()
    }

    fn pack(mut self, out: &mut Vec<u8>) {
        while self >= 0x80 {
            out.push(self as u8 | 0x80);
            self >>= 7;
        }
        out.push(self as u8);
    }

    fn unpack(packed: &mut impl BufRead) -> io::Result<Self> {
        let (mut value, mut shift) = (0, 0);
        loop {
            let mut byte = [0];
            packed.read_exact(&mut byte)?;
            value |= u64::from(byte[0] & 0x7F) << shift;
            shift += 7;
            if byte[0] < 0x80 {
                return Ok(value);
            }
        }
    }

    fn write_text(self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(itoa::Buffer::new().format(self).as_bytes())
    }

    fn array(values: Vec<Self>) -> arrow_array::ArrayRef {
        std::sync::Arc::new(arrow_array::UInt64Array::from(values))
    }
}

impl Number for f64 {
    const NUMPY: &'static str = "<f8";
    const FIELD: &'static str = "real";

    fn to_bytes(self) -> [u8; 8] {
        self.to_le_bytes()
    }

    fn pack(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_le_bytes());
    }

    fn unpack(packed: &mut impl BufRead) -> io::Result<Self> {
        let mut bytes = [0; 8];
        packed.read_exact(&mut bytes)?;
        Ok(Self::from_le_bytes(bytes))
    }

    fn write_text(self, out: &mut dyn Write) -> io::Result<()> {
        // The shortest text that is read back as the same number.
        write!(out, "{self}")
    }

    fn array(values: Vec<Self>) -> arrow_array::ArrayRef {
        std::sync::Arc::new(arrow_array::Float64Array::from(values))
    }
}

/// Takes one row: its columns, in rising order, and their values.
pub(crate) type RowSink<'s, N> = dyn FnMut(&[u32], &[N]) -> io::Result<()> + Send + 's;

/// Writes rows in one format.
trait RowWriter<N>: Send {
    fn row(&mut self, columns: &[u32], values: &[N]) -> io::Result<()>;

    fn finish(self: Box<Self>) -> anyhow::Result<()>;
}

/// What waits until the matrix is complete: in memory, and beyond a limit in a temporary file without a
/// name. Errors name the folder of that file.
struct Scratch(SpooledTempFile);

impl Scratch {
    /// Bytes that stay in memory.
    const IN_MEMORY: usize = 64 << 20;

    fn new() -> Self {
        Self(SpooledTempFile::new(Self::IN_MEMORY))
    }

    fn failed(source: io::Error) -> io::Error {
        let folder = std::env::temp_dir();
        let message = format!("cannot use a temporary file in {}: {source}", folder.display());
        io::Error::new(source.kind(), message)
    }
}

impl Write for Scratch {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(Self::failed)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(Self::failed)
    }
}

impl Read for Scratch {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.0.read(bytes).map_err(Self::failed)
    }
}

impl Seek for Scratch {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to).map_err(Self::failed)
    }
}

type Out<'w> = BufWriter<&'w mut (dyn Write + Send)>;

impl MatrixFile<'_> {
    /// Writes the matrix to `path`, and the lists of its axes beside it. `rows` passes each row to the
    /// sink; if it fails, no file is left behind.
    pub(crate) fn write<N: Number>(
        &self,
        path: &Path,
        force: bool,
        rows: impl FnOnce(&mut RowSink<'_, N>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        if is_dash(path) {
            let message = "a matrix needs files: one for its cells, one for each list of names";
            return Err(Refusal::error(message, "name the file to write with -o").into());
        }
        // All files are opened first, so that a file that exists is refused before any work.
        let mut file = OutputFile::open(Some(path), force, "matrix.npz")?;
        let mut lists = Vec::new();
        for axis in [&self.rows, &self.columns] {
            if let Some(suffix) = axis.suffix {
                let beside = beside(path, suffix);
                lists.push((axis, OutputFile::open(Some(&beside), force, "matrix.terms.txt")?));
            }
        }
        self.write_rows(&mut file, rows)?;
        for (axis, list) in &mut lists {
            let mut out = BufWriter::new(list.writer());
            for at in 0..axis.len {
                out.write_all(&tsv_field((axis.text)(at)))?;
                out.write_all(b"\n")?;
            }
            out.flush()?;
        }
        // The lists first: a reader that sees the matrix finds them.
        lists.into_iter().try_for_each(|(_, list)| list.commit())?;
        file.commit()
    }

    fn write_rows<N: Number>(
        &self,
        file: &mut OutputFile,
        rows: impl FnOnce(&mut RowSink<'_, N>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let out = BufWriter::with_capacity(1 << 18, file.writer());
        let mut writer: Box<dyn RowWriter<N> + '_> = match self.format {
            MatrixFormat::Npz => Box::new(npz::Npz::new(self, out)?),
            MatrixFormat::Arrow => {
                Box::new(columnar::Triples::new(self, Container::ArrowStream, out)?)
            }
            MatrixFormat::Parquet => {
                Box::new(columnar::Triples::new(self, Container::Parquet, out)?)
            }
            format => Box::new(text::Lines::new(self, format, out, N::FIELD)?),
        };
        rows(&mut |columns, values| writer.row(columns, values))?;
        writer.finish()
    }
}

/// The path with an ending added to its name.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_of_what_waits_name_its_folder() {
        let failed = Scratch::failed(io::ErrorKind::StorageFull.into());
        assert_eq!(failed.kind(), io::ErrorKind::StorageFull);
        let folder = std::env::temp_dir().display().to_string();
        assert!(failed.to_string().contains(&folder), "{failed}");
    }
}
