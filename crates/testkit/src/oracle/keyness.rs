//! Keyness of words, from the plain text.

use super::{View, count, total};
use crate::Document;

/// A word, its log-likelihood, its log ratio, and its counts in target and reference.
pub type KeyWord = (Vec<u8>, f64, f64, u64, u64);

/// All words of target and reference, in the order of their bytes.
///
/// # Panics
/// When the view has no sense: a malformed pattern, an unknown language.
#[must_use]
pub fn keyness(target: &[Document], reference: &[Document], view: &View) -> Vec<KeyWord> {
    let counted = |documents: &[Document]| {
        let counts = |document: &Document| (Vec::new(), count(view.words(&document.text), 1, true));
        total(&documents.iter().map(counts).collect::<Vec<_>>())
    };
    let (a, b) = (counted(target), counted(reference));
    let (c, d) = (a.values().sum::<u64>() as f64, b.values().sum::<u64>() as f64);
    let mut words: Vec<_> = a.keys().chain(b.keys()).collect();
    words.sort();
    words.dedup();
    let row = |word: &Vec<String>| {
        let of = |counts: &super::Counts| counts.get(word).copied().unwrap_or(0);
        let (in_a, in_b) = (of(&a), of(&b));
        let (x, y) = (in_a as f64, in_b as f64);
        let mut likelihood = 0.0;
        for (observed, size) in [(x, c), (y, d)] {
            let expected = size * (x + y) / (c + d);
            if observed > 0.0 {
                likelihood += 2.0 * observed * (observed / expected).ln();
            }
        }
        let sign = if x * d < y * c { -1.0 } else { 1.0 };
        let ratio = (x.max(0.5) / c).log2() - (y.max(0.5) / d).log2();
        (word.concat().into_bytes(), sign * likelihood, ratio, in_a, in_b)
    };
    words.into_iter().map(row).collect()
}
