//! Adaptive coder of a root whose rules are known beforehand. Files of level `max` had it before
//! rules were coded where they first come ([`nested`](super::nested)); it is read forever.
//!
//! A symbol is coded in three steps: its column cluster ([`columns`](super::columns)); its bucket in
//! the cluster, that is its frequency, by the row cluster before; its place in the bucket's recency
//! list ([`recency`](super::recency)). Where the number of uses left is known (a bucket of symbols
//! that all occur twice, say), a used-up symbol leaves its list.

use super::columns::{Before, ColumnModel, ColumnsByToken, LINE_RATE, Line, MOST_CLUSTERS};
use super::mixing::learn_by_age;
use super::range_coder::{BinaryCoder, Corrupt, Decoder};
use super::recency::{Entry, Places, RecencyList};
use crate::format::segment::BLOCK;

/// Symbols of one column cluster and of similar frequency, with consecutive ranks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bucket {
    pub(crate) first_rank: u32,
    pub(crate) size: u32,
    pub(crate) column: u8,
}

/// What encoder and decoder both know of the symbols before the sequence comes.
pub(crate) struct SymbolModel<'a> {
    /// In the order of ranks, which is by column; at most 32 of a column, none empty.
    pub(crate) buckets: &'a [Bucket],
    /// Per rank: the row cluster of the symbol's last token.
    pub(crate) row: &'a [u8],
    /// Per rank: the symbol's last token.
    pub(crate) last_token: &'a [u32],
    /// Per rank: how often the symbol comes in the sequence, or
    /// [`UNKNOWN_USES`](super::recency::UNKNOWN_USES).
    pub(crate) uses_left: &'a [u8],
}

impl SymbolModel<'_> {
    /// Whether the parts fit together, so that no code can lead out of bounds.
    fn is_sound(&self) -> bool {
        let symbols = self.row.len();
        let mut next_rank = 0;
        let in_order = self.buckets.iter().all(|bucket| {
            let follows = bucket.first_rank == next_rank && bucket.size > 0;
            next_rank = next_rank.saturating_add(bucket.size);
            follows && usize::from(bucket.column) < MOST_CLUSTERS
        });
        in_order
            && next_rank < u32::MAX
            && next_rank as usize == symbols
            && [self.last_token.len(), self.uses_left.len()] == [symbols; 2]
            && self.row.iter().all(|&row| usize::from(row) < MOST_CLUSTERS)
            && self.buckets.is_sorted_by_key(|bucket| bucket.column)
            && self
                .buckets
                .windows(MOST_CLUSTERS + 1)
                .all(|w| w[0].column != w[MOST_CLUSTERS].column)
    }
}

/// Hashed lines per table, as a power of two.
const MOST_LINES: u32 = 16;

struct Coding {
    /// Per column: its first bucket; and the end.
    column_starts: [usize; MOST_CLUSTERS + 1],
    lists: Vec<RecencyList>,
    /// By rank.
    places: Places,
    columns: ColumnsByToken,
    levels: Vec<Line>,
    before: Before,
}

impl Coding {
    fn new<C: BinaryCoder>(model: &SymbolModel, len: usize) -> Result<Self, Corrupt> {
        if !model.is_sound() {
            return Err(Corrupt);
        }
        let symbols = model.row.len();
        let entry = |rank: u32| Entry {
            symbol: rank,
            last_token: model.last_token[rank as usize],
            row: model.row[rank as usize],
            uses_left: model.uses_left[rank as usize],
        };
        let mut places = if C::ENCODES { vec![0; symbols] } else { Vec::new() };
        let list = |bucket: &Bucket| {
            let ranks = bucket.first_rank..bucket.first_rank + bucket.size;
            if C::ENCODES {
                ranks.clone().for_each(|rank| places[rank as usize] = rank - bucket.first_rank);
            }
            let mut list = RecencyList::new(ranks.clone().map(entry).collect());
            // From the back, so that none has been moved before its turn.
            for rank in ranks.rev().filter(|&rank| model.uses_left[rank as usize] == 0) {
                list.retire::<C>((rank - bucket.first_rank) as usize, &mut places);
            }
            list
        };
        Ok(Self {
            column_starts: std::array::from_fn(|column| {
                model.buckets.partition_point(|bucket| usize::from(bucket.column) < column)
            }),
            lists: model.buckets.iter().map(list).collect(),
            places,
            columns: ColumnsByToken::new(len, MOST_LINES),
            levels: vec![Line::even(); MOST_CLUSTERS * MOST_CLUSTERS],
            before: Before::default(),
        })
    }

    /// The bucket, one of those of `column`.
    #[inline]
    fn bucket<C: BinaryCoder>(
        &mut self,
        coder: &mut C,
        column: usize,
        bucket: usize,
    ) -> Result<usize, Corrupt> {
        let levels = &mut self.levels[column * MOST_CLUSTERS + self.before.row];
        let start = self.column_starts[column];
        let level = coder.choice(bucket.wrapping_sub(start), &levels.starts());
        learn_by_age(levels, level, LINE_RATE);
        if start + level < self.column_starts[column + 1] {
            Ok(start + level)
        } else {
            Err(Corrupt)
        }
    }

    /// Codes one symbol; `rank` and its `bucket` are only looked at to encode.
    #[inline]
    fn symbol<C: BinaryCoder>(
        &mut self,
        coder: &mut C,
        rank: u32,
        bucket: usize,
        column: usize,
    ) -> Result<u32, Corrupt> {
        let place = if C::ENCODES { self.places[rank as usize] } else { 0 };
        let column = self.columns.code(coder, &self.before, column);
        let bucket = self.bucket(coder, column, bucket)?;
        let entry = self.lists[bucket].code(coder, place, &mut self.places)?;
        self.before = Before {
            row_before: self.before.row,
            row: usize::from(entry.row),
            token: entry.last_token,
            bucket,
        };
        Ok(entry.symbol)
    }
}

/// Hands the `len` ranks of the sequence that was coded with the same model to `take`, block by
/// block, each with its place in the sequence.
pub(crate) fn decode(
    bytes: &[u8],
    len: usize,
    model: &SymbolModel,
    mut take: impl FnMut(usize, &[u32]),
) -> Result<(), Corrupt> {
    let mut coding = Coding::new::<Decoder<'_>>(model, len)?;
    let mut decoder = Decoder::new(bytes);
    let mut block = [0; BLOCK];
    for at in (0..len).step_by(BLOCK) {
        let block = &mut block[..BLOCK.min(len - at)];
        for slot in &mut *block {
            *slot = coding.symbol(&mut decoder, 0, 0, 0)?;
        }
        take(at, block);
    }
    Ok(())
}

#[cfg(test)]
mod tests;
