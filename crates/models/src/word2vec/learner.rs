//! Training on pieces of text: the two architectures and the two output layers.
//!
//! For a word and its context, the hidden layer is the mean of the context's vectors (CBOW) or one of
//! them (skip-gram). The output layer asks a few questions about the hidden layer, each with the answer
//! 0 or 1: the steps of the word's Huffman code, or whether the word is the right one and not one drawn
//! by chance. A question's row and the hidden layer move along the gradient of its logistic loss.
//!
//! Most time goes by waiting for rows from memory. So words are drawn one prediction ahead, and their
//! rows are touched at once, as are the rows of the next words.

use super::draw::{NegativeWords, Subsample};
use super::huffman::HuffmanCodes;
use super::lanes::{self, Lane};
use super::logistic::Logistic;
use super::matrix::Rows;
use crate::random::Random;
use fearless_simd::{Level, Simd, dispatch};

/// What all threads share.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) skip_gram: bool,
    pub(super) window: u32,
    pub(super) output: Output,
    pub(super) subsample: Subsample,
    pub(super) logistic: Logistic,
    pub(super) level: Level,
}

/// The questions of the output layer.
#[derive(Debug)]
pub(super) enum Output {
    Hierarchical(HuffmanCodes),
    Negative { words: NegativeWords, samples: u32 },
}

/// Loss of the questions asked.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Loss {
    pub(super) sum: f64,
    /// Predictions: words by their context, or by one word of it.
    pub(super) predictions: u64,
}

impl std::ops::AddAssign for Loss {
    fn add_assign(&mut self, more: Self) {
        self.sum += more.sum;
        self.predictions += more.predictions;
    }
}

/// One thread's state.
pub(super) struct Learner<'p, R> {
    plan: &'p Plan,
    /// Vectors of words.
    input: R,
    /// Rows of the output layer.
    output: R,
    hidden: Vec<Lane>,
    /// What the hidden layer shall change by.
    gradient: Vec<Lane>,
    /// The words of a piece that subsampling keeps.
    kept: Vec<u32>,
    /// Words drawn by chance: those of this prediction, and those of the next one, whose rows are on
    /// their way from memory meanwhile.
    drawn: Vec<u32>,
    drawn_next: Vec<u32>,
}

impl<'p, R: Rows> Learner<'p, R> {
    pub(super) fn new(plan: &'p Plan, mut input: R, output: R) -> Self {
        let hidden = vec![Lane::default(); input.read(0).len()];
        let gradient = hidden.clone();
        let (kept, drawn, drawn_next) = Default::default();
        Self { plan, input, output, hidden, gradient, kept, drawn, drawn_next }
    }

    /// Trains on words that follow each other, at this learning rate.
    pub(super) fn piece(&mut self, words: &[u32], rate: f32, random: &mut Random) -> Loss {
        let mut kept = std::mem::take(&mut self.kept);
        self.plan.subsample.keep(words, random, &mut kept);
        let mut loss = Loss::default();
        // Random numbers of one job leave no trace in the next.
        self.draw_next(random);
        dispatch!(self.plan.level, simd => {
            self.text(simd, &kept, rate, random, &mut loss);
        });
        self.kept = kept;
        loss
    }

    /// Each word with its context, which is of random width up to the window.
    #[inline(always)]
    fn text<S: Simd>(
        &mut self,
        simd: S,
        words: &[u32],
        rate: f32,
        random: &mut Random,
        loss: &mut Loss,
    ) {
        let window = self.plan.window as usize;
        for (at, &word) in words.iter().enumerate() {
            if let Some(&next) = words.get(at + window + 1) {
                self.input.touch(next);
            }
            if let (Some(&next), Output::Negative { .. }) = (words.get(at + 1), &self.plan.output) {
                self.output.touch(next);
            }
            let width = (self.plan.window - random.below(self.plan.window)) as usize;
            let before = &words[at.saturating_sub(width)..at];
            let after = &words[at + 1..words.len().min(at + 1 + width)];
            if before.is_empty() && after.is_empty() {
                continue;
            }
            if self.plan.skip_gram {
                for &context in before.iter().chain(after) {
                    self.hidden.copy_from_slice(&self.input.read(context));
                    self.predict(simd, word, rate, random, loss);
                    lanes::add(simd, &mut self.input.change(context), &self.gradient);
                }
                continue;
            }
            self.hidden.fill(Lane::default());
            for &context in before.iter().chain(after) {
                lanes::add(simd, &mut self.hidden, &self.input.read(context));
            }
            let mean = 1.0 / (before.len() + after.len()) as f32;
            lanes::scale(simd, &mut self.hidden, mean);
            self.predict(simd, word, rate, random, loss);
            // Each vector of the context gets the whole gradient, as in the original and in gensim.
            for &context in before.iter().chain(after) {
                lanes::add(simd, &mut self.input.change(context), &self.gradient);
            }
        }
    }

    /// Predicts `word` from the hidden layer; leaves in `gradient` what the hidden layer shall change by.
    #[inline(always)]
    fn predict<S: Simd>(
        &mut self,
        simd: S,
        word: u32,
        rate: f32,
        random: &mut Random,
        loss: &mut Loss,
    ) {
        self.gradient.fill(Lane::default());
        let plan = self.plan;
        let mut sum = 0.0;
        match &plan.output {
            Output::Hierarchical(codes) => {
                for step in codes.path(word as usize) {
                    sum += self.ask(simd, step.node, !step.bit, rate);
                }
            }
            Output::Negative { .. } => {
                std::mem::swap(&mut self.drawn, &mut self.drawn_next);
                self.draw_next(random);
                sum += self.ask(simd, word, true, rate);
                for at in 0..self.drawn.len() {
                    let other = self.drawn[at];
                    if other != word {
                        sum += self.ask(simd, other, false, rate);
                    }
                }
            }
        }
        loss.sum += f64::from(sum);
        loss.predictions += 1;
    }

    /// Draws the words of the next prediction.
    #[inline(always)]
    fn draw_next(&mut self, random: &mut Random) {
        self.drawn_next.clear();
        if let Output::Negative { words, samples } = &self.plan.output {
            for _ in 0..*samples {
                let word = words.draw(random);
                self.output.touch(word);
                self.drawn_next.push(word);
            }
        }
    }

    /// Asks one question, learns from the answer and returns the loss.
    #[inline(always)]
    fn ask<S: Simd>(&mut self, simd: S, row: u32, answer: bool, rate: f32) -> f32 {
        let mut row = self.output.change(row);
        let x = lanes::dot(simd, &self.hidden, &row);
        let (probability, loss) = self.plan.logistic.of(x, answer);
        let error = f32::from(u8::from(answer)) - probability;
        lanes::learn(simd, error * rate, &self.hidden, &mut row, &mut self.gradient);
        loss
    }
}
