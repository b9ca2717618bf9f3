//! Keyness: which words are more frequent in some documents than in others.
//!
//! The counts of a whole corpus come from the totals that its file stores, where it stores them, so two
//! corpora are compared without a look at their texts.

mod measure;

pub use measure::KeynessMeasure;

use super::engine::{Setting, word_totals};
use super::options::Options;
use super::query::Query;
use super::select;
use super::tasks::Shape;
use crate::corpus::Corpus;
use crate::error::{KeynessError, QueryError};
use std::cmp::Ordering;

/// Asks which words are key: more frequent in the target than in the reference. The target is the
/// corpus, or its [chosen documents](Query::documents); the reference is
/// [another corpus](Query::against), or the other documents of this one.
#[derive(Clone, Debug, Default)]
pub struct Keyness<'c> {
    measure: KeynessMeasure,
    min_count: u64,
    reference: Option<Reference<'c>>,
    reference_documents: Option<Vec<usize>>,
    is_reversed: bool,
}

/// The corpus of the reference.
#[derive(Clone, Copy)]
struct Reference<'c>(&'c Corpus);

impl std::fmt::Debug for Reference<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Reference").field(&self.0.path()).finish()
    }
}

/// A word and how key it is.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyWord {
    /// The word as the view shows it.
    pub word: Vec<u8>,
    /// Its keyness: positive if it is more frequent in the target, negative if it is less frequent.
    pub score: f64,
    /// How often it occurs in the target.
    pub count: u64,
    /// How often it occurs in the reference.
    pub reference_count: u64,
    /// Occurrences in a million words of the target.
    pub per_million: f64,
    /// Occurrences in a million words of the reference.
    pub reference_per_million: f64,
}

impl Corpus {
    /// Asks which words are key in this corpus, compared with [another](Query::against), or in
    /// [some documents](Query::documents), compared with the others.
    ///
    /// ```no_run
    /// # use zgram::Corpus;
    /// # fn main() -> Result<(), zgram::Error> {
    /// let (science, news) = (Corpus::open("science.zgram")?, Corpus::open("news.zgram")?);
    /// for row in science.keyness().against(&news).lower().min_count(5).top(20).key_words()? {
    ///     println!("{:>9.1} {}", row.score, String::from_utf8_lossy(&row.word));
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn keyness(&self) -> Query<'_, Keyness<'_>> {
        Query::new(self, Keyness::default())
    }
}

impl<'c> Query<'c, Keyness<'c>> {
    /// Uses this measure; log-likelihood by default.
    #[must_use]
    pub fn measure(mut self, measure: KeynessMeasure) -> Self {
        self.question.measure = measure;
        self
    }

    /// Leaves out words with fewer occurrences in target and reference together.
    #[must_use]
    pub fn min_count(mut self, count: u64) -> Self {
        self.question.min_count = count;
        self
    }

    /// Compares with this corpus.
    #[must_use]
    pub fn against(mut self, reference: &'c Corpus) -> Self {
        self.question.reference = Some(Reference(reference));
        self
    }

    /// Compares with these documents only, by number: of [the other corpus](Self::against), or of this one.
    #[must_use]
    pub fn reference_documents(mut self, documents: impl IntoIterator<Item = usize>) -> Self {
        self.question.reference_documents = Some(documents.into_iter().collect());
        self
    }

    /// The lowest score first: the words that are less frequent than in the reference.
    #[must_use]
    pub fn reverse(mut self, reverse: bool) -> Self {
        self.question.is_reversed = reverse;
        self
    }

    /// All words that occur in the target or in the reference, or the [first](Query::top) of them: the
    /// highest score first, words with the same score in the order of their bytes.
    ///
    /// # Errors
    /// [`QueryError::Keyness`] when the target or the reference has no words, or there is no reference; any
    /// other error when a corpus is damaged or the query cannot be answered.
    pub fn key_words(&self) -> Result<Vec<KeyWord>, QueryError> {
        let Keyness { measure, min_count, .. } = self.question;
        let target = Side::count(self.corpus, self.options.clone())?;
        if target.words == 0 {
            return Err(KeynessError::NoWordsInTarget.into());
        }
        let reference = self.reference()?;
        if reference.words == 0 {
            return Err(KeynessError::NoWordsInReference.into());
        }
        let sizes = [target.words as f64, reference.words as f64];
        let mut rows = Vec::new();
        each_word(&target, &reference, |word, count, reference_count| {
            if count.saturating_add(reference_count) < min_count.max(1) {
                return;
            }
            let counts = [count as f64, reference_count as f64];
            rows.push(KeyWord {
                word: word.to_vec(),
                score: measure.score(counts, sizes),
                count,
                reference_count,
                per_million: counts[0] / sizes[0] * 1e6,
                reference_per_million: counts[1] / sizes[1] * 1e6,
            });
        });
        // Words come in the order of their bytes, which a stable sort keeps.
        match self.question.is_reversed {
            true => rows.sort_by(|a, b| a.score.total_cmp(&b.score)),
            false => rows.sort_by(|a, b| b.score.total_cmp(&a.score)),
        }
        rows.truncate(self.options.top.unwrap_or(usize::MAX));
        Ok(rows)
    }

    /// The counts of the reference.
    fn reference(&self) -> Result<Side<'c>, QueryError> {
        let Keyness { reference, reference_documents, .. } = &self.question;
        let (corpus, documents) = match (reference, reference_documents, &self.options.documents) {
            (Some(Reference(corpus)), documents, _) => (*corpus, documents.clone()),
            (None, Some(documents), _) => (self.corpus, Some(documents.clone())),
            (None, None, Some(target)) => {
                let mut is_target = vec![false; self.corpus.facts().documents as usize];
                target.iter().for_each(|&document| is_target[document] = true);
                let others = (0..is_target.len()).filter(|&document| !is_target[document]);
                (self.corpus, Some(others.collect()))
            }
            (None, None, None) => return Err(KeynessError::NoReference.into()),
        };
        Side::count(corpus, Options { documents, ..self.options.clone() })
    }
}

/// The words of the target or the reference, counted.
struct Side<'c> {
    setting: Setting<'c>,
    /// By number.
    counts: Vec<u64>,
    /// All words.
    words: u64,
}

impl<'c> Side<'c> {
    fn count(corpus: &'c Corpus, options: Options<'c>) -> Result<Self, QueryError> {
        let decision = select::decide(corpus, &Shape::TOTALS, &options);
        let setting = Setting::of_shape(corpus, options, &decision, &Shape::TOTALS)?;
        let counts = word_totals::totals(&setting, &setting.plan.segments)?;
        let words = counts.iter().fold(0u64, |sum, &count| sum.saturating_add(count));
        Ok(Self { setting, counts, words })
    }

    /// The words that occur, in the order of their bytes, with their counts.
    fn in_order(&self) -> impl Iterator<Item = (&[u8], u64)> {
        let words = &self.setting.plan.words;
        let order = words.order().word_at.iter();
        order
            .map(|&word| (words.text(word), self.counts[word as usize]))
            .filter(|&(_, count)| count > 0)
    }
}

/// Calls `found` with each word of either side and its counts, in the order of bytes.
fn each_word(a: &Side<'_>, b: &Side<'_>, mut found: impl FnMut(&[u8], u64, u64)) {
    let (mut a, mut b) = (a.in_order().peekable(), b.in_order().peekable());
    loop {
        let order = match (a.peek(), b.peek()) {
            (Some((a, _)), Some((b, _))) => a.cmp(b),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => return,
        };
        let from_a = if order.is_le() { a.next() } else { None };
        let from_b = if order.is_ge() { b.next() } else { None };
        let word = from_a.or(from_b).map(|(word, _)| word);
        let count = |side: Option<(_, u64)>| side.map_or(0, |(_, count)| count);
        found(word.unwrap_or_default(), count(from_a), count(from_b));
    }
}
