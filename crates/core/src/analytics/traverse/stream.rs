//! Stream: a document's words one after the other.
//!
//! On text that hardly repeats, a document reaches nearly as many symbols through rules as it has
//! words, and going over the words themselves is faster: no weights, no bitmaps, no random access.
//! Rules that stand for few words are written out once, words only; a document is then spelled by
//! going through its slice of the root and taking short stretches of words from there.

use crate::analytics::words::NO_WORD;
use crate::grammar::{Grammar, Symbol};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// Rules up to this many words are written out.
const SHORT: usize = 256;

/// Written out, rules take at most this many words for each symbol they have.
const WRITTEN_OUT: usize = 8;

/// This many words are copied at once.
const FEW: usize = 4;

/// Words in a buffer: few enough to stay in the nearest cache.
const BUFFER: usize = 1 << 12;

/// The words of short rules.
pub(crate) struct Spelling {
    /// Each symbol's words if it has [`FEW`] or less: found by one look.
    few: Vec<[u32; FEW]>,
    /// How many words that is; [`MANY`] if it has more.
    lens: Vec<u8>,
    /// Where the words of rules lie that have more.
    spans: HashMap<u32, Span, FxBuildHasher>,
    words: Vec<u32>,
}

/// A symbol with more words than [`FEW`].
const MANY: u8 = u8::MAX;

#[derive(Clone, Copy, Debug)]
struct Span {
    start: u32,
    len: u32,
}

impl Spelling {
    /// Writes out short rules; `numbers` gives each token's word, or [`NO_WORD`].
    pub(crate) fn new(grammar: &Grammar, numbers: &[u32]) -> Self {
        let tokens = grammar.tokens() as usize;
        let rules = grammar.rule_count();
        let bodies = grammar.symbols().len() - grammar.root().len();
        let most_words = (WRITTEN_OUT * bodies).min(u32::MAX as usize);
        let mut few = vec![[0; FEW]; tokens + rules];
        let mut lens = vec![0; tokens + rules];
        for ((few, len), &number) in few.iter_mut().zip(&mut lens).zip(numbers) {
            few[0] = number;
            *len = u8::from(number != NO_WORD);
        }
        let mut spelling = Self { few, lens, spans: HashMap::default(), words: Vec::new() };
        let mut own = Vec::new();
        for rule in (1..rules).rev() {
            own.clear();
            let is_short = grammar.rule(rule).iter().all(|&symbol| {
                let part = spelling.short(symbol);
                own.extend_from_slice(part.unwrap_or(&[]));
                part.is_some() && own.len() <= SHORT
            });
            let symbol = tokens + rule;
            spelling.lens[symbol] = own.len() as u8;
            if is_short && own.len() <= FEW {
                spelling.few[symbol][..own.len()].copy_from_slice(&own);
                continue;
            }
            spelling.lens[symbol] = MANY;
            if is_short && spelling.words.len() + own.len() <= most_words {
                let span = Span { start: spelling.words.len() as u32, len: own.len() as u32 };
                spelling.spans.insert(symbol as u32, span);
                spelling.words.extend_from_slice(&own);
            }
        }
        spelling
    }

    /// The words of a symbol that were written out.
    fn short(&self, symbol: Symbol) -> Option<&[u32]> {
        match self.lens[symbol as usize] {
            MANY => {
                let Span { start, len } = *self.spans.get(&symbol)?;
                Some(&self.words[start as usize..(start + len) as usize])
            }
            len => Some(&self.few[symbol as usize][..usize::from(len)]),
        }
    }

    /// Hands the words that `symbols` stand for to `sink`, a buffer full at a time.
    ///
    /// Nearly all symbols stand for few words, and where those lie is hard to foresee for caches and
    /// branch predictors alike. So a fixed number of words is copied whether they are wanted or not:
    /// no branch depends on what was fetched, and the processor fetches for many symbols at once.
    pub(crate) fn spell(
        &self,
        grammar: &Grammar,
        symbols: &[Symbol],
        mut sink: impl FnMut(&[u32]),
    ) {
        let mut buffer = [0u32; BUFFER + FEW];
        let mut filled = 0;
        for &symbol in symbols {
            let len = self.lens[symbol as usize];
            if filled >= BUFFER || len == MANY {
                sink(&buffer[..filled]);
                filled = 0;
                if len == MANY {
                    self.spell_long(grammar, symbol, &mut sink);
                    continue;
                }
            }
            buffer[filled..filled + FEW].copy_from_slice(&self.few[symbol as usize]);
            filled += usize::from(len);
        }
        sink(&buffer[..filled]);
    }

    /// Hands each word that `symbols` stand for to `sink` with a number of times; words come in no
    /// order, and more than once.
    ///
    /// In a document that is long for its grammar, symbols are counted first and only distinct ones
    /// looked up: fetching their words is what takes time, adding one to a counter is not.
    pub(crate) fn tally(
        &self,
        grammar: &Grammar,
        symbols: &[Symbol],
        uses: &mut Uses,
        mut sink: impl FnMut(u32, u64),
    ) {
        if symbols.len() < self.lens.len() {
            return self.spell(grammar, symbols, |words| {
                words.iter().for_each(|&word| sink(word, 1));
            });
        }
        uses.count(symbols, self.lens.len());
        for &symbol in &uses.touched[..uses.distinct] {
            let times = u64::from(std::mem::take(&mut uses.counts[symbol as usize]));
            match self.lens[symbol as usize] {
                MANY => self.spell_long(grammar, symbol, &mut |words: &[u32]| {
                    words.iter().for_each(|&word| sink(word, times));
                }),
                len => {
                    let words = &self.few[symbol as usize];
                    for &word in &words[..usize::from(len).min(FEW)] {
                        sink(word, times);
                    }
                }
            }
        }
    }

    /// The words of a symbol that has many, or that was not written out.
    #[inline(never)]
    fn spell_long(&self, grammar: &Grammar, symbol: Symbol, sink: &mut impl FnMut(&[u32])) {
        let first = [symbol];
        // Symbols still to come, of each rule that is being spelled.
        let mut pending: Vec<&[Symbol]> = vec![&first];
        while let Some(mut symbols) = pending.pop() {
            while let Some((&symbol, rest)) = symbols.split_first() {
                symbols = rest;
                if let Some(words) = self.short(symbol) {
                    sink(words);
                    continue;
                }
                if !rest.is_empty() {
                    pending.push(rest);
                }
                symbols = grammar.rule(grammar.as_rule(symbol).expect("a token is short"));
            }
        }
    }
}

/// How often symbols stand in a document.
#[derive(Debug, Default)]
pub(crate) struct Uses {
    /// By symbol; all zero between documents.
    counts: Vec<u32>,
    /// The symbols that were met, each once: the first `distinct`.
    touched: Vec<Symbol>,
    distinct: usize,
}

impl Uses {
    /// Counts a document's symbols, which are below `most`.
    fn count(&mut self, symbols: &[Symbol], most: usize) {
        self.counts.resize(most, 0);
        self.distinct = 0;
        for block in symbols.chunks(BUFFER) {
            let room = self.distinct + block.len();
            if self.touched.len() < room {
                self.touched.resize(2 * room, 0);
            }
            // Whether a symbol is new is hard to foresee: it is noted in any case, and written over
            // if it was not.
            for &symbol in block {
                let count = &mut self.counts[symbol as usize];
                self.touched[self.distinct] = symbol;
                self.distinct += usize::from(*count == 0);
                *count += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::{GrammarBuilder, TokenDocs, repair::RePair};
    use crate::progress::Silent;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn documents_are_spelled_without_separators(
            phrase in proptest::collection::vec(0u32..6, 1..30),
            times in 1usize..200,
            noise in proptest::collection::vec(0u32..9, 0..300),
        ) {
            let ids: Vec<u32> = phrase.repeat(times).into_iter().chain(noise).collect();
            let doc_starts = [0, ids.len() as u32];
            let input = TokenDocs { tokens: 9, ids: &ids, doc_starts: &doc_starts };
            let grammar = RePair::default().build(input, &Silent).unwrap();
            let numbers = [5, NO_WORD, 3, 2, NO_WORD, 0, 1, 4, 6];
            let spelling = Spelling::new(&grammar, &numbers);
            let expected: Vec<u32> = ids
                .iter()
                .map(|&id| numbers[id as usize])
                .filter(|&number| number != NO_WORD)
                .collect();
            let mut found = Vec::new();
            spelling.spell(&grammar, grammar.document(0), |words| found.extend_from_slice(words));
            prop_assert_eq!(&found, &expected);
            let (mut found, mut uses) = ([0; 7], Uses::default());
            for times in 1..3 {
                spelling.tally(&grammar, grammar.document(0), &mut uses, |word, times| {
                    found[word as usize] += times;
                });
                for (word, &found) in (0..).zip(&found) {
                    let once = expected.iter().filter(|&&other| other == word).count() as u64;
                    prop_assert_eq!(found, times * once);
                }
            }
        }
    }
}
