//! `zgram rename`: another name for a document.

use super::edit;

use crate::reporter::Reporter;
use clap::Args;
use std::ffi::OsString;
use std::path::PathBuf;
use zgram::store::Edit;

/// Rename a document
///
/// When the command ends, the edit is on disk, in FILE.journal; every command sees it from then on.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram rename texts.zgram notes.txt archive/notes.txt")]
pub(crate) struct RenameArgs {
    /// A .zgram file
    #[arg(value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    file: PathBuf,
    /// The document's name
    #[arg(value_name = "DOC")]
    document: OsString,
    /// The new name
    #[arg(value_name = "NAME")]
    name: OsString,
}

pub(crate) fn run(args: &RenameArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let store = edit::open(&args.file, reporter)?;
    let document = edit::find(&store, &args.document)?;
    let name = args.name.as_encoded_bytes().to_vec();
    edit::make(&store, &[Edit::Rename { document, name }], "renamed", reporter)
}
