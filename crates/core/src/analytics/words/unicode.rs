//! What words need from Unicode beyond the standard library. A build can leave it out.
//!
//! Without the feature `unicode` the type [`Unicode`] has no value, so code that holds one can use
//! it.

use super::NormalForm;
use crate::features::MissingFeature;

#[cfg(feature = "unicode")]
mod built {
    use super::{MissingFeature, NormalForm};
    use icu_casemap::CaseMapper;
    use icu_normalizer::{ComposingNormalizer, DecomposingNormalizer};
    use icu_properties::CodePointMapData;
    use icu_properties::props::{GeneralCategory, GeneralCategoryGroup};

    /// Unicode's tables.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Unicode(());

    #[expect(clippy::unnecessary_wraps, reason = "a build without the tables has none to give")]
    impl Unicode {
        pub(crate) fn new(_: &'static str) -> Result<Self, MissingFeature> {
            Ok(Self(()))
        }
    }

    impl Unicode {
        /// The word for comparing without regard to case.
        pub(crate) fn fold(self, word: &str) -> String {
            CaseMapper::new().fold_string(word).into_owned()
        }

        /// The word in a normal form.
        pub(crate) fn normalize(self, form: NormalForm, word: &str) -> String {
            match form {
                NormalForm::Nfc => ComposingNormalizer::new_nfc().normalize(word).into_owned(),
                NormalForm::Nfkc => ComposingNormalizer::new_nfkc().normalize(word).into_owned(),
                NormalForm::Nfd => DecomposingNormalizer::new_nfd().normalize(word).into_owned(),
                NormalForm::Nfkd => DecomposingNormalizer::new_nfkd().normalize(word).into_owned(),
            }
        }

        /// Whether a character is a decimal digit of any script.
        pub(crate) fn is_digit(self, c: char) -> bool {
            let category = CodePointMapData::<GeneralCategory>::new().get(c);
            category == GeneralCategory::DecimalNumber
        }

        /// Whether a character is a combining mark.
        pub(crate) fn is_mark(self, c: char) -> bool {
            let category = CodePointMapData::<GeneralCategory>::new().get(c);
            GeneralCategoryGroup::Mark.contains(category)
        }
    }
}

#[cfg(not(feature = "unicode"))]
mod built {
    use super::{MissingFeature, NormalForm};

    /// Unicode's tables, which this build does not have.
    #[derive(Clone, Copy, Debug)]
    pub(crate) enum Unicode {}

    impl Unicode {
        pub(crate) fn new(part: &'static str) -> Result<Self, MissingFeature> {
            Err(MissingFeature::new(part, "unicode"))
        }

        pub(crate) fn fold(self, _: &str) -> String {
            match self {}
        }

        pub(crate) fn normalize(self, _: NormalForm, _: &str) -> String {
            match self {}
        }

        pub(crate) fn is_digit(self, _: char) -> bool {
            match self {}
        }

        pub(crate) fn is_mark(self, _: char) -> bool {
            match self {}
        }
    }
}

pub(crate) use built::Unicode;
