//! The text of documents, word by word.

use super::text::FlatText;
use crate::analytics::engine::{
    Division, Loaded, Outlet, Prepare, SegmentScope, Setting, Share, for_each_share,
};
use crate::analytics::report::Phase;
use crate::analytics::traverse::{ExpandedRules, StreamScratch};
use crate::corpus::Documents;
use crate::error::QueryError;

/// The documents of a run, and their words by rank.
pub(super) struct FlatSource<'r, 'c> {
    pub(super) setting: &'r Setting<'c>,
    /// Ranks, the break, and what vanishes, by token.
    pub(super) numbers: &'r [u32],
    pub(super) window: usize,
    pub(super) break_number: u32,
}

/// Words of documents, in order.
struct Stretch {
    segment: usize,
    ids: Vec<u32>,
    /// The document that the words continue from the segment before; `None` if a document begins.
    continues: Option<u32>,
    /// The document that continues in the next segment.
    is_continued: Option<u32>,
}

/// Words that are passed on together, unless a piece of a document ends.
const WORDS: usize = 1 << 16;

impl Prepare for FlatSource<'_, '_> {
    type Prepared = ExpandedRules;

    fn prepare(
        &self,
        segment: Documents<'_>,
        _: &[usize],
        _: bool,
    ) -> Result<ExpandedRules, QueryError> {
        Ok(ExpandedRules::new(segment, self.numbers))
    }

    fn visited_before(segment: Documents<'_>, _: &ExpandedRules) -> u64 {
        segment.rules_len() as u64
    }
}

impl FlatSource<'_, '_> {
    /// The text of all chosen documents. Whenever it has `capacity` words, it is cut and passed to
    /// `full`; the last text is returned. `expected` words will come, if that is known.
    pub(super) fn texts(
        &self,
        capacity: usize,
        expected: usize,
        mut full: impl FnMut(FlatText) -> Result<(), QueryError> + Send,
    ) -> Result<FlatText, QueryError> {
        // A cut leaves two windows of words in the next text.
        let capacity = capacity.max(4 * self.window);
        let room = expected.min(capacity) + 2 * WORDS.min(capacity);
        let mut text = FlatText::new(self.window, self.break_number, room);
        let mut open: Option<(u32, usize)> = None;
        let mut add = |stretch: Stretch| {
            let follows = stretch.continues.is_some_and(|document| {
                open.is_some_and(|(before, segment)| {
                    before == document && self.setting.plan.follows(segment, stretch.segment)
                })
            });
            if !follows {
                text.push_break();
            }
            for ids in stretch.ids.chunks(capacity / 2) {
                text.extend(ids);
                if text.len() >= capacity {
                    full(text.cut(room))?;
                }
            }
            open = stretch.is_continued.map(|document| (document, stretch.segment));
            Ok(())
        };
        let work = |share: Share<'_, Self>, outlet: &mut Outlet<'_, '_, Stretch, QueryError>| {
            self.read(&share, outlet)
        };
        let segments = &self.setting.plan.segments;
        for_each_share(self.setting, self, segments, Division::Separate, work, &mut add)?;
        Ok(text.finish())
    }

    /// Passes on the words of a share's documents.
    fn read(
        &self,
        share: &Share<'_, Self>,
        outlet: &mut Outlet<'_, '_, Stretch, QueryError>,
    ) -> Result<(), QueryError> {
        let Share { segment: Loaded { prepared: rules, .. }, scope, documents, .. } = share;
        let segment = share.segment.documents();
        let progress = self.setting.plan.options.progress;
        let mut reading = StreamScratch::default();
        let mut stretch = Stretch::new(scope);
        for &document in *documents {
            progress.check()?;
            let number = scope.corpus_number(document);
            let is_piece = scope.is_piece(document);
            let continues =
                is_piece && scope.continues && scope.documents.first() == Some(&document);
            let is_continued =
                is_piece && scope.is_continued && scope.documents.last() == Some(&document);
            if continues {
                stretch.continues = Some(number);
            } else if !stretch.ids.is_empty() || stretch.continues.is_some() {
                stretch.ids.push(self.break_number);
            }
            let mut is_abandoned = false;
            self.setting.ledger.meter.time(Phase::Traverse, || {
                rules.read(segment, document, &mut reading, |words| {
                    stretch.ids.extend_from_slice(words);
                    if stretch.ids.len() >= WORDS && !is_abandoned {
                        // The rest of the document follows what is passed on now.
                        let mut rest = Stretch::new(scope);
                        rest.continues = Some(number);
                        let mut begun = std::mem::replace(&mut stretch, rest);
                        begun.is_continued = Some(number);
                        is_abandoned = outlet.emit(begun).is_err() || progress.check().is_err();
                    }
                })
            })?;
            self.setting.visited(segment.len(document) as u64);
            share.passed(document);
            if is_abandoned {
                return Ok(progress.check()?);
            }
            if is_continued {
                stretch.is_continued = Some(number);
            }
        }
        let _ = outlet.emit(stretch);
        Ok(())
    }
}

impl Stretch {
    fn new(scope: &SegmentScope) -> Self {
        let segment = scope.segment;
        Self { segment, ids: Vec::new(), continues: None, is_continued: None }
    }
}
