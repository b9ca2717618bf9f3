//! Words as a question sees them: normalised, filtered, stemmed.

use std::borrow::Cow;

use regex::Regex;
use rust_stemmers::{Algorithm, Stemmer};
use serde::Deserialize;
use unicode_normalization::UnicodeNormalization;

use super::words::{sklearn_words, words};

/// A Unicode normalisation form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// Composed.
    Nfc,
    /// Decomposed.
    Nfd,
    /// Compatibility characters replaced, composed.
    Nfkc,
    /// Compatibility characters replaced, decomposed.
    Nfkd,
}

/// What counts as a word, and as the same word.
///
/// Each word passes these steps in this order; words that come out equal are one word.
///
/// 1. normalisation, lower case, case folding;
/// 2. left out by digits, length, regular expressions, stop words;
/// 3. stemming.
///
/// Stop words pass step 1 too, so that they are found however they are written in their list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct View {
    /// Lower case, by Unicode's full mapping, final sigma included.
    pub lower: bool,
    /// Full case folding.
    pub fold: bool,
    /// Normalisation.
    pub normalize: Option<Form>,
    /// Snowball stemming by the rules of this language: ISO 639-1 code or English name.
    pub stem: Option<String>,
    /// Words to leave out, as from a file.
    pub stop: Vec<String>,
    /// Leave out the usual words of this language: ISO 639-1 code.
    pub stop_language: Option<String>,
    /// Leave out words of fewer characters.
    pub min_len: usize,
    /// Keep only words in which this regular expression matches.
    #[serde(rename = "match")]
    pub matching: Option<String>,
    /// Leave out words in which this regular expression matches.
    pub no_match: Option<String>,
    /// Leave out words that have a decimal digit of any script.
    pub no_digits: bool,
    /// Words as scikit-learn cuts them, before all else.
    pub sklearn: bool,
}

impl View {
    /// The words of a text as the view shows them; `None` for each that is left out.
    pub(super) fn words(&self, text: &[u8]) -> Vec<Option<String>> {
        let words = if self.sklearn { sklearn_words(text) } else { words(text) };
        let stop: Vec<String> = self.stop_words().map(|word| self.alike(word)).collect();
        let [digit, matching, no_match] = [
            self.no_digits.then_some(r"\p{Nd}"),
            self.matching.as_deref(),
            self.no_match.as_deref(),
        ]
        .map(|pattern| pattern.map(|pattern| Regex::new(pattern).expect("a regular expression")));
        let is_kept = |word: &String| {
            word.chars().count() >= self.min_len
                && digit.as_ref().is_none_or(|digit| !digit.is_match(word))
                && matching.as_ref().is_none_or(|pattern| pattern.is_match(word))
                && no_match.as_ref().is_none_or(|pattern| !pattern.is_match(word))
                && !stop.contains(word)
        };
        let stemmer = self.stem.as_deref().map(|language| Stemmer::create(algorithm(language)));
        let stem = |word: String| match &stemmer {
            Some(stemmer) => stemmer.stem(&word).into_owned(),
            None => word,
        };
        words.iter().map(|word| Some(self.alike(word)).filter(&is_kept).map(stem)).collect()
    }

    /// The first step.
    fn alike(&self, word: &str) -> String {
        let mut word = Cow::Borrowed(word);
        if let Some(form) = self.normalize {
            word = Cow::Owned(match form {
                Form::Nfc => word.nfc().collect(),
                Form::Nfd => word.nfd().collect(),
                Form::Nfkc => word.nfkc().collect(),
                Form::Nfkd => word.nfkd().collect(),
            });
        }
        if self.lower {
            word = Cow::Owned(word.to_lowercase());
        }
        if self.fold {
            word = Cow::Owned(caseless::default_case_fold_str(&word));
        }
        word.into_owned()
    }

    fn stop_words(&self) -> impl Iterator<Item = &str> {
        let usual = self.stop_language.as_deref().map_or(&[][..], |language| {
            stop_words::lookup(language).expect("a language that has a list of stop words")
        });
        usual.iter().copied().chain(self.stop.iter().map(String::as_str))
    }
}

fn algorithm(language: &str) -> Algorithm {
    match language {
        "ar" | "arabic" => Algorithm::Arabic,
        "da" | "danish" => Algorithm::Danish,
        "nl" | "dutch" => Algorithm::Dutch,
        "en" | "english" => Algorithm::English,
        "fi" | "finnish" => Algorithm::Finnish,
        "fr" | "french" => Algorithm::French,
        "de" | "german" => Algorithm::German,
        "el" | "greek" => Algorithm::Greek,
        "hu" | "hungarian" => Algorithm::Hungarian,
        "it" | "italian" => Algorithm::Italian,
        "no" | "norwegian" => Algorithm::Norwegian,
        "pt" | "portuguese" => Algorithm::Portuguese,
        "ro" | "romanian" => Algorithm::Romanian,
        "ru" | "russian" => Algorithm::Russian,
        "es" | "spanish" => Algorithm::Spanish,
        "sv" | "swedish" => Algorithm::Swedish,
        "ta" | "tamil" => Algorithm::Tamil,
        "tr" | "turkish" => Algorithm::Turkish,
        other => panic!("no stemmer for the language {other}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(view: View, text: &str) -> Vec<String> {
        view.words(text.as_bytes()).into_iter().flatten().collect()
    }

    #[test]
    fn words_are_made_alike() {
        let lower = View { lower: true, ..View::default() };
        assert_eq!(seen(lower, "Straße ΟΔΟΣ İ"), ["straße", "οδος", "i\u{307}"]);
        let fold = View { fold: true, ..View::default() };
        assert_eq!(seen(fold, "Straße ΟΔΟΣ"), ["strasse", "οδοσ"]);
        let normal = |form| View { normalize: Some(form), ..View::default() };
        assert_eq!(seen(normal(Form::Nfc), "e\u{301}"), ["é"]);
        assert_eq!(seen(normal(Form::Nfd), "é"), ["e\u{301}"]);
        assert_eq!(seen(normal(Form::Nfkc), "ﬁne ½"), ["fine", "1\u{2044}2"]);
        assert_eq!(seen(normal(Form::Nfkd), "ﬁé"), ["fie\u{301}"]);
        let stem = View { stem: Some("en".into()), ..View::default() };
        assert_eq!(seen(stem, "running ponies"), ["run", "poni"]);
    }

    #[test]
    fn words_are_left_out() {
        let text = "The cat, the 2 cats; B2B ४२ é";
        let view = View::default;
        assert_eq!(
            seen(View { no_digits: true, ..view() }, text),
            ["The", "cat", "the", "cats", "é"]
        );
        assert_eq!(
            seen(View { min_len: 2, ..view() }, text),
            ["The", "cat", "the", "cats", "B2B", "४२"]
        );
        assert_eq!(seen(View { matching: Some("^c".into()), ..view() }, text), ["cat", "cats"]);
        assert_eq!(
            seen(View { no_match: Some("[a-z]".into()), ..view() }, text),
            ["2", "B2B", "४२", "é"]
        );
        let stop = View { stop: vec!["THE".into()], lower: true, min_len: 3, ..view() };
        assert_eq!(seen(stop, text), ["cat", "cats", "b2b"]);
    }

    #[test]
    fn stop_words_are_looked_for_before_stemming() {
        let view = View {
            stop: vec!["runs".into()],
            stem: Some("english".into()),
            stop_language: Some("en".into()),
            ..View::default()
        };
        assert_eq!(seen(view, "the runs running"), ["run"]);
    }
}
