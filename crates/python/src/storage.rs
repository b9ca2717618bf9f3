//! A Python file object as storage: corpora in object stores, archives, memory.

use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyBytes;
use std::borrow::Cow;
use std::io;
use std::sync::{Mutex, PoisonError};
use zgram::storage::Storage;

/// An open binary file with `seek` and `read`.
pub(crate) struct PyFile {
    /// One reader at a time: the position is the file's.
    file: Mutex<Py<PyAny>>,
    len: u64,
}

impl PyFile {
    pub(crate) fn new(file: &Bound<'_, PyAny>) -> PyResult<Self> {
        let len = file.call_method1("seek", (0, 2))?.extract()?;
        Ok(Self { file: Mutex::new(file.clone().unbind()), len })
    }
}

impl Storage for PyFile {
    fn len(&self) -> u64 {
        self.len
    }

    fn read(&self, offset: u64, len: usize) -> io::Result<Cow<'_, [u8]>> {
        Python::attach(|py| {
            // Lets go of the interpreter while it waits.
            let file = self.file.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
            let file = file.bind(py);
            let mut bytes = Vec::with_capacity(len);
            while bytes.len() < len {
                file.call_method1("seek", (offset + bytes.len() as u64,))?;
                let read = file.call_method1("read", (len - bytes.len(),))?;
                let read = read.cast::<PyBytes>().map_err(PyErr::from)?.as_bytes();
                if read.is_empty() {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
                bytes.extend_from_slice(read);
            }
            Ok(Cow::Owned(bytes))
        })
    }
}
