//! Matrices of documents and terms, and the scores made of them, from the plain text.

use super::{Counts, Sequence, View, count};
use crate::Document;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

/// Names a document's unit; `None` if the document is left out.
pub type UnitOf = fn(&[u8]) -> Option<Vec<u8>>;

/// Which matrix is asked for.
#[derive(Clone, Debug)]
pub struct MatrixQuestion {
    /// What counts as a word, and as the same word.
    pub view: View,
    /// Words in a term.
    pub ngrams: RangeInclusive<usize>,
    /// Terms skip words that the view leaves out, instead of ending there.
    pub gaps: bool,
    /// The fewest rows a term occurs in.
    pub min_docs: f64,
    /// The most rows a term occurs in.
    pub max_docs: f64,
    /// The fewest occurrences of a term.
    pub min_count: u64,
    /// The most terms.
    pub max_features: Option<usize>,
    /// All columns, in order; no limits then.
    pub vocabulary: Option<Vec<String>>,
    /// Whether all counts are 1.
    pub binary: bool,
    /// What a row is, if not a document.
    pub unit_of: Option<UnitOf>,
}

impl Default for MatrixQuestion {
    fn default() -> Self {
        Self {
            view: View::default(),
            ngrams: 1..=1,
            gaps: false,
            min_docs: 0.0,
            max_docs: f64::INFINITY,
            min_count: 0,
            max_features: None,
            vocabulary: None,
            binary: false,
            unit_of: None,
        }
    }
}

/// A matrix with the names of its rows and columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// A document's or a unit's, by row.
    pub names: Vec<Vec<u8>>,
    /// By column.
    pub terms: Vec<String>,
    /// The columns of each row and their counts, rising by column.
    pub rows: Vec<Vec<(u32, u64)>>,
}

/// The matrix of these documents, whose order is the corpus's.
///
/// # Panics
/// When the question is invalid: a malformed pattern, an unknown language.
#[must_use]
pub fn matrix(documents: &[Document], question: &MatrixQuestion) -> Table {
    let mut names: Vec<Vec<u8>> = Vec::new();
    let mut rows: Vec<Counts> = Vec::new();
    for document in documents {
        let counts = terms(&document.text, question);
        let Some(unit_of) = question.unit_of else {
            names.push(document.name.clone());
            rows.push(counts);
            continue;
        };
        let Some(unit) = unit_of(&document.name) else { continue };
        let row = names.iter().position(|name| *name == unit).unwrap_or_else(|| {
            names.push(unit);
            rows.push(Counts::new());
            rows.len() - 1
        });
        for (term, count) in counts {
            *rows[row].entry(term).or_default() += count;
        }
    }
    let columns = match &question.vocabulary {
        Some(vocabulary) => {
            let words = |term: &String| term.split(' ').map(str::to_owned).collect();
            vocabulary.iter().map(words).collect()
        }
        None => choose(&rows, question),
    };
    let number: BTreeMap<&Sequence, u32> = columns.iter().zip(0..).collect();
    let cells = |counts: &Counts| {
        let cell = |(term, &count): (&Sequence, &u64)| {
            Some((*number.get(term)?, if question.binary { 1 } else { count }))
        };
        let mut cells: Vec<(u32, u64)> = counts.iter().filter_map(cell).collect();
        cells.sort_unstable();
        cells
    };
    let rows = rows.iter().map(cells).collect();
    Table { names, terms: columns.iter().map(|term| term.join(" ")).collect(), rows }
}

/// The terms of a text.
fn terms(text: &[u8], question: &MatrixQuestion) -> Counts {
    let words = question.view.words(text);
    let has_gaps = question.gaps || question.view.sklearn;
    question.ngrams.clone().flat_map(|n| count(words.clone(), n, has_gaps)).collect()
}

/// The terms that become columns, in order.
fn choose(rows: &[Counts], question: &MatrixQuestion) -> Vec<Sequence> {
    let all: BTreeSet<&Sequence> = rows.iter().flat_map(BTreeMap::keys).collect();
    let documents = |term: &Sequence| rows.iter().filter(|row| row.contains_key(term)).count();
    let total = |term: &Sequence| rows.iter().filter_map(|row| row.get(term)).sum::<u64>();
    let is_kept = |term: &&Sequence| {
        let documents = documents(term) as f64;
        (question.min_docs..=question.max_docs).contains(&documents)
            && total(term) >= question.min_count
    };
    let mut kept: Vec<Sequence> = all.into_iter().filter(is_kept).cloned().collect();
    if let Some(features) = question.max_features {
        let sum = |term: &Sequence| match question.binary {
            true => documents(term) as u64,
            false => total(term),
        };
        kept.sort_by_key(|term| Reverse(sum(term)));
        kept.truncate(features);
        kept.sort();
    }
    kept
}
