//! One pass of collapsed Gibbs sampling over a block: the tokens of some words in some documents.
//!
//! A token's topic is drawn from its distribution given the topics of all other tokens. The token is
//! not taken out of the counts first: most tokens keep their topic, and then nothing is written.
//! Instead the draw leaves out the token's own part of its topic's share. A block goes word by word, so
//! the weights of one word serve many tokens.

use super::counts::{Counts, Group};
use super::grid::Block;
use super::weights::Weights;
use crate::random::Random;

/// The topics of documents, and how to draw from them.
pub(super) trait Documents {
    /// Turns to another word.
    fn load(&mut self, _weights: &Weights) {}

    /// The weight of a topic has changed.
    fn reload(&mut self, _topic: usize, _weights: &Weights) {}

    /// Adds up the shares of all topics for a token of the word in a document.
    fn weigh(&mut self, document: usize, weights: &Weights);

    /// Draws a topic with a random number from 0 to 1. `without` is a topic of which the document has
    /// one token less than is counted, and its weight then.
    fn draw(
        &self,
        document: usize,
        without: Option<(usize, f32)>,
        weights: &Weights,
        unit: f32,
    ) -> Draw;

    /// Adds tokens to a topic of a document, or takes them away. The order matters only for room: take
    /// away first.
    fn change(&mut self, document: usize, topic: usize, by: i32);

    /// Forgets the order of earlier changes. What follows then depends on the counts alone, so a run
    /// that was interrupted goes on exactly as if it had not been.
    fn settle(&mut self) {}

    /// Passes on the topics that a document has, with the number of tokens.
    fn for_each(&self, document: usize, visit: impl FnMut(usize, i32));
}

/// A topic that was drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Draw {
    pub(super) topic: usize,
    /// The sum of all shares without the token.
    pub(super) mass: f32,
    /// The sum of all shares with it.
    pub(super) of: f32,
}

impl Draw {
    /// Whether the token is so large a part of the sum that the difference is inexact.
    fn is_inexact(&self) -> bool {
        self.mass <= self.of * 0.02
    }
}

/// Draws a new topic for each token of a block. Returns the sum of the logarithms of the tokens' masses.
pub(super) fn sample_block(
    block: &mut Block,
    documents: &mut impl Documents,
    words: &mut Counts,
    weights: &mut Weights,
    random: &mut Random,
) -> f64 {
    let mut logs = Logarithms::default();
    let (mut cells, mut topics) = (block.cells.iter(), block.topics.iter_mut());
    for word in &block.words {
        let counts = words.row_mut(word.word as usize);
        weights.load(counts);
        documents.load(weights);
        for cell in cells.by_ref().take(word.cells as usize) {
            let document = cell.document as usize;
            let mut is_weighed = false;
            for topic in topics.by_ref().take(cell.count as usize) {
                if !is_weighed {
                    documents.weigh(document, weights);
                    is_weighed = true;
                }
                let old = usize::from(*topic);
                let reduced = weights.without_one(counts, old);
                let unit = random.unit();
                let mut draw = documents.draw(document, Some((old, reduced)), weights, unit);
                let is_inexact = draw.is_inexact();
                if is_inexact {
                    change(documents, weights, counts, (document, old, -1));
                    documents.weigh(document, weights);
                    draw = documents.draw(document, None, weights, unit);
                } else if draw.topic != old {
                    change(documents, weights, counts, (document, old, -1));
                }
                logs.add(draw.mass);
                if is_inexact || draw.topic != old {
                    change(documents, weights, counts, (document, draw.topic, 1));
                    *topic = draw.topic as u16;
                    is_weighed = false;
                }
            }
        }
    }
    logs.sum()
}

/// Adds tokens of the word to a topic of a document, or takes them away.
#[inline]
fn change(
    documents: &mut impl Documents,
    weights: &mut Weights,
    counts: &mut [Group<i32>],
    (document, topic, by): (usize, usize, i32),
) {
    weights.change(counts, topic, by);
    documents.change(document, topic, by);
    documents.reload(topic, weights);
}

/// Adds up logarithms: those of products, because a multiplication is much faster.
#[derive(Debug)]
struct Logarithms {
    product: f64,
    sum: f64,
}

impl Default for Logarithms {
    fn default() -> Self {
        Self { product: 1.0, sum: 0.0 }
    }
}

impl Logarithms {
    #[inline]
    fn add(&mut self, number: f32) {
        self.product *= f64::from(number);
        if !(1e-200..1e200).contains(&self.product) {
            self.sum += self.product.ln();
            self.product = 1.0;
        }
    }

    fn sum(self) -> f64 {
        self.sum + self.product.ln()
    }
}
