//! Turns document names into paths that stay below a folder.
//!
//! A corpus file may come from anyone, so a name that is not safe is refused. It is not repaired: a
//! repaired name could equal another one. Decompressing checks names before it writes anything, and
//! editing before it adds a name: one bad name keeps all documents from being decompressed.

use crate::error::UnusableName;
use std::path::PathBuf;

/// What an operating system allows in a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rules {
    /// Any bytes but NUL between slashes.
    Unix,
    /// No device names, no streams, no drives, no backslashes.
    Windows,
}

impl Rules {
    /// The rules of this system.
    pub(crate) const HERE: Self = if cfg!(windows) { Self::Windows } else { Self::Unix };

    /// Checks that `name` can be a path below a folder; the error says why not. No system accepts a
    /// longer path, so the check of its length also bounds the number of folders.
    pub(crate) fn check(self, name: &[u8]) -> Result<(), &'static str> {
        match name {
            [] => return Err("it is empty"),
            [b'/', ..] => return Err("it is absolute"),
            _ if name.contains(&0) => return Err("it has a NUL byte"),
            _ if name.len() > MOST_BYTES => return Err("it is longer than 4096 bytes"),
            _ => {}
        }
        name.split(|&byte| byte == b'/').try_for_each(|part| self.check_part(part))
    }

    fn check_part(self, part: &[u8]) -> Result<(), &'static str> {
        match part {
            b"" => Err("it has an empty part"),
            b"." => Err("it has a part `.`"),
            b".." => Err("it leads out of the folder by `..`"),
            _ if self == Self::Unix => Ok(()),
            _ if part.iter().any(|byte| *byte < 32 || br#"\<>:"|?*"#.contains(byte)) => {
                Err("it has a character that Windows does not allow")
            }
            [.., b'.' | b' '] => Err("a part ends with a dot or a space, which Windows drops"),
            _ if is_windows_device(part) => Err("it is the name of a Windows device"),
            _ => Ok(()),
        }
    }
}

/// The folders that a name is in, from the outermost on.
pub(crate) fn folders_of(name: &[u8]) -> impl Iterator<Item = &[u8]> {
    (0..name.len()).filter(|&at| name[at] == b'/').map(|at| &name[..at])
}

/// The error for a name that cannot be used.
pub(crate) fn unusable(name: &[u8], why: impl Into<String>) -> UnusableName {
    UnusableName { name: String::from_utf8_lossy(name).into_owned(), why: why.into() }
}

/// The error for two names of which one is the folder of the other.
pub(crate) fn file_and_folder(folder: &[u8], name: &[u8]) -> UnusableName {
    let name = String::from_utf8_lossy(name);
    unusable(folder, format!("it would be a file and the folder of {name}"))
}

/// Refuses a name that no file can have.
pub(crate) fn check(name: &[u8]) -> Result<(), UnusableName> {
    Rules::HERE.check(name).map_err(|why| unusable(name, why))
}

/// Longest name: what Linux allows for a path.
const MOST_BYTES: usize = 4096;

/// Whether Windows takes `part` for a device. It ignores the extension.
fn is_windows_device(part: &[u8]) -> bool {
    let stem = part.split(|&byte| byte == b'.').next().unwrap_or_default();
    let stem = stem.trim_ascii_end().to_ascii_uppercase();
    match &stem[..] {
        b"CON" | b"PRN" | b"AUX" | b"NUL" | b"CONIN$" | b"CONOUT$" => true,
        [b'C', b'O', b'M', rest @ ..] | [b'L', b'P', b'T', rest @ ..] => {
            matches!(rest, [b'0'..=b'9'] | [0xC2, 0xB2 | 0xB3 | 0xB9])
        }
        _ => false,
    }
}

/// Converts a checked name to a relative path.
///
/// # Errors
/// When paths of this system are Unicode and the name is not.
pub(crate) fn to_path(name: &[u8]) -> Result<PathBuf, &'static str> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        Ok(PathBuf::from(std::ffi::OsStr::from_bytes(name)))
    }
    #[cfg(not(unix))]
    {
        std::str::from_utf8(name)
            .map(PathBuf::from)
            .map_err(|_| "it is not Unicode, as paths must be on this system")
    }
}

/// The file that a line of JSON Lines came from: `file.jsonl` for `file.jsonl:17`.
pub(crate) fn file_of_line(name: &[u8]) -> Option<&[u8]> {
    let colon = name.iter().rposition(|&byte| byte == b':')?;
    Some(&name[..colon])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn harmless_names_pass_everywhere() {
        for name in ["a", "a/b.txt", "...", ".hidden", "a b/ü", "console.txt", "com10", "-"] {
            let windows = if name == "..." { Err(()) } else { Ok(()) };
            assert_eq!(Rules::Unix.check(name.as_bytes()), Ok(()), "{name}");
            assert_eq!(Rules::Windows.check(name.as_bytes()).map_err(|_| ()), windows, "{name}");
        }
    }

    #[test]
    fn what_leads_out_is_refused_everywhere() {
        for name in ["", "/", "/etc/passwd", "..", "../a", "a/../../b", "a//b", "a/", "./a", "a\0"]
        {
            assert!(Rules::Unix.check(name.as_bytes()).is_err(), "{name:?}");
            assert!(Rules::Windows.check(name.as_bytes()).is_err(), "{name:?}");
        }
    }

    #[test]
    fn endless_names_are_refused() {
        assert!(Rules::Unix.check(&b"a/".repeat(2047).as_slice()[..4093]).is_ok());
        assert!(Rules::Unix.check(&b"a/".repeat(30_000)).is_err());
    }

    #[test]
    fn windows_has_names_of_its_own() {
        for name in [
            "C:",
            "C:/a",
            "c:a",
            "a\\b",
            "..\\a",
            "CON",
            "con.txt",
            "a/NUL",
            "nul.tar.gz",
            "COM1",
            "lpt9.log",
            "aux ",
            "a.",
            "a?",
            "file:stream",
            "COM\u{b9}",
            "a\u{1f}",
        ] {
            assert!(Rules::Windows.check(name.as_bytes()).is_err(), "{name:?}");
            assert_eq!(Rules::Unix.check(name.as_bytes()), Ok(()), "{name:?}");
        }
    }

    #[test]
    fn lines_know_their_file() {
        assert_eq!(file_of_line(b"a:b.jsonl:17"), Some(&b"a:b.jsonl"[..]));
        assert_eq!(file_of_line(b"a.txt"), None);
    }
}
