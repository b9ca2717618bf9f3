//! The native part of the Python package `zgram`: the module `zgram._zgram`.
//!
//! It turns Python's values into the library's and back, and lets the interpreter go on meanwhile. What
//! users see (names, defaults, documentation) is in `python/zgram`.

mod associations;
mod compress;
mod corpus;
mod counts;
mod decompress;
mod edit;
mod errors;
mod forks;
mod matrix;
mod options;
mod phrases;
mod ranker;
mod scope;
mod shards;
mod storage;
mod table;
mod topics;
mod vectors;
mod vocabulary;
mod words;
mod work;

use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the program `zgram` and returns its exit code.
#[pyfunction]
fn run_program(py: Python<'_>, command_line: Vec<OsString>) -> u8 {
    py.detach(|| zgram_cli::run(command_line))
}

/// The languages that have stemmers: name and code.
#[pyfunction]
fn languages() -> Vec<(&'static str, &'static str)> {
    zgram::analytics::Language::all().map(|language| (language.name(), language.code())).collect()
}

/// The native part of the package `zgram`.
#[pymodule(gil_used = false, name = "_zgram")]
mod native {
    #[pymodule_export]
    use super::associations::{collocates, cooccurrence, keyness};
    #[pymodule_export]
    use super::compress::{compress_pairs, compress_paths};
    #[pymodule_export]
    use super::corpus::Corpus;
    #[pymodule_export]
    use super::counts::count_phrases;
    #[pymodule_export]
    use super::decompress::{decompress, is_json_lines};
    #[pymodule_export]
    use super::edit::{Edits, begin_edits, compact};
    #[pymodule_export]
    use super::matrix::{logarithms, term_matrix, tfidf};
    #[pymodule_export]
    use super::ranker::{Ranker, ranker};
    #[pymodule_export]
    use super::table::{Table, TableStream, columns_table, rows_table};
    #[pymodule_export]
    use super::topics::{Topics, lda};
    #[pymodule_export]
    use super::vectors::{read_vectors, word2vec};
    #[pymodule_export]
    use super::vocabulary::{Vocabulary, vocabulary};
    #[pymodule_export]
    use super::words::words_in_order;
    #[pymodule_export]
    use super::{languages, run_program};
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::forks::watch(module)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
