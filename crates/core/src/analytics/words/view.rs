//! How words are to be read.

use super::Language;
use icu_casemap::CaseMapper;
use icu_normalizer::{ComposingNormalizer, DecomposingNormalizer};
use icu_properties::CodePointMapData;
use icu_properties::props::GeneralCategory;
use regex::Regex;
use std::collections::HashSet;
use std::sync::Arc;

/// A way of reading words. Steps are taken in the order of the fields: a word is brought to its
/// normal form and case, then judged (length, digits, patterns, stop words), then stemmed.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// What a word is.
    pub pattern: Pattern,
    /// Unicode normal form.
    pub normal_form: Option<NormalForm>,
    /// Upper and lower case.
    pub case: Case,
    /// Words with fewer characters do not count.
    pub min_length: usize,
    /// What becomes of words with digits in them.
    pub digits: Digits,
    /// Only words in which this is found count.
    pub matching: Option<Regex>,
    /// Words in which this is found do not count.
    pub excluding: Option<Regex>,
    /// Words that do not count, in whatever case and normal form.
    pub stop_words: Arc<HashSet<String>>,
    /// Words are cut down to their stems by this language's Snowball rules.
    pub stem: Option<Language>,
}

/// What a word is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pattern {
    /// The tokeniser's own words: runs of letters, digits and marks; Han, Kana and Thai characters
    /// one by one.
    #[default]
    Words,
    /// Those of scikit-learn's `CountVectorizer` as it comes: the text in lower case, then
    /// `(?u)\b\w\w+\b`, where `\w` is a letter, a digit or an underscore.
    ScikitLearn,
}

/// Upper and lower case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Case {
    /// As it stands.
    #[default]
    Keep,
    /// All lower case.
    Lower,
    /// Full Unicode case folding, for comparing without regard to case: `ß` is `ss`.
    Fold,
}

/// What becomes of words with digits in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Digits {
    /// They count as all others.
    #[default]
    Keep,
    /// They do not count.
    Drop,
    /// Only they count.
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

impl NormalForm {
    fn of(self, word: &str) -> String {
        match self {
            Self::Nfc => ComposingNormalizer::new_nfc().normalize(word).into_owned(),
            Self::Nfkc => ComposingNormalizer::new_nfkc().normalize(word).into_owned(),
            Self::Nfd => DecomposingNormalizer::new_nfd().normalize(word).into_owned(),
            Self::Nfkd => DecomposingNormalizer::new_nfkd().normalize(word).into_owned(),
        }
    }
}

impl View {
    /// Whether every word is shown as it stands.
    pub(crate) fn is_plain(&self) -> bool {
        self.pattern == Pattern::Words
            && self.normal_form.is_none()
            && self.case == Case::Keep
            && self.min_length <= 1
            && self.digits == Digits::Keep
            && self.matching.is_none()
            && self.excluding.is_none()
            && self.stop_words.is_empty()
            && self.stem.is_none()
    }

    /// What applies the view to words.
    pub(crate) fn reader(&self) -> ViewReader<'_> {
        let stemmer =
            self.stem.map(|language| rust_stemmers::Stemmer::create(language.algorithm()));
        let mut reader =
            ViewReader { view: self, stemmer, stop_words: HashSet::new(), word: String::new() };
        for word in &*self.stop_words {
            reader.rewrite(word);
            let word = reader.word.clone();
            reader.stop_words.insert(word);
        }
        reader
    }

    /// Whether a word counts.
    fn lets_through(&self, word: &str) -> bool {
        let has_digit = || word.chars().any(is_digit);
        let digits = match self.digits {
            Digits::Keep => true,
            Digits::Drop => !has_digit(),
            Digits::Only => has_digit(),
        };
        digits
            && (self.min_length <= 1 || word.chars().count() >= self.min_length)
            && self.matching.as_ref().is_none_or(|pattern| pattern.is_match(word))
            && !self.excluding.as_ref().is_some_and(|pattern| pattern.is_match(word))
    }
}

/// A decimal digit of any script.
fn is_digit(c: char) -> bool {
    let category = CodePointMapData::<GeneralCategory>::new().get(c);
    category == GeneralCategory::DecimalNumber
}

/// Applies a view to one word after the other.
pub(crate) struct ViewReader<'v> {
    view: &'v View,
    stemmer: Option<rust_stemmers::Stemmer>,
    /// In the view's normal form and case, so that they are found however they are written.
    stop_words: HashSet<String>,
    word: String,
}

impl ViewReader<'_> {
    /// The word as the view shows it, or `None` if it does not count.
    pub(crate) fn read(&mut self, bytes: &[u8]) -> Option<&str> {
        // Words are made of letters, so they are UTF-8; a forged dictionary may say otherwise.
        let word = str::from_utf8(bytes).ok()?;
        self.rewrite(word);
        let is_dropped = self.word.is_empty() || self.stop_words.contains(&self.word);
        if is_dropped || !self.view.lets_through(&self.word) {
            return None;
        }
        if let Some(stemmer) = &self.stemmer {
            self.word = stemmer.stem(&self.word).into_owned();
        }
        Some(&self.word)
    }

    /// Brings a word to the view's normal form and case.
    fn rewrite(&mut self, word: &str) {
        self.word.clear();
        match self.view.normal_form {
            Some(form) => self.word.push_str(&form.of(word)),
            None => self.word.push_str(word),
        }
        match self.view.case {
            Case::Keep => {}
            Case::Lower if self.word.is_ascii() => self.word.make_ascii_lowercase(),
            Case::Lower => self.word = self.word.to_lowercase(),
            Case::Fold if self.word.is_ascii() => self.word.make_ascii_lowercase(),
            Case::Fold => self.word = CaseMapper::new().fold_string(&self.word).into_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(view: &View, word: &str) -> Option<String> {
        view.reader().read(word.as_bytes()).map(str::to_owned)
    }

    #[test]
    fn steps_are_taken_in_order() {
        let view = View {
            normal_form: Some(NormalForm::Nfkc),
            case: Case::Fold,
            min_length: 3,
            digits: Digits::Drop,
            excluding: Some(Regex::new("^x").unwrap()),
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
        assert_eq!(View::default().reader().read(b"\xFF"), None);
    }
}
