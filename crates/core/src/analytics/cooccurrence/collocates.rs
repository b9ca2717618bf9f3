//! The words near one word, with a score: one row of a co-occurrence count.

use super::dense_row::DenseRow;
use super::flat::FlatSource;
use super::text::{FlatText, Text};
use super::vocabulary::Vocabulary;
use super::weights::Weights;
use super::{Boundary, Side, Weighting};
use crate::analytics::engine::{Passes, Setting};
use crate::analytics::query::Query;
use crate::analytics::report::Report;
use crate::analytics::task::Traversal;
use crate::analytics::words::words_of_texts;
use crate::corpus::Corpus;
use crate::error::{CooccurrenceError, QueryError};
use std::cmp::Reverse;

/// Asks for the words near a word, by a measure of association.
#[derive(Clone, Debug)]
pub struct Collocates {
    word: String,
    window: usize,
    measure: CollocateMeasure,
    side: Side,
    boundary: Boundary,
    min_count: u64,
}

/// How strongly two words are associated.
///
/// A *pair* is two places at most a window apart, with words `a` and `b`. Let *O* be the pairs of the word
/// and the collocate, *R* all pairs of the word, *C* all pairs of the collocate and *N* all pairs of the
/// chosen documents. By chance, *E* = *R* · *C* / *N* pairs would be of both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CollocateMeasure {
    /// 14 + log₂ (2 *O* / (occurrences of the word + occurrences of the collocate)). It does not depend on
    /// the size of the corpus. (P. Rychlý, *A lexicographer-friendly association score*, 2008.)
    #[default]
    LogDice,
    /// Pointwise mutual information, log₂ (*O* / *E*). It favours rare words.
    Pmi,
    /// Log-likelihood ratio of the table of *O*, *R* − *O*, *C* − *O* and *N* − *R* − *C* + *O*; negative if
    /// *O* is below *E*. (T. Dunning, 1993.) It favours frequent words.
    LogLikelihood,
    /// The t-score, (*O* − *E*) / √*O*.
    TScore,
}

impl CollocateMeasure {
    /// The score of a collocate.
    fn score(self, table: &Table) -> f64 {
        let Table { both, word, collocate, all, occurrences } = *table;
        let [o, r, c, n] = [both, word, collocate, all].map(|pairs| pairs as f64);
        let expected = r * c / n;
        match self {
            Self::LogDice => 14.0 + (2.0 * o / occurrences as f64).log2(),
            Self::Pmi => (o / expected).log2(),
            Self::TScore => (o - expected) / o.sqrt(),
            Self::LogLikelihood => {
                let cells = [
                    (both, expected),
                    (word - both, r * (n - c) / n),
                    (collocate - both, (n - r) * c / n),
                    (all - word - (collocate - both), (n - r) * (n - c) / n),
                ];
                let term = |(found, expected): (u64, f64)| match found {
                    0 => 0.0,
                    found => found as f64 * (found as f64 / expected).ln(),
                };
                let ratio = (2.0 * cells.into_iter().map(term).sum::<f64>()).max(0.0);
                if o < expected { -ratio } else { ratio }
            }
        }
    }
}

/// The numbers of pairs that a score is made of.
#[derive(Clone, Copy, Debug)]
struct Table {
    both: u64,
    word: u64,
    collocate: u64,
    all: u64,
    /// Of the word and of the collocate, added up.
    occurrences: u64,
}

/// A word near the word that was asked about.
#[derive(Clone, Debug, PartialEq)]
pub struct Collocate {
    /// The word.
    pub word: Vec<u8>,
    /// The measure of association.
    pub score: f64,
    /// How often the two words occur at most a window apart.
    pub cooccurrences: u64,
    /// How often the collocate occurs.
    pub count: u64,
}

impl Corpus {
    /// Asks for the words near `word`, which is read as the view reads words of the text.
    ///
    /// ```no_run
    /// # use zgram::Corpus;
    /// # fn main() -> Result<(), zgram::Error> {
    /// for near in Corpus::open("books.zgram")?.collocates("whale").lower().top(10).collect()? {
    ///     println!("{:6.2} {}", near.score, String::from_utf8_lossy(&near.word));
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn collocates(&self, word: impl Into<String>) -> Query<'_, Collocates> {
        let question = Collocates {
            word: word.into(),
            window: 5,
            measure: CollocateMeasure::default(),
            side: Side::Both,
            boundary: Boundary::Document,
            min_count: 1,
        };
        Query::new(self, question)
    }
}

impl Query<'_, Collocates> {
    /// Counts words at most this many words apart; 5 unless set.
    #[must_use]
    pub fn window(mut self, words: usize) -> Self {
        self.question.window = words;
        self
    }

    /// How words are scored.
    #[must_use]
    pub fn measure(mut self, measure: CollocateMeasure) -> Self {
        self.question.measure = measure;
        self
    }

    /// Only words to the left of the word.
    #[must_use]
    pub fn left(mut self) -> Self {
        self.question.side = Side::Left;
        self
    }

    /// Only words to the right of the word.
    #[must_use]
    pub fn right(mut self) -> Self {
        self.question.side = Side::Right;
        self
    }

    /// What no pair of words crosses.
    #[must_use]
    pub fn boundary(mut self, boundary: Boundary) -> Self {
        self.question.boundary = boundary;
        self
    }

    /// Leaves out words that occur near the word fewer times.
    #[must_use]
    pub fn min_count(mut self, count: u64) -> Self {
        self.question.min_count = count;
        self
    }

    /// The words near the word: by falling score, then by falling number of co-occurrences, then by bytes.
    /// None if the word does not occur.
    ///
    /// # Errors
    /// [`QueryError::Cooccurrence`] when the request makes no sense; any other error when the corpus is
    /// damaged or the query cannot be answered.
    pub fn collect(&self) -> Result<Vec<Collocate>, QueryError> {
        Ok(self.collect_and_report()?.0)
    }

    /// The same, and what the query cost.
    ///
    /// # Errors
    /// As [`collect`](Self::collect).
    pub fn collect_and_report(&self) -> Result<(Vec<Collocate>, Report), QueryError> {
        let asked = &self.question;
        let weights = Weights::new(asked.window, Weighting::Flat)?;
        let (mut setting, totals) = self.count_words(asked.boundary)?;
        setting.plan.traversal = Traversal::Stream;
        let found = self.count(&setting, &totals, weights)?;
        Ok((found, setting.into_report(Passes::ONE)))
    }

    fn count(
        &self,
        setting: &Setting<'_>,
        totals: &[u64],
        weights: Weights,
    ) -> Result<Vec<Collocate>, QueryError> {
        let asked = &self.question;
        let words = &setting.plan.words;
        let vocabulary = match Vocabulary::choose(words, totals, 1, None) {
            Ok(vocabulary) => vocabulary,
            Err(CooccurrenceError::NoWords) => return Ok(Vec::new()),
            Err(error) => return Err(error.into()),
        };
        let Some(word) = self.word_as_seen()? else { return Ok(Vec::new()) };
        let place = vocabulary.terms.iter().position(|term| term == word.as_bytes());
        let Some(word) = place else { return Ok(Vec::new()) };
        let numbers = vocabulary.numbers(words, asked.boundary, self.corpus.dictionary()?);
        let source = FlatSource {
            setting,
            numbers: &numbers,
            window: asked.window,
            break_number: vocabulary.break_number(),
        };
        let mut counts = PairCounts::new(vocabulary.len(), word as u32, weights, asked.side);
        let capacity = CAPACITY.max(8 * asked.window);
        let last = source.texts(capacity, capacity, |text| {
            counts.add(&text);
            Ok(())
        })?;
        counts.add(&last);
        Ok(self.score(&vocabulary, word, counts))
    }

    /// The word as the view shows it; `None` if the view leaves it out, or if it is not one word.
    fn word_as_seen(&self) -> Result<Option<String>, QueryError> {
        let mut words = Vec::new();
        let all = words_of_texts(&[&self.question.word], &self.options.view, &mut words)?;
        Ok(words.pop().filter(|_| all == 1))
    }

    fn score(
        &self,
        vocabulary: &Vocabulary,
        word: usize,
        mut counts: PairCounts,
    ) -> Vec<Collocate> {
        let asked = &self.question;
        let [rows, columns] = counts.sums();
        let all: u64 = rows.iter().sum();
        let mut found = Vec::new();
        counts.row.drain(|column, both| {
            let (both, column) = (both as u64, column as usize);
            let (own, count) = (vocabulary.counts[word], vocabulary.counts[column]);
            let table = Table {
                both,
                word: rows[word],
                collocate: columns[column],
                all,
                occurrences: own.saturating_add(count),
            };
            if both >= asked.min_count {
                let score = asked.measure.score(&table);
                let word = vocabulary.terms.get(column).to_vec();
                found.push(Collocate { word, score, cooccurrences: both, count });
            }
        });
        found.sort_by(|a, b| {
            let by_score = b.score.total_cmp(&a.score);
            let counts = |one: &Collocate| Reverse(one.cooccurrences);
            by_score.then_with(|| counts(a).cmp(&counts(b))).then_with(|| a.word.cmp(&b.word))
        });
        found.truncate(self.options.top.unwrap_or(usize::MAX));
        found
    }
}

/// Words of a text that is counted at once.
const CAPACITY: usize = 1 << 20;

/// The pairs of one word, and the number of pairs of every word.
struct PairCounts {
    word: u32,
    window: usize,
    side: Side,
    weights: Vec<u64>,
    row: DenseRow<u64>,
    /// For each word, its neighbours on the left and on the right.
    left: Vec<u64>,
    right: Vec<u64>,
}

impl PairCounts {
    fn new(words: usize, word: u32, weights: Weights, side: Side) -> Self {
        Self {
            word,
            window: weights.window(),
            side,
            weights: weights.of_distance,
            row: DenseRow::new(words),
            left: vec![0; words],
            right: vec![0; words],
        }
    }

    fn add(&mut self, text: &FlatText) {
        let (ids, centers) = (text.ids(), text.centers());
        let window = self.window;
        let pair = |(&id, &weight): (&u32, &u64)| (id, weight);
        for at in centers.clone().filter(|&at| ids[at] == self.word) {
            if self.side.has_left() {
                self.row.add(ids[at - window..at].iter().rev().zip(&self.weights).map(pair));
            }
            if self.side.has_right() {
                self.row.add(ids[at + 1..=at + window].iter().zip(&self.weights).map(pair));
            }
        }
        // Words since the last break, from either end.
        let before = ids[centers.start - window..centers.end].iter();
        count_run(before, window, window, &mut self.left);
        let after = ids[centers.start..centers.end + window].iter().rev();
        count_run(after, window, window, &mut self.right);
    }

    /// The sums of all rows and of all columns of the matrix that the row is of.
    fn sums(&self) -> [Vec<u64>; 2] {
        let both = || self.left.iter().zip(&self.right).map(|(left, right)| left + right).collect();
        match self.side {
            Side::Both => [both(), both()],
            Side::Left => [self.left.clone(), self.right.clone()],
            Side::Right => [self.right.clone(), self.left.clone()],
        }
    }
}

/// Adds to each word's count how many words, at most a window, come directly before it. The first `skip`
/// words are not counted.
fn count_run<'i>(
    ids: impl Iterator<Item = &'i u32>,
    skip: usize,
    window: usize,
    counts: &mut [u64],
) {
    let mut run = 0;
    for (at, &id) in ids.enumerate() {
        match counts.get_mut(id as usize) {
            Some(count) => {
                if at >= skip {
                    *count += run as u64;
                }
                run = window.min(run + 1);
            }
            None => run = 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The worked example of the documentation.
    #[test]
    fn scores_are_as_documented() {
        let table = Table { both: 8, word: 40, collocate: 32, all: 640, occurrences: 12 };
        let score = |measure: CollocateMeasure| measure.score(&table);
        // 16 / 12 of the occurrences; 8 pairs where 2 are expected.
        assert!((score(CollocateMeasure::LogDice) - (14.0 + (4.0f64 / 3.0).log2())).abs() < 1e-12);
        assert_eq!(score(CollocateMeasure::Pmi), 2.0);
        assert_eq!(score(CollocateMeasure::TScore), 6.0 / 8f64.sqrt());
        let term = |found: f64, expected: f64| found * (found / expected).ln();
        let expected =
            2.0 * (term(8.0, 2.0) + term(32.0, 38.0) + term(24.0, 30.0) + term(576.0, 570.0));
        assert!((score(CollocateMeasure::LogLikelihood) - expected).abs() < 1e-9);
        let rare = Table { both: 1, ..table };
        assert!(CollocateMeasure::LogLikelihood.score(&rare) < 0.0);
        assert!(CollocateMeasure::TScore.score(&rare) < 0.0);
    }
}
