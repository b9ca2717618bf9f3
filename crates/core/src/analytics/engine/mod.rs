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
mod listed;
mod ordered;
mod rows;
mod scope;
pub(crate) mod sequences;
mod share;
mod spill;
pub(crate) mod totals;
pub(crate) mod words;

pub(crate) use rows::{Ranking, Writer, order_by_count};

use super::options::Options;
use super::report::{Meter, Phase, Report};
use super::sequences::{Edges, Key, Packing};
use super::task::Traversal;
use super::words::{Pattern, Regrouping, Words};
use crate::corpus::Corpus;
use crate::error::Error;
use crate::grammar::Grammar;
use ordered::Outlet;
use scope::SegmentScope;
use share::even_chunks;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::Ordering;

/// What all parts of a run know.
pub(crate) struct Setting<'c> {
    pub(crate) corpus: &'c Corpus,
    pub(crate) options: &'c Options<'c>,
    pub(crate) words: Words<'c>,
    regrouping: Option<Regrouping<'c>>,
    pub(crate) segments: Vec<SegmentScope>,
    pub(crate) traversal: Traversal,
    pub(crate) threads: usize,
    pub(crate) meter: Meter,
    damaged: Mutex<Vec<(usize, Error)>>,
    /// Why an accelerator failed.
    failures: Mutex<Vec<String>>,
}

/// Things that are counted.
pub(crate) trait Items: Sync {
    type Key: Key;
    /// What is made ready once for a segment.
    type Prepared<'g>: Sync;
    /// What a thread writes to while counting.
    type Scratch;

    fn packing(&self) -> &Packing;

    /// Makes ready to count `documents` of a segment, each apart or all together.
    fn prepare<'g>(
        &self,
        grammar: &'g Grammar,
        documents: &[usize],
        by_document: bool,
    ) -> Result<Self::Prepared<'g>, Error>;

    fn scratch(&self, prepared: &Self::Prepared<'_>) -> Self::Scratch;

    /// Counts the items of `documents`, taken together, and appends them to `counts`, rising.
    /// Returns how many symbols were looked at.
    fn count(
        &self,
        prepared: &Self::Prepared<'_>,
        documents: &[usize],
        scratch: &mut Self::Scratch,
        counts: &mut Vec<(Self::Key, u64)>,
    ) -> u64;

    /// Counts the items of one document and puts them in order. Returns how many symbols were looked
    /// at.
    fn rank(
        &self,
        prepared: &Self::Prepared<'_>,
        document: usize,
        scratch: &mut Self::Scratch,
        ranking: &mut Ranking<Self::Key>,
    ) -> u64;

    /// Whether counting several documents together is less work than one after the other.
    fn prefers_together(prepared: &Self::Prepared<'_>) -> bool;

    /// What items that span pieces of a document need to know of a piece.
    fn edges(&self, grammar: &Grammar, document: usize) -> Edges;

    /// Ranges of first words such that the items of each fit in memory.
    fn passes(&self, segments: &[SegmentScope]) -> Result<Vec<Range<u32>>, Error>;

    /// Counts only items whose first word has a rank in `first_words` from now on.
    fn within(&mut self, first_words: Range<u32>);

    /// Whether an item is within the range.
    fn is_wanted(&self, key: &Self::Key) -> bool;
}

/// A share of the work: documents of a segment, by one thread.
pub(crate) struct Share<'a, 'g, I: Items> {
    pub(crate) grammar: &'g Grammar,
    pub(crate) prepared: &'a I::Prepared<'g>,
    pub(crate) scope: &'a SegmentScope,
    pub(crate) documents: &'a [usize],
}

/// Runs `work` on shares of the documents and hands what they emit to `consume`, in order. Segments
/// are worked on at once (tadoc section 4.3: coarse-grained); within a segment several shares are,
/// where segments are fewer than threads and no accelerator counts whole segments.
pub(crate) fn for_each_share<I, T, W>(
    setting: &Setting<'_>,
    items: &I,
    segments: &[SegmentScope],
    by_document: bool,
    work: W,
    consume: &mut (dyn FnMut(T) -> Result<(), Error> + Send),
) -> Result<(), Error>
where
    I: Items,
    T: Send,
    W: Fn(Share<'_, '_, I>, &mut Outlet<'_, '_, T, Error>) -> Result<(), Error> + Sync,
{
    if segments.len() >= setting.threads || setting.is_accelerated() {
        let segment = |unit: usize, outlet: &mut Outlet<'_, '_, T, Error>| {
            let scope = &segments[unit];
            let Some(grammar) = setting.load(scope)? else { return Ok(()) };
            let prepare = || items.prepare(&grammar, &scope.documents, by_document);
            let prepared = setting.meter.time(Phase::Traverse, prepare)?;
            let (grammar, prepared) = (&grammar, &prepared);
            work(Share { grammar, prepared, scope, documents: &scope.documents }, outlet)
        };
        return ordered::run(setting.threads, segments.len(), segment, consume);
    }
    for scope in segments {
        let Some(grammar) = setting.load(scope)? else { continue };
        let prepare = || items.prepare(&grammar, &scope.documents, by_document);
        let prepared = setting.meter.time(Phase::Traverse, prepare)?;
        let (grammar, prepared) = (&grammar, &prepared);
        let size = |document: usize| grammar.document(document).len();
        let chunks = even_chunks(&scope.documents, size, 8 * setting.threads);
        let chunk = |unit: usize, outlet: &mut Outlet<'_, '_, T, Error>| {
            work(Share { grammar, prepared, scope, documents: chunks[unit] }, outlet)
        };
        ordered::run(setting.threads, chunks.len(), chunk, &mut *consume)?;
    }
    Ok(())
}

impl<'c> Setting<'c> {
    /// Reads what every run needs: dictionary, view, scope.
    pub(crate) fn new(
        corpus: &'c Corpus,
        options: &'c Options<'c>,
        choose: impl FnOnce() -> Traversal,
    ) -> Result<Self, Error> {
        let meter = Meter::default();
        let segments = scope::scope(corpus, options.documents.as_deref());
        let dictionary = meter.time(Phase::Load, || corpus.dictionary())?;
        let (words, regrouping) = match options.view.pattern {
            Pattern::Words => (Words::new(dictionary, &options.view), None),
            Pattern::ScikitLearn => {
                let mut regrouping = Regrouping::new(dictionary);
                for scope in &segments {
                    options.progress.check()?;
                    match corpus.segment(scope.segment) {
                        Ok(grammar) => regrouping.learn(&grammar, scope.place()),
                        Err(_) if options.keep_going => {}
                        Err(error) => return Err(error),
                    }
                }
                (regrouping.finish(&options.view), Some(regrouping))
            }
        };
        let threads = match options.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let traversal = choose();
        Ok(Self {
            corpus,
            options,
            words,
            regrouping,
            segments,
            traversal,
            threads,
            meter,
            damaged: Mutex::default(),
            failures: Mutex::default(),
        })
    }

    /// Whether tokens of the corpus's grammars are the words' tokens.
    pub(crate) fn has_own_tokens(&self) -> bool {
        self.regrouping.is_none()
    }

    /// A segment's grammar; `None` if it is damaged and that is to be passed over.
    pub(crate) fn load(&self, scope: &SegmentScope) -> Result<Option<Grammar>, Error> {
        self.options.progress.check()?;
        let loaded = self.meter.time(Phase::Load, || self.corpus.segment(scope.segment));
        let grammar = loaded.map(|grammar| {
            self.meter.rules.fetch_add(grammar.rule_count() as u64, Ordering::Relaxed);
            match &self.regrouping {
                Some(regrouping) => regrouping.regroup(&grammar, scope.place()),
                None => grammar,
            }
        });
        self.unless_damaged(scope, grammar)
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

    /// What the run cost.
    pub(crate) fn into_report(self, passes: u64) -> Report {
        let mut damaged = self.damaged.into_inner().expect("no holder panics");
        damaged.sort_by_key(|(segment, _)| *segment);
        Report {
            traversal: Some(self.traversal),
            passes,
            damaged: damaged.into_iter().map(|(_, error)| error).collect(),
            failures: self.failures.into_inner().expect("no holder panics"),
            ..self.meter.into_report()
        }
    }

    /// Whether no segment of the scope lies between two, that is, none was passed over.
    fn follows(&self, before: usize, segment: usize) -> bool {
        let place = |number| self.segments.iter().position(|scope| scope.segment == number);
        place(before).zip(place(segment)).is_some_and(|(a, b)| b <= a + 1)
    }

    /// Symbols were looked at.
    fn visited(&self, symbols: u64) {
        self.meter.symbols.fetch_add(symbols, Ordering::Relaxed);
    }
}
