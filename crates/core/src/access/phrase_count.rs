//! How often a phrase occurs, counted on the grammar: no occurrence is listed, and no text expanded.
//!
//! An automaton reads the words of a text and remembers how many words of the phrase it has just seen
//! (Knuth, Morris and Pratt). What a rule does to it, from a given state, is always the same: the state
//! that it leaves and the matches that it completes. Each such pair of rule and state is worked out
//! once, so a text of gigabytes costs as much as its grammar. Rules without a word of the phrase need
//! not even that.

use super::{Access, Passed, Phrase};
use crate::corpus::Piece;
use crate::error::AccessError;
use crate::grammar::{Grammar, Symbol};
use crate::token::Splitter;
use rustc_hash::FxHashMap;

/// What is kept of rules and states at a time.
const MOST_KEPT: usize = 1 << 20;

/// The automaton of a phrase.
pub(super) struct Automaton {
    /// The words of the phrase, each as the place of its first occurrence in the phrase.
    words: Vec<u32>,
    /// Of every number of words just seen, how many of the phrase's first words end there as well.
    falls: Vec<u32>,
}

impl Automaton {
    /// The automaton of a phrase with these words.
    pub(super) fn new(words: Vec<u32>) -> Self {
        let mut falls = vec![0; words.len() + 1];
        let mut state = 0u32;
        for at in 1..words.len() {
            while state > 0 && words[state as usize] != words[at] {
                state = falls[state as usize];
            }
            state += u32::from(words[state as usize] == words[at]);
            falls[at + 1] = state;
        }
        Self { words, falls }
    }

    /// The state after a word of the phrase, and whether that completes a match.
    pub(super) fn step(&self, mut state: u32, word: u32) -> (u32, bool) {
        while state > 0 && self.words[state as usize] != word {
            state = self.falls[state as usize];
        }
        state += u32::from(self.words[state as usize] == word);
        match state as usize == self.words.len() {
            true => (self.falls[state as usize], true),
            false => (state, false),
        }
    }
}

/// What a symbol can do to the automaton.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Effect {
    /// Nothing: only separators.
    None,
    /// It leaves no word of the phrase just seen.
    Reset,
    /// It has words of the phrase.
    Step,
}

/// The effects of a grammar's symbols.
pub(super) struct Effects<'a> {
    grammar: &'a Grammar,
    /// Of every symbol.
    pub(super) of: Vec<Effect>,
    /// What rules do from states: the state after them, and the matches completed.
    known: FxHashMap<(Symbol, u32), (u32, u64)>,
}

impl<'a> Effects<'a> {
    /// Of a grammar whose first word is token `first`.
    pub(super) fn new(grammar: &'a Grammar, first: u32, tokens: &FxHashMap<u32, u32>) -> Self {
        let (words, rules) = (grammar.tokens() as usize, grammar.rule_count());
        let first = first as usize;
        let mut of = vec![Effect::None; words + rules];
        of[first.min(words)..words].fill(Effect::Reset);
        tokens.keys().for_each(|&token| of[token as usize] = Effect::Step);
        for rule in (1..rules).rev() {
            let parts = grammar.rule(rule).iter().map(|&part| of[part as usize]);
            of[words + rule] = parts.max().unwrap_or(Effect::None);
        }
        Self { grammar, of, known: FxHashMap::default() }
    }

    /// The right-hand side of a rule; `None` for a token.
    pub(super) fn rule(&self, symbol: Symbol) -> Option<&'a [Symbol]> {
        self.grammar.as_rule(symbol).map(|rule| self.grammar.rule(rule))
    }

    /// Reads symbols from a state of the automaton on. Returns the state after them, and the matches.
    pub(super) fn read(
        &mut self,
        automaton: &Automaton,
        tokens: &FxHashMap<u32, u32>,
        mut state: u32,
        symbols: &[Symbol],
    ) -> (u32, u64) {
        let Self { grammar, of, known } = self;
        // The symbols themselves have no key: what they do is not asked for again.
        let mut level = Level { rest: symbols, key: (0, 0), count: 0 };
        let mut above: Vec<Level<'_>> = Vec::new();
        loop {
            let Some((&symbol, rest)) = level.rest.split_first() else {
                let Some(outer) = above.pop() else { return (state, level.count) };
                if known.len() >= MOST_KEPT {
                    known.clear();
                }
                known.insert(level.key, (state, level.count));
                level = Level { count: outer.count.saturating_add(level.count), ..outer };
                continue;
            };
            level.rest = rest;
            match of[symbol as usize] {
                Effect::None => {}
                Effect::Reset => state = 0,
                Effect::Step => {
                    let done = match grammar.as_rule(symbol) {
                        None => {
                            let (next, is_match) = automaton.step(state, tokens[&symbol]);
                            Some((next, u64::from(is_match)))
                        }
                        Some(_) => known.get(&(symbol, state)).copied(),
                    };
                    match (done, grammar.as_rule(symbol)) {
                        (Some((next, matches)), _) => {
                            state = next;
                            level.count = level.count.saturating_add(matches);
                        }
                        (None, rule) => {
                            let rest = rule.map_or(&[][..], |rule| grammar.rule(rule));
                            let inner = Level { rest, key: (symbol, state), count: 0 };
                            above.push(std::mem::replace(&mut level, inner));
                        }
                    }
                }
            }
        }
    }
}

/// A right-hand side that is being read.
struct Level<'a> {
    rest: &'a [Symbol],
    /// The rule and the state before it.
    key: (Symbol, u32),
    /// Matches completed so far.
    count: u64,
}

/// Reads texts and counts a phrase in them.
pub(crate) struct PhraseCount<'a> {
    access: &'a Access,
    automaton: Automaton,
    /// The phrase's words, as the automaton knows them.
    words: FxHashMap<&'a [u8], u32>,
    /// Those that the corpus has, by their tokens.
    tokens: FxHashMap<u32, u32>,
    /// Of the segments met so far.
    effects: FxHashMap<usize, Effects<'a>>,
    state: u32,
    count: u64,
}

impl<'a> PhraseCount<'a> {
    pub(crate) fn new(access: &'a Access, phrase: &'a Phrase) -> Result<Self, AccessError> {
        let mut words: FxHashMap<&[u8], u32> = FxHashMap::default();
        let numbers =
            (0..).zip(phrase.words()).map(|(at, word)| *words.entry(word).or_insert(at)).collect();
        let mut tokens = FxHashMap::default();
        for (word, &number) in &words {
            if let Some(token) = access.token(word)? {
                tokens.insert(token, number);
            }
        }
        let (automaton, effects) = (Automaton::new(numbers), FxHashMap::default());
        Ok(Self { access, automaton, words, tokens, effects, state: 0, count: 0 })
    }

    /// Matches so far.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// How many of the phrase's words were just seen.
    pub(super) fn state(&self) -> u32 {
        self.state
    }

    /// Begins another text, of which some of the phrase's words were just seen.
    pub(super) fn begin(&mut self, state: u32) {
        self.state = state;
    }

    /// Reads all of a piece of a document.
    pub(super) fn read_piece(&mut self, piece: Piece) -> Result<(), AccessError> {
        let symbols = self.access.segment(piece.segment)?.grammar.document(piece.document);
        self.read_symbols(piece.segment, symbols)
    }

    /// Reads the stretch of a document's text between two offsets, which cut no word.
    pub(crate) fn read_stretch(
        &mut self,
        document: usize,
        start: u64,
        end: u64,
    ) -> Result<(), AccessError> {
        for (piece, begin, len) in self.access.pieces(document)? {
            if begin.saturating_add(len) <= start {
                continue;
            }
            if begin >= end {
                break;
            }
            let from = start.saturating_sub(begin);
            let to = (end - begin).min(len);
            let mut walk = self.access.walk(piece)?;
            walk.seek(from);
            if walk.offset() < from {
                walk.pass(from, |_| {});
            }
            // The rest of a symbol that the start cuts, the symbols between, and the symbol that the
            // end cuts. Parts of tokens are parts of separators.
            let mut cut = Vec::new();
            if !walk.is_between() {
                walk.pass(to, |passed| cut.extend(symbol_of(passed)));
                self.read_symbols(piece.segment, &cut)?;
            }
            if walk.is_between() && walk.offset() < to {
                let first = walk.at();
                walk.seek(to);
                let root = self.access.segment(piece.segment)?.grammar.root();
                self.read_symbols(piece.segment, &root[first..walk.at()])?;
                if walk.offset() < to {
                    cut.clear();
                    walk.pass(to, |passed| cut.extend(symbol_of(passed)));
                    self.read_symbols(piece.segment, &cut)?;
                }
            }
        }
        Ok(())
    }

    /// Reads a text that begins and ends between words.
    pub(crate) fn read_bytes(&mut self, bytes: &[u8]) {
        let Self { automaton, words, state, count, .. } = self;
        Splitter::default().finish(bytes, |class, word| {
            if !class.is_word() {
                return;
            }
            match words.get(word) {
                None => *state = 0,
                Some(&number) => {
                    let (next, is_match) = automaton.step(*state, number);
                    *state = next;
                    *count = count.saturating_add(u64::from(is_match));
                }
            }
        });
    }

    fn read_symbols(&mut self, number: usize, symbols: &[Symbol]) -> Result<(), AccessError> {
        let segment = self.access.segment(number)?;
        let (tokens, words) = (&self.tokens, segment.dictionary().words());
        let new = || Effects::new(&segment.grammar, words.start, tokens);
        let effects = self.effects.entry(number).or_insert_with(new);
        let (state, count) = effects.read(&self.automaton, tokens, self.state, symbols);
        (self.state, self.count) = (state, self.count.saturating_add(count));
        Ok(())
    }
}

fn symbol_of(passed: Passed<'_>) -> Option<Symbol> {
    match passed {
        Passed::Symbol(symbol) => Some(symbol),
        Passed::Text(_) => None,
    }
}
