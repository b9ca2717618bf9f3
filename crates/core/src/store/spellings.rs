//! All spellings of a phrase that a view treats as equal, for searches that ignore case.
//!
//! For one phrase the dictionary is read once, and nothing is kept. For many, a [`Speller`] has the words
//! of the dictionary in the order of hashes of what the view shows of them, 16 bytes for each.

use crate::access::Phrase;
use crate::analytics::View;
use crate::corpus::Corpus;
use crate::error::QueryError;
use crate::store::Store;
use crate::token::TokenClass;
use std::ops::Range;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

/// Most phrases: many words with many spellings each would make too many.
const MOST: usize = 4096;

impl Store {
    /// All phrases of words of the corpus, edits included, that `view` maps to the same words as
    /// `phrase`. This reads the dictionary, not the text; for many phrases, a [`Speller`] reads it once.
    ///
    /// # Errors
    /// [`QueryError::TooManySpellings`]; or when a section is damaged.
    pub fn spellings(&self, phrase: &Phrase, view: &View) -> Result<Vec<Phrase>, QueryError> {
        let corpus = self.snapshot()?;
        let dictionary = corpus.dictionary()?;
        let mut reader = view.reader()?;
        let shown: Vec<Option<String>> =
            phrase.words().map(|word| reader.read(word).map(str::to_owned)).collect();
        let mut spellings: Vec<Vec<&[u8]>> = vec![Vec::new(); shown.len()];
        for token in words(&corpus)? {
            let bytes = dictionary.bytes(token);
            let Some(word) = reader.read(bytes) else { continue };
            for (wanted, spellings) in shown.iter().zip(&mut spellings) {
                if wanted.as_deref() == Some(word) {
                    spellings.push(bytes);
                }
            }
        }
        phrases(&spellings)
    }

    /// Reads the dictionary, edits included, to find the spellings of any number of phrases later. Edits
    /// made after that have no influence.
    ///
    /// # Errors
    /// When a section is damaged, or this build leaves out what the view needs.
    pub fn speller(&self, view: View) -> Result<Speller, QueryError> {
        let corpus = self.snapshot()?;
        let dictionary = corpus.dictionary()?;
        let mut reader = view.reader()?;
        let mut shown = Vec::new();
        for token in words(&corpus)? {
            if let Some(word) = reader.read(dictionary.bytes(token)) {
                shown.push((xxh3_64(word.as_bytes()), token));
            }
        }
        shown.sort_unstable();
        drop(reader);
        Ok(Speller { corpus, view, shown })
    }
}

/// Finds the spellings of phrases under one view, in microseconds each. [`Store::speller`] makes it.
pub struct Speller {
    corpus: Arc<Corpus>,
    view: View,
    /// A hash of what the view shows of each word, and the word's id; in order.
    shown: Vec<(u64, u32)>,
}

impl Speller {
    /// All phrases of words of the corpus that the view maps to the same words as `phrase`, as
    /// [`Store::spellings`] finds them.
    ///
    /// # Errors
    /// [`QueryError::TooManySpellings`].
    pub fn spellings(&self, phrase: &Phrase) -> Result<Vec<Phrase>, QueryError> {
        let dictionary = self.corpus.dictionary()?;
        let mut reader = self.view.reader()?;
        let mut spellings: Vec<Vec<&[u8]>> = Vec::with_capacity(phrase.words().len());
        for word in phrase.words() {
            let mut found = Vec::new();
            if let Some(wanted) = reader.read(word).map(str::to_owned) {
                let hash = xxh3_64(wanted.as_bytes());
                let from = self.shown.partition_point(|&(other, _)| other < hash);
                for &(_, token) in
                    self.shown[from..].iter().take_while(|&&(other, _)| other == hash)
                {
                    let bytes = dictionary.bytes(token);
                    // Two words may have the same hash.
                    if reader.read(bytes) == Some(&wanted) {
                        found.push(bytes);
                    }
                }
            }
            spellings.push(found);
        }
        phrases(&spellings)
    }
}

/// The ids of all words.
fn words(corpus: &Corpus) -> Result<Range<u32>, QueryError> {
    let dictionary = corpus.dictionary()?;
    Ok(dictionary.ids(TokenClass::Separator).end..dictionary.len() as u32)
}

/// All phrases whose words have these spellings.
fn phrases(spellings: &[Vec<&[u8]>]) -> Result<Vec<Phrase>, QueryError> {
    let count = spellings.iter().try_fold(1usize, |all, one| all.checked_mul(one.len()));
    let Some(count) = count.filter(|&count| count <= MOST) else {
        return Err(QueryError::TooManySpellings { most: MOST });
    };
    // The digits of n, in a mixed radix, are the spellings of the words of phrase n.
    let phrase_of = |mut number: usize| {
        let words = spellings.iter().map(|spellings| {
            let word = spellings[number % spellings.len()];
            number /= spellings.len();
            word.to_vec()
        });
        Phrase::of_words(words.collect())
    };
    Ok((0..count).map(phrase_of).collect())
}
