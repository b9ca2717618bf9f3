//! Text that rows become, and what is at hand to make it: labels of documents, small counts, memory
//! that was used before.

use rustc_hash::FxHashMap;
use std::ops::Deref;
use std::sync::{Mutex, PoisonError};

/// Bytes of a label's slot, where labels are short, and where they are not.
pub(super) const NARROW: usize = 32;
pub(super) const WIDE: usize = 64;

/// Bytes of a count's slot.
pub(super) const COUNT: usize = 8;

/// The length that stands in a slot for what does not fit there. Lengths that fit are smaller than any
/// slot.
pub(super) const LONG: u8 = u8::MAX;

/// Counts below this one are ready to be copied.
const READY: usize = 1000;

/// Buffers that are kept for others; more are in use only while rows wait for their turn.
const MOST_SPARE: usize = 8;

/// How rows are written as lines: what stands between fields, and what stands for each document at
/// the end of a line.
#[derive(Debug)]
pub struct Labels {
    pub(super) separator: u8,
    pub(super) slots: LabelSlots,
    /// Labels that do not fit in their slots.
    pub(super) long: FxHashMap<u32, Vec<u8>>,
    /// Small counts between separators, the last byte is the length.
    counts: Vec<[u8; COUNT]>,
    /// Buffers of lines that were written.
    spare: Mutex<Vec<Vec<u8>>>,
}

/// Labels ready to be copied: each with the line end, the last byte is the length.
#[derive(Debug)]
pub(super) enum LabelSlots {
    Narrow(Vec<[u8; NARROW]>),
    Wide(Vec<[u8; WIDE]>),
}

/// Puts a label into a slot of its own, with the line end.
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
    /// Fields with `separator` between them, and a label for each document. Labels are written as
    /// they are.
    pub fn new<L: AsRef<[u8]>>(separator: u8, labels: impl IntoIterator<Item = L>) -> Self {
        // Wide slots take longer to copy: they are for many labels that need them.
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

    /// No lines.
    pub(super) fn lines(&self) -> RowText<'_> {
        let spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop();
        RowText { bytes: spare.unwrap_or_default(), len: 0, labels: self }
    }
}

/// Rows as text. When it is no longer needed its memory serves the next rows.
#[derive(Debug)]
pub struct RowText<'l> {
    /// The text and, beyond [`len`](Self::len), what may be written to: it need not be cleared.
    pub(super) bytes: Vec<u8>,
    pub(super) len: usize,
    labels: &'l Labels,
}

impl RowText<'_> {
    /// Makes room for so many more bytes.
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
