//! Rows for many documents together: the items of a corpus, or of the pieces of one document.

use super::count_list::CountList;
use super::ordered::Outlet;
use super::rows::{Page, Writer, order_by_count};
use super::scope::SegmentScope;
use super::spill::Spill;
use super::total::{Spread, Total, merge};
use super::{
    Consume, Count, Division, Loaded, Passes, Ranged, Run, Setting, Share, for_each_share,
};
use crate::analytics::report::Phase;
use crate::analytics::sequences::{Border, Key, Packing, PieceEnds};
use crate::error::QueryError;

/// Which rows are wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Order {
    /// At most this many rows.
    pub(crate) top: Option<usize>,
    /// The document that rows name.
    pub(crate) document: Option<u32>,
}

/// Counts the items of all documents of `segments` together and passes encoded rows on, by
/// descending count, then by key. Limits apply to rows without a document.
pub(crate) fn run<I: Ranged, O: Send>(
    run: &mut Run<'_, O>,
    items: &mut I,
    segments: &[SegmentScope],
    order: Order,
) -> Result<Passes, QueryError> {
    match order.document.is_none() && run.setting.plan.options.needs_documents() {
        true => run_with::<I, O, Spread>(run, items, segments, order),
        false => run_with::<I, O, u64>(run, items, segments, order),
    }
}

fn run_with<I: Ranged, O: Send, T: Total>(
    &mut Run { setting, writer, ref mut consume }: &mut Run<'_, O>,
    items: &mut I,
    segments: &[SegmentScope],
    order: Order,
) -> Result<Passes, QueryError> {
    let options = &setting.plan.options;
    let bounds = match order.document.is_none() && options.limits.are_any() {
        true => Some(setting.bounds()?),
        false => None,
    };
    let sink = &mut RowSink {
        page: writer.page(),
        packing: *items.packing(),
        order,
        left: order.top.unwrap_or(usize::MAX),
        names_documents: options.counts_documents,
    };
    let passes = items.passes(segments)?;
    let mut spill = Spill::new(*items.packing());
    let mut sum = 0u64;
    for range in &passes {
        items.within(range.clone());
        let list = gather(setting, items, segments, T::COUNTS_DOCUMENTS)?;
        let mut totals: Vec<(I::Key, T)> = merge(setting, list)?;
        setting.ledger.meter.time(Phase::Merge, || {
            sum = totals.iter().fold(sum, |sum, (_, total)| sum.saturating_add(total.count()));
            if let Some(bounds) = &bounds {
                totals.retain(|(_, total)| bounds.keep(total.count(), total.documents()));
            }
            order_by_count(&mut totals, order.top);
        });
        if passes.len() == 1 {
            sink.begin(writer, sum);
            totals.iter().try_for_each(|(key, total)| sink.write(key, *total, consume))?;
            return sink.page.turn().map_or(Ok(()), consume).map(|()| Passes::ONE);
        }
        setting.ledger.meter.time(Phase::Merge, || spill.store(&totals))?;
    }
    sink.begin(writer, sum);
    spill.merge(|key: &I::Key, total: T| sink.write(key, total, consume))?;
    sink.page.turn().map_or(Ok(()), consume)?;
    Ok(Passes::of(&passes))
}

/// Writes rows until there are enough.
struct RowSink<'w, O> {
    page: Page<'w, O>,
    packing: Packing,
    order: Order,
    left: usize,
    /// Whether rows say in how many documents their item occurs.
    names_documents: bool,
}

impl<O> RowSink<'_, O> {
    /// Rows follow; `sum` is the sum of the counts of all items.
    fn begin(&self, writer: &Writer<'_, O>, sum: u64) {
        if self.order.document.is_none() {
            // There is one answer for all documents together.
            let _ = writer.words.total.set(sum);
        }
    }

    fn write<K: Key>(
        &mut self,
        key: &K,
        total: impl Total,
        consume: &mut Consume<'_, O>,
    ) -> Result<(), QueryError> {
        if self.left == 0 {
            return Ok(());
        }
        self.left -= 1;
        if self.names_documents {
            self.page.note_documents(total.documents());
        }
        match self.page.push_key(key, &self.packing, total.count(), self.order.document) {
            Some(encoded) => consume(encoded),
            None => Ok(()),
        }
    }
}

/// What a share has found.
struct Found<K> {
    list: CountList<K>,
    pieces: Vec<Piece>,
}

/// A piece of a document that spans segments.
pub(super) struct Piece {
    document: u32,
    segment: usize,
    ends: PieceEnds,
}

impl Piece {
    /// The pieces among a share's documents, in order.
    pub(super) fn of_share<I: Count>(
        items: &I,
        segment: &Loaded<I::Prepared>,
        scope: &SegmentScope,
        documents: &[usize],
    ) -> Vec<Self> {
        let pieces = documents.iter().filter(|&&document| scope.is_piece(document));
        let piece = |&document: &usize| Self {
            document: scope.corpus_number(document),
            segment: scope.segment,
            ends: items.piece_ends(segment.documents().grammar(), document),
        };
        pieces.map(piece).collect()
    }
}

/// Counts the items of all documents of `segments`: per document or unit, or all as document 0.
pub(super) fn gather<I: Ranged>(
    setting: &Setting<'_>,
    items: &I,
    segments: &[SegmentScope],
    by_document: bool,
) -> Result<CountList<I::Key>, QueryError> {
    let row =
        |scope: &SegmentScope, document: usize| setting.plan.row_of(scope.corpus_number(document));
    let work = |share: Share<'_, I>, outlet: &mut Outlet<'_, '_, Found<I::Key>, QueryError>| {
        let Share { segment, scope, documents, .. } = share;
        let mut list = CountList::default();
        let mut scratch = items.scratch(&segment.prepared);
        let mut counts = Vec::new();
        let prefers_together = I::prefers_together(&segment.prepared);
        let groups: Vec<(u32, &[usize])> = match by_document {
            true if prefers_together => setting.plan.groups(scope, documents).collect(),
            true => documents.chunks(1).map(|one| (row(scope, one[0]), one)).collect(),
            false if prefers_together => vec![(0, documents)],
            false => documents.chunks(1).map(|one| (0, one)).collect(),
        };
        for (number, documents) in groups {
            setting.plan.options.progress.check()?;
            counts.clear();
            setting.ledger.meter.time(Phase::Traverse, || {
                setting.visited(items.count(segment, documents, &mut scratch, &mut counts)?);
                list.push(number, &counts);
                Ok::<_, QueryError>(())
            })?;
            documents.iter().for_each(|&document| share.passed(document));
        }
        let pieces = Piece::of_share(items, segment, scope, documents);
        let _ = outlet.emit(Found { list: list.finish(), pieces });
        Ok(())
    };
    let mut all = CountList::default();
    let mut borders = Borders::default();
    let mut add = |found: Found<I::Key>| {
        borders.cross(setting, items, &found.pieces, |document, key| {
            let number = if by_document { setting.plan.row_of(document) } else { 0 };
            all.push(number, &[(key, 1)]);
        });
        all.append(found.list);
        Ok(())
    };
    let division = if by_document { Division::Separate } else { Division::Summed };
    setting
        .plan
        .while_ordering(|| for_each_share(setting, items, segments, division, work, &mut add))?;
    Ok(all.finish())
}

/// Follows documents across the borders of their pieces.
#[derive(Default)]
pub(super) struct Borders {
    document: Option<u32>,
    segment: usize,
    border: Border,
}

impl Borders {
    /// Passes the wanted items that begin before `pieces` and end in them to `sink`, with their
    /// documents.
    pub(super) fn cross<I: Ranged>(
        &mut self,
        setting: &Setting<'_>,
        items: &I,
        pieces: &[Piece],
        mut sink: impl FnMut(u32, I::Key),
    ) {
        for Piece { document, segment, ends } in pieces {
            // Nothing is known of items that span a skipped segment.
            let follows = setting.plan.follows(self.segment, *segment);
            if self.document != Some(*document) || !follows {
                (self.document, self.border) = (Some(*document), Border::default());
            }
            self.segment = *segment;
            self.border.cross(ends, items.packing(), |key| {
                if items.is_wanted(&key) {
                    sink(*document, key);
                }
            });
        }
    }
}
