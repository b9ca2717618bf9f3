//! What the commands that edit share: opening the corpus, reading the text, reporting the result.

use super::compact;
use crate::args::Text;
use crate::complaint::Refusal;
use crate::human;
use crate::interrupt;
use crate::open::{not_opened, read_stdin};
use crate::paths::is_dash;
use crate::reporter::Reporter;
use std::path::Path;
use zgram::plumbing::chain;
use zgram::store::{Edit, Store};

/// Opens a corpus for editing.
pub(crate) fn open(path: &Path, reporter: &Reporter) -> anyhow::Result<Store> {
    if is_dash(path) {
        let hint = "name the file; standard input cannot be edited";
        return Err(Refusal::error("there is no file to edit", hint).into());
    }
    let store = Store::open_for_editing(path).map_err(|error| not_opened(path, error))?;
    store.notices().iter().for_each(|notice| reporter.notice(notice));
    Ok(store)
}

/// The bytes of a TEXT argument; `-` is standard input. Call it before [`open`]: standard input may
/// take hours, and opening locks out other editors.
pub(crate) fn text(text: &Text) -> anyhow::Result<Vec<u8>> {
    if text.argument != "-" {
        return Ok(text.argument.as_encoded_bytes().to_vec());
    }
    read_stdin()
}

/// Makes edits and reports the result.
pub(crate) fn make(
    store: &Store,
    edits: &[Edit],
    what: &str,
    reporter: &Reporter,
) -> anyhow::Result<()> {
    store.edit(edits)?;
    let pending = store.pending();
    reporter.conclude(&format!("{what}; {} pending", human::counted(pending.edits, "edit")));
    compact_if_due(store, reporter);
    Ok(())
}

/// Compacts a corpus whose edits have reached its threshold. A failure is only a notice: the edits
/// themselves are on disk.
pub(crate) fn compact_if_due(store: &Store, reporter: &Reporter) {
    if !store.is_due() {
        return;
    }
    let pending = store.pending();
    reporter.notice(&format!(
        "compacting: {} with {} of new text reach the threshold of the corpus",
        human::counted(pending.edits, "pending edit"),
        human::bytes(pending.bytes)
    ));
    interrupt::clean_up_from_now_on();
    match store.compact(reporter) {
        Ok(done) => reporter.conclude(&compact::summary(&done, reporter)),
        Err(error) => {
            let why = chain(&error);
            reporter.notice(&format!("the edits are safe, but compacting them failed: {why}"));
        }
    }
}
