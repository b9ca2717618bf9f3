//! The text of a grammar: what spans the symbols of its rules.
//!
//! A rule owns the pairs whose words are in different symbols of it; those within a symbol belong to that
//! symbol's rule. Both words of such a pair are within a window of the symbols' ends. So a rule becomes a
//! short text: of each symbol the first and the last words, at most a window of each. Every word says how
//! many of its neighbours are in its own symbol and not to be counted, and that its pairs count as often
//! as the rule is used. A document is a rule that is used once.

use super::text::{Place, Text, stride};
use crate::analytics::engine::{Outlet, SegmentScope, Setting, run_in_order};
use crate::analytics::report::Phase;
use crate::analytics::sequences::RuleEdges;
use crate::analytics::traverse::renumber;
use crate::error::QueryError;
use crate::grammar::{Grammar, Symbol};
use std::ops::Range;

/// Rules as texts, one after the other.
pub(super) struct RuleText {
    ids: Vec<u32>,
    /// What each word says of its place.
    facts: Vec<Fact>,
    /// How often each rule is used.
    uses: Vec<u64>,
    window: usize,
    break_number: u32,
}

/// A word's place in a rule. One load brings all of it.
#[derive(Clone, Copy)]
struct Fact {
    /// Neighbours on the left, and on the right, that are not counted.
    left: u16,
    right: u16,
    /// The rule, among the uses.
    rule: u32,
}

/// Bytes that a text takes for each word, with its place.
pub(super) const BYTES_A_WORD: u64 = 16;

impl RuleText {
    fn new(window: usize, break_number: u32) -> Self {
        let mut text =
            Self { ids: Vec::new(), facts: Vec::new(), uses: vec![0], window, break_number };
        (0..window).for_each(|_| text.push_break());
        text
    }

    fn push(&mut self, id: u32, left: usize, right: usize) {
        self.ids.push(id);
        let [left, right] = [left, right].map(|own| own.min(self.window) as u16);
        self.facts.push(Fact { left, right, rule: self.uses.len() as u32 - 1 });
    }

    fn push_break(&mut self) {
        self.push(self.break_number, 0, 0);
    }

    /// Adds words of one symbol. Pairs among them are not counted, nor those with words of the symbol
    /// before or after them, which are not here: `has_left` and `has_right` say whether the words reach
    /// the symbol's ends.
    fn push_words(&mut self, words: &[u32], has_left: bool, has_right: bool) {
        for (at, &word) in words.iter().enumerate() {
            let left = if has_left { at } else { self.window };
            let right = if has_right { words.len() - 1 - at } else { self.window };
            self.push(word, left, right);
        }
    }

    /// The part of a symbol's words that a pair can reach from the left, and from the right: at most a
    /// window, and nothing beyond a break.
    fn ends<'w>(&self, words: &'w [u32]) -> (&'w [u32], &'w [u32]) {
        let is_break = |&id: &u32| id == self.break_number;
        let first = words.iter().position(is_break).unwrap_or(words.len());
        let last = words.iter().rposition(is_break).map_or(0, |at| at + 1);
        let tail = words.len().saturating_sub(self.window).max(last);
        (&words[..first.min(self.window)], &words[tail..])
    }

    /// Adds a rule that is used this many times.
    fn push_body(&mut self, grammar: &Grammar, edges: &RuleEdges, body: &[Symbol], uses: u64) {
        let words = |symbol: &Symbol| match grammar.as_rule(*symbol) {
            Some(rule) => edges.of(rule).len(),
            None => 1,
        };
        let mut symbols = body.iter().filter(|symbol| words(symbol) > 0).peekable();
        let mut is_first = true;
        self.uses.push(uses);
        while let Some(&symbol) = symbols.next() {
            let is_last = symbols.peek().is_none();
            match grammar.as_rule(symbol) {
                _ if is_first && is_last => break,
                None => self.push(symbol, 0, 0),
                Some(rule) => {
                    let words = edges.of(rule);
                    let (head, tail) = self.ends(words);
                    let is_whole = edges.has_all(rule) && !words.contains(&self.break_number);
                    if is_first {
                        self.push_words(tail, false, true);
                    } else if is_last {
                        self.push_words(head, true, false);
                    } else if is_whole {
                        self.push_words(words, true, true);
                    } else {
                        self.push_words(head, true, false);
                        self.push_break();
                        self.push_words(tail, false, true);
                    }
                }
            }
            is_first = false;
        }
        if !is_first {
            self.push_break();
        }
    }

    /// Adds what spans two pieces of a document: the last words before, and the first words after.
    fn push_border(&mut self, before: &[u32], after: &[u32]) {
        self.uses.push(1);
        self.push_words(before, false, true);
        self.push_words(after, true, false);
        self.push_break();
    }

    fn finish(mut self) -> Self {
        self.uses.push(0);
        (0..stride(self.window)).for_each(|_| self.push_break());
        self
    }

    fn append(&mut self, other: Self) {
        if self.ids.len() == self.window {
            *self = other;
            return;
        }
        let before = self.uses.len() as u32;
        let from = self.window;
        self.ids.extend_from_slice(&other.ids[from..]);
        let facts = other.facts[from..].iter();
        self.facts.extend(facts.map(|fact| Fact { rule: fact.rule + before, ..*fact }));
        self.uses.extend_from_slice(&other.uses);
    }
}

impl Text for RuleText {
    const HAS_USES: bool = true;

    fn ids(&self) -> &[u32] {
        &self.ids
    }

    fn centers(&self) -> Range<usize> {
        self.window..self.ids.len() - stride(self.window)
    }

    #[inline(always)]
    fn place(&self, at: usize) -> Place {
        let Fact { left, right, rule } = self.facts[at];
        Place { left: left.into(), right: right.into(), uses: self.uses[rule as usize] }
    }

    fn most_uses(&self) -> u64 {
        self.uses.iter().max().copied().unwrap_or(0)
    }
}

/// The segments of a run, as texts of their rules.
pub(super) struct RuleSource<'r, 'c> {
    pub(super) setting: &'r Setting<'c>,
    /// Ranks, the break, and what vanishes, by token.
    pub(super) numbers: &'r [u32],
    pub(super) window: usize,
    pub(super) break_number: u32,
}

/// A segment as a text, and its ends if they are in the middle of documents.
struct SegmentText {
    segment: usize,
    text: RuleText,
    /// The first document continues one of the segment before: its first words.
    head: Option<Vec<u32>>,
    /// The last document continues in the next segment: its last words, and whether they are all.
    tail: Option<(Vec<u32>, bool)>,
    /// Both ends belong to one document.
    is_one_document: bool,
}

impl RuleSource<'_, '_> {
    /// The text of all chosen documents. Whenever it has `capacity` words, it is passed to `full`; the
    /// last text is returned.
    pub(super) fn texts(
        &self,
        capacity: usize,
        mut full: impl FnMut(RuleText) -> Result<(), QueryError> + Send,
    ) -> Result<RuleText, QueryError> {
        let Self { setting, window, break_number, .. } = *self;
        let segments = &setting.plan.segments;
        setting.begin(segments);
        let work = |unit: usize, outlet: &mut Outlet<'_, '_, SegmentText, QueryError>| {
            if let Some(text) = self.read(&segments[unit])? {
                let _ = outlet.emit(text);
            }
            setting.end(&segments[unit], 0);
            Ok(())
        };
        let mut all = RuleText::new(window, break_number);
        // The last words of the document that is open, and its last segment.
        let mut open: Option<(Vec<u32>, usize)> = None;
        let add = |next: SegmentText| {
            let before = open.take().filter(|(_, segment)| {
                next.head.is_some() && setting.plan.follows(*segment, next.segment)
            });
            let before = before.map(|(words, _)| words).unwrap_or_default();
            if let Some(head) = next.head.as_ref().filter(|_| !before.is_empty()) {
                let (head, _) = all.ends(head);
                all.push_border(&before, head);
            }
            open = next.tail.map(|(tail, is_all)| {
                // A piece shorter than a window leaves words of the piece before in reach.
                let reach = is_all && next.is_one_document;
                let mut words = if reach { before } else { Vec::new() };
                words.extend_from_slice(&tail);
                (all.ends(&words).1.to_vec(), next.segment)
            });
            all.append(next.text);
            if all.ids.len() >= capacity {
                full(std::mem::replace(&mut all, RuleText::new(window, break_number)).finish())?;
            }
            Ok(())
        };
        run_in_order(setting.plan.threads, segments.len(), work, add)?;
        Ok(all.finish())
    }

    /// A segment as a text; `None` if it is damaged and to be skipped.
    fn read(&self, scope: &SegmentScope) -> Result<Option<SegmentText>, QueryError> {
        let Some(segment) = self.setting.load(scope, false)? else { return Ok(None) };
        let text = self.setting.ledger.meter.time(Phase::Traverse, || {
            let grammar = renumber(segment.documents().grammar(), self.numbers);
            self.setting.visited(grammar.symbols().len() as u64);
            self.lay_out(scope, &grammar)
        });
        Ok(Some(text))
    }

    fn lay_out(&self, scope: &SegmentScope, grammar: &Grammar) -> SegmentText {
        let mut text = RuleText::new(self.window, self.break_number);
        let edges = RuleEdges::new(grammar, self.window + 1, usize::MAX);
        let edges = edges.expect("heads and tails may take any memory");
        let mut uses = vec![0; grammar.tokens() as usize + grammar.rule_count()];
        for &document in &scope.documents {
            let body = grammar.document(document);
            body.iter().for_each(|&symbol| uses[symbol as usize] += 1);
            text.push_body(grammar, &edges, body, 1);
        }
        grammar.add_uses_below(&mut uses);
        for rule in 1..grammar.rule_count() {
            let uses = uses[grammar.tokens() as usize + rule];
            if uses > 0 {
                text.push_body(grammar, &edges, grammar.rule(rule), uses);
            }
        }
        let body = |document: &usize| grammar.document(*document);
        let first = scope.documents.first().filter(|_| scope.continues).map(body);
        let last = scope.documents.last().filter(|_| scope.is_continued).map(body);
        let head = first.map(|body| edge_words(grammar, &edges, body, self.window).0);
        let tail = last.map(|body| edge_words(grammar, &edges, body, self.window));
        SegmentText {
            segment: scope.segment,
            text,
            head,
            tail: tail.map(|(_, tail, is_all)| (tail, is_all)),
            is_one_document: scope.documents.len() == 1,
        }
    }
}

/// The first and the last words of a body, up to a window each, and whether the last words are all.
fn edge_words(
    grammar: &Grammar,
    edges: &RuleEdges,
    body: &[Symbol],
    window: usize,
) -> (Vec<u32>, Vec<u32>, bool) {
    let words = |symbol: &Symbol| match grammar.as_rule(*symbol) {
        Some(rule) => edges.of(rule).to_vec(),
        None => vec![*symbol],
    };
    let (mut head, mut tail) = (Vec::new(), Vec::new());
    for symbol in body {
        if head.len() >= window {
            break;
        }
        head.extend(words(symbol));
    }
    head.truncate(window);
    let mut is_all = true;
    for symbol in body.iter().rev() {
        if tail.len() >= window {
            is_all = false;
            break;
        }
        tail.extend(words(symbol).into_iter().rev());
    }
    is_all &= tail.len() < window;
    tail.truncate(window);
    tail.reverse();
    (head, tail, is_all)
}
