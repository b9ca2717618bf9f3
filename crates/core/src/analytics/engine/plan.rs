//! What is asked of which corpus. Nothing here changes during a run.

use super::ordered;
use super::scope::{self, SegmentScope};
use crate::analytics::options::Options;
use crate::analytics::report::{Meter, Phase};
use crate::analytics::select::{Decision, Stored};
use crate::analytics::task::Traversal;
use crate::analytics::units::RowPlan;
use crate::analytics::words::{Pattern, SklearnTokens, Words};
use crate::corpus::{Corpus, VariantTotals};
use crate::error::QueryError;

/// What is asked.
pub(crate) struct Plan<'c> {
    pub(crate) corpus: &'c Corpus,
    /// If given, words are counted for these totals: `corpus` is their file.
    pub(crate) totals: Option<&'c VariantTotals>,
    pub(crate) options: Options<'c>,
    pub(crate) words: Words<'c>,
    pub(super) sklearn: Option<SklearnTokens>,
    pub(crate) segments: Vec<SegmentScope>,
    /// The units that rows name in place of documents, if any.
    pub(crate) units: Option<RowPlan<'c>>,
    pub(crate) traversal: Traversal,
    /// What the file stores, so that nothing is traversed.
    pub(crate) stored: Option<Stored>,
    pub(crate) threads: usize,
}

impl<'c> Plan<'c> {
    /// Reads what every run needs: dictionary, view, scope.
    pub(super) fn new(
        corpus: &'c Corpus,
        options: Options<'c>,
        decision: &Decision,
        meter: &Meter,
    ) -> Result<Self, QueryError> {
        let mut chosen = options.documents.as_deref();
        chosen.into_iter().flatten().try_for_each(|&document| corpus.check_document(document))?;
        let units = match &options.units {
            None => None,
            units => Some(RowPlan::new(corpus, chosen, units.as_ref())?),
        };
        if let Some(units) = &units {
            chosen = units.documents.as_deref();
        }
        let segments = scope::scope(corpus, chosen);
        let dictionary = meter.time(Phase::Load, || corpus.dictionary())?;
        let (words, sklearn) = match options.view.pattern {
            Pattern::Words => (Words::new(dictionary, &options.view)?, None),
            Pattern::Sklearn => {
                let mut sklearn = SklearnTokens::new(dictionary, options.memory / 8)?;
                for scope in &segments {
                    options.progress.check()?;
                    match corpus.segment(scope.segment) {
                        Ok(grammar) => sklearn.scan(&grammar, scope.borders()),
                        Err(_) if options.keep_going => {}
                        Err(error) => return Err(error.into()),
                    }
                }
                (sklearn.finish(&options.view, segments.len())?, Some(sklearn))
            }
        };
        Ok(Self { sklearn, units, ..Self::with(corpus, options, decision, words, segments) })
    }

    /// For the words of a corpus with edits: what its file stores and what the edits change. The options
    /// must be for that.
    pub(super) fn of_totals(
        totals: &'c VariantTotals,
        options: Options<'c>,
        decision: &Decision,
    ) -> Result<Self, QueryError> {
        let segments = scope::scope(totals.file(), None);
        let words = Words::new(&totals.dictionary, &options.view)?;
        let plan = Self::with(totals.file(), options, decision, words, segments);
        Ok(Self { totals: Some(totals), ..plan })
    }

    fn with(
        corpus: &'c Corpus,
        options: Options<'c>,
        &Decision { traversal, stored, .. }: &Decision,
        words: Words<'c>,
        segments: Vec<SegmentScope>,
    ) -> Self {
        let threads = match options.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        Self {
            corpus,
            totals: None,
            options,
            words,
            sklearn: None,
            segments,
            units: None,
            traversal,
            stored,
            threads,
        }
    }

    /// Whether tokens of the corpus's grammars are the words' tokens.
    pub(crate) fn has_own_tokens(&self) -> bool {
        self.sklearn.is_none()
    }

    /// How many documents, or units, are counted.
    pub(super) fn document_count(&self) -> usize {
        match &self.units {
            Some(units) => units.count(),
            // A piece that continues a document was counted with the first one.
            None => self
                .segments
                .iter()
                .map(|scope| scope.documents.len() - usize::from(scope.continues))
                .sum(),
        }
    }

    /// The number that rows give for a document of the corpus: its own, or that of its unit.
    pub(crate) fn row_of(&self, document: u32) -> u32 {
        match &self.units {
            None => document,
            Some(units) => units.row_of(document as usize) as u32,
        }
    }

    /// Divides documents of a segment into groups that can be counted together because their rows
    /// name the same unit.
    pub(super) fn groups<'d>(
        &self,
        scope: &SegmentScope,
        documents: &'d [usize],
    ) -> impl Iterator<Item = (u32, &'d [usize])> {
        let row = |document: usize| self.row_of(scope.corpus_number(document));
        let together = self.units.is_some() && !self.is_accelerated();
        documents
            .chunk_by(move |&a, &b| together && row(a) == row(b))
            .map(move |group| (row(group[0]), group))
    }

    /// Whether the counts of documents are read from the file.
    pub(crate) fn is_indexed(&self) -> bool {
        self.stored == Some(Stored::Index)
    }

    /// Whether an accelerator counts.
    pub(crate) fn is_accelerated(&self) -> bool {
        self.options.acceleration.is_some()
    }

    /// The number of the word that the view makes of a token of the file.
    pub(super) fn number(&self, token: u32) -> u32 {
        let numbers = self.words.numbers();
        match self.totals {
            None => numbers[token as usize],
            Some(totals) => numbers[totals.shift.of(token) as usize],
        }
    }

    /// Whether the documents of a segment are read from the file one after the other. Damage is then
    /// found when rows have been written already, so not where damage is to be skipped; and pieces of
    /// split documents are read twice, so not for those.
    pub(super) fn is_streamed(&self, scope: &SegmentScope) -> bool {
        self.traversal == Traversal::Stream
            && self.has_own_tokens()
            && !self.is_accelerated()
            && !self.options.keep_going
            && !scope.continues
            && !scope.is_continued
    }

    /// Does `work`; a second thread sorts the words meanwhile, if there is one.
    pub(crate) fn while_ordering<R>(&self, work: impl FnOnce() -> R) -> R {
        // Fewer words are sorted before a thread has started.
        const WORTH_A_THREAD: usize = 1 << 14;
        std::thread::scope(|scope| {
            if self.threads > 1 && self.words.len() >= WORTH_A_THREAD {
                ordered::start(scope, || self.words.order());
            }
            work()
        })
    }

    /// Threads to load a segment with, when all that are needed are loaded at once.
    pub(super) fn threads_a_segment(&self) -> usize {
        self.threads / self.segments.len().max(1)
    }

    /// Size of a segment's text.
    pub(super) fn text_bytes(&self, scope: &SegmentScope) -> u64 {
        self.corpus.facts().segments[scope.segment].sizes.text_bytes
    }

    /// Whether no segment of the scope lies between two, that is, none was skipped.
    pub(crate) fn follows(&self, before: usize, segment: usize) -> bool {
        let place = |number| self.segments.iter().position(|scope| scope.segment == number);
        place(before).zip(place(segment)).is_some_and(|(a, b)| b <= a + 1)
    }
}
