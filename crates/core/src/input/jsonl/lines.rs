//! Reads the lines of a stream with their terminators, each up to a limit.

use std::io::{self, BufRead, BufReader, ErrorKind, Read};

const BUFFER: usize = 1 << 17;

/// Why there is no next line.
#[derive(Debug)]
pub(super) enum LineError {
    Io(io::Error),
    TooLong,
}

/// Reads and counts lines.
pub(super) struct Lines<R> {
    reader: BufReader<R>,
    number: u64,
}

impl<R: Read> Lines<R> {
    pub(super) fn new(reader: R) -> Self {
        Self { reader: BufReader::with_capacity(BUFFER, reader), number: 0 }
    }

    /// The number of the line read last, from 1; 0 before the first.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Appends the next line to `line`; false at the end of the stream.
    pub(super) fn next(&mut self, line: &mut Vec<u8>, limit: usize) -> Result<bool, LineError> {
        self.number += 1;
        let before = line.len();
        loop {
            let available = match self.reader.fill_buf() {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                other => other.map_err(LineError::Io)?,
            };
            let found = memchr::memchr(b'\n', available);
            let count = found.map_or(available.len(), |at| at + 1);
            if line.len() - before + count > limit {
                return Err(LineError::TooLong);
            }
            line.extend_from_slice(&available[..count]);
            self.reader.consume(count);
            if found.is_some() || count == 0 {
                return Ok(line.len() > before);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_their_terminators() {
        let mut lines = Lines::new(&b"a\r\n\nb"[..]);
        let mut all = Vec::new();
        loop {
            let mut line = Vec::new();
            if !lines.next(&mut line, 10).unwrap() {
                break;
            }
            all.push((lines.number(), line));
        }
        assert_eq!(all, [(1, b"a\r\n".to_vec()), (2, b"\n".to_vec()), (3, b"b".to_vec())]);
    }

    #[test]
    fn a_line_over_the_limit_is_refused() {
        let mut line = Vec::new();
        assert!(Lines::new(&b"1234\n"[..]).next(&mut line, 5).unwrap());
        let refused = Lines::new(&b"12345\n"[..]).next(&mut line, 5);
        assert!(matches!(refused, Err(LineError::TooLong)));
    }
}
