//! How much edits change the count of each word in a corpus.
//!
//! Applying an edit reads the text around it, from one safe place to another (see `text/`). No word
//! crosses these, so the edit changes only the words of that text. The sum over all pending edits is
//! stored beside the journal (`journal/words_file.rs`). With it, the words of the whole corpus can be
//! counted without applying the edits: the counts of the file plus these changes.

use crate::access::Access;
use crate::error::OpenError;
use crate::token::{Dictionary, Interner, Splitter, TokenClass};
use rustc_hash::FxHashMap;

/// Longest text whose words are counted. For a longer one the change is unknown, and a question that
/// needs it applies the edits.
pub(in crate::store) const MOST_LOOKED_AT: u64 = 4 << 20;

/// For each word, the occurrences added minus those removed.
#[derive(Debug, Default)]
pub(in crate::store) struct WordChange {
    words: Interner,
    counts: Vec<i64>,
    is_unknown: bool,
}

impl WordChange {
    /// An unknown change, which costs nothing to maintain.
    pub(in crate::store) fn unknown() -> Self {
        Self { is_unknown: true, ..Self::default() }
    }

    pub(in crate::store) fn is_known(&self) -> bool {
        !self.is_unknown
    }

    pub(in crate::store) fn give_up(&mut self) {
        *self = Self::unknown();
    }

    /// Whether a text of this length can be counted. If not, the change becomes unknown.
    pub(in crate::store) fn can_look_at(&mut self, len: u64) -> bool {
        if len > MOST_LOOKED_AT {
            self.give_up();
        }
        self.is_known()
    }

    /// Adds the words of a text that begins and ends at safe places, or with its document.
    pub(in crate::store) fn gain(&mut self, text: &[u8]) {
        self.add_text(text, 1);
    }

    /// Subtracts the words of such a text.
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

    /// Adds another change.
    pub(in crate::store) fn merge(&mut self, other: &Self) {
        if !other.is_known() {
            self.give_up();
        }
        if self.is_known() {
            other.iter().for_each(|(class, word, by)| self.add(class, word, by));
        }
    }

    /// The change of one word.
    fn of_word(&self, word: &[u8]) -> i64 {
        self.words.find(word).map_or(0, |number| self.counts[number as usize])
    }

    /// All words that were counted, and the change of each.
    pub(in crate::store) fn words(&self) -> (&Interner, &[i64]) {
        (&self.words, &self.counts)
    }

    /// The words whose count changes.
    pub(in crate::store) fn iter(&self) -> impl Iterator<Item = (TokenClass, &[u8], i64)> {
        let words = (0..).zip(&self.counts).filter(|(_, by)| **by != 0);
        words.map(|(word, &by)| (self.words.class(word), self.words.bytes(word), by))
    }
}

/// A change in terms of the corpus in the file.
#[derive(Debug, Default)]
pub(in crate::store) struct Sum {
    /// Changes of words that the corpus has, by id.
    pub(in crate::store) known: FxHashMap<u32, i64>,
    /// Changes of other words.
    pub(in crate::store) new: WordChange,
}

impl Sum {
    /// A change in terms of this corpus; `None` if it is unknown.
    pub(in crate::store) fn of(
        access: &Access,
        change: &WordChange,
    ) -> Result<Option<Self>, OpenError> {
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

    /// The change of one word, whose id is `id` if the corpus has it.
    pub(in crate::store) fn of_word(&self, id: Option<u32>, word: &[u8]) -> i64 {
        match id {
            Some(id) => self.known.get(&id).copied().unwrap_or(0),
            None => self.new.of_word(word),
        }
    }

    /// Adds another change.
    pub(in crate::store) fn merge(&mut self, other: &Self) {
        other.known().for_each(|(id, by)| self.add_known(id, by));
        self.new.merge(&other.new);
    }

    /// The words of the corpus whose count changes.
    pub(in crate::store) fn known(&self) -> impl Iterator<Item = (u32, i64)> {
        self.known.iter().filter(|(_, by)| **by != 0).map(|(&id, &by)| (id, by))
    }

    /// Whether all its ids are words of this dictionary.
    pub(in crate::store) fn suits(&self, dictionary: &Dictionary) -> bool {
        let words = dictionary.ids(TokenClass::Separator).end..dictionary.len() as u32;
        self.known.keys().all(|id| words.contains(id))
    }
}
