//! The whole Python benchmark on a small corpus, with the real package and the real rivals.
#![cfg(unix)]

mod support;

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::fs;
use std::path::{Path, PathBuf};

use support::{alone, built, install, zgram};
use tempfile::TempDir;
use zgram_bench::head::CorpusArgs;
use zgram_bench::python::table::Task;
use zgram_bench::python::{Options, Outcome, report};
use zgram_bench::workspace;

/// Python with the libraries: of `ZGRAM_PYTHON`, or where `./test` installs it.
fn python() -> PathBuf {
    let own = std::env::current_exe().unwrap();
    let installed = own.ancestors().nth(3).unwrap().join("tools/bin/python");
    std::env::var_os("ZGRAM_PYTHON").map_or(installed, PathBuf::from)
}

fn corpus(folder: &Path) -> PathBuf {
    let corpus = folder.join("corpus");
    fs::create_dir_all(corpus.join("letters")).unwrap();
    let sample = workspace::root().unwrap().join("samples/books/carroll-alice.txt");
    let text = fs::read(sample).unwrap();
    for (number, part) in text.chunks(20_000).enumerate() {
        fs::write(corpus.join(format!("part {number}.txt")), part).unwrap();
    }
    fs::write(corpus.join("letters/latin.txt"), b"caf\xe9 au lait, the caf\xe9 \xff".repeat(20))
        .unwrap();
    fs::write(corpus.join("letters/empty.txt"), "").unwrap();
    corpus
}

fn options(folder: &Path, python: PathBuf) -> Options {
    let native = format!("{DLL_PREFIX}_zgram{DLL_SUFFIX}");
    Options {
        inputs: CorpusArgs { paths: vec![corpus(folder)], corpora: None, zgram: Some(zgram()) },
        task: Vec::new(),
        python,
        native: Some(built(&native)),
        program: Some(env!("CARGO_BIN_EXE_zgram-bench").into()),
        cache: None,
        runs: 2,
        record: false,
    }
}

#[test]
fn every_library_gives_the_same_answers() {
    let _alone = alone();
    let folder = TempDir::new().unwrap();
    let report = report(&options(folder.path(), python()), &workspace::root().unwrap()).unwrap();
    assert_eq!(report.missing, [""; 0]);
    let [corpus] = &report.corpora[..] else { panic!("one corpus") };
    assert_eq!(corpus.tasks.iter().map(|figures| figures.task).collect::<Vec<_>>(), Task::ALL);
    for figures in &corpus.tasks {
        let names: Vec<_> = figures.task.contestants().iter().map(|one| one.name).collect();
        assert_eq!(figures.rows.iter().map(|row| row.name).collect::<Vec<_>>(), names);
        for row in &figures.rows {
            let Outcome::Done(cost) = &row.outcome else { panic!("{row:?}") };
            assert!(cost.seconds >= 0.0 && cost.peak_bytes > 1_000_000, "{row:?}");
        }
    }
    let calls = &report.calls;
    assert!(calls.import_ms > 0.0 && calls.rust_ns > 0.0 && calls.python_ns > 0.0, "{calls:?}");
    assert!(calls.phrases_per_second > 100.0, "{calls:?}");
    let page = report.markdown();
    for row in corpus.tasks.iter().flat_map(|figures| &figures.rows) {
        assert!(page.contains(&format!("| {} |", row.name)), "{} in {page}", row.name);
    }
    for chart in report.charts() {
        chart.write(folder.path()).unwrap();
    }
    serde_json::to_string(&report).unwrap();
}

#[test]
fn an_answer_that_differs_ends_the_run() {
    let _alone = alone();
    let folder = TempDir::new().unwrap();
    // One rival is sent to a folder without texts.
    let wrapper = folder.path().join("python");
    let script = format!(
        "#!/bin/sh\ncase \"$1 $2\" in *polars_python.py\\ words) set -- \"$1\" \"$2\" /var/empty \"$4\";; esac\nexec '{}' \"$@\"\n",
        python().display()
    );
    install(&script, &wrapper);
    let options = Options { task: vec![Task::Words], runs: 1, ..options(folder.path(), wrapper) };
    let error = format!("{:#}", report(&options, &workspace::root().unwrap()).unwrap_err());
    assert!(error.contains("answers differ"), "{error}");
}

#[test]
fn libraries_that_are_missing_are_rows_that_say_so() {
    let _alone = alone();
    let folder = TempDir::new().unwrap();
    let wrapper = folder.path().join("python");
    let script = format!(
        "#!/bin/sh\ncase \"$1\" in *duckdb_python.py) exit 1;; esac\nexec '{}' \"$@\"\n",
        python().display()
    );
    install(&script, &wrapper);
    let options = Options { task: vec![Task::Words], runs: 1, ..options(folder.path(), wrapper) };
    let report = report(&options, &workspace::root().unwrap()).unwrap();
    assert_eq!(report.missing.len(), 1);
    assert!(report.missing[0].contains("DuckDB is not installed"), "{:?}", report.missing);
    assert!(report.markdown().contains("| DuckDB | **MISSING**"), "{}", report.markdown());
}
