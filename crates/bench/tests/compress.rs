//! The whole compression benchmark on a small corpus, with a stand-in for zgram.
//!
//! The stand-in takes zgram's command lines and packs with tar, so these tests hold the benchmark to
//! its word without needing a built zgram: what is restored is compared, failures end the run.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::TempDir;
use zgram_bench::compress::{Options, run};

/// Accepts `compress INPUT -o OUTPUT …` and `decompress INPUT -o OUTPUT …`.
const PACKER: &str = r#"#!/bin/sh
set -e
case "$1" in
--version) echo "stand-in 1.0" ;;
compress) tar -cf "$4" -C "$2" . ;;
decompress) mkdir -p "$4" && tar -xf "$2" -C "$4" ;;
esac
"#;

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
        runs: 2,
        only: None,
        record: false,
    }
}

#[test]
fn a_faithful_program_passes() {
    let _alone = alone();
    let folder = TempDir::new().unwrap();
    run(&corpus_and_program(folder.path(), PACKER)).unwrap();
}

#[test]
fn a_program_that_changes_a_byte_is_caught() {
    let _alone = alone();
    let folder = TempDir::new().unwrap();
    let script = format!("{PACKER}\n[ $1 = decompress ] && printf X >> \"$4/two.txt\"; exit 0\n");
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
