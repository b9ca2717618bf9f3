//! Values of Python as options of the library.

use crate::errors::named;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use regex::Regex;
use std::collections::HashSet;
use std::ffi::OsString;
use std::sync::Arc;
use zgram::analytics::{Case, Digits, Language, NormalForm, Pattern, View};

/// Bytes given as `str` or `bytes`. A string may have lone surrogates where they stand for bytes, as
/// Python writes file names that are not UTF-8.
pub(crate) fn bytes_of(value: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    if let Ok(bytes) = value.cast::<PyBytes>() {
        return Ok(bytes.as_bytes().to_vec());
    }
    if let Ok(text) = value.extract::<std::borrow::Cow<'_, str>>() {
        return Ok(text.into_owned().into_bytes());
    }
    if !value.is_instance_of::<PyString>() {
        let kind = value.get_type().name()?;
        return Err(PyTypeError::new_err(format!("expected str or bytes, not {kind}")));
    }
    let encoded = value.call_method1("encode", ("utf-8", "surrogateescape"))?;
    Ok(encoded.cast::<PyBytes>()?.as_bytes().to_vec())
}

/// Bytes as `str`; those that are not UTF-8 become lone surrogates, as in file names.
pub(crate) fn text_of<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.into_pyobject(py)?.into_any()),
        Err(_) => PyBytes::new(py, bytes).call_method1("decode", ("utf-8", "surrogateescape")),
    }
}

fn refuse(message: String) -> PyErr {
    named("InvalidRequest", message)
}

/// Finds `name` among some choices.
pub(crate) fn choice<T: Copy>(what: &str, name: &str, choices: &[(&str, T)]) -> PyResult<T> {
    choices.iter().find(|(known, _)| *known == name).map(|&(_, value)| value).ok_or_else(|| {
        let known: Vec<String> = choices.iter().map(|(known, _)| format!("{known:?}")).collect();
        refuse(format!("{what} is one of {}, not {name:?}", known.join(", ")))
    })
}

pub(crate) fn language(name: &str) -> PyResult<Language> {
    name.parse::<Language>().map_err(|error| refuse(error.to_string()))
}

pub(crate) fn pattern(text: &str) -> PyResult<Regex> {
    Regex::new(text).map_err(|error| refuse(error.to_string()))
}

/// The view that a `zgram.View` describes; `None` stands for the default one.
pub(crate) fn view(value: Option<&Bound<'_, PyAny>>) -> PyResult<View> {
    let mut view = View::default();
    let Some(value) = value else { return Ok(view) };
    let text = |name: &str| value.getattr(name)?.extract::<Option<String>>();
    let case = text("case")?.unwrap_or_else(|| "keep".to_owned());
    view.case = choice(
        "case",
        &case,
        &[("keep", Case::Keep), ("lower", Case::Lower), ("fold", Case::Fold)],
    )?;
    if let Some(form) = text("normalize")? {
        let forms = [
            ("nfc", NormalForm::Nfc),
            ("nfd", NormalForm::Nfd),
            ("nfkc", NormalForm::Nfkc),
            ("nfkd", NormalForm::Nfkd),
        ];
        view.normalize = Some(choice("normalize", &form.to_lowercase(), &forms)?);
    }
    view.stem = text("stem")?.as_deref().map(language).transpose()?;
    let mut stop_words = HashSet::new();
    for word in value.getattr("_stop_words")?.try_iter()? {
        stop_words.insert(word?.extract::<String>()?);
    }
    view.stop_words = Arc::new(stop_words);
    view.stop_language = text("_stop_language")?.as_deref().map(language).transpose()?;
    view.matching = text("match")?.as_deref().map(pattern).transpose()?;
    view.not_matching = text("no_match")?.as_deref().map(pattern).transpose()?;
    view.min_len = value.getattr("min_len")?.extract()?;
    let digits = text("digits")?.unwrap_or_else(|| "keep".to_owned());
    let kinds = [("keep", Digits::Keep), ("drop", Digits::Drop), ("only", Digits::Only)];
    view.digits = choice("digits", &digits, &kinds)?;
    if value.getattr("sklearn")?.extract()? {
        view.pattern = Pattern::Sklearn;
    }
    Ok(view)
}

/// A path given as `str`, `bytes` or `os.PathLike`.
pub(crate) fn path_of(value: &Bound<'_, PyAny>) -> PyResult<OsString> {
    let path = value.py().import("os")?.call_method1("fspath", (value,))?;
    let text = value.py().import("os")?.call_method1("fsdecode", (path,))?;
    text.extract()
}
