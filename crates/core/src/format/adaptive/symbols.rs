//! Adaptive coder of a symbol sequence, for level `max`.
//!
//! A symbol is coded in three steps. Bits per symbol of the root, gutenberg / enwiki-100m; static
//! coding of bucket and index by the row cluster takes 16.63 / 17.04:
//!
//! 1. Its **column cluster**, mixed from three adaptive distributions: by the two row clusters
//!    before, by the last token before, by that token and its symbol's bucket. The latter two are
//!    hashed and start as a copy of the coarser one. Tables too small for them (2^10 lines) cost
//!    0.11 bits.
//! 2. Its **bucket** in the cluster, that is its frequency, by the row cluster before.
//!    Mixing more contexts here brought 0.02 / 0.05 bits: left out for the time it takes.
//! 3. Its **place in the bucket's recency list**. Text is bursty: a symbol seen lately comes again
//!    sooner than its frequency says. An exact move-to-front list would cost its length at each
//!    step; here a list is cut into zones that grow by eight, the zone is coded adaptively and the
//!    place in it evenly, and on its way to the front a symbol pushes one other from each zone to
//!    the next: two or three moves. It brings 0.43 / 0.79 bits; growth by two 0.05 more, for
//!    seven moves.
//!
//! Where the **number of uses left** is known (a bucket of symbols that all occur twice, say), a
//! used-up symbol leaves its list. That brings 0.21 bits (gutenberg) if buckets of up to six uses
//! are exact.
//!
//! Half the time goes to cache misses (one entry, two lines of counters), so all that is known of a
//! symbol moves with it in the list. Guessing the next symbol as the one that followed the same
//! token last hits only 0.5 / 1.3 %: Re-Pair has made rules of what repeats.

use super::mixing::Distribution;
use super::range_coder::{BinaryCoder, Corrupt, Decoder, Encoder};
use crate::format::segment::BLOCK;

/// Column and row clusters at most; also buckets in a column.
pub(crate) const MOST_CLUSTERS: usize = 32;
/// In [`SymbolModel::uses_left`]: may come any number of times.
pub(crate) const UNKNOWN_USES: u8 = u8::MAX;

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
    /// Per rank: how often the symbol comes in the sequence, or [`UNKNOWN_USES`].
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

/// Adaptive probabilities of one context. Place 0 holds its age, and if hashed a check.
type Line = Distribution<MOST_CLUSTERS>;

/// Zone z of a recency list is from `ZONE_STARTS[z]` to `ZONE_STARTS[z + 1]`.
const ZONE_STARTS: [u32; ZONES + 1] = [0, 1, 8, 64, 512, 4096, 32768, 1 << 18, u32::MAX];
const ZONES: usize = 8;

/// The symbols of a bucket that may come again, the recent ones in front.
struct RecencyList {
    first: u32,
    live: u32,
    /// Per zone but the last: the place in it that was filled longest ago.
    oldest: [u32; ZONES - 1],
}

/// A symbol in its recency list.
#[derive(Clone, Copy)]
struct Entry {
    rank: u32,
    last_token: u32,
    row: u8,
    uses_left: u8,
}

/// Hashed lines per table, as a power of two: 4 MiB each. With 2^18 a symbol takes 0.036 bits less
/// and 12 ns more, with 2^12 0.041 bits more and 28 ns less (of 145).
const MOST_LINES: u32 = 16;
/// The low bits of a hashed line's place 0 are its age, the others a check of its context.
const AGE_MASK: u16 = 15;
/// How fast a hashed line learns, as a shift, by its age.
const HASHED_RATES: [u32; 16] = [2, 2, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5];
/// Slowest learning, as a shift, of the lines that are not hashed.
const LINE_RATE: u32 = 7;
const ZONE_RATE: u32 = 6;

struct Coding {
    /// Per column: its first bucket; and the end.
    column_starts: [usize; MOST_CLUSTERS + 1],
    lists: Vec<RecencyList>,
    entries: Vec<Entry>,
    /// Per rank: where in `entries` it is. Kept to encode only.
    places: Vec<u32>,
    by_rows: Vec<Line>,
    by_token: Vec<Line>,
    by_token_and_bucket: Vec<Line>,
    /// Of the first two kinds of lines, by the ages of the latter two; the third has the rest.
    weights: Vec<[u16; 2]>,
    levels: Vec<Line>,
    zones: Vec<Distribution<ZONES>>,
    /// Of the symbol before: bucket, last token, row; and the row before that.
    bucket: usize,
    token: u32,
    row: usize,
    row_before: usize,
}

impl Coding {
    fn new(model: &SymbolModel, len: usize, encodes: bool) -> Result<Self, Corrupt> {
        if !model.is_sound() {
            return Err(Corrupt);
        }
        let symbols = model.row.len();
        let lines = 1 << len.max(1).ilog2().clamp(10, MOST_LINES);
        let list = |bucket: &Bucket| RecencyList {
            first: bucket.first_rank,
            live: bucket.size,
            oldest: [0; ZONES - 1],
        };
        let entry = |rank: usize| Entry {
            rank: rank as u32,
            last_token: model.last_token[rank],
            row: model.row[rank],
            uses_left: model.uses_left[rank],
        };
        let mut coding = Coding {
            column_starts: std::array::from_fn(|column| {
                model.buckets.partition_point(|bucket| usize::from(bucket.column) < column)
            }),
            lists: model.buckets.iter().map(list).collect(),
            entries: (0..symbols).map(entry).collect(),
            places: if encodes { (0..symbols as u32).collect() } else { Vec::new() },
            by_rows: vec![Line::even(); MOST_CLUSTERS * MOST_CLUSTERS],
            by_token: vec![Line::default(); lines],
            by_token_and_bucket: vec![Line::default(); lines],
            weights: vec![[u16::MAX / 3; 2]; 256],
            levels: vec![Line::even(); MOST_CLUSTERS * MOST_CLUSTERS],
            zones: vec![Distribution::even(); model.buckets.len()],
            bucket: 0,
            token: 0,
            row: 0,
            row_before: 0,
        };
        for (index, bucket) in model.buckets.iter().enumerate() {
            // From the back, so that none has been moved before its turn.
            for rank in (bucket.first_rank..bucket.first_rank + bucket.size).rev() {
                if model.uses_left[rank as usize] == 0 {
                    coding.retire(index, rank, encodes);
                }
            }
        }
        Ok(coding)
    }

    /// Takes the symbol at `place` of `entries` out of its list.
    fn retire(&mut self, bucket: usize, place: u32, encodes: bool) {
        let list = &mut self.lists[bucket];
        list.live -= 1;
        let end = list.first + list.live;
        self.entries.swap(place as usize, end as usize);
        if encodes {
            for moved in [place, end] {
                self.places[self.entries[moved as usize].rank as usize] = moved;
            }
        }
    }

    #[inline]
    fn column<C: BinaryCoder>(&mut self, coder: &mut C, column: usize) -> usize {
        let token = u64::from(self.token);
        let by_rows = &mut self.by_rows[self.row * MOST_CLUSTERS + self.row_before];
        let (token_line, token_check) = line_of(token, self.by_token.len());
        let (both_line, both_check) =
            line_of(token << 16 | self.bucket as u64, self.by_token_and_bucket.len());
        let by_token = &mut self.by_token[token_line];
        let by_both = &mut self.by_token_and_bucket[both_line];
        // Both are fetched before either is decided on: they miss the cache, but together.
        let found = [by_token.0[0], by_both.0[0]];
        claim(by_token, found[0], token_check, by_rows);
        claim(by_both, found[1], both_check, by_token);
        let ages = [by_token.0[0] & AGE_MASK, by_both.0[0] & AGE_MASK];

        let weights = &mut self.weights[usize::from(ages[0] << 4 | ages[1])];
        let rest = u16::MAX - weights[0] - weights[1];
        let mixed = Line::mixed([by_rows, by_token, by_both], [weights[0], weights[1], rest]);
        let column = coder.choice(column, &mixed.starts());

        // Along the gradient of the logarithm of what the column was given.
        let given = mixed.probability(column) + 2;
        let reference = by_both.probability(column);
        let push = |line: &Line| {
            (((line.probability(column) - reference) << 10) / given).clamp(-4096, 4096) >> 5
        };
        let first = (i32::from(weights[0]) + push(by_rows)).clamp(0, i32::from(u16::MAX));
        let second = (i32::from(weights[1]) + push(by_token)).clamp(0, i32::from(u16::MAX) - first);
        *weights = [first as u16, second as u16];

        learn_by_age(by_rows, column, LINE_RATE);
        for (line, age) in [by_token, by_both].into_iter().zip(ages) {
            line.learn(column, HASHED_RATES[usize::from(age)]);
            line.0[0] += u16::from(age < AGE_MASK);
        }
        column
    }

    /// The bucket, one of those of `column`.
    #[inline]
    fn bucket<C: BinaryCoder>(
        &mut self,
        coder: &mut C,
        column: usize,
        bucket: usize,
    ) -> Result<usize, Corrupt> {
        let levels = &mut self.levels[column * MOST_CLUSTERS + self.row];
        let start = self.column_starts[column];
        let level = coder.choice(bucket.wrapping_sub(start), &levels.starts());
        learn_by_age(levels, level, LINE_RATE);
        if start + level < self.column_starts[column + 1] {
            Ok(start + level)
        } else {
            Err(Corrupt)
        }
    }

    /// The symbol in the bucket's list, by its place there; moves it to the front.
    #[inline]
    fn entry<C: BinaryCoder>(
        &mut self,
        coder: &mut C,
        bucket: usize,
        place: u32,
    ) -> Result<Entry, Corrupt> {
        let list = &mut self.lists[bucket];
        let zones = &mut self.zones[bucket];
        let zone =
            if C::ENCODES { ZONE_STARTS.partition_point(|&start| start <= place) - 1 } else { 0 };
        let zone = coder.choice(zone, &zones.starts());
        learn_by_age(zones, zone, ZONE_RATE);
        let start = ZONE_STARTS[zone];
        if start >= list.live {
            return Err(Corrupt);
        }
        let size = ZONE_STARTS[zone + 1].min(list.live) - start;
        let in_zone = if size > 1 { coder.uniform(place.wrapping_sub(start), size) } else { 0 };

        let mut hole = list.first + start + in_zone;
        let mut entry = self.entries[hole as usize];
        if entry.uses_left == 1 {
            self.retire(bucket, hole, C::ENCODES);
            return Ok(entry);
        }
        entry.uses_left -= u8::from(entry.uses_left != UNKNOWN_USES);
        for nearer in (0..zone).rev() {
            let oldest = list.oldest[nearer];
            let (start, end) = (ZONE_STARTS[nearer], ZONE_STARTS[nearer + 1]);
            list.oldest[nearer] = if start + oldest + 1 < end { oldest + 1 } else { 0 };
            let from = list.first + start + oldest;
            let pushed = self.entries[from as usize];
            self.entries[hole as usize] = pushed;
            if C::ENCODES {
                self.places[pushed.rank as usize] = hole;
            }
            hole = from;
        }
        self.entries[hole as usize] = entry;
        if C::ENCODES {
            self.places[entry.rank as usize] = hole;
        }
        Ok(entry)
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
        let place =
            if C::ENCODES { self.places[rank as usize] - self.lists[bucket].first } else { 0 };
        let column = self.column(coder, column);
        let bucket = self.bucket(coder, column, bucket)?;
        let entry = self.entry(coder, bucket, place)?;
        self.row_before = self.row;
        self.row = usize::from(entry.row);
        self.token = entry.last_token;
        self.bucket = bucket;
        Ok(entry.rank)
    }
}

/// Where the line of a context is in a table of so many, and the check it has in place 0.
#[inline]
fn line_of(context: u64, lines: usize) -> (usize, u16) {
    let hash = context.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    // Never zero, which is what a new line has.
    let check = (hash >> 12) as u16 & !AGE_MASK | (AGE_MASK + 1);
    ((hash >> 32) as usize & (lines - 1), check)
}

/// If another context has the line, or none, it starts as `coarser`.
#[inline]
fn claim(line: &mut Line, found: u16, check: u16, coarser: &Line) {
    if found & !AGE_MASK != check {
        *line = *coarser;
        line.0[0] = check;
    }
}

/// Learns fast at first, then ever slower down to 1/2^`slowest`.
#[inline]
fn learn_by_age<const N: usize>(distribution: &mut Distribution<N>, value: usize, slowest: u32) {
    let age = distribution.0[0];
    distribution.learn(value, (u32::from(age) + 4).ilog2().min(slowest));
    distribution.0[0] += u16::from(age < 255);
}

/// Codes `sequence`, of ranks. It must keep to [`SymbolModel::uses_left`] or is an error.
pub(crate) fn encode(sequence: &[u32], model: &SymbolModel) -> Result<Vec<u8>, Corrupt> {
    let mut coding = Coding::new(model, sequence.len(), true)?;
    let mut encoder = Encoder::default();
    let mut bucket_of = Vec::with_capacity(model.row.len());
    for (index, bucket) in model.buckets.iter().enumerate() {
        bucket_of.resize(bucket_of.len() + bucket.size as usize, index);
    }
    for &rank in sequence {
        let bucket = *bucket_of.get(rank as usize).ok_or(Corrupt)?;
        coding.symbol(&mut encoder, rank, bucket, usize::from(model.buckets[bucket].column))?;
    }
    Ok(encoder.finish())
}

/// Hands the `len` ranks that [`encode`] was given with the same model to `take`, block by block,
/// each with its place in the sequence.
pub(crate) fn decode(
    bytes: &[u8],
    len: usize,
    model: &SymbolModel,
    mut take: impl FnMut(usize, &[u32]),
) -> Result<(), Corrupt> {
    let mut coding = Coding::new(model, len, false)?;
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
