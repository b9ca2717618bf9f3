//! The package as an installation has it: the Python files with the native module beside them.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// Puts the package into a folder of `scratch`; returns what goes on Python's path.
pub(super) fn prepare(root: &Path, native: Option<&Path>, scratch: &Path) -> Result<PathBuf> {
    let native = match native {
        Some(native) => native.to_owned(),
        None => build(root)?,
    };
    let path = scratch.join("package");
    let package = path.join("zgram");
    fs::create_dir_all(&package)?;
    for entry in fs::read_dir(root.join("python/zgram")).context("the package is not there")? {
        let file = entry?.path();
        if file.extension().is_some_and(|ending| ending == "py") {
            fs::copy(&file, package.join(file.file_name().unwrap_or_default()))?;
        }
    }
    fs::copy(&native, package.join("_zgram.abi3.so"))
        .with_context(|| format!("no native module at {}", native.display()))?;
    Ok(path)
}

/// Builds the native module in release mode.
fn build(root: &Path) -> Result<PathBuf> {
    let built = Command::new("cargo")
        .args(["build", "--release", "-p", "zgram-python", "--message-format=json"])
        .current_dir(root)
        .stderr(Stdio::inherit())
        .output()
        .context("cannot run cargo to build the native module")?;
    if !built.status.success() {
        bail!("building the native module failed");
    }
    let messages = String::from_utf8(built.stdout).context("cargo's messages are not UTF-8")?;
    messages.lines().find_map(library_of_message).context("cargo built no native module")
}

/// The path of the module, if this line of `cargo build --message-format=json` announces it.
fn library_of_message(line: &str) -> Option<PathBuf> {
    let message: serde_json::Value = serde_json::from_str(line).ok()?;
    let name = format!("{DLL_PREFIX}_zgram{DLL_SUFFIX}");
    let files = message["filenames"].as_array()?.iter().filter_map(|file| file.as_str());
    files.map(PathBuf::from).find(|file| file.file_name().is_some_and(|last| *last == *name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_module_is_found_among_cargos_messages() {
        let name = format!("{DLL_PREFIX}_zgram{DLL_SUFFIX}");
        let line =
            format!(r#"{{"reason":"compiler-artifact","filenames":["/t/lib.rlib","/t/{name}"]}}"#);
        assert_eq!(library_of_message(&line), Some(PathBuf::from(format!("/t/{name}"))));
        assert_eq!(library_of_message(r#"{"reason":"build-finished"}"#), None);
        assert_eq!(library_of_message("warning: not JSON"), None);
    }

    #[test]
    fn the_package_has_the_module_beside_its_files() {
        let folder = tempfile::tempdir().unwrap();
        let native = folder.path().join("module");
        fs::write(&native, "native").unwrap();
        let root = crate::workspace::root().unwrap();
        let path = prepare(&root, Some(&native), folder.path()).unwrap();
        assert!(path.join("zgram/__init__.py").exists());
        assert_eq!(fs::read_to_string(path.join("zgram/_zgram.abi3.so")).unwrap(), "native");
        assert!(prepare(&root, Some(&folder.path().join("none")), folder.path()).is_err());
    }
}
