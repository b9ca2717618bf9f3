//! A model in training.

use super::counts::{Counts, at};
use super::dense::Dense;
use super::grid::{Block, Grid, stream};
use super::options::{SPARSE_FROM, document_lens};
use super::sampler::{Documents, sample_block};
use super::sparse::Sparse;
use super::weights::{Prior, Weights};
use super::{LdaError, LdaOptions};
use crate::random::Random;
use rayon::prelude::*;
use zgram::analytics::Matrix;
use zgram::progress::Progress;

/// A topic model, trained pass by pass.
#[derive(Debug)]
pub struct Lda {
    pub(super) options: LdaOptions,
    pub(super) grid: Grid,
    pub(super) iterations: u64,
    prior: Prior,
    tokens: u64,
    /// The topics of each part of the documents.
    documents: Vec<Rows>,
    document_lens: Vec<u32>,
    /// The topics of each part of the words.
    words: Vec<Counts>,
    /// Part and number there of each word.
    word_places: Vec<(u32, u32)>,
    /// The tokens of each topic.
    totals: Vec<i32>,
    /// `None`: all work is done on this thread.
    pub(super) pool: Option<rayon::ThreadPool>,
}

/// The topics of some documents, in either form.
#[derive(Debug)]
enum Rows {
    Dense(Dense),
    Sparse(Sparse),
}

/// What a round gives one thread to do.
struct Task<'t> {
    block: &'t mut Block,
    documents: &'t mut Rows,
    words: &'t mut Counts,
    random: Random,
}

impl Lda {
    /// A model in which each token has any topic.
    ///
    /// # Errors
    /// When the options are not possible, or not for this matrix.
    pub fn new(matrix: &Matrix<u64>, options: &LdaOptions) -> Result<Self, LdaError> {
        let mut lda = Self::empty(matrix, options, None, SPARSE_FROM)?;
        lda.grid.scatter(options.topics, options.seed);
        lda.count();
        Ok(lda)
    }

    /// A model whose tokens all have topic 0 and are not counted yet. The number of parts may be given.
    pub(super) fn empty(
        matrix: &Matrix<u64>,
        options: &LdaOptions,
        parts: Option<usize>,
        sparse_from: usize,
    ) -> Result<Self, LdaError> {
        let tokens = options.check(matrix)?;
        let grid = match parts {
            None => Grid::new(matrix, tokens),
            Some(parts) => Grid::with_parts(matrix, tokens, parts),
        };
        let prior = Prior::new(options.topics, matrix.width, options.alpha, options.beta);
        let document_lens: Vec<u32> = document_lens(matrix).map(|len| len as u32).collect();
        let documents = grid.document_starts.windows(2).map(|ends| {
            let lens = &document_lens[ends[0]..ends[1]];
            match options.topics < sparse_from {
                true => Rows::Dense(Dense::new(lens.len(), prior)),
                false => Rows::Sparse(Sparse::new(lens.iter().map(|&len| len as usize), prior)),
            }
        });
        let documents = documents.collect();
        let words = grid.words.iter().map(|words| Counts::zeros(words.len(), options.topics));
        let words = words.collect();
        let mut word_places = vec![(0, 0); matrix.width];
        for (part, words) in grid.words.iter().enumerate() {
            for (number, &word) in words.iter().enumerate() {
                word_places[word as usize] = (part as u32, number as u32);
            }
        }
        let totals = vec![0; options.topics];
        let pool = match options.threads {
            1 => None,
            _ if grid.parts() == 1 => None,
            threads => {
                let threads = if threads == 0 { 0 } else { threads.min(grid.parts()).min(1024) };
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
                Some(pool.map_err(|error| LdaError::Threads(error.to_string()))?)
            }
        };
        Ok(Self {
            options: options.clone(),
            grid,
            iterations: 0,
            prior,
            tokens,
            documents,
            document_lens,
            words,
            word_places,
            totals,
            pool,
        })
    }

    /// Counts the topics of all tokens.
    pub(super) fn count(&mut self) {
        let parts = self.grid.parts();
        for (number, block) in self.grid.blocks.iter().enumerate() {
            let documents = &mut self.documents[number / parts];
            let words = &mut self.words[number % parts];
            block.for_each(|document, word, topic| {
                documents.change(document, topic, 1);
                *super::counts::at_mut(words.row_mut(word), topic) += 1;
                self.totals[topic] += 1;
            });
        }
    }

    /// Draws a new topic for each token. Returns the perplexity: e to the power of minus the mean
    /// logarithm of each token's probability, given the topics of all other tokens.
    ///
    /// # Errors
    /// [`LdaError::Interrupted`]: the pass was not finished, and the model is good for nothing more.
    pub fn iterate(&mut self, progress: &dyn Progress) -> Result<f64, LdaError> {
        self.iterations += 1;
        let parts = self.grid.parts();
        self.documents.iter_mut().for_each(Rows::settle);
        let mut logs = 0.0;
        for round in 0..parts {
            progress.check()?;
            let done = self.round(round);
            let before = self.totals.clone();
            for (log, totals) in done {
                logs += log;
                for ((sum, before), total) in self.totals.iter_mut().zip(&before).zip(totals) {
                    *sum += total - before;
                }
            }
        }
        let spread = self.options.topics as f64 * self.options.alpha;
        let others = self.document_lens.iter().filter(|len| **len > 0).map(|&len| {
            let len = f64::from(len);
            len * (len - 1.0 + spread).ln()
        });
        Ok(((others.sum::<f64>() - logs) / self.tokens as f64).exp())
    }

    /// Samples one block of each part of the documents, and of each part of the words.
    fn round(&mut self, round: usize) -> Vec<(f64, Vec<i32>)> {
        let parts = self.grid.parts();
        let mut words: Vec<Option<&mut Counts>> = self.words.iter_mut().map(Some).collect();
        let rows = self.grid.blocks.chunks_exact_mut(parts).zip(&mut self.documents).enumerate();
        let tasks = rows.map(|(part, (row, documents))| {
            let word_part = (part + round) % parts;
            let number = part * parts + word_part;
            Task {
                block: &mut row[word_part],
                documents,
                words: words[word_part].take().expect("each part of the words is used once"),
                random: stream(self.options.seed, self.iterations, number),
            }
        });
        let tasks: Vec<Task<'_>> = tasks.collect();
        let (prior, totals) = (self.prior, &self.totals);
        let work = |task: Task<'_>| task.run(Weights::new(prior, totals.clone()));
        match &self.pool {
            None => tasks.into_iter().map(work).collect(),
            Some(pool) => pool.install(|| tasks.into_par_iter().map(work).collect()),
        }
    }

    /// The passes that are done.
    #[must_use]
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// The number of tokens.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        self.tokens
    }

    /// The number of distinct words.
    #[must_use]
    pub fn word_count(&self) -> usize {
        self.word_places.len()
    }

    /// The tokens of each topic.
    #[must_use]
    pub fn topic_sizes(&self) -> Vec<u64> {
        self.totals.iter().map(|&total| total as u64).collect()
    }

    /// The words that have tokens of a topic, with their probability in it: the most probable first,
    /// then in the order of the words. Any other word has the probability beta / (n + V beta), where n
    /// is the [size](Self::topic_sizes) of the topic and V the number of words.
    ///
    /// # Panics
    /// When there is no such topic.
    #[must_use]
    pub fn topic_words(&self, topic: usize) -> Vec<(u32, f64)> {
        assert!(topic < self.options.topics, "there is no topic {topic}");
        let words = self.word_places.iter().enumerate();
        let counts = words.map(|(word, _)| (word as u32, self.count_of(word, topic)));
        let mut counts: Vec<(u32, i32)> = counts.filter(|&(_, count)| count > 0).collect();
        counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        let beta = self.options.beta;
        let all = f64::from(self.totals[topic]) + self.word_count() as f64 * beta;
        counts.into_iter().map(|(word, count)| (word, (f64::from(count) + beta) / all)).collect()
    }

    /// The probability of a word in each topic.
    pub(super) fn word_weights(&self, word: usize) -> impl Iterator<Item = f64> {
        let beta = self.options.beta;
        let beta_sum = self.word_count() as f64 * beta;
        self.totals.iter().enumerate().map(move |(topic, &total)| {
            (f64::from(self.count_of(word, topic)) + beta) / (f64::from(total) + beta_sum)
        })
    }

    fn count_of(&self, word: usize, topic: usize) -> i32 {
        let (part, number) = self.word_places[word];
        at(self.words[part as usize].row(number as usize), topic)
    }

    /// The topics of a document's tokens, with their probability in it: the most probable first. Any
    /// other topic has the probability alpha / (n + K alpha), where n is the number of tokens of the
    /// document and K the number of topics.
    ///
    /// # Panics
    /// When there is no such document.
    #[must_use]
    pub fn document_topics(&self, document: usize) -> Vec<(usize, f64)> {
        let part = self.grid.document_starts.partition_point(|&start| start <= document) - 1;
        let mut counts: Vec<(usize, i32)> = Vec::new();
        let number = document - self.grid.document_starts[part];
        self.documents[part].for_each(number, |topic, count| counts.push((topic, count)));
        counts.sort_by_key(|&(topic, count)| (std::cmp::Reverse(count), topic));
        let alpha = self.options.alpha;
        let all = f64::from(self.document_lens[document]) + self.options.topics as f64 * alpha;
        counts.into_iter().map(|(topic, count)| (topic, (f64::from(count) + alpha) / all)).collect()
    }

    /// Whether all counts are those of the tokens' topics.
    #[must_use]
    pub fn is_consistent(&self, matrix: &Matrix<u64>) -> bool {
        let mut again =
            match Self::empty(matrix, &self.options, Some(self.grid.parts()), SPARSE_FROM) {
                Ok(again) => again,
                Err(_) => return false,
            };
        for (block, from) in again.grid.blocks.iter_mut().zip(&self.grid.blocks) {
            if block.topics.len() != from.topics.len() {
                return false;
            }
            block.topics.copy_from_slice(&from.topics);
        }
        again.count();
        self.totals == again.totals
            && self.words == again.words
            && (0..matrix.rows()).all(|row| self.document_topics(row) == again.document_topics(row))
    }
}

impl Task<'_> {
    fn run(self, mut weights: Weights) -> (f64, Vec<i32>) {
        let Self { block, documents, words, mut random } = self;
        let weights_ref = &mut weights;
        let logs = match documents {
            Rows::Dense(rows) => sample_block(block, rows, words, weights_ref, &mut random),
            Rows::Sparse(rows) => sample_block(block, rows, words, weights_ref, &mut random),
        };
        (logs, weights.into_totals())
    }
}

impl Rows {
    fn settle(&mut self) {
        match self {
            Self::Dense(rows) => rows.settle(),
            Self::Sparse(rows) => rows.settle(),
        }
    }

    fn change(&mut self, document: usize, topic: usize, by: i32) {
        match self {
            Self::Dense(rows) => rows.change(document, topic, by),
            Self::Sparse(rows) => rows.change(document, topic, by),
        }
    }

    fn for_each(&self, document: usize, visit: impl FnMut(usize, i32)) {
        match self {
            Self::Dense(rows) => rows.for_each(document, visit),
            Self::Sparse(rows) => rows.for_each(document, visit),
        }
    }
}

#[cfg(test)]
mod tests;
