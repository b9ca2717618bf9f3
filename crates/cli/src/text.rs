//! Document names, and messages that contain them, made safe to print.

use std::fmt::Write;

/// `name` for a terminal: control characters, line ends, invisible characters and bytes that are not
/// Unicode are escaped, so that no name can move the cursor, change colours or forge a line.
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

/// A JSON text of one line for a terminal. The escapes are JSON's own, so the value stays the same.
pub(crate) fn visible_json(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        if is_safe(letter) {
            out.push(letter);
        } else {
            for unit in letter.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}").expect("memory takes what is written");
            }
        }
    }
    out
}

/// Whether a character shows as itself. Controls do not, nor do line and paragraph separators,
/// invisible characters, and those that change the writing direction.
fn is_safe(letter: char) -> bool {
    let is_hidden = matches!(
        letter,
        '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
    );
    !letter.is_control() && !is_hidden
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
        assert_eq!(
            visible("a\u{2028}b\u{200b}c\u{feff}".as_bytes()),
            "a\\u{2028}b\\u{200b}c\\u{feff}"
        );
        // Joiners belong to the spelling of some languages.
        assert_eq!(visible("می\u{200c}خواهم".as_bytes()), "می\u{200c}خواهم");
    }

    #[test]
    fn json_keeps_its_value() {
        let text = "{\"a\":\"\u{9b}\u{202e}ö\u{e0001}\"}";
        let shown = visible_json(text);
        assert_eq!(shown, "{\"a\":\"\\u009b\\u202eö\u{e0001}\"}");
        let value = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(value(&shown), value(text));
    }

    #[test]
    fn a_field_stays_on_its_line() {
        assert_eq!(tsv_field(b"a\tb\nc\\d\r\xff"), b"a\\tb\\nc\\\\d\\r\xff");
    }
}
