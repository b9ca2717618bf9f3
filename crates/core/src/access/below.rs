//! The words of each short rule, with their offsets in the rule's text.
//!
//! Most rules have only a few words. A short rule is *looked through*: its words are listed at every
//! place where the rule occurs. Long rules stay a level between the words and the root. The limit for
//! a short rule depends on the cost: as long as the lists are not too long in total, nearly every rule
//! is short.

use crate::expand::Texts;
use crate::grammar::{Grammar, Symbol};
use crate::token::{Dictionary, TokenClass, join};
use std::ops::Range;

/// Replaces an offset when the word occurs more than `MOST_TIMES` times in the rule.
pub(super) const OFTEN: u16 = u16::MAX;

/// A word that occurs more often in a rule is listed once.
const MOST_TIMES: u8 = 16;

/// The limits of a short rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Words of a rule; a word that is listed once counts once.
    pub(super) words: usize,
    /// Bytes of a rule's text; less than `OFTEN`.
    pub(super) text: u64,
    /// Entries in all lists together; at least the number of symbols in the grammar.
    pub(super) total: u64,
}

impl Limits {
    /// Two entries per symbol and one per sixteen bytes of text are enough for most texts. Very
    /// repetitive text has far more bytes than symbols, and a forged file may claim any size.
    pub(super) fn of(grammar: &Grammar, text_bytes: u64) -> Self {
        const MOST_WORDS: usize = 1 << 14;
        const MOST_TEXT: u64 = 0xF000;
        const MOST_OF_TEXT: u64 = 1 << 24;
        let symbols = grammar.symbols().len() as u64;
        let of_text = (text_bytes / 16).min(64 * symbols).min(MOST_OF_TEXT);
        let total = 2 * symbols + of_text;
        Self { words: MOST_WORDS, text: MOST_TEXT, total: total.min(u64::from(u32::MAX)) }
    }
}

/// The words of short rules.
pub(super) struct Below {
    /// The range of `words` of each rule; `None` for a long rule.
    ranges: Vec<Option<Range<u32>>>,
    /// Words and their offsets in the rule's text.
    words: Vec<(Symbol, u16)>,
}

impl Below {
    pub(super) fn new(
        grammar: &Grammar,
        texts: &Texts,
        dictionary: &Dictionary,
        limits: Limits,
    ) -> Self {
        let mut below = Self { ranges: vec![None; grammar.rule_count()], words: Vec::new() };
        let first = dictionary.ids(TokenClass::Separator).end;
        let mut latest = vec![(0, 0); grammar.tokens() as usize];
        for rule in (1..grammar.rule_count()).rev() {
            let body = grammar.rule(rule);
            let len = texts.len(grammar.tokens() + rule as Symbol, grammar, dictionary);
            // An upper bound: a frequent word is listed only once.
            let words = body.iter().try_fold(0, |sum, &symbol| match grammar.as_rule(symbol) {
                None => Some(sum + usize::from(symbol >= first)),
                Some(child) => Some(sum + below.words(child)?.len()),
            });
            let start = below.words.len();
            let fits = |words| words <= limits.words && (start + words) as u64 <= limits.total;
            if len > limits.text || !words.is_some_and(fits) {
                continue;
            }
            let mut list = List { start, latest: &mut latest, has_often: false };
            let (mut offset, mut last) = (0, TokenClass::Separator);
            for &symbol in body {
                let (first_class, last_class) = texts.ends(symbol);
                offset += join(last, first_class).len() as u64;
                match grammar.as_rule(symbol) {
                    None if symbol < first => {}
                    None => list.put(&mut below.words, symbol, offset as u16),
                    Some(child) => {
                        for at in below.ranges[child].clone().unwrap_or_default() {
                            let (word, within) = below.words[at as usize];
                            let within =
                                if within == OFTEN { OFTEN } else { offset as u16 + within };
                            list.put(&mut below.words, word, within);
                        }
                    }
                }
                offset += texts.len(symbol, grammar, dictionary);
                last = last_class;
            }
            list.finish(&mut below.words);
            below.ranges[rule] = Some(start as u32..below.words.len() as u32);
        }
        below.keep_to(grammar, first, limits);
        below
    }

    /// Lowers the limit of a short rule until the lists are short enough in total.
    fn keep_to(&mut self, grammar: &Grammar, first: Symbol, limits: Limits) {
        let mut most = limits.words as u32;
        while most > 1 {
            let words_of = |symbol: Symbol| match grammar.as_rule(symbol) {
                None => u64::from(symbol >= first),
                Some(rule) => self.ranges[rule].as_ref().map_or(1, |range| range.len() as u64),
            };
            let sections = self.sections(grammar).flat_map(|range| &grammar.symbols()[range]);
            if sections.map(|&symbol| words_of(symbol)).sum::<u64>() <= limits.total {
                return;
            }
            most /= 2;
            for rule in (1..grammar.rule_count()).rev() {
                // A rule may have fewer entries than a rule below it, because it lists a frequent word
                // once. It becomes long with that rule: otherwise the same words would be found twice.
                let is_long = |child: usize| self.ranges[child].is_none();
                let below = grammar.rule(rule).iter().filter_map(|&symbol| grammar.as_rule(symbol));
                let has_long = below.into_iter().any(is_long);
                self.ranges[rule].take_if(|range| has_long || range.len() as u32 > most);
            }
        }
    }

    /// The words of a rule and their offsets in its text; `None` for a long rule.
    pub(super) fn words(&self, rule: usize) -> Option<&[(Symbol, u16)]> {
        let range = self.ranges[rule].clone()?;
        Some(&self.words[range.start as usize..range.end as usize])
    }

    /// The ranges of symbols of the root and of the right-hand sides of long rules.
    pub(super) fn sections<'a>(
        &'a self,
        grammar: &'a Grammar,
    ) -> impl Iterator<Item = Range<usize>> + 'a {
        // The root, rule 0, is never short.
        let long = (0..grammar.rule_count()).filter(|&rule| self.ranges[rule].is_none());
        let starts = grammar.rule_starts();
        long.map(|rule| starts[rule] as usize..starts[rule + 1] as usize)
    }
}

/// The list of a rule's words while it is built, at the end of `words`.
struct List<'a> {
    start: usize,
    /// Per word: the position of its first entry in the last list that has it, and its entries there.
    latest: &'a mut [(u32, u8)],
    has_often: bool,
}

impl List<'_> {
    fn put(&mut self, words: &mut Vec<(Symbol, u16)>, word: Symbol, offset: u16) {
        let (first, times) = &mut self.latest[word as usize];
        let is_here = *first as usize >= self.start
            && words.get(*first as usize).is_some_and(|&(there, _)| there == word);
        if !is_here {
            (*first, *times) = (words.len() as u32, 0);
        }
        *times = times.saturating_add(1);
        if offset == OFTEN || *times > MOST_TIMES {
            *times = u8::MAX;
            self.has_often = true;
        }
        if *times <= MOST_TIMES || !is_here {
            words.push((word, offset));
        }
        if *times == u8::MAX {
            words[*first as usize].1 = OFTEN;
        }
    }

    /// Keeps only one entry of each frequent word.
    fn finish(&self, words: &mut Vec<(Symbol, u16)>) {
        if !self.has_often {
            return;
        }
        let mut end = self.start;
        for at in self.start..words.len() {
            let (first, times) = self.latest[words[at].0 as usize];
            if times <= MOST_TIMES || first as usize == at {
                words[end] = words[at];
                end += 1;
            }
        }
        words.truncate(end);
    }
}
