//! Questions that phrase indexes answer: many phrases at once, the next words, passages of a text.
//!
//! With pending edits, counts are those of the file and the difference that the edits make. The next
//! words and the passages of a text are asked of a snapshot, whose indexes are built in memory.

use crate::access::{Access, NextWords, Passage, Pattern, Phrase};
use crate::analytics::View;
use crate::error::{AccessError, OpenError, QueryError};
use crate::store::Store;
use crate::token::Dictionary;
use rayon::prelude::*;

/// Building indexes pays off for this many phrases.
const WORTH_INDEXES: usize = 1000;

impl Store {
    /// How often each phrase occurs in all documents together, in the order of the phrases. A long list
    /// is counted with phrase indexes, which are built first if the file has none.
    ///
    /// # Errors
    /// When a section is damaged.
    pub fn count_each(&self, phrases: &[Phrase]) -> Result<Vec<u64>, AccessError> {
        let state = self.read();
        if phrases.len() >= WORTH_INDEXES && cfg!(feature = "phrases") {
            state.access.build_phrase_indexes()?;
        }
        let count = |phrase| state.overlay.count_all(&state.access, phrase);
        phrases.par_iter().with_min_len(16).map(count).collect()
    }

    /// The words that follow a phrase, and how often each does. With a view, all spellings of the phrase
    /// that it treats as equal are meant; with `is_prefix`, all words that begin like the last one. The
    /// phrase indexes of the corpus are built first if the file has none, or edits are pending.
    ///
    /// # Errors
    /// When a section is damaged, or the view or the indexes cannot be made.
    pub fn next_words(
        &self,
        phrase: &Phrase,
        view: Option<&View>,
        is_prefix: bool,
    ) -> Result<NextWords, QueryError> {
        self.with_access(|access, _| match pattern(access, phrase, view, is_prefix)? {
            Some(pattern) => Ok(access.next_words(&pattern)?),
            None => Ok(NextWords::default()),
        })
    }

    /// How often a phrase occurs in all documents, with the spellings of [`next_words`](Self::next_words).
    ///
    /// # Errors
    /// As for [`next_words`](Self::next_words).
    pub fn count_like(
        &self,
        phrase: &Phrase,
        view: Option<&View>,
        is_prefix: bool,
    ) -> Result<u64, QueryError> {
        self.with_access(|access, _| match pattern(access, phrase, view, is_prefix)? {
            Some(pattern) => Ok(access.count_pattern(&pattern)?),
            None => Ok(0),
        })
    }

    /// The passages of a text that occur in the corpus word for word, of at least `least` words and
    /// maximal: adding the word before or after one makes a passage that does not occur. In the order of
    /// the text, each with the first `most` places where it occurs. The phrase indexes of the corpus are
    /// built first if the file has none, or edits are pending.
    ///
    /// # Errors
    /// When a section is damaged, or the indexes cannot be built.
    pub fn trace(
        &self,
        text: &[u8],
        least: usize,
        most: usize,
    ) -> Result<Vec<Passage>, AccessError> {
        self.with_access(|access, number_of| {
            let mut passages = access.trace(text, least, most)?;
            let places = passages.iter_mut().flat_map(|passage| &mut passage.places);
            places.for_each(|(document, _)| *document = number_of(*document));
            Ok(passages)
        })
    }

    /// Calls `ask` with the corpus as it is now, and with the number here of each document there.
    fn with_access<T, E: From<OpenError>>(
        &self,
        ask: impl FnOnce(&Access, &dyn Fn(usize) -> usize) -> Result<T, E>,
    ) -> Result<T, E> {
        let snapshot = self.snapshot()?;
        let state = self.read();
        if state.overlay.edits == 0 {
            return ask(&state.access, &|document| document);
        }
        // This applies the edits, before several threads need them at once.
        snapshot.dictionary()?;
        let numbers: Vec<usize> = state.overlay.documents().collect();
        drop(state);
        ask(&Access::new(snapshot), &|document| numbers[document])
    }
}

/// A phrase as a pattern of the words of a corpus; `None` if nothing can match.
fn pattern(
    access: &Access,
    phrase: &Phrase,
    view: Option<&View>,
    is_prefix: bool,
) -> Result<Option<Pattern>, QueryError> {
    let dictionary = access.corpus().dictionary()?;
    let words = dictionary.words();
    let mut sets: Vec<Vec<u32>> = match view {
        None => {
            let exact = |word| dictionary.find(word).filter(|id| words.contains(id));
            phrase.words().map(|word| exact(word).into_iter().collect()).collect()
        }
        Some(view) => equal_words(dictionary, phrase, view)?,
    };
    if is_prefix {
        let last = phrase.words().last().expect("a phrase has words");
        let set = sets.last_mut().expect("one set a word");
        match view {
            None => *set = dictionary.with_prefix(last).flatten().collect(),
            Some(view) => *set = words_like(dictionary, last, view)?,
        }
    }
    for set in &mut sets {
        set.retain(|id| words.contains(id));
        set.iter_mut().for_each(|id| *id -= words.start);
        set.sort_unstable();
        set.dedup();
    }
    let can_match = sets.iter().all(|set| !set.is_empty());
    Ok(can_match.then_some(Pattern { sets }))
}

/// For each word of a phrase, the words that a view shows as equal to it.
fn equal_words(
    dictionary: &Dictionary,
    phrase: &Phrase,
    view: &View,
) -> Result<Vec<Vec<u32>>, QueryError> {
    let mut reader = view.reader()?;
    let shown: Vec<Option<String>> =
        phrase.words().map(|word| reader.read(word).map(str::to_owned)).collect();
    let mut sets = vec![Vec::new(); shown.len()];
    for id in dictionary.words() {
        let Some(word) = reader.read(dictionary.bytes(id)) else { continue };
        for (wanted, set) in shown.iter().zip(&mut sets) {
            if wanted.as_deref() == Some(word) {
                set.push(id);
            }
        }
    }
    Ok(sets)
}

/// The words that begin like this one, as a view shows both.
fn words_like(dictionary: &Dictionary, prefix: &[u8], view: &View) -> Result<Vec<u32>, QueryError> {
    let mut reader = view.reader()?;
    let Some(prefix) = reader.read(prefix).map(str::to_owned) else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for id in dictionary.words() {
        if reader.read(dictionary.bytes(id)).is_some_and(|word| word.starts_with(&prefix)) {
            found.push(id);
        }
    }
    Ok(found)
}

/// Bytes of memory that the phrase indexes of a store take: of those in a file, the parts read so far.
#[must_use]
pub fn phrase_index_memory(store: &Store) -> usize {
    store.read().access.phrase_index_memory()
}
