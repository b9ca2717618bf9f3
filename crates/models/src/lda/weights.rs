//! What the topics weigh for one word: `(count of the word + beta) / (tokens of the topic + V beta)`.

use super::counts::{Group, LANES, at, at_mut, groups};

/// The parameters of the two Dirichlet distributions, and the sizes that go with them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prior {
    pub(super) topics: usize,
    pub(super) alpha: f32,
    pub(super) beta: f32,
    /// Number of distinct words times beta.
    pub(super) beta_sum: f32,
}

impl Prior {
    pub(super) fn new(topics: usize, words: usize, alpha: f64, beta: f64) -> Self {
        let (alpha, beta_sum) = (alpha as f32, (words as f64 * beta) as f32);
        Self { topics, alpha, beta: beta as f32, beta_sum }
    }
}

/// The weights of all topics for one word, and how many tokens each topic has.
#[derive(Debug)]
pub(super) struct Weights {
    prior: Prior,
    /// Tokens of each topic: those of the other parts as they were at the start of the round.
    totals: Vec<i32>,
    /// 1 / (tokens of the topic + V beta); 0 for topics that only fill the last group.
    inverses: Vec<Group<f32>>,
    weights: Vec<Group<f32>>,
}

impl Weights {
    pub(super) fn new(prior: Prior, totals: Vec<i32>) -> Self {
        let groups = groups(prior.topics);
        let mut inverses = vec![[0.0; LANES]; groups];
        for (topic, &total) in totals.iter().enumerate() {
            *at_mut(&mut inverses, topic) = 1.0 / (total as f32 + prior.beta_sum);
        }
        Self { prior, totals, inverses, weights: vec![[0.0; LANES]; groups] }
    }

    pub(super) fn into_totals(self) -> Vec<i32> {
        self.totals
    }

    /// Turns to a word with these counts.
    #[inline]
    pub(super) fn load(&mut self, counts: &[Group<i32>]) {
        let rows = self.weights.iter_mut().zip(counts).zip(&self.inverses);
        for ((weights, counts), inverses) in rows {
            for lane in 0..LANES {
                weights[lane] = (counts[lane] as f32 + self.prior.beta) * inverses[lane];
            }
        }
    }

    #[inline]
    pub(super) fn all(&self) -> &[Group<f32>] {
        &self.weights
    }

    #[inline]
    pub(super) fn of(&self, topic: usize) -> f32 {
        at(&self.weights, topic)
    }

    /// The weight of a topic after one of its tokens with this word is removed.
    #[inline]
    pub(super) fn without_one(&self, counts: &[Group<i32>], topic: usize) -> f32 {
        ((at(counts, topic) - 1) as f32 + self.prior.beta)
            / ((self.totals[topic] - 1) as f32 + self.prior.beta_sum)
    }

    /// Adds tokens of the word to a topic, or takes them away.
    #[inline]
    pub(super) fn change(&mut self, counts: &mut [Group<i32>], topic: usize, by: i32) {
        let count = at_mut(counts, topic);
        *count += by;
        self.totals[topic] += by;
        let inverse = 1.0 / (self.totals[topic] as f32 + self.prior.beta_sum);
        *at_mut(&mut self.inverses, topic) = inverse;
        *at_mut(&mut self.weights, topic) = (*count as f32 + self.prior.beta) * inverse;
    }
}
