//! `zgram append`: bytes at the end of a document.

use super::edit;
use crate::human;
use crate::reporter::Reporter;
use clap::Args;
use std::ffi::OsString;
use std::path::PathBuf;
use zgram::store::Edit;

/// Append text to a document
///
/// When the command ends, the edit is on disk, in FILE.journal; every command sees it from then on.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram append logs.zgram today.log 'all is well
  '
  tail -n 100 app.log | zgram append logs.zgram app.log -")]
pub(crate) struct AppendArgs {
    /// A .zgram file
    #[arg(value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    file: PathBuf,
    /// The document's name
    #[arg(value_name = "DOC")]
    document: OsString,
    /// The text; `-` reads standard input
    #[arg(value_name = "TEXT", allow_hyphen_values = true)]
    text: OsString,
}

pub(crate) fn run(args: &AppendArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let store = edit::open(&args.file, reporter)?;
    let document = edit::find(&store, &args.document)?;
    let bytes = edit::text(&args.text)?;
    let what = format!("{} appended", human::counted(bytes.len() as u64, "byte"));
    edit::make(&store, &[Edit::Append { document, bytes }], &what, reporter)
}
