//! Options that all queries have.

use super::accelerate::Acceleration;
use super::limits::Limits;
use super::select::Tree;
use super::task::Traversal;
use super::units::Units;
use super::words::{Pattern, View};
use crate::progress::{Progress, Silent};
use std::sync::Arc;

/// Default memory for intermediate results.
const DEFAULT_MEMORY: u64 = 2 << 30;

/// How a query is answered.
#[derive(Clone)]
pub(crate) struct Options<'c> {
    /// Chosen documents; all if `None`.
    pub(crate) documents: Option<Vec<usize>>,
    /// What rows name in place of documents.
    pub(crate) units: Option<Units>,
    pub(crate) limits: Limits,
    /// Whether rows for all documents together say in how many of them the item occurs.
    pub(crate) counts_documents: bool,
    pub(crate) view: View,
    pub(crate) traversal: Choice,
    /// The selector's tree, if not the default one.
    pub(crate) tree: Option<Arc<Tree>>,
    /// 0 for one per core.
    pub(crate) threads: usize,
    pub(crate) acceleration: Option<Acceleration<'c>>,
    pub(crate) memory: u64,
    pub(crate) top: Option<usize>,
    pub(crate) keep_going: bool,
    pub(crate) progress: &'c dyn Progress,
}

/// Who chooses the traversal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// The selector, from facts of the corpus.
    #[default]
    Auto,
    /// Top-down; the selector chooses the bitmap.
    TopDown,
    /// The caller.
    Fixed(Traversal),
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            documents: None,
            units: None,
            limits: Limits::default(),
            counts_documents: false,
            view: View::default(),
            traversal: Choice::default(),
            tree: None,
            threads: 0,
            acceleration: None,
            memory: DEFAULT_MEMORY,
            top: None,
            keep_going: false,
            progress: &Silent,
        }
    }
}

impl Options<'_> {
    /// Whether an answer for all documents together needs the documents of each item.
    pub(crate) fn needs_documents(&self) -> bool {
        self.counts_documents || self.limits.are_of_documents()
    }

    /// Whether stored totals may answer: as for stored counts, and all documents are chosen.
    pub(crate) fn may_be_of_stored_totals(&self) -> bool {
        self.may_be_of_stored_counts() && self.documents.is_none() && !self.needs_documents()
    }

    /// Whether the stored counts of documents may answer: no traversal is asked for, and words are those
    /// of the dictionary.
    pub(crate) fn may_be_of_stored_counts(&self) -> bool {
        self.traversal == Choice::Auto
            && self.view.pattern == Pattern::Words
            && self.acceleration.is_none()
            && !self.keep_going
    }

    /// Whether words can be counted by tallying whole segments, where only the counts of the root's
    /// symbols matter, not their order.
    pub(crate) fn are_for_totals(&self, traversal: Traversal) -> bool {
        traversal.is_top_down()
            && !self.needs_documents()
            && self.documents.is_none()
            && self.view.pattern == Pattern::Words
            && self.acceleration.is_none()
            // Edits may have changed what is in a skipped segment.
            && !self.keep_going
    }
}
