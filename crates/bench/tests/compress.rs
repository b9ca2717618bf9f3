//! The whole compression benchmark on a small corpus, with the real zgram.
//!
//! What is restored is compared and failures end the run: for that the program is wrapped in a
//! script that spoils its work.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::TempDir;
use zgram_bench::compress::{Options, run};

/// The zgram program of the profile that is being tested, built if it is not there yet.
fn zgram() -> PathBuf {
    let own = std::env::current_exe().unwrap();
    let program = own.ancestors().nth(2).unwrap().join("zgram");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Command::new(cargo);
    build.args(["build", "--quiet", "-p", "zgram-cli", "--target-dir"]);
    build.arg(own.ancestors().nth(3).unwrap());
    assert!(build.status().unwrap().success(), "zgram cannot be built");
    assert!(program.is_file(), "{} is missing", program.display());
    program
}

/// A script that runs zgram with its own arguments and then `afterwards`.
fn wrapped(afterwards: &str) -> String {
    format!("#!/bin/sh\nset -e\n'{}' \"$@\"\n{afterwards}\n", zgram().display())
}

/// Held by each test: a program just written cannot be started while a child that another test is
/// starting still shares the open file.
fn alone() -> MutexGuard<'static, ()> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}

fn corpus_and_program(folder: &Path, script: &str) -> Options {
    let corpus = folder.join("corpus");
    fs::create_dir_all(corpus.join("letters")).unwrap();
    fs::write(corpus.join("letters/one.txt"), "the first letter ".repeat(500)).unwrap();
    fs::write(corpus.join("two.txt"), "the second letter ".repeat(500)).unwrap();

    let program: PathBuf = folder.join("zgram");
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    Options {
        paths: vec![corpus],
        corpora: None,
        zgram: Some(program),
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
