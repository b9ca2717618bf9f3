//! The transform: rotations sorted by prefix doubling.
//!
//! The first rank of a rotation are its first four bytes. Rotations are sorted by their rank and by
//! that of the rotation that begins as much later as ranks tell apart, which doubles what ranks tell;
//! and again those that are still tied, until none is or all that are tied are equal. Ties of any
//! length break after logarithmically many rounds, where the thesis's merge sort walks along them
//! (section 4.4.1), and a round costs only as much as rotations are still tied.
//!
//! From the first round on a rank is the first row of the rotations that are tied, so ranks of others
//! stay as they are.

use super::bytes::{pack, unpack};
use super::{Run, Stages};
use crate::backend::Backend;
use crate::error::GpuError;
use crate::kernels::{heads, keep_ties, last_column, rank_ahead, rotations, settle, ties};
use crate::recording::{Buffer, Recording};
use zgram_bwt::Transformed;

/// Bytes that the first ranks tell.
const FIRST_DEPTH: usize = 4;

impl<B: Backend> Stages<B> {
    /// The Burrows-Wheeler transform of a text (section 2.1).
    ///
    /// # Errors
    /// When the device fails, or the text does not fit.
    pub fn forward(&self, text: &[u8]) -> Result<Transformed, GpuError> {
        let n = text.len();
        if n == 0 {
            return Ok(Transformed { last_column: Vec::new(), origin: 0 });
        }
        if n >= 1 << 31 {
            return Err(GpuError::TooMany { what: "bytes of a block" });
        }
        self.check_fits(n + 1)?;
        let mut run = self.run();
        let mut recording = Recording::new();
        let text = recording.upload("text", pack(text));
        let sorting =
            Sorting { n, ranks: recording.buffer("ranks", n), order: recording.buffer("order", n) };
        let mut tied = Tied {
            count: n,
            places: recording.buffer("places", n),
            rows: recording.buffer("rows", n),
        };
        let bindings = [text, sorting.ranks, tied.places, tied.rows].map(Into::into);
        recording.dispatch(&rotations::KERNEL, n, &[n as u32], &bindings);
        // The first ranks are bytes, later ones rows.
        let mut bits = 8 * FIRST_DEPTH as u32;
        let mut depth = FIRST_DEPTH;
        while tied.count > 0 {
            tied = sorting.round(&mut run, recording, tied, depth, bits)?;
            recording = Recording::new();
            bits = u32::BITS - (n as u32 - 1).leading_zeros();
            depth *= 2;
            if depth >= n {
                break;
            }
        }
        let words = n.div_ceil(4);
        let column = recording.buffer("column", words);
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

/// What is known of all rotations.
struct Sorting {
    n: usize,
    /// The rank of each.
    ranks: Buffer,
    /// The one in each row.
    order: Buffer,
}

impl Sorting {
    /// Sorts those that are tied, whose ranks of so many bits tell `depth` symbols, by twice as many.
    /// Returns those still tied.
    fn round(
        &self,
        run: &mut Run<'_>,
        mut recording: Recording,
        tied: Tied,
        depth: usize,
        bits: u32,
    ) -> Result<Tied, GpuError> {
        let keys = recording.buffer("keys", tied.count);
        let sorter = recording.sorter(tied.count, bits);
        let places = tied.places.part(0..tied.count);
        let params = |ahead: usize| [tied.count as u32, self.n as u32, (ahead % self.n) as u32];
        // Sorting keeps the order of what is equal: by what is ahead first, then by rank.
        for ahead in [depth, 0] {
            let bindings = [self.ranks.into(), places, keys.into()];
            recording.dispatch(&rank_ahead::KERNEL, tied.count, &params(ahead), &bindings);
            sorter.sort(&mut recording, keys, tied.places);
        }
        sorter.free(&mut recording);
        let numbers = recording.buffer("numbers", tied.count + 1);
        let bindings = [keys.into(), places, self.ranks.into(), numbers.into()];
        recording.dispatch(&heads::KERNEL, tied.count + 1, &params(depth), &bindings);
        recording.free(keys);
        self.split(run, recording, numbers, tied)
    }

    /// Gives ranks to sorted rotations, of which some are marked as heads of those that are equal.
    fn split(
        &self,
        run: &mut Run<'_>,
        mut recording: Recording,
        numbers: Buffer,
        sorted: Tied,
    ) -> Result<Tied, GpuError> {
        let count = sorted.count;
        let [places, rows] = [sorted.places, sorted.rows].map(|buffer| buffer.part(0..count));
        recording.scan(numbers, count + 1);
        let head_rows = recording.buffer("head_rows", count);
        let tie_numbers = recording.buffer("tie_numbers", count + 1);
        recording.dispatch(
            &ties::KERNEL,
            count + 1,
            &[count as u32],
            &[numbers.into(), rows, head_rows.into(), tie_numbers.into()],
        );
        recording.scan(tie_numbers, count + 1);
        let [ranks, order] = [self.ranks, self.order].map(Into::into);
        let known = [numbers.into(), head_rows.into(), places, rows, ranks, order];
        recording.dispatch(&settle::KERNEL, count, &[count as u32], &known);
        let tied_places = recording.buffer("tied_places", count);
        let tied_rows = recording.buffer("tied_rows", count);
        let kept = [tie_numbers.into(), places, rows, tied_places.into(), tied_rows.into()];
        recording.dispatch(&keep_ties::KERNEL, count, &[count as u32], &kept);
        let total = recording.download(tie_numbers, count..count + 1);
        recording.free(numbers);
        recording.free(head_rows);
        recording.free(tie_numbers);
        let total = run.submit(recording)?.take(total)[0] as usize;
        run.session.free(&[sorted.places, sorted.rows]);
        Ok(Tied { count: total, places: tied_places, rows: tied_rows })
    }
}
