//! Sizes that the host computes before a device counts: how many words each node expands to, and what
//! follows from that. This is the light pass that bounds memory in gtadoc section IV-C, and yields the
//! sizes that heads and tails need in IV-D.
//!
//! The host has just laid out the nodes, and visits them once more, bottom-up. On a device this would be
//! a visit to every symbol, one dispatch per level, and a submission to wait for, because the host
//! creates the buffers and must know their sizes. The visit takes a third of the time of the layout.
//! While another segment is being counted it costs nothing.

use super::nodes::Nodes;
use crate::kernels::count::tables::{SLOTS, slots_for};

/// Lengths saturate at this value.
const MOST: u32 = i32::MAX as u32;

/// Sizes of nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Measures {
    /// The words that each node expands to, which bounds its number of items.
    pub(crate) lengths: Vec<u32>,
    /// Positions of symbols that may need several threads bottom-up, in order, each with its child.
    pub(crate) heavy: Vec<(u32, u32)>,
    /// For sequences, two lists of one number per node and a zero: the words that `sequence_expand` will
    /// write around the borders of symbols, and the occurrences. Nodes are short, so 16 bits are enough.
    pub(crate) texts: Vec<u16>,
    /// The sums of both lists.
    pub(crate) text_sizes: [usize; 2],
}

impl Measures {
    /// Visits the nodes. Sequences have `n` words.
    pub(crate) fn new(nodes: &Nodes, n: usize) -> Self {
        let (span, list) = (n as u32 - 1, nodes.len() + 1);
        let mut lengths = vec![0u32; nodes.len()];
        let mut heavy = Vec::new();
        let mut texts = vec![0u16; if span > 0 { 2 * list } else { 0 }];
        let mut text_sizes = [0; 2];
        for node in nodes.steps.iter().rev().cloned().flatten() {
            let node = node as usize;
            let [start, end] = [nodes.starts[node], nodes.starts[node + 1]];
            let (mut length, mut around, mut first) = (0u32, 0, 0);
            for (at, &symbol) in (start..).zip(&nodes.symbols[start as usize..end as usize]) {
                let words = match symbol.checked_sub(nodes.tokens) {
                    None => 1,
                    Some(child) => {
                        let words = lengths[child as usize];
                        if slots_for(words, u32::MAX, 0) > SLOTS {
                            heavy.push((at, child));
                        }
                        words
                    }
                };
                length = (length + words).min(MOST);
                around += words.min(2 * span);
                first += words.min(span);
            }
            lengths[node] = length;
            if span > 0 {
                // A sequence ends at each of a symbol's first n - 1 words, except the first n - 1 words
                // of the node.
                let occurrences = first - length.min(span);
                texts[node] = around as u16;
                texts[list + node] = occurrences as u16;
                text_sizes[0] += around as usize;
                text_sizes[1] += occurrences as usize;
            }
        }
        heavy.sort_unstable();
        Self { lengths, heavy, texts, text_sizes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zgram::plumbing::Grammar;

    /// Rule 1 is 700 times rule 2, which expands to one word. Rule 3 expands to none.
    fn nodes() -> Nodes {
        let root = [3, 0, 3, 4, 5];
        let rule = [4; 700];
        let symbols = [&root[..], &rule, &[0, 1], &[1, 1]].concat();
        let starts = vec![0, 5, 705, 707, 709];
        let grammar = Grammar::new(2, starts, symbols, vec![0, 5]).unwrap();
        Nodes::new(&grammar, &[0], 1000, 1, |token| (token == 0).then_some(0)).unwrap()
    }

    #[test]
    fn lengths_and_heavy_symbols() {
        let measures = Measures::new(&nodes(), 1);
        assert_eq!(measures.lengths, [0, 700, 1, 0, 1402]);
        assert!(measures.texts.is_empty());
        let nodes = nodes();
        let document = nodes.starts[nodes.first_document as usize];
        assert_eq!(measures.heavy, [(document, 1), (document + 2, 1)]);
    }

    #[test]
    fn sizes_of_texts() {
        let measures = Measures::new(&nodes(), 3);
        // The document has four words of rule 1 twice, the word between, and the word of rule 2.
        assert_eq!(measures.texts[..6], [0, 700, 1, 0, 10, 0]);
        // The first two words of the document end no sequence; one, two and one words of the later
        // symbols do.
        assert_eq!(measures.texts[6..], [0, 698, 0, 0, 4, 0]);
        assert_eq!(measures.text_sizes, [711, 702]);
    }
}
