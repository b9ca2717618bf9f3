//! Whether two answers have the same rows, whatever their order.
//!
//! Each row is hashed to 128 bits and the hashes are added up, so that answers far larger than
//! memory are compared in one pass.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use anyhow::{Context, Result};
use xxhash_rust::xxh3::xxh3_128;

/// A fingerprint of an answer that does not depend on the order of its rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Digest {
    /// How many rows there are.
    pub rows: u64,
    sum: u128,
}

impl Digest {
    /// Reads a file of rows, a line each.
    pub fn of_file(path: &Path) -> Result<Self> {
        let failed = || format!("cannot read the answer {}", path.display());
        let mut reader = BufReader::with_capacity(1 << 20, File::open(path).with_context(failed)?);
        let mut digest = Self::default();
        let mut line = Vec::new();
        while reader.read_until(b'\n', &mut line).with_context(failed)? > 0 {
            digest.add(line.strip_suffix(b"\n").unwrap_or(&line));
            line.clear();
        }
        Ok(digest)
    }

    fn add(&mut self, row: &[u8]) {
        self.rows += 1;
        self.sum = self.sum.wrapping_add(xxh3_128(row));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(text: &str) -> Digest {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        Digest::of_file(file.path()).unwrap()
    }

    #[test]
    fn order_does_not_matter_and_all_else_does() {
        let one = digest("a\t1\nb\t2\nb\t2\n");
        assert_eq!(one.rows, 3);
        assert_eq!(one, digest("b\t2\na\t1\nb\t2\n"));
        assert_eq!(one, digest("b\t2\na\t1\nb\t2"), "the last line need not end");
        for other in ["a\t1\nb\t2\n", "a\t1\na\t1\nb\t2\n", "a\t1\nb\t2\nb\t3\n", ""] {
            assert_ne!(one, digest(other), "{other:?}");
        }
    }
}
