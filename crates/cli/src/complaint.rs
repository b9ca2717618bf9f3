//! Turns errors into messages: what happened, why, what to do, and the exit code.

use crate::exit::Exit;
use crate::hint;
use crate::interrupt;
use crate::text::visible;
use anstyle::{AnsiColor, Style};
use std::io;
use zgram::Error;
use zgram::error::QueryError;
use zgram::plumbing::chain;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default().bold();

/// Something that the program itself refuses to do or does not find.
#[derive(Debug)]
pub(crate) struct Refusal {
    exit: Exit,
    message: String,
    hint: Option<String>,
}

impl Refusal {
    /// A request that makes no sense or would do harm.
    pub(crate) fn error(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { exit: Exit::Error, message: message.into(), hint: Some(hint.into()) }
    }

    /// A file cannot be read or written; with bzip2's exit code for that.
    pub(crate) fn unavailable(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { exit: Exit::Unavailable, message: message.into(), hint: Some(hint.into()) }
    }

    /// The same with one more way out.
    pub(crate) fn or_else(self, way: &str) -> Self {
        let hint = self.hint.map_or_else(|| way.to_owned(), |hint| format!("{hint}; {way}"));
        Self { hint: Some(hint), ..self }
    }

    /// Nothing was found.
    pub(crate) fn nothing_found(message: impl Into<String>, hint: Option<String>) -> Self {
        Self { exit: Exit::NothingFound, message: message.into(), hint }
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refusal {}

/// Errors that have been printed already; only the exit code is left.
#[derive(Debug)]
pub(crate) struct Reported(pub(crate) Exit);

impl std::fmt::Display for Reported {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("errors were printed")
    }
}

impl std::error::Error for Reported {}

/// An error, ready to be printed.
#[derive(Debug)]
pub(crate) struct Complaint {
    exit: Exit,
    message: String,
    hint: Option<String>,
    /// Whether a disk is full, so that another disk would help.
    is_disk_full: bool,
}

impl Complaint {
    fn new(exit: Exit, message: impl Into<String>, hint: Option<String>) -> Self {
        Self { exit, message: message.into(), hint, is_disk_full: false }
    }

    /// Puts an error into words.
    pub(crate) fn of(error: &anyhow::Error) -> Self {
        if interrupt::is_asked_to_stop() {
            return Self::new(Exit::Interrupted, "interrupted", None);
        }
        if let Some(&Reported(exit)) = error.downcast_ref() {
            return Self::new(exit, "", None);
        }
        if let Some(Refusal { exit, message, hint }) = error.downcast_ref() {
            return Self::new(*exit, message, hint.clone());
        }
        let system: Option<&io::Error> = error.chain().find_map(|cause| cause.downcast_ref());
        let kind = system.map(io::Error::kind);
        let is_nothing = |cause: &(dyn std::error::Error + 'static)| {
            matches!(cause.downcast_ref(), Some(QueryError::NoUnit { .. }))
                || matches!(cause.downcast_ref(), Some(Error::Query(QueryError::NoUnit { .. })))
        };
        let exit = match kind {
            // The reader of our output has seen enough, as `head` has: that is no failure.
            Some(io::ErrorKind::BrokenPipe) => Exit::Success,
            _ if error.chain().any(is_nothing) => Exit::NothingFound,
            _ => Exit::Error,
        };
        let hint = error
            .chain()
            .find_map(hint::of_library)
            .or_else(|| kind.and_then(hint::of_system))
            .map(str::to_owned);
        let is_disk_full = kind == Some(io::ErrorKind::StorageFull);
        let mut message = chain(error.as_ref());
        // All files are named where they are written, so an error without a word of ours is of the stream
        // that has no name.
        let is_nameless = |cause: &io::Error| {
            is_of_writing(cause.kind()) && cause.get_ref().is_none() && cause.to_string() == message
        };
        if system.is_some_and(is_nameless) {
            message = format!("cannot write to standard output: {message}");
        }
        Self { is_disk_full, ..Self::new(exit, without_code(&message), hint) }
    }

    /// The same, for a command that has the option -o.
    pub(crate) fn of_command_with_output(error: &anyhow::Error) -> Self {
        let mut complaint = Self::of(error);
        if let Some(hint) = complaint.hint.as_mut().filter(|_| complaint.is_disk_full) {
            hint.push_str(", or write to another disk with -o");
        }
        complaint
    }

    /// The same, with bzip2's exit code for failures that are not damage.
    pub(crate) fn into_unavailable(self) -> Refusal {
        let exit = if self.exit == Exit::Error { Exit::Unavailable } else { self.exit };
        Refusal { exit, message: self.message, hint: self.hint }
    }

    /// Prints it on standard error, unless that has been done, and returns the exit code.
    pub(crate) fn print(&self) -> Exit {
        let message = visible(self.message.as_bytes());
        match self.exit {
            _ if message.is_empty() => {}
            Exit::Success => {}
            Exit::Interrupted => anstream::eprintln!("zgram: {message}"),
            Exit::NothingFound | Exit::Unavailable | Exit::Error => {
                anstream::eprintln!("zgram: {ERROR}error:{ERROR:#} {message}");
                if let Some(hint) = &self.hint {
                    anstream::eprintln!("{HINT}hint:{HINT:#} {}", visible(hint.as_bytes()));
                }
            }
        }
        self.exit
    }
}

/// Whether only writing fails in this way.
fn is_of_writing(kind: io::ErrorKind) -> bool {
    use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    matches!(kind, FileTooLarge | QuotaExceeded | StorageFull)
}

/// A message without the system's error number, and with our word for a directory.
pub(crate) fn without_code(message: &str) -> String {
    let end = message.rfind(" (os error ").filter(|_| message.ends_with(')'));
    let message = &message[..end.unwrap_or(message.len())];
    match message.strip_suffix("No such file or directory") {
        Some(before) => format!("{before}no such file or folder"),
        None => message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context;

    fn failed(kind: io::ErrorKind) -> anyhow::Error {
        anyhow::Error::new(io::Error::from(kind)).context("cannot write x")
    }

    #[test]
    fn causes_are_stated_once_and_in_order() {
        let complaint = Complaint::of(&failed(io::ErrorKind::StorageFull));
        assert_eq!(complaint.message, "cannot write x: no storage space");
        assert_eq!(complaint.exit, Exit::Error);
        assert_eq!(complaint.hint.as_deref(), Some("free some space on the disk"));
        let with_output = Complaint::of_command_with_output(&failed(io::ErrorKind::StorageFull));
        assert!(with_output.hint.unwrap().ends_with("with -o"));
        let twice = Err::<(), _>(io::Error::other("why")).context("what: why").unwrap_err();
        assert_eq!(Complaint::of(&twice).message, "what: why");
    }

    #[test]
    fn system_errors_are_worded_for_people() {
        let missing = anyhow::Error::new(io::Error::from_raw_os_error(2)).context("cannot open x");
        assert_eq!(Complaint::of(&missing).message, "cannot open x: no such file or folder");
    }

    #[test]
    fn a_reader_that_has_seen_enough_is_no_error() {
        assert_eq!(Complaint::of(&failed(io::ErrorKind::BrokenPipe)).exit, Exit::Success);
    }

    #[test]
    fn a_failure_without_a_name_is_of_standard_output() {
        let full = anyhow::Error::from(io::Error::from(io::ErrorKind::StorageFull));
        let expected = "cannot write to standard output: no storage space";
        assert_eq!(Complaint::of(&full).message, expected);
        let other = anyhow::Error::from(io::Error::from(io::ErrorKind::NotFound));
        assert_eq!(Complaint::of(&other).message, "entity not found");
        let named = io::Error::new(io::ErrorKind::StorageFull, "cannot write x: it is full");
        assert_eq!(Complaint::of(&named.into()).message, "cannot write x: it is full");
    }

    #[test]
    fn a_pattern_of_units_that_matches_nothing_finds_nothing() {
        let error = QueryError::NoUnit { pattern: "x".to_owned() };
        assert_eq!(Complaint::of(&error.into()).exit, Exit::NothingFound);
    }

    #[test]
    fn refusals_keep_their_exit_code() {
        let refusal = Refusal::nothing_found("no document x", Some("did you mean y?".into()));
        let complaint = Complaint::of(&refusal.into());
        assert_eq!(complaint.exit, Exit::NothingFound);
        assert_eq!(complaint.hint.as_deref(), Some("did you mean y?"));
    }
}
