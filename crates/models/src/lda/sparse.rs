//! Draws topics with a list of the topics that each document has: the faster way for many topics.
//!
//! The share of a topic is `count * weight + alpha * weight`. The first part is added up over the few
//! topics of the document. The second depends on the word only: the sums of its groups are kept, and
//! its few draws search them. (Yu and others: A Scalable Asynchronous Distributed Algorithm for Topic
//! Modeling, 2015, with two levels of sums instead of a tree.)

use super::counts::{Group, LANES};
use super::sampler::{Documents, Draw};
use super::shares::Shares;
use super::weights::{Prior, Weights};

/// The topics of a part's documents.
#[derive(Debug)]
pub(super) struct Sparse {
    prior: Prior,
    /// Where the list of each document begins; a list has room for all topics that it can get.
    starts: Vec<usize>,
    lens: Vec<u32>,
    entries: Vec<Entry>,
    /// The shares of the document's topics, without alpha.
    shares: Shares,
    /// Sums of the word's weights, by group.
    group_sums: Vec<f32>,
    /// The sum of all weights. With 64 bits, the many small changes leave no error that matters.
    weight_sum: f64,
}

/// A topic of a document.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    topic: u16,
    count: i32,
}

impl Sparse {
    /// `lens` are the numbers of tokens of each document.
    pub(super) fn new(lens: impl ExactSizeIterator<Item = usize>, prior: Prior) -> Self {
        let documents = lens.len();
        let mut starts = Vec::with_capacity(documents);
        let mut room = 0;
        for len in lens {
            starts.push(room);
            room += len.min(prior.topics);
        }
        Self {
            prior,
            starts,
            lens: vec![0; documents],
            entries: vec![Entry::default(); room],
            shares: Shares::new(),
            group_sums: vec![0.0; super::counts::groups(prior.topics)],
            weight_sum: 0.0,
        }
    }

    /// The memory of documents with this many tokens.
    pub(super) fn bytes(lens: impl Iterator<Item = u64>, topics: usize) -> u64 {
        lens.map(|len| len.min(topics as u64) * size_of::<Entry>() as u64 + 12).sum()
    }

    #[inline]
    fn range(&self, document: usize) -> std::ops::Range<usize> {
        let start = self.starts[document];
        start..start + self.lens[document] as usize
    }

    /// The topic at a place among the weights of all topics, one of which has `less`.
    fn smooth(&self, mut place: f32, without: Option<(usize, f32)>, weights: &Weights) -> usize {
        let (old, less) = without.unwrap_or((usize::MAX, 0.0));
        let last = self.group_sums.len() - 1;
        let mut group = 0;
        while group < last {
            let less = if group == old / LANES { less } else { 0.0 };
            let sum = self.group_sums[group] - less;
            if place < sum {
                break;
            }
            place -= sum;
            group += 1;
        }
        let mut topic = group * LANES;
        for weight in &weights.all()[group][..LANES - 1] {
            let weight = weight - if topic == old { less } else { 0.0 };
            if place < weight {
                break;
            }
            place -= weight;
            topic += 1;
        }
        // A rounding error may lead past the last topic.
        topic.min(self.prior.topics - 1)
    }
}

fn group_sum(group: &Group<f32>) -> f32 {
    group.iter().sum()
}

impl Documents for Sparse {
    fn load(&mut self, weights: &Weights) {
        self.weight_sum = 0.0;
        for (sum, group) in self.group_sums.iter_mut().zip(weights.all()) {
            *sum = group_sum(group);
            self.weight_sum += f64::from(*sum);
        }
    }

    fn reload(&mut self, topic: usize, weights: &Weights) {
        let sum = group_sum(&weights.all()[topic / LANES]);
        let before = std::mem::replace(&mut self.group_sums[topic / LANES], sum);
        self.weight_sum += f64::from(sum) - f64::from(before);
    }

    #[inline]
    fn weigh(&mut self, document: usize, weights: &Weights) {
        let entries = &self.entries[self.range(document)];
        let (groups, rest) = entries.as_chunks();
        let mut last = [Entry::default(); LANES];
        last[..rest.len()].copy_from_slice(rest);
        self.shares.fill(
            groups.len() + 1,
            groups.iter().chain([&last]).map(|group| {
                group.map(|entry| entry.count as f32 * weights.of(usize::from(entry.topic)))
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
        let entries = &self.entries[self.range(document)];
        let own = self.shares.total();
        let smooth = self.prior.alpha * self.weight_sum as f32;
        let of = own + smooth;
        let (mut own_mass, mut smooth_mass) = (own, smooth);
        let mut lost = None;
        if let Some((topic, reduced)) = without {
            let at = position(entries, topic).expect("the document has a token of the topic");
            let count = entries[at].count as f32;
            let weight = weights.of(topic);
            let less = count * weight - (count - 1.0) * reduced;
            own_mass -= less;
            smooth_mass -= self.prior.alpha * (weight - reduced);
            lost = Some((at, less));
        }
        let mass = own_mass + smooth_mass;
        let place = unit * mass;
        if place < own_mass {
            let found = match lost {
                None => self.shares.find(place),
                Some((at, less)) => self.shares.find_without(place, at, less),
            };
            let topic = usize::from(entries[found.min(entries.len() - 1)].topic);
            return Draw { topic, mass, of };
        }
        let place = (place - own_mass) / self.prior.alpha;
        let without = without.map(|(topic, reduced)| (topic, weights.of(topic) - reduced));
        Draw { topic: self.smooth(place, without, weights), mass, of }
    }

    fn change(&mut self, document: usize, topic: usize, by: i32) {
        let range = self.range(document);
        let end = range.end;
        match position(&self.entries[range.clone()], topic) {
            Some(at) => {
                let at = range.start + at;
                self.entries[at].count += by;
                if self.entries[at].count == 0 {
                    self.entries.swap(at, end - 1);
                    self.lens[document] -= 1;
                }
            }
            None => {
                self.entries[end] = Entry { topic: topic as u16, count: by };
                self.lens[document] += 1;
            }
        }
    }

    fn for_each(&self, document: usize, mut visit: impl FnMut(usize, i32)) {
        for entry in &self.entries[self.range(document)] {
            visit(usize::from(entry.topic), entry.count);
        }
    }

    fn settle(&mut self) {
        for document in 0..self.starts.len() {
            let range = self.range(document);
            self.entries[range].sort_unstable_by_key(|entry| entry.topic);
        }
    }
}

fn position(entries: &[Entry], topic: usize) -> Option<usize> {
    entries.iter().position(|entry| usize::from(entry.topic) == topic)
}
