//! The numbers of symbols in a corpus with edits.

use crate::corpus::Shift;
use crate::grammar::Symbol;
use crate::token::{Dictionary, Interner, TokenClass};

/// A symbol without a final number: those are known only once all new tokens are.
#[derive(Clone, Copy)]
pub(in crate::store) enum DraftSymbol {
    /// A symbol of the file.
    Kept(Symbol),
    /// A token of the interner.
    Token(u32),
}

/// The numbers of all symbols in the patched corpus.
pub(in crate::store) struct FinalSymbols<'a> {
    pub(in crate::store) shift: Shift,
    /// The number of each token of the interner.
    pub(in crate::store) tokens: Vec<Symbol>,
    /// Tokens that the file lacks, ordered by class and bytes.
    pub(in crate::store) new: Vec<(TokenClass, &'a [u8])>,
}

impl<'a> FinalSymbols<'a> {
    /// Numbers the tokens of an interner, of which the file has some.
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
