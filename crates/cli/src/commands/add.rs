//! `zgram add`: a new document.

use super::edit;
use crate::human;
use crate::reporter::Reporter;
use clap::Args;
use std::ffi::OsString;
use std::path::PathBuf;
use zgram::store::Edit;

/// Add a document
///
/// When the command ends, the edit is on disk, in FILE.journal; every command sees it from then on.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram add texts.zgram letters/17.txt 'Dear Sir'
  zgram add texts.zgram report.txt - < report.txt")]
pub(crate) struct AddArgs {
    /// A .zgram file
    #[arg(value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    file: PathBuf,
    /// The new document's name
    #[arg(value_name = "NAME")]
    name: OsString,
    /// The text; `-` reads standard input
    #[arg(value_name = "TEXT", allow_hyphen_values = true)]
    text: OsString,
}

pub(crate) fn run(args: &AddArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let store = edit::open(&args.file, reporter)?;
    let (name, bytes) = (args.name.as_encoded_bytes().to_vec(), edit::text(&args.text)?);
    let what = format!("a document of {} added", human::counted(bytes.len() as u64, "byte"));
    edit::make(&store, &[Edit::Add { name, bytes }], &what, reporter)
}
