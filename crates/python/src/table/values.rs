//! Batches as values of Python and numpy.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int32Type, Int64Type};
use arrow_array::{Array, ArrayRef, DictionaryArray, RecordBatch};
use arrow_schema::DataType;
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};
use std::sync::Arc;

/// Texts of dictionary columns that are Python strings already: rows share one string for each.
pub(super) struct Distinct {
    columns: Vec<Option<Texts>>,
}

/// The texts of one dictionary.
struct Texts {
    dictionary: ArrayRef,
    texts: Vec<Option<Py<PyString>>>,
}

impl Distinct {
    pub(super) fn new(columns: usize) -> Self {
        Self { columns: (0..columns).map(|_| None).collect() }
    }

    /// The columns of a batch: arrays of numbers, lists of strings, lists of lists of strings.
    pub(super) fn values<'py>(
        &mut self,
        py: Python<'py>,
        batch: &RecordBatch,
    ) -> PyResult<Bound<'py, PyList>> {
        let all = PyList::empty(py);
        for (column, known) in batch.columns().iter().zip(&mut self.columns) {
            all.append(values(py, column, known)?)?;
        }
        Ok(all)
    }
}

fn values<'py>(
    py: Python<'py>,
    column: &ArrayRef,
    known: &mut Option<Texts>,
) -> PyResult<Bound<'py, PyAny>> {
    match column.data_type() {
        DataType::Int64 => {
            let numbers = column.as_primitive::<Int64Type>();
            Ok(numbers.values().to_vec().into_pyarray(py).into_any())
        }
        DataType::Float64 => {
            let numbers = column.as_primitive::<Float64Type>();
            // A score that is not there is not a number.
            let numbers = numbers.iter().map(|score| score.unwrap_or(f64::NAN));
            Ok(numbers.collect::<Vec<f64>>().into_pyarray(py).into_any())
        }
        DataType::Dictionary(..) => Ok(coded(py, column.as_dictionary(), known)?.into_any()),
        DataType::List(_) => {
            let lists = column.as_list::<i32>();
            let all = values(py, lists.values(), known)?;
            let rows = PyList::empty(py);
            for ends in lists.value_offsets().windows(2) {
                rows.append(all.get_item(py_slice(py, ends[0], ends[1]))?)?;
            }
            Ok(rows.into_any())
        }
        _ => {
            let texts = column.as_string::<i32>();
            Ok(PyList::new(py, texts.iter().map(Option::unwrap_or_default))?.into_any())
        }
    }
}

fn py_slice(py: Python<'_>, start: i32, end: i32) -> Bound<'_, pyo3::types::PySlice> {
    pyo3::types::PySlice::new(py, start as isize, end as isize, 1)
}

/// A column of numbers of texts.
fn coded<'py>(
    py: Python<'py>,
    column: &DictionaryArray<Int32Type>,
    known: &mut Option<Texts>,
) -> PyResult<Bound<'py, PyList>> {
    if !known.as_ref().is_some_and(|texts| Arc::ptr_eq(&texts.dictionary, column.values())) {
        let texts = (0..column.values().len()).map(|_| None).collect();
        *known = Some(Texts { dictionary: Arc::clone(column.values()), texts });
    }
    let texts = &mut known.as_mut().expect("it was just made").texts;
    let strings = column.values().as_string::<i32>();
    let text = |&key: &i32| {
        let key = key as usize;
        texts[key]
            .get_or_insert_with(|| PyString::new(py, strings.value(key)).unbind())
            .clone_ref(py)
    };
    PyList::new(py, column.keys().values().iter().map(text))
}
