//! Steps run: those of a document in their order, documents in parallel.

use super::super::State;
use super::super::edit::Edit;
use super::super::overlay::change_text;
use super::super::text::EditedText;
use super::super::words::WordChange;
use super::{Answer, Batch, Operation};
use crate::access::{Access, Match};
use crate::error::Error;
use rayon::prelude::*;
use std::sync::{Arc, Mutex};

/// A part of an operation, ready to be run: the operation's place, the document, what to do.
pub(super) struct Step<'a> {
    pub(super) operation: usize,
    /// `None` if it concerns all documents, or the list of them.
    pub(super) document: Option<usize>,
    /// `None` for a read.
    pub(super) edit: Option<Edit<&'a [u8]>>,
}

/// What came of an operation, once it has been run.
pub(super) type Given = Option<Result<Answer, Error>>;

/// Applies edits that have been checked, and tells `words` which of them come and go.
pub(in super::super) fn apply(
    state: &mut State,
    edits: &[Edit<&[u8]>],
    words: &mut WordChange,
) -> Result<(), Error> {
    // The usual way to edit; it needs nothing of what follows.
    if let [edit] = edits {
        return state.overlay.apply(&state.access, *edit, words).inspect_err(|_| words.give_up());
    }
    let numbered = edits.iter().enumerate();
    let steps: Vec<Step<'_>> = numbered
        .map(|(operation, &edit)| Step { operation, document: edit.of_text(), edit: Some(edit) })
        .collect();
    let mut answers: Vec<Given> = Vec::new();
    answers.resize_with(edits.len(), || None);
    run(state, &Batch::default(), &steps, &mut answers, words);
    answers.into_iter().flatten().try_for_each(|answer| answer.map(drop))
}

/// Runs steps that have been checked, and tells `words` which of them come and go.
pub(super) fn run(
    state: &mut State,
    batch: &Batch,
    steps: &[Step<'_>],
    answers: &mut [Given],
    words: &mut WordChange,
) {
    // What concerns all documents divides the batch.
    for stretch in steps.split_inclusive(|step| step.document.is_none()) {
        let (last, lanes) = match stretch.split_last() {
            Some((last, before)) if last.document.is_none() => (Some(last), before),
            _ => (None, stretch),
        };
        run_lanes(state, batch, lanes, answers, words);
        if let Some(step) = last {
            let answer = match step.edit {
                Some(edit) => {
                    let applied = state.overlay.apply(&state.access, edit, words);
                    applied.map(|()| Answer::Done)
                }
                None => read_all(state, &batch.operations[step.operation]),
            };
            answers[step.operation] = Some(answer);
        }
    }
    // Who knows which words an edit has changed that has failed?
    let has_failed = |step: &Step<'_>| matches!(answers[step.operation], Some(Err(_)));
    if steps.iter().any(|step| step.edit.is_some() && has_failed(step)) {
        words.give_up();
    }
}

/// Runs a batch that has no edits.
pub(super) fn read(state: &State, batch: &Batch, steps: &[Step<'_>], answers: &mut [Given]) {
    let given: Vec<(usize, Result<Answer, Error>)> = steps
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

/// Runs steps on single documents.
fn run_lanes(
    state: &mut State,
    batch: &Batch,
    steps: &[Step<'_>],
    answers: &mut [Given],
    words: &mut WordChange,
) {
    let mut order: Vec<&Step<'_>> = steps.iter().collect();
    order.sort_by_key(|step| step.document);
    // Of each lane: its document, its steps, and its text if that was edited before.
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
    // One for each lane that runs at the same time, not for each lane.
    let changes: Mutex<Vec<WordChange>> = Mutex::default();
    let is_known = words.is_known();
    let done: Vec<(usize, LaneRun)> = lanes
        .into_par_iter()
        .map(|(document, lane, text)| {
            let unused = changes.lock().expect("no holder panics").pop();
            let fresh = || if is_known { WordChange::default() } else { WordChange::unknown() };
            let mut words = unused.unwrap_or_else(fresh);
            let run = run_lane(shared, &access, batch, document, lane, text, &mut words);
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
            // Of an operation that is several edits, the first failure counts.
            if !matches!(answers[step.operation], Some(Err(_))) {
                answers[step.operation] = Some(answer);
            }
        }
    }
}

/// A document's text, if it was edited, and an answer for each of its steps.
type LaneRun = (Option<EditedText>, Vec<Result<Answer, Error>>);

/// Runs the steps of one document.
fn run_lane(
    state: &State,
    access: &Access,
    batch: &Batch,
    document: usize,
    lane: &[&Step<'_>],
    text: Option<EditedText>,
    words: &mut WordChange,
) -> LaneRun {
    let mut text = text;
    let answer = |step: &&Step<'_>| match (step.edit, &mut text) {
        (None, None) => read_one(state, document, &batch.operations[step.operation]),
        (None, Some(text)) => {
            let name = state.name(document)?;
            read_text(access, text, name, &batch.operations[step.operation])
        }
        (Some(edit), Some(text)) => change_text(text, access, edit, words).map(|()| Answer::Done),
        (Some(edit), empty) => {
            let text = empty.insert(EditedText::of_base(document, access.size(document)?));
            change_text(text, access, edit, words).map(|()| Answer::Done)
        }
    };
    let answers = lane.iter().map(answer).collect();
    (text, answers)
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
