//! A plan and the ledger of its run.

use super::Passes;
use super::plan::Plan;
use super::scope::SegmentScope;
use crate::analytics::options::Options;
use crate::analytics::report::{Meter, Phase, Report};
use crate::analytics::select::{Decision, Stored};
use crate::analytics::tasks::Shape;
use crate::corpus::{Corpus, OpenSegment, VariantTotals};
use crate::error::{OpenError, QueryError};
use crate::progress::Stage;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// What all parts of a run share: what is asked, and the ledger of the run.
pub(crate) struct Setting<'c> {
    pub(crate) plan: Plan<'c>,
    pub(crate) ledger: Ledger,
}

/// What a run notes while it goes: costs, progress, failures.
#[derive(Default)]
pub(crate) struct Ledger {
    pub(crate) meter: Meter,
    /// Damaged segments that were skipped.
    damaged: Mutex<Vec<(usize, OpenError)>>,
    /// Bytes of text to traverse, as far as is known.
    expected: AtomicU64,
    /// Why an accelerator failed.
    pub(super) failures: Mutex<Vec<String>>,
}

impl<'c> Setting<'c> {
    /// For a question to a corpus.
    pub(crate) fn new(
        corpus: &'c Corpus,
        options: Options<'c>,
        decision: &Decision,
    ) -> Result<Self, QueryError> {
        let ledger = Ledger::default();
        let plan = Plan::new(corpus, options, decision, &ledger.meter)?;
        Ok(Self { plan, ledger })
    }

    /// For a question of this shape. The words of a corpus with edits are counted without applying those,
    /// where that is possible.
    pub(crate) fn of_shape(
        corpus: &'c Corpus,
        options: Options<'c>,
        decision: &Decision,
        shape: &Shape,
    ) -> Result<Self, QueryError> {
        let is_of_totals = decision.stored == Some(Stored::Totals)
            || shape.is_of_totals && options.are_for_totals(decision.traversal);
        match corpus.variant_totals() {
            Some(totals) if is_of_totals => Self::of_totals(totals, options, decision),
            _ => Self::new(corpus, options, decision),
        }
    }

    /// For the words of a corpus with edits: see [`Plan::of_totals`].
    fn of_totals(
        totals: &'c VariantTotals,
        options: Options<'c>,
        decision: &Decision,
    ) -> Result<Self, QueryError> {
        Ok(Self { plan: Plan::of_totals(totals, options, decision)?, ledger: Ledger::default() })
    }

    /// Opens a segment for reading; `None` if it is damaged and to be skipped. Of an indexed segment,
    /// `of_counts` gets the counts of words instead of a grammar.
    pub(crate) fn load(
        &self,
        scope: &SegmentScope,
        of_counts: bool,
    ) -> Result<Option<OpenSegment>, QueryError> {
        let Plan { corpus, options, sklearn, .. } = &self.plan;
        options.progress.check()?;
        let opened = self.ledger.meter.time(Phase::Load, || {
            if of_counts && self.plan.is_indexed() {
                return corpus.counted_segment(scope.segment);
            }
            if self.plan.is_streamed(scope) {
                return corpus.open_segment(scope.segment);
            }
            if let Some(words) = sklearn.as_ref().and_then(|sklearn| sklearn.kept(scope.segment)) {
                return Ok(words.into());
            }
            let grammar = corpus.segment_by(scope.segment, self.plan.threads_a_segment())?;
            Ok(match sklearn {
                Some(sklearn) => sklearn.tokenise(&grammar, scope.borders()).into(),
                None => grammar.into(),
            })
        });
        let opened = opened.inspect(|segment: &OpenSegment| {
            if !segment.documents().are_counted() {
                let rules = segment.documents().grammar().rule_count() as u64;
                self.ledger.meter.rules.fetch_add(rules, Ordering::Relaxed);
            }
        });
        self.unless_damaged(scope, opened)
    }

    /// Notes damage and returns `None` where damage is to be skipped.
    pub(super) fn unless_damaged<T>(
        &self,
        scope: &SegmentScope,
        loaded: Result<T, OpenError>,
    ) -> Result<Option<T>, QueryError> {
        match loaded {
            Ok(loaded) => Ok(Some(loaded)),
            Err(error @ OpenError::Container { .. }) if self.plan.options.keep_going => {
                let mut damaged = self.ledger.damaged.lock().expect("no holder panics");
                if damaged.iter().all(|(segment, _)| *segment != scope.segment) {
                    damaged.push((scope.segment, error));
                }
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Segments are about to be traversed, perhaps not for the first time.
    pub(crate) fn begin(&self, segments: &[SegmentScope]) {
        let bytes = segments.iter().map(|scope| self.plan.text_bytes(scope));
        let bytes = bytes.fold(0, u64::saturating_add);
        let total = self.ledger.expected.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        self.plan.options.progress.expect(Stage::Traversing, total);
    }

    /// A segment is done; `reported` bytes of its text were reported before.
    pub(crate) fn end(&self, scope: &SegmentScope, reported: u64) {
        let rest = self.plan.text_bytes(scope).saturating_sub(reported);
        self.plan.options.progress.advance(Stage::Traversing, rest);
    }

    /// Symbols were visited.
    pub(crate) fn visited(&self, symbols: u64) {
        self.ledger.meter.symbols.fetch_add(symbols, Ordering::Relaxed);
    }

    /// What the run cost.
    pub(crate) fn into_report(self, Passes(passes): Passes) -> Report {
        let Plan { traversal, stored, .. } = self.plan;
        let mut damaged = self.ledger.damaged.into_inner().expect("no holder panics");
        damaged.sort_by_key(|(segment, _)| *segment);
        Report {
            traversal: stored.is_none().then_some(traversal),
            stored,
            passes,
            damaged: damaged.into_iter().map(|(_, error)| error).collect(),
            failures: self.ledger.failures.into_inner().expect("no holder panics"),
            ..self.ledger.meter.into_report()
        }
    }
}
