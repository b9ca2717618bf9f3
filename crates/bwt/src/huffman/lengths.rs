//! Lengths of Huffman codes (thesis, section 2.3.2).
//!
//! The thesis finds the two least frequent nodes by a parallel reduction for each node it makes, and
//! names this its bottleneck (section 5.1.1). Sorting the symbols once makes the search unnecessary:
//! nodes are created in order of frequency, so the least is always the next leaf or the next node.
//! The rest takes microseconds; the work worth sharing is the counting before it.

/// The lengths of an optimal prefix code, none above `longest`.
///
/// Every symbol gets a code, even one that does not occur. If the optimal code would be too long, the
/// frequencies are flattened until it is not.
///
/// # Panics
///
/// If `longest` bits cannot tell the symbols apart.
///
/// ```
/// let lengths = zgram_bwt::huffman::code_lengths(&[10, 1, 1, 5], 20);
/// assert_eq!(lengths, [1, 3, 3, 2]);
/// ```
#[must_use]
pub fn code_lengths(counts: &[u32], longest: u8) -> Vec<u8> {
    assert!(counts.len() as u64 <= 1 << longest, "codes of {longest} bits are too few");
    if counts.len() < 2 {
        return vec![1; counts.len()];
    }
    let mut weights: Vec<u64> = counts.iter().map(|&count| u64::from(count.max(1))).collect();
    loop {
        let lengths = unlimited(&weights);
        if lengths.iter().all(|&length| length <= u32::from(longest)) {
            return lengths.into_iter().map(|length| length as u8).collect();
        }
        for weight in &mut weights {
            *weight = *weight / 2 + 1;
        }
    }
}

/// The depths of the leaves of the Huffman tree.
fn unlimited(weights: &[u64]) -> Vec<u32> {
    let n = weights.len();
    let mut leaves: Vec<(u64, u32)> = weights.iter().copied().zip(0..).collect();
    leaves.sort_unstable();
    // Nodes 0 to n - 1 are the sorted leaves, the others the inner nodes in the order they are made.
    let mut parent = vec![0u32; 2 * n - 1];
    let mut sums: Vec<u64> = Vec::with_capacity(n - 1);
    let (mut leaf, mut node) = (0, 0);
    for made in 0..n - 1 {
        let mut sum = 0;
        for _ in 0..2 {
            // A leaf before a node of the same weight keeps the tree flat.
            let take_leaf = leaf < n && (node == made || leaves[leaf].0 <= sums[node]);
            let least = if take_leaf { &mut leaf } else { &mut node };
            let child = if take_leaf { *least } else { n + *least };
            sum += if take_leaf { leaves[*least].0 } else { sums[*least] };
            *least += 1;
            parent[child] = (n + made) as u32;
        }
        sums.push(sum);
    }
    // Parents are made after their children, so depths are known from the root down.
    let mut depth = vec![0u32; 2 * n - 1];
    for child in (0..2 * n - 2).rev() {
        depth[child] = depth[parent[child] as usize] + 1;
    }
    let mut lengths = vec![0; n];
    for (&(_, symbol), &depth) in leaves.iter().zip(&depth) {
        lengths[symbol as usize] = depth;
    }
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::cmp::Reverse;
    use std::collections::BinaryHeap;

    /// The size of an optimal code: the sum of all inner nodes.
    fn least_bits(counts: &[u32]) -> u64 {
        let mut heap: BinaryHeap<_> =
            counts.iter().map(|&c| Reverse(u64::from(c.max(1)))).collect();
        let mut bits = 0;
        while let (Some(Reverse(a)), Some(Reverse(b))) = (heap.pop(), heap.pop()) {
            bits += a + b;
            heap.push(Reverse(a + b));
        }
        bits
    }

    fn kraft(lengths: &[u8], longest: u8) -> u64 {
        lengths.iter().map(|&length| 1u64 << (longest - length)).sum()
    }

    proptest! {
        #[test]
        fn codes_are_optimal_and_complete(counts in proptest::collection::vec(0u32..10_000, 2..300)) {
            let lengths = code_lengths(&counts, 40);
            prop_assert_eq!(kraft(&lengths, 40), 1 << 40);
            let bits: u64 =
                counts.iter().zip(&lengths).map(|(&c, &l)| u64::from(c.max(1)) * u64::from(l)).sum();
            prop_assert_eq!(bits, least_bits(&counts));
        }

        #[test]
        fn lengths_are_limited(
            counts in proptest::collection::vec(any::<u32>(), 2..258), longest in 9u8..20,
        ) {
            let lengths = code_lengths(&counts, longest);
            prop_assert!(lengths.iter().all(|&length| (1..=longest).contains(&length)));
            prop_assert_eq!(kraft(&lengths, longest), 1 << longest);
        }
    }

    #[test]
    fn frequencies_that_want_long_codes_are_evened_out() {
        let fibonacci: Vec<u32> = std::iter::successors(Some((1, 1)), |&(a, b)| Some((b, a + b)))
            .map(|(a, _)| a)
            .take(40)
            .collect();
        assert_eq!(code_lengths(&fibonacci, 40).iter().max(), Some(&39));
        assert!(code_lengths(&fibonacci, 17).iter().all(|&length| length <= 17));
    }

    #[test]
    fn the_edges() {
        assert!(code_lengths(&[], 20).is_empty());
        assert_eq!(code_lengths(&[5], 20), [1]);
        assert_eq!(code_lengths(&[0, 0], 20), [1, 1]);
    }
}
