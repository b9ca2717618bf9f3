//! The numbers of symbols in a corpus with edits.

use crate::corpus::Shift;
use crate::grammar::Symbol;
use crate::token::{Dictionary, Interner, TokenClass};

/// A symbol before all tokens are known.
#[derive(Clone, Copy)]
pub(in crate::store) enum DraftSymbol {
    /// As in the file.
    Kept(Symbol),
    /// A token of the interner.
    Token(u32),
}

/// The numbers of all symbols in the patched corpus.
pub(in crate::store) struct FinalSymbols<'a> {
    pub(in crate::store) shift: Shift,
    /// Of the tokens of the interner.
    pub(in crate::store) tokens: Vec<Symbol>,
    /// Tokens that the file does not have, by class and bytes.
    pub(in crate::store) new: Vec<(TokenClass, &'a [u8])>,
}

impl<'a> FinalSymbols<'a> {
    /// For the tokens of an interner, of which some are known in the file.
    pub(in crate::store) fn new(
        tokens: &'a Interner,
        known: &[Option<u32>],
        dictionary: &Dictionary,
    ) -> Self {
        let ids = 0..tokens.len() as u32;
        let key = |token: &u32| (tokens.class(*token), tokens.bytes(*token));
        let mut new: Vec<u32> = ids.filter(|&token| known[token as usize].is_none()).collect();
        new.sort_unstable_by(|a, b| key(a).cmp(&key(b)));
        let more = TokenClass::ALL
            .map(|class| new.iter().filter(|&&token| tokens.class(token) == class).count() as u32);
        let shift = Shift::new(dictionary, more);
        let mut finals: Vec<Symbol> =
            known.iter().map(|known| known.map_or(0, |token| shift.of(token))).collect();
        for class in TokenClass::ALL {
            let of_class = new.iter().filter(|&&token| tokens.class(token) == class);
            for (&token, id) in of_class.zip(shift.first_new(class)..) {
                finals[token as usize] = id;
            }
        }
        Self { shift, tokens: finals, new: new.iter().map(key).collect() }
    }

    pub(in crate::store) fn of(&self, symbol: DraftSymbol) -> Symbol {
        match symbol {
            DraftSymbol::Kept(symbol) => self.shift.of(symbol),
            DraftSymbol::Token(token) => self.tokens[token as usize],
        }
    }
}
