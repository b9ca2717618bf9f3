//! Writes vectors in word2vec's two formats.
//!
//! Both begin with a line of the number of words and the size. A text line is a word and its numbers,
//! separated by spaces; a binary row is a word, a space, the numbers as little-endian floats, and a line
//! end, as word2vec.c writes it. Neither format has a way to write a space in a word. Words of zgram
//! contain none, except where the normal form NFKC takes a letter apart into several words; their spaces
//! become `␣`, which no word contains.

use super::WordVectors;
use std::borrow::Cow;
use std::io::{self, Write};

/// One of word2vec's two formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VectorFormat {
    /// Numbers as text, in the fewest digits that give the same numbers back.
    Text,
    /// Numbers as 32-bit floats.
    Binary,
}

impl WordVectors {
    /// Writes all words and vectors.
    ///
    /// # Errors
    /// When `out` fails.
    pub fn write(&self, format: VectorFormat, mut out: impl Write) -> io::Result<()> {
        writeln!(out, "{} {}", self.len(), self.size())?;
        let mut row = Vec::new();
        for at in 0..self.len() {
            row.clear();
            row.extend_from_slice(&without_spaces(self.word(at)));
            match format {
                VectorFormat::Text => {
                    for number in self.vector(at) {
                        write!(row, " {number}")?;
                    }
                }
                VectorFormat::Binary => {
                    row.push(b' ');
                    row.extend(self.vector(at).iter().flat_map(|number| number.to_le_bytes()));
                }
            }
            row.push(b'\n');
            out.write_all(&row)?;
        }
        out.flush()
    }
}

/// The word with what would end it replaced.
fn without_spaces(word: &[u8]) -> Cow<'_, [u8]> {
    let ends = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0x0B;
    if !word.iter().any(ends) {
        return Cow::Borrowed(word);
    }
    word.split(ends).collect::<Vec<_>>().join("␣".as_bytes()).into()
}
