//! Kernels of random access: the index, reads, and edits that are not in the grammar yet.
//!
//! | kernel | computes | dispatched by |
//! |---|---|---|
//! | `index_text_lengths` | bytes of each node | `access/index.rs` |
//! | `index_text_spans` | bytes from each symbol to the next, before a scan | `access/index.rs` |
//! | `index_places` | the places of each symbol, and the rule or document of each place | `access/index.rs` |
//! | `read_extract` | bytes of documents | `access/extract.rs` |
//! | `read_count` | how often words occur in documents | `access/words.rs` |
//! | `read_search` | where words occur in documents | `access/words.rs` |
//! | `read_search_offsets` | the offsets of matches after insertions | `access/words.rs` |
//! | `edit_batch_offsets` | insertion offsets that are relative to the text before the batch | `access/records.rs` |
//! | `edit_blocks_begin` | blocks of one insertion | `access/records.rs` |
//! | `edit_blocks_split` | which pieces a later block cuts in two | `access/records.rs` |
//! | `edit_blocks_join` | blocks of twice as many insertions | `access/records.rs` |
//! | `edit_follow_offsets` | offsets after later insertions | `access/records.rs` |

pub mod edit_batch_offsets;
pub mod edit_blocks_begin;
pub mod edit_blocks_join;
pub mod edit_blocks_split;
pub mod edit_follow_offsets;
pub mod index_places;
pub mod index_text_lengths;
pub mod index_text_spans;
pub mod read_count;
pub mod read_extract;
pub mod read_search;
pub mod read_search_offsets;
pub(crate) mod records;

use crate::kernel::Kernel;
use crate::kernels::mix;

/// Every kernel of this family.
pub static ALL: &[&Kernel] = &[
    &index_text_lengths::KERNEL,
    &index_text_spans::KERNEL,
    &index_places::KERNEL,
    &read_extract::KERNEL,
    &read_count::KERNEL,
    &read_search::KERNEL,
    &read_search_offsets::KERNEL,
    &edit_batch_offsets::KERNEL,
    &edit_blocks_begin::KERNEL,
    &edit_blocks_split::KERNEL,
    &edit_blocks_join::KERNEL,
    &edit_follow_offsets::KERNEL,
];

/// As a rule: finished. As an offset: there is none.
pub(crate) const DONE: u32 = u32::MAX;

/// As in `shared/gap.wgsl`.
fn gap(before: u32, after: u32) -> u32 {
    u32::from(before >> 2 == 1 && after & 3 == 1)
}

/// The small parts of a grammar and its index, in one buffer, as in `shared/shape.wgsl`.
#[derive(Clone, Copy)]
pub(crate) struct Shape<'a> {
    pub(crate) words: &'a [u32],
    pub(crate) rules: u32,
    pub(crate) documents: u32,
    pub(crate) tokens: u32,
}

impl Shape<'_> {
    fn at(&self, place: u32) -> u32 {
        self.words[place as usize]
    }

    pub(crate) fn rule_start(&self, rule: u32) -> u32 {
        self.at(rule)
    }

    pub(crate) fn document_start(&self, document: u32) -> u32 {
        self.at(self.rules + 1 + document)
    }

    /// The length of a symbol in bytes.
    fn length(&self, symbol: u32) -> u32 {
        let tokens = 2 * self.rules + self.documents + 2;
        match symbol.checked_sub(self.tokens) {
            None => self.at(tokens + symbol + 1) - self.at(tokens + symbol),
            Some(rule) => self.at(self.rules + self.documents + 2 + rule),
        }
    }

    /// Whether a rule or a document begins at a position.
    fn is_start(&self, position: u32) -> bool {
        let root = self.rule_start(1);
        let rules = &self.words[..=self.rules as usize];
        let first = self.rules as usize + 1;
        let documents = &self.words[first..=first + self.documents as usize];
        let starts = if position < root { documents } else { rules };
        starts.binary_search(&position).is_ok()
    }

    /// The rule, or the document of the root, that contains a position.
    fn owner(&self, position: u32) -> u32 {
        let (first, count) = match position < self.rule_start(1) {
            true => (self.rules as usize + 1, self.documents as usize),
            false => (0, self.rules as usize),
        };
        let starts = &self.words[first..first + count];
        (starts.partition_point(|&start| start <= position) as u32).saturating_sub(1)
    }

    fn token_start(&self, token: u32) -> u32 {
        self.at(2 * self.rules + self.documents + 2 + token)
    }

    pub(crate) fn place_start(&self, symbol: u32) -> u32 {
        self.at(2 * self.rules + self.documents + self.tokens + 3 + symbol)
    }

    pub(crate) fn root_end(&self, symbol: u32) -> u32 {
        self.at(3 * self.rules + self.documents + 2 * self.tokens + 4 + symbol)
    }

    fn table_start(&self, rule: u32) -> u32 {
        self.at(4 * self.rules + self.documents + 3 * self.tokens + 5 + rule)
    }

    /// The places, among some ascending places of the root, that are in a document.
    fn in_document<'p>(&self, places: &'p [u32], from: u32, end: u32, document: u32) -> &'p [u32] {
        let places = &places[from as usize..end as usize];
        let [start, end] = [document, document + 1]
            .map(|document| places.partition_point(|&at| at < self.document_start(document)));
        &places[start..end]
    }
}

/// The documents that contain each rule, and how often, as in `shared/uses.wgsl`.
pub(crate) struct Tables<'a> {
    pub(crate) shape: Shape<'a>,
    pub(crate) words: &'a [u32],
}

impl Tables<'_> {
    pub(crate) fn uses(&self, rule: u32, document: u32) -> u32 {
        let [first, end] = [rule, rule + 1].map(|rule| self.shape.table_start(rule));
        let size = end - first;
        if size == 0 {
            return 0;
        }
        let mut at = if size == self.shape.documents { document } else { mix(document) } % size;
        for _ in 0..size {
            let slot = &self.words[3 * (first + at) as usize..][..3];
            if slot[0] == 0 || slot[0] == document + 1 {
                return if slot[0] == 0 { 0 } else { slot[1] };
            }
            at = if at + 1 == size { 0 } else { at + 1 };
        }
        0
    }
}
