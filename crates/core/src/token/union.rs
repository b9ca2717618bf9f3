//! One dictionary for several corpora.

use super::{Dictionary, DictionaryError, Interner, frequency_level};

/// All tokens of several dictionaries, and where each token of theirs is among them.
#[derive(Debug)]
pub(crate) struct Union {
    pub(crate) dictionary: Dictionary,
    /// For each dictionary, the new id of each of its tokens.
    pub(crate) ids: Vec<Vec<u32>>,
}

/// Why dictionaries have no union.
#[derive(Debug)]
pub(crate) enum UnionError {
    Dictionary(DictionaryError),
    /// A token has another class than the same bytes in an earlier dictionary. Only a forged dictionary
    /// has such a token.
    OtherClass {
        /// The number of the dictionary.
        dictionary: usize,
        /// The token's id in it.
        id: u32,
    },
}

impl Union {
    /// Unites dictionaries. A token is as frequent as in all of them together, as far as their levels
    /// tell that.
    pub(crate) fn of(dictionaries: &[&Dictionary]) -> Result<Self, UnionError> {
        let mut interner = Interner::default();
        let mut uses: Vec<u32> = Vec::new();
        let mut ids = Vec::with_capacity(dictionaries.len());
        for (number, dictionary) in dictionaries.iter().enumerate() {
            let mut own = Vec::with_capacity(dictionary.len());
            for group in dictionary.groups() {
                let least = least_count(group.level);
                for id in group.start..group.end {
                    let token = interner.intern(group.class, dictionary.bytes(id));
                    match uses.get_mut(token as usize) {
                        None => uses.push(least),
                        Some(_) if interner.class(token) != group.class => {
                            return Err(UnionError::OtherClass { dictionary: number, id });
                        }
                        Some(uses) => *uses = uses.saturating_add(least),
                    }
                    own.push(token);
                }
            }
            ids.push(own);
        }
        let (dictionary, finals) =
            Dictionary::arrange(&interner, &uses).map_err(UnionError::Dictionary)?;
        for id in ids.iter_mut().flatten() {
            *id = finals[*id as usize];
        }
        Ok(Self { dictionary, ids })
    }
}

/// The least count of a frequency level, but at least one: tokens of edits have the level of no uses.
fn least_count(level: u8) -> u32 {
    // Levels rise with counts, so the least count is found by halving.
    let (mut low, mut high) = (1u32, u32::MAX);
    while low < high {
        let middle = low + (high - low) / 2;
        if frequency_level(middle) < level { low = middle + 1 } else { high = middle }
    }
    low
}

/// New ids for the tokens of a grammar. Rules move behind all tokens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Renumbering<'a> {
    ids: &'a [u32],
    tokens: u32,
}

impl<'a> Renumbering<'a> {
    /// For a grammar whose token `id` becomes `ids[id]` of `tokens` tokens. The grammar must have few
    /// enough rules for all symbols to have numbers.
    pub(crate) fn new(ids: &'a [u32], tokens: u32) -> Self {
        Self { ids, tokens }
    }

    /// Number of tokens before.
    pub(crate) fn tokens_before(self) -> usize {
        self.ids.len()
    }

    /// Number of tokens afterwards.
    pub(crate) fn tokens(self) -> u32 {
        self.tokens
    }

    /// The new number of a symbol.
    #[inline(always)]
    pub(crate) fn of(self, symbol: u32) -> u32 {
        match symbol.checked_sub(self.ids.len() as u32) {
            None => self.ids[symbol as usize],
            Some(rule) => self.tokens + rule,
        }
    }

    /// Renumbers symbols in place.
    pub(crate) fn apply(self, symbols: &mut [u32]) {
        symbols.iter_mut().for_each(|symbol| *symbol = self.of(*symbol));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::TokenClass;
    use proptest::prelude::*;

    #[test]
    fn least_counts_are_of_their_level() {
        assert_eq!(least_count(0), 1);
        for level in (1..=frequency_level(u32::MAX)).filter(|&level| level > 0) {
            let least = least_count(level);
            assert!(frequency_level(least) >= level, "{level}: {least}");
            assert!(least == 1 || frequency_level(least - 1) < level, "{level}: {least}");
        }
    }

    fn dictionary(words: &[(String, u32)]) -> Dictionary {
        let mut interner = Interner::default();
        let mut uses = Vec::new();
        for (word, count) in words {
            let class = match word.bytes().next() {
                Some(b'.') => TokenClass::Separator,
                Some(b'a'..=b'm') => TokenClass::Spaced,
                _ => TokenClass::Unspaced,
            };
            if interner.intern(class, word.as_bytes()) as usize == uses.len() {
                uses.push(*count);
            }
        }
        Dictionary::arrange(&interner, &uses).unwrap().0
    }

    proptest! {
        #[test]
        fn every_token_is_where_the_union_says(
            lists in proptest::collection::vec(
                proptest::collection::vec(("[.a-z]{1,3}", 1u32..2000), 0..40),
                0..5,
            ),
        ) {
            let dictionaries: Vec<Dictionary> = lists.iter().map(|list| dictionary(list)).collect();
            let union = Union::of(&dictionaries.iter().collect::<Vec<_>>()).unwrap();
            let mut all = std::collections::BTreeSet::new();
            for (dictionary, ids) in dictionaries.iter().zip(&union.ids) {
                prop_assert_eq!(ids.len(), dictionary.len());
                for (id, &new) in (0..).zip(ids) {
                    prop_assert_eq!(dictionary.bytes(id), union.dictionary.bytes(new));
                    prop_assert_eq!(dictionary.class(id), union.dictionary.class(new));
                    all.insert(dictionary.bytes(id).to_vec());
                }
            }
            prop_assert_eq!(all.len(), union.dictionary.len());
        }
    }

    #[test]
    fn a_token_of_two_classes_is_refused() {
        let of = |class| {
            let mut interner = Interner::default();
            interner.intern(class, b"x");
            Dictionary::arrange(&interner, &[1]).unwrap().0
        };
        let (spaced, separator) = (of(TokenClass::Spaced), of(TokenClass::Separator));
        let refused = Union::of(&[&spaced, &spaced, &separator]).unwrap_err();
        assert!(matches!(refused, UnionError::OtherClass { dictionary: 2, id: 0 }), "{refused:?}");
    }
}
