//! The whole analytics benchmark on a small corpus.
//!
//! A script takes zgram's place that keeps the corpus's path as its compressed form and asks the
//! raw rival; so right and wrong answers can be had at will.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use tempfile::TempDir;
use zgram_bench::analytics::{Options, run};
use zgram_bench::head::CorpusArgs;

/// A zgram that does `spoil` to each answer `$out`.
fn script(spoil: &str) -> String {
    let raw = env!("CARGO_BIN_EXE_zgram-raw");
    format!(
        r#"#!/bin/sh
set -e
case $1 in
  --version) echo zgram 1.0 ;;
  compress) printf %s "$2" > "$4" ;;
  *)
    [ "$8" = bottom-up ] && {{ echo "not that way" >&2; exit 2; }}
    out=${{10}}
    '{raw}' "$1" "$(cat "$2")" --threads "$6" -o "$out"
    {spoil}
    ;;
esac
"#
    )
}

fn options(folder: &Path, script: &str) -> Options {
    let corpus = folder.join("corpus");
    fs::create_dir_all(corpus.join("letters")).unwrap();
    fs::write(corpus.join("letters/one.txt"), "the first letter ".repeat(50)).unwrap();
    fs::write(corpus.join("two.txt"), "the second letter ".repeat(50)).unwrap();
    let program = folder.join("zgram");
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    Options {
        inputs: CorpusArgs { paths: vec![corpus], corpora: None, zgram: Some(program) },
        threads: vec![1, 2],
        task: Vec::new(),
        raw: Some(env!("CARGO_BIN_EXE_zgram-raw").into()),
        // No Python: rivals that need it are then missing, which must not end the benchmark.
        python: "no-such-python".into(),
        cache: None,
        runs: 1,
        patience: 20,
        only: None,
        record: false,
    }
}

#[test]
fn right_answers_pass_and_wrong_ones_are_caught() {
    let folder = TempDir::new().unwrap();
    run(&options(folder.path(), &script(""))).unwrap();

    let folder = TempDir::new().unwrap();
    let spoilt = script(r#"[ "$1" = term-vector ] && echo "letter	51	two.txt" >> "$out"; exit 0"#);
    let error = run(&options(folder.path(), &spoilt)).unwrap_err().to_string();
    assert!(error.contains("term-vector") && error.contains("not raw's 6 rows"), "{error}");

    let folder = TempDir::new().unwrap();
    let failing = script("echo out of luck >&2; exit 2");
    let error = run(&options(folder.path(), &failing)).unwrap_err();
    assert!(format!("{error:#}").contains("out of luck"), "{error:#}");
}
