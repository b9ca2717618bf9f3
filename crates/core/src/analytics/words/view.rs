//! How a query reads words.

use super::Language;
use super::stem::Stemmer;
use super::unicode::Unicode;
use crate::error::QueryError;
use regex::Regex;
use std::collections::HashSet;
use std::sync::Arc;

/// How words are read. Steps are applied in the order of the fields: normal form and case, then
/// filters (length, digits, patterns, stop words), then stems.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// What a word is.
    pub pattern: Pattern,
    /// Unicode normal form.
    pub normalize: Option<NormalForm>,
    /// Upper and lower case.
    pub case: Case,
    /// Leaves out words with fewer characters.
    pub min_len: usize,
    /// How words that contain digits are counted.
    pub digits: Digits,
    /// Counts only words in which this matches.
    pub matching: Option<Regex>,
    /// Leaves out words in which this matches.
    pub not_matching: Option<Regex>,
    /// Leaves out these words, in any case and normal form.
    pub stop_words: Arc<HashSet<String>>,
    /// Leaves out the stop words of this language too.
    pub stop_language: Option<Language>,
    /// Reduces words to stems by the Snowball rules of this language.
    pub stem: Option<Language>,
}

/// What a word is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pattern {
    /// The tokeniser's words: runs of letters, digits and marks; each Han, Kana or Thai character
    /// is a word.
    #[default]
    Words,
    /// The words of scikit-learn's `CountVectorizer` with its defaults: the text in lower case,
    /// then `(?u)\b\w\w+\b`, where `\w` is a letter, a digit or an underscore.
    Sklearn,
}

/// Upper and lower case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Case {
    /// As in the text.
    #[default]
    Keep,
    /// All lower case.
    Lower,
    /// Full Unicode case folding, to compare without regard to case: `ß` becomes `ss`.
    Fold,
}

/// How words that contain digits are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Digits {
    /// Like all others.
    #[default]
    Keep,
    /// They are left out.
    Drop,
    /// Only they are counted.
    Only,
}

/// A Unicode normal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NormalForm {
    /// Composed.
    Nfc,
    /// Decomposed.
    Nfd,
    /// Composed, compatible characters made equal.
    Nfkc,
    /// Decomposed, compatible characters made equal.
    Nfkd,
}

impl View {
    /// Whether the view changes no word.
    pub(crate) fn is_plain(&self) -> bool {
        self.pattern == Pattern::Words
            && self.normalize.is_none()
            && self.case == Case::Keep
            && self.min_len <= 1
            && self.digits == Digits::Keep
            && self.matching.is_none()
            && self.not_matching.is_none()
            && self.stop_words.is_empty()
            && self.stop_language.is_none()
            && self.stem.is_none()
    }

    /// A reader that applies the view to words.
    ///
    /// # Errors
    /// When the view needs something that this build leaves out, or a language without stop words.
    pub(crate) fn reader(&self) -> Result<ViewReader<'_>, QueryError> {
        let unicode = |wanted: bool, part| wanted.then(|| Unicode::new(part)).transpose();
        let form =
            |form| Ok::<_, QueryError>((form, Unicode::new("bring words to a normal form")?));
        let mut reader = ViewReader {
            view: self,
            normalize: self.normalize.map(form).transpose()?,
            folding: unicode(self.case == Case::Fold, "fold case")?,
            digits: unicode(self.digits != Digits::Keep, "find words with digits")?,
            stemmer: self.stem.map(Stemmer::new).transpose()?,
            stop_words: HashSet::new(),
            word: String::new(),
        };
        let of_language = self.stop_language.map(Language::stop_words).transpose()?;
        for word in self.stop_words.iter().chain(of_language.iter().flatten()) {
            reader.rewrite(word);
            let word = reader.word.clone();
            reader.stop_words.insert(word);
        }
        Ok(reader)
    }
}

/// Applies a view to one word after the other.
pub(crate) struct ViewReader<'v> {
    view: &'v View,
    normalize: Option<(NormalForm, Unicode)>,
    folding: Option<Unicode>,
    digits: Option<Unicode>,
    stemmer: Option<Stemmer>,
    /// In the view's normal form and case, so that they match however they are written.
    stop_words: HashSet<String>,
    word: String,
}

impl ViewReader<'_> {
    /// The word as the view shows it, or `None` if it is left out.
    pub(crate) fn read(&mut self, bytes: &[u8]) -> Option<&str> {
        // Words are UTF-8 because they are made of letters, except in a forged dictionary.
        let word = str::from_utf8(bytes).ok()?;
        self.rewrite(word);
        let is_dropped = self.word.is_empty() || self.stop_words.contains(&self.word);
        if is_dropped || !self.lets_through() {
            return None;
        }
        if let Some(stemmer) = &self.stemmer {
            self.word = stemmer.stem(&self.word);
        }
        Some(&self.word)
    }

    /// Converts a word to the view's normal form and case.
    fn rewrite(&mut self, word: &str) {
        self.word.clear();
        match self.normalize {
            Some((form, unicode)) => self.word.push_str(&unicode.normalize(form, word)),
            None => self.word.push_str(word),
        }
        if self.view.case == Case::Keep {
            return;
        }
        match self.folding {
            _ if self.word.is_ascii() => self.word.make_ascii_lowercase(),
            Some(unicode) => self.word = unicode.fold(&self.word),
            None => self.word = self.word.to_lowercase(),
        }
    }

    /// Whether the filters keep the word.
    fn lets_through(&self) -> bool {
        let (view, word) = (self.view, &self.word[..]);
        let has_wanted_digits = self.digits.is_none_or(|unicode| {
            word.chars().any(|c| unicode.is_digit(c)) == (view.digits == Digits::Only)
        });
        has_wanted_digits
            && (view.min_len <= 1 || word.chars().count() >= view.min_len)
            && view.matching.as_ref().is_none_or(|pattern| pattern.is_match(word))
            && !view.not_matching.as_ref().is_some_and(|pattern| pattern.is_match(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(view: &View, word: &str) -> Option<String> {
        view.reader().unwrap().read(word.as_bytes()).map(str::to_owned)
    }

    #[test]
    fn steps_are_taken_in_order() {
        let view = View {
            normalize: Some(NormalForm::Nfkc),
            case: Case::Fold,
            min_len: 3,
            digits: Digits::Drop,
            not_matching: Some(Regex::new("^x").unwrap()),
            stop_words: Arc::new(["the".to_owned()].into()),
            stem: Some("english".parse().unwrap()),
            ..View::default()
        };
        assert_eq!(read(&view, "ﬁshing"), Some("fish".to_owned()));
        assert_eq!(read(&view, "Straßen"), Some("strassen".to_owned()));
        for dropped in ["The", "ab", "x-ray", "2nd", "٣rd"] {
            assert_eq!(read(&view, dropped), None, "{dropped}");
        }
    }

    #[test]
    fn a_plain_view_changes_nothing() {
        assert!(View::default().is_plain());
        assert_eq!(read(&View::default(), "Ärger"), Some("Ärger".to_owned()));
        assert_eq!(View::default().reader().unwrap().read(b"\xFF"), None);
    }
}
