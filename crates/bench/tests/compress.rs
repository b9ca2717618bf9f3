//! The whole compression benchmark on a small corpus, with the real zgram.
//!
//! What is restored is compared and failures end the run: for that the program is wrapped in a
//! script that spoils its work.
#![cfg(unix)]

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use support::{alone, install, zgram};
use tempfile::TempDir;
use zgram_bench::compress::{Options, run};
use zgram_bench::head::CorpusArgs;

/// A script that runs zgram with its own arguments and then `afterwards`.
fn wrapped(afterwards: &str) -> String {
    format!("#!/bin/sh\nset -e\n'{}' \"$@\"\n{afterwards}\n", zgram().display())
}

fn corpus_and_program(folder: &Path, script: &str) -> Options {
    let corpus = folder.join("corpus");
    fs::create_dir_all(corpus.join("letters")).unwrap();
    fs::write(corpus.join("letters/one.txt"), "the first letter ".repeat(500)).unwrap();
    fs::write(corpus.join("two.txt"), "the second letter ".repeat(500)).unwrap();

    let program: PathBuf = folder.join("zgram");
    install(script, &program);
    Options {
        inputs: CorpusArgs { paths: vec![corpus], corpora: None, zgram: Some(program) },
        loader: Some(env!("CARGO_BIN_EXE_zgram-bench").into()),
        runs: 2,
        only: None,
        record: false,
    }
}

#[test]
fn a_faithful_program_passes() {
    let _alone = alone();
    let folder = TempDir::new().unwrap();
    run(&corpus_and_program(folder.path(), &wrapped(""))).unwrap();
}

#[test]
fn a_program_that_changes_a_byte_is_caught() {
    let _alone = alone();
    let folder = TempDir::new().unwrap();
    let script = wrapped("[ $1 = decompress ] && printf X >> \"$4/two.txt\"; exit 0");
    let error = run(&corpus_and_program(folder.path(), &script)).unwrap_err();
    let error = format!("{error:#}");
    assert!(error.contains("did not restore") && error.contains("two.txt"), "{error}");
}

#[test]
fn a_program_that_fails_ends_the_benchmark() {
    let _alone = alone();
    let folder = TempDir::new().unwrap();
    let script = "#!/bin/sh\n[ $1 = --version ] && { echo zgram 1.0; exit; }\necho out of luck >&2\nexit 2\n";
    let error = run(&corpus_and_program(folder.path(), script)).unwrap_err();
    assert!(format!("{error:#}").contains("out of luck"), "{error:#}");
}
