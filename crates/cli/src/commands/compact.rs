//! `zgram compact`: merges pending edits into the grammar.

use super::edit;
use crate::args::{CompactArgs, Format};
use crate::human;
use crate::interrupt;
use crate::printer::{Cell, field, print_record};
use crate::reporter::Reporter;
use zgram::store::{Compaction, Edit, Threshold};

pub(crate) fn run(args: &CompactArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let store = edit::open(&args.file.path, reporter)?;
    let mut is_due = true;
    if let Some(threshold) = args.threshold.change(store.threshold()) {
        store.edit(&[Edit::SetThreshold { threshold }])?;
        is_due = store.is_due();
    }
    if let Some(bytes) = args.if_over {
        is_due &= Threshold { edits: u64::MAX, bytes }.is_reached(store.pending());
    }
    if !is_due {
        reporter.conclude("nothing done: the threshold is not reached");
        return Ok(());
    }
    interrupt::clean_up_from_now_on();
    let done = store.compact(reporter)?;
    if args.format != Format::Auto {
        let fields = [
            field("edits", "edits", Cell::Count(done.edits)),
            field("rebuilt", "segments rebuilt", Cell::Count(done.rebuilt as u64)),
            field("kept", "segments kept", Cell::Count(done.kept as u64)),
            field("bytes_before", "before", Cell::Bytes(done.bytes_before)),
            field("bytes_after", "after", Cell::Bytes(done.bytes_after)),
            field("seconds", "seconds", Cell::Seconds(reporter.elapsed())),
        ];
        reporter.clear();
        print_record(&fields, &[], false, args.format)?;
    }
    reporter.conclude(&summary(&done, reporter));
    Ok(())
}

/// One line about what was done.
pub(super) fn summary(done: &Compaction, reporter: &Reporter) -> String {
    format!(
        "{} merged, {} of {} rebuilt, {} → {}, in {}",
        human::counted(done.edits, "edit"),
        done.rebuilt,
        human::counted((done.rebuilt + done.kept) as u64, "segment"),
        human::bytes(done.bytes_before),
        human::bytes(done.bytes_after),
        human::seconds(reporter.elapsed()),
    )
}
