//! The words whose vectors point in nearly the same direction.

use super::WordVectors;
use std::cmp::Ordering;
use std::collections::HashMap;

/// A word near to others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbour {
    /// Its number.
    pub word: usize,
    /// The cosine of the angle: 1 for the same direction, -1 for the opposite.
    pub similarity: f32,
}

impl WordVectors {
    /// The number of a word. Of equal words the first one counts, as in gensim.
    #[must_use]
    pub fn find(&self, word: &[u8]) -> Option<usize> {
        (0..self.len()).find(|&at| self.word(at) == word)
    }

    /// The numbers of several words; of those that are missing, the first.
    ///
    /// # Errors
    /// The place in `words` of the first one that has no vector.
    pub fn find_all(&self, words: &[&[u8]]) -> Result<Vec<usize>, usize> {
        let mut found: HashMap<&[u8], Option<usize>> =
            words.iter().map(|&word| (word, None)).collect();
        for at in 0..self.len() {
            if let Some(place @ None) = found.get_mut(self.word(at)) {
                *place = Some(at);
            }
        }
        words.iter().enumerate().map(|(place, word)| found[word].ok_or(place)).collect()
    }

    /// The `most` words nearest to the sum of others, nearest first. Each of `to` is a word's number and
    /// its weight: 1 to be near, -1 to be far, so that `king - man + woman` is a question. Vectors are
    /// made equally long before they are added, as in gensim's `most_similar`. The words of `to` are
    /// left out.
    #[must_use]
    pub fn nearest(&self, to: &[(usize, f32)], most: usize) -> Vec<Neighbour> {
        let mut target = vec![0.0f64; self.size()];
        for &(word, weight) in to {
            let vector = self.vector(word);
            let scale = f64::from(weight) / length(vector);
            if scale.is_finite() {
                target.iter_mut().zip(vector).for_each(|(sum, &x)| *sum += scale * f64::from(x));
            }
        }
        let target: Vec<f32> = target.iter().map(|&x| x as f32).collect();
        let own = length(&target);
        let mut near: Vec<Neighbour> = (0..self.len())
            .filter(|word| to.iter().all(|(other, _)| other != word))
            .map(|word| {
                let vector = self.vector(word);
                let cosine = dot(&target, vector) / (own * length(vector));
                // A vector of zeros points nowhere.
                let similarity = if cosine.is_finite() { cosine as f32 } else { 0.0 };
                Neighbour { word, similarity }
            })
            .collect();
        let order = |a: &Neighbour, b: &Neighbour| -> Ordering {
            b.similarity.total_cmp(&a.similarity).then(a.word.cmp(&b.word))
        };
        let most = most.min(near.len());
        if most > 0 && most < near.len() {
            near.select_nth_unstable_by(most - 1, order);
        }
        near.truncate(most);
        near.sort_unstable_by(order);
        near
    }
}

fn length(vector: &[f32]) -> f64 {
    dot(vector, vector).sqrt()
}

/// The sum of products. Eight sums at once, so that they can be added in parallel.
fn dot(a: &[f32], b: &[f32]) -> f64 {
    let mut sums = [0.0f32; 8];
    let (a, a_rest) = a.as_chunks::<8>();
    let (b, b_rest) = b.as_chunks::<8>();
    for (a, b) in a.iter().zip(b) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    let rest: f32 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    f64::from(sums.iter().sum::<f32>() + rest)
}
