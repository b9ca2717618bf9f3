//! The transform: rotations sorted by their first bytes, then group by group, then by doubling.
//!
//! - All rotations are sorted by their first four bytes, with the radix sort. A rotation is a word on
//!   the way: its place, and the byte that comes next.
//! - Rows that are still tied are a *group*. One workgroup sorts a group in its own memory, by four more
//!   bytes at a time of those still tied, up to 36 bytes (the thesis's local sort, section 2.1.2, but by
//!   counting). Groups too large for a workgroup are listed apart.
//! - What is left is sorted by prefix doubling: a rotation's *rank* is the first row of its group, and
//!   those of a group are sorted by the rank of the rotation that begins as much later as ranks tell
//!   apart, which doubles what ranks tell. Ties of any length break after logarithmically many rounds,
//!   where the thesis's merge sort walks along them (section 4.4.1), and a round costs only as much as
//!   rotations are still tied.
//!
//! A rank may tell more than it must: ranks are ordered as rotations are, and that is all that doubling
//! asks for.

use super::bytes::{pack, unpack};
use super::{Run, Stages};
use crate::backend::Backend;
use crate::error::GpuError;
use crate::kernels::byte_scatter::{self, PLACE_BITS};
use crate::kernels::{
    heads, keep_ties, large_groups, last_column, list_large, prefix_heads, prefixes, radix_count,
    rank_ahead, settle, settle_groups, sort_groups, ties,
};
use crate::recording::{Binding, Buffer, Download, Recording};
use zgram_bwt::Transformed;

/// Bytes that all rotations are sorted by.
const FIRST_DEPTH: usize = 4;
/// Times that groups are sorted by four more bytes.
const BYTE_ROUNDS: u32 = 8;

impl<B: Backend> Stages<B> {
    /// The Burrows-Wheeler transform of a text (section 2.1).
    ///
    /// # Errors
    /// When the device fails, or the text does not fit: it may have up to 16 MiB.
    pub fn forward(&self, text: &[u8]) -> Result<Transformed, GpuError> {
        let n = text.len();
        if n == 0 {
            return Ok(Transformed { last_column: Vec::new(), origin: 0 });
        }
        if n > 1 << PLACE_BITS {
            return Err(GpuError::TooMany { what: "bytes of a block" });
        }
        self.check_fits(n + 1)?;
        let mut run = self.run();
        let mut recording = Recording::new();
        let text = recording.upload("text", pack(text));
        let words = n.div_ceil(4);
        let column = recording.buffer("column", words);
        let mut sorting = Sorting::by_first_bytes(&mut recording, n, text);
        let (mut listed, mut tied) = sorting.by_groups(&mut run, recording)?;
        let mut depth = FIRST_DEPTH;
        while listed.count > 0 || tied > 0 {
            if listed.count > 0 {
                listed = sorting.round(&mut run, listed, depth)?;
            }
            if tied > 0 {
                tied = sorting.round_of_groups(&mut run, depth)?;
            }
            depth *= 2;
            if depth >= n {
                break;
            }
        }
        let mut recording = Recording::new();
        recording.dispatch(
            &last_column::KERNEL,
            words,
            &[n as u32],
            &[sorting.order.into(), text.into(), column.into()],
        );
        let column = recording.download(column, 0..words);
        let origin = recording.download(sorting.ranks, 0..1);
        let mut outcome = run.submit(recording)?;
        let last_column = unpack(&outcome.take(column), n);
        Ok(Transformed { last_column, origin: outcome.take(origin)[0] as usize })
    }
}

/// Rotations that are still tied, in their present order.
#[derive(Clone, Copy)]
struct Tied {
    count: usize,
    /// Where they begin.
    places: Buffer,
    /// The rows they have together.
    rows: Buffer,
}

impl Tied {
    /// Places and rows, without what is behind them.
    fn listed(&self) -> [Binding; 2] {
        [self.places, self.rows].map(|buffer| buffer.part(0..self.count))
    }
}

impl Run<'_> {
    /// Adds the words that sorting groups, and settling so many rotations, read and wrote, by what
    /// was counted. Returns how many rotations are still tied.
    fn count(&mut self, counts: &[u32], settled: usize) -> usize {
        let [tied_before, looked_at, tied] = [0, 1, 2].map(|count| counts[count] as usize);
        // Places of those tied are read and written. To settle is to read a place and write a rank.
        self.add(sort_groups::KERNEL.name, 4 * (2 * tied_before + looked_at) as u64);
        self.add(settle_groups::KERNEL.name, 4 * 2 * settled as u64);
        tied
    }
}

/// What is known of all rotations.
struct Sorting {
    n: usize,
    /// The first bytes of each.
    prefixes: Buffer,
    /// The rank of each.
    ranks: Buffer,
    /// The one in each row.
    order: Buffer,
    /// A bit for each row that differs from the one before, and one behind the last; and room for
    /// those after a round.
    heads: [Buffer; 2],
}

impl Sorting {
    /// Sorts rotations by their first bytes.
    fn by_first_bytes(recording: &mut Recording, n: usize, text: Buffer) -> Self {
        let tiles = n.div_ceil(radix_count::TILE);
        let threads = tiles * radix_count::KERNEL.workgroup as usize;
        let prefixes = recording.buffer("prefixes", n);
        let bindings = [text, prefixes].map(Into::into);
        recording.dispatch(&prefixes::KERNEL, n, &[n as u32], &bindings);
        let places = recording.buffer("places", tiles << 8);
        let [mut from, mut to] = ["moved", "order"].map(|name| recording.buffer(name, n));
        for round in 0..FIRST_DEPTH as u32 {
            let is_first = round == 0;
            // The byte that comes next. Behind the last there is none, and prefixes are not looked at.
            let shift = 8 * (round + 1);
            let (words, looked_at, count_shift) = match is_first {
                true => (prefixes, from.part(0..1), 0),
                false if shift < 32 => (from, prefixes.into(), PLACE_BITS),
                false => (from, prefixes.part(0..1), PLACE_BITS),
            };
            let params = [n as u32, count_shift, 1 << 8, tiles as u32];
            let counted = [words.into(), places.into()];
            recording.dispatch(&radix_count::KERNEL, threads, &params, &counted);
            recording.scan(places, tiles << 8);
            let params = [n as u32, tiles as u32, u32::from(is_first), shift];
            let moved = [words.into(), looked_at, places.into(), to.into()];
            recording.dispatch(&byte_scatter::KERNEL, threads, &params, &moved);
            std::mem::swap(&mut from, &mut to);
        }
        recording.free(places);
        recording.free(to);
        let words = n / 32 + 1;
        let sorting = Self {
            n,
            prefixes,
            ranks: recording.buffer("ranks", n),
            order: from,
            heads: ["heads", "new_heads"].map(|name| recording.buffer(name, words)),
        };
        let bindings = [sorting.order, prefixes, sorting.heads[0]].map(Into::into);
        recording.dispatch(&prefix_heads::KERNEL, n + 1, &[n as u32], &bindings);
        sorting
    }

    /// Sorts groups by more bytes, but for large ones. Returns those, and how many rotations of
    /// others are still tied.
    fn by_groups(
        &mut self,
        run: &mut Run<'_>,
        mut recording: Recording,
    ) -> Result<(Tied, usize), GpuError> {
        let n = self.n as u32;
        let words = self.heads[0].words();
        let large = recording.buffer("large", words);
        let numbers = recording.buffer("numbers", words + 1);
        let bindings = [self.heads[0], large, numbers].map(Into::into);
        recording.dispatch(&large_groups::KERNEL, self.n, &[n], &bindings);
        recording.scan(numbers, words + 1);
        let total = recording.download(numbers, words..words + 1);
        let by_bytes = [n, BYTE_ROUNDS, FIRST_DEPTH as u32, FIRST_DEPTH as u32];
        let counts = self.sort_groups(&mut recording, self.prefixes, by_bytes);
        self.settle_groups(&mut recording, true);
        let mut outcome = run.submit(recording)?;
        let count = outcome.take(total)[0] as usize;
        let tied = run.count(&outcome.take(counts), self.n - count);
        let mut recording = Recording::new();
        recording.free(self.prefixes);
        recording.free(large);
        recording.free(numbers);
        let listed = Tied {
            count,
            places: recording.buffer("places", count),
            rows: recording.buffer("rows", count),
        };
        if count == 0 {
            run.submit(recording)?;
            return Ok((listed, tied));
        }
        let listed_heads = recording.buffer("listed_heads", count + 1);
        let from = [large, numbers, self.heads[0], self.order];
        let to = [listed.places, listed.rows, listed_heads];
        let bindings: Vec<_> = from.into_iter().chain(to).map(Into::into).collect();
        recording.dispatch(&list_large::KERNEL, self.n, &[n], &bindings);
        run.add(list_large::KERNEL.name, 4 * count as u64);
        let tie_numbers = self.settle(&mut recording, listed_heads, listed);
        recording.free(tie_numbers);
        run.submit(recording)?;
        Ok((listed, tied))
    }

    /// Sorts those of groups, but for large ones, whose ranks tell `depth` symbols, by twice as many.
    /// Returns how many are still tied.
    fn round_of_groups(&mut self, run: &mut Run<'_>, depth: usize) -> Result<usize, GpuError> {
        let mut recording = Recording::new();
        let by_ranks = [self.n as u32, 1, (depth % self.n) as u32, 0];
        let counts = self.sort_groups(&mut recording, self.ranks, by_ranks);
        self.settle_groups(&mut recording, false);
        let counts = run.submit(recording)?.take(counts);
        Ok(run.count(&counts, counts[0] as usize))
    }

    /// Records the sorting of groups by keys of `source`. What is counted is downloaded.
    fn sort_groups(&self, recording: &mut Recording, source: Buffer, params: [u32; 4]) -> Download {
        let [heads, new_heads] = self.heads;
        // Each tile adds its own heads, old and new.
        recording.clear(new_heads);
        let counts = recording.buffer("counts", 3);
        let tiles = self.n.div_ceil(sort_groups::TILE);
        let threads = tiles * sort_groups::KERNEL.workgroup as usize;
        let bindings = [heads, source, self.order, new_heads, counts].map(Into::into);
        recording.dispatch(&sort_groups::KERNEL, threads, &params, &bindings);
        let downloaded = recording.download(counts, 0..3);
        recording.free(counts);
        downloaded
    }

    /// Records how rotations of groups, all or those that were tied, get new ranks.
    fn settle_groups(&mut self, recording: &mut Recording, are_all: bool) {
        let [heads, new_heads] = self.heads;
        let bindings = [heads, new_heads, self.order, self.ranks].map(Into::into);
        let params = [self.n as u32, u32::from(are_all)];
        recording.dispatch(&settle_groups::KERNEL, self.n, &params, &bindings);
        self.heads = [new_heads, heads];
    }

    /// Sorts those that are listed, whose ranks tell `depth` symbols, by twice as many. Returns those
    /// still tied.
    fn round(&self, run: &mut Run<'_>, tied: Tied, depth: usize) -> Result<Tied, GpuError> {
        let mut recording = Recording::new();
        // Ranks are rows.
        let bits = u32::BITS - (self.n as u32 - 1).leading_zeros();
        let keys = recording.buffer("keys", tied.count);
        let sorter = recording.sorter(tied.count, bits);
        let places = tied.places.part(0..tied.count);
        let params = |ahead: usize| [tied.count as u32, self.n as u32, (ahead % self.n) as u32];
        // Sorting keeps the order of what is equal: by what is ahead first, then by rank.
        sorter.sort_twice(&mut recording, keys, tied.places, |recording, time, keys, places| {
            let params = params([depth, 0][time]);
            let bindings = [self.ranks.into(), places.part(0..tied.count), keys.into()];
            recording.dispatch(&rank_ahead::KERNEL, tied.count, &params, &bindings);
        });
        sorter.free(&mut recording);
        let numbers = recording.buffer("numbers", tied.count + 1);
        let bindings = [keys.into(), places, self.ranks.into(), numbers.into()];
        recording.dispatch(&heads::KERNEL, tied.count + 1, &params(depth), &bindings);
        recording.free(keys);
        self.split(run, recording, numbers, tied)
    }

    /// Gives ranks to sorted rotations, of which some are marked as heads of those that are equal.
    /// Returns those still tied.
    fn split(
        &self,
        run: &mut Run<'_>,
        mut recording: Recording,
        numbers: Buffer,
        sorted: Tied,
    ) -> Result<Tied, GpuError> {
        let count = sorted.count;
        let tie_numbers = self.settle(&mut recording, numbers, sorted);
        recording.scan(tie_numbers, count + 1);
        let tied_places = recording.buffer("tied_places", count);
        let tied_rows = recording.buffer("tied_rows", count);
        let [places, rows] = sorted.listed();
        let kept = [tie_numbers.into(), places, rows, tied_places.into(), tied_rows.into()];
        recording.dispatch(&keep_ties::KERNEL, count, &[count as u32], &kept);
        let total = recording.download(tie_numbers, count..count + 1);
        recording.free(tie_numbers);
        let total = run.submit(recording)?.take(total)[0] as usize;
        run.session.free(&[sorted.places, sorted.rows]);
        Ok(Tied { count: total, places: tied_places, rows: tied_rows })
    }

    /// Records how listed rotations get their ranks and rows. Returns marks of those still tied.
    fn settle(&self, recording: &mut Recording, numbers: Buffer, listed: Tied) -> Buffer {
        let count = listed.count;
        let [places, rows] = listed.listed();
        recording.scan(numbers, count + 1);
        let head_rows = recording.buffer("head_rows", count);
        let tie_numbers = recording.buffer("tie_numbers", count + 1);
        recording.dispatch(
            &ties::KERNEL,
            count + 1,
            &[count as u32],
            &[numbers.into(), rows, head_rows.into(), tie_numbers.into()],
        );
        let [ranks, order] = [self.ranks, self.order].map(Into::into);
        let known = [numbers.into(), head_rows.into(), places, rows, ranks, order];
        recording.dispatch(&settle::KERNEL, count, &[count as u32], &known);
        recording.free(numbers);
        recording.free(head_rows);
        tie_numbers
    }
}
