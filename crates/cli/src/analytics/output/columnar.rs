//! Arrow and Parquet: columns `word` (or `sequence`), `count` and `document`.
//!
//! Words and documents are dictionary columns: each is spelled once, rows have numbers. Sequences are
//! plain strings, because they hardly repeat among neighbouring rows. What is not Unicode in a name is
//! written `\xHH`, as on a terminal.

use super::Columns;
use crate::columnar::Writer;
use crate::text::visible;
use arrow_array::builder::StringDictionaryBuilder;
use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, DictionaryArray, Int32Array, RecordBatch, StringArray, UInt64Array};
use arrow_schema::{DataType, Field, SchemaRef};
use std::io::{self, Write};
use std::sync::{Arc, OnceLock};
use zgram::analytics::{RowBatch, RowNames};

/// What batches look like.
pub(super) struct Schema {
    schema: SchemaRef,
    columns: Columns,
    plain: bool,
    /// All words that rows may have, made with the first batch; `None` if they are too long for one
    /// array.
    words: OnceLock<Option<Arc<StringArray>>>,
    names: Option<Arc<StringArray>>,
}

impl Schema {
    /// For rows with these columns; `plain` if strings must not be dictionary columns.
    pub(super) fn new(columns: Columns, names: &RowNames<'_>, plain: bool) -> Self {
        let name = |plain: bool| match plain {
            true => DataType::Utf8,
            false => DataType::Dictionary(DataType::Int32.into(), DataType::Utf8.into()),
        };
        let mut fields = vec![
            Field::new(columns.first(), name(plain || columns.sequences), false),
            Field::new("count", DataType::UInt64, false),
        ];
        if columns.documents {
            fields.push(Field::new("document", name(plain), false));
        }
        let names = columns
            .documents
            .then(|| Arc::new(StringArray::from_iter_values(names.iter().map(visible))));
        let schema = Arc::new(arrow_schema::Schema::new(fields));
        Self { schema, columns, plain, words: OnceLock::new(), names }
    }

    pub(super) fn fields(&self) -> SchemaRef {
        self.schema.clone()
    }

    pub(super) fn record_batch(&self, batch: &RowBatch<'_>) -> RecordBatch {
        let counts = batch.rows().map(|row| row.count);
        let mut columns: Vec<ArrayRef> =
            vec![self.words(batch), Arc::new(UInt64Array::from_iter_values(counts))];
        if let Some(names) = &self.names {
            let keys = batch.rows().filter_map(|row| row.document).map(|document| document as i32);
            columns.push(match self.plain {
                true => {
                    let names = keys.map(|document| names.value(document as usize));
                    Arc::new(StringArray::from_iter_values(names))
                }
                false => coded(keys, names),
            });
        }
        RecordBatch::try_new(self.schema.clone(), columns).expect("columns are of the schema")
    }

    fn words(&self, batch: &RowBatch<'_>) -> ArrayRef {
        let texts = || batch.rows().map(|row| String::from_utf8_lossy(&row.text()).into_owned());
        if self.plain || self.columns.sequences {
            return Arc::new(StringArray::from_iter_values(texts()));
        }
        let words = self.words.get_or_init(|| {
            let bytes: usize = batch.vocabulary().map(<[u8]>::len).sum();
            i32::try_from(bytes).ok()?;
            let words = batch.vocabulary().map(String::from_utf8_lossy);
            Some(Arc::new(StringArray::from_iter_values(words)))
        });
        match words {
            Some(words) => coded(batch.word_places().iter().map(|&place| place as i32), words),
            None => {
                let mut words = StringDictionaryBuilder::<Int32Type>::new();
                texts().for_each(|text| words.append_value(text));
                Arc::new(words.finish())
            }
        }
    }
}

/// A dictionary column.
fn coded(keys: impl Iterator<Item = i32>, values: &Arc<StringArray>) -> ArrayRef {
    let keys = Int32Array::from_iter_values(keys);
    Arc::new(DictionaryArray::<Int32Type>::new(keys, values.clone()))
}

/// Writes batches. An answer of one batch gets dictionaries of what it contains; larger answers get
/// those of all words and names, so that they are spelled once.
pub(super) struct Batches<W: Write + Send> {
    writer: Writer<W>,
    first: Option<RecordBatch>,
}

impl<W: Write + Send> Batches<W> {
    pub(super) fn new(writer: Writer<W>) -> Self {
        Self { writer, first: None }
    }

    pub(super) fn write(&mut self, batch: RecordBatch, is_first: bool) -> io::Result<()> {
        if is_first {
            self.first = Some(batch);
            return Ok(());
        }
        if let Some(first) = self.first.take() {
            self.writer.write(&first)?;
        }
        self.writer.write(&batch)
    }

    pub(super) fn finish(mut self) -> anyhow::Result<()> {
        if let Some(only) = self.first.take() {
            let columns = only.columns().iter().map(compact).collect();
            self.writer.write(&RecordBatch::try_new(only.schema(), columns)?)?;
        }
        self.writer.finish()?;
        Ok(())
    }
}

/// The column; if it is a dictionary column, with only the values that occur.
fn compact(column: &ArrayRef) -> ArrayRef {
    let Some(coded) = column.as_dictionary_opt::<Int32Type>() else { return column.clone() };
    let values = coded.values().as_string::<i32>();
    let mut builder = StringDictionaryBuilder::<Int32Type>::new();
    for &key in coded.keys().values() {
        builder.append_value(values.value(key as usize));
    }
    Arc::new(builder.finish())
}
