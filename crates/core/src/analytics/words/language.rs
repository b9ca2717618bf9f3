//! Languages that have stems and lists of stop words.

use crate::error::QueryError;
#[cfg(not(feature = "stop-words"))]
use crate::features::MissingFeature;
use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;

/// A language, by its English name or its two-letter code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Language(&'static Entry);

#[derive(Debug, PartialEq, Eq)]
struct Entry {
    name: &'static str,
    code: &'static str,
}

const fn entry(name: &'static str, code: &'static str) -> Entry {
    Entry { name, code }
}

/// The stop words, one language per line; a line begins with the language's code. Written by the
/// build script.
#[cfg(feature = "stop-words")]
static STOP_WORDS: &str = include_str!(concat!(env!("OUT_DIR"), "/stop_words.txt"));

static LANGUAGES: [Entry; 18] = [
    entry("arabic", "ar"),
    entry("danish", "da"),
    entry("dutch", "nl"),
    entry("english", "en"),
    entry("finnish", "fi"),
    entry("french", "fr"),
    entry("german", "de"),
    entry("greek", "el"),
    entry("hungarian", "hu"),
    entry("italian", "it"),
    entry("norwegian", "no"),
    entry("portuguese", "pt"),
    entry("romanian", "ro"),
    entry("russian", "ru"),
    entry("spanish", "es"),
    entry("swedish", "sv"),
    entry("tamil", "ta"),
    entry("turkish", "tr"),
];

/// A language that zgram does not know.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no language {name:?}; there are {}", Language::all().map(|l| l.to_string()).collect::<Vec<_>>().join(", "))]
pub struct UnknownLanguage {
    name: String,
}

impl Language {
    /// All languages, by name.
    pub fn all() -> impl Iterator<Item = Self> {
        LANGUAGES.iter().map(Self)
    }

    /// Its English name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// Its two-letter code.
    #[must_use]
    pub fn code(self) -> &'static str {
        self.0.code
    }

    /// Its most frequent words, in lower case; the lists are those of Stopwords ISO.
    ///
    /// # Errors
    /// [`QueryError::NoStopWords`] for a language without a list (Tamil), [`QueryError::MissingFeature`] in a
    /// build without the lists.
    pub fn stop_words(self) -> Result<HashSet<String>, QueryError> {
        #[cfg(not(feature = "stop-words"))]
        return Err(MissingFeature::new("list stop words", "stop-words").into());
        #[cfg(feature = "stop-words")]
        {
            let mut lists = STOP_WORDS.lines().map(|line| line.split('\t'));
            let words = lists
                .find_map(|mut list| (list.next()? == self.0.code).then_some(list))
                .ok_or(QueryError::NoStopWords { language: self.name() })?;
            Ok(words.map(str::to_lowercase).collect())
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name)
    }
}

impl FromStr for Language {
    type Err = UnknownLanguage;

    fn from_str(name: &str) -> Result<Self, UnknownLanguage> {
        let wanted = name.to_lowercase();
        Self::all()
            .find(|language| language.0.name == wanted || language.0.code == wanted)
            .ok_or_else(|| UnknownLanguage { name: name.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn languages_have_names_and_stop_words() {
        for language in Language::all() {
            let has_words = language.stop_words().is_ok_and(|words| !words.is_empty());
            assert!(has_words || language.name() == "tamil", "{language}");
            assert_eq!(language.name().parse(), Ok(language));
        }
        assert!("EN".parse::<Language>().unwrap().stop_words().unwrap().contains("the"));
        let theirs = stop_words::lookup("de").unwrap().iter().map(|word| word.to_lowercase());
        assert_eq!("de".parse::<Language>().unwrap().stop_words().unwrap(), theirs.collect());
        assert!("klingon".parse::<Language>().unwrap_err().to_string().contains("english"));
    }
}
