//! `zgram insert`: inserts text into a document.

use super::edit;
use crate::args::InsertArgs;
use crate::documents::find;
use crate::human;
use crate::reporter::Reporter;
use zgram::store::Edit;

pub(crate) fn run(args: &InsertArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let bytes = edit::text(&args.text)?;
    let store = edit::open(&args.file.path, reporter)?;
    let document = find(&store, &args.document.name)?;
    let what = format!("{} inserted", human::counted(bytes.len() as u64, "byte"));
    let edits = [Edit::Insert { document, offset: args.offset.bytes, bytes }];
    edit::make(&store, &edits, &what, reporter)
}
