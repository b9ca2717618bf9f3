//! What is counted of each item in all documents together: its occurrences, and on request its
//! documents.

use super::count_list::CountList;
use super::of_corpus::gather;
use super::ordered::{self, Outlet};
use super::word_items::WordItems;
use super::{Passes, Ranged, Setting, word_totals};
use crate::analytics::limits::Bounds;
use crate::analytics::report::Phase;
use crate::analytics::sequences::{Key, Sorter};
use crate::error::QueryError;

/// The occurrences of an item, alone or with the number of its documents.
pub(crate) trait Total: Copy + Send + Sync {
    /// Whether documents have to be counted separately.
    const COUNTS_DOCUMENTS: bool;

    fn new(count: u64, documents: u32) -> Self;

    fn count(&self) -> u64;

    /// The number of documents, if known.
    fn documents(&self) -> Option<u32>;
}

impl Total for u64 {
    const COUNTS_DOCUMENTS: bool = false;

    fn new(count: u64, _: u32) -> Self {
        count
    }

    fn count(&self) -> u64 {
        *self
    }

    fn documents(&self) -> Option<u32> {
        None
    }
}

/// A count and the number of documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spread {
    count: u64,
    documents: u32,
}

impl Total for Spread {
    const COUNTS_DOCUMENTS: bool = true;

    fn new(count: u64, documents: u32) -> Self {
        Self { count, documents }
    }

    fn count(&self) -> u64 {
        self.count
    }

    fn documents(&self) -> Option<u32> {
        Some(self.documents)
    }
}

/// The total of each item, in ascending order of keys.
pub(super) fn merge<K: Key, T: Total>(
    setting: &Setting<'_>,
    list: CountList<K>,
) -> Result<Vec<(K, T)>, QueryError> {
    let cuts = setting.ledger.meter.time(Phase::Merge, || list.cuts());
    let work = |range: usize, outlet: &mut Outlet<'_, '_, Vec<(K, T)>, QueryError>| {
        setting.plan.options.progress.check()?;
        let mut totals: Vec<(K, T)> = Vec::new();
        setting.ledger.meter.time(Phase::Merge, || {
            list.merge(&cuts, range, &mut Sorter::default(), |key, _, count| {
                match totals.last_mut() {
                    Some((last, total)) if T::COUNTS_DOCUMENTS && last == key => {
                        let documents = total.documents().unwrap_or(0) + 1;
                        *total = T::new(total.count().saturating_add(count), documents);
                    }
                    _ => totals.push((key.clone(), T::new(count, 1))),
                }
            });
        });
        let _ = outlet.emit(totals);
        Ok(())
    };
    let mut all = Vec::new();
    ordered::run(setting.plan.threads, cuts.len() + 1, work, |mut totals| {
        all.append(&mut totals);
        Ok(())
    })?;
    Ok(all)
}

impl Setting<'_> {
    /// The limits of the query, in numbers.
    pub(crate) fn bounds(&self) -> Result<Bounds, QueryError> {
        Ok(self.plan.options.limits.of(self.plan.document_count())?)
    }
}

/// Passes the total of each item of the chosen documents to `sink`, in ascending order of keys.
pub(crate) fn each<I: Ranged, T: Total>(
    setting: &Setting<'_>,
    items: &mut I,
    mut sink: impl FnMut(I::Key, T),
) -> Result<Passes, QueryError> {
    let segments = &setting.plan.segments;
    let passes = items.passes(segments)?;
    for range in &passes {
        items.within(range.clone());
        let list = gather(setting, items, segments, T::COUNTS_DOCUMENTS)?;
        merge(setting, list)?.into_iter().for_each(|(key, total)| sink(key, total));
    }
    items.within(0..u32::MAX);
    Ok(Passes::of(&passes))
}

/// The items that the limits of the query keep, in ascending order of keys.
pub(crate) fn kept<I: Ranged>(
    setting: &Setting<'_>,
    items: &mut I,
) -> Result<(Vec<I::Key>, Passes), QueryError> {
    fn of<I: Ranged, T: Total>(
        setting: &Setting<'_>,
        items: &mut I,
    ) -> Result<(Vec<I::Key>, Passes), QueryError> {
        let (bounds, mut kept) = (setting.bounds()?, Vec::new());
        let passes = each(setting, items, |key, total: T| {
            if bounds.keep(total.count(), total.documents()) {
                kept.push(key);
            }
        })?;
        Ok((kept, passes))
    }
    match setting.plan.options.limits.are_of_documents() {
        true => of::<I, Spread>(setting, items),
        false => of::<I, u64>(setting, items),
    }
}

/// The totals of words, by number.
pub(crate) struct WordSums {
    /// 0 for words that do not occur or that limits leave out.
    pub(crate) counts: Vec<u64>,
    /// In how many documents each word occurs, if that was asked for.
    documents: Option<Vec<u32>>,
    /// The sum of all counts, without regard to limits.
    pub(crate) sum: u64,
    pub(crate) passes: Passes,
}

impl WordSums {
    pub(crate) fn new(setting: &Setting<'_>) -> Result<Self, QueryError> {
        let options = &setting.plan.options;
        let mut passes = Passes::ONE;
        let (mut counts, documents) = if options.needs_documents() {
            let words = setting.plan.words.len();
            let (mut counts, mut documents) = (vec![0; words], vec![0; words]);
            let word_at = &setting.plan.words.order().word_at;
            passes = each(setting, &mut WordItems::new(setting), |rank, total: Spread| {
                let word = word_at[rank as usize] as usize;
                (counts[word], documents[word]) = (total.count, total.documents);
            })?;
            (counts, Some(documents))
        } else {
            (word_totals::totals(setting, &setting.plan.segments)?, None)
        };
        let sum = counts.iter().fold(0u64, |sum, &count| sum.saturating_add(count));
        if options.limits.are_any() {
            let bounds = setting.bounds()?;
            for (word, count) in counts.iter_mut().enumerate() {
                let documents = documents.as_ref().map(|documents| documents[word]);
                if !bounds.keep(*count, documents) {
                    *count = 0;
                }
            }
        }
        let documents = documents.filter(|_| options.counts_documents);
        Ok(Self { counts, documents, sum, passes })
    }

    /// In how many documents a word occurs, if that was asked for.
    pub(crate) fn documents(&self, word: u32) -> Option<u32> {
        self.documents.as_ref().map(|documents| documents[word as usize])
    }
}
