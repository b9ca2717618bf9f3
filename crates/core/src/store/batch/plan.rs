//! From operations to steps, each checked before any is run.

use super::super::State;
use super::super::check::Check;
use super::super::edit::Edit;
use super::lanes::{Given, Step};
use super::moved::Snapshot;
use super::{Batch, BatchError, Meaning, Operation};
use crate::error::Error;
use rustc_hash::FxHashMap;

/// The steps of all operations that can be done; the others are answered with why not, or end it.
pub(super) fn steps<'a>(
    state: &State,
    batch: &'a Batch,
    answers: &mut [Given],
) -> Result<Vec<Step<'a>>, BatchError> {
    let mut snapshots = match batch.meaning {
        Meaning::InSequence => FxHashMap::default(),
        Meaning::InBatch => snapshots(state, batch),
    };
    let mut check = Check::new(state);
    let mut steps = Vec::with_capacity(batch.operations.len());
    let mut edits = Vec::new();
    for (place, operation) in batch.operations.iter().enumerate() {
        let planned = plan(operation, &mut check, &mut snapshots, &mut edits);
        match planned {
            Ok(document) if edits.is_empty() => {
                steps.push(Step { operation: place, document, edit: None });
            }
            Ok(document) => {
                let step = |edit| Step { operation: place, document, edit: Some(edit) };
                steps.extend(edits.drain(..).map(step));
            }
            Err(error) if batch.keep_going => answers[place] = Some(Err(error)),
            Err(source) => return Err(BatchError { operation: place, source }),
        }
        edits.clear();
    }
    Ok(steps)
}

/// Checks an operation and appends the edits that it is; returns the document whose text it reads
/// or changes, `None` if it concerns all of them or the list.
fn plan<'a>(
    operation: &'a Operation,
    check: &mut Check<'_>,
    snapshots: &mut FxHashMap<usize, Snapshot>,
    edits: &mut Vec<Edit<&'a [u8]>>,
) -> Result<Option<usize>, Error> {
    let document = operation.document().map(|name| check.find(name)).transpose()?;
    let Some(edit) = operation.to_edit(document.unwrap_or_default()) else {
        if let Operation::Extract { offset, .. } = operation
            && let Some(document) = document
        {
            check.accept(Edit::Insert { document, offset: *offset, bytes: &[] })?;
        }
        return Ok(document);
    };
    let of_text = edit.of_text();
    match of_text.and_then(|document| snapshots.get_mut(&document)) {
        Some(snapshot) => snapshot.translate(edit, check, edits)?,
        None => edits.push(edit),
    }
    edits.iter().try_for_each(|&edit| check.accept(edit))?;
    Ok(of_text)
}

/// A snapshot of each document that was there before the batch and is edited in it.
fn snapshots(state: &State, batch: &Batch) -> FxHashMap<usize, Snapshot> {
    let mut places: FxHashMap<usize, Vec<u64>> = FxHashMap::default();
    let mut check = Check::new(state);
    for operation in &batch.operations {
        let Some(document) = operation.document().map_or(Ok(0), |name| check.find(name)).ok()
        else {
            continue;
        };
        let Some(edit) = operation.to_edit(document) else { continue };
        match edit {
            Edit::Insert { offset, .. } => places.entry(document).or_default().push(offset),
            Edit::Delete { offset, len, .. } | Edit::Replace { offset, len, .. } => {
                places.entry(document).or_default().extend([offset, offset.saturating_add(len)]);
            }
            Edit::Append { .. } => {}
            // Names have to be followed; what is wrong with them is told when it is their turn.
            other => drop(check.accept(other)),
        }
    }
    places
        .into_iter()
        .filter(|(document, _)| state.overlay.has(*document))
        .filter_map(|(document, places)| {
            let size = state.size(document).ok()?;
            Some((document, Snapshot::new(places, size)))
        })
        .collect()
}
