//! Symbols to text.
//!
//! Most of what a document is made of are short rules, used often. Their text is written out once,
//! when an [`Expander`] is made; expanding a document then mostly copies ready strings. Where a
//! string stands is told by eight bytes a symbol, and short strings are copied at a fixed length,
//! which takes no branch; so the processor can fetch many of them at once.

use crate::grammar::{Grammar, Symbol};
use crate::token::{Dictionary, TokenClass, join};
use std::io::{self, Write};

/// A rule whose text is longer is expanded anew each time.
const READY_LEN: u64 = 96;

/// All ready texts together stay below this.
const READY_TOTAL: usize = 256 << 20;

/// Texts up to this are copied at this length, and what is too much overwritten by the next.
const COPY_LEN: usize = 32;

/// Text is written when so much has gathered.
const BUFFER: usize = 1 << 16;

/// Expands symbols of one grammar.
pub struct Expander<'a> {
    grammar: &'a Grammar,
    dictionary: &'a Dictionary,
    texts: Texts,
}

/// What an [`Expander`] prepares, without the grammar and the dictionary it was made from: random
/// access keeps all three for as long as a segment is in memory.
#[derive(Debug)]
pub(crate) struct Texts {
    /// Of every symbol, tokens first.
    places: Vec<Place>,
    /// Lengths of all rules' texts in bytes; they saturate.
    rule_lens: Vec<u64>,
    /// Texts, and `COPY_LEN` bytes more.
    ready: Vec<u8>,
}

/// Where a symbol's text stands among the ready ones, and how it meets its neighbours.
#[derive(Clone, Copy, Debug)]
struct Place {
    start: u32,
    /// `NOT_READY` if it does not stand there.
    len: u16,
    first: TokenClass,
    last: TokenClass,
}

const NOT_READY: u16 = u16::MAX;

impl<'a> Expander<'a> {
    /// Prepares the short rules' texts. `dictionary` must be the grammar's.
    #[must_use]
    pub fn new(grammar: &'a Grammar, dictionary: &'a Dictionary) -> Self {
        Self { grammar, dictionary, texts: Texts::new(grammar, dictionary) }
    }

    /// The length in bytes of what `symbols` expand to.
    #[must_use]
    pub fn len(&self, symbols: &[Symbol]) -> u64 {
        self.texts.len_of(symbols, self.grammar, self.dictionary)
    }

    /// Writes what `symbols` expand to.
    ///
    /// # Errors
    /// When `out` fails.
    pub fn write(&self, symbols: &[Symbol], out: &mut dyn Write) -> io::Result<()> {
        let mut buffer = Vec::with_capacity(BUFFER + READY_LEN as usize + COPY_LEN);
        // Symbols still to come, of the document and of the rules that are being expanded.
        let mut pending = vec![symbols];
        let mut last = TokenClass::Separator;
        while let Some(mut symbols) = pending.pop() {
            while let Some((&symbol, rest)) = symbols.split_first() {
                symbols = rest;
                let place = self.texts.place(symbol);
                if place.len == NOT_READY
                    && let Some(rule) = self.grammar.as_rule(symbol)
                {
                    if !rest.is_empty() {
                        pending.push(rest);
                    }
                    symbols = self.grammar.rule(rule);
                    continue;
                }
                let gap = join(last, place.first).len();
                last = place.last;
                buffer.push(b' ');
                buffer.truncate(buffer.len() - 1 + gap);
                self.append(symbol, place, &mut buffer);
                if buffer.len() >= BUFFER {
                    out.write_all(&buffer)?;
                    buffer.clear();
                }
            }
        }
        out.write_all(&buffer)
    }

    /// Appends the text of a token or of a rule that is ready.
    #[inline]
    fn append(&self, symbol: Symbol, place: Place, buffer: &mut Vec<u8>) {
        let (start, len) = (place.start as usize, usize::from(place.len));
        let ready = &self.texts.ready;
        if len <= COPY_LEN {
            let end = buffer.len() + len;
            buffer.extend_from_slice(&ready[start..start + COPY_LEN]);
            buffer.truncate(end);
        } else if place.len != NOT_READY {
            buffer.extend_from_slice(&ready[start..start + len]);
        } else {
            buffer.extend_from_slice(self.dictionary.bytes(symbol));
        }
    }
}

impl Texts {
    /// Prepares the short rules' texts. `dictionary` must be the grammar's.
    pub(crate) fn new(grammar: &Grammar, dictionary: &Dictionary) -> Self {
        let none = Place {
            start: 0,
            len: NOT_READY,
            first: TokenClass::Separator,
            last: TokenClass::Separator,
        };
        let tokens = grammar.tokens() as usize;
        let mut texts = Self {
            places: vec![none; tokens + grammar.rule_count()],
            rule_lens: vec![0; grammar.rule_count()],
            ready: Vec::new(),
        };
        for token in 0..grammar.tokens() {
            let (bytes, class) = (dictionary.bytes(token), dictionary.class(token));
            let place = texts.next_place(bytes.len() as u64);
            texts.places[token as usize] = Place { first: class, last: class, ..place };
            if place.len != NOT_READY {
                texts.ready.extend_from_slice(bytes);
            }
        }
        for rule in (1..grammar.rule_count()).rev() {
            let body = grammar.rule(rule);
            let len = texts.len_of(body, grammar, dictionary);
            texts.rule_lens[rule] = len;
            texts.places[tokens + rule] = texts.prepare(body, len);
        }
        texts.ready.resize(texts.ready.len() + COPY_LEN, 0);
        texts
    }

    /// Where the next ready text stands, if one of this length may.
    fn next_place(&self, len: u64) -> Place {
        let is_ready = len <= READY_LEN && self.ready.len() + READY_LEN as usize <= READY_TOTAL;
        Place {
            start: if is_ready { self.ready.len() as u32 } else { 0 },
            len: if is_ready { len as u16 } else { NOT_READY },
            first: TokenClass::Separator,
            last: TokenClass::Separator,
        }
    }

    fn prepare(&mut self, body: &[Symbol], len: u64) -> Place {
        let place = Place {
            first: self.place(body[0]).first,
            last: self.place(body[body.len() - 1]).last,
            ..self.next_place(len)
        };
        if place.len == NOT_READY || body.iter().any(|&part| self.place(part).len == NOT_READY) {
            return Place { len: NOT_READY, ..place };
        }
        let mut last = TokenClass::Separator;
        for &symbol in body {
            let part = self.place(symbol);
            self.ready.extend_from_slice(join(last, part.first));
            last = part.last;
            let from = part.start as usize;
            self.ready.extend_from_within(from..from + usize::from(part.len));
        }
        place
    }

    #[inline]
    fn place(&self, symbol: Symbol) -> Place {
        self.places[symbol as usize]
    }

    /// The classes of the first and the last token of what a symbol expands to.
    #[inline]
    pub(crate) fn ends(&self, symbol: Symbol) -> (TokenClass, TokenClass) {
        let place = self.place(symbol);
        (place.first, place.last)
    }

    /// The text of a symbol, where it is ready.
    #[inline]
    pub(crate) fn ready(&self, symbol: Symbol) -> Option<&[u8]> {
        let place = self.place(symbol);
        let start = place.start as usize;
        (place.len != NOT_READY).then(|| &self.ready[start..start + usize::from(place.len)])
    }

    /// The length in bytes of a text that is ready.
    #[inline]
    pub(crate) fn ready_len(&self, symbol: Symbol) -> Option<u64> {
        let place = self.place(symbol);
        (place.len != NOT_READY).then(|| u64::from(place.len))
    }

    /// The length in bytes of what one symbol expands to.
    #[inline]
    pub(crate) fn len(&self, symbol: Symbol, grammar: &Grammar, dictionary: &Dictionary) -> u64 {
        let place = self.place(symbol);
        match grammar.as_rule(symbol) {
            _ if place.len != NOT_READY => u64::from(place.len),
            Some(rule) => self.rule_lens[rule],
            None => dictionary.bytes(symbol).len() as u64,
        }
    }

    fn len_of(&self, symbols: &[Symbol], grammar: &Grammar, dictionary: &Dictionary) -> u64 {
        let mut len = 0u64;
        let mut last = TokenClass::Separator;
        for &symbol in symbols {
            let place = self.place(symbol);
            let gap = join(last, place.first).len() as u64;
            let own = self.len(symbol, grammar, dictionary);
            len = len.saturating_add(gap).saturating_add(own);
            last = place.last;
        }
        len
    }
}
