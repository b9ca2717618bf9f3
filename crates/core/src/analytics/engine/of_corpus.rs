//! Rows for many documents together: the items of a corpus, or of the pieces of one document.

use super::count_list::CountList;
use super::ordered::{self, Outlet};
use super::rows::{Page, Writer, order_by_count};
use super::scope::SegmentScope;
use super::spill::Spill;
use super::{
    Consume, Count, Division, Loaded, Passes, Ranged, Run, Setting, Share, for_each_share,
};
use crate::analytics::report::Phase;
use crate::analytics::sequences::{Border, Key, PieceEnds, Sorter};
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
/// descending count, then by key.
pub(crate) fn run<I: Ranged, O: Send>(
    &mut Run { setting, writer, ref mut consume }: &mut Run<'_, O>,
    items: &mut I,
    segments: &[SegmentScope],
    order: Order,
) -> Result<Passes, QueryError> {
    let passes = items.passes(segments)?;
    let mut spill = Spill::new(*items.packing());
    for range in &passes {
        items.within(range.clone());
        let list = gather(setting, items, segments, false)?;
        let mut counts = merge(setting, list)?;
        setting.ledger.meter.time(Phase::Merge, || order_by_count(&mut counts, order.top));
        if passes.len() == 1 {
            return emit(items, &counts, writer, order, consume).map(|()| Passes::ONE);
        }
        setting.ledger.meter.time(Phase::Merge, || spill.store(&counts))?;
    }
    let mut page = writer.page();
    let mut left = order.top.unwrap_or(usize::MAX);
    spill.merge(|key: &I::Key, count| {
        if left == 0 {
            return Ok(());
        }
        left -= 1;
        write(&mut page, items, key, count, order, consume)
    })?;
    page.turn().map_or(Ok(()), consume)?;
    Ok(Passes::of(&passes))
}

/// The sum of each item's counts, in ascending order of keys.
fn merge<K: Key>(setting: &Setting<'_>, list: CountList<K>) -> Result<Vec<(K, u64)>, QueryError> {
    let cuts = setting.ledger.meter.time(Phase::Merge, || list.cuts());
    let work = |range: usize, outlet: &mut Outlet<'_, '_, Vec<(K, u64)>, QueryError>| {
        setting.plan.options.progress.check()?;
        let mut sums = Vec::new();
        setting.ledger.meter.time(Phase::Merge, || {
            list.merge(&cuts, range, &mut Sorter::default(), |key, _, count| {
                sums.push((key.clone(), count));
            });
        });
        let _ = outlet.emit(sums);
        Ok(())
    };
    let mut counts = Vec::new();
    ordered::run(setting.plan.threads, cuts.len() + 1, work, |mut sums| {
        counts.append(&mut sums);
        Ok(())
    })?;
    Ok(counts)
}

fn emit<I: Count, O>(
    items: &I,
    counts: &[(I::Key, u64)],
    writer: &Writer<'_, O>,
    order: Order,
    consume: &mut Consume<'_, O>,
) -> Result<(), QueryError> {
    let mut page = writer.page();
    for (key, count) in counts {
        write(&mut page, items, key, *count, order, consume)?;
    }
    page.turn().map_or(Ok(()), consume)
}

fn write<I: Count, O>(
    page: &mut Page<'_, O>,
    items: &I,
    key: &I::Key,
    count: u64,
    order: Order,
    consume: &mut Consume<'_, O>,
) -> Result<(), QueryError> {
    match page.push_key(key, items.packing(), count, order.document) {
        Some(encoded) => consume(encoded),
        None => Ok(()),
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
