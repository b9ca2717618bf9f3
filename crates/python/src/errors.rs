//! The library's errors as Python's exceptions.
//!
//! The classes are in `zgram/_errors.py`, because they have two bases: `zgram.Error` and the exception
//! that Python has for the same thing.

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use std::io::ErrorKind;
use std::path::Path;
use zgram::Error;
use zgram::error::{
    AccessError, CompressError, DecompressError, EditError, FileError, OpenError, QueryError,
    ReshardError,
};
use zgram::input::InputError;

/// Which class of `zgram._errors` an error has.
enum Class<'e> {
    /// A class that takes a message.
    Named(&'static str),
    /// The operating system refused something.
    System(&'e FileError),
    /// The same while reading an input.
    Input(&'e Path, &'e std::io::Error),
    Interrupted,
}

const INVALID: Class<'static> = Class::Named("InvalidRequest");
const DAMAGED: Class<'static> = Class::Named("DamagedFile");
const NO_DOCUMENT: Class<'static> = Class::Named("DocumentNotFound");
const OTHER: Class<'static> = Class::Named("Error");

/// The exception for an error of the library.
pub(crate) fn exception(error: impl Into<Error>) -> PyErr {
    let error = error.into();
    Python::attach(|py| build(py, &error).unwrap_or_else(|failed| failed))
}

/// An exception of a class of `zgram._errors`.
pub(crate) fn named(class: &str, message: String) -> PyErr {
    let make = |py: Python<'_>| -> PyResult<PyErr> {
        let made = py.import("zgram._errors")?.getattr(class)?.call1((message,))?;
        Ok(PyErr::from_value(made))
    };
    Python::attach(|py| make(py).unwrap_or_else(|failed| failed))
}

fn build(py: Python<'_>, error: &Error) -> PyResult<PyErr> {
    let system = |path: &Path, source: &std::io::Error| -> PyResult<PyErr> {
        let class = match source.kind() {
            ErrorKind::NotFound => "NotFound",
            ErrorKind::PermissionDenied => "NoPermission",
            ErrorKind::AlreadyExists => "AlreadyExists",
            _ => "FileError",
        };
        let class = py.import("zgram._errors")?.getattr(class)?;
        let made = class.call1((source.raw_os_error(), error.to_string(), path.as_os_str()))?;
        Ok(PyErr::from_value(made))
    };
    match class_of(error) {
        Class::Interrupted => Ok(PyKeyboardInterrupt::new_err(())),
        Class::Named(class) => Ok(named(class, error.to_string())),
        Class::System(FileError { path, source, .. }) => system(path, source),
        Class::Input(path, source) => system(path, source),
    }
}

fn class_of(error: &Error) -> Class<'_> {
    if error.is_interrupted() {
        return Class::Interrupted;
    }
    match error {
        Error::Open(error) => of_open(error),
        Error::Access(error) => of_access(error),
        Error::Query(error) => match error {
            QueryError::Open(error) => of_open(error),
            QueryError::NoDocument(_) => NO_DOCUMENT,
            QueryError::File(error) => Class::System(error),
            QueryError::MissingFeature(_) | QueryError::Output { .. } => OTHER,
            _ => INVALID,
        },
        Error::Compress(error) => of_compress(error),
        Error::Decompress(error) => match error {
            DecompressError::Open(error) => of_open(error),
            DecompressError::NoDocument(_) => NO_DOCUMENT,
            DecompressError::File(error) => Class::System(error),
            DecompressError::OutputExists { .. } => Class::Named("AlreadyExists"),
            _ => INVALID,
        },
        Error::Edit(error) => of_edit(error),
        Error::Transaction(error) => of_edit(&error.source),
        Error::Reshard(error) => match error {
            ReshardError::Open(error) => of_open(error),
            ReshardError::Compress(error) => of_compress(error),
            ReshardError::File(error) => Class::System(error),
            ReshardError::OutputExists { .. } => Class::Named("AlreadyExists"),
            _ => INVALID,
        },
        _ => OTHER,
    }
}

fn of_open(error: &OpenError) -> Class<'_> {
    match error {
        OpenError::File(error) => Class::System(error),
        OpenError::MissingFeature(_) | OpenError::Dictionary(_) => OTHER,
        OpenError::NoShards { .. } | OpenError::Shards { .. } => INVALID,
        _ => DAMAGED,
    }
}

fn of_access(error: &AccessError) -> Class<'_> {
    match error {
        AccessError::Open(error) => of_open(error),
        AccessError::NoDocument(_) => NO_DOCUMENT,
        AccessError::OutOfRange { .. } => Class::Named("OutOfRange"),
        AccessError::File(error) => Class::System(error),
        _ => INVALID,
    }
}

fn of_compress(error: &CompressError) -> Class<'_> {
    match error {
        CompressError::File(error) => Class::System(error),
        CompressError::PendingEdits { .. } => Class::Named("AlreadyExists"),
        CompressError::Input(
            InputError::Open { path, source } | InputError::Read { path, source, .. },
        ) => Class::Input(path, source),
        CompressError::MissingFeature(_) => OTHER,
        _ => INVALID,
    }
}

fn of_edit(error: &EditError) -> Class<'_> {
    match error {
        EditError::Access(error) => of_access(error),
        EditError::Locked { .. } => Class::Named("Locked"),
        EditError::File(error) => Class::System(error),
        EditError::Compress(error) => of_compress(error),
        _ => INVALID,
    }
}
