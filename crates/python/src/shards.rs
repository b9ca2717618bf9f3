//! Several files as one corpus.

use crate::options::path_of;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use std::path::PathBuf;
use std::sync::Arc;
use zgram::error::OpenError;
use zgram::storage::Memory;

/// One of several files of a corpus.
pub(crate) enum Shard {
    Path(PathBuf),
    Bytes(PyBackedBytes),
}

impl Shard {
    pub(crate) fn of(source: &Bound<'_, PyAny>) -> PyResult<Self> {
        match source.extract::<PyBackedBytes>() {
            Ok(bytes) => Ok(Self::Bytes(bytes)),
            Err(_) => Ok(Self::Path(PathBuf::from(path_of(source)?))),
        }
    }
}

/// Opens several files as one corpus, each by its path or from its bytes.
pub(crate) fn open_shards(shards: Vec<Shard>) -> Result<zgram::Corpus, OpenError> {
    let name = match &shards[..] {
        [Shard::Path(first), _, ..] => {
            format!("{} and {} more", first.display(), shards.len() - 1)
        }
        _ => "a list of files".to_owned(),
    };
    let open = |(number, shard)| match shard {
        Shard::Path(path) => zgram::Corpus::open(path),
        Shard::Bytes(bytes) => {
            zgram::Corpus::from_storage(format!("file {number} of the list"), Memory(bytes))
        }
    };
    let opened: Result<Vec<_>, OpenError> =
        (1..).zip(shards).map(|shard| open(shard).map(Arc::new)).collect();
    zgram::Corpus::of_shards(name, opened?)
}
