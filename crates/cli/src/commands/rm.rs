//! `zgram rm`: removes documents.

use super::edit;
use crate::args::RmArgs;
use crate::documents::find_all;
use crate::human;
use crate::reporter::Reporter;
use zgram::store::Edit;

pub(crate) fn run(args: &RmArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let store = edit::open(&args.file.path, reporter)?;
    let mut documents = find_all(&store, &args.documents)?;
    documents.sort_unstable();
    documents.dedup();
    let what = format!("{} removed", human::counted(documents.len() as u64, "document"));
    let edits: Vec<Edit> =
        documents.into_iter().map(|document| Edit::Remove { document }).collect();
    edit::make(&store, &edits, &what, reporter)
}
