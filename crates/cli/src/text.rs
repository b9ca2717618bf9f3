//! Document names on their way to a person or a program.

use std::fmt::Write;

/// `name` for a terminal: control characters, and what is not Unicode, are made visible, so that
/// no name can move the cursor or change the colours.
pub(crate) fn visible(name: &[u8]) -> String {
    let mut out = String::with_capacity(name.len());
    for chunk in name.utf8_chunks() {
        for letter in chunk.valid().chars() {
            if is_safe(letter) {
                out.push(letter);
            } else {
                out.extend(letter.escape_default());
            }
        }
        for byte in chunk.invalid() {
            write!(out, "\\x{byte:02x}").expect("memory takes what is written");
        }
    }
    out
}

/// A message for a terminal, of one or several lines.
pub(crate) fn visible_lines(message: &str) -> String {
    let lines: Vec<String> = message.lines().map(|line| visible(line.as_bytes())).collect();
    lines.join("\n")
}

/// Whether a character shows as itself: no control, and nothing that turns the writing direction.
fn is_safe(letter: char) -> bool {
    let turns = matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    !letter.is_control() && !turns
}

/// `name` as a field of a TSV line: tab, line ends and backslash escaped, all else as it is.
pub(crate) fn tsv_field(name: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(name.len());
    for &byte in name {
        match byte {
            b'\t' => out.extend(b"\\t"),
            b'\n' => out.extend(b"\\n"),
            b'\r' => out.extend(b"\\r"),
            b'\\' => out.extend(b"\\\\"),
            other => out.push(other),
        }
    }
    out
}

/// Bytes as pairs of hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_reaches_the_terminal_but_what_can_be_seen() {
        assert_eq!(visible("größe 語.txt".as_bytes()), "größe 語.txt");
        assert_eq!(visible(b"a\x1b[31m\nb\x7f"), "a\\u{1b}[31m\\nb\\u{7f}");
        assert_eq!(visible(b"\xff\xc3("), "\\xff\\xc3(");
        assert_eq!(visible("a\u{202e}b".as_bytes()), "a\\u{202e}b");
        assert_eq!(visible_lines("a\x07\nb"), "a\\u{7}\nb");
    }

    #[test]
    fn a_field_stays_on_its_line() {
        assert_eq!(tsv_field(b"a\tb\nc\\d\r\xff"), b"a\\tb\\nc\\\\d\\r\xff");
    }
}
