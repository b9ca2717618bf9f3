//! All spellings of a phrase that a view treats as equal, for searches that ignore case.

use crate::access::Phrase;
use crate::analytics::View;
use crate::error::QueryError;
use crate::store::Store;
use crate::token::TokenClass;

/// Most phrases: many words with many spellings each would make too many.
const MOST: usize = 4096;

impl Store {
    /// All phrases of words of the corpus, edits included, that `view` maps to the same words as
    /// `phrase`. This reads the dictionary, not the text.
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
        for token in dictionary.ids(TokenClass::Separator).end..dictionary.len() as u32 {
            let bytes = dictionary.bytes(token);
            let Some(word) = reader.read(bytes) else { continue };
            for (wanted, spellings) in shown.iter().zip(&mut spellings) {
                if wanted.as_deref() == Some(word) {
                    spellings.push(bytes);
                }
            }
        }
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
}
