//! Merges the counts of the first and the second half of the documents.

use std::cmp::Ordering;
use zgram::plumbing::Counted;

/// Merges both halves: concatenates the documents, or adds up their counts.
pub(super) fn merge(first: Counted, second: Counted, n: usize, by_document: bool) -> Counted {
    let (sequences, names) = merge_sequences(&first.sequences, &second.sequences, n);
    let [mut first, second] = match n {
        1 => [first, second],
        _ => {
            let [a, b] = names;
            [rename(first, &a), rename(second, &b)]
        }
    };
    first.sequences = sequences;
    first.visited += second.visited;
    if by_document {
        let before = first.items.len();
        first.starts.extend(second.starts[1..].iter().map(|start| before + start));
        first.items.extend(second.items);
        first.counts.extend(second.counts);
        return first;
    }
    let mut counts: Vec<(u32, u64)> = first.items.drain(..).zip(first.counts.drain(..)).collect();
    counts.extend(second.items.into_iter().zip(second.counts));
    counts.sort_unstable_by_key(|&(item, _)| item);
    for same in counts.chunk_by(|a, b| a.0 == b.0) {
        first.items.push(same[0].0);
        first.counts.push(same.iter().fold(0, |sum: u64, &(_, count)| sum.saturating_add(count)));
    }
    first.starts = vec![0, first.items.len()];
    first
}

/// The sequences of both halves, in order, and the new numbers of each half's sequences.
fn merge_sequences(first: &[u32], second: &[u32], n: usize) -> (Vec<u32>, [Vec<u32>; 2]) {
    let [a, b] = [first, second].map(|half| half.chunks_exact(n).collect::<Vec<_>>());
    let mut merged = Vec::with_capacity(first.len() + second.len());
    let mut names = [Vec::with_capacity(a.len()), Vec::with_capacity(b.len())];
    let (mut at_a, mut at_b) = (0, 0);
    while at_a < a.len() || at_b < b.len() {
        let order = match (a.get(at_a), b.get(at_b)) {
            (Some(a), Some(b)) => a.cmp(b),
            (Some(_), None) => Ordering::Less,
            _ => Ordering::Greater,
        };
        let number = (merged.len() / n) as u32;
        merged.extend_from_slice(if order == Ordering::Greater { b[at_b] } else { a[at_a] });
        if order != Ordering::Greater {
            names[0].push(number);
            at_a += 1;
        }
        if order != Ordering::Less {
            names[1].push(number);
            at_b += 1;
        }
    }
    (merged, names)
}

fn rename(mut counted: Counted, names: &[u32]) -> Counted {
    for item in &mut counted.items {
        *item = names[*item as usize];
    }
    counted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn half(sequences: &[u32], starts: &[usize], items: &[u32], counts: &[u64]) -> Counted {
        Counted {
            sequences: sequences.to_vec(),
            starts: starts.to_vec(),
            items: items.to_vec(),
            counts: counts.to_vec(),
            visited: 1,
        }
    }

    #[test]
    fn halves_become_one() {
        let first = half(&[1, 2, 3, 4], &[0, 2, 3], &[1, 0, 1], &[5, 6, 7]);
        let second = half(&[0, 9, 3, 4], &[0, 2], &[0, 1], &[1, 2]);
        let apart = merge(first.clone(), second.clone(), 2, true);
        assert_eq!(apart.sequences, [0, 9, 1, 2, 3, 4]);
        assert_eq!(apart.starts, [0, 2, 3, 5]);
        assert_eq!(apart.items, [2, 1, 2, 0, 2]);
        assert_eq!(apart.counts, [5, 6, 7, 1, 2]);
        let together =
            Counted { starts: vec![0, 2], items: vec![1, 0], counts: vec![5, 6], ..first };
        let together = merge(together, second, 2, false);
        assert_eq!((together.items, together.counts), (vec![0, 1, 2], vec![1, 6, 7]));
        assert_eq!((together.starts, together.visited), (vec![0, 3], 2));
    }
}
