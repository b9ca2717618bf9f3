//! By how much edits change the number of each word in a corpus.
//!
//! Whoever makes an edit has the text around it at hand, from a safe place to a safe place (see
//! `text.rs`): no word crosses those, so the words of that text before and after the edit are all
//! that it changes. The sum over all pending edits is kept beside the journal (`words/file.rs`). With
//! it, words of the whole corpus can be counted without making the edits again: those of the file,
//! and this.

use crate::access::Access;
use crate::error::Error;
use crate::token::{Dictionary, Interner, Splitter, TokenClass};
use rustc_hash::FxHashMap;

/// A longer text is not looked at: the change is not known then, and edits are made again where it
/// is asked for.
pub(in crate::store) const MOST_LOOKED_AT: u64 = 4 << 20;

/// How many of each word have come, less those that have gone.
#[derive(Debug, Default)]
pub(in crate::store) struct WordChange {
    words: Interner,
    counts: Vec<i64>,
    is_unknown: bool,
}

impl WordChange {
    /// One that is not known, and costs nothing to keep.
    pub(in crate::store) fn unknown() -> Self {
        Self { is_unknown: true, ..Self::default() }
    }

    pub(in crate::store) fn is_known(&self) -> bool {
        !self.is_unknown
    }

    pub(in crate::store) fn give_up(&mut self) {
        *self = Self::unknown();
    }

    /// Whether a text of this length can be looked at, as it has to be if the change is to be known.
    pub(in crate::store) fn can_look_at(&mut self, len: u64) -> bool {
        if len > MOST_LOOKED_AT {
            self.give_up();
        }
        self.is_known()
    }

    /// A text has come that begins and ends at safe places, or with its document.
    pub(in crate::store) fn gain(&mut self, text: &[u8]) {
        self.add_text(text, 1);
    }

    /// Such a text has gone.
    pub(in crate::store) fn lose(&mut self, text: &[u8]) {
        self.add_text(text, -1);
    }

    fn add_text(&mut self, text: &[u8], by: i64) {
        if self.can_look_at(text.len() as u64) {
            Splitter::default().finish(text, |class, bytes| {
                if class.is_word() {
                    self.add(class, bytes, by);
                }
            });
        }
    }

    pub(in crate::store) fn add(&mut self, class: TokenClass, word: &[u8], by: i64) {
        let number = self.words.intern(class, word) as usize;
        if number == self.counts.len() {
            self.counts.push(0);
        }
        self.counts[number] = self.counts[number].saturating_add(by);
    }

    /// Both changes together.
    pub(in crate::store) fn merge(&mut self, other: &Self) {
        if !other.is_known() {
            self.give_up();
        }
        if self.is_known() {
            other.iter().for_each(|(class, word, by)| self.add(class, word, by));
        }
    }

    /// All words that were looked at, and of each how many have come.
    pub(in crate::store) fn words(&self) -> (&Interner, &[i64]) {
        (&self.words, &self.counts)
    }

    /// The words of which there are more or fewer now.
    pub(in crate::store) fn iter(&self) -> impl Iterator<Item = (TokenClass, &[u8], i64)> {
        let words = (0..).zip(&self.counts).filter(|(_, by)| **by != 0);
        words.map(|(word, &by)| (self.words.class(word), self.words.bytes(word), by))
    }
}

/// A change, seen from the corpus in the file.
#[derive(Debug, Default)]
pub(in crate::store) struct Sum {
    /// Of words that the corpus has, by id.
    pub(in crate::store) known: FxHashMap<u32, i64>,
    /// Of others.
    pub(in crate::store) new: WordChange,
}

impl Sum {
    /// A change of this corpus; `None` if it is not known.
    pub(in crate::store) fn of(
        access: &Access,
        change: &WordChange,
    ) -> Result<Option<Self>, Error> {
        if !change.is_known() {
            return Ok(None);
        }
        let mut sum = Self::default();
        let words: Vec<(TokenClass, &[u8], i64)> = change.iter().collect();
        let ids = access.tokens(&words.iter().map(|(_, word, _)| *word).collect::<Vec<_>>())?;
        for ((class, word, by), id) in words.into_iter().zip(ids) {
            match id {
                Some(id) => sum.add_known(id, by),
                None => sum.new.add(class, word, by),
            }
        }
        Ok(Some(sum))
    }

    pub(in crate::store) fn add_known(&mut self, id: u32, by: i64) {
        let count = self.known.entry(id).or_default();
        *count = count.saturating_add(by);
    }

    /// Both changes together.
    pub(in crate::store) fn merge(&mut self, other: &Self) {
        other.known().for_each(|(id, by)| self.add_known(id, by));
        self.new.merge(&other.new);
    }

    /// The words of the corpus of which there are more or fewer now.
    pub(in crate::store) fn known(&self) -> impl Iterator<Item = (u32, i64)> {
        self.known.iter().filter(|(_, by)| **by != 0).map(|(&id, &by)| (id, by))
    }

    /// Whether it can be a change of a corpus with this dictionary.
    pub(in crate::store) fn suits(&self, dictionary: &Dictionary) -> bool {
        let words = dictionary.ids(TokenClass::Separator).end..dictionary.len() as u32;
        self.known.keys().all(|id| words.contains(id))
    }
}
