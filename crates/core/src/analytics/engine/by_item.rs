//! Rows per item, with all its documents: inverted index, ranked inverted index.

use super::of_corpus::gather;
use super::ordered::{self, Abandoned, Outlet};
use super::rows::{Page, emit};
use super::word_items::WordItems;
use super::{Count, Division, Passes, Ranged, Run, Setting, Share, for_each_share};
use crate::analytics::limits::Bounds;
use crate::analytics::report::Phase;
use crate::analytics::sequences::Sorter;
use crate::error::QueryError;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Writes rows of sequences in the order of their words, the documents of each by descending count.
pub(crate) fn ranked<I: Ranged, O: Send>(
    &mut Run { setting, writer, ref mut consume }: &mut Run<'_, O>,
    items: &mut I,
) -> Result<Passes, QueryError> {
    let top = setting.plan.options.top;
    let bounds = setting.bounds()?;
    let passes = items.passes(&setting.plan.segments)?;
    for range in &passes {
        items.within(range.clone());
        let list = gather(setting, items, &setting.plan.segments, true)?;
        let cuts = setting.ledger.meter.time(Phase::Merge, || list.cuts());
        let packing = items.packing();
        let work = |range: usize, outlet: &mut Outlet<'_, '_, O, QueryError>| {
            let start = std::time::Instant::now();
            let mut page = writer.page();
            let mut key: Option<I::Key> = None;
            let mut documents: Vec<(u32, u64)> = Vec::new();
            let mut abandoned = false;
            let mut close = |key: &Option<I::Key>, documents: &mut Vec<(u32, u64)>| {
                let Some(key) = key else { return };
                if !bounds.keep_postings(documents.iter().map(|&(_, count)| count)) {
                    return documents.clear();
                }
                documents.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
                documents.truncate(top.unwrap_or(usize::MAX));
                for (document, count) in documents.drain(..) {
                    let encoded = page.push_key(key, packing, count, Some(document));
                    abandoned |= emit(outlet, encoded).is_err();
                }
            };
            list.merge(&cuts, range, &mut Sorter::default(), |next, document, count| {
                if key.as_ref() != Some(next) {
                    close(&key, &mut documents);
                    key = Some(next.clone());
                }
                documents.push((document, count));
            });
            close(&key, &mut documents);
            let _ = emit(outlet, page.turn());
            setting.ledger.meter.add_time(Phase::Merge, start.elapsed());
            setting.plan.options.progress.check()?;
            Ok(())
        };
        ordered::run(setting.plan.threads, cuts.len() + 1, work, &mut *consume)?;
    }
    Ok(Passes::of(&passes))
}

/// The words of documents, in the order in which they were counted.
#[derive(Debug, Default)]
struct Postings {
    words: Vec<u32>,
    /// [`LARGE`] if the count is in the table.
    counts: Vec<u32>,
    large: FxHashMap<usize, u64>,
    /// Each document and the end of its words.
    documents: Vec<(u32, usize)>,
}

const LARGE: u32 = u32::MAX;

impl Postings {
    fn push(&mut self, word: u32, count: u64) {
        let small = u32::try_from(count).ok().filter(|&small| small != LARGE);
        if small.is_none() {
            self.large.insert(self.words.len(), count);
        }
        self.words.push(word);
        self.counts.push(small.unwrap_or(LARGE));
    }

    /// Whether the next document should start a new list: a list that grows is moved in memory.
    fn is_long(&self) -> bool {
        const LONG: usize = 1 << 16;
        self.words.len() >= LONG
    }
}

/// Writes rows of words in the order of their bytes, the documents of each in the order of the
/// corpus.
pub(crate) fn inverted<O: Send>(
    run: &mut Run<'_, O>,
    items: &mut WordItems<'_>,
) -> Result<Passes, QueryError> {
    let setting = run.setting;
    let order = setting.plan.words.order();
    let passes = items.passes(&setting.plan.segments)?;
    for range in &passes {
        items.within(range.clone());
        let postings = collect(setting, items)?;
        let index = setting
            .ledger
            .meter
            .time(Phase::Merge, || Index::new(postings, setting.plan.words.len()));
        let end = (order.word_at.len() as u32).min(range.end);
        index.write(run, range.start..end)?;
    }
    Ok(Passes::of(&passes))
}

/// The wanted words of all documents.
fn collect(setting: &Setting<'_>, items: &WordItems<'_>) -> Result<Vec<Postings>, QueryError> {
    let work = |share: Share<'_, WordItems<'_>>,
                outlet: &mut Outlet<'_, '_, Vec<Postings>, QueryError>| {
        let mut scratch = items.scratch(&share.segment.prepared);
        let mut lists = Vec::new();
        let mut postings = Postings::default();
        setting.ledger.meter.time(Phase::Traverse, || {
            for (number, documents) in setting.plan.groups(share.scope, share.documents) {
                setting.plan.options.progress.check()?;
                let visited = items.count_numbers(
                    share.segment,
                    documents,
                    &mut scratch,
                    |word, count| {
                        if items.wants(word) {
                            postings.push(word, count);
                        }
                    },
                )?;
                setting.visited(visited);
                postings.documents.push((number, postings.words.len()));
                if postings.is_long() {
                    lists.push(std::mem::take(&mut postings));
                }
                documents.iter().for_each(|&document| share.passed(document));
            }
            Ok::<_, QueryError>(())
        })?;
        lists.push(postings);
        let _ = outlet.emit(lists);
        Ok(())
    };
    let mut all = Vec::new();
    let mut append = |mut lists| {
        all.append(&mut lists);
        Ok(())
    };
    setting.plan.while_ordering(|| {
        let division = Division::Separate;
        for_each_share(setting, items, &setting.plan.segments, division, work, &mut append)
    })?;
    Ok(all)
}

/// Postings by word.
struct Index {
    /// Start of each word's postings, and the end of all.
    starts: Vec<usize>,
    /// Document and count of each posting; a count of [`LARGE`] is in the table.
    postings: Vec<(u32, u32)>,
    large: FxHashMap<usize, u64>,
}

impl Index {
    /// Makes an index by counting sort: one pass for sizes, one to place the postings.
    fn new(lists: Vec<Postings>, words: usize) -> Self {
        let mut starts = vec![0usize; words + 2];
        for &word in lists.iter().flat_map(|postings| &postings.words) {
            starts[word as usize + 2] += 1;
        }
        for word in 2..starts.len() {
            starts[word] += starts[word - 1];
        }
        let postings = starts.last().copied().unwrap_or(0);
        let mut index =
            Self { starts, postings: vec![(0, 0); postings], large: FxHashMap::default() };
        for list in lists {
            index.put(&list);
        }
        index.starts.pop();
        index
    }

    /// Places postings. Until all are placed, the start of the next word's postings is where a
    /// word's next posting goes.
    fn put(&mut self, list: &Postings) {
        let mut from = 0;
        for &(document, end) in &list.documents {
            let postings = list.words[from..end].iter().zip(&list.counts[from..end]);
            for (at, (&word, &count)) in (from..).zip(postings) {
                let place = &mut self.starts[word as usize + 1];
                self.postings[*place] = (document, count);
                if count == LARGE {
                    self.large.insert(*place, list.large[&at]);
                }
                *place += 1;
            }
            from = end;
        }
    }

    fn write<O: Send>(
        &self,
        &mut Run { setting, writer, ref mut consume }: &mut Run<'_, O>,
        ranks: Range<u32>,
    ) -> Result<(), QueryError> {
        let word_at = &setting.plan.words.order().word_at;
        let top = setting.plan.options.top.unwrap_or(usize::MAX);
        let has_pieces = setting.plan.segments.iter().any(|scope| scope.continues);
        let is_plain = self.large.is_empty()
            && !has_pieces
            && setting.plan.units.is_none()
            && !setting.plan.options.limits.are_any();
        let bounds = setting.bounds()?;
        let chunk = ranks.len().div_ceil(16 * setting.plan.threads).max(1);
        let chunks: Vec<u32> = ranks.clone().step_by(chunk).collect();
        let work = |unit: usize, outlet: &mut Outlet<'_, '_, O, QueryError>| {
            setting.plan.options.progress.check()?;
            let mut page = writer.page();
            let end = chunks.get(unit + 1).copied().unwrap_or(ranks.end);
            for rank in chunks[unit]..end {
                let word = word_at[rank as usize] as usize;
                let postings = self.starts[word]..self.starts[word + 1];
                let written = match is_plain {
                    true => self.write_plain(rank, postings, top, &mut page, outlet),
                    false => self.write_sums(rank, postings, (&bounds, top), &mut page, outlet),
                };
                if let Err(Abandoned) = written {
                    return Ok(());
                }
            }
            let _ = emit(outlet, page.turn());
            Ok(())
        };
        ordered::run(setting.plan.threads, chunks.len(), work, &mut *consume)
    }

    /// Writes a word's rows where each posting is a row.
    fn write_plain<O>(
        &self,
        rank: u32,
        postings: Range<usize>,
        top: usize,
        page: &mut Page<'_, O>,
        outlet: &mut Outlet<'_, '_, O, QueryError>,
    ) -> Result<(), Abandoned> {
        let postings = &self.postings[postings];
        let mut left = &postings[..postings.len().min(top)];
        while !left.is_empty() {
            left = page.fill_word(rank, left);
            if page.is_full() {
                emit(outlet, page.turn())?;
            }
        }
        Ok(())
    }

    /// Writes a word's rows where a document may have several postings, or large ones, or where the
    /// word may be left out.
    fn write_sums<O>(
        &self,
        rank: u32,
        postings: Range<usize>,
        (bounds, top): (&Bounds, usize),
        page: &mut Page<'_, O>,
        outlet: &mut Outlet<'_, '_, O, QueryError>,
    ) -> Result<(), Abandoned> {
        let posting = |at: usize| match self.postings[at] {
            (document, LARGE) => (document, self.large[&at]),
            (document, count) => (document, u64::from(count)),
        };
        let mut postings: Vec<(u32, u64)> = postings.map(posting).collect();
        // Pieces of a document follow each other, parts of units need not.
        if !postings.is_sorted_by_key(|&(document, _)| document) {
            postings.sort_by_key(|&(document, _)| document);
        }
        postings.dedup_by(|(document, count), (kept, sum)| {
            let is_same = document == kept;
            if is_same {
                *sum = sum.saturating_add(*count);
            }
            is_same
        });
        if bounds.keep_postings(postings.iter().map(|&(_, count)| count)) {
            for &(document, count) in postings.iter().take(top) {
                emit(outlet, page.push(std::iter::once(rank), count, Some(document)))?;
            }
        }
        Ok(())
    }
}
