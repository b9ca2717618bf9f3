//! Rows per document, in the order of documents: term vector, sequence count.

use super::ordered::{Abandoned, Outlet};
use super::rows::{Ranking, emit};
use super::scope::SegmentScope;
use super::{Count, Division, Passes, Ranged, Run, Share, by_unit, for_each_share, of_corpus};
use crate::analytics::report::Phase;
use crate::error::QueryError;

/// Documents that are counted in one go.
enum Part {
    /// Whole documents, segment by segment.
    Whole(Vec<SegmentScope>),
    /// A document that spans segments.
    Split(Vec<SegmentScope>),
}

/// Counts each document's items and passes encoded rows on: by descending count, then by key, at
/// most `top` per document.
pub(crate) fn run<I: Ranged, O: Send>(
    run: &mut Run<'_, O>,
    items: &mut I,
) -> Result<Passes, QueryError> {
    if let Some(units) = &run.setting.plan.units {
        return by_unit::run(run, items, units);
    }
    let mut passes = Passes::ONE;
    let top = run.setting.plan.options.top;
    for part in parts(&run.setting.plan.segments) {
        match part {
            Part::Whole(segments) => {
                items.within(0..u32::MAX);
                whole(run, items, &segments, top)?;
            }
            Part::Split(segments) => {
                let document = segments[0].corpus_number(segments[0].documents[0]);
                let order = of_corpus::Order { top, document: Some(document) };
                passes = of_corpus::run(run, items, &segments, order)?.max(passes);
            }
        }
    }
    Ok(passes)
}

/// Divides the scope at documents that span segments.
fn parts(segments: &[SegmentScope]) -> Vec<Part> {
    let mut parts = Vec::new();
    for scope in segments {
        let (pieces, whole): (Vec<usize>, Vec<usize>) =
            scope.documents.iter().partition(|&&document| scope.is_piece(document));
        let only = |documents: Vec<usize>| SegmentScope {
            is_whole: documents.len() == scope.documents.len() && scope.is_whole,
            documents,
            ..scope.clone()
        };
        let before = |piece: usize| whole.first().is_none_or(|&document| piece < document);
        for &piece in pieces.iter().filter(|&&piece| before(piece)) {
            match parts.last_mut() {
                Some(Part::Split(split)) if scope.continues && scope.documents[0] == piece => {
                    split.push(only(vec![piece]));
                }
                _ => parts.push(Part::Split(vec![only(vec![piece])])),
            }
        }
        if let Some(&first) = whole.first() {
            match parts.last_mut() {
                Some(Part::Whole(segments)) => segments.push(only(whole.clone())),
                _ => parts.push(Part::Whole(vec![only(whole.clone())])),
            }
            for &piece in pieces.iter().filter(|&&piece| piece > first) {
                parts.push(Part::Split(vec![only(vec![piece])]));
            }
        }
    }
    parts
}

fn whole<I: Count, O: Send>(
    &mut Run { setting, writer, ref mut consume }: &mut Run<'_, O>,
    items: &I,
    segments: &[SegmentScope],
    top: Option<usize>,
) -> Result<(), QueryError> {
    let work = |share: Share<'_, I>, outlet: &mut Outlet<'_, '_, O, QueryError>| {
        let mut scratch = items.scratch(&share.segment.prepared);
        let mut ranking = Ranking::default();
        let mut page = writer.page();
        for &document in share.documents {
            setting.plan.options.progress.check()?;
            ranking.clear();
            setting.ledger.meter.time(Phase::Traverse, || {
                let visited = items.rank(share.segment, document, &mut scratch, &mut ranking)?;
                setting.visited(visited);
                Ok::<_, QueryError>(())
            })?;
            let number = share.scope.corpus_number(document);
            let left = top.unwrap_or(usize::MAX);
            for (key, count) in ranking.several.iter().take(left) {
                let encoded = page.push_key(key, items.packing(), *count, Some(number));
                if let Err(Abandoned) = emit(outlet, encoded) {
                    return Ok(());
                }
            }
            let left = left.saturating_sub(ranking.several.len());
            let mut once = &ranking.once[..ranking.once.len().min(left)];
            while !once.is_empty() {
                once = page.fill(once, items.packing(), number);
                if page.is_full()
                    && let Err(Abandoned) = emit(outlet, page.turn())
                {
                    return Ok(());
                }
            }
            share.passed(document);
        }
        // If the run was abandoned, the unit that failed reports the error.
        let _ = emit(outlet, page.turn());
        Ok(())
    };
    setting.plan.while_ordering(|| {
        for_each_share(setting, items, segments, Division::Separate, work, consume)
    })
}
