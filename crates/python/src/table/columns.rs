//! Tables whose columns are at hand, or come all at once.

use super::Table;
use super::source::{Column, Failure, Kind, Sink, Source, Work, schema};
use super::strings::{Strings, unicode};
use crate::corpus::{Corpus, Open};
use crate::errors::named;
use crate::options::bytes_of;
use crate::work::Meter;
use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// Rows in a batch.
const BATCH_ROWS: usize = 1 << 14;

/// The values of a column.
#[derive(Clone, Debug)]
pub(crate) enum Values {
    /// Words, names or other text: a dictionary where one is asked for.
    Names(Vec<Vec<u8>>),
    /// Text that does not repeat.
    #[allow(dead_code, reason = "measures that need all counts follow")]
    Texts(Vec<Vec<u8>>),
    Counts(Vec<i64>),
    Scores(Vec<f64>),
}

impl Values {
    fn kind(&self) -> Kind {
        match self {
            Self::Names(_) => Kind::Name,
            Self::Texts(_) => Kind::Text,
            Self::Counts(_) => Kind::Count,
            Self::Scores(_) => Kind::Score,
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Names(texts) | Self::Texts(texts) => texts.len(),
            Self::Counts(counts) => counts.len(),
            Self::Scores(scores) => scores.len(),
        }
    }

    fn array(&self, rows: std::ops::Range<usize>, strings: Strings) -> Result<ArrayRef, Failure> {
        let text = |texts: &[Vec<u8>], strings: Strings| {
            strings.column(texts.iter().map(|text| unicode(text)))
        };
        let made: Result<ArrayRef, _> = match self {
            Self::Names(texts) => text(&texts[rows], strings),
            Self::Texts(texts) => text(&texts[rows], strings.of_text()),
            Self::Counts(counts) => Ok(Arc::new(Int64Array::from(counts[rows].to_vec()))),
            Self::Scores(scores) => Ok(Arc::new(Float64Array::from(scores[rows].to_vec()))),
        };
        made.map_err(super::rows::refused)
    }
}

/// Passes columns to the sink, as batches.
fn send(
    columns: &[Column],
    values: &[Values],
    strings: Strings,
    sink: &mut Sink<'_>,
) -> Result<(), Failure> {
    let schema = schema(columns, strings);
    let rows = values.first().map_or(0, Values::len);
    for start in (0..rows).step_by(BATCH_ROWS) {
        let part = start..(start + BATCH_ROWS).min(rows);
        let arrays = values.iter().map(|values| values.array(part.clone(), strings));
        let batch = RecordBatch::try_new(schema.clone(), arrays.collect::<Result<_, _>>()?)
            .map_err(super::rows::refused)?;
        if sink(batch).is_break() {
            break;
        }
    }
    Ok(())
}

/// Columns at hand.
struct AtHand {
    columns: Vec<Column>,
    values: Arc<Vec<Values>>,
}

/// A table of columns at hand: lists of `str`, arrays of `int64` or `float64`.
#[pyfunction]
pub(crate) fn columns_table(columns: &Bound<'_, PyDict>) -> PyResult<Table> {
    let (mut named_columns, mut all) = (Vec::new(), Vec::new());
    for (name, values) in columns {
        let values = if let Ok(counts) = values.extract::<PyReadonlyArray1<'_, i64>>() {
            Values::Counts(counts.as_array().to_vec())
        } else if let Ok(scores) = values.extract::<PyReadonlyArray1<'_, f64>>() {
            Values::Scores(scores.as_array().to_vec())
        } else {
            let texts = values.try_iter()?.map(|text| bytes_of(&text?));
            Values::Names(texts.collect::<PyResult<_>>()?)
        };
        named_columns.push(Column::new(name.extract::<String>()?, values.kind()));
        all.push(values);
    }
    if all.windows(2).any(|pair| pair[0].len() != pair[1].len()) {
        return Err(named("InvalidRequest", "columns differ in length".to_owned()));
    }
    Ok(Table::new(AtHand { columns: named_columns, values: Arc::new(all) }, Strings::Plain))
}

impl Source for AtHand {
    fn columns(&self) -> Vec<Column> {
        self.columns.clone()
    }

    fn state(&self) -> PyResult<Option<Arc<Open>>> {
        Ok(None)
    }

    fn begin(&self) -> PyResult<(Option<Arc<Open>>, Work)> {
        let (columns, values) = (self.columns.clone(), Arc::clone(&self.values));
        Ok((None, Box::new(move |_, strings, sink| send(&columns, &values, strings, sink))))
    }
}

/// What computes all columns of a table.
type Compute = dyn Fn(&Open, &Meter) -> Result<Vec<Values>, Failure> + Send + Sync;

/// Columns that a question to a corpus has as its answer.
struct Computed {
    corpus: Py<Corpus>,
    columns: Vec<Column>,
    compute: Arc<Compute>,
}

#[allow(dead_code, reason = "measures that need all counts follow")]
/// A table whose rows come all at once: those of measures that need all counts first. `compute` returns
/// the columns, in the order of `columns`; it runs each time that the table is read.
pub(crate) fn computed(
    corpus: Py<Corpus>,
    columns: Vec<Column>,
    compute: impl Fn(&Open, &Meter) -> Result<Vec<Values>, Failure> + Send + Sync + 'static,
) -> Table {
    Table::new(Computed { corpus, columns, compute: Arc::new(compute) }, Strings::Plain)
}

impl Source for Computed {
    fn columns(&self) -> Vec<Column> {
        self.columns.clone()
    }

    fn state(&self) -> PyResult<Option<Arc<Open>>> {
        self.corpus.get().open().map(Some)
    }

    fn begin(&self) -> PyResult<(Option<Arc<Open>>, Work)> {
        let open = self.corpus.get().open()?;
        let (columns, compute) = (self.columns.clone(), Arc::clone(&self.compute));
        let of_work = Arc::clone(&open);
        let work: Work = Box::new(move |meter, strings, sink| {
            send(&columns, &compute(&of_work, meter)?, strings, sink)
        });
        Ok((Some(open), work))
    }
}
