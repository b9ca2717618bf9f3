//! Line ends: how many are before an offset, and the offset of the n-th.
//!
//! Like `offsets`, but counts line feeds. Built when lines are first asked for.

use super::segment::Segment;
use crate::grammar::{Grammar, Symbol};
use crate::token::{Dictionary, TokenClass, join};

/// Root symbols between samples. Lines are asked for rarely, and in ranges.
const STEP: usize = 64;

/// Counts of line ends. Sums saturate.
#[derive(Debug)]
pub(super) struct LineEnds {
    /// Per symbol, tokens first.
    of_symbol: Vec<u64>,
    samples: Vec<u64>,
    documents: Vec<u64>,
}

impl LineEnds {
    pub(super) fn new(grammar: &Grammar, dictionary: &Dictionary) -> Self {
        let tokens = grammar.tokens() as usize;
        let mut of_symbol: Vec<u64> =
            (0..tokens).map(|token| line_ends(dictionary.bytes(token as u32))).collect();
        of_symbol.resize(tokens + grammar.rule_count(), 0);
        let sum = |counts: &[u64], symbols: &[Symbol]| {
            symbols.iter().fold(0u64, |sum, &symbol| sum.saturating_add(counts[symbol as usize]))
        };
        for rule in (1..grammar.rule_count()).rev() {
            of_symbol[tokens + rule] = sum(&of_symbol, grammar.rule(rule));
        }
        let mut total = 0u64;
        let mut samples = Vec::with_capacity(grammar.root().len() / STEP + 1);
        for block in grammar.root().chunks(STEP) {
            samples.push(total);
            total = total.saturating_add(sum(&of_symbol, block));
        }
        let documents = grammar
            .doc_starts()
            .iter()
            .map(|&start| {
                let start = start as usize;
                match samples.get(start / STEP) {
                    None => total,
                    Some(&sample) => {
                        let block = start / STEP * STEP..start;
                        sample.saturating_add(sum(&of_symbol, &grammar.root()[block]))
                    }
                }
            })
            .collect();
        Self { of_symbol, samples, documents }
    }

    /// Number of line ends in a document.
    pub(super) fn in_document(&self, document: usize) -> u64 {
        self.documents[document + 1] - self.documents[document]
    }

    /// Number of line ends in the first `offset` bytes of a document.
    pub(super) fn before(&self, segment: &Segment, document: usize, offset: u64) -> u64 {
        let (grammar, texts) = (&segment.grammar, &segment.texts);
        let place = segment.offsets.before_offset(grammar, texts, document, offset);
        let block = place.at / STEP * STEP;
        let sample = self.samples.get(place.at / STEP).copied().unwrap_or_default();
        let passed = &grammar.root()[block..place.at];
        let lines =
            passed.iter().fold(sample, |sum, &at| sum.saturating_add(self.of_symbol[at as usize]));
        let state = State {
            offset: place.offset,
            last: place.last,
            lines: lines.saturating_sub(self.documents[document]),
        };
        let symbols = &grammar.root()[place.at..segment.root_range(document).end];
        let (token, state) = self.descend(segment, symbols, state, |end| end.offset <= offset);
        let Some(token) = token else { return state.lines };
        let part = offset.saturating_sub(state.offset) as usize;
        state.lines + line_ends(&segment.dictionary().bytes(token)[..part])
    }

    /// The offset after line end number `number`, from 1.
    pub(super) fn after(&self, segment: &Segment, document: usize, number: u64) -> u64 {
        let (grammar, texts) = (&segment.grammar, &segment.texts);
        let range = segment.root_range(document);
        let base = self.documents[document];
        // From the last sample with fewer line ends, forward to the symbol that contains this one.
        let first = range.start.div_ceil(STEP);
        let samples = &self.samples[first..range.end.div_ceil(STEP).max(first)];
        let (mut at, mut lines) = match samples.partition_point(|&at| at - base < number) {
            0 => (range.start, 0),
            after => ((first + after - 1) * STEP, samples[after - 1] - base),
        };
        while lines.saturating_add(self.of_symbol[grammar.root()[at] as usize]) < number {
            lines += self.of_symbol[grammar.root()[at] as usize];
            at += 1;
        }
        let mut place = segment.offsets.before_place(grammar, texts, document, at);
        for &symbol in &grammar.root()[place.at..at] {
            place.pass(symbol, segment);
        }
        let state = State { offset: place.offset, last: place.last, lines };
        let (token, state) =
            self.descend(segment, &grammar.root()[at..=at], state, |end| end.lines < number);
        let text = token.map_or(&[][..], |token| segment.dictionary().bytes(token));
        let nth = (number - state.lines) as usize;
        let end = memchr::memchr_iter(b'\n', text).nth(nth - 1);
        state.offset.saturating_add(end.map_or(0, |end| end as u64 + 1))
    }

    /// Skips symbols while `is_before` holds for the state after them, and descends into the first
    /// symbol for which it does not. Returns the token reached, if any, with the state before its text.
    fn descend<'a>(
        &self,
        segment: &'a Segment,
        mut symbols: &'a [Symbol],
        mut state: State,
        is_before: impl Fn(State) -> bool,
    ) -> (Option<u32>, State) {
        while let Some((&symbol, rest)) = symbols.split_first() {
            let (first, last) = segment.texts.ends(symbol);
            let gap = join(state.last, first).len() as u64;
            let end = State {
                offset: state.offset.saturating_add(gap).saturating_add(segment.len_of(symbol)),
                last,
                lines: state.lines.saturating_add(self.of_symbol[symbol as usize]),
            };
            if is_before(end) {
                (state, symbols) = (end, rest);
                continue;
            }
            match segment.grammar.as_rule(symbol) {
                Some(rule) => symbols = segment.grammar.rule(rule),
                None => {
                    return (
                        Some(symbol),
                        State { offset: state.offset.saturating_add(gap), ..state },
                    );
                }
            }
        }
        (None, state)
    }
}

/// The state before a symbol: bytes so far, class of the last token, line ends so far.
#[derive(Clone, Copy, Debug)]
struct State {
    offset: u64,
    last: TokenClass,
    lines: u64,
}

fn line_ends(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}
