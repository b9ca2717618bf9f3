//! The files around record batches: Parquet and Arrow. The Python package writes its tables with them too.

use arrow_array::RecordBatch;
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_schema::{ArrowError, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use std::io::{self, Write};

/// Beyond this, Parquet spells strings once per row instead of once per group of rows. Its own limit of
/// 1 MiB is too small for the words of a corpus.
const DICTIONARY_BYTES: usize = 64 << 20;

/// The file around the batches.
#[derive(Clone, Copy, Debug)]
pub enum Container {
    /// Parquet, compressed by zstd.
    Parquet,
    /// Batches one after the other, as they come.
    ArrowStream,
    /// Batches with a table of where each begins: Feather.
    ArrowFile,
}

/// Writes batches to a file.
pub struct Writer<W: Write + Send>(Format<W>);

enum Format<W: Write + Send> {
    Parquet(Box<ArrowWriter<W>>),
    ArrowStream(Box<StreamWriter<W>>),
    ArrowFile(Box<FileWriter<W>>),
}

impl Container {
    /// Begins a file of batches with this schema.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn writer<W: Write + Send>(self, schema: SchemaRef, out: W) -> anyhow::Result<Writer<W>> {
        Ok(Writer(match self {
            Self::Parquet => {
                let zstd = Compression::ZSTD(ZstdLevel::try_new(3)?);
                let properties = WriterProperties::builder()
                    .set_compression(zstd)
                    .set_dictionary_page_size_limit(DICTIONARY_BYTES)
                    .build();
                let writer =
                    ArrowWriter::try_new(out, schema, Some(properties)).map_err(of_parquet)?;
                Format::Parquet(Box::new(writer))
            }
            Self::ArrowStream => {
                let writer = StreamWriter::try_new(out, &schema).map_err(of_arrow)?;
                Format::ArrowStream(Box::new(writer))
            }
            Self::ArrowFile => {
                let writer = FileWriter::try_new(out, &schema).map_err(of_arrow)?;
                Format::ArrowFile(Box::new(writer))
            }
        }))
    }
}

impl<W: Write + Send> Writer<W> {
    /// Writes a batch.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&mut self, batch: &RecordBatch) -> io::Result<()> {
        match &mut self.0 {
            Format::Parquet(writer) => writer.write(batch).map_err(of_parquet),
            Format::ArrowStream(writer) => writer.write(batch).map_err(of_arrow),
            Format::ArrowFile(writer) => writer.write(batch).map_err(of_arrow),
        }
    }

    /// Writes the end of the file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(self) -> io::Result<W> {
        match self.0 {
            Format::Parquet(writer) => writer.into_inner().map_err(of_parquet),
            Format::ArrowStream(writer) => writer.into_inner().map_err(of_arrow),
            Format::ArrowFile(writer) => writer.into_inner().map_err(of_arrow),
        }
    }
}

/// The failure of the file, if that is the reason; it names the file.
fn of_parquet(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(reason) => of_external(reason),
        error => io::Error::other(error),
    }
}

fn of_arrow(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, reason) => reason,
        ArrowError::ExternalError(reason) => of_external(reason),
        error => io::Error::other(error),
    }
}

fn of_external(reason: Box<dyn std::error::Error + Send + Sync>) -> io::Error {
    reason.downcast().map_or_else(io::Error::other, |reason| *reason)
}
