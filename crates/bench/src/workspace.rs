//! The workspace the benchmarks run in: where it is, what is built in it, what is recorded in it.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde::Serialize;

/// The workspace `cargo run` works in, or else the current folder.
pub fn root() -> Result<PathBuf> {
    match env::var_os("CARGO_MANIFEST_DIR") {
        Some(package) => Ok(Path::new(&package).join("../..").canonicalize()?),
        None => Ok(env::current_dir()?),
    }
}

/// Builds a program of the workspace in release mode; returns where it is.
pub fn build(workspace: &Path, package: &str, program: &str) -> Result<PathBuf> {
    let built = Command::new("cargo")
        .args(["build", "--release", "-p", package, "--bin", program, "--message-format=json"])
        .current_dir(workspace)
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot run cargo to build {program}"))?;
    if !built.status.success() {
        bail!("building {program} failed");
    }
    let messages = String::from_utf8(built.stdout).context("cargo's messages are not UTF-8")?;
    messages
        .lines()
        .find_map(|line| executable_of_message(line, program))
        .with_context(|| format!("cargo built no program named {program}"))
}

/// The path of a program, if this line of `cargo build --message-format=json` announces it.
fn executable_of_message(line: &str, program: &str) -> Option<PathBuf> {
    let message: serde_json::Value = serde_json::from_str(line).ok()?;
    if message["reason"] != "compiler-artifact" || message["target"]["name"] != program {
        return None;
    }
    message["executable"].as_str().map(PathBuf::from)
}

/// Writes a report as a page for people and as JSON for programs.
pub fn record(folder: &Path, name: &str, page: &str, report: &impl Serialize) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let json = serde_json::to_string_pretty(report)? + "\n";
    for (ending, text) in [("md", page), ("json", &json)] {
        let path = folder.join(name).with_extension(ending);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// A path for the head of a report. Absolute paths show only their last part.
#[must_use]
pub fn shown(path: &Path) -> String {
    match path.file_name() {
        Some(name) if path.is_absolute() => name.to_string_lossy().into_owned(),
        _ => path.display().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_is_distinguished_from_the_library_of_the_same_name() {
        let library =
            r#"{"reason":"compiler-artifact","target":{"name":"zgram"},"executable":null}"#;
        let program =
            r#"{"reason":"compiler-artifact","target":{"name":"zgram"},"executable":"/t/zgram"}"#;
        assert_eq!(executable_of_message(library, "zgram"), None);
        assert_eq!(executable_of_message(program, "zgram"), Some(PathBuf::from("/t/zgram")));
        assert_eq!(executable_of_message(program, "zgram-raw"), None);
        assert_eq!(executable_of_message("warning: not JSON", "zgram"), None);
    }

    #[test]
    fn both_records_are_written() {
        let folder = tempfile::TempDir::new().unwrap();
        let target = folder.path().join("benchmarks/record");
        record(&target, "compress", "# Page\n", &[1, 2]).unwrap();
        let json = fs::read(target.join("compress.json")).unwrap();
        assert_eq!(serde_json::from_slice::<[u8; 2]>(&json).unwrap(), [1, 2]);
        assert_eq!(fs::read_to_string(target.join("compress.md")).unwrap(), "# Page\n");
    }
}
