//! The three classes of tokens, and the space that is implied between two of them.

use super::unicode::{SPACED, UNSPACED};

/// The class of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum TokenClass {
    /// White space, punctuation, control bytes, invalid UTF-8. May be empty.
    Separator = 0,
    /// A run of letters, digits and marks of scripts that put spaces between words.
    Spaced = 1,
    /// One character of a script without spaces between words: Han, Hiragana, Katakana, Thai.
    Unspaced = 2,
}

impl TokenClass {
    /// The class of tokens that contain this character.
    #[inline]
    #[must_use]
    pub fn of(character: char) -> Self {
        class_of(u32::from(character))
    }

    /// All classes, in the order of their ids in a dictionary.
    pub const ALL: [Self; 3] = [Self::Separator, Self::Spaced, Self::Unspaced];

    /// Whether analytics count this token.
    #[must_use]
    pub fn is_word(self) -> bool {
        self != Self::Separator
    }
}

/// The bytes implied between two adjacent tokens: one space between spaced words, otherwise none.
#[must_use]
pub fn join(left: TokenClass, right: TokenClass) -> &'static [u8] {
    if left == TokenClass::Spaced && right == TokenClass::Spaced { b" " } else { b"" }
}

const BLOCK: usize = 64;
const BLOCKS: usize = 0x11_0000 / BLOCK;
const PAGES: usize = 512;

/// The class of every code point, in two steps so that the table stays in the cache: `PAGES[INDEX[c / 64]]`.
struct ClassTable {
    index: [u16; BLOCKS],
    pages: [[TokenClass; BLOCK]; PAGES],
}

static TABLE: ClassTable = ClassTable::build();

impl ClassTable {
    const fn build() -> Self {
        let mut table = Self { index: [0; BLOCKS], pages: [[TokenClass::Separator; BLOCK]; PAGES] };
        // Pages 0 to 2 have one class each; every mixed block has its own page.
        table.pages[1] = [TokenClass::Spaced; BLOCK];
        table.pages[2] = [TokenClass::Unspaced; BLOCK];
        let mut used = 3;
        used = table.fill(SPACED, TokenClass::Spaced, used);
        table.fill(UNSPACED, TokenClass::Unspaced, used);
        table
    }

    const fn fill(&mut self, ranges: &[(u32, u32)], class: TokenClass, mut used: usize) -> usize {
        let mut range = 0;
        while range < ranges.len() {
            let (mut at, end) = (ranges[range].0 as usize, ranges[range].1 as usize);
            while at <= end {
                let block = at / BLOCK;
                if at % BLOCK == 0 && at + BLOCK - 1 <= end {
                    self.index[block] = class as u16;
                    at += BLOCK;
                    continue;
                }
                if self.index[block] < 3 {
                    assert!(self.index[block] == 0 && used < PAGES, "a block is filled once");
                    self.index[block] = used as u16;
                    used += 1;
                }
                self.pages[self.index[block] as usize][at % BLOCK] = class;
                at += 1;
            }
            range += 1;
        }
        used
    }
}

/// The class of a character.
#[inline]
pub(super) fn class_of(character: u32) -> TokenClass {
    let page = TABLE.index[character as usize / BLOCK];
    TABLE.pages[page as usize][character as usize % BLOCK]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_agrees_with_the_ranges_on_every_code_point() {
        let within = |ranges: &[(u32, u32)], c: u32| {
            ranges
                .binary_search_by(|&(a, b)| {
                    if b < c {
                        std::cmp::Ordering::Less
                    } else if a > c {
                        std::cmp::Ordering::Greater
                    } else {
                        std::cmp::Ordering::Equal
                    }
                })
                .is_ok()
        };
        for c in 0..0x11_0000 {
            let expected = match (within(SPACED, c), within(UNSPACED, c)) {
                (true, false) => TokenClass::Spaced,
                (false, true) => TokenClass::Unspaced,
                (false, false) => TokenClass::Separator,
                (true, true) => panic!("U+{c:04X} is in both tables"),
            };
            assert_eq!(class_of(c), expected, "U+{c:04X}");
        }
    }

    #[test]
    fn known_characters() {
        for c in "azAZ09éßЖहि٣½".chars() {
            assert_eq!(TokenClass::of(c), TokenClass::Spaced, "{c}");
        }
        for c in "中文字ひカーก々".chars() {
            assert_eq!(TokenClass::of(c), TokenClass::Unspaced, "{c}");
        }
        for c in " _-'.,\n\u{a0}—。\u{200b}€".chars() {
            assert_eq!(TokenClass::of(c), TokenClass::Separator, "{c}");
        }
    }
}
