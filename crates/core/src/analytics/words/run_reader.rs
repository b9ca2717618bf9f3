//! Reads a grammar as runs of word characters.
//!
//! A run can span tokens, and so the border of a rule. Nearly always it does not. Then the rule stays a
//! rule: its runs are the same wherever it is used. Where a run does span the border, the rule is
//! replaced by its symbols.

use super::SklearnTokens;
use crate::grammar::{Grammar, Symbol};

/// A token's runs, and whether the first and the last touch its ends.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TokenRuns {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) at_start: bool,
    pub(super) at_end: bool,
}

/// What matters of a symbol's ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge(u8);

impl Edge {
    /// It has no text: an empty separator, which only means that no space is implied.
    const SILENT: u8 = 1;
    /// Its text begins with a run.
    const STARTS: u8 = 2;
    /// Its text ends with a run.
    const ENDS: u8 = 4;
    /// Its first token is a spaced word, and its last one.
    const SPACED_FIRST: u8 = 8;
    const SPACED_LAST: u8 = 16;

    /// No symbol.
    const NOTHING: Self = Self(0);
    /// A run that continues whatever comes before it.
    const RUN: Self = Self(Self::STARTS);

    pub(super) fn of_token(is_silent: bool, is_spaced: bool, runs: TokenRuns) -> Self {
        let flag = |flag: u8, is_set: bool| if is_set { flag } else { 0 };
        Self(
            flag(Self::SILENT, is_silent)
                | flag(Self::STARTS, runs.at_start)
                | flag(Self::ENDS, runs.at_end)
                | flag(Self::SPACED_FIRST | Self::SPACED_LAST, is_spaced),
        )
    }

    fn has(self, flag: u8) -> bool {
        self.0 & flag != 0
    }

    /// Whether its first run continues one that is open before it.
    #[inline(always)]
    fn touches(self, after_spaced: bool) -> bool {
        self.has(Self::STARTS) && !(after_spaced && self.has(Self::SPACED_FIRST))
    }

    /// Whether its last run continues in what follows.
    #[inline(always)]
    fn joins(self, next: Self) -> bool {
        self.has(Self::ENDS) && next.touches(self.has(Self::SPACED_LAST))
    }

    /// The edge of what begins with a silent symbol and continues with this.
    fn after_silence(self) -> Self {
        Self(self.0 & !Self::SPACED_FIRST)
    }
}

/// What a body consists of.
pub(super) enum Part<'a> {
    /// A run of one token: its text's id.
    Single(u32),
    /// A run of several tokens: its text.
    Joined(&'a [u8]),
    Rule(usize),
}

/// Reads bodies of a grammar.
pub(super) struct RunReader<'r> {
    tokens: &'r SklearnTokens,
    grammar: &'r Grammar,
    /// By symbol.
    edges: Vec<Edge>,
    /// The run that may continue: a single one, or its text.
    open: Option<u32>,
    joined: Vec<u8>,
    /// Whether the last token was a spaced word.
    after_spaced: bool,
}

impl<'r> RunReader<'r> {
    pub(super) fn new(tokens: &'r SklearnTokens, grammar: &'r Grammar) -> Self {
        let mut edges = tokens.edges.clone();
        edges.resize(grammar.tokens() as usize + grammar.rule_count(), Edge::NOTHING);
        for rule in (1..grammar.rule_count()).rev() {
            let body = grammar.rule(rule).iter().map(|&symbol| edges[symbol as usize]);
            let is_heard = |edge: &Edge| !edge.has(Edge::SILENT);
            let (first, last) = (body.clone().next(), body.clone().next_back());
            let heard = (body.clone().find(is_heard), body.rev().find(is_heard));
            let of = |edge: Option<Edge>, flag: u8| edge.map_or(0, |edge| edge.0 & flag);
            let flags = match heard {
                (None, _) => Edge::SILENT,
                (start, end) => of(start, Edge::STARTS) | of(end, Edge::ENDS),
            };
            let spaced = of(first, Edge::SPACED_FIRST) | of(last, Edge::SPACED_LAST);
            edges[grammar.tokens() as usize + rule] = Edge(flags | spaced);
        }
        Self { tokens, grammar, edges, open: None, joined: Vec::new(), after_spaced: false }
    }

    /// Begins the next body with an open run.
    pub(super) fn carry(&mut self, run: &[u8]) {
        self.joined.extend_from_slice(run);
    }

    /// Takes the text of the open run.
    pub(super) fn take_open(&mut self) -> Vec<u8> {
        if let Some(text) = self.open.take().filter(|_| self.joined.is_empty()) {
            self.joined.extend_from_slice(self.tokens.run_texts.bytes(text));
        }
        std::mem::take(&mut self.joined)
    }

    /// Passes the open run on.
    #[inline(always)]
    pub(super) fn close(&mut self, sink: &mut impl FnMut(Part<'_>)) {
        if !self.joined.is_empty() {
            sink(Part::Joined(&self.joined));
            self.joined.clear();
        } else if let Some(text) = self.open {
            sink(Part::Single(text));
        }
        self.open = None;
    }

    /// Reads a body. If it `is_continued`, its last run stays open where it touches the end.
    pub(super) fn read(
        &mut self,
        body: &[Symbol],
        is_continued: bool,
        sink: &mut impl FnMut(Part<'_>),
    ) {
        self.after_spaced = false;
        let grammar = self.grammar;
        // Symbols yet to be read, the first ones last, and the edge of what follows them.
        let mut pending = vec![(body, if is_continued { Edge::RUN } else { Edge::NOTHING })];
        'bodies: while let Some((mut symbols, end)) = pending.pop() {
            while let Some((&symbol, rest)) = symbols.split_first() {
                symbols = rest;
                let edge = self.edges[symbol as usize];
                if edge.has(Edge::SILENT) {
                    self.after_spaced = false;
                    continue;
                }
                let touches = edge.touches(self.after_spaced);
                let Some(rule) = grammar.as_rule(symbol) else {
                    self.token(symbol, touches, sink);
                    self.after_spaced = edge.has(Edge::SPACED_LAST);
                    continue;
                };
                let is_open = self.open.is_some() || !self.joined.is_empty();
                let next = self.first_edge(rest, end);
                if touches && is_open || edge.joins(next) {
                    if !rest.is_empty() {
                        pending.push((rest, end));
                    }
                    pending.push((grammar.rule(rule), next));
                    continue 'bodies;
                }
                self.close(sink);
                sink(Part::Rule(rule));
                self.after_spaced = edge.has(Edge::SPACED_LAST);
            }
        }
    }

    /// The edge of symbols that are followed by `end`.
    #[inline(always)]
    fn first_edge(&self, symbols: &[Symbol], end: Edge) -> Edge {
        let mut is_after_silence = false;
        for &symbol in symbols {
            let edge = self.edges[symbol as usize];
            if !edge.has(Edge::SILENT) {
                return if is_after_silence { edge.after_silence() } else { edge };
            }
            is_after_silence = true;
        }
        if is_after_silence { end.after_silence() } else { end }
    }

    #[inline(always)]
    fn token(&mut self, token: u32, touches: bool, sink: &mut impl FnMut(Part<'_>)) {
        let tokens = self.tokens;
        let TokenRuns { start, end, at_end, .. } = tokens.tokens[token as usize];
        if !touches {
            self.close(sink);
        }
        for run in start..end {
            let text = tokens.runs[run as usize];
            if let Some(before) = self.open.filter(|_| self.joined.is_empty()) {
                self.joined.extend_from_slice(tokens.run_texts.bytes(before));
            }
            if self.joined.is_empty() {
                self.open = Some(text);
            } else {
                self.joined.extend_from_slice(tokens.run_texts.bytes(text));
            }
            if run + 1 < end || !at_end {
                self.close(sink);
            }
        }
    }
}
