//! Draws topics with a count for every topic of every document: the faster way for most numbers of
//! topics. All of them are weighed with a handful of vector operations.

use super::counts::{Counts, at, at_mut};
use super::sampler::{Documents, Draw};
use super::shares::Shares;
use super::weights::{Prior, Weights};

/// The topics of a part's documents.
#[derive(Debug)]
pub(super) struct Dense {
    prior: Prior,
    counts: Counts,
    shares: Shares,
}

impl Dense {
    pub(super) fn new(documents: usize, prior: Prior) -> Self {
        let counts = Counts::zeros(documents, prior.topics);
        Self { prior, counts, shares: Shares::new() }
    }

    /// The memory of this many documents, if a row of counts takes `row` bytes.
    pub(super) fn bytes(documents: usize, row: u64) -> u64 {
        documents as u64 * row
    }
}

impl Documents for Dense {
    #[inline]
    fn weigh(&mut self, document: usize, weights: &Weights) {
        let alpha = self.prior.alpha;
        let counts = self.counts.row(document);
        let rows = counts.iter().zip(weights.all());
        self.shares.fill(
            counts.len(),
            rows.map(|(counts, weights)| {
                std::array::from_fn(|lane| (counts[lane] as f32 + alpha) * weights[lane])
            }),
        );
    }

    #[inline]
    fn draw(
        &self,
        document: usize,
        without: Option<(usize, f32)>,
        weights: &Weights,
        unit: f32,
    ) -> Draw {
        let of = self.shares.total();
        let (mass, found) = match without {
            None => (of, self.shares.find(unit * of)),
            Some((topic, reduced)) => {
                let count = at(self.counts.row(document), topic) as f32;
                let alpha = self.prior.alpha;
                let less = (count + alpha) * weights.of(topic) - (count - 1.0 + alpha) * reduced;
                let mass = of - less;
                (mass, self.shares.find_without(unit * mass, topic, less))
            }
        };
        Draw { topic: found.min(self.prior.topics - 1), mass, of }
    }

    fn change(&mut self, document: usize, topic: usize, by: i32) {
        *at_mut(self.counts.row_mut(document), topic) += by;
    }

    fn for_each(&self, document: usize, mut visit: impl FnMut(usize, i32)) {
        let counts = self.counts.row(document).as_flattened();
        for (topic, &count) in counts.iter().enumerate().filter(|(_, count)| **count != 0) {
            visit(topic, count);
        }
    }
}
