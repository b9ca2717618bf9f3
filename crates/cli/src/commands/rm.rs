//! `zgram rm`: documents are taken out.

use super::edit;
use crate::human;
use crate::reporter::Reporter;
use clap::Args;
use std::ffi::OsString;
use std::path::PathBuf;
use zgram::store::Edit;

/// Remove documents
///
/// When the command ends, the edit is on disk, in FILE.journal; every command sees it from then on.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram rm texts.zgram notes.txt
  zgram rm texts.zgram 'drafts/*'")]
pub(crate) struct RmArgs {
    /// A .zgram file
    #[arg(value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    file: PathBuf,
    /// Names; else patterns, where `*` stands for anything, `/` included
    #[arg(required = true, value_name = "DOC")]
    documents: Vec<OsString>,
}

pub(crate) fn run(args: &RmArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let store = edit::open(&args.file, reporter)?;
    let mut documents = edit::find_all(&store, &args.documents)?;
    documents.sort_unstable();
    documents.dedup();
    let what = format!("{} removed", human::counted(documents.len() as u64, "document"));
    let edits: Vec<Edit> =
        documents.into_iter().map(|document| Edit::Remove { document }).collect();
    edit::make(&store, &edits, &what, reporter)
}
