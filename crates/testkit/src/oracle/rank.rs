//! Documents ranked by BM25, from the plain text.

use super::View;
use crate::Document;
use zgram::analytics::Bm25Variant;

/// Which ranking is asked for.
#[derive(Clone, Debug)]
pub struct RankQuestion {
    /// What counts as a word, and as the same word.
    pub view: View,
    /// The query.
    pub words: Vec<String>,
    /// The formula.
    pub variant: Bm25Variant,
    /// Its parameters.
    pub k1: f64,
    /// How much length counts.
    pub b: f64,
    /// For BM25+ and BM25L.
    pub delta: f64,
}

impl Default for RankQuestion {
    fn default() -> Self {
        Self {
            view: View::default(),
            words: Vec::new(),
            variant: Bm25Variant::default(),
            k1: 1.5,
            b: 0.75,
            delta: 0.5,
        }
    }
}

/// The numbers of all documents that contain a word of the query, with what each word of the query
/// adds to their scores: the best document first, then in the order of the corpus.
///
/// # Panics
/// When the question has no sense: a malformed pattern, an unknown language.
#[must_use]
pub fn rank(documents: &[Document], question: &RankQuestion) -> Vec<(usize, Vec<f64>)> {
    let words =
        |text: &[u8]| -> Vec<String> { question.view.words(text).into_iter().flatten().collect() };
    let texts: Vec<Vec<String>> = documents.iter().map(|document| words(&document.text)).collect();
    let query: Vec<String> =
        question.words.iter().flat_map(|word| words(word.as_bytes())).collect();
    let all = texts.len() as f64;
    let mean = texts.iter().map(Vec::len).sum::<usize>() as f64 / all;
    let RankQuestion { variant, k1, b, delta, .. } = *question;
    let score = |word: &String, text: &Vec<String>| {
        let n = texts.iter().filter(|text| text.contains(word)).count() as f64;
        if n == 0.0 {
            return 0.0;
        }
        let f = text.iter().filter(|other| *other == word).count() as f64;
        let length = 1.0 - b + b * text.len() as f64 / mean;
        // A ratio of f to a sum with f is 0 if f is, also where the sum is 0.
        let ratio = |f: f64, more: f64| if f == 0.0 { 0.0 } else { f / (f + more) };
        match variant {
            Bm25Variant::Lucene => (1.0 + (all - n + 0.5) / (n + 0.5)).ln() * ratio(f, k1 * length),
            Bm25Variant::Robertson => {
                ((all - n + 0.5) / (n + 0.5)).ln().max(0.0) * ratio(f, k1 * length)
            }
            Bm25Variant::Atire => (all / n).ln() * (k1 + 1.0) * ratio(f, k1 * length),
            Bm25Variant::Plus => {
                ((all + 1.0) / n).ln() * ((k1 + 1.0) * ratio(f, k1 * length) + delta)
            }
            Bm25Variant::L => {
                let c = if f == 0.0 { delta } else { f / length + delta };
                ((all + 1.0) / (n + 0.5)).ln() * (k1 + 1.0) * ratio(c, k1)
            }
        }
    };
    let mut ranked: Vec<(usize, Vec<f64>)> = texts
        .iter()
        .enumerate()
        .filter(|(_, text)| query.iter().any(|word| text.contains(word)))
        .map(|(number, text)| (number, query.iter().map(|word| score(word, text)).collect()))
        .collect();
    let sum = |scores: &[f64]| scores.iter().sum::<f64>();
    ranked.sort_by(|(_, a), (_, b)| sum(b).total_cmp(&sum(a)));
    ranked
}
