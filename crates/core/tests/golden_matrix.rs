//! Matrices and weights equal those of scikit-learn and gensim, which `tests/golden/matrix/make.py` wrote
//! down: counts exactly, scikit-learn's weights to the last bit.

use serde_json::Value;
use std::path::Path;
use zgram::Corpus;
use zgram::analytics::{DocumentLimit, MatrixRun, Norm, SklearnTfIdf, Terms, TfIdf};
use zgram::format::GrammarKind;
use zgram_testkit::{Document, corpus};

fn golden() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/matrix/golden.json");
    serde_json::from_slice(&std::fs::read(path).expect("the golden file")).expect("JSON")
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().expect("a list").iter().map(|text| text.as_str().expect("a text")).collect()
}

fn numbers(value: &Value) -> Vec<u64> {
    value.as_array().expect("a list").iter().map(|number| number.as_u64().expect("one")).collect()
}

/// A corpus of whole documents, and one whose segments cut them into pieces.
fn corpora(texts: &[String]) -> [Corpus; 2] {
    let documents: Vec<Document> = (0..)
        .zip(texts)
        .map(|(number, text)| Document::new(format!("{number:03}"), text.as_str()))
        .collect();
    [u64::MAX / 4, 90].map(|segment_size| corpus(&documents, GrammarKind::RePair, segment_size))
}

/// The matrix that a case asks for.
fn run<'c>(corpus: &'c Corpus, case: &Value) -> MatrixRun<'c> {
    let options = &case["options"];
    let lengths = numbers(&case["ngrams"]);
    let mut query = corpus
        .term_matrix()
        .sklearn()
        .lower()
        .stop(texts(&case["stop"]))
        .ngrams(lengths[0] as usize..=lengths[1] as usize);
    if let Some(limit) = options["min_df"].as_u64() {
        query = query.min_docs(DocumentLimit::Count(limit));
    }
    if let Some(limit) = options["max_df"].as_f64() {
        query = query.max_docs(DocumentLimit::Share(limit));
    }
    if options["vocabulary"].is_array() {
        query = query.vocabulary(Terms::from_iter(texts(&options["vocabulary"])));
    }
    if options["binary"] == true {
        query = query.binary();
    }
    query.prepare().expect("columns")
}

/// Which weights a case asks for.
fn scheme(name: &str, case: &Value) -> Option<TfIdf> {
    let options = &case["options"];
    let is = |key: &str, otherwise| options[key].as_bool().unwrap_or(otherwise);
    match name {
        "gensim" => Some(TfIdf::Gensim),
        _ if name.starts_with("tfidf") => Some(TfIdf::Sklearn(SklearnTfIdf {
            use_idf: is("use_idf", true),
            smooth_idf: is("smooth_idf", true),
            sublinear_tf: is("sublinear_tf", false),
            norm: match options.get("norm") {
                None => Some(Norm::L2),
                Some(norm) => norm.as_str().map(|_| Norm::L1),
            },
            fit_transform: case["transform"] != true,
        })),
        _ => None,
    }
}

#[test]
fn matrices_are_those_of_scikit_learn_and_gensim() {
    let golden = golden();
    let documents: Vec<String> =
        texts(&golden["documents"]).into_iter().map(str::to_owned).collect();
    let plain = corpora(&documents);
    let everywhere: Vec<String> =
        documents.iter().map(|text| format!("{text} everywhere")).collect();
    let everywhere = corpora(&everywhere);
    let cases = golden.as_object().expect("cases");
    assert!(cases.len() > 12);
    for (name, case) in cases.iter().filter(|(name, _)| *name != "documents") {
        for corpus in if name == "gensim" { &everywhere } else { &plain } {
            let run = run(corpus, case);
            let terms: Vec<String> =
                run.terms().iter().map(|term| String::from_utf8_lossy(term).into_owned()).collect();
            assert_eq!(terms, texts(&case["terms"]), "{name}");
            let (row_starts, columns) = (numbers(&case["row_starts"]), numbers(&case["columns"]));
            let values = numbers(&case["values"]);
            let Some(scheme) = scheme(name, case) else {
                let matrix = run.collect().expect("a matrix");
                assert_eq!(matrix.row_starts, row_starts, "{name}");
                assert!(matrix.columns.iter().map(|&column| u64::from(column)).eq(columns));
                assert_eq!(matrix.values, values, "{name}");
                continue;
            };
            let weighted = run.tf_idf(scheme).expect("weights");
            let matrix = weighted.collect().expect("a matrix");
            assert_eq!(matrix.row_starts, row_starts, "{name}");
            assert_eq!(matrix.cells(), weighted.cells());
            assert!(matrix.columns.iter().map(|&column| u64::from(column)).eq(columns));
            for (found, &bits) in matrix.values.iter().zip(&values) {
                let expected = f64::from_bits(bits);
                match scheme {
                    // gensim squares with a power function, which need not round as a product.
                    TfIdf::Gensim => {
                        assert!((found - expected).abs() <= 4e-16, "{found} {expected}")
                    }
                    _ => assert_eq!(found.to_bits(), bits, "{name}: {found} is not {expected}"),
                }
            }
        }
    }
}
