//! What tests of whole benchmarks share: the program under test, and programs that stand in for it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The zgram program of the profile that is being tested, built if it is not there yet.
pub(crate) fn zgram() -> PathBuf {
    built("zgram")
}

/// A program or library of the workspace, of the profile that is being tested. The whole workspace is
/// built, as `./test` does: a package alone would need its dependencies again, with other features.
pub(crate) fn built(file: &str) -> PathBuf {
    let own = std::env::current_exe().unwrap();
    let made = own.ancestors().nth(2).unwrap().join(file);
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut build = Command::new(cargo);
    build.args(["build", "--quiet", "--workspace", "--target-dir"]);
    build.arg(own.ancestors().nth(3).unwrap());
    assert!(build.status().unwrap().success(), "{file} cannot be built");
    assert!(made.is_file(), "{} is missing", made.display());
    made
}

/// Writes a script that takes zgram's place.
pub(crate) fn install(script: &str, program: &Path) {
    fs::write(program, script).unwrap();
    fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Held by each test: a program just written cannot be started while a child that another test is
/// starting still shares the open file.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner)
}
