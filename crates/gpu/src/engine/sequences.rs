//! A grammar of words becomes a grammar of sequences, on the device (gtadoc section IV-D).
//!
//! Three submissions, since each needs sizes that the one before has found:
//!
//! 1. the length of each row and of its edges, bottom-up; how many sequences span symbols of it;
//! 2. the edges, first and last words of each row, bottom-up; those sequences, and which of them
//!    are the same;
//! 3. their order, by which they are numbered; the grammar.
//!
//! After that, counting sequences is counting words.

use super::apart::{Bounds, Direction};
use super::plan::{bind, cut, window};
use super::session::{Phase, Session};
use super::sheet::{Sheet, check_binding};
use crate::error::GpuError;
use crate::kernels::{
    collect, column, derive as derive_kernel, edges, identify, rank, rename, status, survey, unfold,
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
    /// What is known of its rows.
    pub(super) bounds: Bounds,
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

/// What is known of occurrences after the first submission.
struct Sizes {
    /// Words of all edges.
    edges: usize,
    /// Words of the text, occurrences, and rows that have sequences.
    text: usize,
    occurrences: usize,
    derived: usize,
    row_starts: Vec<u32>,
}

/// Derives the grammar of sequences of a job's `n` words, made ready for going up or down.
pub(super) fn derive(
    session: &mut Session<'_>,
    recording: Recording,
    sheet: Sheet,
    job: &Job<'_>,
    direction: Direction,
) -> Result<Sequences, GpuError> {
    let n = job.n as u32;
    let rows = sheet.rows() as usize;
    // Sums of 32 bits must hold what edges and texts can have.
    let most = u64::from(*sheet.row_starts.last().expect("starts have an end")) + rows as u64;
    if most.saturating_mul(4 * u64::from(n)) > u64::from(u32::MAX) {
        return Err(GpuError::TooMany { what: "sequences" });
    }

    let (work, sizes) = Work::new(session, recording, &sheet, n)?;
    let Work { lengths, edge_starts, starts, .. } = work;
    let Sizes { edges, text, occurrences, derived, row_starts } = sizes;
    let unit_count = if direction == Direction::Up { derived + 1 } else { 1 };
    for words in [edges, text, 2 * occurrences, derived, unit_count] {
        check_binding(session, words)?;
    }
    let mut recording = Recording::new();
    let edge_words = work.edges(session, &mut recording, edges);
    let text = recording.buffer("text", text);
    let places = recording.buffer("occurrences", occurrences);
    work.unfold(session, &mut recording, [edge_words, text, places]);
    recording.free(edge_words);
    recording.free(sheet.numbers);
    let found = Found { text, places, occurrences, n };
    let (names, marks, count) = found.identify(session, recording, job)?;
    session.free(&[edge_starts]);

    let mut recording = Recording::new();
    let derived_starts = recording.buffer("derived_starts", rows + 1);
    let derived = recording.buffer("derived", derived);
    let units = recording.buffer("units", unit_count);
    let has_units = u32::from(direction == Direction::Up);
    let numbers = [occurrences as u32, count as u32, has_units];
    work.derive(session, &mut recording, numbers, [derived_starts, derived, units]);
    recording.free(sheet.starts);
    recording.free(sheet.symbols);
    recording.free(starts);
    let words = found.name(session, recording, names, marks, count, job.words)?;
    session.free(&[text, places, marks]);
    let sheet = Sheet {
        tokens: occurrences as u32,
        items: count as u32,
        row_starts,
        starts: derived_starts,
        symbols: derived,
        numbers: names,
        ..sheet
    };
    let units = (direction == Direction::Up).then_some(units);
    Ok(Sequences { sheet, bounds: Bounds { lengths, units }, words })
}

/// The rows of which sequences are derived.
struct Work<'s> {
    sheet: &'s Sheet,
    n: u32,
    lengths: Buffer,
    edge_starts: Buffer,
    /// Three lists, where each row's begin: words, occurrences, rows with sequences of their own.
    starts: Buffer,
}

impl<'s> Work<'s> {
    /// Finds the sizes of all.
    fn new(
        session: &mut Session<'_>,
        mut recording: Recording,
        sheet: &'s Sheet,
        n: u32,
    ) -> Result<(Self, Sizes), GpuError> {
        let (rows, list) = (sheet.rows() as usize, sheet.rows() as usize + 1);
        check_binding(session, 3 * list)?;
        let lengths = recording.buffer("lengths", rows);
        let edge_starts = recording.buffer("edge_starts", list);
        let starts = recording.buffer("starts", 3 * list);
        let plan = sheet.plan(session, false, 0, ExactSizeIterator::len);
        let bindings = [lengths.into(), edge_starts.into(), starts.into()];
        sheet.pass(&mut recording, &survey::KERNEL, &plan, sheet.items, &[n], &bindings);
        recording.scan(edge_starts, list);
        recording.scan(starts, 3 * list);
        let edges = recording.download(edge_starts, rows..list);
        let sums = recording.download(starts, 0..3 * list);
        let mut outcome = session.submit(Phase::Initialisation, recording)?;
        let edges = outcome.take(edges)[0] as usize;
        let sums = outcome.take(sums);
        let [text, occurrences] = [rows, list + rows].map(|at| sums[at] as usize);
        let row_starts: Vec<u32> = (0..list)
            .map(|row| sums[list + row] - sums[list] + sums[2 * list + row] - sums[2 * list])
            .collect();
        let sizes = Sizes {
            edges,
            text,
            occurrences: occurrences - sums[list] as usize,
            derived: row_starts[rows] as usize,
            row_starts,
        };
        Ok((Self { sheet, n, lengths, edge_starts, starts }, sizes))
    }

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

    /// The first and last words of all rows: `total`.
    fn edges(&self, session: &Session<'_>, recording: &mut Recording, total: usize) -> Buffer {
        let Self { sheet, n, edge_starts, .. } = *self;
        let edge_words = recording.buffer("edge_words", total);
        let plan = sheet.plan(session, false, 2 * n as usize, ExactSizeIterator::len);
        let bindings = [edge_starts.into(), edge_words.into()];
        sheet.pass(recording, &edges::KERNEL, &plan, sheet.items, &[n], &bindings);
        edge_words
    }

    /// The text around borders, and where sequences are in it.
    fn unfold(
        &self,
        session: &Session<'_>,
        recording: &mut Recording,
        [edge_words, text, places]: [Buffer; 3],
    ) {
        let Self { sheet, n, edge_starts, starts, .. } = *self;
        let (tokens, count) = (sheet.tokens, sheet.rows());
        self.each_window(session, |rows, base, symbols| {
            let params = [rows.start, rows.end, tokens, count, sheet.items, n, base];
            let bindings: [Binding; 8] = [
                sheet.starts.into(),
                symbols,
                sheet.numbers.into(),
                edge_starts.into(),
                edge_words.into(),
                starts.into(),
                text.into(),
                places.into(),
            ];
            recording.dispatch(&unfold::KERNEL, rows.len(), &params, &bindings);
        });
    }

    /// The grammar of sequences.
    fn derive(
        &self,
        session: &Session<'_>,
        recording: &mut Recording,
        [occurrences, items, has_units]: [u32; 3],
        [derived_starts, derived, units]: [Buffer; 3],
    ) {
        let Self { sheet, n, lengths, starts, .. } = *self;
        let (tokens, count) = (sheet.tokens, sheet.rows());
        self.each_window(session, |rows, base, symbols| {
            let params =
                [rows.start, rows.end, tokens, count, n, base, occurrences, items, has_units];
            let bindings: [Binding; 7] = [
                sheet.starts.into(),
                symbols,
                lengths.into(),
                starts.into(),
                derived_starts.into(),
                derived.into(),
                units.into(),
            ];
            recording.dispatch(&derive_kernel::KERNEL, rows.len(), &params, &bindings);
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
        mut recording: Recording,
        names: Buffer,
        marks: Buffer,
        count: usize,
        words: usize,
    ) -> Result<Vec<u32>, GpuError> {
        let Self { text, places, occurrences, n } = *self;
        let total = n as usize * count;
        check_binding(session, total)?;
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
