//! Runs steps: those of one document in order, different documents in parallel.

use crate::access::{Access, Match};
use crate::error::{AccessError, EditError};
use crate::store::State;
use crate::store::batch::room::{self, Room};
use crate::store::batch::{Answer, Operation, Transaction};
use crate::store::edit::Edit;
use crate::store::overlay::change_text;
use crate::store::overlay::text::EditedText;
use crate::store::overlay::word_change::WordChange;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex};

/// Fewer reads than this in a row, of one document, do not run in parallel.
const READS_AT_ONCE: usize = 16;

/// A part of an operation, ready to run.
pub(in crate::store) struct Step<'a> {
    pub(in crate::store) operation: usize,
    /// `None` if the step concerns all documents, or the list of documents.
    pub(in crate::store) document: Option<usize>,
    /// `None` for a read.
    pub(in crate::store) edit: Option<Edit<&'a [u8]>>,
}

/// The result of an operation, once it has run.
pub(in crate::store) type Given = Option<Result<Answer, EditError>>;

/// Applies checked edits, and adds the words they change to `words`. Returns each document whose edits
/// cannot be applied, with the reason; its text must not be used.
pub(in crate::store) fn apply(
    state: &mut State,
    edits: &[Edit<&[u8]>],
    words: &mut WordChange,
) -> Vec<(usize, EditError)> {
    // The common case needs nothing of what follows.
    if let [edit] = edits {
        let Err(error) = state.overlay.apply(&state.access, *edit, words) else {
            return Vec::new();
        };
        words.give_up();
        return edit.of_text().map(|document| (document, error.into())).into_iter().collect();
    }
    let numbered = edits.iter().enumerate();
    let steps: Vec<Step<'_>> = numbered
        .map(|(operation, &edit)| Step { operation, document: edit.of_text(), edit: Some(edit) })
        .collect();
    let mut answers: Vec<Given> = Vec::new();
    answers.resize_with(edits.len(), || None);
    run(state, &Transaction::default(), &steps, &mut answers, words);
    let mut failed = FxHashMap::default();
    for (edit, answer) in edits.iter().zip(answers) {
        if let (Some(document), Some(Err(error))) = (edit.of_text(), answer) {
            failed.entry(document).or_insert(error);
        }
    }
    failed.into_iter().collect()
}

/// What reads need: the operations, and the number of matches that may still be held.
struct Reads<'a> {
    batch: &'a Transaction,
    room: Room,
}

/// Runs checked steps, and adds the words that edits change to `words`.
pub(in crate::store) fn run(
    state: &mut State,
    batch: &Transaction,
    steps: &[Step<'_>],
    answers: &mut [Given],
    words: &mut WordChange,
) {
    let reads = Reads { batch, room: Room::new() };
    // A step that concerns all documents divides the batch.
    for stretch in steps.split_inclusive(|step| step.document.is_none()) {
        let (last, lanes) = match stretch.split_last() {
            Some((last, before)) if last.document.is_none() => (Some(last), before),
            _ => (None, stretch),
        };
        run_lanes(state, &reads, lanes, answers, words);
        if let Some(step) = last {
            let answer = match step.edit {
                Some(edit) => {
                    let applied = state.overlay.apply(&state.access, edit, words);
                    applied.map(|()| Answer::Done)
                }
                None => reads.all(state, step.operation),
            };
            answers[step.operation] = Some(answer.map_err(EditError::from));
        }
    }
    // It is not known which words a failed edit has changed.
    let has_failed = |step: &Step<'_>| matches!(answers[step.operation], Some(Err(_)));
    if steps.iter().any(|step| step.edit.is_some() && has_failed(step)) {
        words.give_up();
    }
}

/// Runs a batch that has no edits.
pub(in crate::store) fn read(
    state: &State,
    batch: &Transaction,
    steps: &[Step<'_>],
    answers: &mut [Given],
) {
    let reads = Reads { batch, room: Room::new() };
    let given: Vec<(usize, Result<Answer, AccessError>)> = steps
        .par_iter()
        .map(|step| {
            let answer = match step.document {
                Some(document) => reads.one(state, document, step.operation),
                None => reads.all(state, step.operation),
            };
            (step.operation, answer)
        })
        .collect();
    given
        .into_iter()
        .for_each(|(operation, answer)| answers[operation] = Some(answer.map_err(EditError::from)));
}

/// Runs steps on single documents.
fn run_lanes(
    state: &mut State,
    reads: &Reads<'_>,
    steps: &[Step<'_>],
    answers: &mut [Given],
    words: &mut WordChange,
) {
    let mut order: Vec<&Step<'_>> = steps.iter().collect();
    order.sort_by_key(|step| step.document);
    // Per lane: its document, its steps, and its text if that was edited before.
    let lanes: Vec<(usize, &[&Step<'_>], Option<EditedText>)> = order
        .chunk_by(|a, b| a.document == b.document)
        .map(|lane| {
            let document = lane[0].document.expect("not of all documents");
            let is_edited = lane.iter().any(|step| step.edit.is_some());
            let text = if is_edited { state.overlay.take_text(document) } else { None };
            lane.iter().filter_map(|step| step.edit).for_each(|edit| state.overlay.note(edit));
            (document, lane, text)
        })
        .collect();
    let access = Arc::clone(&state.access);
    let shared: &State = state;
    // One per lane that runs at the same time, not per lane.
    let changes: Mutex<Vec<WordChange>> = Mutex::default();
    let is_known = words.is_known();
    let done: Vec<(usize, LaneRun)> = lanes
        .into_par_iter()
        .map(|(document, lane, text)| {
            let unused = changes.lock().expect("no holder panics").pop();
            let fresh = || if is_known { WordChange::default() } else { WordChange::unknown() };
            let mut words = unused.unwrap_or_else(fresh);
            let run = run_lane(shared, &access, reads, document, lane, text, &mut words);
            changes.lock().expect("no holder panics").push(words);
            (document, run)
        })
        .collect();
    changes.into_inner().expect("no holder panics").iter().for_each(|more| words.merge(more));
    let mut lane = order.into_iter();
    for (document, (text, given)) in done {
        if let Some(text) = text {
            state.overlay.put_text(document, text);
        }
        for answer in given {
            let step = lane.next().expect("every step has one answer");
            // If an operation became several edits, report the first failure.
            if !matches!(answers[step.operation], Some(Err(_))) {
                answers[step.operation] = Some(answer.map_err(EditError::from));
            }
        }
    }
}

/// A document's text, if it was edited, and an answer for each of its steps.
type LaneRun = (Option<EditedText>, Vec<Result<Answer, AccessError>>);

/// Runs the steps of one document.
fn run_lane(
    state: &State,
    access: &Access,
    reads: &Reads<'_>,
    document: usize,
    lane: &[&Step<'_>],
    text: Option<EditedText>,
    words: &mut WordChange,
) -> LaneRun {
    let mut text = text;
    let mut has_failed = false;
    let mut answers = Vec::with_capacity(lane.len());
    for stretch in lane.chunk_by(|a, b| a.edit.is_none() && b.edit.is_none()) {
        if has_failed {
            // The text must not be used any more; the first failure is reported.
            let later = |step: &&Step<'_>| match step.edit {
                Some(_) => Ok(Answer::Done),
                None => reads.of_document(state, document, text.as_ref(), step.operation),
            };
            answers.extend(stretch.iter().map(later));
            continue;
        }
        match stretch[0].edit {
            Some(edit) => {
                let changed = change(access, document, &mut text, edit, words);
                has_failed = changed.is_err();
                answers.push(changed.map(|()| Answer::Done));
            }
            None => {
                let read = |step: &&Step<'_>| {
                    reads.of_document(state, document, text.as_ref(), step.operation)
                };
                if stretch.len() < READS_AT_ONCE {
                    answers.extend(stretch.iter().map(read));
                } else {
                    answers.par_extend(stretch.par_iter().map(read));
                }
            }
        }
    }
    (text, answers)
}

/// Applies an edit to a document's text, which is `None` before its first edit.
fn change(
    access: &Access,
    document: usize,
    text: &mut Option<EditedText>,
    edit: Edit<&[u8]>,
    words: &mut WordChange,
) -> Result<(), AccessError> {
    let text = match text {
        Some(text) => text,
        empty => empty.insert(EditedText::of_base(document, access.size(document)?)),
    };
    change_text(text, access, edit, words)
}

fn matches_of(name: &[u8], matches: Vec<Match>) -> Answer {
    Answer::Matches(if matches.is_empty() { Vec::new() } else { vec![(name.to_vec(), matches)] })
}

impl Reads<'_> {
    /// Reads one document, whose text is `text` if the batch has edited it.
    fn of_document(
        &self,
        state: &State,
        document: usize,
        text: Option<&EditedText>,
        operation: usize,
    ) -> Result<Answer, AccessError> {
        match text {
            None => self.one(state, document, operation),
            Some(text) => self.text(&state.access, text, state.name(document)?, operation),
        }
    }

    /// Reads one document of a state.
    fn one(&self, state: &State, document: usize, operation: usize) -> Result<Answer, AccessError> {
        match &self.batch.operations[operation] {
            Operation::Extract { offset, len, .. } => {
                state.extract(document, *offset, *len).map(Answer::Bytes)
            }
            Operation::Lines { from, to, .. } => {
                state.lines(document, *from, *to).map(Answer::Bytes)
            }
            Operation::Search { phrase, .. } => {
                let mut matches = Vec::new();
                self.room.collect(
                    |place| matches.push(place),
                    |found| state.search_each(document, phrase, 0, found),
                )?;
                Ok(matches_of(state.name(document)?, matches))
            }
            Operation::Count { phrase, .. } => state.count(document, phrase).map(Answer::Count),
            _ => Ok(Answer::Done),
        }
    }

    /// Reads all documents.
    fn all(&self, state: &State, operation: usize) -> Result<Answer, AccessError> {
        match &self.batch.operations[operation] {
            Operation::Search { phrase, .. } => {
                let mut documents = Vec::new();
                self.room.collect(
                    |(document, place)| room::push(&mut documents, document, place),
                    |found| {
                        state.search_all_each(phrase, (0, 0), |document, place| {
                            found((document, place))
                        })
                    },
                )?;
                let named = documents
                    .into_iter()
                    .map(|(document, matches)| Ok((state.name(document)?.to_vec(), matches)));
                named.collect::<Result<_, AccessError>>().map(Answer::Matches)
            }
            Operation::Count { phrase, .. } => state.count_all(phrase).map(Answer::Count),
            _ => Ok(Answer::Done),
        }
    }

    /// Reads a text that the batch has edited.
    fn text(
        &self,
        access: &Access,
        text: &EditedText,
        name: &[u8],
        operation: usize,
    ) -> Result<Answer, AccessError> {
        match &self.batch.operations[operation] {
            Operation::Extract { offset, len, .. } => {
                text.extract(access, name, *offset, *len).map(Answer::Bytes)
            }
            Operation::Lines { from, to, .. } => {
                text.lines(access, name, *from, *to).map(Answer::Bytes)
            }
            Operation::Search { phrase, .. } => {
                let mut matches = Vec::new();
                self.room.collect(
                    |place| matches.push(place),
                    |found| text.search_each(access, phrase, 0, found),
                )?;
                Ok(matches_of(name, matches))
            }
            Operation::Count { phrase, .. } => text.count(access, phrase).map(Answer::Count),
            _ => Ok(Answer::Done),
        }
    }
}
