//! `zgram cat`: documents on standard output.

use super::open;
use crate::args::CatArgs;
use crate::documents::choose;
use std::io::{self, Write};

pub(crate) fn run(args: &CatArgs) -> anyhow::Result<()> {
    let corpus = open(&args.file)?;
    let chosen = choose(corpus.documents()?, &args.documents)?;
    let mut out = io::stdout().lock();
    corpus.write_documents(&chosen, &mut out)?;
    Ok(out.flush()?)
}
