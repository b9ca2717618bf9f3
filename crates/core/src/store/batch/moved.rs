//! Maps offsets in the text before a batch to current ones (the paper's offset snapshot, section IV-D).

use crate::error::AccessError;
use crate::store::edit::Edit;
use crate::store::overlay::check::Check;

/// The current positions of a document's offsets from before a batch.
pub(in crate::store) struct Snapshot {
    size: u64,
    /// All offsets that edits of the batch use, in rising order, each once.
    places: Vec<u64>,
    /// Bytes inserted at each place.
    inserted: Sums,
    /// Bytes deleted between each place and the next: all or none.
    deleted: Sums,
    is_deleted: Vec<bool>,
}

impl Snapshot {
    pub(in crate::store) fn new(mut places: Vec<u64>, size: u64) -> Self {
        places.retain(|&place| place <= size);
        places.sort_unstable();
        places.dedup();
        let count = places.len();
        Self {
            size,
            places,
            inserted: Sums::new(count),
            deleted: Sums::new(count),
            is_deleted: vec![false; count],
        }
    }

    /// The place's number; `None` past the end.
    fn number(&self, offset: u64) -> Option<usize> {
        self.places.binary_search(&offset).ok()
    }

    /// The current offset of the byte at a place, or where it would be if it is deleted.
    fn now(&self, number: usize) -> u64 {
        self.places[number] + self.inserted.before(number + 1) - self.deleted.before(number)
    }

    /// Translates an edit with offsets from before the batch to edits with current offsets, and appends
    /// them to `edits`, which is empty.
    pub(in crate::store) fn translate<'a>(
        &mut self,
        edit: Edit<&'a [u8]>,
        check: &Check<'_>,
        edits: &mut Vec<Edit<&'a [u8]>>,
    ) -> Result<(), AccessError> {
        let (document, offset, len, bytes) = match edit {
            Edit::Insert { document, offset, bytes } => (document, offset, 0, bytes),
            Edit::Delete { document, offset, len } => (document, offset, len, &[][..]),
            Edit::Replace { document, offset, len, bytes } => (document, offset, len, bytes),
            other => {
                edits.push(other);
                return Ok(());
            }
        };
        let ends = (self.number(offset), offset.checked_add(len).and_then(|end| self.number(end)));
        let (Some(from), Some(to)) = ends else {
            return Err(check.past_the_end(document, offset.saturating_add(len), self.size));
        };
        for number in from..to {
            if !std::mem::replace(&mut self.is_deleted[number], true) {
                let len = self.places[number + 1] - self.places[number];
                edits.push(Edit::Delete { document, offset: self.now(number), len });
                self.deleted.add(number, len);
            }
        }
        if !bytes.is_empty() || edits.is_empty() {
            let offset = self.now(from);
            self.inserted.add(from, bytes.len() as u64);
            edits.push(Edit::Insert { document, offset, bytes });
        }
        Ok(())
    }
}

/// Numbers with fast prefix sums and updates (a Fenwick tree).
struct Sums(Vec<u64>);

impl Sums {
    fn new(count: usize) -> Self {
        Self(vec![0; count + 1])
    }

    fn add(&mut self, at: usize, value: u64) {
        let mut node = at + 1;
        while node < self.0.len() {
            self.0[node] += value;
            node += node & node.wrapping_neg();
        }
    }

    /// The sum of the first `count` numbers.
    fn before(&self, count: usize) -> u64 {
        let (mut node, mut sum) = (count, 0);
        while node > 0 {
            sum += self.0[node];
            node -= node & node.wrapping_neg();
        }
        sum
    }
}
