//! `zgram ls`: the documents and their sizes.

use super::open;
use crate::args::LsArgs;
use crate::documents::choose;
use crate::printer::{Cell, Table};

pub(crate) fn run(args: &LsArgs) -> anyhow::Result<()> {
    let corpus = open(&args.file)?;
    let documents = corpus.documents()?;
    let chosen = match &args.documents.chosen[..] {
        [] => (0..documents.len()).collect(),
        some => choose(documents, some)?,
    };
    let row = |document: usize| {
        let name = Cell::Name(documents.name(document).to_owned());
        vec![Cell::Bytes(documents.size(document)), name]
    };
    let rows = chosen.into_iter().map(row).collect();
    Ok(Table { key: "documents", columns: &["size", "name"], rows }.print(args.format)?)
}
