//! The transform: sorts rotations by their first bytes, then group by group, then by doubling.
//!
//! - A radix sort orders all rotations by their first four bytes. On the way a rotation is one word: its
//!   start, and the next byte.
//! - Rows that are still tied form a *group*. One workgroup sorts a small group in its own memory, by
//!   four more bytes at a time, up to 36 bytes (the thesis's local sort, section 2.1.1, but by counting).
//!   Groups that are too large for a workgroup are listed, and sorted all at once.
//! - Prefix doubling sorts the rest. A rotation's *rank* is the row of its group's head. The rotations of
//!   a group are sorted by the rank of the rotation that begins as many bytes later as ranks distinguish,
//!   which doubles that number. Ties of any length break after logarithmically many rounds, where the
//!   thesis's merge sort compares byte by byte (section 4.4.1), and a round costs only as much as there
//!   are tied rotations. When a round has made a large group small, workgroups sort it from then on, at a
//!   tenth of the memory traffic. Groups that were sorted by bytes are hidden until the ranks of large
//!   groups distinguish as many bytes.
//!
//! A rank may distinguish more bytes than it must: ranks are in the order of rotations, and doubling
//! needs no more.

use super::{Run, Stages};
use crate::backend::Backend;
use crate::bytes::{pack, unpack};
use crate::error::GpuError;
use crate::kernels::bwt::transform_large_find::LARGEST_GROUP;
use crate::kernels::bwt::transform_prefix_scatter::{self, PLACE_BITS};
use crate::kernels::bwt::{
    transform_large_find, transform_large_head_rows, transform_large_heads, transform_large_keys,
    transform_large_list, transform_large_ranks, transform_last_column, transform_prefix_heads,
    transform_prefix_load, transform_small_hide, transform_small_ranks, transform_small_restore,
    transform_small_sort,
};
use crate::kernels::primitives::radix_count;
use crate::recording::{Binding, Buffer, Download, Recording};
use zgram_bwt::Transformed;

/// All rotations are sorted by this many bytes.
const FIRST_DEPTH: usize = 4;
/// Rounds that sort groups by four more bytes.
const BYTE_ROUNDS: u32 = 8;
/// The bytes that the rotations of a group then have in common: at least this power of two.
const GROUP_DEPTH: usize = FIRST_DEPTH * BYTE_ROUNDS as usize;

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
        let mut sorting = Sorting::sort_by_prefix(&mut recording, n, text);
        let (mut listed, mut tied) = sorting.sort_small_groups(&mut run, recording)?;
        let mut depth = if listed.count > 0 { FIRST_DEPTH } else { GROUP_DEPTH };
        while listed.count > 0 || tied > 0 || sorting.hidden.is_some() {
            if depth >= GROUP_DEPTH {
                tied += sorting.restore_small_groups(&mut run)?;
            }
            if tied > 0 {
                tied = sorting.double_small_groups(&mut run, depth)?;
            }
            if listed.count > 0 {
                let before = listed.count;
                listed = sorting.double_large_groups(&mut run, listed, depth)?;
                // Some of these may not be tied any more.
                tied += before - listed.count;
            }
            depth *= 2;
            if depth >= n {
                break;
            }
        }
        let mut recording = Recording::new();
        recording.dispatch(
            &transform_last_column::KERNEL,
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

/// The rotations of large groups, in their present order.
#[derive(Clone, Copy)]
struct Listed {
    count: usize,
    /// Their starts in the text.
    places: Buffer,
    /// Their rows.
    rows: Buffer,
}

impl Listed {
    /// Places and rows, without the unused rest of the buffers.
    fn bindings(&self) -> [Binding; 2] {
        [self.places, self.rows].map(|buffer| buffer.part(0..self.count))
    }
}

/// The rows of large groups.
struct Large {
    /// One bit per row.
    bits: Buffer,
    /// Their number before each word of bits.
    numbers: Buffer,
    /// Their total number.
    total: Download,
}

/// Small groups that wait until the ranks of all others distinguish as many bytes as theirs.
struct HiddenGroups {
    /// Their head bits.
    heads: Buffer,
    /// The number of tied rotations in them.
    tied: usize,
}

impl Run<'_> {
    /// Adds the memory traffic of sorting and ranking small groups, from what the kernel has counted.
    /// `ranked` rotations were ranked, or if `None` those whose group has changed. Returns the number of
    /// rotations still tied.
    fn count(&mut self, counts: &[u32], ranked: Option<usize>) -> usize {
        let [tied_before, looked_at, tied, moved, regrouped] =
            std::array::from_fn::<_, { transform_small_sort::COUNTS }, _>(|count| {
                counts[count] as usize
            });
        // The places of tied rotations are read, and written where they have changed. Ranking a rotation
        // reads a place and writes a rank.
        self.add(transform_small_sort::KERNEL.name, 4 * (tied_before + looked_at + moved) as u64);
        let ranked = ranked.unwrap_or(regrouped);
        self.add(transform_small_ranks::KERNEL.name, 4 * 2 * ranked as u64);
        tied
    }
}

/// The state of sorting.
struct Sorting {
    n: usize,
    /// The first bytes of each rotation.
    prefixes: Buffer,
    /// The rank of each rotation.
    ranks: Buffer,
    /// The rotation in each row.
    order: Buffer,
    /// One bit for each row that differs from the row before, and one after the last row; and the same
    /// after the next round.
    heads: [Buffer; 2],
    hidden: Option<HiddenGroups>,
}

impl Sorting {
    /// Sorts rotations by their first bytes.
    fn sort_by_prefix(recording: &mut Recording, n: usize, text: Buffer) -> Self {
        let tiles = n.div_ceil(radix_count::TILE);
        let threads = tiles * radix_count::KERNEL.workgroup as usize;
        let prefixes = recording.buffer("prefixes", n);
        let bindings = [text, prefixes].map(Into::into);
        recording.dispatch(&transform_prefix_load::KERNEL, n, &[n as u32], &bindings);
        let places = recording.buffer("places", tiles << 8);
        let [mut from, mut to] = ["moved", "order"].map(|name| recording.buffer(name, n));
        for round in 0..FIRST_DEPTH as u32 {
            let is_first = round == 0;
            // Selects the next byte. In the last round there is none, and the prefixes are not read.
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
            recording.dispatch(&transform_prefix_scatter::KERNEL, threads, &params, &moved);
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
            hidden: None,
        };
        let bindings = [sorting.order, prefixes, sorting.heads[0]].map(Into::into);
        recording.dispatch(&transform_prefix_heads::KERNEL, n + 1, &[n as u32], &bindings);
        sorting
    }

    /// Sorts small groups by more bytes. Returns the large groups, and the number of rotations still tied
    /// in small ones. If there are large groups, hides the small ones.
    fn sort_small_groups(
        &mut self,
        run: &mut Run<'_>,
        mut recording: Recording,
    ) -> Result<(Listed, usize), GpuError> {
        let n = self.n as u32;
        let large = self.find_large(&mut recording);
        let by_bytes = [n, BYTE_ROUNDS, FIRST_DEPTH as u32, FIRST_DEPTH as u32];
        let counts = self.record_small_sort(&mut recording, self.prefixes, by_bytes);
        self.record_small_ranks(&mut recording, true);
        let mut outcome = run.submit(recording)?;
        let count = outcome.take(large.total)[0] as usize;
        let mut tied = run.count(&outcome.take(counts), Some(self.n - count));
        let mut recording = Recording::new();
        recording.free(self.prefixes);
        if count > 0 && tied > 0 {
            let heads = self.heads[0];
            let words = heads.words();
            let hidden = recording.buffer("hidden", words);
            let bindings = [large.bits, heads, hidden].map(Into::into);
            recording.dispatch(&transform_small_hide::KERNEL, words, &[words as u32], &bindings);
            self.hidden = Some(HiddenGroups { heads: hidden, tied: std::mem::take(&mut tied) });
        }
        let (listed, listed_heads) = self.list_large(run, &mut recording, &large, count);
        if count > 0 {
            self.record_large_ranks(&mut recording, listed_heads, listed);
        }
        recording.free(listed_heads);
        run.submit(recording)?;
        Ok((listed, tied))
    }

    /// Restores the hidden groups, if there are any. Returns the number of rotations tied in them.
    fn restore_small_groups(&mut self, run: &mut Run<'_>) -> Result<usize, GpuError> {
        let Some(hidden) = self.hidden.take() else { return Ok(0) };
        let mut recording = Recording::new();
        let heads = self.heads[0];
        let words = heads.words();
        let bindings = [hidden.heads, heads].map(Into::into);
        recording.dispatch(&transform_small_restore::KERNEL, words, &[words as u32], &bindings);
        recording.free(hidden.heads);
        run.submit(recording)?;
        Ok(hidden.tied)
    }

    /// Records the search for the rows of large groups.
    fn find_large(&self, recording: &mut Recording) -> Large {
        let heads = self.heads[0];
        let words = heads.words();
        let bits = recording.buffer("large", words);
        let numbers = recording.buffer("numbers", words + 1);
        let bindings = [heads, bits, numbers].map(Into::into);
        recording.dispatch(&transform_large_find::KERNEL, self.n, &[self.n as u32], &bindings);
        recording.scan(numbers, words + 1);
        let total = recording.download(numbers, words..words + 1);
        Large { bits, numbers, total }
    }

    /// Records the listing of `count` rotations of large groups. Also returns which of them are heads.
    fn list_large(
        &self,
        run: &mut Run<'_>,
        recording: &mut Recording,
        large: &Large,
        count: usize,
    ) -> (Listed, Buffer) {
        let listed = Listed {
            count,
            places: recording.buffer("places", count),
            rows: recording.buffer("rows", count),
        };
        let heads = recording.buffer("listed_heads", count + 1);
        if count > 0 {
            let from = [large.bits, large.numbers, self.heads[0], self.order];
            let to = [listed.places, listed.rows, heads];
            let bindings: Vec<_> = from.into_iter().chain(to).map(Into::into).collect();
            recording.dispatch(&transform_large_list::KERNEL, self.n, &[self.n as u32], &bindings);
            run.add(transform_large_list::KERNEL.name, 4 * count as u64);
        }
        recording.free(large.bits);
        recording.free(large.numbers);
        (listed, heads)
    }

    /// Sorts small groups whose ranks distinguish `depth` symbols by twice as many. Returns the number of
    /// rotations still tied.
    fn double_small_groups(&mut self, run: &mut Run<'_>, depth: usize) -> Result<usize, GpuError> {
        let mut recording = Recording::new();
        let by_ranks = [self.n as u32, 1, (depth % self.n) as u32, 0];
        let counts = self.record_small_sort(&mut recording, self.ranks, by_ranks);
        self.record_small_ranks(&mut recording, false);
        let counts = run.submit(recording)?.take(counts);
        Ok(run.count(&counts, None))
    }

    /// Records the sorting of small groups by keys of `source`, and the download of the kernel's counts.
    fn record_small_sort(
        &self,
        recording: &mut Recording,
        source: Buffer,
        params: [u32; 4],
    ) -> Download {
        let [heads, new_heads] = self.heads;
        // Each tile adds its own heads, old and new.
        recording.clear(new_heads);
        let counts = recording.buffer("counts", transform_small_sort::COUNTS);
        let tiles = self.n.div_ceil(transform_small_sort::TILE);
        let threads = tiles * transform_small_sort::KERNEL.workgroup as usize;
        let bindings = [heads, source, self.order, new_heads, counts].map(Into::into);
        recording.dispatch(&transform_small_sort::KERNEL, threads, &params, &bindings);
        let downloaded = recording.download(counts, 0..transform_small_sort::COUNTS);
        recording.free(counts);
        downloaded
    }

    /// Records the ranking of rotations in small groups: of all, or of those whose group has changed.
    fn record_small_ranks(&mut self, recording: &mut Recording, are_all: bool) {
        let [heads, new_heads] = self.heads;
        let bindings = [heads, new_heads, self.order, self.ranks].map(Into::into);
        let params = [self.n as u32, u32::from(are_all)];
        recording.dispatch(&transform_small_ranks::KERNEL, self.n, &params, &bindings);
        self.heads = [new_heads, heads];
    }

    /// Sorts the listed rotations, whose ranks distinguish `depth` symbols, by twice as many. Returns
    /// those whose groups are still large.
    fn double_large_groups(
        &self,
        run: &mut Run<'_>,
        listed: Listed,
        depth: usize,
    ) -> Result<Listed, GpuError> {
        let mut recording = Recording::new();
        let count = listed.count;
        let [n, ahead] = [self.n, depth % self.n].map(|number| number as u32);
        // Ranks are rows. The heads of large groups are so far apart that fewer bits distinguish them.
        let group_unit = LARGEST_GROUP as u32 + 1;
        let [bits, group_bits] =
            [1, group_unit].map(|unit| u32::BITS - ((n - 1) / unit).leading_zeros());
        let unsorted = (recording.buffer("keys", count), listed.places);
        let sorter = recording.sorter(count, bits);
        // Sorting is stable: by the rank ahead first, then by the rank.
        let make_keys =
            |recording: &mut Recording, time: usize, (keys, places): (Buffer, Buffer)| {
                let [ahead, unit] = [[ahead, 1], [0, group_unit]][time];
                let bindings = [self.ranks, places, keys].map(Into::into);
                let params = [count as u32, n, ahead, unit];
                recording.dispatch(&transform_large_keys::KERNEL, count, &params, &bindings);
            };
        let (keys, places) = sorter.sort_twice(&mut recording, group_bits, unsorted, make_keys);
        let sorted = Listed { places, ..listed };
        let numbers = recording.buffer("numbers", count + 1);
        let from = [keys, places, self.ranks, listed.rows].map(Into::into);
        let to = [numbers, self.heads[0]].map(Into::into);
        let bindings = [&from[..], &to].concat();
        recording.dispatch(
            &transform_large_heads::KERNEL,
            count + 1,
            &[count as u32, n, ahead],
            &bindings,
        );
        self.record_large_ranks(&mut recording, numbers, sorted);
        sorter.free(&mut recording);
        for buffer in [unsorted.0, listed.places, listed.rows, numbers] {
            recording.free(buffer);
        }
        let large = self.find_large(&mut recording);
        let still = run.submit(recording)?.take(large.total)[0] as usize;
        let mut recording = Recording::new();
        let (listed, heads) = self.list_large(run, &mut recording, &large, still);
        recording.free(heads);
        run.submit(recording)?;
        Ok(listed)
    }

    /// Records how listed rotations get their ranks and rows, given which of them are heads.
    fn record_large_ranks(&self, recording: &mut Recording, numbers: Buffer, listed: Listed) {
        let count = listed.count;
        let [places, rows] = listed.bindings();
        recording.scan(numbers, count + 1);
        let first_rows = recording.buffer("head_rows", count);
        let bindings = [numbers.into(), rows, first_rows.into()];
        recording.dispatch(&transform_large_head_rows::KERNEL, count, &[count as u32], &bindings);
        let [ranks, order] = [self.ranks, self.order].map(Into::into);
        let known = [numbers.into(), first_rows.into(), places, rows, ranks, order];
        recording.dispatch(&transform_large_ranks::KERNEL, count, &[count as u32], &known);
        recording.free(first_rows);
    }
}
