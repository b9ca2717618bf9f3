//! `zgram delete`: removes a part of a document.

use super::edit;
use crate::args::DeleteArgs;
use crate::documents::find;
use crate::human;
use crate::reporter::Reporter;
use zgram::store::Edit;

pub(crate) fn run(args: &DeleteArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let store = edit::open(&args.file.path, reporter)?;
    let document = find(&store, &args.document.name)?;
    let (offset, len) = (args.offset.bytes, args.len.bytes);
    let what = format!("{} deleted", human::counted(len, "byte"));
    edit::make(&store, &[Edit::Delete { document, offset, len }], &what, reporter)
}
