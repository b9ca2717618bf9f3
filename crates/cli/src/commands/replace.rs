//! `zgram replace`: replaces a part of a document.

use super::edit;
use crate::args::ReplaceArgs;
use crate::documents::find;
use crate::human;
use crate::reporter::Reporter;
use zgram::store::Edit;

pub(crate) fn run(args: &ReplaceArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let (offset, len, bytes) = (args.offset.bytes, args.len.bytes, edit::text(&args.text)?);
    let store = edit::open(&args.file.path, reporter)?;
    let document = find(&store, &args.document.name)?;
    let what = format!("{} replaced by {}", human::counted(len, "byte"), bytes.len());
    edit::make(&store, &[Edit::Replace { document, offset, len, bytes }], &what, reporter)
}
