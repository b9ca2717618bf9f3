//! The bytes around the text of a JSON line.

use super::literal::{self, StringStyle};
use super::scan;
use std::ops::Range;

/// The bytes of a JSON Lines file that belong to a document but are not its text.
///
/// The document's part of the file is `prefix`, the text as a string literal in `style`, and `suffix`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Envelope<'a> {
    /// The bytes before the literal. For the first document they include a byte order mark and the
    /// blank lines at the beginning of the file.
    pub prefix: &'a [u8],
    /// The bytes after the literal, with the end of the line and the blank lines that follow.
    pub suffix: &'a [u8],
    /// How the literal is escaped.
    pub style: StringStyle,
    /// The literal with its quotes if the style is [`StringStyle::Raw`]; otherwise empty.
    pub literal: &'a [u8],
}

impl<'a> Envelope<'a> {
    /// The envelope of the literal at `range` in `block`, which decodes to `text`.
    pub(super) fn around(block: &'a [u8], range: Range<usize>, text: &[u8]) -> Self {
        let literal = &block[range.clone()];
        let style = StringStyle::of(literal, text);
        Self {
            prefix: &block[..range.start],
            suffix: &block[range.end..],
            style,
            literal: if style == StringStyle::Raw { literal } else { &[] },
        }
    }

    /// The envelope of a file without documents.
    pub(super) fn of_nothing(blank: &'a [u8]) -> Self {
        Self { prefix: blank, suffix: &[], style: StringStyle::Raw, literal: &[] }
    }

    /// Appends to `out` the bytes of the file that this document came from.
    ///
    /// If `text` was edited since the document was read, the literal is written again: in its old style,
    /// or in the minimal style if it had no known one.
    pub fn restore(&self, text: &[u8], out: &mut Vec<u8>) {
        out.extend_from_slice(self.prefix);
        if self.keeps_literal_of(text) {
            out.extend_from_slice(self.literal);
        } else {
            literal::encode(text, self.style, out);
        }
        out.extend_from_slice(self.suffix);
    }

    fn keeps_literal_of(&self, text: &[u8]) -> bool {
        if self.style == StringStyle::Raw && self.literal.is_empty() {
            return text.is_empty();
        }
        // An envelope from a damaged file may hold anything.
        if self.style != StringStyle::Raw || !scan::is_string(self.literal) {
            return false;
        }
        let mut original = Vec::new();
        literal::decode(self.literal, &mut original);
        original == text
    }
}
