//! `zgram cat`: writes documents to standard output.

use crate::args::CatArgs;
use crate::documents::find_all;
use crate::open::open_store;
use crate::reporter::Reporter;
use std::io::{self, Write};
use zgram::error::{AccessError, FileError};

pub(crate) fn run(args: &CatArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let store = open_store(&args.file, reporter)?;
    let chosen = match &args.documents.chosen[..] {
        [] => store.documents()?.into_iter().map(|document| document.number).collect(),
        some => find_all(&store, some)?,
    };
    let mut out = io::stdout().lock();
    if store.pending().edits == 0 {
        // Without edits, reading whole documents from the corpus is faster.
        store.corpus().write_documents(&chosen, &mut out).map_err(of_output)?;
    } else {
        for document in chosen {
            store.write_document(document, &mut out).map_err(of_output)?;
        }
    }
    Ok(out.flush()?)
}

/// A failure to write is one of standard output, not of the corpus.
fn of_output(error: AccessError) -> anyhow::Error {
    match error {
        AccessError::File(FileError { source, .. }) => source.into(),
        other => other.into(),
    }
}
