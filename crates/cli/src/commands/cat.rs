//! `zgram cat`: writes documents to standard output.

use crate::args::CatArgs;
use crate::documents::find_all;
use crate::open::open_store;
use crate::reporter::Reporter;
use std::io::{self, Write};

pub(crate) fn run(args: &CatArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let store = open_store(&args.file, reporter)?;
    let chosen = match &args.documents.chosen[..] {
        [] => store.documents()?.into_iter().map(|document| document.number).collect(),
        some => find_all(&store, some)?,
    };
    let mut out = io::stdout().lock();
    if store.pending().edits == 0 {
        // Without edits, reading whole documents from the corpus is faster.
        store.corpus().write_documents(&chosen, &mut out)?;
    } else {
        chosen.into_iter().try_for_each(|document| store.write_document(document, &mut out))?;
    }
    Ok(out.flush()?)
}
