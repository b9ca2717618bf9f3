//! A count whose vocabulary is chosen.

use super::by_rule::{self, RuleSource};
use super::dense_row::{DenseRow, Sum};
use super::flat::FlatSource;
use super::method::Method;
use super::rows::{Rows, Rule, count_rows};
use super::runs::Runs;
use super::text::{self, Text};
use super::vocabulary::Vocabulary;
use super::weights::Weights;
use super::{Boundary, Cooccurrence, Side};
use crate::analytics::engine::word_totals::totals;
use crate::analytics::engine::{Passes, Setting};
use crate::analytics::matrix::{Matrix, Terms};
use crate::analytics::options::{Choice, Options};
use crate::analytics::query::Query;
use crate::analytics::report::{Phase, Report};
use crate::analytics::select;
use crate::analytics::task::Traversal;
use crate::analytics::tasks::Shape;
use crate::analytics::words::Pattern;
use crate::error::{CooccurrenceError, QueryError};
use std::sync::atomic::{AtomicU64, Ordering};

impl<'c> Query<'c, Cooccurrence> {
    /// Counts all words and chooses the vocabulary.
    ///
    /// # Errors
    /// [`QueryError::Cooccurrence`] when the request makes no sense or no word is left; any other error
    /// when the corpus is damaged or the query cannot be answered.
    pub fn prepare(&self) -> Result<CooccurrenceRun<'c>, QueryError> {
        let asked = &self.question;
        let weights = Weights::new(asked.window, asked.weighting)?;
        if asked.upper_triangle && asked.side != Side::Both {
            return Err(CooccurrenceError::NotSymmetric.into());
        }
        let (mut setting, totals) = self.count_words(asked.boundary)?;
        let words = &setting.plan.words;
        let vocabulary = Vocabulary::choose(words, &totals, asked.min_count, asked.max_vocab)?;
        let dictionary = self.corpus.dictionary()?;
        let numbers = vocabulary.numbers(words, asked.boundary, dictionary);
        let method = Method::choose(&setting, asked.window);
        setting.plan.traversal = match method {
            Method::Flat => Traversal::Stream,
            Method::ByRule => Traversal::BottomUp,
        };
        let rule = Rule {
            weights,
            side: asked.side,
            upper_triangle: asked.upper_triangle,
            width: vocabulary.len(),
        };
        let texts = AtomicU64::new(0);
        Ok(CooccurrenceRun { setting, vocabulary, numbers, rule, method, texts })
    }
}

impl<'c, Q> Query<'c, Q> {
    /// How often each word of the view occurs in the chosen documents.
    pub(super) fn count_words(
        &self,
        boundary: Boundary,
    ) -> Result<(Setting<'c>, Vec<u64>), QueryError> {
        if boundary == Boundary::Line && self.options.view.pattern == Pattern::Sklearn {
            return Err(CooccurrenceError::NoLines.into());
        }
        // A traversal that is asked for is meant for the pairs.
        let counting =
            Options { traversal: Choice::Auto, acceleration: None, ..self.options.clone() };
        let mut decision = select::decide(self.corpus, &Shape::TOTALS, &counting);
        if self.corpus.variant_totals().is_some() {
            // Those totals are of the file, without its edits.
            decision.stored = None;
        }
        let mut setting = Setting::new(self.corpus, counting, &decision)?;
        let totals = totals(&setting, &setting.plan.segments)?;
        setting.plan.options.traversal = self.options.traversal;
        setting.plan.stored = None;
        Ok((setting, totals))
    }
}

/// A co-occurrence count whose vocabulary is chosen, ready to be read row by row.
pub struct CooccurrenceRun<'c> {
    setting: Setting<'c>,
    vocabulary: Vocabulary,
    /// The rank of each token, or the break.
    numbers: Vec<u32>,
    rule: Rule,
    method: Method,
    /// Texts that were counted.
    texts: AtomicU64,
}

/// Rows and their values.
#[derive(Default)]
struct Values {
    /// Where rows end.
    ends: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<f64>,
}

impl CooccurrenceRun<'_> {
    /// The words that are the rows and columns.
    #[must_use]
    pub fn terms(&self) -> &Terms {
        &self.vocabulary.terms
    }

    /// How often each word occurs.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.vocabulary.counts
    }

    /// How pairs are counted: by [`Traversal::Stream`] word by word, by [`Traversal::BottomUp`] in the rules
    /// of the grammar.
    #[must_use]
    pub fn traversal(&self) -> Traversal {
        self.setting.plan.traversal
    }

    /// Passes the columns and values of each word's row to `consume`, in order. The row of a word that has
    /// no neighbours is empty.
    ///
    /// # Errors
    /// When the corpus is damaged, the run is cancelled, a temporary file cannot be written, or `consume`
    /// fails.
    pub fn for_each_row(
        &self,
        mut consume: impl FnMut(&[u32], &[f64]) -> Result<(), QueryError> + Send,
    ) -> Result<(), QueryError> {
        let mut consume = |values: Values| {
            let write = || values.rows().try_for_each(|(columns, row)| consume(columns, row));
            self.setting.ledger.meter.time(Phase::Write, write)
        };
        let mut runs = Runs::default();
        let (setting, numbers) = (&self.setting, &self.numbers[..]);
        let (window, break_number) = (self.rule.weights.window(), self.vocabulary.break_number());
        match self.method {
            Method::Flat => {
                let source = FlatSource { setting, numbers, window, break_number };
                let expected = self.counts().iter().sum::<u64>();
                let expected = expected.saturating_add(setting.plan.corpus.facts().documents);
                let capacity = self.capacity(text::BYTES_A_WORD, expected);
                let expected = usize::try_from(expected).unwrap_or(usize::MAX);
                let last = source.texts(capacity, expected, |text| self.store(&text, &mut runs))?;
                self.finish(&last, runs, &mut consume)
            }
            Method::ByRule => {
                let source = RuleSource { setting, numbers, window, break_number };
                let symbols = setting.plan.corpus.facts().sizes.symbols;
                let capacity = self.capacity(by_rule::BYTES_A_WORD, symbols);
                let last = source.texts(capacity, |text| self.store(&text, &mut runs))?;
                self.finish(&last, runs, &mut consume)
            }
        }
    }

    /// All rows.
    ///
    /// # Errors
    /// As [`for_each_row`](Self::for_each_row).
    pub fn collect(&self) -> Result<Matrix<f64>, QueryError> {
        let mut matrix = Matrix::new(self.vocabulary.len());
        self.for_each_row(|columns, values| {
            matrix.push_row(columns, values.iter().copied());
            Ok(())
        })?;
        Ok(matrix)
    }

    /// What the run has cost so far.
    #[must_use]
    pub fn into_report(self) -> Report {
        let texts = self.texts.load(Ordering::Relaxed);
        self.setting.into_report(Passes(texts.max(1)))
    }

    /// The most words to hold, at `bytes_a_word` each, if about `words` are expected. The other half of
    /// the memory is for segments.
    fn capacity(&self, bytes_a_word: u64, words: u64) -> usize {
        /// A run per text is read at the end, so there should not be too many.
        const MOST_TEXTS: u64 = 64;
        /// Places are numbers of 32 bits.
        const MOST_WORDS: u64 = 1 << 31;
        let fitting = self.setting.plan.options.memory / 2 / bytes_a_word;
        fitting.max(words / MOST_TEXTS).clamp(1, MOST_WORDS) as usize
    }

    /// Counts the rows of a text that more text follows.
    fn store<T: Text>(&self, text: &T, runs: &mut Runs) -> Result<(), QueryError> {
        self.count(text, |rows| runs.store(&rows))?;
        runs.end();
        Ok(())
    }

    /// Counts the rows of the last text and passes all rows on.
    fn finish<T: Text>(
        &self,
        text: &T,
        mut runs: Runs,
        consume: &mut (impl FnMut(Values) -> Result<(), QueryError> + Send),
    ) -> Result<(), QueryError> {
        if runs.is_empty() {
            return self.count(text, consume);
        }
        self.store(text, &mut runs)?;
        let progress = self.setting.plan.options.progress;
        runs.merge(self.vocabulary.len(), progress, |word, row| {
            let mut values = Values::default();
            values.push(&self.rule, word, row);
            consume(values)
        })
    }

    fn count<T: Text, R: Rows>(
        &self,
        text: &T,
        consume: impl FnMut(R) -> Result<(), QueryError> + Send,
    ) -> Result<(), QueryError> {
        self.texts.fetch_add(1, Ordering::Relaxed);
        let (plan, meter) = (&self.setting.plan, &self.setting.ledger.meter);
        meter.time(Phase::Merge, || {
            count_rows(text, &self.rule, plan.threads, plan.options.progress, consume)
        })
    }
}

impl Rows for Values {
    #[inline(always)]
    fn push<S: Sum>(&mut self, rule: &Rule, word: usize, row: &mut DenseRow<S>) {
        row.drain(|column, sum| {
            if !rule.upper_triangle || column as usize >= word {
                self.columns.push(column);
                self.values.push(rule.weights.value(sum));
            }
        });
        self.ends.push(self.columns.len());
    }
}

impl Values {
    fn rows(&self) -> impl Iterator<Item = (&[u32], &[f64])> {
        let starts = std::iter::once(&0).chain(&self.ends);
        let row = |(&start, &end)| (&self.columns[start..end], &self.values[start..end]);
        starts.zip(&self.ends).map(row)
    }
}
