//! `zgram delete`: a part of a document is taken out.

use super::edit;
use crate::human;
use crate::reporter::Reporter;
use clap::Args;
use std::ffi::OsString;
use std::path::PathBuf;
use zgram::store::Edit;

/// Delete a part of a document
///
/// When the command ends, the edit is on disk, in FILE.journal; every command sees it from then on.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram delete texts.zgram notes.txt 100 20")]
pub(crate) struct DeleteArgs {
    /// A .zgram file
    #[arg(value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    file: PathBuf,
    /// The document's name
    #[arg(value_name = "DOC")]
    document: OsString,
    /// Bytes before the place
    #[arg(value_name = "OFFSET")]
    offset: u64,
    /// Bytes taken out
    #[arg(value_name = "LEN")]
    len: u64,
}

pub(crate) fn run(args: &DeleteArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let store = edit::open(&args.file, reporter)?;
    let document = edit::find(&store, &args.document)?;
    let (offset, len) = (args.offset, args.len);
    let what = format!("{} deleted", human::counted(len, "byte"));
    edit::make(&store, &[Edit::Delete { document, offset, len }], &what, reporter)
}
