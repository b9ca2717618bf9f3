//! Turns operations into steps. All are checked before any runs.

use crate::error::{EditError, TransactionError};
use crate::store::State;
use crate::store::batch::lanes::{Given, Step};
use crate::store::batch::moved::Snapshot;
use crate::store::batch::{OffsetBase, Operation, Transaction};
use crate::store::edit::Edit;
use crate::store::overlay::check::Check;
use rustc_hash::FxHashMap;

/// The steps of all operations that can be done. Each other operation gets its error as its answer, or
/// refuses the batch.
pub(in crate::store) fn steps<'a>(
    state: &State,
    batch: &'a Transaction,
    answers: &mut [Given],
) -> Result<Vec<Step<'a>>, TransactionError> {
    let mut snapshots = match batch.offsets {
        OffsetBase::InSequence => FxHashMap::default(),
        OffsetBase::InBatch => snapshots(state, batch),
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
            Err(source) => return Err(TransactionError { operation: place, source }),
        }
        edits.clear();
    }
    load_edited(&check, batch, &mut steps, answers)?;
    Ok(steps)
}

/// Loads the texts that are edited, before any edit is written. Edits of damaged ones are refused.
fn load_edited(
    check: &Check<'_>,
    batch: &Transaction,
    steps: &mut Vec<Step<'_>>,
    answers: &mut [Given],
) -> Result<(), TransactionError> {
    let edited = |step: &Step<'_>| step.document.filter(|_| step.edit.is_some());
    if check.load_all(steps.iter().filter_map(edited)).is_ok() {
        return Ok(());
    }
    for step in &*steps {
        let Some(Err(source)) = edited(step).map(|document| check.load(document)) else { continue };
        if !batch.keep_going {
            return Err(TransactionError { operation: step.operation, source: source.into() });
        }
        answers[step.operation] = Some(Err(source.into()));
    }
    steps.retain(|step| step.edit.is_none() || answers[step.operation].is_none());
    Ok(())
}

/// Checks an operation and appends its edits. Returns the document whose text it reads or changes;
/// `None` if it concerns all documents or their list.
fn plan<'a>(
    operation: &'a Operation,
    check: &mut Check<'_>,
    snapshots: &mut FxHashMap<usize, Snapshot>,
    edits: &mut Vec<Edit<&'a [u8]>>,
) -> Result<Option<usize>, EditError> {
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

/// A snapshot of each document that exists before the batch and is edited in it.
fn snapshots(state: &State, batch: &Transaction) -> FxHashMap<usize, Snapshot> {
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
            // Later names depend on this edit. If it is wrong, it is refused at its turn.
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
