//! What a table asks.

use super::strings::Strings;
use crate::corpus::Open;
use crate::errors::{exception, named};
use crate::work::Meter;
use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// A column.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) kind: Kind,
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Text that does not repeat, such as sequences: never a dictionary.
    Text,
    /// Words and names of documents.
    Name,
    /// A number of something.
    Count,
    /// A measure.
    Score,
    /// Several names.
    Names,
}

impl Column {
    pub(crate) fn new(name: impl Into<String>, kind: Kind) -> Self {
        Self { name: name.into(), kind }
    }
}

impl Kind {
    /// What Python calls it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Text | Self::Name => "text",
            Self::Count => "count",
            Self::Score => "score",
            Self::Names => "list",
        }
    }

    fn data_type(self, strings: Strings) -> DataType {
        match self {
            Self::Text => strings.of_text().data_type(),
            Self::Name => strings.data_type(),
            Self::Count => DataType::Int64,
            Self::Score => DataType::Float64,
            Self::Names => {
                DataType::List(Arc::new(Field::new_list_field(strings.data_type(), true)))
            }
        }
    }
}

/// The Arrow schema of columns. All are nullable, because Spark refuses others.
pub(super) fn schema(columns: &[Column], strings: Strings) -> SchemaRef {
    let field = |column: &Column| Field::new(&column.name, column.kind.data_type(strings), true);
    Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()))
}

/// A type as pyarrow writes it.
pub(super) fn shown(data_type: &DataType) -> String {
    match data_type {
        DataType::Utf8 => "string".to_owned(),
        DataType::Utf8View => "string_view".to_owned(),
        DataType::Int32 => "int32".to_owned(),
        DataType::Int64 => "int64".to_owned(),
        DataType::Float64 => "double".to_owned(),
        DataType::Dictionary(keys, values) => {
            format!("dictionary<{}, {}>", shown(keys), shown(values))
        }
        DataType::List(item) => format!("list<{}>", shown(item.data_type())),
        other => other.to_string(),
    }
}

/// Takes batches, in order, and says whether to go on.
pub(crate) type Sink<'s> = dyn FnMut(RecordBatch) -> ControlFlow<()> + Send + 's;

/// The work behind a stream.
pub(crate) type Work =
    Box<dyn FnOnce(&Meter, Strings, &mut Sink<'_>) -> Result<(), Failure> + Send>;

/// Where batches come from.
pub(crate) trait Source: Send + Sync {
    fn columns(&self) -> Vec<Column>;

    /// The corpus as it is now; `None` if the answer does not depend on one.
    fn state(&self) -> PyResult<Option<Arc<Open>>>;

    /// The corpus as it is now, and what makes the batches. That stops when the sink breaks; what it then
    /// returns does not matter.
    fn begin(&self) -> PyResult<(Option<Arc<Open>>, Work)>;
}

/// Why a stream broke off.
#[derive(Debug)]
pub(crate) enum Failure {
    Library(zgram::Error),
    /// A message, for `zgram.Error`.
    Message(String),
    /// A message, for a class of `zgram._errors`.
    Named(&'static str, String),
    Python(PyErr),
}

impl<E: Into<zgram::Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self::Library(error.into())
    }
}

impl Failure {
    pub(super) fn into_exception(self) -> PyErr {
        match self {
            Self::Library(error) => exception(error),
            Self::Message(message) => named("Error", message),
            Self::Named(class, message) => named(class, message),
            Self::Python(error) => error,
        }
    }
}

/// How many rows the answer has, once it has been read to its end.
#[derive(Default)]
pub(crate) struct Known(Mutex<Option<(Option<Weak<Open>>, u64)>>);

impl Known {
    pub(super) fn set(&self, state: Option<&Arc<Open>>, rows: u64) {
        let known = Some((state.map(Arc::downgrade), rows));
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = known;
    }

    /// The number, if it is that of the corpus as it is now.
    pub(super) fn rows(&self, state: &Option<Arc<Open>>) -> Option<u64> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (of, rows) = known.as_ref()?;
        let is_current = match (of, state) {
            (Some(of), Some(state)) => std::ptr::eq(of.as_ptr(), Arc::as_ptr(state)),
            (None, None) => true,
            _ => false,
        };
        is_current.then_some(*rows)
    }
}
