//! Rows per unit of several documents, in the order of units.
//!
//! The documents of a unit may be anywhere in the corpus. So the counts of several units are gathered
//! at once, as many as fit in memory, and each document is still counted only once.

use super::of_corpus::{self, gather};
use super::ordered::{self, Outlet};
use super::rows::{emit, order_by_count};
use super::scope::SegmentScope;
use super::{Passes, Ranged, Run, Setting};
use crate::analytics::report::Phase;
use crate::analytics::sequences::Sorter;
use crate::analytics::units::RowPlan;
use crate::error::QueryError;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Counts each unit's items and passes encoded rows on: by descending count, then by key, at most
/// `top` per unit.
pub(super) fn run<I: Ranged, O: Send>(
    run: &mut Run<'_, O>,
    items: &mut I,
    units: &RowPlan<'_>,
) -> Result<Passes, QueryError> {
    let setting = run.setting;
    let top = setting.plan.options.top;
    let mut passes = Passes::ONE;
    for Part { units, fits } in parts(setting, units, items.bytes_an_item()) {
        let is_of_part = |scope: &SegmentScope, document: usize| {
            units.contains(&(setting.plan.row_of(scope.corpus_number(document)) as usize))
        };
        let scopes = setting.plan.segments.iter();
        let segments: Vec<SegmentScope> =
            scopes.filter_map(|scope| scope.only(|document| is_of_part(scope, document))).collect();
        if fits {
            items.within(0..u32::MAX);
            several(run, items, &segments, units)?;
        } else {
            let order = of_corpus::Order { top, document: Some(units.start as u32) };
            passes = of_corpus::run(run, items, &segments, order)?.max(passes);
        }
    }
    Ok(passes)
}

/// Units that are counted at once.
struct Part {
    units: Range<usize>,
    /// Whether their counts fit in memory; if not, there is one unit.
    fits: bool,
}

/// Divides units so that the counts of each part take about half of the memory.
fn parts(setting: &Setting<'_>, units: &RowPlan<'_>, bytes_an_item: u64) -> Vec<Part> {
    let most = setting.plan.options.memory / 2 / bytes_an_item;
    let facts = &setting.plan.corpus.facts().sizes;
    let words_a_byte = facts.text_words as f64 / facts.text_bytes.max(1) as f64;
    let mut parts: Vec<Part> = Vec::new();
    let mut filled = 0u64;
    for (unit, bytes) in units.sizes().into_iter().enumerate() {
        // The words of a unit are estimated from its bytes.
        let items = (bytes as f64 * words_a_byte) as u64;
        filled = filled.saturating_add(items);
        match parts.last_mut() {
            Some(part) if part.fits && filled <= most => part.units.end = unit + 1,
            _ => {
                parts.push(Part { units: unit..unit + 1, fits: items <= most });
                filled = items;
            }
        }
    }
    parts
}

/// Writes the rows of several units, whose documents are in `segments`.
fn several<I: Ranged, O: Send>(
    &mut Run { setting, writer, ref mut consume }: &mut Run<'_, O>,
    items: &I,
    segments: &[SegmentScope],
    units: Range<usize>,
) -> Result<(), QueryError> {
    let counts = counts(setting, items, segments, &units)?;
    let work = |at: usize, outlet: &mut Outlet<'_, '_, O, QueryError>| {
        setting.plan.options.progress.check()?;
        let mut counts =
            std::mem::take(&mut *counts[at].lock().unwrap_or_else(PoisonError::into_inner));
        setting.ledger.meter.time(Phase::Merge, || {
            order_by_count(&mut counts, setting.plan.options.top);
        });
        let unit = (units.start + at) as u32;
        let mut page = writer.page();
        for (key, count) in &counts {
            let encoded = page.push_key(key, items.packing(), *count, Some(unit));
            if emit(outlet, encoded).is_err() {
                return Ok(());
            }
        }
        let _ = emit(outlet, page.turn());
        Ok(())
    };
    ordered::run(setting.plan.threads, counts.len(), work, &mut *consume)
}

/// Items, rising by key, with a unit and a count.
type Merged<K> = Vec<(K, u32, u64)>;

/// The items of a unit, rising by key. Each is taken once, by the thread that writes the unit.
type UnitCounts<K> = Mutex<Vec<(K, u64)>>;

/// The counts of each unit.
fn counts<I: Ranged>(
    setting: &Setting<'_>,
    items: &I,
    segments: &[SegmentScope],
    units: &Range<usize>,
) -> Result<Vec<UnitCounts<I::Key>>, QueryError> {
    let list = gather(setting, items, segments, true)?;
    let cuts = setting.ledger.meter.time(Phase::Merge, || list.cuts());
    let work = |range: usize, outlet: &mut Outlet<'_, '_, Merged<I::Key>, QueryError>| {
        setting.plan.options.progress.check()?;
        let mut merged = Vec::new();
        setting.ledger.meter.time(Phase::Merge, || {
            list.merge(&cuts, range, &mut Sorter::default(), |key, unit, count| {
                merged.push((key.clone(), unit, count));
            });
        });
        let _ = outlet.emit(merged);
        Ok(())
    };
    let mut counts: Vec<Vec<(I::Key, u64)>> = vec![Vec::new(); units.len()];
    ordered::run(setting.plan.threads, cuts.len() + 1, work, |merged| {
        for (key, unit, count) in merged {
            counts[unit as usize - units.start].push((key, count));
        }
        Ok(())
    })?;
    Ok(counts.into_iter().map(Mutex::new).collect())
}
