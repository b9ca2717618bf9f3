//! Features: what the selector knows of the file and the query.

use crate::analytics::tasks::Shape;
use crate::corpus::Corpus;

/// The facts from which a traversal is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Features {
    values: [f64; NAMES.len()],
}

/// The names of all features, in order.
pub(crate) const NAMES: [&str; 14] = [
    "words_a_row",
    "by_document",
    "by_item",
    "documents",
    "text_words",
    "vocabulary",
    "rules",
    "root_symbols",
    "depth",
    "words_per_document",
    "words_per_symbol",
    "root_share",
    "chosen_share",
    "of_corpus",
];

impl Features {
    /// The features of a query to a corpus, or to some of its documents.
    #[must_use]
    pub(in crate::analytics) fn new(
        corpus: &Corpus,
        shape: &Shape,
        chosen: Option<&[usize]>,
    ) -> Self {
        let facts = corpus.facts();
        let sizes = &facts.sizes;
        let documents = facts.documents as f64;
        let chosen = chosen.map_or(documents, |chosen| chosen.len() as f64);
        let per = |a: u64, b: f64| if b > 0.0 { a as f64 / b } else { 0.0 };
        Self {
            values: [
                shape.words_a_row as f64,
                f64::from(u8::from(shape.has_documents && !shape.by_item)),
                f64::from(u8::from(shape.by_item)),
                chosen,
                sizes.text_words as f64 * per(1, documents) * chosen,
                facts.vocabulary as f64,
                sizes.rules as f64,
                sizes.root_symbols as f64,
                sizes.depth as f64,
                per(sizes.text_words, documents),
                per(sizes.text_words, sizes.symbols as f64),
                per(sizes.root_symbols, sizes.symbols as f64),
                if documents > 0.0 { chosen / documents } else { 1.0 },
                f64::from(u8::from(!shape.has_documents)),
            ],
        }
    }

    /// Names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, f64)> {
        NAMES.into_iter().zip(self.values)
    }

    /// The value of a feature.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<f64> {
        self.iter().find(|(own, _)| *own == name).map(|(_, value)| value)
    }

    pub(crate) fn values(&self) -> &[f64] {
        &self.values
    }

    pub(crate) fn from_values(values: [f64; NAMES.len()]) -> Self {
        Self { values }
    }

    /// Whether a document is likely to reach most rules.
    pub(crate) fn reaches_most_rules(&self) -> bool {
        let rules = self.get("rules").unwrap_or(0.0);
        self.get("words_per_document").unwrap_or(0.0) * 64.0 > rules
    }
}
