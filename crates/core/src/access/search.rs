//! Finding a word: up from it to the root, then down again only where it is.
//!
//! Going up marks every rule that the word stands in, directly or not, as far as it may stand in the
//! documents asked for, and gathers the places of the root that have the word below them. Going down
//! from those enters marked rules only. So the work is that of the rules around the word and of the
//! hits; how long the documents are does not matter (random-access section IV-D, *search*).
//!
//! A word that is frequent in the corpus stands in very many rules. If the documents asked for are
//! short, reading them through is then the shorter way.

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

/// Bytes of text that are read through in about the time it takes to look at one rule on the way up.
const BYTES_A_RULE: u64 = 8;

impl Segment {
    /// Calls `hit` with each place of a word in some documents, in order: the document's number here
    /// and the offset in its piece.
    pub(super) fn find(&self, word: u32, documents: Range<usize>, hit: &mut dyn FnMut(usize, u64)) {
        let mut marks = self.marks.lock().expect("no holder panics").pop().unwrap_or_default();
        marks.begin(self.grammar.rule_count());
        match self.go_up(word, &documents, &mut marks) {
            Some(places) => self.go_down(word, documents.start, &places, &marks, hit),
            None => self.read_through(word, documents, hit),
        }
        self.marks.lock().expect("no holder panics").push(marks);
    }

    /// The places of the root below which the word stands, rising; all rules on the way are marked.
    /// `None` if that would take longer than reading the documents.
    fn go_up(&self, word: u32, documents: &Range<usize>, marks: &mut Marks) -> Option<Vec<u32>> {
        let starts = self.grammar.doc_starts();
        let range = starts[documents.start] as usize..starts[documents.end] as usize;
        let text: u64 = documents
            .clone()
            .take(2)
            .map(|document| self.document_len(document))
            .fold(0, u64::saturating_add);
        let mut budget = if documents.len() > 1 {
            usize::MAX
        } else {
            usize::try_from(text / BYTES_A_RULE).unwrap_or(usize::MAX)
        };
        let occurrences = self.occurrences();
        let mut places = Vec::new();
        let mut pending = vec![word];
        while let Some(symbol) = pending.pop() {
            places.extend_from_slice(occurrences.in_root(symbol, &range));
            let parents = occurrences.parents(symbol);
            budget = budget.checked_sub(parents.len() + 1)?;
            for &parent in parents {
                if occurrences.may_be_in(parent as usize, &range) && marks.insert(parent as usize) {
                    pending.push(self.grammar.tokens() + parent);
                }
            }
        }
        places.sort_unstable();
        Some(places)
    }

    fn go_down(
        &self,
        word: u32,
        first_document: usize,
        places: &[u32],
        marks: &Marks,
        hit: &mut dyn FnMut(usize, u64),
    ) {
        let root = self.grammar.root();
        let mut document = first_document;
        let mut pending = Vec::new();
        // Where the word stands in the text of each rule met so far: ranges of `offsets`. Text that
        // repeats meets the same rules again and again.
        let mut offsets: Vec<u64> = Vec::new();
        let mut known: FxHashMap<Symbol, Range<usize>> = FxHashMap::default();
        for &at in places {
            let at = at as usize;
            while self.root_range(document).end <= at {
                document += 1;
            }
            let place = self.offsets.before_place(&self.grammar, &self.texts, document, at);
            let (mut offset, mut last) = (place.offset, place.last);
            for &symbol in &root[place.at..at] {
                let (first, last_of_this) = self.texts.ends(symbol);
                let len = join(last, first).len() as u64;
                offset = offset.saturating_add(len).saturating_add(self.len_of(symbol));
                last = last_of_this;
            }
            let symbol = root[at];
            let gap = join(last, self.texts.ends(symbol).0).len() as u64;
            offset = offset.saturating_add(gap);
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
                    |rule| marks.contains(rule),
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

    fn read_through(&self, word: u32, documents: Range<usize>, hit: &mut dyn FnMut(usize, u64)) {
        let mut pending = Vec::new();
        for document in documents {
            self.walk(
                self.grammar.document(document),
                (0, TokenClass::Separator),
                &mut pending,
                |_| true,
                |token, offset| {
                    if token == word {
                        hit(document, offset);
                    }
                },
            );
        }
    }
}
