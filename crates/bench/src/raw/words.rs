//! Plain text to words, as fast as plain code goes.
//!
//! Blocks of 64 bytes are classified eight bytes at a time by arithmetic on whole registers, which
//! gives a bit for each byte: is it a letter or digit, is it ASCII. Words are then found by counting
//! zeros. Only words with other characters are decoded.

use zgram::plumbing::{MAX_WORD, TokenClass};

/// Bytes classified together.
const BLOCK: usize = 64;

/// When more bytes of a block than this are not ASCII, all of it is decoded.
const MANY: u32 = 16;

/// Calls `emit` with the start and the end of every word of `text`, in order.
///
/// The words are those of zgram's tokeniser: longest runs of spaced characters of at most
/// [`MAX_WORD`] bytes, and every unspaced character alone.
#[inline]
pub fn for_each_word(text: &[u8], mut emit: impl FnMut(usize, usize)) {
    let mut at = 0;
    // `at` is never inside a word.
    while let Some(block) = text[at..].first_chunk::<BLOCK>() {
        let (word, other) = classify(block);
        // From the first byte that is not ASCII on, nothing is decided here.
        let decided = other.trailing_zeros() as usize;
        let mut rest = word;
        loop {
            if rest == 0 {
                break;
            }
            let start = rest.trailing_zeros() as usize;
            let length = (!(rest >> start)).trailing_zeros() as usize;
            let end = start + length;
            if end >= decided {
                break;
            }
            emit(at + start, at + end);
            rest &= rest.wrapping_add(1 << start);
        }
        // The first offset not handled yet: a word that continues, or other characters.
        let open = (rest.trailing_zeros() as usize).min(decided);
        if open > 0 && decided == BLOCK {
            at += open;
        } else {
            let until = if other.count_ones() > MANY {
                BLOCK
            } else {
                decided
                    + (!other.checked_shr(decided as u32).unwrap_or(0)).trailing_zeros() as usize
            };
            at = decode_words(text, at + open, (at + until).min(text.len()), &mut emit);
        }
    }
    decode_words(text, at, text.len(), &mut emit);
}

/// A bit for each letter or digit of ASCII, and one for each byte that is not ASCII.
#[inline]
fn classify(block: &[u8; BLOCK]) -> (u64, u64) {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x80 * ONES;
    // Sets the high bit of each byte in `from..=to`; bytes must be below 0x80.
    let within = |bytes: u64, from: u8, to: u8| {
        (bytes + u64::from(0x80 - from) * ONES) & !(bytes + u64::from(0x7F - to) * ONES)
    };
    // Gathers the high bits of the eight bytes.
    let gather = |bytes: u64| ((bytes & HIGH) >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    let (mut word, mut other) = (0, 0);
    for (index, bytes) in block.as_chunks::<8>().0.iter().enumerate() {
        let bytes = u64::from_le_bytes(*bytes);
        let ascii = bytes & !HIGH;
        let is_word = within(ascii | (0x20 * ONES), b'a', b'z') | within(ascii, b'0', b'9');
        word |= gather(is_word & !bytes) << (8 * index);
        other |= gather(bytes) << (8 * index);
    }
    (word, other)
}

/// Finds words from `at` on until one ends at or after `until`; returns where. Decodes every
/// character.
fn decode_words(
    text: &[u8],
    mut at: usize,
    until: usize,
    emit: &mut impl FnMut(usize, usize),
) -> usize {
    while at < until {
        let (class, end) = character(text, at);
        match class {
            TokenClass::Separator => at = end,
            TokenClass::Unspaced => {
                emit(at, end);
                at = end;
            }
            TokenClass::Spaced => {
                let (start, mut reached) = (at, end);
                while reached < text.len() {
                    let (class, end) = character(text, reached);
                    if class != TokenClass::Spaced || end - start > MAX_WORD {
                        break;
                    }
                    reached = end;
                }
                emit(start, reached);
                at = reached;
            }
        }
    }
    at
}

/// The class of the character at `at`, and where it ends.
#[inline]
fn character(text: &[u8], at: usize) -> (TokenClass, usize) {
    let lead = text[at];
    if lead < 0x80 {
        let is_word = lead.is_ascii_alphanumeric();
        return (if is_word { TokenClass::Spaced } else { TokenClass::Separator }, at + 1);
    }
    match decode(&text[at..]) {
        Some((character, length)) => (TokenClass::of(character), at + length),
        None => (TokenClass::Separator, at + 1),
    }
}

/// The character that begins `text`, which is not ASCII, and its length; `None` if there is none.
#[inline]
fn decode(text: &[u8]) -> Option<(char, usize)> {
    let rest = |byte: u8| (byte & 0xC0 == 0x80).then_some(u32::from(byte & 0x3F));
    let (code, length, least) = match *text {
        [a @ 0xC2..=0xDF, b, ..] => (u32::from(a & 0x1F) << 6 | rest(b)?, 2, 0x80),
        [a @ 0xE0..=0xEF, b, c, ..] => {
            (u32::from(a & 0x0F) << 12 | rest(b)? << 6 | rest(c)?, 3, 0x800)
        }
        [a @ 0xF0..=0xF4, b, c, d, ..] => {
            let code = u32::from(a & 0x07) << 18 | rest(b)? << 12 | rest(c)? << 6 | rest(d)?;
            (code, 4, 0x1_0000)
        }
        _ => return None,
    };
    if code < least {
        return None;
    }
    char::from_u32(code).map(|character| (character, length))
}

#[cfg(test)]
mod tests {
    use super::*;
    use zgram::plumbing::Splitter;

    fn check(text: &[u8]) {
        let mut expected: Vec<&[u8]> = Vec::new();
        Splitter::default().finish(text, |class, bytes| {
            if class.is_word() {
                expected.push(bytes);
            }
        });
        let mut got: Vec<&[u8]> = Vec::new();
        for_each_word(text, |start, end| got.push(&text[start..end]));
        assert!(got == expected, "{:?}", String::from_utf8_lossy(&text[..text.len().min(300)]));
    }

    #[test]
    fn classes_of_all_bytes() {
        for byte in 0..=255u8 {
            let (word, other) = classify(&[byte; BLOCK]);
            assert_eq!(word, if byte.is_ascii_alphanumeric() { u64::MAX } else { 0 }, "{byte}");
            assert_eq!(other, if byte.is_ascii() { 0 } else { u64::MAX }, "{byte}");
        }
    }

    #[test]
    fn words_are_those_of_the_tokeniser() {
        let pieces: [&[u8]; 14] = [
            b" ",
            b"a",
            b"word",
            b", ",
            b"\n",
            "é".as_bytes(),
            "中".as_bytes(),
            "ไทย".as_bytes(),
            b"\xff",
            b"\xe4\xb8",
            b"\xed\xa0\x80",
            b"\0",
            "“".as_bytes(),
            "Слово".as_bytes(),
        ];
        let mut state = 1u64;
        for round in 0..3000 {
            let mut text = Vec::new();
            // Some texts are nearly all ASCII, some not at all, some are one long word.
            let kinds = [3, 5, 7, 14][round % 4];
            while text.len() < round % 400 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                text.extend_from_slice(pieces[(state >> 33) as usize % kinds]);
            }
            check(&text);
            let shifted: Vec<u8> = [b"x".repeat(round % 130), text].concat();
            check(&shifted);
        }
    }

    #[test]
    fn overlong_words_are_cut_like_the_tokeniser_cuts_them() {
        check(&b"a".repeat(MAX_WORD + 5));
        check(format!("a{}", "é".repeat(MAX_WORD)).as_bytes());
        check(format!("{} b", "a".repeat(MAX_WORD)).as_bytes());
    }
}
