//! Sets of documents as bitmaps of two layers (tadoc section 4.5, figure 8).
//!
//! The second layer has vectors of 64 bits, but only those that are not empty. The first layer has a
//! bit for each vector that may be, and says where in the second layer a vector is: before it are as
//! many vectors as there are bits set. So a set of few documents is small, and sets are united 64
//! documents at a time.

/// Documents per vector of the second layer.
const BITS: usize = u64::BITS as usize;

/// A set of documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct DocumentSet {
    /// Which vectors of the second layer there are.
    present: Vec<u64>,
    vectors: Vec<u64>,
}

impl DocumentSet {
    pub(super) fn is_empty(&self) -> bool {
        self.vectors.is_empty()
    }

    /// Adds a document that is not smaller than any in the set; all are below `documents`.
    #[inline]
    pub(super) fn push(&mut self, document: u32, documents: usize) {
        let vector = document as usize / BITS;
        if self.present.is_empty() {
            self.present = vec![0; documents.div_ceil(BITS * BITS)];
        }
        let (word, bit) = (&mut self.present[vector / BITS], 1 << (vector % BITS));
        if *word & bit == 0 {
            *word |= bit;
            self.vectors.push(0);
        }
        *self.vectors.last_mut().expect("the vector of the document") |=
            1 << (document as usize % BITS);
    }

    /// Adds the documents of another set, which is of the same documents.
    pub(super) fn unite(&mut self, other: &Self) {
        if self.is_empty() {
            return self.clone_from(other);
        }
        let has_all = self.present.iter().zip(&other.present).all(|(own, new)| new & !own == 0);
        if !has_all {
            self.make_room(other);
        }
        let (mut own, mut new) = (0, 0);
        for (&present, &others) in self.present.iter().zip(&other.present) {
            if present == others {
                // Most sets that meet have the same vectors.
                let count = present.count_ones() as usize;
                let pairs = self.vectors[own..own + count].iter_mut();
                pairs.zip(&other.vectors[new..new + count]).for_each(|(own, new)| *own |= new);
                (own, new) = (own + count, new + count);
                continue;
            }
            let mut left = others;
            while left != 0 {
                let below = present & ((left & left.wrapping_neg()) - 1);
                self.vectors[own + below.count_ones() as usize] |= other.vectors[new];
                new += 1;
                left &= left - 1;
            }
            own += present.count_ones() as usize;
        }
    }

    /// Makes room for the vectors of another set.
    fn make_room(&mut self, other: &Self) {
        let total: u32 =
            self.present.iter().zip(&other.present).map(|(a, b)| (a | b).count_ones()).sum();
        let mut vectors = Vec::with_capacity(total as usize);
        let mut own = self.vectors.iter();
        for (present, others) in self.present.iter_mut().zip(&other.present) {
            let mut left = *present | others;
            while left != 0 {
                let bit = left & left.wrapping_neg();
                let is_own = *present & bit != 0;
                vectors.push(if is_own { own.next().copied().unwrap_or(0) } else { 0 });
                left &= left - 1;
            }
            *present |= others;
        }
        self.vectors = vectors;
    }

    /// Passes the documents to `sink`, in order.
    pub(super) fn each(&self, mut sink: impl FnMut(u32)) {
        let mut vectors = self.vectors.iter();
        for (word, &present) in self.present.iter().enumerate() {
            let mut left = present;
            while left != 0 {
                let first = (word * BITS + left.trailing_zeros() as usize) * BITS;
                let mut bits = vectors.next().copied().unwrap_or(0);
                while bits != 0 {
                    sink((first + bits.trailing_zeros() as usize) as u32);
                    bits &= bits - 1;
                }
                left &= left - 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn set(documents: &BTreeSet<u32>) -> DocumentSet {
        let mut set = DocumentSet::default();
        documents.iter().for_each(|&document| set.push(document, 20_000));
        set
    }

    proptest! {
        #[test]
        fn sets_are_united(
            sets in proptest::collection::vec(
                prop_oneof![
                    proptest::collection::btree_set(0u32..20_000, 0..40),
                    proptest::collection::btree_set(0u32..300, 0..200),
                ],
                1..8,
            ),
        ) {
            let (mut united, mut expected) = (DocumentSet::default(), BTreeSet::new());
            for documents in &sets {
                if !documents.is_empty() {
                    united.unite(&set(documents));
                }
                expected.extend(documents);
                let mut found = Vec::new();
                united.each(|document| found.push(document));
                prop_assert!(found.iter().eq(&expected));
            }
            prop_assert_eq!(united, set(&expected));
        }
    }
}
