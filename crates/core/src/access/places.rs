//! The offset of each symbol of the grammar.
//!
//! All right-hand sides are concatenated, the root first. The *coordinate* of a symbol is the number of
//! bytes before it in that text. The difference of two coordinates in one right-hand side is the
//! distance of the symbols wherever the rule occurs. This takes two bytes per symbol, plus samples.

use crate::expand::Texts;
use crate::grammar::Grammar;
use crate::token::{Dictionary, TokenClass, join};

/// Symbols between samples.
const STEP: usize = 64;

/// Marks a distance that is stored in `aside`.
const ASIDE: u16 = u16::MAX;

#[derive(Debug)]
pub(super) struct Places {
    samples: Vec<u64>,
    /// Distances from the sample before.
    near: Vec<u16>,
    /// Symbols that are too far from it, in rising order, and their coordinates.
    aside: Vec<(u32, u64)>,
}

impl Places {
    pub(super) fn new(grammar: &Grammar, texts: &Texts, dictionary: &Dictionary) -> Self {
        let symbols = grammar.symbols();
        let mut places = Self {
            samples: Vec::with_capacity(symbols.len() / STEP + 1),
            near: Vec::with_capacity(symbols.len()),
            aside: Vec::new(),
        };
        // In a forged file sums may wrap. Differences are still right as long as they fit.
        let mut coordinate = 0u64;
        let documents = grammar.doc_starts().windows(2);
        for range in documents.chain(grammar.rule_starts()[1..].windows(2)) {
            let mut last = TokenClass::Separator;
            for &symbol in &symbols[range[0] as usize..range[1] as usize] {
                let at = places.near.len();
                if at.is_multiple_of(STEP) {
                    places.samples.push(coordinate);
                }
                let (first, last_of_this) = texts.ends(symbol);
                coordinate = coordinate.wrapping_add(join(last, first).len() as u64);
                match coordinate.wrapping_sub(places.samples[at / STEP]) {
                    near if near < u64::from(ASIDE) => places.near.push(near as u16),
                    _ => {
                        places.near.push(ASIDE);
                        places.aside.push((at as u32, coordinate));
                    }
                }
                coordinate = coordinate.wrapping_add(texts.len(symbol, grammar, dictionary));
                last = last_of_this;
            }
        }
        places
    }

    /// The coordinate of the symbol at a place, behind the implied space before it.
    #[inline]
    pub(super) fn coordinate(&self, at: usize) -> u64 {
        match self.near[at] {
            ASIDE => self.aside[self.aside.partition_point(|&(place, _)| (place as usize) < at)].1,
            near => self.samples[at / STEP].wrapping_add(u64::from(near)),
        }
    }
}
