//! JSON Lines: every line is a document, and every byte around the text is stored.
//!
//! A file is divided into blocks, one per document: its line and the blank lines after it (for the first
//! document also a byte order mark and the blank lines before it). A scanner checks the whole line and
//! locates the string literal of the text. The bytes before and after it become the [`Envelope`]. So the
//! restored blocks, one after another, are the file. A file without any document becomes one document
//! without text, line 0, so that it comes back too.

mod envelope;
mod lines;
mod literal;
mod scan;

pub use envelope::Envelope;
pub use literal::StringStyle;

use super::failures::{Layer, Watch};
use super::{DocumentHead, InputError, Visitor};
use lines::{LineError, Lines};
use std::io::Read;

/// The longest line, with the blank lines around it; a longer one is hardly JSON Lines.
pub(super) const LONGEST_LINE: usize = 1 << 30;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Which lines to expect and what to take from them.
#[derive(Clone, Copy)]
pub(super) struct Format<'a> {
    /// The field that holds the text.
    pub(super) field: &'a str,
    /// Most bytes of a line, with the blank lines around it.
    pub(super) longest_line: usize,
}

/// Hands every line of `content` to `visitor` as a document with the text of its field.
pub(super) fn read<V: Visitor>(
    content: &mut dyn Read,
    file_name: &[u8],
    lines: Format<'_>,
    watch: &Watch<'_>,
    visitor: &mut V,
) -> Result<(), V::Error> {
    let mut blocks = Blocks::new(content, lines.longest_line, watch);
    let mut text = Vec::new();
    let mut found = false;
    while let Some(block) = blocks.next()? {
        watch.progress().check().map_err(InputError::from)?;
        let literal = block.locate(lines.field, watch)?;
        text.clear();
        literal::decode(&block.bytes[literal.clone()], &mut text);
        let name = [file_name, b":", block.line.to_string().as_bytes()].concat();
        let head = DocumentHead {
            name: &name,
            size: Some(text.len() as u64),
            envelope: Some(Envelope::around(block.bytes, literal, &text)),
        };
        visitor.document(head, &mut &text[..])?;
        found = true;
    }
    if !found {
        let name = [file_name, b":0"].concat();
        let envelope = Envelope::of_nothing(&blocks.block);
        let head = DocumentHead { name: &name, size: Some(0), envelope: Some(envelope) };
        visitor.document(head, &mut &[][..])?;
    }
    Ok(())
}

/// One document's part of a file.
struct Block<'b> {
    bytes: &'b [u8],
    /// Where the JSON begins. Only blank lines and a byte order mark precede it.
    json: usize,
    /// Where the line of the JSON begins.
    line_start: usize,
    /// The number of that line, from 1.
    line: u64,
}

impl Block<'_> {
    /// The range of the string literal that `field` has in this block.
    fn locate(&self, field: &str, watch: &Watch<'_>) -> Result<std::ops::Range<usize>, InputError> {
        let json = &self.bytes[self.json..];
        let located = std::str::from_utf8(json)
            .map_err(|error| scan::Problem {
                at: error.valid_up_to(),
                reason: "invalid UTF-8; JSON Lines must be UTF-8".to_owned(),
            })
            .and_then(|_| scan::locate(json, field));
        match located {
            Ok(range) => Ok(self.json + range.start..self.json + range.end),
            Err(problem) => Err(InputError::Jsonl {
                path: watch.path().to_path_buf(),
                line: self.line,
                column: (self.json + problem.at - self.line_start) as u64 + 1,
                reason: problem.reason,
            }),
        }
    }
}

/// Divides a file into [`Block`]s.
struct Blocks<'c, 'w> {
    lines: Lines<&'c mut dyn Read>,
    watch: &'w Watch<'w>,
    limit: usize,
    /// The current block; for a file without documents, at its end, all of it.
    block: Vec<u8>,
    /// The line after the block, which begins the next one.
    ahead: Vec<u8>,
    /// Whether the file has ended and `ahead` is empty.
    ended: bool,
}

impl<'c, 'w> Blocks<'c, 'w> {
    fn new(content: &'c mut dyn Read, limit: usize, watch: &'w Watch<'w>) -> Self {
        let lines = Lines::new(content);
        Self { lines, watch, limit, block: Vec::new(), ahead: Vec::new(), ended: false }
    }

    fn next(&mut self) -> Result<Option<Block<'_>>, InputError> {
        self.block.clear();
        if self.lines.number() == 0 {
            self.read_ahead()?;
        }
        self.gather_blank_lines()?;
        if self.ended {
            return Ok(None);
        }
        let line = self.lines.number();
        let line_start = self.block.len();
        let json = line_start + mark_len(line, &self.ahead);
        self.take_ahead()?;
        self.read_ahead()?;
        self.gather_blank_lines()?;
        Ok(Some(Block { bytes: &self.block, json, line_start, line }))
    }

    /// Moves blank lines from `ahead` to the end of the block.
    fn gather_blank_lines(&mut self) -> Result<(), InputError> {
        while !self.ended && is_blank(&self.ahead[mark_len(self.lines.number(), &self.ahead)..]) {
            self.take_ahead()?;
            self.read_ahead()?;
        }
        Ok(())
    }

    /// Moves the line in `ahead` to the end of the block.
    fn take_ahead(&mut self) -> Result<(), InputError> {
        if self.block.is_empty() {
            std::mem::swap(&mut self.block, &mut self.ahead);
        } else if self.block.len() + self.ahead.len() > self.limit {
            return Err(self.too_long());
        } else {
            self.block.extend_from_slice(&self.ahead);
        }
        Ok(())
    }

    fn read_ahead(&mut self) -> Result<(), InputError> {
        self.ahead.clear();
        match self.lines.next(&mut self.ahead, self.limit) {
            Ok(found) => {
                self.ended = !found;
                Ok(())
            }
            Err(LineError::Io(source)) => Err(self.watch.error(Layer::Raw, source)),
            Err(LineError::TooLong) => Err(self.too_long()),
        }
    }

    fn too_long(&self) -> InputError {
        InputError::LineTooLong {
            path: self.watch.path().to_path_buf(),
            line: self.lines.number(),
            limit: self.limit as u64,
        }
    }
}

/// The length of the byte order mark at the beginning of a file's first line.
fn mark_len(line_number: u64, line: &[u8]) -> usize {
    if line_number == 1 && line.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 }
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::Silent;

    #[test]
    fn a_block_over_the_limit_is_refused_at_its_line() {
        let refused = |file: &[u8]| {
            let watch = Watch::new("f".into(), &Silent);
            let mut content = file;
            let mut blocks = Blocks::new(&mut content, 8, &watch);
            loop {
                match blocks.next() {
                    Ok(Some(block)) => assert!(block.bytes.len() <= 8),
                    Ok(None) => return None,
                    Err(InputError::LineTooLong { line, limit: 8, .. }) => return Some(line),
                    Err(other) => panic!("{other}"),
                }
            }
        };
        assert_eq!(refused(b"1234567\n1234567\n"), None);
        assert_eq!(refused(b"123\n12345678\n"), Some(2));
        assert_eq!(refused(b"1\n\n\n\n\n\n\n\n\n"), Some(8));
        assert_eq!(refused(b"\n\n\n\n\n\n\n\n\n1\n"), Some(9));
    }
}
