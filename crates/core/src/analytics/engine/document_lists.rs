//! The documents of each word, without counts.
//!
//! Top-down, rules hand the sets of their documents to their children, and each rule is visited once
//! for all documents together (tadoc algorithm 3). Otherwise each document's words are found one
//! document after the other.

use super::document_set::DocumentSet;
use super::ordered::Outlet;
use super::passes::passes;
use super::word_items::WordItems;
use super::word_totals;
use super::{Count, Division, Passes, Prepare, Ranged, Setting, Share, for_each_share};
use crate::analytics::report::Phase;
use crate::analytics::traverse::renumber;
use crate::corpus::Documents;
use crate::error::QueryError;
use crate::grammar::edges::{EdgeMerged, merge_edges};
use std::ops::Range;

/// Memory of a document in a list: as found, and in its place.
const BYTES_A_DOCUMENT: u64 = 12;

/// Words and documents that belong together, as one share of the documents has found them. Each is a
/// list of items with the ends of what belongs to them.
enum Found {
    /// Documents, each with its words.
    ByDocument { words: Vec<u32>, documents: Vec<(u32, usize)> },
    /// Words, each with its documents.
    ByWord { documents: Vec<u32>, words: Vec<(u32, usize)> },
}

/// Passes the words that limits keep to `sink`, in the order of their bytes, each with its documents
/// (or units), in order.
pub(crate) fn each(
    setting: &Setting<'_>,
    mut sink: impl FnMut(&[u8], &[u32]) -> Result<(), QueryError>,
) -> Result<Passes, QueryError> {
    let segments = &setting.plan.segments;
    let bounds = setting.bounds()?;
    let counts = match setting.plan.options.limits.min_count {
        0 | 1 => None,
        _ => Some(word_totals::totals(setting, segments)?),
    };
    let documents: u64 = segments.iter().map(|scope| scope.documents.len() as u64).sum();
    let ranges = passes(setting, segments, BYTES_A_DOCUMENT, |total| total.min(documents))?;
    let order = setting.plan.while_ordering(|| setting.plan.words.order());
    let top = setting.plan.options.top.unwrap_or(usize::MAX);
    // Documents come in order, except those of units, and pieces of a document come twice.
    let is_plain = setting.plan.units.is_none() && !segments.iter().any(|scope| scope.continues);
    for range in &ranges {
        let is_by_rules = setting.plan.traversal.is_top_down()
            && !setting.plan.is_accelerated()
            && !setting.plan.is_indexed();
        let found = match is_by_rules {
            true => by_rules(setting, range.clone())?,
            false => by_documents(setting, range.clone())?,
        };
        let lists =
            setting.ledger.meter.time(Phase::Merge, || Lists::new(found, order.word_at.len()));
        let mut own: Vec<u32> = Vec::new();
        for rank in range.start..range.end.min(order.word_at.len() as u32) {
            setting.plan.options.progress.check()?;
            let word = order.word_at[rank as usize];
            let mut documents = lists.of(word);
            if !is_plain {
                own.clear();
                own.extend_from_slice(documents);
                own.sort_unstable();
                own.dedup();
                documents = &own;
            }
            let count = counts.as_ref().map_or(u64::MAX, |counts| counts[word as usize]);
            if !documents.is_empty() && bounds.keep(count, u32::try_from(documents.len()).ok()) {
                let documents = &documents[..documents.len().min(top)];
                setting
                    .ledger
                    .meter
                    .time(Phase::Write, || sink(setting.plan.words.text(word), documents))?;
                setting.ledger.meter.rows.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            }
        }
    }
    Ok(Passes::of(&ranges))
}

/// The documents of all words.
struct Lists {
    /// Where each word's documents begin, and the end of all.
    starts: Vec<usize>,
    documents: Vec<u32>,
}

impl Lists {
    fn of(&self, word: u32) -> &[u32] {
        &self.documents[self.starts[word as usize]..self.starts[word as usize + 1]]
    }

    /// Makes lists by counting sort: one pass for sizes, one to place the documents.
    fn new(found: Vec<Found>, words: usize) -> Self {
        let mut starts = vec![0usize; words + 2];
        for part in &found {
            match part {
                Found::ByDocument { words, .. } => {
                    words.iter().for_each(|&word| starts[word as usize + 2] += 1);
                }
                Found::ByWord { words, .. } => {
                    let mut from = 0;
                    for &(word, end) in words {
                        starts[word as usize + 2] += end - from;
                        from = end;
                    }
                }
            }
        }
        for word in 2..starts.len() {
            starts[word] += starts[word - 1];
        }
        let mut documents = vec![0; starts.last().copied().unwrap_or(0)];
        // Until all are placed, the start of the next word's documents is where a word's next one
        // goes.
        for part in found {
            let mut from = 0;
            match part {
                Found::ByDocument { words, documents: ends } => {
                    for (document, end) in ends {
                        for &word in &words[from..end] {
                            let place = &mut starts[word as usize + 1];
                            documents[*place] = document;
                            *place += 1;
                        }
                        from = end;
                    }
                }
                Found::ByWord { documents: of_words, words } => {
                    for (word, end) in words {
                        let place = &mut starts[word as usize + 1];
                        documents[*place..*place + end - from]
                            .copy_from_slice(&of_words[from..end]);
                        *place += end - from;
                        from = end;
                    }
                }
            }
        }
        starts.pop();
        Self { starts, documents }
    }
}

/// Finds the words of one document, or of neighbours of one unit, after the other.
fn by_documents(setting: &Setting<'_>, ranks: Range<u32>) -> Result<Vec<Found>, QueryError> {
    let mut items = WordItems::new(setting);
    items.within(ranks);
    let items = &items;
    let work = |share: Share<'_, WordItems<'_>>, outlet: &mut Outlet<'_, '_, Found, QueryError>| {
        let mut scratch = items.scratch(&share.segment.prepared);
        let (mut words, mut ends) = (Vec::new(), Vec::new());
        setting.ledger.meter.time(Phase::Traverse, || {
            for (number, documents) in setting.plan.groups(share.scope, share.documents) {
                setting.plan.options.progress.check()?;
                let note = |word: u32, _: u64| {
                    if items.wants(word) {
                        words.push(word);
                    }
                };
                setting.visited(items.count_numbers(
                    share.segment,
                    documents,
                    &mut scratch,
                    note,
                )?);
                ends.push((number, words.len()));
                documents.iter().for_each(|&document| share.passed(document));
            }
            Ok::<_, QueryError>(())
        })?;
        let _ = outlet.emit(Found::ByDocument { words, documents: ends });
        Ok(())
    };
    collect(setting, items, Division::Separate, work)
}

/// Hands sets of documents down the rules.
fn by_rules(setting: &Setting<'_>, ranks: Range<u32>) -> Result<Vec<Found>, QueryError> {
    let rules = &Rules { setting };
    let rank_of = &setting.plan.words.order().rank_of;
    let wants = |word: u32| ranks == (0..u32::MAX) || ranks.contains(&rank_of[word as usize]);
    let work = |share: Share<'_, Rules<'_>>, outlet: &mut Outlet<'_, '_, Found, QueryError>| {
        let edges = &share.segment.prepared;
        let row = |document: usize| setting.plan.row_of(share.scope.corpus_number(document));
        let (mut documents, mut words) = (Vec::new(), Vec::new());
        setting.ledger.meter.time(Phase::Traverse, || {
            let mut sets = Sets::new(edges, setting.plan.words.len(), share.documents.len());
            for (place, &document) in (0..).zip(share.documents) {
                setting.plan.options.progress.check()?;
                sets.add_document(place, edges.document(document).symbols);
                share.passed(document);
            }
            for rule in 1..edges.rule_count() {
                sets.hand_down(rule, edges.rule(rule).symbols);
            }
            setting.visited(sets.visited);
            for (word, set) in (0..).zip(&sets.of_words) {
                if !set.is_empty() && wants(word) {
                    set.each(|place| documents.push(row(share.documents[place as usize])));
                    words.push((word, documents.len()));
                }
            }
            Ok::<_, QueryError>(())
        })?;
        let _ = outlet.emit(Found::ByWord { documents, words });
        Ok(())
    };
    collect(setting, rules, Division::Together, work)
}

fn collect<I: Prepare>(
    setting: &Setting<'_>,
    items: &I,
    division: Division,
    work: impl Fn(Share<'_, I>, &mut Outlet<'_, '_, Found, QueryError>) -> Result<(), QueryError> + Sync,
) -> Result<Vec<Found>, QueryError> {
    let mut all = Vec::new();
    let mut push = |found| {
        all.push(found);
        Ok(())
    };
    setting.plan.while_ordering(|| {
        for_each_share(setting, items, &setting.plan.segments, division, work, &mut push)
    })?;
    Ok(all)
}

/// The sets of the documents, by their place in a share, that reach each rule and each word.
struct Sets<'e> {
    edges: &'e EdgeMerged,
    of_rules: Vec<DocumentSet>,
    of_words: Vec<DocumentSet>,
    documents: usize,
    visited: u64,
}

impl<'e> Sets<'e> {
    fn new(edges: &'e EdgeMerged, words: usize, documents: usize) -> Self {
        let empty = |count: usize| std::iter::repeat_with(DocumentSet::default).take(count);
        Self {
            edges,
            of_rules: empty(edges.rule_count()).collect(),
            of_words: empty(words).collect(),
            documents,
            visited: 0,
        }
    }

    /// Adds a document, which comes after all others, to the sets of its symbols.
    fn add_document(&mut self, place: u32, symbols: &[u32]) {
        for &symbol in symbols {
            let set = match self.edges.as_rule(symbol) {
                Some(rule) => &mut self.of_rules[rule],
                None => &mut self.of_words[symbol as usize],
            };
            set.push(place, self.documents);
        }
        self.visited += symbols.len() as u64;
    }

    /// Adds the documents of a rule, whose parents have all done so, to its symbols.
    fn hand_down(&mut self, rule: usize, symbols: &[u32]) {
        let set = std::mem::take(&mut self.of_rules[rule]);
        if set.is_empty() {
            return;
        }
        for &symbol in symbols {
            match self.edges.as_rule(symbol) {
                Some(child) => self.of_rules[child].unite(&set),
                None => self.of_words[symbol as usize].unite(&set),
            }
        }
        self.visited += symbols.len() as u64;
    }
}

/// The rules of a segment, for words.
struct Rules<'s> {
    setting: &'s Setting<'s>,
}

impl Prepare for Rules<'_> {
    type Prepared = EdgeMerged;

    fn prepare(
        &self,
        segment: Documents<'_>,
        _: &[usize],
        _: bool,
    ) -> Result<EdgeMerged, QueryError> {
        Ok(merge_edges(&renumber(segment.grammar(), self.setting.plan.words.numbers())))
    }

    fn visited_before(_: Documents<'_>, _: &EdgeMerged) -> u64 {
        0
    }
}
