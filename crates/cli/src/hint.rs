//! What the user can do about an error.

use std::error::Error as StdError;
use std::io;
use zgram::Error;
use zgram::error::{
    AccessError, CompressError, DecompressError, EditError, OpenError, QueryError, ReshardError,
    TransactionError,
};
use zgram::format::ContainerError;
use zgram::input::InputError;

/// What can be done about a failure of the library, as any of its error types.
pub(crate) fn of_library(error: &(dyn StdError + 'static)) -> Option<&'static str> {
    if let Some(error) = error.downcast_ref::<Error>() {
        return match error {
            Error::Open(error) => of_opening(error),
            Error::Access(error) => of_access(error),
            Error::Query(error) => of_query(error),
            Error::Compress(error) => of_compressing(error),
            Error::Decompress(error) => of_decompressing(error),
            Error::Edit(error) => of_editing(error),
            Error::Reshard(error) => of_resharding(error),
            Error::Transaction(error) => of_editing(&error.source),
            _ => None,
        };
    }
    None.or_else(|| error.downcast_ref().and_then(of_opening))
        .or_else(|| error.downcast_ref().and_then(of_access))
        .or_else(|| error.downcast_ref().and_then(of_query))
        .or_else(|| error.downcast_ref().and_then(of_compressing))
        .or_else(|| error.downcast_ref().and_then(of_decompressing))
        .or_else(|| error.downcast_ref().and_then(of_editing))
        .or_else(|| error.downcast_ref().and_then(of_resharding))
        .or_else(|| {
            error.downcast_ref().and_then(|TransactionError { source, .. }| of_editing(source))
        })
}

fn of_opening(error: &OpenError) -> Option<&'static str> {
    match error {
        OpenError::Container { source, .. } => of_container(source),
        OpenError::Unapplied { .. } => {
            Some("restore the file from a copy; `zgram verify` names what is damaged")
        }
        OpenError::Journal { .. } => Some(
            "restore the corpus file and the journal that belong together, or move the journal away \
             to go on without its edits",
        ),
        OpenError::NoShards { .. } => Some("`zgram compress PATH -o FILE` makes such files"),
        _ => None,
    }
}

fn of_access(error: &AccessError) -> Option<&'static str> {
    match error {
        AccessError::Open(error) => of_opening(error),
        AccessError::OutOfRange { .. } => Some("`zgram ls FILE DOC` shows a document's size"),
        _ => None,
    }
}

fn of_query(error: &QueryError) -> Option<&'static str> {
    match error {
        QueryError::Open(error) => of_opening(error),
        _ => None,
    }
}

fn of_compressing(error: &CompressError) -> Option<&'static str> {
    match error {
        CompressError::MemoryCeiling { .. }
        | CompressError::Input(InputError::LineTooLong { .. }) => {
            Some("raise the ceiling with --memory")
        }
        CompressError::Input(InputError::Corpus { .. }) => Some(
            "`zgram decompress FILE -o DIR` restores its files, which can be compressed again; \
             --no-decompress stores the file as it is",
        ),
        _ => None,
    }
}

fn of_decompressing(error: &DecompressError) -> Option<&'static str> {
    match error {
        DecompressError::Open(error) => of_opening(error),
        DecompressError::OutputExists { .. } => Some("--force replaces it; nothing was written"),
        DecompressError::UnusableName(_) => Some(
            "`zgram cat FILE DOC` prints such a document; to restore only others, name them after the \
             corpus",
        ),
        _ => None,
    }
}

fn of_resharding(error: &ReshardError) -> Option<&'static str> {
    match error {
        ReshardError::Open(error) => of_opening(error),
        ReshardError::Compress(CompressError::PendingEdits { .. }) => {
            Some("name another file, or merge these edits into theirs with `zgram compact`")
        }
        ReshardError::Compress(error) => of_compressing(error),
        ReshardError::OutputExists { .. } => Some("--force replaces it; nothing was written"),
        ReshardError::TooFewDocuments { .. } => {
            Some("each document is in one file; ask for fewer files with -n")
        }
        _ => None,
    }
}

fn of_editing(error: &EditError) -> Option<&'static str> {
    match error {
        EditError::Access(error) => of_access(error),
        EditError::Compress(error) => of_compressing(error),
        EditError::UnusableName(_) => {
            Some("choose the relative path of a file, such as letters/18.txt")
        }
        EditError::NameTaken { .. } => Some("choose another name, or `zgram rm FILE DOC` first"),
        EditError::Shards { .. } => Some(
            "`zgram info FOLDER` lists the files with their documents; `zgram merge FOLDER -o FILE` \
             makes one file of them",
        ),
        EditError::Locked { .. } => {
            Some("only one process can edit at a time; try again when it ends")
        }
        _ => None,
    }
}

fn of_container(error: &ContainerError) -> Option<&'static str> {
    match error {
        ContainerError::Foreign => Some("`zgram compress PATH -o FILE` makes such files"),
        // Only the sections of one segment have a number.
        ContainerError::Checksum { section, .. } | ContainerError::Malformed { section, .. }
            if section.ends_with(|last: char| last.is_ascii_digit()) =>
        {
            Some(
                "get the file again from where it came from; until then, documents in other segments \
                 can be read",
            )
        }
        ContainerError::Truncated { .. }
        | ContainerError::Checksum { .. }
        | ContainerError::Malformed { .. } => Some("get the file again from where it came from"),
        _ => None,
    }
}

/// What can be done about a failure of the system.
pub(crate) fn of_system(kind: io::ErrorKind) -> Option<&'static str> {
    match kind {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            Some("free some space on the disk")
        }
        io::ErrorKind::PermissionDenied => Some("check the permissions with `ls -ld`"),
        io::ErrorKind::ReadOnlyFilesystem => Some("nothing can be written there; use another disk"),
        io::ErrorKind::InvalidFilename => Some("the name is too long for this file system"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The hints of an error as the program meets it: as it is, in a wider type, and with context.
    fn hints<E>(make: impl Fn() -> E) -> Vec<Option<&'static str>>
    where
        E: StdError + Send + Sync + 'static,
        Error: From<E>,
    {
        let found = |error: anyhow::Error| error.chain().find_map(of_library);
        vec![
            found(make().into()),
            found(Error::from(make()).into()),
            found(anyhow::Error::from(make()).context("what failed")),
            found(anyhow::Error::from(Error::from(make())).context("what failed")),
        ]
    }

    #[test]
    fn hints_do_not_depend_on_the_type_that_carries_the_cause() {
        let foreign = || OpenError::Container { path: "x".into(), source: ContainerError::Foreign };
        let expected = Some("`zgram compress PATH -o FILE` makes such files");
        let all = [
            hints(foreign),
            hints(|| AccessError::Open(foreign())),
            hints(|| QueryError::Open(foreign())),
            hints(|| DecompressError::Open(foreign())),
            hints(|| EditError::Access(AccessError::Open(foreign()))),
            hints(|| TransactionError { operation: 0, source: foreign().into() }),
        ];
        assert!(all.iter().flatten().all(|&hint| hint == expected), "{all:?}");
        let memory = || CompressError::MemoryCeiling { tokens: 1, needed: 2, ceiling: 1 };
        let all = [hints(memory), hints(|| EditError::Compress(memory()))];
        let expected = Some("raise the ceiling with --memory");
        assert!(all.iter().flatten().all(|&hint| hint == expected), "{all:?}");
        let all = hints(|| QueryError::SequenceTooShort { n: 1 });
        assert_eq!(all, [None; 4]);
    }

    /// Damage of one segment leaves the others readable.
    #[test]
    fn a_damaged_segment_is_not_a_damaged_file() {
        let hint = |section: &str| {
            let (section, offset) = (section.to_owned(), 16);
            let source = ContainerError::Checksum { section, offset, expected: 1, got: 2 };
            of_opening(&OpenError::Container { path: "x".into(), source }).unwrap()
        };
        assert!(hint("segment 12").contains("documents in other segments can be read"));
        assert!(!hint("dictionary").contains("segments"));
        assert!(hint("dictionary").starts_with("get the file again"));
    }
}
