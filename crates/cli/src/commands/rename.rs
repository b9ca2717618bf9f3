//! `zgram rename`: renames a document.

use super::edit;
use crate::args::RenameArgs;
use crate::documents::find;
use crate::reporter::Reporter;
use zgram::store::Edit;

pub(crate) fn run(args: &RenameArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let store = edit::open(&args.file.path, reporter)?;
    let document = find(&store, &args.document.name)?;
    let name = args.name.as_encoded_bytes().to_vec();
    edit::make(&store, &[Edit::Rename { document, name }], "renamed", reporter)
}
