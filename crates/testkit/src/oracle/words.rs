//! Text to words, character by character.

use std::sync::LazyLock;

use regex::Regex;
use zgram::plumbing::{MAX_WORD, TokenClass};

/// The words of a text: maximal runs of spaced characters, and every unspaced character alone.
///
/// Bytes that are not UTF-8 separate words. A run of more than [`MAX_WORD`] bytes is cut into words
/// of at most that length, as the tokeniser cuts it.
pub(super) fn words(text: &[u8]) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut end = |word: &mut String| {
        if !word.is_empty() {
            words.push(std::mem::take(word));
        }
    };
    for chunk in text.utf8_chunks() {
        for character in chunk.valid().chars() {
            match TokenClass::of(character) {
                TokenClass::Separator => end(&mut word),
                TokenClass::Unspaced => {
                    end(&mut word);
                    word.push(character);
                    end(&mut word);
                }
                TokenClass::Spaced => {
                    if word.len() + character.len_utf8() > MAX_WORD {
                        end(&mut word);
                    }
                    word.push(character);
                }
            }
        }
        if !chunk.invalid().is_empty() {
            end(&mut word);
        }
    }
    end(&mut word);
    words
}

/// The words that scikit-learn's `CountVectorizer` finds by default.
///
/// The text in lower case, and of it every match of `(?u)\b\w\w+\b`. Python's `\w` is a letter or a
/// number of any kind, or the underscore, but no mark; here as of Unicode 16. Bytes that are not UTF-8 become a replacement
/// character, as with `decode_error="replace"`; that is no word character.
pub(super) fn sklearn_words(text: &[u8]) -> Vec<String> {
    static RUN: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"[[\p{L}\p{N}_]&&\p{age:16.0}]{2,}").expect("a regular expression")
    });
    let text = String::from_utf8_lossy(text).to_lowercase();
    RUN.find_iter(&text).map(|run| run.as_str().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_runs_and_single_characters() {
        assert_eq!(words("don't_do naïve".as_bytes()), ["don", "t", "do", "naïve"]);
        assert_eq!(words("中文 字a b1".as_bytes()), ["中", "文", "字", "a", "b1"]);
        assert_eq!(words(b"a\xffb \xe4\xb8c"), ["a", "b", "c"]);
        assert_eq!(words(b" ,.\n"), Vec::<String>::new());
        assert_eq!(words(b""), Vec::<String>::new());
    }

    #[test]
    fn an_overlong_word_is_cut_between_characters() {
        let lengths = |text: String| -> Vec<usize> {
            words(text.as_bytes()).iter().map(String::len).collect()
        };
        assert_eq!(lengths("a".repeat(MAX_WORD + 1)), [MAX_WORD, 1]);
        assert_eq!(lengths(format!("a{}", "é".repeat(MAX_WORD / 2))), [MAX_WORD - 1, 2]);
    }

    /// The classes once more, from another library's tables, on all characters that Unicode 16 has.
    #[test]
    fn classes_are_what_they_are_said_to_be() {
        // Letters that several scripts share, as Japanese marks for long vowels, go with them.
        let unspaced = r"(?x)
            [[\p{L}\p{N}\p{M}]&&[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]]
            | [\p{L}&&[\p{scx:Han}\p{scx:Hiragana}\p{scx:Katakana}]]";
        let regex = |pattern: &str| Regex::new(pattern).unwrap();
        let (assigned, word) = (regex(r"\p{age:16.0}"), regex(r"[\p{L}\p{N}\p{M}]"));
        let unspaced = regex(unspaced);
        let mut buffer = [0; 4];
        for character in '\0'..=char::MAX {
            let text: &str = character.encode_utf8(&mut buffer);
            if !assigned.is_match(text) {
                continue;
            }
            let class = match (word.is_match(text), unspaced.is_match(text)) {
                (false, _) => TokenClass::Separator,
                (true, false) => TokenClass::Spaced,
                (true, true) => TokenClass::Unspaced,
            };
            assert_eq!(TokenClass::of(character), class, "U+{:04X}", character as u32);
        }
    }

    #[test]
    fn sklearn_joins_what_we_split_and_splits_what_we_join() {
        assert_eq!(sklearn_words("A snake_case 中文字 x".as_bytes()), ["snake_case", "中文字"]);
        // A mark ends the word: Devanagari loses its vowel signs.
        assert_eq!(sklearn_words("हिन्दी".as_bytes()), Vec::<String>::new());
        assert_eq!(sklearn_words("ΟΔΟΣ İx".as_bytes()), ["οδος"]);
        assert_eq!(sklearn_words(b"ab\xffcd"), ["ab", "cd"]);
    }
}
