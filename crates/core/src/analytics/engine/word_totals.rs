//! How often each word occurs in the chosen documents together: word count and sort.

use super::ordered::{self, Outlet};
use super::scope::SegmentScope;
use super::word_items::WordItems;
use super::{Count, Division, Setting, Share, for_each_share};
use crate::analytics::report::Phase;
use crate::analytics::select::Stored;
use crate::analytics::tally::Counts;
use crate::analytics::words::NO_WORD;
use crate::error::QueryError;
use std::sync::atomic::Ordering;

/// How often each word occurs in the documents of `segments`, by number.
pub(crate) fn totals(
    setting: &Setting<'_>,
    segments: &[SegmentScope],
) -> Result<Vec<u64>, QueryError> {
    let mut totals = vec![0u64; setting.plan.words.len()];
    if setting.plan.stored == Some(Stored::Totals) {
        add_stored(setting, &mut totals)?;
        add_changes(setting, &mut totals);
        return Ok(totals);
    }
    let is_tallied = setting.plan.traversal.is_top_down()
        && !setting.plan.is_accelerated()
        && setting.plan.has_own_tokens();
    let (whole, others): (Vec<_>, Vec<_>) =
        segments.iter().cloned().partition(|scope| is_tallied && scope.is_whole);
    tally(setting, &whole, &mut totals)?;
    visit(setting, &others, &mut totals)?;
    add_changes(setting, &mut totals);
    Ok(totals)
}

fn add(totals: &mut [u64], word: u32, count: u64) {
    let total = &mut totals[word as usize];
    *total = total.saturating_add(count);
}

/// Adds the counts that the file stores.
fn add_stored(setting: &Setting<'_>, totals: &mut [u64]) -> Result<(), QueryError> {
    let stored = setting.ledger.meter.time(Phase::Load, || setting.plan.corpus.word_totals())?;
    for (token, count) in stored.into_iter().flat_map(|stored| stored.iter()) {
        let word = setting.plan.number(token);
        if word != NO_WORD {
            add(totals, word, count);
        }
    }
    Ok(())
}

/// Adds what pending edits change.
fn add_changes(setting: &Setting<'_>, totals: &mut [u64]) {
    let Some(changes) = setting.plan.totals.map(|totals| &totals.changes) else { return };
    let numbers = setting.plan.words.numbers();
    let words = changes.iter().map(|&(token, by)| (numbers[token as usize], by));
    for (word, by) in words.filter(|&(word, _)| word != NO_WORD) {
        let total = &mut totals[word as usize];
        // A forged file may subtract more than there is.
        *total = total.saturating_add_signed(by);
    }
}

/// Top-down over whole segments: the order of a root does not matter, so it is only tallied.
fn tally(
    setting: &Setting<'_>,
    segments: &[SegmentScope],
    totals: &mut [u64],
) -> Result<(), QueryError> {
    setting.begin(segments);
    let work = |unit: usize, outlet: &mut Outlet<'_, '_, Vec<u64>, QueryError>| {
        if let Some(uses) = token_uses(setting, &segments[unit])? {
            let _ = outlet.emit(uses);
        }
        setting.end(&segments[unit], 0);
        Ok(())
    };
    ordered::run(setting.plan.threads, segments.len(), work, |uses| {
        let words = (0..).zip(uses).map(|(token, count)| (setting.plan.number(token), count));
        let words = words.filter(|&(word, count)| word != NO_WORD && count > 0);
        words.for_each(|(word, count)| add(totals, word, count));
        Ok(())
    })
}

/// How often each token occurs in a segment; `None` if the segment is damaged and to be skipped.
fn token_uses(setting: &Setting<'_>, scope: &SegmentScope) -> Result<Option<Vec<u64>>, QueryError> {
    setting.plan.options.progress.check()?;
    let tally = setting.ledger.meter.time(Phase::Load, || {
        let (number, threads) = (scope.segment, setting.plan.threads_a_segment());
        match setting.plan.totals {
            None => setting.plan.corpus.segment_tally_by(number, threads),
            Some(totals) => totals.segment_tally(number, threads),
        }
    });
    let Some(tally) = setting.unless_damaged(scope, tally)? else { return Ok(None) };
    let mut uses = setting.ledger.meter.time(Phase::Traverse, || tally.uses());
    uses.truncate(tally.rules.tokens() as usize);
    setting.ledger.meter.rules.fetch_add(tally.rules.rule_count() as u64, Ordering::Relaxed);
    let root = setting.plan.corpus.facts().segments[scope.segment].sizes.root_symbols;
    setting.visited(root.saturating_add(tally.rules.symbols().len() as u64));
    Ok(Some(uses))
}

/// Traverses the chosen documents.
fn visit(
    setting: &Setting<'_>,
    segments: &[SegmentScope],
    totals: &mut [u64],
) -> Result<(), QueryError> {
    let items = WordItems::new(setting);
    let work = |share: Share<'_, WordItems<'_>>,
                outlet: &mut Outlet<'_, '_, Counts, QueryError>| {
        setting.plan.options.progress.check()?;
        let mut scratch = items.scratch(&share.segment.prepared);
        let mut counts = Counts::new();
        setting.ledger.meter.time(Phase::Traverse, || {
            let visited = items.count_numbers(
                share.segment,
                share.documents,
                &mut scratch,
                |word, count| counts.push((word, count)),
            )?;
            setting.visited(visited);
            Ok::<_, QueryError>(())
        })?;
        share.documents.iter().for_each(|&document| share.passed(document));
        let _ = outlet.emit(counts);
        Ok(())
    };
    for_each_share(setting, &items, segments, Division::Together, work, &mut |counts: Counts| {
        counts.into_iter().for_each(|(word, count)| add(totals, word, count));
        Ok(())
    })
}
