//! Stems by the Snowball rules. A build can leave them out.

use super::Language;
use crate::features::MissingFeature;

#[cfg(feature = "stemmers")]
mod built {
    use super::{Language, MissingFeature};
    use rust_stemmers::Algorithm;

    /// Cuts words down to their stems.
    pub(crate) struct Stemmer(rust_stemmers::Stemmer);

    impl Stemmer {
        #[expect(clippy::unnecessary_wraps, reason = "a build without stemmers has none to give")]
        pub(crate) fn new(language: Language) -> Result<Self, MissingFeature> {
            let algorithm = match language.code() {
                "ar" => Algorithm::Arabic,
                "da" => Algorithm::Danish,
                "nl" => Algorithm::Dutch,
                "fi" => Algorithm::Finnish,
                "fr" => Algorithm::French,
                "de" => Algorithm::German,
                "el" => Algorithm::Greek,
                "hu" => Algorithm::Hungarian,
                "it" => Algorithm::Italian,
                "no" => Algorithm::Norwegian,
                "pt" => Algorithm::Portuguese,
                "ro" => Algorithm::Romanian,
                "ru" => Algorithm::Russian,
                "es" => Algorithm::Spanish,
                "sv" => Algorithm::Swedish,
                "ta" => Algorithm::Tamil,
                "tr" => Algorithm::Turkish,
                _ => Algorithm::English,
            };
            Ok(Self(rust_stemmers::Stemmer::create(algorithm)))
        }

        pub(crate) fn stem(&self, word: &str) -> String {
            self.0.stem(word).into_owned()
        }
    }
}

#[cfg(not(feature = "stemmers"))]
mod built {
    use super::{Language, MissingFeature};

    /// Cuts words down to their stems, which this build cannot do.
    pub(crate) enum Stemmer {}

    impl Stemmer {
        pub(crate) fn new(_: Language) -> Result<Self, MissingFeature> {
            Err(MissingFeature::new("find stems", "stemmers"))
        }

        pub(crate) fn stem(&self, _: &str) -> String {
            match *self {}
        }
    }
}

pub(crate) use built::Stemmer;
