//! Finding a word: which places of the root have it below them, then down again only where it is.
//!
//! There are two ways to those places. *Up*: from the word through the rules it stands in, directly
//! or not, as far as they may stand in the documents asked for; the work is that of the rules around
//! the word, however long the documents are (random-access section IV-D, *search*). *Along*: over the
//! documents' slice of the root, asking of each rule whether the word may be below it; a word that
//! is frequent in the corpus stands in very many rules, and a document's slice may be short. Along
//! is taken at once if the slice is short, and if the way up turns out to be the longer one.
//!
//! Going down enters only rules that have the word, or may have it.

use super::occurrences::Sieve;
use super::offsets::{RootPlace, STEP};
use super::segment::Segment;
use crate::grammar::Symbol;
use crate::token::{TokenClass, join};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Which rules a search has seen. Stamps make it empty again without clearing it.
#[derive(Debug, Default)]
pub(super) struct Marks {
    stamps: Vec<u32>,
    current: u32,
}

impl Marks {
    fn begin(&mut self, rules: usize) {
        if self.stamps.len() != rules || self.current == u32::MAX {
            self.stamps = vec![0; rules];
            self.current = 0;
        }
        self.current += 1;
    }

    /// Whether the rule is new.
    fn insert(&mut self, rule: usize) -> bool {
        std::mem::replace(&mut self.stamps[rule], self.current) != self.current
    }

    fn contains(&self, rule: usize) -> bool {
        self.stamps[rule] == self.current
    }
}

/// A slice of the root up to this length is gone along without trying the way up.
const SHORT: usize = 2048;

/// Symbols of the root that are looked at in about the time it takes for one rule on the way up.
const SYMBOLS_A_RULE: usize = 8;

impl Segment {
    /// Calls `hit` with each place of a word in some documents, in order: the document's number here
    /// and the offset in its piece.
    pub(super) fn find(&self, word: u32, documents: Range<usize>, mut hit: impl FnMut(usize, u64)) {
        let starts = self.grammar.doc_starts();
        let range = starts[documents.start] as usize..starts[documents.end] as usize;
        let occurrences = self.occurrences();
        if range.len() > SHORT {
            let mut marks = self.marks.lock().expect("no holder panics").pop().unwrap_or_default();
            marks.begin(self.grammar.rule_count());
            let budget = match documents.len() {
                1 => range.len() / SYMBOLS_A_RULE,
                _ => usize::MAX,
            };
            let places = self.go_up(word, &range, budget, &mut marks);
            let is_found = places.is_some();
            if let Some(places) = places {
                self.go_down(word, documents.start, &places, |rule| marks.contains(rule), &mut hit);
            }
            self.marks.lock().expect("no holder panics").push(marks);
            if is_found {
                return;
            }
        }
        let sieve = Sieve::of(word);
        let places = self.go_along(word, range, sieve);
        let enter = |rule: usize| occurrences.sieve(rule).may_have(sieve);
        self.go_down(word, documents.start, &places, enter, &mut hit);
    }

    /// The places of the root below which the word stands, rising; all rules on the way are marked.
    /// `None` if that takes more than `budget` rules.
    fn go_up(
        &self,
        word: u32,
        range: &Range<usize>,
        mut budget: usize,
        marks: &mut Marks,
    ) -> Option<Vec<u32>> {
        let occurrences = self.occurrences();
        let mut places = Vec::new();
        let mut pending = vec![word];
        while let Some(symbol) = pending.pop() {
            places.extend_from_slice(occurrences.in_root(symbol, range));
            let parents = occurrences.parents(symbol);
            budget = budget.checked_sub(parents.len() + 1)?;
            for &parent in parents {
                if occurrences.may_be_in(parent as usize, range) && marks.insert(parent as usize) {
                    pending.push(self.grammar.tokens() + parent);
                }
            }
        }
        places.sort_unstable();
        Some(places)
    }

    /// The places of a range of the root that are the word, or a rule below which it may stand.
    fn go_along(&self, word: u32, range: Range<usize>, sieve: Sieve) -> Vec<u32> {
        let (occurrences, grammar) = (self.occurrences(), &self.grammar);
        let may_have = |symbol: Symbol| match grammar.as_rule(symbol) {
            None => symbol == word,
            Some(rule) => occurrences.sieve(rule).may_have(sieve),
        };
        let symbols = range.clone().zip(&grammar.root()[range]);
        symbols.filter(|&(_, &symbol)| may_have(symbol)).map(|(at, _)| at as u32).collect()
    }

    fn go_down(
        &self,
        word: u32,
        first_document: usize,
        places: &[u32],
        enter: impl Fn(usize) -> bool,
        mut hit: impl FnMut(usize, u64),
    ) {
        let root = self.grammar.root();
        let mut document = first_document;
        let mut pending = Vec::new();
        // Where the word stands in the text of each rule met so far: ranges of `offsets`. Text that
        // repeats meets the same rules again and again.
        let mut offsets: Vec<u64> = Vec::new();
        let mut known: FxHashMap<Symbol, Range<usize>> = FxHashMap::default();
        // The place after the last one, from where to go on if that is nearer than a sample.
        let mut last_place: Option<RootPlace> = None;
        for &at in places {
            let at = at as usize;
            while self.root_range(document).end <= at {
                document += 1;
                last_place = None;
            }
            let mut place = match last_place {
                Some(place) if at / STEP * STEP <= place.at => place,
                _ => self.offsets.before_place(&self.grammar, &self.texts, document, at),
            };
            for &symbol in &root[place.at..at] {
                place.pass(symbol, self);
            }
            let symbol = root[at];
            let gap = join(place.last, self.texts.ends(symbol).0).len() as u64;
            let offset = place.offset.saturating_add(gap);
            place.pass(symbol, self);
            last_place = Some(place);
            if symbol == word {
                hit(document, offset);
                continue;
            }
            let range = known.entry(symbol).or_insert_with(|| {
                let start = offsets.len();
                self.walk(
                    &root[at..=at],
                    (0, TokenClass::Separator),
                    &mut pending,
                    &enter,
                    |token, offset| {
                        if token == word {
                            offsets.push(offset);
                        }
                    },
                );
                start..offsets.len()
            });
            offsets[range.clone()]
                .iter()
                .for_each(|within| hit(document, offset.saturating_add(*within)));
        }
    }
}
