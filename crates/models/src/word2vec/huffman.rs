//! Huffman codes of a vocabulary, as paths from the root of the tree: the output layer of hierarchical
//! softmax. Frequent words have short codes, and a step of training takes one dot product per bit.
//!
//! The tree is built in linear time. Words come sorted and new nodes arise in the order of their counts,
//! so the two least frequent nodes are always at the ends of two queues.

/// The code of every word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HuffmanCodes {
    /// The paths of all words, one after the other.
    steps: Vec<Step>,
    /// Where each word's path begins, and where the last one ends.
    starts: Vec<usize>,
}

/// One step on the way from the root to a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The inner node where the step begins. The root has the highest number.
    pub node: u32,
    /// Which way it goes: false to the more frequent half.
    pub bit: bool,
}

impl HuffmanCodes {
    /// The codes of words with these counts, which must fall or stay from each word to the next. A
    /// single word has an empty code.
    #[must_use]
    pub fn new(counts: &[u64]) -> Self {
        debug_assert!(counts.is_sorted_by(|a, b| a >= b));
        let words = counts.len();
        // Words come first, then inner nodes in the order in which they arise.
        let nodes = words + words.saturating_sub(1);
        let mut weights = counts.to_vec();
        weights.reserve_exact(nodes - words);
        let mut parents = vec![0u32; nodes];
        let mut bits = vec![false; nodes];
        let (mut next_word, mut next_inner) = (words, words);
        for inner in words..nodes {
            let mut take = || {
                let has_inner = next_inner < inner;
                // A word before an inner node of the same weight: that keeps codes short.
                let is_word =
                    next_word > 0 && (!has_inner || weights[next_word - 1] <= weights[next_inner]);
                if is_word {
                    next_word -= 1;
                    next_word
                } else {
                    next_inner += 1;
                    next_inner - 1
                }
            };
            let (least, second) = (take(), take());
            weights.push(weights[least].saturating_add(weights[second]));
            parents[least] = inner as u32;
            parents[second] = inner as u32;
            bits[least] = true;
        }
        let mut codes = Self { steps: Vec::new(), starts: vec![0] };
        for word in 0..words {
            let start = codes.steps.len();
            let mut node = word;
            while node + 1 < nodes {
                let parent = parents[node];
                codes.steps.push(Step { node: parent - words as u32, bit: bits[node] });
                node = parent as usize;
            }
            codes.steps[start..].reverse();
            codes.starts.push(codes.steps.len());
        }
        codes
    }

    /// How many inner nodes the tree has.
    #[must_use]
    pub fn inner_nodes(&self) -> usize {
        self.starts.len().saturating_sub(2)
    }

    /// The path to a word.
    #[must_use]
    pub fn path(&self, word: usize) -> &[Step] {
        &self.steps[self.starts[word]..self.starts[word + 1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::cmp::Reverse;
    use std::collections::{BTreeSet, BinaryHeap};

    /// The length of the text in an optimal code: the sum of all merged weights, by a heap.
    fn optimal(counts: &[u64]) -> u64 {
        let mut heap: BinaryHeap<Reverse<u64>> =
            counts.iter().map(|&count| Reverse(count)).collect();
        let mut total = 0;
        while let (Some(Reverse(a)), Some(Reverse(b))) = (heap.pop(), heap.pop()) {
            total += a + b;
            heap.push(Reverse(a + b));
        }
        total
    }

    #[test]
    fn a_small_tree_is_as_drawn() {
        let codes = HuffmanCodes::new(&[5, 2, 1, 1]);
        let code = |word| -> Vec<(u32, u8)> {
            codes.path(word).iter().map(|step| (step.node, step.bit.into())).collect()
        };
        assert_eq!(codes.inner_nodes(), 3);
        assert_eq!(code(0), [(2, 0)]);
        assert_eq!(code(1), [(2, 1), (1, 1)]);
        assert_eq!(code(2), [(2, 1), (1, 0), (0, 0)]);
        assert_eq!(code(3), [(2, 1), (1, 0), (0, 1)]);
    }

    #[test]
    fn none_and_one_word_need_no_code() {
        assert_eq!(HuffmanCodes::new(&[]).inner_nodes(), 0);
        let one = HuffmanCodes::new(&[7]);
        assert_eq!((one.inner_nodes(), one.path(0)), (0, &[][..]));
    }

    proptest! {
        #[test]
        fn codes_are_optimal_and_no_code_begins_another(
            mut counts in proptest::collection::vec(1u64..1000, 2..200)
        ) {
            counts.sort_unstable_by_key(|&count| Reverse(count));
            let codes = HuffmanCodes::new(&counts);
            let length = |word: usize| codes.path(word).len() as u64;
            let total: u64 = counts.iter().zip(0..).map(|(count, word)| count * length(word)).sum();
            prop_assert_eq!(total, optimal(&counts));
            // A path names its nodes, so codes are prefix-free if each node's way leads to one place.
            let mut places = BTreeSet::new();
            for word in 0..counts.len() {
                let path = codes.path(word);
                prop_assert_eq!(path[0].node as usize, codes.inner_nodes() - 1);
                let last = path.last().unwrap();
                prop_assert!(places.insert((last.node, last.bit)), "two words share a code");
                prop_assert!(path.is_sorted_by(|a, b| a.node > b.node));
                prop_assert!(path.iter().all(|step| (step.node as usize) < codes.inner_nodes()));
            }
            let kraft: f64 = (0..counts.len()).map(|word| 0.5f64.powi(length(word) as i32)).sum();
            prop_assert!((kraft - 1.0).abs() < 1e-9);
        }
    }
}
