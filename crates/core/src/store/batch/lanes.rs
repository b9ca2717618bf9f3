//! Steps run: those of a document in their order, documents in parallel.

use super::super::State;
use super::super::edit::Edit;
use super::super::overlay::change_text;
use super::super::text::EditedText;
use super::{Answer, Batch, Operation};
use crate::access::{Access, Match};
use crate::error::Error;
use rayon::prelude::*;
use std::sync::Arc;

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

/// Applies edits that have been checked.
pub(in super::super) fn apply(state: &mut State, edits: &[Edit<&[u8]>]) -> Result<(), Error> {
    // The usual way to edit; it needs nothing of what follows.
    if let [edit] = edits {
        return state.overlay.apply(&state.access, *edit);
    }
    let numbered = edits.iter().enumerate();
    let steps: Vec<Step<'_>> = numbered
        .map(|(operation, &edit)| Step { operation, document: edit.of_text(), edit: Some(edit) })
        .collect();
    let mut answers: Vec<Given> = Vec::new();
    answers.resize_with(edits.len(), || None);
    run(state, &Batch::default(), &steps, &mut answers);
    answers.into_iter().flatten().try_for_each(|answer| answer.map(drop))
}

/// Runs steps that have been checked.
pub(super) fn run(state: &mut State, batch: &Batch, steps: &[Step<'_>], answers: &mut [Given]) {
    // What concerns all documents divides the batch.
    for stretch in steps.split_inclusive(|step| step.document.is_none()) {
        let (last, lanes) = match stretch.split_last() {
            Some((last, before)) if last.document.is_none() => (Some(last), before),
            _ => (None, stretch),
        };
        run_lanes(state, batch, lanes, answers);
        if let Some(step) = last {
            let answer = match step.edit {
                Some(edit) => state.overlay.apply(&state.access, edit).map(|()| Answer::Done),
                None => read_all(state, &batch.operations[step.operation]),
            };
            answers[step.operation] = Some(answer);
        }
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
fn run_lanes(state: &mut State, batch: &Batch, steps: &[Step<'_>], answers: &mut [Given]) {
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
    let done: Vec<(usize, Option<EditedText>, Vec<Result<Answer, Error>>)> = lanes
        .into_par_iter()
        .map(|(document, lane, text)| {
            let (text, given) = run_lane(shared, &access, batch, document, lane, text);
            (document, text, given)
        })
        .collect();
    let mut lane = order.into_iter();
    for (document, text, given) in done {
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

/// Runs the steps of one document: an answer for each, and the text if it was edited.
fn run_lane(
    state: &State,
    access: &Access,
    batch: &Batch,
    document: usize,
    lane: &[&Step<'_>],
    text: Option<EditedText>,
) -> (Option<EditedText>, Vec<Result<Answer, Error>>) {
    let mut text = text;
    let answer = |step: &&Step<'_>| match (step.edit, &mut text) {
        (None, None) => read_one(state, document, &batch.operations[step.operation]),
        (None, Some(text)) => {
            let name = state.name(document)?;
            read_text(access, text, name, &batch.operations[step.operation])
        }
        (Some(edit), Some(text)) => change_text(text, access, edit).map(|()| Answer::Done),
        (Some(edit), empty) => {
            let text = empty.insert(EditedText::of_base(document, access.size(document)?));
            change_text(text, access, edit).map(|()| Answer::Done)
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
