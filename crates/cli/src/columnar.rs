//! The files around record batches: Parquet and Arrow streams.

use arrow_array::RecordBatch;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use std::io::Write;

/// Beyond this, Parquet spells strings once per row instead of once per group of rows. Its own limit of
/// 1 MiB is too small for the words of a corpus.
const DICTIONARY_BYTES: usize = 64 << 20;

/// The file around the batches.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Container {
    Parquet,
    ArrowStream,
}

/// Writes batches to a file.
pub(crate) enum Writer<W: Write + Send> {
    Parquet(Box<ArrowWriter<W>>),
    ArrowStream(Box<StreamWriter<W>>),
}

impl Container {
    pub(crate) fn writer<W: Write + Send>(
        self,
        schema: SchemaRef,
        out: W,
    ) -> anyhow::Result<Writer<W>> {
        Ok(match self {
            Self::Parquet => {
                let zstd = Compression::ZSTD(ZstdLevel::try_new(3)?);
                let properties = WriterProperties::builder()
                    .set_compression(zstd)
                    .set_dictionary_page_size_limit(DICTIONARY_BYTES)
                    .build();
                let writer = ArrowWriter::try_new(out, schema, Some(properties))?;
                Writer::Parquet(Box::new(writer))
            }
            Self::ArrowStream => {
                Writer::ArrowStream(Box::new(StreamWriter::try_new(out, &schema)?))
            }
        })
    }
}

impl<W: Write + Send> Writer<W> {
    pub(crate) fn write(&mut self, batch: &RecordBatch) -> Result<(), ArrowError> {
        match self {
            Self::Parquet(writer) => {
                writer.write(batch).map_err(|error| ArrowError::ExternalError(Box::new(error)))
            }
            Self::ArrowStream(writer) => writer.write(batch),
        }
    }

    pub(crate) fn finish(self) -> anyhow::Result<()> {
        match self {
            Self::Parquet(writer) => {
                writer.close()?;
            }
            Self::ArrowStream(mut writer) => writer.finish()?,
        }
        Ok(())
    }
}
