//! How well a model predicts documents that it was not trained on: document completion.
//!
//! The tokens of a held-out document, in the order of the matrix's columns, are dealt to two halves in
//! turn. The topics of the document are estimated from the first half; the second half is predicted.
//! The estimate is the fixed point of `weight of topic = alpha + expected tokens of topic`, reached by
//! 50 steps from equal weights. It needs no random numbers, so any tool can repeat it.

use super::{Lda, LdaError};
use crate::random::Random;
use rayon::prelude::*;
use zgram::analytics::Matrix;

/// Steps of the estimate of a document's topics.
const STEPS: usize = 50;

/// A matrix divided into documents to train on and documents to test with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// The documents to train on: all rows, of which those held out are empty.
    pub training: Matrix<u64>,
    /// The documents held out: all rows, of which those to train on are empty.
    pub held_out: Matrix<u64>,
}

/// Holds out a share of the documents that have words, chosen by a seed.
///
/// # Errors
/// [`LdaError::BadShare`] if one side would have no documents.
pub fn hold_out(matrix: &Matrix<u64>, share: f64, seed: u64) -> Result<Split, LdaError> {
    let mut with_words: Vec<usize> =
        (0..matrix.rows()).filter(|&row| !matrix.row(row).0.is_empty()).collect();
    let documents = with_words.len();
    let count = (share * documents as f64).round();
    if !(count >= 1.0 && count < documents as f64) {
        let left = (documents as f64 - count).max(0.0) as usize;
        return Err(LdaError::BadShare { share, documents, left });
    }
    let mut random = Random::new(seed, u64::MAX);
    let mut is_held_out = vec![false; matrix.rows()];
    for at in 0..count as usize {
        let other = at + random.below((documents - at) as u32) as usize;
        with_words.swap(at, other);
        is_held_out[with_words[at]] = true;
    }
    let mut split =
        Split { training: Matrix::new(matrix.width), held_out: Matrix::new(matrix.width) };
    for (row, is_held_out) in is_held_out.into_iter().enumerate() {
        let (columns, values) = matrix.row(row);
        let side = if is_held_out { &mut split.held_out } else { &mut split.training };
        side.columns.extend_from_slice(columns);
        side.values.extend_from_slice(values);
        for side in [&mut split.training, &mut split.held_out] {
            side.row_starts.push(side.columns.len() as u64);
        }
    }
    Ok(split)
}

impl Lda {
    /// The perplexity of documents that the model was not trained on. `None` if none of them has two
    /// tokens.
    #[must_use]
    pub fn held_out_perplexity(&self, held_out: &Matrix<u64>) -> Option<f64> {
        let rows = 0..held_out.rows();
        let all = match &self.pool {
            None => rows.map(|row| self.completion(held_out.row(row))).collect(),
            Some(pool) => pool.install(|| {
                rows.into_par_iter().map(|row| self.completion(held_out.row(row))).collect()
            }),
        };
        let all: Vec<(u64, f64)> = all;
        let (tokens, log) =
            all.into_iter().fold((0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        (tokens > 0).then(|| (-log / tokens as f64).exp())
    }

    /// The tokens of a document's second half, and the logarithm of their probability.
    fn completion(&self, (words, counts): (&[u32], &[u64])) -> (u64, f64) {
        let mut weights = Vec::with_capacity(words.len() * self.options.topics);
        for &word in words {
            weights.extend(self.word_weights(word as usize));
        }
        let mut before = 0;
        let halves = counts.iter().map(|&count| {
            let first = (before + count).div_ceil(2) - before.div_ceil(2);
            before += count;
            (first, count - first)
        });
        let halves: Vec<(u64, u64)> = halves.collect();
        let topics = self.options.topics;
        let rows = || weights.chunks_exact(topics).zip(&halves);
        let mut mixture = vec![1.0 / topics as f64; topics];
        for _ in 0..STEPS {
            let mut next = vec![self.options.alpha; topics];
            for (weights, &(count, _)) in rows().filter(|(_, halves)| halves.0 > 0) {
                let scale = count as f64 / dot(weights, &mixture);
                for ((next, weight), mixture) in next.iter_mut().zip(weights).zip(&mixture) {
                    *next += scale * weight * mixture;
                }
            }
            let sum: f64 = next.iter().sum();
            mixture.iter_mut().zip(next).for_each(|(mixture, next)| *mixture = next / sum);
        }
        let predicted = rows().filter(|(_, halves)| halves.1 > 0);
        predicted.fold((0, 0.0), |(tokens, log), (weights, &(_, count))| {
            (tokens + count, log + count as f64 * dot(weights, &mixture).ln())
        })
    }
}

fn dot(weights: &[f64], mixture: &[f64]) -> f64 {
    weights.iter().zip(mixture).map(|(weight, mixture)| weight * mixture).sum()
}
