//! Counting the items of each document apart, in tables (gtadoc section IV-C).
//!
//! Going down, every row has a table of the documents that it stands in, and every document a table
//! of items. Going up, every row, documents included, has a table of the items that it stands for.
//! Either way a light pass bounds the tables, one buffer holds all of them, and counting that finds
//! one too small is repeated with larger ones.

use super::session::{Phase, Session};
use super::sheet::{Sheet, Tallies, check_binding, check_counts};
use crate::error::GpuError;
use crate::kernels::tables::SLOTS;
use crate::kernels::{content_sizes, gather, pick, spread, status, table_sizes, weigh};
use crate::recording::{Buffer, Recording};
use std::collections::HashMap;
use std::ops::Range;

/// Times that tables are made larger before giving up.
const MOST_RERUNS: u32 = 4;

/// Which way counts go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// From documents down to words.
    Down,
    /// From words up to documents.
    Up,
}

/// What is known of rows before tables are placed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// How many words each row stands for, and so how many items at most.
    pub(crate) lengths: Buffer,
    /// To go up: threads that each symbol needs, and one word more. Sequences have their spans behind.
    pub(crate) units: Option<Buffer>,
}

/// Where tables lie in the pool.
struct Tables {
    starts: Buffer,
    /// The same on the host.
    places: Vec<u32>,
    /// The first document's table of items.
    first: usize,
}

impl Sheet {
    /// Counts the items of each document apart: going up, if symbols' threads are known and tables of
    /// what rows contain fit.
    pub(crate) fn count_apart(
        &self,
        session: &mut Session<'_>,
        recording: Recording,
        bounds: Bounds,
    ) -> Result<Tallies, GpuError> {
        let before = session.submissions;
        match self.count_in_tables(session, recording, bounds) {
            // Rows and bounds are on the device, if the first submission has put them there.
            Err(GpuError::OutOfMemory { .. } | GpuError::TooMany { .. })
                if bounds.units.is_some() && session.submissions > before =>
            {
                let bounds = Bounds { units: None, ..bounds };
                self.count_in_tables(session, Recording::new(), bounds)
            }
            counted => counted,
        }
    }

    fn count_in_tables(
        &self,
        session: &mut Session<'_>,
        mut recording: Recording,
        Bounds { lengths, units }: Bounds,
    ) -> Result<Tallies, GpuError> {
        let rows = self.rows() as usize;
        check_binding(session, 2 * rows + self.documents as usize)?;
        let weights = units.is_none().then(|| self.weights(session, &mut recording));
        let mut threads = HashMap::new();
        for grow in 0..=MOST_RERUNS {
            let tables = self.place_tables(session, recording, weights, lengths, grow)?;
            let counted = match units {
                None => self.spread(session, &tables)?,
                Some(unit_starts) => {
                    if grow == 0 {
                        threads = self.place_units(session, &tables, unit_starts)?;
                    }
                    self.gather(session, &tables, unit_starts, &threads, grow)?
                }
            };
            session.free(&[tables.starts]);
            if let Some(tallies) = counted {
                return Ok(Tallies { reruns: grow, ..tallies });
            }
            recording = Recording::new();
        }
        Err(GpuError::Overflow { times: MOST_RERUNS + 1 })
    }

    /// The documents that each row stands in and how often, for looking up: where the rows' tables
    /// start, and the tables. `lengths` bound the items of rows, of which there are none.
    pub(crate) fn tables_of_documents(
        &self,
        session: &mut Session<'_>,
        lengths: Buffer,
    ) -> Result<(Buffer, Buffer), GpuError> {
        let mut recording = Recording::new();
        let weights = self.weights(session, &mut recording);
        for grow in 0..=MOST_RERUNS {
            let tables = self.place_tables(session, recording, Some(weights), lengths, grow)?;
            let (mut filled, pool, state) = self.record_spread(session, &tables);
            let flags = filled.download(state, 0..1);
            filled.free(state);
            let flags = session.submit(Phase::Initialisation, filled)?.take(flags)[0];
            check_counts(flags)?;
            if flags & status::TABLE_TOO_SMALL == 0 {
                return Ok((tables.starts, pool));
            }
            session.free(&[tables.starts, pool]);
            recording = Recording::new();
        }
        Err(GpuError::Overflow { times: MOST_RERUNS + 1 })
    }

    /// How often each row occurs in all documents: a bound for how many it occurs in.
    fn weights(&self, session: &Session<'_>, recording: &mut Recording) -> Buffer {
        let weights = recording.buffer("weights", 2 * self.rows() as usize);
        let state = recording.buffer("status", status::WORDS);
        let plan = self.plan(session, true, self.rounds(), ExactSizeIterator::len);
        let bindings = [weights.into(), state.into()];
        self.counting_pass(recording, &weigh::KERNEL, &plan, (0, None), &[], &bindings);
        // Only a bound: a weight that passes 64 bits is noticed when it is counted.
        recording.free(state);
        weights
    }

    /// Places tables, of as many slots as they can need.
    fn place_tables(
        &self,
        session: &mut Session<'_>,
        mut recording: Recording,
        weights: Option<Buffer>,
        lengths: Buffer,
        grow: u32,
    ) -> Result<Tables, GpuError> {
        let (rows, span) = (self.rows() as usize, self.span());
        let (count, first) = match weights {
            Some(_) => (rows + self.documents as usize, rows),
            None => (rows, self.first_document as usize),
        };
        let starts = recording.buffer("table_starts", count + 1);
        let state = recording.buffer("status", status::WORDS);
        match weights {
            Some(weights) => recording.dispatch(
                &table_sizes::KERNEL,
                count,
                &[self.rows(), self.first_document, self.documents, self.items, span, grow],
                &[weights.into(), lengths.into(), starts.into(), state.into()],
            ),
            None => recording.dispatch(
                &content_sizes::KERNEL,
                count,
                &[self.rows(), self.items, span, grow],
                &[lengths.into(), starts.into(), state.into()],
            ),
        }
        recording.scan(starts, count + 1);
        let places = recording.download(starts, 0..count + 1);
        let sum = recording.download(state, 1..3);
        recording.free(state);
        let mut outcome = session.submit(Phase::Initialisation, recording)?;
        let sum = outcome.take(sum);
        let slots = u64::from(sum[0]) | u64::from(sum[1]) << 32;
        if slots > u64::from(u32::MAX) / 3 {
            let limit = 4 * session.backend.limits().binding as u64;
            return Err(GpuError::OutOfMemory { needed: slots.saturating_mul(12), limit });
        }
        check_binding(session, 3 * slots as usize)?;
        Ok(Tables { starts, places: outcome.take(places), first })
    }

    /// Records counting on the way down: the recording, the pool of slots, a status.
    fn record_spread(&self, session: &Session<'_>, tables: &Tables) -> (Recording, Buffer, Buffer) {
        let plan = self.plan(session, true, self.rounds(), |step| tables.slots(step) as usize);
        let mut recording = Recording::new();
        let (pool, state) = tables.pool(&mut recording);
        let bindings = [tables.starts.into(), pool.into(), state.into()];
        let items = (self.items, None);
        self.counting_pass(&mut recording, &spread::KERNEL, &plan, items, &[], &bindings);
        (recording, pool, state)
    }

    /// Counts going down; `None` if a table was too small.
    fn spread(
        &self,
        session: &mut Session<'_>,
        tables: &Tables,
    ) -> Result<Option<Tallies>, GpuError> {
        let (recording, pool, state) = self.record_spread(session, tables);
        // Each slot of a row's table is a look at the row, at most.
        let symbols = |row: u32| {
            let [start, end] = [row, row + 1].map(|row| self.row_starts[row as usize]);
            u64::from(end - start)
        };
        let slots = |row: u32| u64::from(tables.slots(&(row..row + 1)));
        let visits = (0..self.rows()).map(|row| slots(row) * symbols(row));
        let visited = 2 * self.symbol_count() + visits.sum::<u64>();
        let tallies = tables.read(session, recording, pool, state, self.documents)?;
        Ok(tallies.map(|tallies| Tallies { visited, ..tallies }))
    }

    /// Slots of the largest table that a symbol stands for. No symbol is a document.
    fn largest(&self, tables: &Tables) -> u32 {
        let documents = self.first_document..self.first_document + self.documents;
        let rows = (0..self.rows()).filter(|row| !documents.contains(row));
        rows.map(|row| tables.slots(&(row..row + 1))).max().unwrap_or(0)
    }

    /// Sums up the threads of symbols, and tells those of each step, by its first row.
    fn place_units(
        &self,
        session: &mut Session<'_>,
        tables: &Tables,
        units: Buffer,
    ) -> Result<HashMap<u32, usize>, GpuError> {
        // Sums of 32 bits must hold the threads of all symbols.
        let symbols = self.symbol_count();
        if symbols * u64::from(self.largest(tables) / SLOTS + 1) > u64::from(u32::MAX) {
            return Err(GpuError::TooMany { what: "words of rules" });
        }
        let mut recording = Recording::new();
        // A table has no more slots than there are items, whatever a row's length.
        recording.scan_at_most(units, symbols as usize + 1, self.items.div_ceil(SLOTS));
        let borders = self.steps.iter().flat_map(|step| [step.start, step.end]);
        let borders: Vec<u32> = borders.map(|row| self.row_starts[row as usize]).collect();
        let count = borders.len();
        let borders = recording.upload("borders", borders);
        let picked = recording.buffer("picked", count);
        let bindings = [units.into(), borders.into(), picked.into()];
        recording.dispatch(&pick::KERNEL, count, &[count as u32], &bindings);
        let download = recording.download(picked, 0..count);
        recording.free(borders);
        recording.free(picked);
        let picked = session.submit(Phase::Initialisation, recording)?.take(download);
        let starts = self.steps.iter().map(|step| step.start);
        let counts = picked.chunks_exact(2).map(|pair| (pair[1] - pair[0]) as usize);
        Ok(starts.zip(counts).collect())
    }

    /// Counts going up; `None` if a table was too small.
    fn gather(
        &self,
        session: &mut Session<'_>,
        tables: &Tables,
        unit_starts: Buffer,
        threads: &HashMap<u32, usize>,
        grow: u32,
    ) -> Result<Option<Tallies>, GpuError> {
        // Larger tables have as many threads, which take more slots each.
        let slots = SLOTS << grow;
        let rounds = (0, self.rounds().0 + 2 * slots.min(self.largest(tables)) as usize);
        let plan = self.plan(session, false, rounds, |step| threads[&step.start]);
        let mut recording = Recording::new();
        let (pool, state) = tables.pool(&mut recording);
        let items = (self.items, Some(unit_starts));
        let bindings = [tables.starts.into(), pool.into(), state.into()];
        self.counting_pass(&mut recording, &gather::KERNEL, &plan, items, &[slots], &bindings);
        let tallies = tables.read(session, recording, pool, state, self.documents)?;
        let visited = 2 * self.symbol_count();
        Ok(tallies.map(|tallies| Tallies { visited, ..tallies }))
    }
}

impl Tables {
    /// Slots of the tables of rows.
    fn slots(&self, rows: &Range<u32>) -> u32 {
        self.places[rows.end as usize] - self.places[rows.start as usize]
    }

    /// The pool of slots, and a status.
    fn pool(&self, recording: &mut Recording) -> (Buffer, Buffer) {
        let slots = *self.places.last().expect("places have an end") as usize;
        (recording.buffer("pool", 3 * slots), recording.buffer("status", status::WORDS))
    }

    /// Submits a recording that fills the pool and reads the documents' tables; `None` if a table
    /// was too small.
    fn read(
        &self,
        session: &mut Session<'_>,
        mut recording: Recording,
        pool: Buffer,
        state: Buffer,
        documents: u32,
    ) -> Result<Option<Tallies>, GpuError> {
        let places = &self.places[self.first..=self.first + documents as usize];
        let [from, to] = [places[0], places[documents as usize]].map(|place| 3 * place as usize);
        let slots = recording.download(pool, from..to);
        let flags = recording.download(state, 0..1);
        recording.free(pool);
        recording.free(state);
        let mut outcome = session.submit(Phase::Traversal, recording)?;
        let flags = outcome.take(flags)[0];
        check_counts(flags)?;
        if flags & status::TABLE_TOO_SMALL != 0 {
            return Ok(None);
        }
        let slots = outcome.take(slots);
        let mut tallies = Tallies { starts: vec![0], ..Tallies::default() };
        for pair in places.windows(2) {
            let [start, end] = [pair[0], pair[1]].map(|place| 3 * place as usize - from);
            for slot in slots[start..end].chunks_exact(3).filter(|slot| slot[0] > 0) {
                tallies.items.push(slot[0] - 1);
                tallies.counts.push(u64::from(slot[1]) | u64::from(slot[2]) << 32);
            }
            tallies.starts.push(tallies.items.len());
        }
        Ok(Some(tallies))
    }
}
