//! Splits bytes into tokens, chunk by chunk.

use super::class::{TokenClass, class_of};

/// A longer word is divided into several, with an empty separator between them, so that a document that
/// is one endless word needs bounded memory.
pub const MAX_WORD: usize = 1 << 20;

/// A longer run of separator bytes is divided, so that the grammar can find the repetition inside it.
pub const MAX_SEPARATOR: usize = 256;

/// Splits one document at a time: [`push`](Self::push) its text, then [`finish`](Self::finish).
#[derive(Clone, Debug, Default)]
pub struct Splitter {
    /// The class before the current position, `None` at the start of a document.
    previous: Option<TokenClass>,
    /// A single space was read after a spaced word. It is implied if a spaced word follows.
    pending_space: bool,
}

/// A range of bytes of one class, before implied spaces are removed.
struct Piece {
    class: TokenClass,
    end: usize,
}

impl Splitter {
    /// Splits as much of `text` as can be decided and returns how many bytes that was. The caller must
    /// pass the rest again, followed by more text. The rest is at most a little more than [`MAX_WORD`]
    /// bytes.
    pub fn push<'a>(
        &mut self,
        text: &'a [u8],
        mut emit: impl FnMut(TokenClass, &'a [u8]),
    ) -> usize {
        self.run(text, false, &mut emit)
    }

    /// Splits the last text of a document and prepares for the next document.
    pub fn finish<'a>(&mut self, text: &'a [u8], mut emit: impl FnMut(TokenClass, &'a [u8])) {
        self.run(text, true, &mut emit);
        if self.pending_space {
            emit(TokenClass::Separator, b" ");
        }
        *self = Self::default();
    }

    /// Advances as far as [`push`](Self::push) would, but emits no tokens. It only needs the text after
    /// the last word, because what comes before that does not affect the state.
    pub(crate) fn skip(&mut self, text: &[u8]) -> usize {
        let at = match last_word_end(text) {
            Some((end, class)) => {
                *self = Self { previous: Some(class), pending_space: false };
                end
            }
            None => 0,
        };
        at + self.push(&text[at..], |_, _| {})
    }

    /// Splits all of `text`, which ends where [`skip`](Self::skip) stopped.
    pub(crate) fn cut<'a>(&mut self, text: &'a [u8], mut emit: impl FnMut(TokenClass, &'a [u8])) {
        self.run(text, true, &mut emit);
    }

    fn run<'a>(
        &mut self,
        text: &'a [u8],
        at_end: bool,
        emit: &mut impl FnMut(TokenClass, &'a [u8]),
    ) -> usize {
        let mut at = 0;
        while let Some(piece) = next_piece(text, at, at_end) {
            self.accept(piece.class, &text[at..piece.end], emit);
            at = piece.end;
        }
        at
    }

    #[inline]
    fn accept<'a>(
        &mut self,
        class: TokenClass,
        bytes: &'a [u8],
        emit: &mut impl FnMut(TokenClass, &'a [u8]),
    ) {
        if self.pending_space {
            self.pending_space = false;
            if class != TokenClass::Spaced {
                emit(TokenClass::Separator, b" ");
            }
        } else if class == TokenClass::Spaced && self.previous == Some(TokenClass::Spaced) {
            // Two parts of one overlong word: without this, a space would be implied between them.
            emit(TokenClass::Separator, b"");
        } else if bytes == b" " && self.previous == Some(TokenClass::Spaced) {
            self.pending_space = true;
            self.previous = Some(class);
            return;
        }
        self.previous = Some(class);
        emit(class, bytes);
    }
}

/// Whether the splitter can make a token of exactly these bytes, and of this class.
pub(super) fn is_token(class: TokenClass, bytes: &[u8]) -> bool {
    match next_piece(bytes, 0, true) {
        Some(piece) => piece.class == class && piece.end == bytes.len(),
        // No bytes at all: what lies between two parts of an overlong word.
        None => class == TokenClass::Separator,
    }
}

/// The class of ASCII bytes; other bytes need decoding.
const ASCII: [Option<TokenClass>; 256] = {
    let mut table = [None; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = Some(if (byte as u8).is_ascii_alphanumeric() {
            TokenClass::Spaced
        } else {
            TokenClass::Separator
        });
        byte += 1;
    }
    table
};

/// The piece that starts at `start`, or `None` if it may continue after `text`.
#[inline]
fn next_piece(text: &[u8], start: usize, at_end: bool) -> Option<Piece> {
    let (class, mut end) = next_character(text, start, at_end)?;
    let limit = match class {
        TokenClass::Unspaced => return Some(Piece { class, end }),
        TokenClass::Spaced => MAX_WORD,
        TokenClass::Separator => MAX_SEPARATOR,
    };
    loop {
        // Most text is ASCII and needs no decoding.
        while end < text.len() && ASCII[text[end] as usize] == Some(class) && end - start < limit {
            end += 1;
        }
        match next_character(text, end, at_end) {
            Some((next, next_end)) if next == class && next_end - start <= limit => end = next_end,
            Some(_) => return Some(Piece { class, end }),
            None => return at_end.then_some(Piece { class, end }),
        }
    }
}

/// The class of the character at `at` and where it ends; `None` at the end of the text, or where
/// the text might end within a character.
#[inline]
fn next_character(text: &[u8], at: usize, at_end: bool) -> Option<(TokenClass, usize)> {
    let rest = &text[at.min(text.len())..];
    let first = *rest.first()?;
    if let Some(class) = ASCII[first as usize] {
        return Some((class, at + 1));
    }
    match decode(rest) {
        Decoded::Character(character, len) => Some((class_of(character), at + len)),
        Decoded::Partial if !at_end => None,
        Decoded::Partial | Decoded::Invalid => Some((TokenClass::Separator, at + 1)),
    }
}

/// The end and the class of the last word that a separator follows.
fn last_word_end(text: &[u8]) -> Option<(usize, TokenClass)> {
    // Every character begins with one of these bytes and has no other one inside.
    let begins = |&at: &usize| !matches!(text[at], 0x80..=0xBF);
    let mut separators = (1..text.len())
        .rev()
        .filter(begins)
        .filter(|&at| matches!(next_character(text, at, false), Some((TokenClass::Separator, _))));
    separators.find_map(|end| {
        let before = (end.saturating_sub(4)..end).rev().find(begins)?;
        let (class, its_end) = next_character(&text[..end], before, true)?;
        (class.is_word() && its_end == end).then_some((end, class))
    })
}

enum Decoded {
    Character(u32, usize),
    /// A valid beginning that needs more bytes.
    Partial,
    Invalid,
}

/// Decodes one multi-byte UTF-8 character strictly (no surrogates, no overlong forms).
fn decode(bytes: &[u8]) -> Decoded {
    let (len, lead, second) = match bytes[0] {
        b @ 0xC2..=0xDF => (2, b & 0x1F, 0x80..=0xBF),
        0xE0 => (3, 0, 0xA0..=0xBF),
        0xED => (3, 0x0D, 0x80..=0x9F),
        b @ 0xE1..=0xEF => (3, b & 0x0F, 0x80..=0xBF),
        0xF0 => (4, 0, 0x90..=0xBF),
        b @ 0xF1..=0xF3 => (4, b & 0x07, 0x80..=0xBF),
        0xF4 => (4, 4, 0x80..=0x8F),
        _ => return Decoded::Invalid,
    };
    let mut character = u32::from(lead);
    for index in 1..len {
        match bytes.get(index) {
            None => return Decoded::Partial,
            Some(byte) if index == 1 && !second.contains(byte) => return Decoded::Invalid,
            Some(0x80..=0xBF) => character = character << 6 | u32::from(bytes[index] & 0x3F),
            Some(_) => return Decoded::Invalid,
        }
    }
    Decoded::Character(character, len)
}

#[cfg(test)]
mod tests {
    use super::super::join;
    use super::*;
    use proptest::prelude::*;

    /// Splits `text`, passed in chunks of `chunk` bytes.
    fn split(text: &[u8], chunk: usize) -> Vec<(TokenClass, Vec<u8>)> {
        let mut tokens = Vec::new();
        let mut splitter = Splitter::default();
        let mut pending = Vec::new();
        for part in text.chunks(chunk.max(1)) {
            pending.extend_from_slice(part);
            let used = splitter.push(&pending, |class, bytes| tokens.push((class, bytes.to_vec())));
            pending.drain(..used);
        }
        splitter.finish(&pending, |class, bytes| tokens.push((class, bytes.to_vec())));
        tokens
    }

    /// The same, but each part of the text is split separately.
    fn split_apart(text: &[u8], chunk: usize) -> Vec<(TokenClass, Vec<u8>)> {
        let mut tokens = Vec::new();
        let mut splitter = Splitter::default();
        let mut pending = Vec::new();
        for part in text.chunks(chunk.max(1)) {
            pending.extend_from_slice(part);
            let mut from = splitter.clone();
            let used = splitter.skip(&pending);
            from.cut(&pending[..used], |class, bytes| tokens.push((class, bytes.to_vec())));
            pending.drain(..used);
        }
        splitter.finish(&pending, |class, bytes| tokens.push((class, bytes.to_vec())));
        tokens
    }

    fn concatenate(tokens: &[(TokenClass, Vec<u8>)]) -> Vec<u8> {
        let mut text = Vec::new();
        for (index, (class, bytes)) in tokens.iter().enumerate() {
            if index > 0 {
                text.extend_from_slice(join(tokens[index - 1].0, *class));
            }
            text.extend_from_slice(bytes);
        }
        text
    }

    fn words(text: &str) -> Vec<String> {
        split(text.as_bytes(), usize::MAX)
            .into_iter()
            .map(|(class, bytes)| {
                format!("{}{}", ["-", "w", "u"][class as usize], String::from_utf8_lossy(&bytes))
            })
            .collect()
    }

    #[test]
    fn single_spaces_are_implied_between_spaced_words_only() {
        assert_eq!(words("the cat, sat"), ["wthe", "wcat", "-, ", "wsat"]);
        assert_eq!(words(" a  b c "), ["- ", "wa", "-  ", "wb", "wc", "- "]);
        assert_eq!(words("中文 字a b"), ["u中", "u文", "- ", "u字", "wa", "wb"]);
        assert_eq!(words("a 中"), ["wa", "- ", "u中"]);
        assert_eq!(words("don't_do naïve"), ["wdon", "-'", "wt", "-_", "wdo", "wnaïve"]);
        assert_eq!(words(" "), ["- "]);
        assert_eq!(words(""), Vec::<String>::new());
    }

    #[test]
    fn invalid_utf8_is_a_separator() {
        let tokens = split(b"a\xffb \xe4\xb8c\xed\xa0\x80", 2);
        let shown: Vec<_> =
            tokens.iter().map(|(class, bytes)| (*class as u8, bytes.as_slice())).collect();
        assert_eq!(
            shown,
            [
                (1, &b"a"[..]),
                (0, b"\xff"),
                (1, b"b"),
                (0, b" \xe4\xb8"),
                (1, b"c"),
                (0, b"\xed\xa0\x80")
            ]
        );
    }

    #[test]
    fn overlong_words_and_separators_are_cut() {
        let mut text = "é".repeat(MAX_WORD / 2 + 1).into_bytes();
        text.extend(b"\n".repeat(MAX_SEPARATOR + 1));
        let tokens = split(&text, 1000);
        let lengths: Vec<_> = tokens.iter().map(|(_, bytes)| bytes.len()).collect();
        assert_eq!(lengths, [MAX_WORD, 0, 2, MAX_SEPARATOR, 1]);
        assert_eq!(concatenate(&tokens), text);
        assert_eq!(split_apart(&text, 1000), tokens);
    }

    #[test]
    fn other_bytes_are_no_tokens() {
        use TokenClass::{Separator, Spaced, Unspaced};
        assert!(is_token(Separator, b""));
        for (class, bytes) in [
            (Spaced, &b""[..]),
            (Unspaced, b""),
            (Spaced, b"pi\xccking"),
            (Spaced, b"two words"),
            (Spaced, b" "),
            (Separator, b"a"),
            (Separator, b", a"),
            (Spaced, "中".as_bytes()),
            (Unspaced, "中文".as_bytes()),
            (Unspaced, b"a"),
        ] {
            assert!(!is_token(class, bytes), "{class:?} {bytes:?}");
        }
        assert!(is_token(Separator, &[b'\n'; MAX_SEPARATOR]));
        assert!(!is_token(Separator, &[b'\n'; MAX_SEPARATOR + 1]));
    }

    fn tricky_bytes() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            Just(b" ".to_vec()),
            Just(b"a".to_vec()),
            Just(b"word".to_vec()),
            Just("中".into()),
            Just("é".into()),
            Just(b"\n".to_vec()),
            Just(b"\xff".to_vec()),
            Just(b"\xe4\xb8".to_vec()),
            Just(b"\0".to_vec()),
            Just("ไทย".into()),
            "\\PC{0,4}".prop_map(String::into_bytes),
            proptest::collection::vec(any::<u8>(), 0..6),
        ];
        proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn tokens_give_back_the_bytes_in_any_chunking(text in tricky_bytes(), chunk in 1usize..9) {
            let whole = split(&text, usize::MAX);
            prop_assert_eq!(concatenate(&whole), text.clone());
            prop_assert_eq!(split(&text, chunk), &whole[..]);
            prop_assert_eq!(split_apart(&text, chunk), &whole[..]);
            prop_assert!(whole.iter().all(|(class, bytes)| is_token(*class, bytes)));
        }
    }
}
