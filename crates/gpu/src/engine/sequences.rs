//! A grammar of words becomes a grammar of sequences, on the device (gtadoc section IV-D).
//!
//! Four submissions, since each needs sizes that the one before has found:
//!
//! 1. the length of each row and of its edges, bottom-up;
//! 2. the edges, first and last words of each row, bottom-up; how many sequences span symbols of it;
//! 3. those sequences, and which of them are the same;
//! 4. their order, by which they are numbered.
//!
//! After that, counting sequences is counting words.

use super::plan::{bind, cut, window};
use super::session::{Phase, Session};
use super::sheet::{Sheet, check_binding};
use crate::error::GpuError;
use crate::kernels::{
    collect, column, derive as derive_kernel, edges, identify, rank, rename, status, unfold,
};
use crate::recording::{Binding, Buffer, Recording};
use zgram::analytics::Job;

/// Rounds of loops that a thread may make for a row.
const MOST_ROUNDS: usize = 8000;

/// Times that the table of sequences is made larger before giving up.
const MOST_RERUNS: u32 = 4;

/// A grammar of sequences on the device.
pub(super) struct Sequences {
    /// Its tokens are occurrences of sequences, its items the sequences.
    pub(super) sheet: Sheet,
    /// How many words each row stands for.
    pub(super) lengths: Buffer,
    /// The words of all sequences, in order.
    pub(super) words: Vec<u32>,
}

/// Symbols that a row may have when sequences of `n` words are counted.
pub(super) fn most_symbols(n: usize) -> Result<usize, GpuError> {
    match MOST_ROUNDS / n {
        0 | 1 => Err(GpuError::TooMany { what: "words of a sequence" }),
        most => Ok(most),
    }
}

/// What is known of occurrences after the second submission.
struct Sizes {
    /// Words of the text, occurrences, and rows that have sequences.
    text: usize,
    occurrences: usize,
    derived: usize,
    row_starts: Vec<u32>,
}

/// Derives the grammar of sequences of a job's `n` words.
pub(super) fn derive(
    session: &mut Session<'_>,
    mut recording: Recording,
    sheet: Sheet,
    job: &Job<'_>,
) -> Result<Sequences, GpuError> {
    let n = job.n as u32;
    let rows = sheet.rows() as usize;
    // Sums of 32 bits must hold what edges and texts can have.
    let most = u64::from(*sheet.row_starts.last().expect("starts have an end")) + rows as u64;
    if most.saturating_mul(4 * u64::from(n)) > u64::from(u32::MAX) {
        return Err(GpuError::TooMany { what: "sequences" });
    }

    let (lengths, edge_starts) = sheet.measure(session, &mut recording, 2 * n - 1);
    recording.scan(edge_starts, rows + 1);
    let total = recording.download(edge_starts, rows..rows + 1);
    let total = session.submit(Phase::Initialisation, recording)?.take(total)[0] as usize;
    check_binding(session, total)?;

    let work = Work { sheet: &sheet, n, edge_starts };
    let (edge_words, starts, sizes) = work.edges(session, total)?;
    let Sizes { text, occurrences, derived, row_starts } = sizes;
    for words in [text, 2 * occurrences, derived] {
        check_binding(session, words)?;
    }
    let mut recording = Recording::new();
    let text = recording.buffer("text", text);
    let places = recording.buffer("occurrences", occurrences);
    let derived_starts = recording.buffer("derived_starts", rows + 1);
    let derived = recording.buffer("derived", derived);
    work.unfold(session, &mut recording, true, &[edge_words, starts, text, places]);
    let params = [sheet.tokens, rows as u32, n];
    work.each_window(session, |rows, base, symbols| {
        let params =
            [rows.start, rows.end, params[0], params[1], params[2], base, occurrences as u32];
        let bindings: [Binding; 6] = [
            sheet.starts.into(),
            symbols,
            edge_starts.into(),
            starts.into(),
            derived_starts.into(),
            derived.into(),
        ];
        recording.dispatch(&derive_kernel::KERNEL, rows.len(), &params, &bindings);
    });
    let found = Found { text, places, occurrences, n };
    let (names, marks, count) = found.identify(session, recording, job)?;
    let gone = [sheet.starts, sheet.symbols, sheet.numbers, edge_starts, edge_words, starts];
    session.free(&gone);
    let words = found.name(session, names, marks, count, job.words)?;
    session.free(&[text, places, marks]);
    let tokens = occurrences as u32;
    let sheet = Sheet {
        tokens,
        items: count as u32,
        row_starts,
        starts: derived_starts,
        symbols: derived,
        numbers: names,
        ..sheet
    };
    Ok(Sequences { sheet, lengths, words })
}

/// The rows of which sequences are derived.
struct Work<'s> {
    sheet: &'s Sheet,
    n: u32,
    edge_starts: Buffer,
}

impl Work<'_> {
    /// Runs `dispatch` for ranges of all rows, with the symbols that each sees.
    fn each_window(
        &self,
        session: &Session<'_>,
        mut dispatch: impl FnMut(std::ops::Range<u32>, u32, Binding),
    ) {
        let row_starts = &self.sheet.row_starts;
        for rows in cut(0..self.sheet.rows(), row_starts, session.backend.limits().binding) {
            let window = window(&rows, row_starts);
            dispatch(rows, window.start as u32, bind(self.sheet.symbols, &window));
        }
    }

    /// Edges of all rows, and how many sequences each row has.
    fn edges(
        &self,
        session: &mut Session<'_>,
        total: usize,
    ) -> Result<(Buffer, Buffer, Sizes), GpuError> {
        let Self { sheet, n, edge_starts } = *self;
        let rows = sheet.rows() as usize;
        let mut recording = Recording::new();
        let edge_words = recording.buffer("edge_words", total);
        let plan = sheet.plan(session, false, 2 * n as usize, ExactSizeIterator::len);
        let bindings = [edge_starts.into(), edge_words.into()];
        sheet.pass(&mut recording, &edges::KERNEL, &plan, sheet.items, &[n], &bindings);
        let list = rows + 1;
        let starts = recording.buffer("starts", 3 * list);
        let unused = [recording.buffer("no_text", 1), recording.buffer("no_occurrences", 1)];
        self.unfold(session, &mut recording, false, &[edge_words, starts, unused[0], unused[1]]);
        recording.scan(starts, 3 * list);
        let sums = recording.download(starts, 0..3 * list);
        unused.into_iter().for_each(|buffer| recording.free(buffer));
        let sums = session.submit(Phase::Initialisation, recording)?.take(sums);
        let [text, occurrences] = [rows, list + rows].map(|at| sums[at] as usize);
        let row_starts: Vec<u32> = (0..list)
            .map(|row| sums[list + row] - sums[list] + sums[2 * list + row] - sums[2 * list])
            .collect();
        let sizes = Sizes {
            text,
            occurrences: occurrences - sums[list] as usize,
            derived: row_starts[rows] as usize,
            row_starts,
        };
        Ok((edge_words, starts, sizes))
    }

    fn unfold(
        &self,
        session: &Session<'_>,
        recording: &mut Recording,
        writes: bool,
        [edge_words, starts, text, places]: &[Buffer; 4],
    ) {
        let Self { sheet, n, edge_starts } = *self;
        self.each_window(session, |rows, base, symbols| {
            let params = [
                rows.start,
                rows.end,
                sheet.tokens,
                sheet.rows(),
                sheet.items,
                n,
                base,
                u32::from(writes),
            ];
            let bindings: [Binding; 8] = [
                sheet.starts.into(),
                symbols,
                sheet.numbers.into(),
                edge_starts.into(),
                (*edge_words).into(),
                (*starts).into(),
                (*text).into(),
                (*places).into(),
            ];
            recording.dispatch(&unfold::KERNEL, rows.len(), &params, &bindings);
        });
    }
}

/// The occurrences that were found.
struct Found {
    text: Buffer,
    places: Buffer,
    occurrences: usize,
    n: u32,
}

impl Found {
    /// Finds out which occurrences are the same: their names, the sums of marks of those that stand
    /// for a sequence, and how many sequences there are.
    fn identify(
        &self,
        session: &mut Session<'_>,
        mut recording: Recording,
        job: &Job<'_>,
    ) -> Result<(Buffer, Buffer, usize), GpuError> {
        let Self { text, places, occurrences, n } = *self;
        let names = recording.buffer("names", occurrences);
        let marks = recording.buffer("marks", occurrences + 1);
        let probes = (5 * MOST_ROUNDS as u32 / (n + 1)).min(256);
        for rerun in 0..=MOST_RERUNS {
            let size = (2 * occurrences).max(2) << rerun;
            check_binding(session, size)?;
            let slots = recording.buffer("slots", size);
            let state = recording.buffer("status", status::WORDS);
            let first = &job.first_words;
            recording.clear(marks);
            recording.dispatch(
                &identify::KERNEL,
                occurrences,
                &[occurrences as u32, n, size as u32, first.start, first.end, probes],
                &[
                    text.into(),
                    places.into(),
                    slots.into(),
                    names.into(),
                    marks.into(),
                    state.into(),
                ],
            );
            recording.scan(marks, occurrences + 1);
            let count = recording.download(marks, occurrences..occurrences + 1);
            let flags = recording.download(state, 0..1);
            recording.free(slots);
            recording.free(state);
            let mut outcome = session.submit(Phase::Initialisation, recording)?;
            if outcome.take(flags)[0] & status::TABLE_TOO_SMALL == 0 {
                return Ok((names, marks, outcome.take(count)[0] as usize));
            }
            recording = Recording::new();
        }
        Err(GpuError::Overflow { times: MOST_RERUNS + 1 })
    }

    /// Numbers sequences in the order of their words, which it brings back.
    fn name(
        &self,
        session: &mut Session<'_>,
        names: Buffer,
        marks: Buffer,
        count: usize,
        words: usize,
    ) -> Result<Vec<u32>, GpuError> {
        let Self { text, places, occurrences, n } = *self;
        let total = n as usize * count;
        check_binding(session, total)?;
        let mut recording = Recording::new();
        let list = recording.buffer("list", count);
        let all = [names.into(), marks.into(), list.into()];
        recording.dispatch(&collect::KERNEL, occurrences, &[occurrences as u32], &all);
        let bits = usize::BITS - words.saturating_sub(1).leading_zeros();
        let sorter = recording.sorter(count, bits);
        let keys = recording.buffer("keys", count);
        let take = |recording: &mut Recording, place: u32, to: usize, into: Buffer| {
            let bindings = [text.into(), places.into(), list.into(), into.into()];
            let params = [count as u32, place, to as u32];
            recording.dispatch(&column::KERNEL, count, &params, &bindings);
        };
        for place in (0..n).rev() {
            take(&mut recording, place, 0, keys);
            sorter.sort(&mut recording, keys, list);
        }
        sorter.free(&mut recording);
        let ranks = recording.buffer("ranks", occurrences);
        recording.dispatch(&rank::KERNEL, count, &[count as u32], &[list.into(), ranks.into()]);
        let bindings = [ranks.into(), names.into()];
        recording.dispatch(&rename::KERNEL, occurrences, &[occurrences as u32], &bindings);
        let columns = recording.buffer("columns", total);
        for place in 0..n {
            take(&mut recording, place, place as usize * count, columns);
        }
        let download = recording.download(columns, 0..total);
        for buffer in [list, keys, ranks, columns] {
            recording.free(buffer);
        }
        let columns = session.submit(Phase::Initialisation, recording)?.take(download);
        let places = 0..n as usize;
        let words = (0..count).flat_map(|at| places.clone().map(move |place| place * count + at));
        Ok(words.map(|at| columns[at]).collect())
    }
}
