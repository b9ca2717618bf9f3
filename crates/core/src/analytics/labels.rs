//! The text of rows and what it is copied from: labels of documents, small counts, buffers to
//! reuse.

use rustc_hash::FxHashMap;
use std::ops::Deref;
use std::sync::{Mutex, PoisonError};

/// Size of a label's slot: for short labels, and for longer ones.
pub(super) const NARROW: usize = 32;
pub(super) const WIDE: usize = 64;

/// Size of a count's slot.
pub(super) const COUNT: usize = 8;

/// Marks a slot whose content does not fit. Lengths that fit are smaller than any slot.
pub(super) const LONG: u8 = u8::MAX;

/// Counts below this one have slots.
const READY: usize = 1000;

/// Buffers to keep for reuse. More are in use only while rows wait for their turn.
const MOST_SPARE: usize = 8;

/// How rows are written as lines: the separator of fields, and the label of each document at the
/// end of a line.
#[derive(Debug)]
pub struct Labels {
    pub(super) separator: u8,
    pub(super) slots: LabelSlots,
    /// Labels that do not fit in their slots.
    pub(super) long: FxHashMap<u32, Vec<u8>>,
    /// Small counts between separators; the last byte is the length.
    counts: Vec<[u8; COUNT]>,
    /// Buffers to reuse.
    spare: Mutex<Vec<Vec<u8>>>,
}

/// Labels in slots, each with its line end; the last byte is the length.
#[derive(Debug)]
pub(super) enum LabelSlots {
    Narrow(Vec<[u8; NARROW]>),
    Wide(Vec<[u8; WIDE]>),
}

/// Puts a label and the line end into a slot.
fn label_slot<const LABEL: usize>(label: &[u8]) -> [u8; LABEL] {
    let mut slot = [b'\n'; LABEL];
    if label.len() + 1 < LABEL {
        slot[..label.len()].copy_from_slice(label);
        slot[LABEL - 1] = label.len() as u8 + 1;
    } else {
        slot[LABEL - 1] = LONG;
    }
    slot
}

impl Labels {
    /// Separates fields by `separator` and ends lines with a label per document. Labels are written
    /// as they are.
    pub fn new<L: AsRef<[u8]>>(separator: u8, labels: impl IntoIterator<Item = L>) -> Self {
        // Wide slots take longer to copy, so they are used only where many labels need them.
        const MANY: usize = 16;
        let labels: Vec<L> = labels.into_iter().collect();
        let longer = |most: usize| labels.iter().filter(move |l| l.as_ref().len() + 1 >= most);
        let is_wide = longer(NARROW).count() > labels.len() / MANY;
        let long = |most: usize| -> FxHashMap<u32, Vec<u8>> {
            let numbered = labels.iter().zip(0..).map(|(label, number)| (number, label.as_ref()));
            let long = numbered.filter(|(_, label)| label.len() + 1 >= most);
            long.map(|(number, label)| (number, label.to_vec())).collect()
        };
        let all = labels.iter().map(AsRef::as_ref);
        let (slots, long) = if is_wide {
            (LabelSlots::Wide(all.map(label_slot).collect()), long(WIDE))
        } else {
            (LabelSlots::Narrow(all.map(label_slot).collect()), long(NARROW))
        };
        let counts = (0..READY).map(|count| {
            let mut slot = [separator; COUNT];
            let digits = count.to_string();
            slot[1..=digits.len()].copy_from_slice(digits.as_bytes());
            slot[COUNT - 1] = digits.len() as u8 + 2;
            slot
        });
        Self { separator, slots, long, counts: counts.collect(), spare: Mutex::default() }
    }

    /// A count between separators, if it is small.
    #[inline(always)]
    pub(super) fn ready(&self, count: u64) -> Option<&[u8; COUNT]> {
        usize::try_from(count).ok().and_then(|count| self.counts.get(count))
    }

    /// Returns an empty text.
    pub(super) fn lines(&self) -> RowText<'_> {
        let spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop();
        RowText { bytes: spare.unwrap_or_default(), len: 0, labels: self }
    }
}

/// Rows as text. When it is dropped, its buffer is reused for other rows.
#[derive(Debug)]
pub struct RowText<'l> {
    /// The text; bytes beyond `len` are free and need not be cleared.
    pub(super) bytes: Vec<u8>,
    pub(super) len: usize,
    labels: &'l Labels,
}

impl RowText<'_> {
    /// Makes room for `more` bytes.
    pub(super) fn reserve(&mut self, more: usize) {
        if self.bytes.len() < self.len + more {
            let doubled = 2 * self.bytes.len();
            self.bytes.resize(doubled.max(self.len + more), 0);
        }
    }

    /// Appends text of any length.
    pub(super) fn put(&mut self, text: &[u8]) {
        self.reserve(text.len());
        self.bytes[self.len..self.len + text.len()].copy_from_slice(text);
        self.len += text.len();
    }

    /// Appends the first `len` bytes of a slot.
    pub(super) fn put_slot<const SIZE: usize>(&mut self, slot: &[u8; SIZE], len: u8) {
        self.reserve(SIZE);
        self.bytes[self.len..self.len + SIZE].copy_from_slice(slot);
        self.len += usize::from(len);
    }
}

impl Deref for RowText<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

impl Drop for RowText<'_> {
    fn drop(&mut self) {
        let mut spare = self.labels.spare.lock().unwrap_or_else(PoisonError::into_inner);
        if spare.len() < MOST_SPARE {
            spare.push(std::mem::take(&mut self.bytes));
        }
    }
}
