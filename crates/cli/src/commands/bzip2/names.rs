//! Names of compressed files and of what is in them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What names of compressed files end with, and what their files' names end with instead.
const ENDINGS: [(&str, &str); 4] = [(".bz2", ""), (".bz", ""), (".tbz2", ".tar"), (".tbz", ".tar")];

pub(super) fn ending_of(path: &Path) -> Option<(&'static str, &'static str)> {
    let bytes = path.as_os_str().as_encoded_bytes();
    ENDINGS.into_iter().find(|(ending, _)| bytes.ends_with(ending.as_bytes()))
}

/// The name of the compressed form of a file.
pub(super) fn packed(path: &Path) -> PathBuf {
    with_ending(path, ".bz2")
}

/// The name of what a compressed file holds; `None` if its name does not end as such names do.
pub(super) fn unpacked(path: &Path) -> Option<PathBuf> {
    let (ending, instead) = ending_of(path)?;
    // All endings are ASCII, so the rest is as well-formed as the whole.
    let stem = path.to_str().map(|text| &text[..text.len() - ending.len()]);
    Some(match stem {
        Some(stem) => format!("{stem}{instead}").into(),
        None => strip(path, ending, instead).into(),
    })
}

/// The name with something added to its end.
pub(super) fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    name.into()
}

/// The name without its ending, where it is not text.
#[cfg(unix)]
fn strip(path: &Path, ending: &str, instead: &str) -> OsString {
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    let bytes = path.as_os_str().as_bytes();
    OsString::from_vec([&bytes[..bytes.len() - ending.len()], instead.as_bytes()].concat())
}

#[cfg(not(unix))]
fn strip(path: &Path, _: &str, _: &str) -> OsString {
    // No way to cut such a name; bzip2's answer to a name it cannot undo.
    let mut name = path.as_os_str().to_owned();
    name.push(".out");
    name
}
