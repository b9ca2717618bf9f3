//! `zgram index`: adds phrase indexes to a corpus, or removes them.

use super::edit;
use crate::args::IndexArgs;
use crate::human;
use crate::interrupt;
use crate::reporter::Reporter;

pub(crate) fn run(args: &IndexArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let store = edit::open(&args.file.path, reporter)?;
    interrupt::clean_up_from_now_on();
    let done = store.index_phrases(!args.drop, reporter)?;
    reporter.conclude(&format!(
        "{} → {}, in {}",
        human::bytes(done.bytes_before),
        human::bytes(done.bytes_after),
        human::seconds(reporter.elapsed()),
    ));
    Ok(())
}
