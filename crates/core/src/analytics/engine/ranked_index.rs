//! The ranked index of streamed text: all occurrences of sequences as one list of numbers, sorted
//! once.
//!
//! In prose most sequences occur once, in one document: counting them per document and merging
//! would sort nearly the same list several times. Here each occurrence is one number: the sequence
//! in the high bits, its document in the low bits. While documents are read, occurrences are
//! distributed to parts by their highest bits, which are then dropped. Parts are sorted and counted
//! one by one, each in cache. Documents come in order and the sort is stable, so it compares only
//! the bits of the sequence.

use super::of_corpus::{Borders, Piece};
use super::ordered::{self, Outlet};
use super::passes::passes;
use super::rows::emit;
use super::sequence_items::SequenceItems;
use super::{Division, Passes, Ranged, Run, Setting, Share, for_each_share};
use crate::analytics::report::Phase;
use crate::analytics::sequences::{Key, KeyBits, Packing, Sorter};
use crate::analytics::task::Traversal;
use crate::corpus::Cursor;
use crate::error::QueryError;

/// How occurrences are packed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Form {
    packing: Packing,
    document_bits: u32,
    /// Bits of a sequence below those that select its part.
    low_bits: u32,
}

/// Bits that select a part: at least this many so that a part fits in cache, at most this many so
/// that all parts can be written to in turn.
const FEWEST_PART_BITS: u32 = 8;
const MOST_PART_BITS: u32 = 11;

/// Memory of an occurrence: in its part, and for some of them in the sort.
const BYTES_AN_OCCURRENCE: u64 = 12;

impl Form {
    /// For sequences of this packing; `None` if they do not fit in a number or are not streamed.
    pub(crate) fn new(setting: &Setting<'_>, packing: Packing) -> Option<Self> {
        let is_streamed =
            setting.plan.traversal == Traversal::Stream && !setting.plan.is_accelerated();
        Self::of(packing, setting.plan.corpus.facts().documents).filter(|_| is_streamed)
    }

    fn of(packing: Packing, documents: u64) -> Option<Self> {
        if !u64::fits(&packing) {
            return None;
        }
        let document_bits = u64::BITS - documents.leading_zeros();
        let key_bits = packing.bits() as u32;
        let surplus = (key_bits + document_bits).saturating_sub(u64::BITS);
        let part_bits = surplus.max(FEWEST_PART_BITS).min(key_bits);
        let low_bits = key_bits - part_bits;
        (surplus <= MOST_PART_BITS).then_some(Self { packing, document_bits, low_bits })
    }

    fn parts(self) -> usize {
        1 << (self.packing.bits() as u32 - self.low_bits)
    }

    /// The part of a sequence, and the number for an occurrence of it in a document.
    #[inline(always)]
    fn pack(self, key: u64, document: u32) -> (usize, u64) {
        let low = key & ((1 << self.low_bits) - 1);
        ((key >> self.low_bits) as usize, low << self.document_bits | u64::from(document))
    }

    /// The sequence of an occurrence in a part.
    #[inline(always)]
    fn key(self, part: usize, occurrence: u64) -> u64 {
        (part as u64) << self.low_bits | occurrence >> self.document_bits
    }

    #[inline(always)]
    fn document(self, occurrence: u64) -> u32 {
        (occurrence & ((1 << self.document_bits) - 1)) as u32
    }
}

/// Occurrences per chunk. Lists grow by chunks, so that nothing is moved.
const CHUNK: usize = 512;

/// Occurrences by part, in the order of documents.
struct Parts(Vec<Part>);

#[derive(Default)]
struct Part {
    full: Vec<Vec<u64>>,
    open: Vec<u64>,
}

impl Parts {
    fn new(form: Form) -> Self {
        Self(std::iter::repeat_with(Part::default).take(form.parts()).collect())
    }

    #[inline(always)]
    fn push(&mut self, form: Form, key: u64, document: u32) {
        let (part, occurrence) = form.pack(key, document);
        let Part { full, open } = &mut self.0[part];
        if open.len() == open.capacity() {
            let chunk = std::mem::replace(open, Vec::with_capacity(CHUNK));
            full.extend((!chunk.is_empty()).then_some(chunk));
        }
        open.push(occurrence);
    }

    fn append(&mut self, other: Self) {
        for (part, Part { full, mut open }) in self.0.iter_mut().zip(other.0) {
            // The open chunk is closed, because the order of documents must stay.
            let own = std::mem::take(&mut part.open);
            part.full.extend((!own.is_empty()).then_some(own));
            part.full.extend(full);
            open.shrink_to_fit();
            part.full.extend((!open.is_empty()).then_some(open));
        }
    }
}

impl Part {
    fn gather(&self, all: &mut Vec<u64>) {
        all.clear();
        all.reserve(self.full.iter().chain([&self.open]).map(Vec::len).sum());
        self.full.iter().chain([&self.open]).for_each(|chunk| all.extend_from_slice(chunk));
    }
}

/// Writes rows of sequences in the order of their words, the documents of each by descending count.
pub(crate) fn ranked<O: Send>(
    &mut Run { setting, writer, ref mut consume }: &mut Run<'_, O>,
    form: Form,
) -> Result<Passes, QueryError> {
    let mut items = SequenceItems::<u64>::new(setting, form.packing);
    let passes = passes(setting, &setting.plan.segments, BYTES_AN_OCCURRENCE, |total| total)?;
    let bounds = setting.bounds()?;
    for range in &passes {
        items.within(range.clone());
        let Parts(parts) = collect(setting, &items, form)?;
        // Units do not come in order.
        let low = if setting.plan.units.is_some() { 0 } else { form.document_bits };
        let work = |number: usize, outlet: &mut Outlet<'_, '_, O, QueryError>| {
            setting.plan.options.progress.check()?;
            let mut occurrences = Vec::new();
            setting.ledger.meter.time(Phase::Merge, || {
                let high = form.low_bits + form.document_bits;
                parts[number].gather(&mut occurrences);
                Sorter::default().sort_by(&mut occurrences, KeyBits { low, high });
            });
            let mut page = writer.page();
            let mut documents: Vec<(u32, u64)> = Vec::new();
            let is_same = |a: &u64, b: &u64| form.key(number, *a) == form.key(number, *b);
            for same in occurrences.chunk_by(is_same) {
                let each = same.chunk_by(|a, b| a == b);
                documents.extend(each.map(|each| (form.document(each[0]), each.len() as u64)));
                if !bounds.keep_postings(documents.iter().map(|&(_, count)| count)) {
                    documents.clear();
                }
                documents.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
                documents.truncate(setting.plan.options.top.unwrap_or(usize::MAX));
                let key = form.key(number, same[0]);
                for (document, count) in documents.drain(..) {
                    let encoded = page.push_key(&key, &form.packing, count, Some(document));
                    if emit(outlet, encoded).is_err() {
                        return Ok(());
                    }
                }
            }
            let _ = emit(outlet, page.turn());
            Ok(())
        };
        ordered::run(setting.plan.threads, parts.len(), work, &mut *consume)?;
    }
    Ok(Passes::of(&passes))
}

/// What a share has found.
struct Found {
    parts: Parts,
    pieces: Vec<Piece>,
}

/// All occurrences of wanted sequences.
fn collect(
    setting: &Setting<'_>,
    items: &SequenceItems<'_, u64>,
    form: Form,
) -> Result<Parts, QueryError> {
    let work = |share: Share<'_, SequenceItems<'_, u64>>,
                outlet: &mut Outlet<'_, '_, Found, QueryError>| {
        let Share { segment, scope, documents, .. } = share;
        let mut parts = Parts::new(form);
        let mut cursor = Cursor::default();
        setting.ledger.meter.time(Phase::Traverse, || {
            for &document in documents {
                setting.plan.options.progress.check()?;
                let number = setting.plan.row_of(scope.corpus_number(document));
                let visited = items.each_occurrence(segment, document, &mut cursor, |key| {
                    parts.push(form, key, number);
                })?;
                setting.visited(visited);
                share.passed(document);
            }
            Ok::<_, QueryError>(())
        })?;
        let pieces = Piece::of_share(items, segment, scope, documents);
        let _ = outlet.emit(Found { parts, pieces });
        Ok(())
    };
    let mut all = Parts::new(form);
    let mut borders = Borders::default();
    let mut add = |found: Found| {
        borders.cross(setting, items, &found.pieces, |document, key| {
            all.push(form, key, setting.plan.row_of(document));
        });
        all.append(found.parts);
        Ok(())
    };
    setting.plan.while_ordering(|| {
        let division = Division::Separate;
        for_each_share(setting, items, &setting.plan.segments, division, work, &mut add)
    })?;
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn occurrences_tell_their_sequences_and_documents(
            words in 2usize..100_000,
            n in 2usize..4,
            documents in 1u64..1 << 20,
            key in any::<u64>(),
            document in any::<u32>(),
        ) {
            let packing = Packing::new(n, words);
            prop_assume!(u64::fits(&packing));
            let key = key & (u64::MAX >> (64 - packing.bits()));
            let document = (u64::from(document) % documents) as u32;
            if let Some(form) = Form::of(packing, documents) {
                let (part, occurrence) = form.pack(key, document);
                prop_assert!(part < form.parts());
                prop_assert_eq!(form.key(part, occurrence), key);
                prop_assert_eq!(form.document(occurrence), document);
                // Sequences are in ascending order from part to part, and within each.
                let before = form.pack(key.saturating_sub(1), document);
                prop_assert!(before <= (part, occurrence));
            }
        }
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let words = |bits: u32| Packing { word_bits: bits, ..Packing::new(3, 2) };
        assert!(Form::of(words(18), 100).is_some());
        assert!(Form::of(words(21), 1 << 10).is_some());
        assert!(Form::of(words(21), 1 << 12).is_none());
        assert!(Form::of(words(22), 1).is_none());
    }
}
