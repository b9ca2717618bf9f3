//! The selector: which traversal a query uses (tadoc section 4.2).
//!
//! A decision tree chooses from facts that the file stores, without reading a grammar. [`train()`]
//! grows a tree from measured runs. The tree that ships was made by hand from such runs, because
//! its worst choices cost less than those of a grown one. The choice never changes an answer.

mod features;
mod train;
mod tree;
mod trial;

pub use features::Features;
pub use train::{HitRate, cross_validate, train};
pub use tree::{Tree, TreeError};
pub use trial::{Trial, TrialError};

use super::options::{Choice, Options};
use super::task::Traversal;
use super::tasks::Shape;
use crate::corpus::Corpus;
use std::fmt;
use std::sync::OnceLock;

/// The tree that ships with the library.
const DEFAULT_TREE: &str = include_str!("default.tree");

/// The share of documents from which on the counts that the file stores are read. Below it, a traversal
/// of the chosen ones takes less time.
const LEAST_SHARE: f64 = 0.5;

/// A choice of traversal, and why.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The choice.
    pub traversal: Traversal,
    /// What is known of the corpus and the query.
    pub features: Features,
    /// The tests that led to the choice, in order.
    pub reasons: Vec<String>,
    /// What the file stores that makes a traversal unnecessary.
    pub stored: Option<Stored>,
}

/// What a file stores that can answer a query without a traversal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// How often each word occurs in all documents together.
    Totals,
    /// How often each word occurs in each document: the index of `compress --index`.
    Index,
}

impl fmt::Display for Stored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Totals => "none: the file stores how often each word occurs",
            Self::Index => "none: the file stores the words of each document (--index)",
        })
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in self.features.iter() {
            writeln!(f, "{name:>20}  {}", rounded(value))?;
        }
        for reason in &self.reasons {
            writeln!(f, "{:>20}  {reason}", "because")?;
        }
        if let Some(stored) = self.stored {
            let why = match stored {
                Stored::Totals => "the file stores how often each word occurs",
                Stored::Index => "the file stores the words of each document (--index)",
            };
            writeln!(f, "{:>20}  {why}", "because")?;
            return write!(f, "{:>20}  none, else {}", "traversal", self.traversal);
        }
        write!(f, "{:>20}  {}", "traversal", self.traversal)
    }
}

/// A feature for people to read: large ones are counts, or means of many, and need no decimals.
fn rounded(value: f64) -> String {
    let decimals = if value.fract() == 0.0 || value >= 100.0 { 0 } else { 2 };
    format!("{value:.decimals$}")
}

/// The tree in use.
fn tree() -> &'static Tree {
    static TREE: OnceLock<Tree> = OnceLock::new();
    TREE.get_or_init(|| DEFAULT_TREE.parse().expect("the tree in this crate is tested"))
}

/// The tree that ships with the library.
impl Default for Tree {
    fn default() -> Self {
        tree().clone()
    }
}

/// Chooses a traversal.
pub(super) fn decide(corpus: &Corpus, shape: &Shape, options: &Options<'_>) -> Decision {
    let shape = match options.needs_documents() {
        // The documents of words, which an index has too.
        true => &Shape {
            has_documents: true,
            by_item: true,
            is_of_totals: false,
            is_of_counts: shape.is_of_counts || shape.is_of_totals,
            ..*shape
        },
        false => shape,
    };
    let features = Features::new(corpus, shape, options.documents.as_deref());
    let tree = options.tree.as_deref().unwrap_or_else(|| tree());
    let (traversal, reasons) = match options.traversal {
        Choice::Auto => tree.choose(&features),
        Choice::TopDown => {
            let traversal = if features.reaches_most_rules() {
                Traversal::TopDownSingle
            } else {
                Traversal::TopDownDouble
            };
            (traversal, vec!["the query asks for top-down".to_owned()])
        }
        Choice::Fixed(traversal) => (traversal, vec!["the query asks for it".to_owned()]),
    };
    let file = corpus.variant_totals().map_or(corpus, |totals| totals.file());
    let is_of_totals =
        shape.is_of_totals && options.may_be_of_stored_totals() && file.has_word_totals();
    // The counts of a segment are decoded all at once, which few documents do not repay.
    let is_worth_it = features.get("chosen_share").unwrap_or(1.0) >= LEAST_SHARE;
    let is_indexed = || {
        is_worth_it && shape.is_of_counts && options.may_be_of_stored_counts() && corpus.has_index()
    };
    let stored =
        if is_of_totals { Some(Stored::Totals) } else { is_indexed().then_some(Stored::Index) };
    Decision { traversal, features, reasons, stored }
}
