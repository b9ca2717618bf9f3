//! Parameters of a topic model.

use super::LdaError;
use super::counts::{LANES, groups};
use super::dense::Dense;
use super::sparse::Sparse;
use zgram::analytics::Matrix;

/// Topics are numbered with 16 bits.
const MOST_TOPICS: usize = u16::MAX as usize;
/// Counts are numbers of 31 bits.
const MOST_TOKENS: u64 = i32::MAX as u64;
/// Parameters out of this range lead to numbers that an f32 cannot hold.
const PARAMETERS: std::ops::RangeInclusive<f64> = 1e-6..=1e6;
/// From this number of topics on, documents have lists of topics instead of a count for every topic.
/// Measured: see the table in `docs/decisions.md`.
pub(super) const SPARSE_FROM: usize = 1024;

/// How to find topics.
#[derive(Clone, Debug, PartialEq)]
pub struct LdaOptions {
    /// Number of topics.
    pub topics: usize,
    /// How evenly a document's topics are spread: the parameter of its Dirichlet distribution.
    pub alpha: f64,
    /// How evenly a topic's words are spread. The literature also calls it eta.
    pub beta: f64,
    /// Where the random numbers begin.
    pub seed: u64,
    /// Number of threads; 0: one per core. The model does not depend on it.
    pub threads: usize,
    /// The most memory that counts may take, in bytes.
    pub memory: u64,
}

impl Default for LdaOptions {
    /// 50 topics, with the parameters that tomotopy has by default, in at most 4 GiB.
    fn default() -> Self {
        Self { topics: 50, alpha: 0.1, beta: 0.01, seed: 1, threads: 0, memory: 4 << 30 }
    }
}

impl LdaOptions {
    /// Checks the options alone.
    ///
    /// # Errors
    /// When a number is out of range.
    pub fn validate(&self) -> Result<(), LdaError> {
        if !(1..=MOST_TOPICS).contains(&self.topics) {
            return Err(LdaError::BadTopics { topics: self.topics, most: MOST_TOPICS });
        }
        for (name, value) in [("alpha", self.alpha), ("beta", self.beta)] {
            if !PARAMETERS.contains(&value) {
                let (&least, &most) = (PARAMETERS.start(), PARAMETERS.end());
                return Err(LdaError::BadParameter { name, value, least, most });
            }
        }
        Ok(())
    }

    /// Checks the options, alone and for a matrix. Returns the matrix's tokens.
    pub(super) fn check(&self, matrix: &Matrix<u64>) -> Result<u64, LdaError> {
        self.validate()?;
        let tokens = matrix.values.iter().fold(0u64, |sum, &count| sum.saturating_add(count));
        if tokens == 0 {
            return Err(LdaError::NoTokens);
        }
        if tokens > MOST_TOKENS {
            return Err(LdaError::TooManyTokens { tokens, most: MOST_TOKENS });
        }
        let needed = self.needed(matrix, tokens);
        if needed > self.memory {
            let (words, documents) = (matrix.width, matrix.rows());
            let (topics, memory) = (self.topics, self.memory);
            return Err(LdaError::TooLarge { topics, words, documents, needed, memory });
        }
        Ok(tokens)
    }

    /// The memory that a model takes.
    fn needed(&self, matrix: &Matrix<u64>, tokens: u64) -> u64 {
        let row = (groups(self.topics) * LANES * size_of::<i32>()) as u64;
        let documents = match self.topics < SPARSE_FROM {
            true => Dense::bytes(matrix.rows(), row),
            false => Sparse::bytes(document_lens(matrix), self.topics),
        };
        // A cell is a document and a count, a token is a topic.
        documents + matrix.width as u64 * row + matrix.cells() * 8 + tokens * 2
    }
}

/// The tokens of each document.
pub(super) fn document_lens(matrix: &Matrix<u64>) -> impl Iterator<Item = u64> {
    (0..matrix.rows()).map(|row| matrix.row(row).1.iter().sum())
}
