//! `zgram insert`: bytes into a document.

use super::edit;
use crate::human;
use crate::reporter::Reporter;
use clap::Args;
use std::ffi::OsString;
use std::path::PathBuf;
use zgram::store::Edit;

/// Insert text into a document
///
/// When the command ends, the edit is on disk, in FILE.journal; every command sees it from then on.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram insert texts.zgram notes.txt 0 'A heading
  '
  fortune | zgram insert texts.zgram notes.txt 120 -")]
pub(crate) struct InsertArgs {
    /// A .zgram file
    #[arg(value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    file: PathBuf,
    /// The document's name
    #[arg(value_name = "DOC")]
    document: OsString,
    /// Bytes before the place
    #[arg(value_name = "OFFSET")]
    offset: u64,
    /// The text; `-` reads standard input
    #[arg(value_name = "TEXT", allow_hyphen_values = true)]
    text: OsString,
}

pub(crate) fn run(args: &InsertArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let store = edit::open(&args.file, reporter)?;
    let document = edit::find(&store, &args.document)?;
    let bytes = edit::text(&args.text)?;
    let what = format!("{} inserted", human::counted(bytes.len() as u64, "byte"));
    let edits = [Edit::Insert { document, offset: args.offset, bytes }];
    edit::make(&store, &edits, &what, reporter)
}
