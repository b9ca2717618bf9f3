//! The order of words: by bytes, or by the Unicode Collation Algorithm.

use super::Words;
use crate::features::MissingFeature;

/// How words are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Collation {
    /// Byte by byte.
    #[default]
    Bytes,
    /// By the Unicode Collation Algorithm (root locale); words that it finds equal, byte by byte.
    Unicode,
}

/// A permutation of the words.
#[derive(Debug)]
pub(crate) struct Order {
    /// Each word's rank.
    pub(crate) rank_of: Vec<u32>,
    /// The word at each rank.
    pub(crate) word_at: Vec<u32>,
}

impl Order {
    /// By bytes.
    pub(super) fn of_bytes(words: &Words<'_>) -> Self {
        let mut word_at: Vec<u32> = (0..words.len() as u32).collect();
        sort_by_bytes(words, &mut word_at, |&word| word);
        let mut rank_of = vec![0; word_at.len()];
        for (&word, rank) in word_at.iter().zip(0..) {
            rank_of[word as usize] = rank;
        }
        Self { rank_of, word_at }
    }
}

/// Sorts items by the bytes of their words, which are given by number.
///
/// The first bytes, compared as a number, nearly always decide without the rest of the text. Words
/// come in a few sorted runs, which a stable sort merges.
pub(crate) fn sort_by_bytes<T: Copy>(words: &Words<'_>, items: &mut [T], word: impl Fn(&T) -> u32) {
    if items.is_sorted_by(|a, b| words.text(word(a)) <= words.text(word(b))) {
        return;
    }
    let keyed = items.iter().map(|item| (first_bytes(words.text(word(item))), *item));
    let mut keyed: Vec<(u64, T)> = keyed.collect();
    keyed.sort_by_key(|&(first, _)| first);
    for same in keyed.chunk_by_mut(|a, b| a.0 == b.0) {
        if same.len() > 1 {
            same.sort_unstable_by_key(|(_, item)| words.text(word(item)));
        }
    }
    items.iter_mut().zip(keyed).for_each(|(item, (_, sorted))| *item = sorted);
}

/// Compares words by the Unicode Collation Algorithm.
#[cfg(feature = "collation")]
pub(crate) struct Collator(icu_collator::CollatorBorrowed<'static>);

#[cfg(feature = "collation")]
impl Collator {
    #[expect(clippy::unnecessary_wraps, reason = "a build without collation has none to give")]
    pub(crate) fn new() -> Result<Self, MissingFeature> {
        let options = icu_collator::options::CollatorOptions::default();
        let root = icu_collator::Collator::try_new(Default::default(), options);
        Ok(Self(root.expect("the root locale's data is compiled in")))
    }

    /// Sorts words, given by number (with what belongs to them) in the order of their bytes.
    pub(crate) fn sort<T>(&self, words: &Words<'_>, items: &mut [(u32, T)]) {
        // Equal words keep their order.
        items.sort_by(|a, b| self.0.compare_utf8(words.text(a.0), words.text(b.0)));
    }
}

/// Compares words by the Unicode Collation Algorithm, which this build cannot do.
#[cfg(not(feature = "collation"))]
pub(crate) enum Collator {}

#[cfg(not(feature = "collation"))]
impl Collator {
    pub(crate) fn new() -> Result<Self, MissingFeature> {
        Err(MissingFeature::new("sort by the Unicode Collation Algorithm", "collation"))
    }

    pub(crate) fn sort<T>(&self, _: &Words<'_>, _: &mut [(u32, T)]) {
        match *self {}
    }
}

/// The first eight bytes as a number that compares like them.
fn first_bytes(text: &[u8]) -> u64 {
    let mut first = [0; 8];
    let len = text.len().min(8);
    first[..len].copy_from_slice(&text[..len]);
    u64::from_le_bytes(first).swap_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn words_stand_in_the_order_of_their_bytes(
            words in proptest::collection::hash_set("[a-cA-C\u{e9}]{1,12}", 0..200),
        ) {
            let mut table = crate::token::Interner::default();
            for word in &words {
                table.intern(crate::token::TokenClass::Spaced, word.as_bytes());
            }
            let words = Words::own(table, Vec::new());
            let order = words.order();
            let texts: Vec<&[u8]> = order.word_at.iter().map(|&word| words.text(word)).collect();
            prop_assert!(texts.is_sorted());
            for (rank, &word) in order.word_at.iter().enumerate() {
                prop_assert_eq!(order.rank_of[word as usize] as usize, rank);
            }
        }
    }
}
