//! Errors with bzip2's exit codes.

use crate::complaint::{Complaint, Refusal};
use std::io;
use zgram_bwt::bzip2::Error;

/// Marks the error that a .bz2 file is damaged.
#[derive(Debug)]
pub(super) struct Damaged;

impl std::fmt::Display for Damaged {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a damaged file")
    }
}

/// A damaged file gives bzip2's exit code 2, every other failure 1.
pub(super) fn reading_failed(name: &str, error: io::Error) -> anyhow::Error {
    match error.get_ref().and_then(|inner| inner.downcast_ref::<Error>()) {
        Some(damage) => {
            let message = format!("{name}: {damage}");
            let hint = "get the file again from where it came from";
            let refusal = anyhow::Error::from(Refusal::error(message, hint));
            if matches!(damage, Error::Foreign) { refusal } else { refusal.context(Damaged) }
        }
        None => as_unavailable(anyhow::Error::new(error).context(format!("cannot read {name}"))),
    }
}

pub(super) fn unavailable(message: impl Into<String>, hint: impl Into<String>) -> anyhow::Error {
    Refusal::unavailable(message, hint).into()
}

/// The same error with exit code 1: no compressed file is to blame.
pub(super) fn as_unavailable(error: anyhow::Error) -> anyhow::Error {
    Complaint::of(&error).into_unavailable().into()
}
