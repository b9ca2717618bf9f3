//! Co-occurrences from the plain text, with fractions.

use super::View;
use crate::Document;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

/// On which side of a word its row counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sides {
    /// Both.
    #[default]
    Both,
    /// The words before it.
    Left,
    /// The words after it.
    Right,
}

/// Which co-occurrences are asked for.
#[derive(Clone, Debug)]
pub struct CooccurrenceQuestion {
    /// What counts as a word, and as the same word.
    pub view: View,
    /// The largest distance.
    pub window: usize,
    /// Whether a pair weighs one divided by its distance, instead of one.
    pub inverse: bool,
    /// Where a row looks.
    pub sides: Sides,
    /// Whether the end of a line separates words, besides the end of a document.
    pub lines: bool,
    /// The fewest occurrences of a word.
    pub min_count: u64,
    /// The most words.
    pub max_vocab: Option<usize>,
    /// Only the diagonal and the cells right of it.
    pub upper: bool,
}

impl Default for CooccurrenceQuestion {
    fn default() -> Self {
        Self {
            view: View::default(),
            window: 15,
            inverse: true,
            sides: Sides::Both,
            lines: false,
            min_count: 1,
            max_vocab: None,
            upper: false,
        }
    }
}

/// A square matrix of words.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cooccurrences {
    /// By rank.
    pub terms: Vec<String>,
    /// Occurrences of each word.
    pub counts: Vec<u64>,
    /// The columns of each row and their values, rising by column.
    pub rows: Vec<Vec<(u32, f64)>>,
}

/// A fraction in lowest terms.
type Fraction = (u128, u128);

/// The co-occurrences in these documents; nothing if there are no words.
#[must_use]
pub fn cooccurrence(documents: &[Document], asked: &CooccurrenceQuestion) -> Cooccurrences {
    let mut texts: Vec<Vec<String>> = Vec::new();
    for document in documents {
        let lines = document.text.split(|&byte| asked.lines && byte == b'\n');
        texts.extend(lines.map(|line| asked.view.words(line).into_iter().flatten().collect()));
    }
    let mut counts: BTreeMap<&String, u64> = BTreeMap::new();
    texts.iter().flatten().for_each(|word| *counts.entry(word).or_default() += 1);
    let mut kept: Vec<(&String, u64)> =
        counts.into_iter().filter(|&(_, count)| count >= asked.min_count).collect();
    kept.sort_by_key(|&(_, count)| Reverse(count));
    kept.truncate(asked.max_vocab.unwrap_or(usize::MAX));
    let ranks: HashMap<&String, u32> = kept.iter().map(|&(word, _)| word).zip(0..).collect();
    let mut cells: Vec<BTreeMap<u32, Fraction>> = vec![BTreeMap::new(); kept.len()];
    for text in &texts {
        let text: Vec<u32> = text.iter().filter_map(|word| ranks.get(word).copied()).collect();
        for (at, &word) in text.iter().enumerate() {
            for (distance, &before) in (1..=asked.window).zip(text[..at].iter().rev()) {
                let weight = (1, if asked.inverse { distance as u128 } else { 1 });
                let mut add = |row: u32, column: u32| {
                    let cell = cells[row as usize].entry(column).or_insert((0, 1));
                    *cell = sum(*cell, weight);
                };
                if asked.sides != Sides::Right {
                    add(word, before);
                }
                if asked.sides != Sides::Left {
                    add(before, word);
                }
            }
        }
    }
    let row = |(word, cells): (u32, BTreeMap<u32, Fraction>)| {
        let wanted = cells.into_iter().filter(|&(column, _)| !asked.upper || column >= word);
        wanted.map(|(column, fraction)| (column, rounded(fraction))).collect()
    };
    Cooccurrences {
        rows: (0..).zip(cells).map(row).collect(),
        terms: kept.iter().map(|(word, _)| (*word).clone()).collect(),
        counts: kept.iter().map(|&(_, count)| count).collect(),
    }
}

/// The nearest number. Fractions here are at least 1 / 46, so 60 bits below the point are enough to tell.
fn rounded((above, below): Fraction) -> f64 {
    let scaled = above << 60;
    let bits = (scaled / below) | u128::from(scaled % below > 0);
    bits as f64 / 2f64.powi(60)
}

fn sum((a, b): Fraction, (c, d): Fraction) -> Fraction {
    let (above, below) = (a * d + c * b, b * d);
    let (mut x, mut y) = (above, below);
    while y > 0 {
        (x, y) = (y, x % y);
    }
    (above / x, below / x)
}

/// A word near another.
#[derive(Clone, Debug, PartialEq)]
pub struct Near {
    /// The word.
    pub word: String,
    /// Its log-Dice, pointwise mutual information, log-likelihood and t-score.
    pub scores: [f64; 4],
    /// Pairs of the two words.
    pub cooccurrences: u64,
    /// Occurrences of the word.
    pub count: u64,
}

/// The words near `word`, by rank. Windows are flat and all words count, whatever the question says.
#[must_use]
pub fn collocates(documents: &[Document], word: &str, asked: &CooccurrenceQuestion) -> Vec<Near> {
    let all = CooccurrenceQuestion {
        inverse: false,
        min_count: 1,
        max_vocab: None,
        upper: false,
        ..asked.clone()
    };
    let all = cooccurrence(documents, &all);
    let Some(own) = all.terms.iter().position(|term| term == word) else { return Vec::new() };
    let pairs = |wanted: &dyn Fn(usize, usize) -> bool| -> f64 {
        let cells = all.rows.iter().enumerate().flat_map(|(row, cells)| {
            cells.iter().map(move |&(column, value)| (row, column as usize, value))
        });
        cells.filter(|&(row, column, _)| wanted(row, column)).map(|(_, _, value)| value).sum()
    };
    let near = |&(column, o): &(u32, f64)| {
        let column = column as usize;
        let n = pairs(&|_, _| true);
        let r = pairs(&|row, _| row == own);
        let c = pairs(&|_, other| other == column);
        let e = r * c / n;
        let dice = 2.0 * o / (all.counts[own] + all.counts[column]) as f64;
        let table = [
            (o, e),
            (r - o, r * (n - c) / n),
            (c - o, (n - r) * c / n),
            (n - r - c + o, (n - r) * (n - c) / n),
        ];
        let term = |&(found, by_chance): &(f64, f64)| match found == 0.0 {
            true => 0.0,
            false => 2.0 * found * (found / by_chance).ln(),
        };
        let ratio = table.iter().map(term).sum::<f64>();
        let signed = if o < e { -ratio } else { ratio };
        Near {
            word: all.terms[column].clone(),
            scores: [14.0 + dice.log2(), (o / e).log2(), signed, (o - e) / o.sqrt()],
            cooccurrences: o as u64,
            count: all.counts[column],
        }
    };
    all.rows[own].iter().map(near).collect()
}
