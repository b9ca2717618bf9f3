//! Sequences at the borders of pieces. A document that spans segments is counted piece by piece.
//! Sequences that span pieces are found from the pieces' first and last words.

use super::{Key, Packing};
use crate::analytics::words::NO_WORD;
use crate::grammar::{Grammar, Symbol};
use std::ops::ControlFlow;

/// The first and last words of a piece: at most `n - 1` each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PieceEnds {
    head: Vec<u32>,
    tail: Vec<u32>,
}

impl PieceEnds {
    /// The ends of a document of `grammar`; `numbers` has each token's word.
    pub(crate) fn new(grammar: &Grammar, document: usize, numbers: &[u32], n: usize) -> Self {
        let mut head = Vec::new();
        let _ = grammar.expand(grammar.document(document), |token| {
            let word = numbers[token as usize];
            if word != NO_WORD && head.len() + 1 < n {
                head.push(word);
            }
            if head.len() + 1 < n { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        let mut tail = Vec::new();
        let mut pending: Vec<&[Symbol]> = vec![grammar.document(document)];
        while let Some(symbols) = pending.pop().filter(|_| tail.len() + 1 < n) {
            let Some((&symbol, before)) = symbols.split_last() else { continue };
            pending.push(before);
            match grammar.as_rule(symbol) {
                Some(rule) => pending.push(grammar.rule(rule)),
                None if numbers[symbol as usize] != NO_WORD => tail.push(numbers[symbol as usize]),
                None => {}
            }
        }
        tail.reverse();
        Self { head, tail }
    }
}

/// The last words of a document so far, at the border to its next piece.
#[derive(Clone, Debug, Default)]
pub(crate) struct Border {
    tail: Vec<u32>,
}

impl Border {
    /// Adds a piece and passes the sequences that begin before it and end in it to `sink`.
    pub(crate) fn cross<K: Key>(
        &mut self,
        ends: &PieceEnds,
        packing: &Packing,
        mut sink: impl FnMut(K),
    ) {
        let n = packing.n;
        let mut key = K::empty(packing);
        let mut unbroken = 0;
        let words = self.tail.iter().chain(&ends.head);
        for (at, &word) in words.enumerate() {
            key = key.roll(word, packing);
            unbroken = packing.unbroken(unbroken, word);
            if unbroken >= n && at >= self.tail.len() {
                sink(key.clone());
            }
        }
        // The ends of a short piece are the whole piece, so words before it may still be part of
        // later sequences.
        if ends.tail.len() + 1 < n {
            self.tail.extend_from_slice(&ends.tail);
            let surplus = self.tail.len().saturating_sub(n - 1);
            self.tail.drain(..surplus);
        } else {
            self.tail.clone_from(&ends.tail);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn pieces_and_borders_make_up_the_whole(
            pieces in proptest::collection::vec(proptest::collection::vec(0u32..4, 0..6), 1..5),
            n in 2usize..5,
            has_breaks in any::<bool>(),
        ) {
            let mut packing = Packing::new(n, 4);
            packing.break_word = if has_breaks { 3 } else { NO_WORD };
            let keys = |words: &[u32]| -> Vec<u64> {
                words.windows(n)
                    .filter(|window| !window.contains(&packing.break_word))
                    .map(|window| window.iter().fold(0, |key: u64, &w| key.roll(w, &packing)))
                    .collect()
            };
            let mut found = Vec::new();
            let mut border = Border::default();
            for piece in &pieces {
                let end = piece.len() as u32;
                let grammar =
                    Grammar::new(4, vec![0, end], piece.clone(), vec![0, end]).unwrap();
                let ends = PieceEnds::new(&grammar, 0, &[0, 1, 2, 3], n);
                found.extend(keys(piece));
                border.cross(&ends, &packing, |key: u64| found.push(key));
            }
            let mut expected = keys(&pieces.concat());
            expected.sort_unstable();
            found.sort_unstable();
            prop_assert_eq!(found, expected);
        }
    }
}
