//! `zgram append`: appends text to a document.

use super::edit;
use crate::args::AppendArgs;
use crate::complaint::Refusal;
use crate::documents::find;
use crate::human;
use crate::reporter::Reporter;
use zgram::store::Edit;

pub(crate) fn run(args: &AppendArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let bytes = edit::text(&args.text)?;
    let store = edit::open(&args.file.path, reporter)?;
    let document = find(&store, &args.document.name).map_err(|error| match error.downcast() {
        Ok::<Refusal, _>(refusal) => refusal.or_else("`zgram add` makes a new document").into(),
        Err(error) => error,
    })?;
    let what = format!("{} appended", human::counted(bytes.len() as u64, "byte"));
    edit::make(&store, &[Edit::Append { document, bytes }], &what, reporter)
}
