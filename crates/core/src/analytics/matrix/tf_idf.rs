//! TF-IDF: counts become weights, by the definitions of the paper, scikit-learn or gensim.
//!
//! The weights of scikit-learn are equal to the last bit: the same operations in the same order, with
//! numpy's [logarithm](super::logarithm).

use super::logarithm::ln;
use super::run::MatrixRun;
use super::sparse::{Matrix, Terms};
use crate::error::QueryError;
use std::f64::consts::LN_2;

/// How counts become weights. `D` is the number of documents, `DF` the number of those in which a term
/// occurs, `TF` its count in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TfIdf {
    /// `TF · ln(D / DF)`: equations 1 and 2 of the TADOC paper.
    Paper,
    /// As scikit-learn's `TfidfTransformer`.
    Sklearn(SklearnTfIdf),
    /// As gensim's `TfidfModel` by default: `TF · log2(D / DF)`, divided by the Euclidean norm of the
    /// row. Weights of 10⁻¹² and less are left out.
    Gensim,
}

/// The options of scikit-learn's `TfidfTransformer`, by the same names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SklearnTfIdf {
    /// Multiply by the inverse document frequency, `ln(D / DF) + 1`.
    pub use_idf: bool,
    /// Add 1 to `D` and to `DF`.
    pub smooth_idf: bool,
    /// Use `1 + ln(TF)` instead of `TF`.
    pub sublinear_tf: bool,
    /// Divide each row by its norm.
    pub norm: Option<Norm>,
    /// Sum norms as `fit_transform` does, in the order in which it first meets the terms, and not as
    /// `transform` does, in the order of columns. The last bits differ. With a vocabulary both are the
    /// same.
    pub fit_transform: bool,
}

impl Default for SklearnTfIdf {
    fn default() -> Self {
        Self {
            use_idf: true,
            smooth_idf: true,
            sublinear_tf: false,
            norm: Some(Norm::L2),
            fit_transform: true,
        }
    }
}

/// The length of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Norm {
    /// The sum of the weights.
    L1,
    /// The root of the sum of their squares.
    L2,
}

/// gensim leaves out weights that are not above.
const LEAST: f64 = 1e-12;

impl<'c> MatrixRun<'c> {
    /// The same matrix with weights instead of counts. Rows are the documents that are counted for a
    /// term, also where they are [units](super::Units).
    ///
    /// ```no_run
    /// # use zgram::Corpus;
    /// # use zgram::analytics::TfIdf;
    /// # fn main() -> Result<(), zgram::Error> {
    /// let corpus = Corpus::open("news.zgram")?;
    /// let counts = corpus.term_matrix().sklearn().lower().prepare()?;
    /// let weights = counts.tf_idf(TfIdf::Sklearn(Default::default()))?;
    /// weights.for_each_ranked_row(Some(10), |row, keywords| {
    ///     for (term, score) in keywords {
    ///         let word = String::from_utf8_lossy(counts.terms().get(*term as usize));
    ///         println!("{row} {word} {score:.3}");
    ///     }
    ///     Ok(())
    /// })?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// When the corpus is damaged or the run is cancelled.
    pub fn tf_idf(&self, scheme: TfIdf) -> Result<WeightedRun<'_, 'c>, QueryError> {
        let rows = self.row_count() as f64;
        let idf =
            self.document_counts().iter().map(|&documents| scheme.idf(rows, documents as f64));
        let places = match scheme {
            TfIdf::Sklearn(options) if options.fit_transform && options.norm.is_some() => {
                self.places()?
            }
            _ => None,
        };
        let (idf, cells) = (idf.collect(), self.cells());
        let mut run = WeightedRun { run: self, scheme, idf, places, cells };
        if scheme == TfIdf::Gensim {
            // Only the weights say how many there are.
            let mut cells = 0;
            run.for_each_row(|columns, _| {
                cells += columns.len() as u64;
                Ok(())
            })?;
            run.cells = cells;
        }
        Ok(run)
    }
}

impl TfIdf {
    /// The inverse document frequency of a term of `df` documents of `d`.
    fn idf(self, d: f64, df: f64) -> f64 {
        match self {
            // A term of a vocabulary that does not occur.
            Self::Paper | Self::Gensim if df == 0.0 => 0.0,
            Self::Paper => ln(d / df),
            Self::Gensim => ln(d / df) / LN_2,
            Self::Sklearn(SklearnTfIdf { smooth_idf: true, .. }) => {
                ln((d + 1.0) / (df + 1.0)) + 1.0
            }
            Self::Sklearn(_) => ln(d / df) + 1.0,
        }
    }
}

/// A matrix of weights, ready to be read row by row. Rows and columns are those of the counts.
pub struct WeightedRun<'r, 'c> {
    run: &'r MatrixRun<'c>,
    scheme: TfIdf,
    idf: Vec<f64>,
    /// Of columns, if norms are summed in another order.
    places: Option<Vec<u32>>,
    cells: u64,
}

impl WeightedRun<'_, '_> {
    /// The terms that are the columns.
    #[must_use]
    pub fn terms(&self) -> &Terms {
        self.run.terms()
    }

    /// The inverse document frequency of each term.
    #[must_use]
    pub fn idf(&self) -> &[f64] {
        &self.idf
    }

    /// The number of cells that are stored.
    #[must_use]
    pub fn cells(&self) -> u64 {
        self.cells
    }

    /// Passes the columns and weights of each row to `consume`, in order.
    ///
    /// # Errors
    /// When the corpus is damaged, the run is cancelled, or `consume` fails.
    pub fn for_each_row(
        &self,
        mut consume: impl FnMut(&[u32], &[f64]) -> Result<(), QueryError> + Send,
    ) -> Result<(), QueryError> {
        /// Counts whose logarithms are calculated once.
        const FEW: u32 = 1 << 10;
        let is_sublinear = matches!(self.scheme, TfIdf::Sklearn(options) if options.sublinear_tf);
        let few = if is_sublinear { FEW } else { 0 };
        let logarithms = (0..few).map(|count| ln(f64::from(count))).collect();
        let places = self.places.as_deref();
        let weigher = Weigher { scheme: self.scheme, idf: &self.idf, places, logarithms };
        let mut sorted = Vec::new();
        let (mut kept, mut weights) = (Vec::new(), Vec::new());
        self.run.for_each_row(|columns, counts| {
            kept.clear();
            weights.clear();
            weigher.weigh(columns, counts, &mut kept, &mut weights);
            weigher.normalize(&kept, &mut weights, &mut sorted);
            consume(&kept, &weights)
        })
    }

    /// Passes the number of each row and its columns with their weights to `consume`: the highest weight
    /// first, equal ones by column, and at most `top` of them.
    ///
    /// # Errors
    /// When the corpus is damaged, the run is cancelled, or `consume` fails.
    pub fn for_each_ranked_row(
        &self,
        top: Option<usize>,
        mut consume: impl FnMut(usize, &[(u32, f64)]) -> Result<(), QueryError> + Send,
    ) -> Result<(), QueryError> {
        let mut row = 0..;
        let mut ranked: Vec<(u32, f64)> = Vec::new();
        self.for_each_row(|columns, weights| {
            ranked.clear();
            ranked.extend(columns.iter().copied().zip(weights.iter().copied()));
            let order = |a: &(u32, f64), b: &(u32, f64)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
            let top = top.unwrap_or(usize::MAX).min(ranked.len());
            if top < ranked.len() {
                ranked.select_nth_unstable_by(top, order);
                ranked.truncate(top);
            }
            ranked.sort_unstable_by(order);
            consume(row.next().unwrap_or_default(), &ranked)
        })
    }

    /// All rows.
    ///
    /// # Errors
    /// When the corpus is damaged or the run is cancelled.
    pub fn collect(&self) -> Result<Matrix<f64>, QueryError> {
        let cells = self.cells as usize;
        let mut matrix = Matrix::with_capacity(self.terms().len(), self.run.row_count(), cells);
        self.for_each_row(|columns, weights| {
            matrix.push_row(columns, weights.iter().copied());
            Ok(())
        })?;
        Ok(matrix)
    }
}

/// Weighs rows.
struct Weigher<'w> {
    scheme: TfIdf,
    idf: &'w [f64],
    places: Option<&'w [u32]>,
    /// Of small counts, from 0.
    logarithms: Vec<f64>,
}

impl Weigher<'_> {
    fn weigh(&self, columns: &[u32], counts: &[u64], kept: &mut Vec<u32>, weights: &mut Vec<f64>) {
        let idf = |column: &u32| self.idf[*column as usize];
        let cells = columns.iter().zip(counts);
        match self.scheme {
            TfIdf::Paper => {
                kept.extend_from_slice(columns);
                weights.extend(cells.map(|(column, &count)| count as f64 * idf(column)));
            }
            TfIdf::Gensim => {
                let cells = cells.filter(|(column, _)| idf(column).abs() > LEAST);
                for (column, &count) in cells {
                    kept.push(*column);
                    weights.push(count as f64 * idf(column));
                }
                let norm = Norm::L2.of(weights.iter().copied());
                divide(weights, norm);
                let is_kept: Vec<bool> =
                    weights.iter().map(|weight| weight.abs() > LEAST).collect();
                if is_kept.contains(&false) {
                    let mut each = is_kept.iter();
                    kept.retain(|_| *each.next().unwrap_or(&true));
                    let mut each = is_kept.iter();
                    weights.retain(|_| *each.next().unwrap_or(&true));
                }
            }
            TfIdf::Sklearn(options) => {
                kept.extend_from_slice(columns);
                match options.sublinear_tf {
                    true => weights.extend(counts.iter().map(|&count| self.logarithm(count) + 1.0)),
                    false => weights.extend(counts.iter().map(|&count| count as f64)),
                }
                if options.use_idf {
                    for (weight, column) in weights.iter_mut().zip(columns) {
                        *weight *= self.idf[*column as usize];
                    }
                }
            }
        }
    }

    /// Divides a row of scikit-learn's weights by its norm.
    fn normalize(&self, columns: &[u32], weights: &mut [f64], sorted: &mut Vec<(u32, f64)>) {
        let TfIdf::Sklearn(SklearnTfIdf { norm: Some(norm), .. }) = self.scheme else { return };
        let Some(places) = self.places else {
            let norm = norm.of(weights.iter().copied());
            return divide(weights, norm);
        };
        sorted.clear();
        let place = |&column: &u32| places[column as usize];
        sorted.extend(columns.iter().map(place).zip(weights.iter().copied()));
        sorted.sort_unstable_by_key(|&(place, _)| place);
        divide(weights, norm.of(sorted.iter().map(|&(_, weight)| weight)));
    }

    fn logarithm(&self, count: u64) -> f64 {
        let place = usize::try_from(count).unwrap_or(usize::MAX);
        self.logarithms.get(place).copied().unwrap_or_else(|| ln(count as f64))
    }
}

impl Norm {
    /// The norm of weights, summed in this order.
    fn of(self, weights: impl Iterator<Item = f64>) -> f64 {
        match self {
            Self::L1 => weights.fold(0.0, |sum, weight| sum + weight.abs()),
            Self::L2 => weights.fold(0.0, |sum, weight| sum + weight * weight).sqrt(),
        }
    }
}

/// Divides weights by a norm, unless that is 0.
fn divide(weights: &mut [f64], by: f64) {
    if by != 0.0 {
        weights.iter_mut().for_each(|weight| *weight /= by);
    }
}
