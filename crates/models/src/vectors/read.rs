//! Reads vectors in word2vec's two formats, whichever it is.
//!
//! The first row decides: it is text if it is a line of a word and as many numbers as the header says.
//! Nothing is trusted: memory grows with what is read, not with what the header promises.

use super::WordVectors;
use std::io::{self, BufRead};

/// Why a file of vectors cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VectorsError {
    /// The first line is not two numbers.
    #[error(
        "this is no file of word vectors: its first line must be the number of words and the size"
    )]
    NoHeader,
    /// The header promises vectors of no or too many numbers.
    #[error("vectors of {size} numbers are not possible; the most are {most}")]
    BadSize {
        /// The numbers of a vector, by the header.
        size: u64,
        /// The most that are possible.
        most: usize,
    },
    /// A row is not a word and its vector.
    #[error("row {row}: {what}")]
    BadRow {
        /// The row's number, from 1; the header is not counted.
        row: u64,
        /// What is wrong.
        what: &'static str,
    },
    /// There are fewer rows than the header promises.
    #[error("there are {found} rows of the {expected} that the first line promises")]
    Truncated {
        /// The complete rows.
        found: u64,
        /// The rows by the header.
        expected: u64,
    },
    /// The file cannot be read.
    #[error("cannot read the vectors: {0}")]
    Input(#[from] io::Error),
}

/// The longest line before the first vector, and the longest word.
const LONGEST: usize = 1 << 16;
/// The most numbers of a vector that is read.
const MOST: usize = 1 << 20;

impl WordVectors {
    /// Reads vectors in either of word2vec's formats.
    ///
    /// # Errors
    /// When `input` fails, or is no such file.
    pub fn read(mut input: impl BufRead) -> Result<Self, VectorsError> {
        let (words, size) = header(&mut input)?;
        let mut vectors = Self { size, ..Self::default() };
        // The rows are read through a buffer that can be looked at: a line of text is short enough.
        let mut first = Vec::new();
        let most = (LONGEST + size.saturating_mul(64)) as u64;
        io::Read::take(&mut input, most).read_until(b'\n', &mut first)?;
        let is_text = words == 0 || text_row(&first, &mut vectors).is_ok();
        if is_text {
            read_text(&mut input, words, &mut vectors)?;
        } else {
            read_binary(&mut io::Read::chain(&first[..], input), words, &mut vectors)?;
        }
        Ok(vectors)
    }

    fn push(&mut self, word: &[u8]) {
        self.text.extend_from_slice(word);
        self.ends.push(self.text.len());
    }
}

/// The number of words and the size.
fn header(input: &mut impl BufRead) -> Result<(u64, usize), VectorsError> {
    let mut line = Vec::new();
    io::Read::take(&mut *input, 64).read_until(b'\n', &mut line)?;
    let line = std::str::from_utf8(&line).map_err(|_| VectorsError::NoHeader)?;
    let mut parts = line.strip_suffix('\n').unwrap_or_default().split_ascii_whitespace();
    let mut number = || parts.next().and_then(|part| part.parse::<u64>().ok());
    let (Some(words), Some(size), None) = (number(), number(), parts.next()) else {
        return Err(VectorsError::NoHeader);
    };
    match usize::try_from(size) {
        Ok(fitting @ 1..=MOST) => Ok((words, fitting)),
        _ => Err(VectorsError::BadSize { size, most: MOST }),
    }
}

/// Adds a line of text; leaves `vectors` as it was if it is none.
fn text_row(line: &[u8], vectors: &mut WordVectors) -> Result<(), &'static str> {
    let before = vectors.numbers.len();
    let line = line.trim_ascii_end();
    let space = line.iter().position(|&byte| byte == b' ').ok_or("it has no numbers")?;
    let numbers = std::str::from_utf8(&line[space..]).map_err(|_| "its numbers are not text")?;
    let parsed = numbers.split_ascii_whitespace().try_for_each(|number| {
        vectors.numbers.push(number.parse().map_err(|_| "a number is malformed")?);
        Ok(())
    });
    let fits = parsed.and_then(|()| match vectors.numbers.len() - before == vectors.size {
        true => Ok(()),
        false => Err("it has another number of numbers than the first line promises"),
    });
    if fits.is_err() {
        vectors.numbers.truncate(before);
        return fits;
    }
    vectors.push(&line[..space]);
    Ok(())
}

fn read_text(
    input: &mut impl BufRead,
    words: u64,
    vectors: &mut WordVectors,
) -> Result<(), VectorsError> {
    let mut line = Vec::new();
    for row in vectors.len() as u64..words {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Err(VectorsError::Truncated { found: row, expected: words });
        }
        text_row(&line, vectors).map_err(|what| VectorsError::BadRow { row: row + 1, what })?;
    }
    Ok(())
}

fn read_binary(
    input: &mut impl BufRead,
    words: u64,
    vectors: &mut WordVectors,
) -> Result<(), VectorsError> {
    let mut word = Vec::new();
    let mut bytes = vec![0; vectors.size * size_of::<f32>()];
    for row in 0..words {
        word.clear();
        io::Read::take(&mut *input, LONGEST as u64).read_until(b' ', &mut word)?;
        let truncated = VectorsError::Truncated { found: row, expected: words };
        if word.pop() != Some(b' ') {
            return Err(match word.len() + 1 < LONGEST {
                true => truncated,
                false => VectorsError::BadRow { row: row + 1, what: "its word does not end" },
            });
        }
        match input.read_exact(&mut bytes) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Err(truncated),
            read => read?,
        }
        // word2vec.c ends rows with a line end, and gensim does not.
        vectors.push(word.strip_prefix(b"\n").unwrap_or(&word));
        let (numbers, _) = bytes.as_chunks::<4>();
        vectors.numbers.extend(numbers.iter().map(|&bytes| f32::from_le_bytes(bytes)));
    }
    Ok(())
}
