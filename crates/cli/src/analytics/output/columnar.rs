//! Arrow and Parquet: columns `word` (or `sequence`), `count` and `document`.
//!
//! Documents are a dictionary column: each name once, rows as numbers. What is not Unicode in a
//! name is written `\xHH`, as on a terminal.

use super::Columns;
use crate::text::visible;
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, DictionaryArray, Int32Array, RecordBatch, StringArray, UInt64Array};
use arrow_schema::{DataType, Field, SchemaRef};
use std::sync::Arc;
use zgram::analytics::{RowBatch, RowNames};

/// What batches look like.
pub(super) struct Schema {
    schema: SchemaRef,
    names: Option<Arc<StringArray>>,
}

impl Schema {
    pub(super) fn new(columns: Columns, names: &RowNames<'_>) -> Self {
        let mut fields = vec![
            Field::new(columns.first(), DataType::Utf8, false),
            Field::new("count", DataType::UInt64, false),
        ];
        if columns.documents {
            let name = DataType::Dictionary(DataType::Int32.into(), DataType::Utf8.into());
            fields.push(Field::new("document", name, false));
        }
        let names = columns.documents.then(|| {
            Arc::new(StringArray::from_iter_values(names.iter().map(|name| visible(name))))
        });
        Self { schema: Arc::new(arrow_schema::Schema::new(fields)), names }
    }

    pub(super) fn fields(&self) -> SchemaRef {
        self.schema.clone()
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
