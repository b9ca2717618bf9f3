//! `zgram ls`: lists the documents and their sizes.

use crate::args::LsArgs;
use crate::documents::choose;
use crate::open::open_store;
use crate::printer::{Cell, Table};
use crate::reporter::Reporter;

pub(crate) fn run(args: &LsArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let documents = open_store(&args.file, reporter)?.documents()?;
    let chosen = match &args.documents.chosen[..] {
        [] => (0..documents.len()).collect(),
        some => choose(&documents, some)?,
    };
    let row =
        |at: usize| vec![Cell::Bytes(documents[at].size), Cell::name(documents[at].name.clone())];
    let rows = chosen.into_iter().map(row).collect();
    Table { key: "documents", columns: vec!["size", "name"], rows }.print(args.format)
}
