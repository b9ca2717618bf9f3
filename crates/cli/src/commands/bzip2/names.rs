//! Names of compressed and decompressed files.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Endings of compressed files, and the endings of their decompressed forms.
const ENDINGS: [(&str, &str); 4] = [(".bz2", ""), (".bz", ""), (".tbz2", ".tar"), (".tbz", ".tar")];

pub(super) fn ending_of(path: &Path) -> Option<(&'static str, &'static str)> {
    let bytes = path.as_os_str().as_encoded_bytes();
    ENDINGS.into_iter().find(|(ending, _)| bytes.ends_with(ending.as_bytes()))
}

/// The name of the compressed form of a file.
pub(super) fn packed(path: &Path) -> PathBuf {
    with_ending(path, ".bz2")
}

/// The name of the decompressed form of a file; `None` if its name has none of the endings.
pub(super) fn unpacked(path: &Path) -> Option<PathBuf> {
    let (ending, instead) = ending_of(path)?;
    // All endings are ASCII, so cutting one off leaves valid text.
    let stem = path.to_str().map(|text| &text[..text.len() - ending.len()]);
    Some(match stem {
        Some(stem) => format!("{stem}{instead}").into(),
        None => strip(path, ending, instead).into(),
    })
}

/// The name with an ending added.
pub(super) fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    name.into()
}

/// Replaces the ending of a name that is not valid Unicode.
#[cfg(unix)]
fn strip(path: &Path, ending: &str, instead: &str) -> OsString {
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    let bytes = path.as_os_str().as_bytes();
    OsString::from_vec([&bytes[..bytes.len() - ending.len()], instead.as_bytes()].concat())
}

#[cfg(not(unix))]
fn strip(path: &Path, _: &str, _: &str) -> OsString {
    // Such a name cannot be cut without knowing its encoding; do as for names without an ending.
    let mut name = path.as_os_str().to_owned();
    name.push(".out");
    name
}
