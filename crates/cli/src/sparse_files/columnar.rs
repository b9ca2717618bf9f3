//! Cells as rows of a table with three columns: row, column, value. Names are dictionary columns, so
//! each is stored once.

use super::{Axis, MatrixFile, Number, Out, RowWriter};
use crate::columnar::{Container, Writer};
use crate::text::visible;
use arrow_array::types::UInt32Type;
use arrow_array::{Array, ArrayRef, DictionaryArray, LargeStringArray, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use std::borrow::Cow;
use std::io;
use std::sync::Arc;

/// Cells per batch.
const BATCH_CELLS: usize = 1 << 16;

pub(super) struct Triples<'w, N> {
    schema: SchemaRef,
    row_names: ArrayRef,
    column_names: ArrayRef,
    row: u32,
    rows: Vec<u32>,
    columns: Vec<u32>,
    values: Vec<N>,
    writer: Writer<Out<'w>>,
}

impl<'w, N: Number> Triples<'w, N> {
    pub(super) fn new(
        matrix: &MatrixFile<'_>,
        container: Container,
        out: Out<'w>,
    ) -> anyhow::Result<Self> {
        let (row_names, column_names) = (names(&matrix.rows), names(&matrix.columns));
        let dictionary = |names: &ArrayRef| {
            DataType::Dictionary(DataType::UInt32.into(), names.data_type().clone().into())
        };
        let schema = Arc::new(Schema::new(vec![
            Field::new(matrix.rows.name, dictionary(&row_names), false),
            Field::new(matrix.columns.name, dictionary(&column_names), false),
            Field::new(matrix.value, N::array(Vec::new()).data_type().clone(), false),
        ]));
        let writer = container.writer(schema.clone(), out)?;
        let (rows, columns, values) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self { schema, row_names, column_names, row: 0, rows, columns, values, writer })
    }

    fn write_batch(&mut self) -> io::Result<()> {
        let coded = |keys: Vec<u32>, names: &ArrayRef| -> io::Result<ArrayRef> {
            let coded = DictionaryArray::<UInt32Type>::try_new(keys.into(), names.clone());
            Ok(Arc::new(coded.map_err(io::Error::other)?))
        };
        let arrays = vec![
            coded(std::mem::take(&mut self.rows), &self.row_names)?,
            coded(std::mem::take(&mut self.columns), &self.column_names)?,
            N::array(std::mem::take(&mut self.values)),
        ];
        let batch = RecordBatch::try_new(self.schema.clone(), arrays);
        self.writer.write(&batch.map_err(io::Error::other)?)
    }
}

/// The names of an axis. Offsets of 64 bits only where they are needed.
fn names(axis: &Axis<'_>) -> ArrayRef {
    let name = |at: usize| match std::str::from_utf8((axis.text)(at)) {
        Ok(name) => Cow::Borrowed(name),
        Err(_) => Cow::Owned(visible((axis.text)(at))),
    };
    let bytes: usize = (0..axis.len).map(|at| name(at).len()).sum();
    match i32::try_from(bytes) {
        Ok(_) => Arc::new(StringArray::from_iter_values((0..axis.len).map(name))),
        Err(_) => Arc::new(LargeStringArray::from_iter_values((0..axis.len).map(name))),
    }
}

impl<N: Number> RowWriter<N> for Triples<'_, N> {
    fn row(&mut self, columns: &[u32], values: &[N]) -> io::Result<()> {
        self.rows.extend(std::iter::repeat_n(self.row, columns.len()));
        self.columns.extend_from_slice(columns);
        self.values.extend_from_slice(values);
        self.row += 1;
        match self.values.len() >= BATCH_CELLS {
            true => self.write_batch(),
            false => Ok(()),
        }
    }

    fn finish(mut self: Box<Self>) -> anyhow::Result<()> {
        if !self.values.is_empty() {
            self.write_batch()?;
        }
        self.writer.finish()?;
        Ok(())
    }
}
