//! `zgram cat`: documents on standard output.

use crate::args::CatArgs;
use crate::documents::find_all;
use crate::open::open_store;
use crate::reporter::Reporter;
use std::io::{self, Write};

pub(crate) fn run(args: &CatArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let store = open_store(&args.file, reporter)?;
    let chosen = find_all(&store, &args.documents)?;
    let mut out = io::stdout().lock();
    if store.pending().edits == 0 {
        // Whole documents come faster from the corpus itself.
        store.corpus().write_documents(&chosen, &mut out)?;
    } else {
        chosen.into_iter().try_for_each(|document| store.write_document(document, &mut out))?;
    }
    Ok(out.flush()?)
}
