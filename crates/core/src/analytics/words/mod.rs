//! Words as a query sees them. A view maps the dictionary, never the text.
//!
//! A [`View`] says how words are read: case, normal form, stems, filters. Applied to the dictionary
//! it gives [`Words`]: for each token the number of its word, or none. That is work per distinct
//! token, not per occurrence, so a view costs milliseconds and no recompression.

mod language;
mod order;
mod run_reader;
mod sklearn;
mod stem;
mod text;
mod unicode;
mod view;

pub use language::{Language, UnknownLanguage};
pub use order::Collation;
pub(crate) use order::{Collator, Order, sort_by_bytes};
pub(crate) use sklearn::{SegmentBorders, SklearnTokens};
pub(crate) use text::words_of_texts;
pub use view::{Case, Digits, NormalForm, Pattern, View};

use super::sequences::Packing;
use crate::error::QueryError;
use crate::token::{Dictionary, Interner, TokenClass};
use std::sync::OnceLock;

/// The number of a token that is no word in the view.
pub(crate) const NO_WORD: u32 = u32::MAX;

/// The distinct words of a corpus under a view. Words are numbered from 0, roughly by descending
/// frequency, so that counters of frequent words share cache lines.
#[derive(Debug)]
pub struct Words<'d> {
    texts: Texts<'d>,
    numbers: Vec<u32>,
    /// The first token that is a word of the text; those before it are separators.
    first_word: u32,
    order: OnceLock<Order>,
}

#[derive(Debug)]
enum Texts<'d> {
    /// The dictionary's tokens from this id on.
    Tokens { dictionary: &'d Dictionary, first: u32 },
    /// Words that the view has made.
    Own(Interner),
}

impl<'d> Words<'d> {
    /// The words of a dictionary as `view` shows them. The view's pattern must be that of the
    /// tokeniser; [`SklearnTokens`] is for the other one.
    pub(crate) fn new(dictionary: &'d Dictionary, view: &View) -> Result<Self, QueryError> {
        let first = dictionary.ids(TokenClass::Separator).end;
        if view.is_plain() {
            let numbers = (0..dictionary.len() as u32).map(|token| {
                // Separators come before all words and are none.
                if token < first { NO_WORD } else { token - first }
            });
            let texts = Texts::Tokens { dictionary, first };
            return Ok(Self {
                texts,
                numbers: numbers.collect(),
                first_word: first,
                order: OnceLock::new(),
            });
        }
        let mut table = Interner::default();
        let mut numbers = vec![NO_WORD; first as usize];
        let mut reader = view.reader()?;
        for token in first..dictionary.len() as u32 {
            let word = reader.read(dictionary.bytes(token));
            numbers.push(
                word.map_or(NO_WORD, |word| table.intern(TokenClass::Spaced, word.as_bytes())),
            );
        }
        Ok(Self { first_word: first, ..Self::own(table, numbers) })
    }

    pub(super) fn own(table: Interner, numbers: Vec<u32>) -> Self {
        Self { texts: Texts::Own(table), numbers, first_word: 0, order: OnceLock::new() }
    }

    /// Leaves out words that `keeps`, by number, has no mark for. The others keep their numbers.
    pub(crate) fn keep_only(&mut self, keeps: &[bool]) {
        for number in &mut self.numbers {
            if *number != NO_WORD && !keeps[*number as usize] {
                *number = NO_WORD;
            }
        }
    }

    /// Whether the view leaves out some words of the text.
    pub(crate) fn leaves_words_out(&self) -> bool {
        self.numbers[self.first_word as usize..].contains(&NO_WORD)
    }

    /// Whether each token that is a word is one of its own.
    pub(crate) fn are_tokens(&self) -> bool {
        matches!(self.texts, Texts::Tokens { .. })
    }

    /// How many distinct words there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.texts {
            Texts::Tokens { dictionary, first } => dictionary.len() - *first as usize,
            Texts::Own(table) => table.len(),
        }
    }

    /// Whether there are no words.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A word's text.
    #[must_use]
    pub fn text(&self, word: u32) -> &[u8] {
        match &self.texts {
            Texts::Tokens { dictionary, first } => dictionary.bytes(first + word),
            Texts::Own(table) => table.bytes(word),
        }
    }

    /// The text of the word at a rank in the order of bytes.
    pub(crate) fn text_at(&self, rank: u32) -> &[u8] {
        self.text(self.order().word_at[rank as usize])
    }

    /// The word of a token of the grammar, if it is one.
    #[must_use]
    pub fn number(&self, token: u32) -> Option<u32> {
        Some(self.numbers[token as usize]).filter(|&number| number != NO_WORD)
    }

    /// The word of each token of the grammar, or [`NO_WORD`].
    pub(crate) fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    /// The words in the order of their bytes.
    pub(crate) fn order(&self) -> &Order {
        self.order.get_or_init(|| Order::of_bytes(self))
    }

    /// The rank of each token's word, or [`NO_WORD`].
    pub(crate) fn ranks(&self) -> Vec<u32> {
        let rank_of = &self.order().rank_of;
        let rank = |&number: &u32| match number {
            NO_WORD => NO_WORD,
            number => rank_of[number as usize],
        };
        self.numbers.iter().map(rank).collect()
    }

    /// The same for sequences: ranks begin at the packing's first word, and a word that the view leaves
    /// out has its number for a break.
    pub(crate) fn ranks_with_breaks(&self, packing: &Packing) -> Vec<u32> {
        let mut ranks = self.ranks();
        let words = ranks.iter_mut().filter(|rank| **rank != NO_WORD);
        words.for_each(|rank| *rank += packing.first_word);
        self.with_breaks(ranks, packing.break_word)
    }

    /// The same with a number in place of words that the view leaves out.
    pub(crate) fn with_breaks(&self, mut numbers: Vec<u32>, break_word: u32) -> Vec<u32> {
        for number in &mut numbers[self.first_word as usize..] {
            if *number == NO_WORD {
                *number = break_word;
            }
        }
        numbers
    }
}
