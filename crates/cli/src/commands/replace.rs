//! `zgram replace`: bytes of a document by others.

use super::edit;
use crate::human;
use crate::reporter::Reporter;
use clap::Args;
use std::ffi::OsString;
use std::path::PathBuf;
use zgram::store::Edit;

/// Replace a part of a document
///
/// When the command ends, the edit is on disk, in FILE.journal; every command sees it from then on.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram replace texts.zgram notes.txt 0 5 'Dear'
  zgram replace texts.zgram notes.txt 100 20 - < new.txt")]
pub(crate) struct ReplaceArgs {
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
    /// The text; `-` reads standard input
    #[arg(value_name = "TEXT", allow_hyphen_values = true)]
    text: OsString,
}

pub(crate) fn run(args: &ReplaceArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let store = edit::open(&args.file, reporter)?;
    let document = edit::find(&store, &args.document)?;
    let (offset, len, bytes) = (args.offset, args.len, edit::text(&args.text)?);
    let what = format!("{} replaced by {}", human::counted(len, "byte"), bytes.len());
    edit::make(&store, &[Edit::Replace { document, offset, len, bytes }], &what, reporter)
}
