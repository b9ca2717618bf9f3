//! TF-IDF by its definitions: the paper's equations on small documents, and the order of keywords.

use proptest::collection::vec;
use proptest::prelude::*;
use zgram::Corpus;
use zgram::analytics::{Matrix, Norm, SklearnTfIdf, Terms, TfIdf, Units};
use zgram::format::GrammarKind;
use zgram_testkit::oracle::{MatrixQuestion, matrix};
use zgram_testkit::{Document, corpus};

fn documents(texts: &[&str]) -> Corpus {
    let document = |(number, text): (usize, &&str)| Document::new(format!("d{number}"), *text);
    let documents: Vec<Document> = texts.iter().enumerate().map(document).collect();
    corpus(&documents, GrammarKind::RePair, u64::MAX / 4)
}

/// The weights of each row, by term.
fn weights(corpus: &Corpus, scheme: TfIdf) -> Vec<Vec<(String, f64)>> {
    let run = corpus.term_matrix().prepare().expect("columns");
    let mut rows = Vec::new();
    let name = |term: u32| String::from_utf8_lossy(run.terms().get(term as usize)).into_owned();
    let weighted = run.tf_idf(scheme).expect("weights");
    let take = |columns: &[u32], values: &[f64]| {
        rows.push(columns.iter().map(|&term| name(term)).zip(values.iter().copied()).collect());
        Ok(())
    };
    weighted.for_each_row(take).expect("rows");
    rows
}

fn row(cells: &[(&str, f64)]) -> Vec<(String, f64)> {
    cells.iter().map(|&(term, weight)| (term.to_owned(), weight)).collect()
}

/// Equation 1 is `IDF = log(|D| / DF)`, equation 2 `score = TF · IDF`. The first document is the text that
/// the paper compresses as its example.
#[test]
fn weights_are_those_of_the_paper_s_equations() {
    let corpus = documents(&["a b c a b d a b c a b d", "a b a", "e a"]);
    let (third, half) = (3f64.ln(), 1.5f64.ln());
    let found = weights(&corpus, TfIdf::Paper);
    let expected = [
        row(&[("a", 4.0 * 0.0), ("b", 4.0 * half), ("c", 2.0 * third), ("d", 2.0 * third)]),
        row(&[("a", 0.0), ("b", half)]),
        row(&[("a", 0.0), ("e", third)]),
    ];
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found.len(), expected.len());
        for ((term, weight), (expected_term, expected)) in found.iter().zip(expected) {
            assert_eq!(term, expected_term);
            assert!((weight - expected).abs() <= 1e-15, "{term}: {weight}, not {expected}");
        }
    }
}

#[test]
fn gensim_leaves_out_what_is_everywhere() {
    let corpus = documents(&["a b", "a a c c", "a", ""]);
    let found = weights(&corpus, TfIdf::Gensim);
    let is_a = |row: &[(String, f64)]| row.iter().any(|(term, _)| term == "a");
    assert!(is_a(&found[0]) && is_a(&found[2]), "one document has no a");
    assert_eq!(found[2], row(&[("a", 1.0)]));
    let corpus = documents(&["a b", "a a c c", "a"]);
    assert_eq!(weights(&corpus, TfIdf::Gensim), [row(&[("b", 1.0)]), row(&[("c", 1.0)]), row(&[])]);
    let run = corpus.term_matrix().prepare().unwrap();
    assert_eq!(run.tf_idf(TfIdf::Gensim).unwrap().cells(), 2);
    assert_eq!(run.tf_idf(TfIdf::Paper).unwrap().cells(), 5);
}

#[test]
fn rows_have_their_norm() {
    let corpus = documents(&["a b b", "b c", ""]);
    for norm in [Norm::L1, Norm::L2] {
        let options = SklearnTfIdf { norm: Some(norm), ..SklearnTfIdf::default() };
        for row in weights(&corpus, TfIdf::Sklearn(options)).iter().take(2) {
            let power = if norm == Norm::L1 { 1 } else { 2 };
            let sum: f64 = row.iter().map(|(_, weight)| weight.powi(power)).sum();
            assert!((sum - 1.0).abs() < 1e-15);
        }
    }
}

#[test]
fn keywords_come_by_weight_then_by_word() {
    let corpus = documents(&["b a c c d", "d", ""]);
    let run = corpus.term_matrix().prepare().unwrap();
    let weighted = run.tf_idf(TfIdf::Paper).unwrap();
    for (top, expected) in [(None, 4), (Some(2), 2), (Some(0), 0), (Some(9), 4)] {
        let mut rows = Vec::new();
        let take = |row: usize, cells: &[(u32, f64)]| {
            let terms: Vec<u8> = cells
                .iter()
                .flat_map(|&(term, _)| run.terms().get(term as usize).to_vec())
                .collect();
            rows.push((row, terms));
            Ok(())
        };
        weighted.for_each_ranked_row(top, take).unwrap();
        assert_eq!(rows[0], (0, b"cabd"[..expected].to_vec()));
        assert_eq!(rows[1], (1, if expected > 0 { b"d".to_vec() } else { Vec::new() }));
        assert_eq!(rows[2], (2, Vec::new()));
    }
}

/// Documents are then units, and terms of a vocabulary may not occur.
#[test]
fn units_and_vocabularies_are_weighed_too() {
    let corpus = documents(&["a b", "a", "c"]);
    let units = Units::Pattern("[01]".parse().unwrap());
    let run = corpus.term_matrix().by(units).prepare().unwrap();
    assert_eq!(run.tf_idf(TfIdf::Paper).unwrap().idf(), [0.0, 2f64.ln()]);
    let vocabulary = Terms::from_iter(["zz", "c"]);
    let run = corpus.term_matrix().vocabulary(vocabulary).prepare().unwrap();
    for scheme in [TfIdf::Paper, TfIdf::Gensim] {
        assert_eq!(run.tf_idf(scheme).unwrap().idf()[0], 0.0);
    }
    let matrix = run.tf_idf(TfIdf::Sklearn(SklearnTfIdf::default())).unwrap().collect().unwrap();
    assert_eq!((matrix.row_starts, matrix.values), (vec![0, 0, 0, 1], vec![1.0]));
}

/// The definition of a scheme, for one row of counts.
fn naive(scheme: TfIdf, rows: f64, documents: &[f64], row: &[(u32, u64)]) -> Vec<(u32, f64)> {
    let weight = |&(column, count): &(u32, u64)| {
        let (tf, df) = (count as f64, documents[column as usize]);
        let weight = match scheme {
            TfIdf::Paper => tf * (rows / df).ln(),
            TfIdf::Gensim => tf * (rows / df).log2(),
            TfIdf::Sklearn(SklearnTfIdf { use_idf, smooth_idf, sublinear_tf, .. }) => {
                let tf = if sublinear_tf { 1.0 + tf.ln() } else { tf };
                let more = f64::from(u8::from(smooth_idf));
                tf * if use_idf { ((rows + more) / (df + more)).ln() + 1.0 } else { 1.0 }
            }
        };
        (column, weight)
    };
    let mut cells: Vec<(u32, f64)> = row.iter().map(weight).collect();
    let norm = match scheme {
        TfIdf::Paper => None,
        TfIdf::Gensim => Some(Norm::L2),
        TfIdf::Sklearn(options) => options.norm,
    };
    let sum = match norm {
        None => 1.0,
        Some(Norm::L1) => cells.iter().map(|(_, weight)| weight).sum(),
        Some(Norm::L2) => cells.iter().map(|(_, weight)| weight * weight).sum::<f64>().sqrt(),
    };
    cells.iter_mut().for_each(|(_, weight)| *weight /= sum);
    if scheme == TfIdf::Gensim {
        cells.retain(|(_, weight)| *weight > 0.0);
    }
    cells
}

fn some_scheme() -> impl Strategy<Value = TfIdf> {
    let norm = prop_oneof![Just(None), Just(Some(Norm::L1)), Just(Some(Norm::L2))];
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    let sklearn = (flags, norm).prop_map(|(flags, norm)| {
        let (use_idf, smooth_idf, sublinear_tf, fit_transform) = flags;
        TfIdf::Sklearn(SklearnTfIdf { use_idf, smooth_idf, sublinear_tf, norm, fit_transform })
    });
    prop_oneof![1 => Just(TfIdf::Paper), 1 => Just(TfIdf::Gensim), 3 => sklearn]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(zgram_testkit::cases(40)))]

    /// Weights are those of the definitions, and the same bits whatever the segments, threads and memory.
    #[test]
    fn weights_are_those_of_the_definitions(
        texts in vec(vec("[ab]{1,2}|_", 0..30).prop_map(|words| words.join(" ")), 1..8),
        longest in 1usize..3,
        scheme in some_scheme(),
        segment_size in 20u64..120,
    ) {
        let documents: Vec<Document> = (0..)
            .zip(&texts)
            .map(|(number, text)| Document::new(format!("{number}"), text.as_str()))
            .collect();
        let asked = MatrixQuestion { ngrams: 1..=longest, ..MatrixQuestion::default() };
        let expected = matrix(&documents, &asked);
        let mut counts = vec![0.0; expected.terms.len()];
        expected.rows.iter().flatten().for_each(|&(column, _)| counts[column as usize] += 1.0);
        let rows = documents.len() as f64;
        let mut first: Option<Matrix<f64>> = None;
        for size in [u64::MAX / 4, segment_size] {
            let corpus = corpus(&documents, GrammarKind::RePair, size);
            for (threads, memory) in [(1, 1 << 30), (2, 1), (8, 1 << 30)] {
                let query = corpus.term_matrix().ngrams(1..=longest).threads(threads).memory(memory);
                let Ok(run) = query.prepare() else {
                    prop_assert!(expected.terms.is_empty());
                    continue;
                };
                let found = run.tf_idf(scheme).unwrap().collect().unwrap();
                prop_assert_eq!(found.rows(), documents.len());
                for (number, row) in expected.rows.iter().enumerate() {
                    let (columns, weights) = found.row(number);
                    let naive = naive(scheme, rows, &counts, row);
                    prop_assert_eq!(columns.len(), naive.len());
                    for ((column, weight), (expected_column, expected)) in
                        columns.iter().zip(weights).zip(naive)
                    {
                        prop_assert_eq!(*column, expected_column);
                        prop_assert!((weight - expected).abs() <= 1e-13 * expected.abs().max(1.0));
                    }
                }
                prop_assert_eq!(first.get_or_insert_with(|| found.clone()), &found);
            }
        }
    }
}
