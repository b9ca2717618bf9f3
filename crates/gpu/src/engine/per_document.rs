//! Counts the items of each document, in tables (gtadoc section IV-C).
//!
//! Top-down, every node has a table of the documents that contain it, and every document a table of
//! items; a light pass on the device bounds their sizes. Bottom-up, every node, documents included, has a
//! table of the items that it expands to; the host [computes](super::measures) their sizes. Either way
//! one buffer holds all tables. If a table is too small, counting is repeated with larger ones.

use super::device_nodes::{DeviceNodes, Tallies, check_binding, check_counts};
use super::plan::Plan;
use crate::error::GpuError;
use crate::kernels::count::tables::{SLOTS, slots_for};
use crate::kernels::count::{
    bottom_up_tables, top_down_table_sizes, top_down_tables, top_down_totals,
};
use crate::kernels::status;
use crate::recording::{Buffer, Recording};
use crate::session::{Phase, Session};
use std::ops::Range;

/// How often tables are enlarged before the engine gives up.
const MOST_RERUNS: u32 = 4;

/// The direction of a traversal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    /// From documents to words.
    TopDown,
    /// From words to documents.
    BottomUp,
}

/// The places of tables in the pool, on the device and on the host.
struct Tables {
    starts: Buffer,
    places: Places,
}

/// The places of tables in the pool.
struct Places {
    /// The start of each table, and the end.
    starts: Vec<u32>,
    /// The first document's table of items.
    first: usize,
}

/// Symbols that need several threads bottom-up because their child has a large table: their positions, in
/// order, and the number of extra threads before each, with the total at the end.
struct HeavySymbols {
    places: Vec<u32>,
    before: Vec<u32>,
}

impl DeviceNodes {
    /// Counts the items of each document. Counts bottom-up if that is requested and the tables of nodes
    /// fit.
    pub(crate) fn count_per_document(
        &self,
        session: &mut Session<'_>,
        recording: Recording,
        direction: Direction,
    ) -> Result<Tallies, GpuError> {
        if direction == Direction::BottomUp {
            let used = session.words() + recording.words();
            match self.place_bottom_up_tables(session, used, 0) {
                Err(GpuError::OutOfMemory { .. } | GpuError::TooMany { .. }) => {}
                places => return self.count_bottom_up(session, recording, places?),
            }
        }
        self.count_top_down(session, recording)
    }

    fn count_bottom_up(
        &self,
        session: &mut Session<'_>,
        mut recording: Recording,
        mut places: Places,
    ) -> Result<Tallies, GpuError> {
        let mut grow = 0;
        loop {
            let starts = recording.upload("table_starts", places.starts.clone());
            let tables = Tables { starts, places };
            if let Some(tallies) = self.fill_bottom_up(session, recording, &tables, grow)? {
                return Ok(Tallies { reruns: grow, ..tallies });
            }
            grow += 1;
            if grow > MOST_RERUNS {
                return Err(GpuError::Overflow { times: grow });
            }
            session.free(&[starts]);
            recording = Recording::new();
            places = self.place_bottom_up_tables(session, session.words(), grow)?;
        }
    }

    fn count_top_down(
        &self,
        session: &mut Session<'_>,
        mut recording: Recording,
    ) -> Result<Tallies, GpuError> {
        check_binding(session, 2 * self.len() as usize + self.documents as usize)?;
        let weights = self.weights(session, &mut recording);
        let first = self.first_document as usize;
        let lengths = self.measures.lengths[first..][..self.documents as usize].to_vec();
        let lengths = recording.upload("document_lengths", lengths);
        for grow in 0..=MOST_RERUNS {
            let tables = self.place_top_down_tables(session, recording, weights, lengths, grow)?;
            let counted = self.fill_top_down(session, &tables)?;
            session.free(&[tables.starts]);
            if let Some(tallies) = counted {
                return Ok(Tallies { reruns: grow, ..tallies });
            }
            recording = Recording::new();
        }
        Err(GpuError::Overflow { times: MOST_RERUNS + 1 })
    }

    /// The documents that contain each node, with the number of occurrences, for lookups: the starts of
    /// the nodes' tables, and the tables. There are no items.
    pub(crate) fn tables_of_documents(
        &self,
        session: &mut Session<'_>,
    ) -> Result<(Buffer, Buffer), GpuError> {
        let mut recording = Recording::new();
        let weights = self.weights(session, &mut recording);
        let lengths = recording.buffer("document_lengths", self.documents as usize);
        for grow in 0..=MOST_RERUNS {
            let tables = self.place_top_down_tables(session, recording, weights, lengths, grow)?;
            let (mut filled, pool, state) = self.record_top_down(session, &tables);
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

    /// The number of occurrences of each node in all documents. It bounds the number of documents that
    /// contain it.
    fn weights(&self, session: &Session<'_>, recording: &mut Recording) -> Buffer {
        let weights = recording.buffer("weights", 2 * self.len() as usize);
        let state = recording.buffer("status", status::WORDS);
        let plan = self.plan(session, true, self.rounds(), ExactSizeIterator::len);
        let bindings = [weights.into(), state.into()];
        self.counting_pass(recording, &top_down_totals::KERNEL, &plan, 0, &[], &bindings);
        // This is only a bound. A weight that does not fit in 64 bits is noticed when it is counted.
        recording.free(state);
        weights
    }

    /// Places the tables of documents and of items, each with as many slots as it can need.
    fn place_top_down_tables(
        &self,
        session: &mut Session<'_>,
        mut recording: Recording,
        weights: Buffer,
        lengths: Buffer,
        grow: u32,
    ) -> Result<Tables, GpuError> {
        let (nodes, span) = (self.len() as usize, self.span());
        let count = nodes + self.documents as usize;
        let starts = recording.buffer("table_starts", count + 1);
        let state = recording.buffer("status", status::WORDS);
        recording.dispatch(
            &top_down_table_sizes::KERNEL,
            count,
            &[self.len(), self.first_document, self.documents, self.items, span, grow],
            &[weights.into(), lengths.into(), starts.into(), state.into()],
        );
        recording.scan(starts, count + 1);
        let places = recording.download(starts, 0..count + 1);
        let sum = recording.download(state, 1..3);
        recording.free(state);
        let mut outcome = session.submit(Phase::Initialisation, recording)?;
        let sum = outcome.take(sum);
        let slots = u64::from(sum[0]) | u64::from(sum[1]) << 32;
        check_slots(session, slots)?;
        let places = Places { starts: outcome.take(places), first: nodes };
        Ok(Tables { starts, places })
    }

    /// Places the tables of nodes, for as many items as a node has words or sequences, at most all items.
    /// `used` is the number of words in use on the device.
    fn place_bottom_up_tables(
        &self,
        session: &Session<'_>,
        used: usize,
        grow: u32,
    ) -> Result<Places, GpuError> {
        let size = |&length: &u32| {
            let most = length.saturating_sub(self.span()).min(self.items);
            slots_for(most, self.items, grow)
        };
        let lengths = &self.measures.lengths;
        check_slots(session, lengths.iter().map(|length| u64::from(size(length))).sum())?;
        let mut starts = vec![0];
        let mut end = 0;
        starts.extend(lengths.iter().map(|length| {
            end += size(length);
            end
        }));
        let needed = used + starts.len() + 3 * end as usize;
        let limit = session.backend.limits().memory;
        match needed <= limit {
            true => Ok(Places { starts, first: self.first_document as usize }),
            false => {
                let [needed, limit] = [needed, limit].map(|words| 4 * words as u64);
                Err(GpuError::OutOfMemory { needed, limit })
            }
        }
    }

    /// Records the top-down pass. Returns the recording, the pool of slots, and the status.
    fn record_top_down(
        &self,
        session: &Session<'_>,
        tables: &Tables,
    ) -> (Recording, Buffer, Buffer) {
        let plan =
            self.plan(session, true, self.rounds(), |step| tables.places.slots(step) as usize);
        let mut recording = Recording::new();
        let (pool, state) = tables.pool(&mut recording);
        let bindings = [tables.starts.into(), pool.into(), state.into()];
        self.counting_pass(
            &mut recording,
            &top_down_tables::KERNEL,
            &plan,
            self.items,
            &[],
            &bindings,
        );
        (recording, pool, state)
    }

    /// Counts top-down; `None` if a table was too small.
    fn fill_top_down(
        &self,
        session: &mut Session<'_>,
        tables: &Tables,
    ) -> Result<Option<Tallies>, GpuError> {
        let (recording, pool, state) = self.record_top_down(session, tables);
        // Each slot of a node's table causes at most one visit to the node.
        let symbols = |node: u32| {
            let [start, end] = [node, node + 1].map(|node| self.node_starts[node as usize]);
            u64::from(end - start)
        };
        let slots = |node: u32| u64::from(tables.places.slots(&(node..node + 1)));
        let visits = (0..self.len()).map(|node| slots(node) * symbols(node));
        let visited = self.symbol_count() + visits.sum::<u64>();
        let tallies = tables.places.read(session, recording, pool, state, self.documents)?;
        Ok(tallies.map(|tallies| Tallies { visited, ..tallies }))
    }

    /// The slots of the largest table of a child. No document is a child.
    fn largest(&self, places: &Places) -> u32 {
        let documents = self.first_document..self.first_document + self.documents;
        let nodes = (0..self.len()).filter(|node| !documents.contains(node));
        nodes.map(|node| places.slots(&(node..node + 1))).max().unwrap_or(0)
    }

    /// The symbols that need several threads if one thread takes this many slots.
    fn heavy(&self, places: &Places, slots: u32) -> Result<HeavySymbols, GpuError> {
        let mut heavy = HeavySymbols { places: Vec::new(), before: vec![0] };
        let mut sum = 0u64;
        for &(place, node) in &self.measures.heavy {
            let threads = places.slots(&(node..node + 1)).div_ceil(slots);
            if threads > 1 {
                heavy.places.push(place);
                sum += u64::from(threads) - 1;
                heavy.before.push(sum as u32);
            }
        }
        match sum + self.symbol_count() <= u64::from(u32::MAX) {
            true => Ok(heavy),
            false => Err(GpuError::TooMany { what: "words of rules" }),
        }
    }

    /// Plans the bottom-up pass: one thread for each symbol of a step, plus the extra threads of heavy
    /// symbols, listed after the steps as `bottom_up_tables` expects.
    fn plan_bottom_up(
        &self,
        session: &Session<'_>,
        places: &Places,
        heavy: &HeavySymbols,
        slots: u32,
    ) -> Plan {
        let starts = |nodes: &Range<u32>| {
            [nodes.start, nodes.end].map(|node| self.node_starts[node as usize])
        };
        let threads = |nodes: &Range<u32>| {
            let [first, end] = starts(nodes);
            (end - first) as usize + heavy.threads(first..end).len()
        };
        // Rounds to find the node and the heavy symbol, to add its own items, and to read each slot and
        // add it.
        let rounds = 64 + self.rounds().0 + 2 * slots.min(self.largest(places)) as usize;
        let mut plan = self.plan(session, false, (0, rounds), threads);
        for step in 0..plan.steps.len() / 2 {
            let [first, end] = starts(&(plan.steps[2 * step]..plan.steps[2 * step + 1]));
            let more = heavy.threads(first..end);
            plan.steps.extend([more.start, more.end]);
        }
        let symbols = heavy.places.iter().zip(&heavy.before);
        plan.steps.extend(symbols.flat_map(|(&place, &before)| [place, before]));
        plan
    }

    /// Counts bottom-up; `None` if a table was too small.
    fn fill_bottom_up(
        &self,
        session: &mut Session<'_>,
        mut recording: Recording,
        tables: &Tables,
        grow: u32,
    ) -> Result<Option<Tallies>, GpuError> {
        // Larger tables have the same number of threads, and each takes more slots.
        let slots = SLOTS << grow;
        let heavy = self.heavy(&tables.places, slots)?;
        let plan = self.plan_bottom_up(session, &tables.places, &heavy, slots);
        let (pool, state) = tables.pool(&mut recording);
        let bindings = [tables.starts.into(), pool.into(), state.into()];
        let count = heavy.places.len();
        let steps = (plan.steps.len() - 2 * count) / 4;
        let more = [steps as u32, count as u32, slots];
        let kernel = &bottom_up_tables::KERNEL;
        self.counting_pass(&mut recording, kernel, &plan, self.items, &more, &bindings);
        let visited = self.symbol_count() + u64::from(heavy.before[count]);
        let tallies = tables.places.read(session, recording, pool, state, self.documents)?;
        Ok(tallies.map(|tallies| Tallies { visited, ..tallies }))
    }
}

impl HeavySymbols {
    /// The extra threads of a range of symbols, among all extra threads.
    fn threads(&self, symbols: Range<u32>) -> Range<u32> {
        let before = |symbol: u32| self.before[self.places.partition_point(|&at| at < symbol)];
        before(symbols.start)..before(symbols.end)
    }
}

impl Tables {
    /// Creates the pool of slots and a status.
    fn pool(&self, recording: &mut Recording) -> (Buffer, Buffer) {
        let slots = *self.places.starts.last().expect("places have an end") as usize;
        (recording.buffer("pool", 3 * slots), recording.buffer("status", status::WORDS))
    }
}

impl Places {
    /// The number of slots of the tables of some nodes.
    fn slots(&self, nodes: &Range<u32>) -> u32 {
        self.starts[nodes.end as usize] - self.starts[nodes.start as usize]
    }

    /// Submits a recording that fills the pool, and reads the documents' tables; `None` if a table was
    /// too small.
    fn read(
        &self,
        session: &mut Session<'_>,
        mut recording: Recording,
        pool: Buffer,
        state: Buffer,
        documents: u32,
    ) -> Result<Option<Tallies>, GpuError> {
        let places = &self.starts[self.first..=self.first + documents as usize];
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

/// Refuses a pool that is too large to bind.
fn check_slots(session: &Session<'_>, slots: u64) -> Result<(), GpuError> {
    if slots > u64::from(u32::MAX) / 3 {
        let limit = 4 * session.backend.limits().binding as u64;
        return Err(GpuError::OutOfMemory { needed: slots.saturating_mul(12), limit });
    }
    check_binding(session, 3 * slots as usize)
}
