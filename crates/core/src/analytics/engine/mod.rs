//! Runs a question: loads segments, counts items in documents, puts the answer together.
//!
//! An answer has *items* (words, or sequences of words) and a *shape*: rows for each document, for
//! each item, or for the corpus. The six tasks are the pairs of the two:
//!
//! | | [by document](by_document) | [by item](by_item) | [of the corpus](totals) |
//! |---|---|---|---|
//! | [words](words) | term vector | inverted index | word count, sort |
//! | [sequences](sequences) | sequence count | ranked inverted index | sequence count of the corpus |

mod accelerated;
pub(crate) mod by_document;
pub(crate) mod by_item;
mod count_list;
mod even_chunks;
mod items;
pub(crate) mod of_corpus;
mod ordered;
mod passes;
pub(crate) mod ranked_index;
mod rows;
mod scope;
pub(crate) mod sequence_items;
mod shares;
mod spill;
pub(crate) mod word_items;
pub(crate) mod word_totals;

pub(crate) use items::{Count, Prepare, Ranged};
pub(crate) use ordered::Outlet;
pub(crate) use rows::{Ranking, Writer};
pub(crate) use shares::{Division, Loaded, Share, for_each_share};

use super::options::Options;
use super::report::{Meter, Phase, Report};
use super::task::Traversal;
use super::words::{Pattern, SklearnTokens, Words};
use crate::corpus::{Corpus, OpenSegment, VariantTotals};
use crate::error::Error;
use crate::progress::Stage;
pub(crate) use scope::SegmentScope;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// What all parts of a run know.
pub(crate) struct Setting<'c> {
    pub(crate) corpus: &'c Corpus,
    /// If given, words are counted for those: `corpus` is their file.
    totals: Option<&'c VariantTotals>,
    pub(crate) options: Options<'c>,
    pub(crate) words: Words<'c>,
    sklearn: Option<SklearnTokens<'c>>,
    pub(crate) segments: Vec<SegmentScope>,
    pub(crate) traversal: Traversal,
    /// Words are counted by what the file tells, without a traversal.
    pub(crate) is_stored: bool,
    pub(crate) threads: usize,
    pub(crate) meter: Meter,
    damaged: Mutex<Vec<(usize, Error)>>,
    /// Bytes of text that are to be gone through, as far as is known.
    expected: AtomicU64,
    /// Why an accelerator failed.
    failures: Mutex<Vec<String>>,
}

impl<'c> Setting<'c> {
    /// Reads what every run needs: dictionary, view, scope.
    pub(crate) fn new(
        corpus: &'c Corpus,
        options: Options<'c>,
        traversal: Traversal,
    ) -> Result<Self, Error> {
        let chosen = options.documents.iter().flatten();
        chosen.into_iter().try_for_each(|&document| corpus.check_document(document))?;
        let meter = Meter::default();
        let segments = scope::scope(corpus, options.documents.as_deref());
        let dictionary = meter.time(Phase::Load, || corpus.dictionary())?;
        let (words, sklearn) = match options.view.pattern {
            Pattern::Words => (Words::new(dictionary, &options.view)?, None),
            Pattern::Sklearn => {
                let mut sklearn = SklearnTokens::new(dictionary)?;
                for scope in &segments {
                    options.progress.check()?;
                    match corpus.segment(scope.segment) {
                        Ok(grammar) => sklearn.scan(&grammar, scope.borders()),
                        Err(_) if options.keep_going => {}
                        Err(error) => return Err(error),
                    }
                }
                (sklearn.finish(&options.view)?, Some(sklearn))
            }
        };
        let setting = Self::with(corpus, options, traversal, words, segments);
        Ok(Self { sklearn, meter, ..setting })
    }

    /// For the words of a corpus with edits, told by its file and what the edits change. The options
    /// must be for that.
    pub(crate) fn of_totals(
        totals: &'c VariantTotals,
        options: Options<'c>,
        traversal: Traversal,
    ) -> Result<Self, Error> {
        let segments = scope::scope(totals.file(), None);
        let words = Words::new(&totals.dictionary, &options.view)?;
        let setting = Self::with(totals.file(), options, traversal, words, segments);
        Ok(Self { totals: Some(totals), ..setting })
    }

    fn with(
        corpus: &'c Corpus,
        options: Options<'c>,
        traversal: Traversal,
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
            traversal,
            is_stored: false,
            threads,
            meter: Meter::default(),
            damaged: Mutex::default(),
            expected: AtomicU64::new(0),
            failures: Mutex::default(),
        }
    }

    /// Whether tokens of the corpus's grammars are the words' tokens.
    pub(crate) fn has_own_tokens(&self) -> bool {
        self.sklearn.is_none()
    }

    /// The number of the word that a token of the file is seen as.
    fn number(&self, token: u32) -> u32 {
        let numbers = self.words.numbers();
        match self.totals {
            None => numbers[token as usize],
            Some(totals) => numbers[totals.shift.of(token) as usize],
        }
    }

    /// A segment, opened to be read; `None` if it is damaged and that is to be passed over.
    pub(crate) fn load(&self, scope: &SegmentScope) -> Result<Option<OpenSegment>, Error> {
        self.options.progress.check()?;
        let opened = self.meter.time(Phase::Load, || {
            if self.is_streamed(scope) {
                return self.corpus.open_segment(scope.segment);
            }
            let grammar = self.corpus.segment_by(scope.segment, self.threads_a_segment())?;
            Ok(match &self.sklearn {
                Some(sklearn) => sklearn.tokenise(&grammar, scope.borders()).into(),
                None => grammar.into(),
            })
        });
        let opened = opened.inspect(|segment: &OpenSegment| {
            let rules = segment.documents().grammar().rule_count() as u64;
            self.meter.rules.fetch_add(rules, Ordering::Relaxed);
        });
        self.unless_damaged(scope, opened)
    }

    /// Whether the documents of a segment are read from the file one after the other. What is wrong
    /// with the file is then told when rows have been written already, so not if that is to be passed
    /// over; and pieces of documents are looked at once more.
    fn is_streamed(&self, scope: &SegmentScope) -> bool {
        self.traversal == Traversal::Stream
            && self.has_own_tokens()
            && !self.is_accelerated()
            && !self.options.keep_going
            && !scope.continues
            && !scope.is_continued
    }

    /// Does `work`; meanwhile the words are put in order, if there is a thread for it.
    pub(crate) fn while_ordering<R>(&self, work: impl FnOnce() -> R) -> R {
        // Fewer are in order before a thread has begun.
        const WORTH_A_THREAD: usize = 1 << 14;
        std::thread::scope(|scope| {
            if self.threads > 1 && self.words.len() >= WORTH_A_THREAD {
                ordered::start(scope, || self.words.order());
            }
            work()
        })
    }

    /// Threads to load a segment with, when all that are needed are loaded at once.
    pub(crate) fn threads_a_segment(&self) -> usize {
        self.threads / self.segments.len().max(1)
    }

    /// Passes over damage when asked to go on.
    pub(crate) fn unless_damaged<T>(
        &self,
        scope: &SegmentScope,
        loaded: Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        match loaded {
            Ok(loaded) => Ok(Some(loaded)),
            Err(error @ Error::Container { .. }) if self.options.keep_going => {
                let mut damaged = self.damaged.lock().expect("no holder panics");
                if damaged.iter().all(|(segment, _)| *segment != scope.segment) {
                    damaged.push((scope.segment, error));
                }
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Segments are about to be worked on, perhaps not for the first time.
    fn will_go_through(&self, segments: &[SegmentScope]) {
        let bytes = segments.iter().fold(0u64, |sum, s| sum.saturating_add(self.text_bytes(s)));
        let total = self.expected.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
        self.options.progress.expect(Stage::Traversing, total);
    }

    /// A segment is done, of which so many bytes were told before.
    fn went_through(&self, scope: &SegmentScope, told: u64) {
        let rest = self.text_bytes(scope).saturating_sub(told);
        self.options.progress.advance(Stage::Traversing, rest);
    }

    fn text_bytes(&self, scope: &SegmentScope) -> u64 {
        self.corpus.facts().segments[scope.segment].sizes.text_bytes
    }

    /// What the run cost.
    pub(crate) fn into_report(self, passes: u64) -> Report {
        let mut damaged = self.damaged.into_inner().expect("no holder panics");
        damaged.sort_by_key(|(segment, _)| *segment);
        Report {
            traversal: (!self.is_stored).then_some(self.traversal),
            passes,
            damaged: damaged.into_iter().map(|(_, error)| error).collect(),
            failures: self.failures.into_inner().expect("no holder panics"),
            ..self.meter.into_report()
        }
    }

    /// Whether no segment of the scope lies between two, that is, none was passed over.
    pub(crate) fn follows(&self, before: usize, segment: usize) -> bool {
        let place = |number| self.segments.iter().position(|scope| scope.segment == number);
        place(before).zip(place(segment)).is_some_and(|(a, b)| b <= a + 1)
    }

    /// Symbols were looked at.
    pub(crate) fn visited(&self, symbols: u64) {
        self.meter.symbols.fetch_add(symbols, Ordering::Relaxed);
    }
}
