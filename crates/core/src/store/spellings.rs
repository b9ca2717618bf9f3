//! Words that are read alike: searching whatever their case.

use crate::access::Phrase;
use crate::analytics::View;
use crate::error::Error;
use crate::store::Store;
use crate::token::TokenClass;

/// Phrases of many words that each have many spellings are too many to be searched for.
const MOST: usize = 4096;

impl Store {
    /// All phrases of words of the corpus, edits included, that a view shows as it shows the words of
    /// `phrase`. The dictionary is gone through for that, not the text.
    ///
    /// # Errors
    /// [`Error::TooManySpellings`]; or when a section is damaged.
    pub fn spellings(&self, phrase: &Phrase, view: &View) -> Result<Vec<Phrase>, Error> {
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
            return Err(Error::TooManySpellings { most: MOST });
        };
        // Phrase number n has of each word the spelling that is its digit of n.
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
