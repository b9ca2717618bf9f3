//! Where in the text each symbol of the grammar begins.
//!
//! All right-hand sides are taken as one text, the root first; a symbol's *coordinate* is the number
//! of bytes before it in that. The difference of two in one right-hand side is their distance in
//! every text that it stands for. Two bytes a symbol, and a sample now and then.

use crate::expand::Texts;
use crate::grammar::Grammar;
use crate::token::{Dictionary, TokenClass, join};

/// Symbols from one sample to the next.
const STEP: usize = 64;

/// In place of a distance that stands aside.
const ASIDE: u16 = u16::MAX;

#[derive(Debug)]
pub(super) struct Places {
    samples: Vec<u64>,
    /// Distances from the last sample.
    near: Vec<u16>,
    /// Symbols that are too far from it, rising, and their coordinates.
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
        // Sums of forged lengths may wrap: differences are right as long as they fit.
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

    /// The coordinate of the symbol at a place, the space implied before it not included.
    #[inline]
    pub(super) fn coordinate(&self, at: usize) -> u64 {
        match self.near[at] {
            ASIDE => self.aside[self.aside.partition_point(|&(place, _)| (place as usize) < at)].1,
            near => self.samples[at / STEP].wrapping_add(u64::from(near)),
        }
    }
}
