//! `zgram add`: a new document.

use super::edit;
use crate::args::AddArgs;
use crate::human;
use crate::reporter::Reporter;
use zgram::store::Edit;

pub(crate) fn run(args: &AddArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let store = edit::open(&args.file.path, reporter)?;
    let (name, bytes) = (args.name.as_encoded_bytes().to_vec(), edit::text(&args.text.argument)?);
    let what = format!("a document of {} added", human::counted(bytes.len() as u64, "byte"));
    edit::make(&store, &[Edit::Add { name, bytes }], &what, reporter)
}
