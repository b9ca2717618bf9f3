//! `zgram add`: adds a document.

use super::edit;
use crate::args::AddArgs;
use crate::human;
use crate::reporter::Reporter;
use zgram::store::Edit;

pub(crate) fn run(args: &AddArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let (name, bytes) = (args.name.as_encoded_bytes().to_vec(), edit::text(&args.text)?);
    let store = edit::open(&args.file.path, reporter)?;
    let what = format!("a document of {} added", human::counted(bytes.len() as u64, "byte"));
    edit::make(&store, &[Edit::Add { name, bytes }], &what, reporter)
}
