//! Walks over a document's symbols from left to right and expands only those that an offset cuts.

use super::segment::Segment;
use crate::grammar::Symbol;
use crate::token::{TokenClass, join};

/// A position in a document, and the rest of the root symbol it is in.
pub(crate) struct Walk<'a> {
    segment: &'a Segment,
    document: usize,
    offset: u64,
    /// The next symbol of the root.
    at: usize,
    /// The class of the token before the position.
    last: TokenClass,
    /// The rest of the symbol before `at`: bytes of a token, then symbols in reverse order.
    text: Vec<u8>,
    symbols: Vec<Symbol>,
}

/// What a walk has passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Passed<'a> {
    /// A whole symbol, with the implied space before it.
    Symbol(Symbol),
    /// A part of a token, or of the space before it.
    Text(&'a [u8]),
}

impl<'a> Walk<'a> {
    /// From the beginning of a document.
    pub(super) fn new(segment: &'a Segment, document: usize) -> Self {
        Self {
            segment,
            document,
            offset: 0,
            at: segment.root_range(document).start,
            last: TokenClass::Separator,
            text: Vec::new(),
            symbols: Vec::new(),
        }
    }

    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// The next symbol of the root.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Whether the position is between two symbols of the root.
    pub(crate) fn is_between(&self) -> bool {
        self.text.is_empty() && self.symbols.is_empty()
    }

    /// Moves on to the root symbol that contains a later offset or begins there, and skips all symbols
    /// before it.
    pub(crate) fn seek(&mut self, offset: u64) {
        let Segment { grammar, texts, offsets, .. } = self.segment;
        let end = self.segment.root_range(self.document).end;
        let place = offsets.before_offset(grammar, texts, self.document, offset);
        if place.at > self.at {
            (self.at, self.offset, self.last) = (place.at, place.offset, place.last);
        }
        self.text.clear();
        self.symbols.clear();
        while self.at < end {
            let (len, last) = self.measure(grammar.root()[self.at]);
            if self.offset.saturating_add(len) > offset {
                break;
            }
            (self.offset, self.last) = (self.offset.saturating_add(len), last);
            self.at += 1;
        }
    }

    /// Moves on to a later offset in this root symbol or the next, at most to the end of that symbol.
    /// Calls `passed` with everything on the way.
    pub(crate) fn pass(&mut self, offset: u64, mut passed: impl FnMut(Passed<'_>)) {
        let grammar = &self.segment.grammar;
        if self.is_between() && self.at < self.segment.root_range(self.document).end {
            self.symbols.push(grammar.root()[self.at]);
            self.at += 1;
        }
        let here = self.text.len().min((offset - self.offset) as usize);
        if here > 0 {
            passed(Passed::Text(&self.text[..here]));
            self.text.drain(..here);
            self.offset += here as u64;
        }
        while self.text.is_empty()
            && let Some(symbol) = self.symbols.pop()
        {
            let (len, last) = self.measure(symbol);
            if self.offset.saturating_add(len) <= offset {
                passed(Passed::Symbol(symbol));
                (self.offset, self.last) = (self.offset.saturating_add(len), last);
                continue;
            }
            let gap = join(self.last, self.segment.texts.ends(symbol).0);
            let left = (offset - self.offset) as usize;
            match grammar.as_rule(symbol) {
                _ if left == 0 && gap.is_empty() => self.symbols.push(symbol),
                // The space before a rule is the space before its first symbol.
                Some(rule) if left > gap.len() => {
                    self.symbols.extend(grammar.rule(rule).iter().rev());
                    continue;
                }
                token => {
                    let mut text = gap.to_vec();
                    if left > gap.len() {
                        text.extend_from_slice(self.segment.dictionary().bytes(symbol));
                        self.last = last;
                    } else {
                        debug_assert!(token.is_none() || left <= gap.len());
                        self.symbols.push(symbol);
                        self.last = TokenClass::Separator;
                    }
                    self.text = text.split_off(left);
                    if left > 0 {
                        passed(Passed::Text(&text));
                    }
                    self.offset = offset;
                }
            }
            break;
        }
    }

    /// The length of a symbol with the implied space before it, and the class of its last token.
    fn measure(&self, symbol: Symbol) -> (u64, TokenClass) {
        let (first, last) = self.segment.texts.ends(symbol);
        let gap = join(self.last, first).len() as u64;
        (gap.saturating_add(self.segment.len_of(symbol)), last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::access::Access;
    use crate::access::sample::corpus_of;
    use crate::expand::Expander;

    /// Moves from offset to offset and compares what is passed with the text between them.
    #[test]
    fn what_is_passed_is_the_text() {
        let text =
            "the cat, the cat sat. the cat sat on the mat , the cat\n\n sat 中文 the cat sat";
        let texts = ["on the mat".to_owned(), text.repeat(3)];
        let access = Access::new(corpus_of(&texts));
        let segment = access.segment(0).unwrap();
        let expander = Expander::new(&segment.grammar, segment.dictionary());
        let mut taken_apart = 0;
        for (number, text) in texts.iter().map(String::as_bytes).enumerate() {
            for step in 1..40 {
                let mut walk = Walk::new(segment, number);
                let mut found = Vec::new();
                let mut last = TokenClass::Separator;
                for place in (0..text.len()).step_by(step).chain([text.len()]) {
                    while walk.offset() < place as u64 {
                        walk.pass(place as u64, |passed| match passed {
                            Passed::Text(text) => {
                                found.extend_from_slice(text);
                                last = match text.last().is_some_and(u8::is_ascii_alphanumeric) {
                                    true => TokenClass::Spaced,
                                    false => TokenClass::Separator,
                                };
                            }
                            Passed::Symbol(symbol) => {
                                let (first, last_of_this) = segment.texts.ends(symbol);
                                found.extend_from_slice(join(last, first));
                                expander.write(&[symbol], &mut found).unwrap();
                                last = last_of_this;
                            }
                        });
                    }
                    assert_eq!(found, text[..place], "step {step}");
                    taken_apart += usize::from(!walk.is_between());
                    let mut other = Walk::new(segment, number);
                    other.seek(place as u64);
                    let (len, _) = match segment.grammar.document(number) {
                        _ if other.at() == segment.root_range(number).end => (0, last),
                        _ => other.measure(segment.grammar.root()[other.at()]),
                    };
                    assert!(other.offset() <= place as u64);
                    assert!(other.offset() + len > place as u64 || place == text.len());
                }
            }
        }
        assert!(taken_apart > 0);
    }
}
