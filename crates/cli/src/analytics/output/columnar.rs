//! Arrow and Parquet: columns `word` (or `sequence`), `count` and `document`.
//!
//! Documents are a dictionary column: each name once, rows as numbers. What is not Unicode in a
//! name is written `\xHH`, as on a terminal.

use super::Columns;
use crate::text::visible;
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, DictionaryArray, Int32Array, RecordBatch, StringArray, UInt64Array};
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{ArrowError, DataType, Field, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use std::io::Write;
use std::sync::Arc;
use zgram::analytics::RowBatch;
use zgram::format::DocumentTable;

/// What batches look like.
pub(super) struct Schema {
    schema: SchemaRef,
    names: Option<Arc<StringArray>>,
}

impl Schema {
    pub(super) fn new(columns: Columns, names: &DocumentTable) -> Self {
        let mut fields = vec![
            Field::new(columns.first(), DataType::Utf8, false),
            Field::new("count", DataType::UInt64, false),
        ];
        if columns.documents {
            let name = DataType::Dictionary(DataType::Int32.into(), DataType::Utf8.into());
            fields.push(Field::new("document", name, false));
        }
        let names = columns.documents.then(|| {
            Arc::new(StringArray::from_iter_values(names.iter().map(|(name, _)| visible(name))))
        });
        Self { schema: Arc::new(arrow_schema::Schema::new(fields)), names }
    }

    pub(super) fn record_batch(&self, batch: &RowBatch<'_>) -> RecordBatch {
        let words = batch.rows().map(|row| String::from_utf8_lossy(&row.text()).into_owned());
        let counts = batch.rows().map(|row| row.count);
        let mut columns: Vec<ArrayRef> = vec![
            Arc::new(StringArray::from_iter_values(words)),
            Arc::new(UInt64Array::from_iter_values(counts)),
        ];
        if let Some(names) = &self.names {
            let keys = batch.rows().filter_map(|row| row.document).map(|doc| doc as i32);
            let keys = Int32Array::from_iter_values(keys);
            let documents = DictionaryArray::<Int32Type>::new(keys, names.clone());
            columns.push(Arc::new(documents));
        }
        RecordBatch::try_new(self.schema.clone(), columns).expect("columns are of the schema")
    }
}

/// The file around the batches.
#[derive(Clone, Copy, Debug)]
pub(super) enum Container {
    Parquet,
    ArrowStream,
}

/// Writes batches to a file.
pub(super) enum Writer<W: Write + Send> {
    Parquet(Box<ArrowWriter<W>>),
    ArrowStream(Box<StreamWriter<W>>),
}

impl Container {
    pub(super) fn writer<W: Write + Send>(
        self,
        schema: &Schema,
        out: W,
    ) -> anyhow::Result<Writer<W>> {
        let schema = schema.schema.clone();
        Ok(match self {
            Self::Parquet => {
                let zstd = Compression::ZSTD(ZstdLevel::try_new(3)?);
                let properties = WriterProperties::builder().set_compression(zstd).build();
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
    pub(super) fn write(&mut self, batch: &RecordBatch) -> Result<(), ArrowError> {
        match self {
            Self::Parquet(writer) => {
                writer.write(batch).map_err(|error| ArrowError::ExternalError(Box::new(error)))
            }
            Self::ArrowStream(writer) => writer.write(batch),
        }
    }

    pub(super) fn finish(self) -> anyhow::Result<()> {
        match self {
            Self::Parquet(writer) => {
                writer.close()?;
            }
            Self::ArrowStream(mut writer) => writer.finish()?,
        }
        Ok(())
    }
}
