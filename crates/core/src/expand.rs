//! Expands symbols to text.
//!
//! A document consists mostly of short rules that are used often. An [`Expander`] writes out the text of
//! each such rule once; expanding a document then mostly copies ready texts. An entry of eight bytes per
//! symbol says where its text is. Short texts are copied at a fixed length, which takes no branch, so the
//! processor can fetch many of them at once.

use crate::grammar::{Grammar, Symbol};
use crate::token::{Dictionary, TokenClass, join};
use std::io::{self, Write};

/// A rule with a longer text is expanded each time it occurs.
const READY_LEN: u64 = 512;

/// All ready texts together take fewer bytes than this.
const READY_TOTAL: usize = 256 << 20;

/// Texts up to this length are copied at this length; the next text overwrites the excess.
const COPY_LEN: usize = 32;

/// Text is written once this many bytes have gathered.
const BUFFER: usize = 1 << 16;

/// This many symbols are looked up at once, so that no look-up waits for another.
const BLOCK: usize = 64;

/// Only this many are looked up after a symbol whose text is not ready, since another may follow soon.
const FEW: usize = 4;

/// Expands symbols of one grammar.
pub struct Expander<'a> {
    grammar: &'a Grammar,
    dictionary: &'a Dictionary,
    texts: Texts,
}

/// The texts that an [`Expander`] prepares, without the grammar and the dictionary: random access keeps
/// all three as long as a segment is in memory.
#[derive(Debug)]
pub(crate) struct Texts {
    /// One per symbol, tokens first.
    places: Vec<Place>,
    /// The length of each rule's text in bytes; saturates.
    rule_lens: Vec<u64>,
    /// All texts, followed by `COPY_LEN` bytes of padding.
    ready: Vec<u8>,
}

/// Where a symbol's text is among the ready ones, and the classes of its first and last token, which
/// decide whether a space joins it to its neighbours.
#[derive(Clone, Copy, Debug)]
struct Place {
    start: u32,
    /// `NOT_READY` if the text is not among them.
    len: u16,
    first: TokenClass,
    last: TokenClass,
}

const NOT_READY: u16 = u16::MAX;

impl Place {
    const NONE: Self = Self {
        start: 0,
        len: NOT_READY,
        first: TokenClass::Separator,
        last: TokenClass::Separator,
    };
}

impl<'a> Expander<'a> {
    /// Prepares the texts of short rules. `dictionary` must be the grammar's.
    #[must_use]
    pub fn new(grammar: &'a Grammar, dictionary: &'a Dictionary) -> Self {
        Self { grammar, dictionary, texts: Texts::new(grammar, dictionary) }
    }

    /// The length in bytes of the text of `symbols`.
    #[must_use]
    pub fn len(&self, symbols: &[Symbol]) -> u64 {
        self.texts.len_of(symbols, self.grammar, self.dictionary)
    }

    /// Writes the text of `symbols`.
    ///
    /// # Errors
    /// When `out` fails.
    pub fn write(&self, symbols: &[Symbol], out: &mut dyn Write) -> io::Result<()> {
        self.write_at_most(symbols, u64::MAX, out).map(|_| ())
    }

    /// Writes the text of `symbols` and returns its length in bytes. If the text is longer than `most`
    /// bytes, writes at most that many of them and returns `None`.
    ///
    /// # Errors
    /// When `out` fails.
    pub fn write_at_most(
        &self,
        symbols: &[Symbol],
        most: u64,
        out: &mut dyn Write,
    ) -> io::Result<Option<u64>> {
        let mut buffer = Vec::with_capacity(BUFFER + BLOCK * (READY_LEN as usize + 1) + COPY_LEN);
        let mut written = 0u64;
        // Symbols still to expand: of the document, and of the rules under way.
        let mut pending = vec![symbols];
        let mut last = TokenClass::Separator;
        let mut places = [Place::NONE; BLOCK];
        while let Some(mut symbols) = pending.pop() {
            let mut ahead = FEW;
            while !symbols.is_empty() {
                let block = &symbols[..symbols.len().min(ahead)];
                for (place, &symbol) in places.iter_mut().zip(block) {
                    *place = self.texts.place(symbol);
                }
                self.texts.fetch(&places[..block.len()]);
                let ready = self.append_ready(block, &places, &mut last, &mut buffer);
                symbols = &symbols[ready..];
                ahead = BLOCK.min(2 * ahead);
                if buffer.len() >= BUFFER {
                    written += buffer.len() as u64;
                    if written > most {
                        return Ok(None);
                    }
                    out.write_all(&buffer)?;
                    buffer.clear();
                }
                if ready == block.len() {
                    continue;
                }
                let (&symbol, rest) = symbols.split_first().expect("the one that is not ready");
                symbols = rest;
                match self.grammar.as_rule(symbol) {
                    Some(rule) => {
                        if !rest.is_empty() {
                            pending.push(rest);
                        }
                        symbols = self.grammar.rule(rule);
                    }
                    None => {
                        let place = places[ready];
                        buffer.extend_from_slice(join(last, place.first));
                        last = place.last;
                        buffer.extend_from_slice(self.dictionary.bytes(symbol));
                    }
                }
                ahead = FEW;
            }
        }
        written += buffer.len() as u64;
        if written > most {
            return Ok(None);
        }
        out.write_all(&buffer)?;
        Ok(Some(written))
    }

    /// Appends the texts of a block's symbols, up to the first whose text is not ready. Returns the
    /// number of symbols appended.
    #[inline(always)]
    fn append_ready(
        &self,
        block: &[Symbol],
        places: &[Place; BLOCK],
        last: &mut TokenClass,
        buffer: &mut Vec<u8>,
    ) -> usize {
        let ready = &self.texts.ready;
        for (at, &place) in places[..block.len()].iter().enumerate() {
            if place.len == NOT_READY {
                return at;
            }
            let gap = join(*last, place.first).len();
            *last = place.last;
            buffer.push(b' ');
            buffer.truncate(buffer.len() - 1 + gap);
            let (start, len) = (place.start as usize, usize::from(place.len));
            if len <= COPY_LEN {
                let end = buffer.len() + len;
                buffer.extend_from_slice(&ready[start..start + COPY_LEN]);
                buffer.truncate(end);
            } else {
                buffer.extend_from_slice(&ready[start..start + len]);
            }
        }
        block.len()
    }
}

impl Texts {
    /// Prepares the texts of short rules. `dictionary` must be the grammar's.
    pub(crate) fn new(grammar: &Grammar, dictionary: &Dictionary) -> Self {
        let tokens = grammar.tokens() as usize;
        let mut texts = Self {
            places: vec![Place::NONE; tokens + grammar.rule_count()],
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

    /// The place of the next ready text, if a text of this length may be one.
    fn next_place(&self, len: u64) -> Place {
        let is_ready = len <= READY_LEN && self.ready.len() + READY_LEN as usize <= READY_TOTAL;
        if !is_ready {
            return Place::NONE;
        }
        Place { start: self.ready.len() as u32, len: len as u16, ..Place::NONE }
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

    /// Brings the texts into the cache, all at once. Copying them one after the other would wait for
    /// every few of them.
    #[inline]
    fn fetch(&self, places: &[Place]) {
        let first = |place: &Place| self.ready.get(place.start as usize).copied().unwrap_or(0);
        std::hint::black_box(places.iter().fold(0, |sum, place| sum ^ first(place)));
    }

    #[inline]
    fn place(&self, symbol: Symbol) -> Place {
        self.places[symbol as usize]
    }

    /// The classes of the first and the last token of a symbol's text.
    #[inline]
    pub(crate) fn ends(&self, symbol: Symbol) -> (TokenClass, TokenClass) {
        let place = self.place(symbol);
        (place.first, place.last)
    }

    /// The text of a symbol, if it is ready.
    #[inline]
    pub(crate) fn ready(&self, symbol: Symbol) -> Option<&[u8]> {
        let place = self.place(symbol);
        let start = place.start as usize;
        (place.len != NOT_READY).then(|| &self.ready[start..start + usize::from(place.len)])
    }

    /// The length in bytes of a symbol's text, if it is ready.
    #[inline]
    pub(crate) fn ready_len(&self, symbol: Symbol) -> Option<u64> {
        let place = self.place(symbol);
        (place.len != NOT_READY).then(|| u64::from(place.len))
    }

    /// The length in bytes of a symbol's text.
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
