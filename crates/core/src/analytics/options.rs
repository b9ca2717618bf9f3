//! What every question can be told.

use super::accelerate::Acceleration;
use super::select::Tree;
use super::task::Traversal;
use super::words::{Pattern, View};
use crate::progress::{Progress, Silent};
use std::sync::Arc;

/// Memory for an answer where no ceiling is given.
const DEFAULT_MEMORY: u64 = 2 << 30;

/// How a question is to be answered.
#[derive(Clone)]
pub(crate) struct Options<'c> {
    /// Chosen documents; all if `None`.
    pub(crate) documents: Option<Vec<usize>>,
    pub(crate) view: View,
    pub(crate) traversal: Choice,
    /// The selector's tree, if not the default one.
    pub(crate) tree: Option<Arc<Tree>>,
    /// 0 for one a core.
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
    /// The selector, from what is known of the corpus.
    #[default]
    Auto,
    /// Top-down; the selector says with which bitmap.
    TopDown,
    /// The asker.
    Fixed(Traversal),
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            documents: None,
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
    /// Whether words may be counted without going through grammars: nobody asks for that, for some
    /// documents only, or for other words than the corpus has.
    pub(crate) fn may_be_of_stored_totals(&self) -> bool {
        self.traversal == Choice::Auto
            && self.documents.is_none()
            && self.view.pattern == Pattern::Words
            && self.acceleration.is_none()
            && !self.keep_going
    }

    /// Whether words can be counted by tallying whole segments: how often each symbol stands in the
    /// root decides, not where.
    pub(crate) fn are_for_totals(&self, traversal: Traversal) -> bool {
        traversal.is_top_down()
            && self.documents.is_none()
            && self.view.pattern == Pattern::Words
            && self.acceleration.is_none()
            // What is in a segment that is passed over, the edits may have changed.
            && !self.keep_going
    }
}
