//! Many operations at once (random-access section IV-D, *mixed operations*).
//!
//! A batch is checked as a whole, its edits become one record of the journal with one flush, and
//! then it runs. Every read sees exactly the edits that stand before it in the batch: operations on
//! one document run in their order, on different documents in parallel, and whatever looks at all
//! documents waits for those before it.
//!
//! Offsets of edits have one of the paper's two meanings. *In sequence*, an offset counts in the text
//! as the edits before it have left it. *In batch*, it counts in the text as it was before the batch;
//! a [`Snapshot`] then keeps for each document what has been put in and taken out where, and tells
//! where an old offset has moved to. Reads always mean the text at their turn.

use super::check::Check;
use super::edit::Edit;
use super::overlay::change_text;
use super::text::EditedText;
use super::{State, Store};
use crate::access::{Access, Match, Phrase};
use crate::error::Error;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What the offsets of a batch's edits mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Meaning {
    /// The text as the edits before have left it.
    #[default]
    InSequence,
    /// The text before the batch. Documents added in the batch are edited in sequence.
    InBatch,
}

/// One operation of a batch. Documents are meant by the names they have at that point.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[expect(missing_docs, reason = "fields are named as the arguments of the methods of `Store`")]
pub enum Operation {
    /// As [`Store::extract`].
    Extract { document: Vec<u8>, offset: u64, len: usize },
    /// As [`Store::lines`].
    Lines { document: Vec<u8>, from: u64, to: u64 },
    /// As [`Store::search`], or [`Store::search_all`] without a document.
    Search { document: Option<Vec<u8>>, phrase: Phrase },
    /// As [`Store::count`], or [`Store::count_all`] without a document.
    Count { document: Option<Vec<u8>>, phrase: Phrase },
    /// As [`Edit::Insert`].
    Insert { document: Vec<u8>, offset: u64, bytes: Vec<u8> },
    /// As [`Edit::Append`].
    Append { document: Vec<u8>, bytes: Vec<u8> },
    /// As [`Edit::Delete`].
    Delete { document: Vec<u8>, offset: u64, len: u64 },
    /// As [`Edit::Replace`].
    Replace { document: Vec<u8>, offset: u64, len: u64, bytes: Vec<u8> },
    /// As [`Edit::Add`].
    Add { name: Vec<u8>, bytes: Vec<u8> },
    /// As [`Edit::Remove`].
    Remove { document: Vec<u8> },
    /// As [`Edit::Rename`].
    Rename { document: Vec<u8>, name: Vec<u8> },
}

/// What came of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Bytes of a document.
    Bytes(Vec<u8>),
    /// Where a phrase stands: documents by name, in order.
    Matches(Vec<(Vec<u8>, Vec<Match>)>),
    /// How often a phrase stands.
    Count(u64),
    /// An edit was made.
    Done,
}

/// Operations to be run at once.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// In their order.
    pub operations: Vec<Operation>,
    /// What offsets of edits mean.
    pub meaning: Meaning,
    /// Leaves out operations that cannot be done, instead of doing none at all.
    pub keep_going: bool,
}

/// The operation that keeps a batch from being run.
#[derive(Debug, thiserror::Error)]
#[error("operation {} of the batch cannot be done; none was", operation + 1)]
pub struct BatchError {
    /// Its place in the batch.
    pub operation: usize,
    /// Why.
    pub source: Error,
}

/// A part of an operation, ready to be run: the operation's place, the document, what to do.
struct Step {
    operation: usize,
    /// `None` if it concerns all documents, or the list of them.
    document: Option<usize>,
    edit: Option<Edit>,
}

impl Store {
    /// Runs a batch. The results are in the order of its operations; they are errors only with
    /// [`Batch::keep_going`], or when a section turns out to be damaged on the way.
    ///
    /// # Errors
    /// When an operation cannot be done, the disk fails, or there are edits and the store was opened
    /// for reading.
    pub fn run(&self, batch: &Batch) -> Result<Vec<Result<Answer, Error>>, BatchError> {
        let first = |source| BatchError { operation: 0, source };
        let mut writer = match batch.operations.iter().any(Operation::is_edit) {
            true => Some(self.writer().map_err(first)?),
            false => None,
        };
        let mut answers: Vec<Option<Result<Answer, Error>>> = Vec::new();
        answers.resize_with(batch.operations.len(), || None);
        let steps = Planner::new(&self.read(), batch).steps(&mut answers)?;
        let Some(writer) = &mut writer else {
            let state = self.read();
            run_reads(&state, batch, &steps, &mut answers);
            return Ok(answers.into_iter().flatten().collect());
        };
        let edits: Vec<&Edit> = steps.iter().filter_map(|step| step.edit.as_ref()).collect();
        self.log(writer, &edits).map_err(first)?;
        let state = &mut *self.write();
        // What concerns all documents divides the batch.
        for stretch in steps.split_inclusive(|step| step.document.is_none()) {
            let (last, lanes) = match stretch {
                [lanes @ .., last] if last.document.is_none() => (Some(last), lanes),
                lanes => (None, lanes),
            };
            run_lanes(state, batch, lanes, &mut answers);
            if let Some(step) = last {
                let answer = match &step.edit {
                    Some(edit) => state.overlay.apply(&state.access, edit).map(|()| Answer::Done),
                    None => read_all(state, &batch.operations[step.operation]),
                };
                answers[step.operation] = Some(answer);
            }
        }
        Ok(answers.into_iter().flatten().collect())
    }
}

/// Runs operations on single documents, a document's in their order, documents in parallel.
fn run_lanes(
    state: &mut State,
    batch: &Batch,
    steps: &[Step],
    answers: &mut [Option<Result<Answer, Error>>],
) {
    let mut lanes: FxHashMap<usize, Vec<&Step>> = FxHashMap::default();
    for step in steps {
        lanes.entry(step.document.expect("not of all documents")).or_default().push(step);
    }
    let mut edited: Vec<(usize, Vec<&Step>, Result<EditedText, Error>)> = Vec::new();
    let mut read = Vec::new();
    for (document, lane) in lanes {
        if lane.iter().any(|step| step.edit.is_some()) {
            let edits = lane.iter().filter_map(|step| step.edit.as_ref());
            for edit in edits {
                state.overlay.edits += 1;
                state.overlay.bytes += edit.new_bytes();
            }
            let text = state.overlay.take_text(&state.access, document);
            edited.push((document, lane, text));
        } else {
            read.extend(lane);
        }
    }
    let access = Arc::clone(&state.access);
    let shared: &State = state;
    let (texts, answered): (Vec<_>, Vec<_>) = rayon::join(
        || {
            edited
                .into_par_iter()
                .map(|(document, lane, text)| {
                    let name = shared.name(document).unwrap_or_default();
                    run_lane(&access, batch, name, document, &lane, text)
                })
                .collect()
        },
        || {
            read.into_par_iter()
                .map(|step| {
                    let document = step.document.expect("not of all documents");
                    (step.operation, read_one(shared, document, &batch.operations[step.operation]))
                })
                .collect::<Vec<_>>()
        },
    );
    for (document, text, given) in texts {
        if let Some(text) = text {
            state.overlay.put_text(document, text);
        }
        given.into_iter().for_each(|(operation, answer)| answers[operation] = Some(answer));
    }
    answered.into_iter().for_each(|(operation, answer)| answers[operation] = Some(answer));
}

type Given = Vec<(usize, Result<Answer, Error>)>;

fn run_lane(
    access: &Access,
    batch: &Batch,
    name: &[u8],
    document: usize,
    lane: &[&Step],
    text: Result<EditedText, Error>,
) -> (usize, Option<EditedText>, Given) {
    let mut given = Vec::with_capacity(lane.len());
    let mut text = match text {
        Ok(text) => text,
        Err(error) => {
            given.push((lane[0].operation, Err(error)));
            return (document, None, given);
        }
    };
    for step in lane {
        let answer = match &step.edit {
            Some(edit) => change_text(&mut text, access, edit).map(|()| Answer::Done),
            None => read_text(access, &text, name, &batch.operations[step.operation]),
        };
        given.push((step.operation, answer));
    }
    (document, Some(text), given)
}

/// Runs a batch that has no edits.
fn run_reads(
    state: &State,
    batch: &Batch,
    steps: &[Step],
    answers: &mut [Option<Result<Answer, Error>>],
) {
    let given: Given = steps
        .par_iter()
        .map(|step| {
            let operation = &batch.operations[step.operation];
            let answer = match step.document {
                Some(document) => read_one(state, document, operation),
                None => read_all(state, operation),
            };
            (step.operation, answer)
        })
        .collect();
    given.into_iter().for_each(|(operation, answer)| answers[operation] = Some(answer));
}

fn matches_of(name: &[u8], matches: Vec<Match>) -> Answer {
    Answer::Matches(if matches.is_empty() { Vec::new() } else { vec![(name.to_vec(), matches)] })
}

fn read_one(state: &State, document: usize, operation: &Operation) -> Result<Answer, Error> {
    match operation {
        Operation::Extract { offset, len, .. } => {
            state.extract(document, *offset, *len).map(Answer::Bytes)
        }
        Operation::Lines { from, to, .. } => state.lines(document, *from, *to).map(Answer::Bytes),
        Operation::Search { phrase, .. } => {
            Ok(matches_of(state.name(document)?, state.search(document, phrase)?))
        }
        Operation::Count { phrase, .. } => state.count(document, phrase).map(Answer::Count),
        _ => Ok(Answer::Done),
    }
}

fn read_all(state: &State, operation: &Operation) -> Result<Answer, Error> {
    match operation {
        Operation::Search { phrase, .. } => {
            let found = state.overlay.search_all(&state.access, phrase)?;
            let named = found
                .into_iter()
                .map(|(document, matches)| Ok((state.name(document)?.to_vec(), matches)));
            named.collect::<Result<_, Error>>().map(Answer::Matches)
        }
        Operation::Count { phrase, .. } => {
            state.overlay.count_all(&state.access, phrase).map(Answer::Count)
        }
        _ => Ok(Answer::Done),
    }
}

fn read_text(
    access: &Access,
    text: &EditedText,
    name: &[u8],
    operation: &Operation,
) -> Result<Answer, Error> {
    match operation {
        Operation::Extract { offset, len, .. } => {
            text.extract(access, name, *offset, *len).map(Answer::Bytes)
        }
        Operation::Lines { from, to, .. } => {
            text.lines(access, name, *from, *to).map(Answer::Bytes)
        }
        Operation::Search { phrase, .. } => Ok(matches_of(name, text.search(access, phrase)?)),
        Operation::Count { phrase, .. } => text.count(access, phrase).map(Answer::Count),
        _ => Ok(Answer::Done),
    }
}

impl Operation {
    /// Whether it changes anything.
    #[must_use]
    pub fn is_edit(&self) -> bool {
        !matches!(
            self,
            Self::Extract { .. } | Self::Lines { .. } | Self::Search { .. } | Self::Count { .. }
        )
    }

    /// The name of the document it concerns; `None` if that is all, or a new one.
    fn document(&self) -> Option<&[u8]> {
        match self {
            Self::Extract { document, .. }
            | Self::Lines { document, .. }
            | Self::Insert { document, .. }
            | Self::Append { document, .. }
            | Self::Delete { document, .. }
            | Self::Replace { document, .. }
            | Self::Remove { document }
            | Self::Rename { document, .. } => Some(document),
            Self::Search { document, .. } | Self::Count { document, .. } => document.as_deref(),
            Self::Add { .. } => None,
        }
    }

    /// The edit of a document with this number; `None` for a read.
    fn to_edit(&self, document: usize) -> Option<Edit> {
        Some(match self.clone() {
            Self::Insert { offset, bytes, .. } => Edit::Insert { document, offset, bytes },
            Self::Append { bytes, .. } => Edit::Append { document, bytes },
            Self::Delete { offset, len, .. } => Edit::Delete { document, offset, len },
            Self::Replace { offset, len, bytes, .. } => {
                Edit::Replace { document, offset, len, bytes }
            }
            Self::Add { name, bytes } => Edit::Add { name, bytes },
            Self::Remove { .. } => Edit::Remove { document },
            Self::Rename { name, .. } => Edit::Rename { document, name },
            _ => return None,
        })
    }
}

/// Turns operations into steps, checking each.
struct Planner<'a> {
    state: &'a State,
    batch: &'a Batch,
}

impl<'a> Planner<'a> {
    fn new(state: &'a State, batch: &'a Batch) -> Self {
        Self { state, batch }
    }

    /// The steps of all operations that can be done; the others are answered with why not, or end
    /// it.
    fn steps(
        &self,
        answers: &mut [Option<Result<Answer, Error>>],
    ) -> Result<Vec<Step>, BatchError> {
        let mut snapshots = match self.batch.meaning {
            Meaning::InSequence => FxHashMap::default(),
            Meaning::InBatch => self.snapshots(),
        };
        let mut check = Check::new(self.state);
        let mut steps = Vec::with_capacity(self.batch.operations.len());
        for (place, operation) in self.batch.operations.iter().enumerate() {
            match plan(operation, place, &mut check, &mut snapshots, &mut steps) {
                Ok(()) => {}
                Err(error) if self.batch.keep_going => answers[place] = Some(Err(error)),
                Err(source) => return Err(BatchError { operation: place, source }),
            }
        }
        Ok(steps)
    }

    /// A snapshot of each document that was there before the batch and is edited in it.
    fn snapshots(&self) -> FxHashMap<usize, Snapshot> {
        let mut places: FxHashMap<usize, Vec<u64>> = FxHashMap::default();
        let mut check = Check::new(self.state);
        for operation in &self.batch.operations {
            let Some(document) = operation.document().map_or(Ok(0), |name| check.find(name)).ok()
            else {
                continue;
            };
            let Some(edit) = operation.to_edit(document) else { continue };
            match edit {
                Edit::Insert { offset, .. } => places.entry(document).or_default().push(offset),
                Edit::Delete { offset, len, .. } | Edit::Replace { offset, len, .. } => {
                    places.entry(document).or_default().extend([offset, offset.saturating_add(len)])
                }
                Edit::Append { .. } => {}
                // Names have to be followed; what is wrong with them is told when it is their turn.
                other => drop(check.accept(&other)),
            }
        }
        places
            .into_iter()
            .filter(|(document, _)| self.state.overlay.has(*document))
            .filter_map(|(document, places)| {
                let size = self.state.size(document).ok()?;
                Some((document, Snapshot::new(places, size)))
            })
            .collect()
    }
}

fn plan(
    operation: &Operation,
    place: usize,
    check: &mut Check<'_>,
    snapshots: &mut FxHashMap<usize, Snapshot>,
    steps: &mut Vec<Step>,
) -> Result<(), Error> {
    let document = operation.document().map(|name| check.find(name)).transpose()?;
    let Some(edit) = operation.to_edit(document.unwrap_or_default()) else {
        if let Operation::Extract { offset, .. } = operation
            && let Some(document) = document
        {
            check.accept(&Edit::Insert { document, offset: *offset, bytes: Vec::new() })?;
        }
        steps.push(Step { operation: place, document, edit: None });
        return Ok(());
    };
    let is_of_text = !matches!(edit, Edit::Add { .. } | Edit::Remove { .. } | Edit::Rename { .. });
    let edits = match document.and_then(|document| snapshots.get_mut(&document)) {
        Some(snapshot) if is_of_text => snapshot.translate(edit, check)?,
        _ => vec![edit],
    };
    for edit in edits {
        check.accept(&edit)?;
        let document = document.filter(|_| is_of_text);
        steps.push(Step { operation: place, document, edit: Some(edit) });
    }
    Ok(())
}

/// Where the offsets of a document before a batch have moved to.
struct Snapshot {
    size: u64,
    /// All offsets that edits of the batch mention, rising, each once.
    places: Vec<u64>,
    /// Bytes put in at each place.
    inserted: Sums,
    /// Bytes taken out between each place and the next: all of them or none.
    deleted: Sums,
    is_deleted: Vec<bool>,
}

impl Snapshot {
    fn new(mut places: Vec<u64>, size: u64) -> Self {
        places.retain(|&place| place <= size);
        places.sort_unstable();
        places.dedup();
        let count = places.len();
        Self {
            size,
            places,
            inserted: Sums::new(count),
            deleted: Sums::new(count),
            is_deleted: vec![false; count],
        }
    }

    /// The place's number; `None` past the end.
    fn number(&self, offset: u64) -> Option<usize> {
        self.places.binary_search(&offset).ok()
    }

    /// Where the byte that was at a place is now, or where it would be.
    fn now(&self, number: usize) -> u64 {
        self.places[number] + self.inserted.before(number + 1) - self.deleted.before(number)
    }

    /// An edit with offsets from before the batch, as edits with those of now.
    fn translate(&mut self, edit: Edit, check: &Check<'_>) -> Result<Vec<Edit>, Error> {
        let (document, offset, len, bytes) = match edit {
            Edit::Insert { document, offset, bytes } => (document, offset, 0, bytes),
            Edit::Delete { document, offset, len } => (document, offset, len, Vec::new()),
            Edit::Replace { document, offset, len, bytes } => (document, offset, len, bytes),
            other => return Ok(vec![other]),
        };
        let ends = (self.number(offset), offset.checked_add(len).and_then(|end| self.number(end)));
        let (Some(from), Some(to)) = ends else {
            return Err(check.past_the_end(document, offset.saturating_add(len), self.size));
        };
        let mut edits = Vec::new();
        for number in from..to {
            if !std::mem::replace(&mut self.is_deleted[number], true) {
                let len = self.places[number + 1] - self.places[number];
                edits.push(Edit::Delete { document, offset: self.now(number), len });
                self.deleted.add(number, len);
            }
        }
        if !bytes.is_empty() || edits.is_empty() {
            let offset = self.now(from);
            self.inserted.add(from, bytes.len() as u64);
            edits.push(Edit::Insert { document, offset, bytes });
        }
        Ok(edits)
    }
}

/// Numbers whose sums up to any place are quickly told and changed (a Fenwick tree).
struct Sums(Vec<u64>);

impl Sums {
    fn new(count: usize) -> Self {
        Self(vec![0; count + 1])
    }

    fn add(&mut self, at: usize, value: u64) {
        let mut node = at + 1;
        while node < self.0.len() {
            self.0[node] += value;
            node += node & node.wrapping_neg();
        }
    }

    /// The sum of the first `count` numbers.
    fn before(&self, count: usize) -> u64 {
        let (mut node, mut sum) = (count, 0);
        while node > 0 {
            sum += self.0[node];
            node -= node & node.wrapping_neg();
        }
        sum
    }
}
