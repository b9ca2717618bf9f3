//! Decodes JSON string literals to text, and encodes text as literals.
//!
//! Escaping is not unique, so the text does not determine the literal. Nearly all programs escape in
//! one of two styles. These are recognised, and their literals need not be stored.

use bstr::decode_utf8;

/// How a string literal is escaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StringStyle {
    /// Only `"`, `\` and control characters are escaped: `\b \f \n \r \t`, the others as `\u00xx`
    /// in lower case. The style of `serde_json`, JavaScript's `JSON.stringify` and
    /// Python's `ensure_ascii=False`.
    Minimal,
    /// As `Minimal`, and DEL and everything beyond ASCII as `\uxxxx` in lower case, in surrogate
    /// pairs where needed. The style of Python's `json.dumps`.
    Ascii,
    /// Any other style: the literal itself is stored.
    Raw,
}

impl StringStyle {
    /// The style that writes `text` as exactly `literal`.
    pub(super) fn of(literal: &[u8], text: &[u8]) -> Self {
        if text.len() + 2 == literal.len() {
            // Every escape is longer than the character it means, so there is none.
            Self::Minimal
        } else {
            [Self::Minimal, Self::Ascii]
                .into_iter()
                .find(|style| style.writes(text, literal))
                .unwrap_or(Self::Raw)
        }
    }

    fn writes(self, text: &[u8], literal: &[u8]) -> bool {
        let mut rest = literal;
        let matched = pieces(text, self, |piece| match rest.strip_prefix(piece) {
            Some(after) => {
                rest = after;
                true
            }
            None => false,
        });
        matched && rest.is_empty()
    }
}

/// Appends `text` as a literal. [`StringStyle::Raw`] has no rules and is encoded as `Minimal`.
///
/// Text that is not UTF-8 has no JSON form: `Minimal` copies its bytes, `Ascii` writes `\ufffd`.
pub(super) fn encode(text: &[u8], style: StringStyle, out: &mut Vec<u8>) {
    pieces(text, style, |piece| {
        out.extend_from_slice(piece);
        true
    });
}

/// Feeds the literal for `text` to `emit`, piece by piece, until that returns false.
fn pieces(text: &[u8], style: StringStyle, mut emit: impl FnMut(&[u8]) -> bool) -> bool {
    let ascii = style == StringStyle::Ascii;
    let is_plain =
        |byte: u8| byte >= b' ' && byte != b'"' && byte != b'\\' && !(ascii && byte >= 0x7f);
    if !emit(b"\"") {
        return false;
    }
    let mut rest = text;
    loop {
        let plain = rest.iter().position(|&byte| !is_plain(byte)).unwrap_or(rest.len());
        if plain > 0 && !emit(&rest[..plain]) {
            return false;
        }
        rest = &rest[plain..];
        if rest.is_empty() {
            return emit(b"\"");
        }
        let (character, len) = decode_utf8(rest);
        if !emit_escape(character.unwrap_or(char::REPLACEMENT_CHARACTER), &mut emit) {
            return false;
        }
        rest = &rest[len..];
    }
}

fn emit_escape(character: char, emit: &mut impl FnMut(&[u8]) -> bool) -> bool {
    match character {
        '"' => emit(b"\\\""),
        '\\' => emit(b"\\\\"),
        '\u{8}' => emit(b"\\b"),
        '\u{c}' => emit(b"\\f"),
        '\n' => emit(b"\\n"),
        '\r' => emit(b"\\r"),
        '\t' => emit(b"\\t"),
        other => other.encode_utf16(&mut [0; 2]).iter().all(|&unit| {
            let digit = |shift: u32| b"0123456789abcdef"[usize::from(unit >> shift & 15)];
            emit(&[b'\\', b'u', digit(12), digit(8), digit(4), digit(0)])
        }),
    }
}

/// Appends the text of a valid `literal`, quotes included.
///
/// An unpaired surrogate, which JSON allows and UTF-8 does not, becomes three bytes as in WTF-8.
pub(super) fn decode(literal: &[u8], out: &mut Vec<u8>) {
    let mut rest = &literal[1..literal.len() - 1];
    while let Some(at) = memchr::memchr(b'\\', rest) {
        out.extend_from_slice(&rest[..at]);
        let escape = rest[at + 1];
        rest = &rest[at + 2..];
        out.push(match escape {
            b'b' => 0x08,
            b'f' => 0x0c,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => {
                rest = decode_unicode(rest, out);
                continue;
            }
            itself => itself,
        });
    }
    out.extend_from_slice(rest);
}

/// Appends the character whose `\u` was read last. Returns what follows its digits.
fn decode_unicode<'l>(digits: &'l [u8], out: &mut Vec<u8>) -> &'l [u8] {
    let high = code_unit(digits);
    let rest = &digits[4..];
    if let Some(second) = rest.strip_prefix(b"\\u")
        && let Some(Ok(character)) = char::decode_utf16([high, code_unit(second)]).next()
        && character.len_utf16() == 2
    {
        out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        return &second[4..];
    }
    match char::from_u32(u32::from(high)) {
        Some(character) => {
            out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        }
        None => out.extend([
            0xe0 | (high >> 12) as u8,
            0x80 | (high >> 6 & 0x3f) as u8,
            0x80 | (high & 0x3f) as u8,
        ]),
    }
    rest
}

/// The number written as the four hexadecimal digits at the beginning of `digits`.
fn code_unit(digits: &[u8]) -> u16 {
    digits[..4].iter().fold(0, |unit, &digit| {
        let value = char::from(digit).to_digit(16).expect("the scanner has checked the digits");
        unit << 4 | value as u16
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(literal: &str) -> Vec<u8> {
        let mut text = Vec::new();
        decode(literal.as_bytes(), &mut text);
        text
    }

    fn style(literal: &str) -> StringStyle {
        StringStyle::of(literal.as_bytes(), &decoded(literal))
    }

    #[test]
    fn decodes_every_escape() {
        assert_eq!(decoded(r#""\"\\\/\b\f\n\r\tA""#), b"\"\\/\x08\x0c\n\r\tA");
        assert_eq!(decoded(r#""\u00e9\u00E9\ud83d\ude00x""#), "éé😀x".as_bytes());
    }

    #[test]
    fn half_pairs_become_wtf8() {
        assert_eq!(decoded(r#""\ud800""#), b"\xed\xa0\x80");
        assert_eq!(decoded(r#""\ude00\ud83d""#), b"\xed\xb8\x80\xed\xa0\xbd");
        assert_eq!(decoded(r#""\ud83d\ud83d\ude00""#), b"\xed\xa0\xbd\xf0\x9f\x98\x80");
        assert_eq!(decoded(r#""\ud83dA""#), b"\xed\xa0\xbdA");
        assert_eq!(style(r#""\ud800""#), StringStyle::Raw);
    }

    #[test]
    fn styles_are_recognised() {
        assert_eq!(style(r#""""#), StringStyle::Minimal);
        assert_eq!(style("\"é \u{7f}\""), StringStyle::Minimal);
        assert_eq!(style(r#""a\n\u001f""#), StringStyle::Minimal);
        assert_eq!(style(r#""\u00e9\ud83d\ude00\u007f\n""#), StringStyle::Ascii);
        assert_eq!(style(r#""\u00E9""#), StringStyle::Raw);
        assert_eq!(style(r#""a\/b""#), StringStyle::Raw);
        assert_eq!(style(r#""é\u00e9""#), StringStyle::Raw);
        assert_eq!(style(r#""\u000a""#), StringStyle::Raw);
    }

    #[test]
    fn minimal_is_what_serde_json_writes() {
        let text: String = (0..0x3000).filter_map(char::from_u32).collect();
        let mut literal = Vec::new();
        encode(text.as_bytes(), StringStyle::Minimal, &mut literal);
        assert_eq!(literal, serde_json::to_vec(&text).unwrap());
    }
}
