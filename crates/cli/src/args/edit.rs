//! Arguments of the commands that edit.

use super::gpu::EngineArgs;
use crate::size;
use clap::{Args, ValueHint};
use std::ffi::OsString;
use std::path::PathBuf;

/// The corpus to edit.
#[derive(Debug, Args)]
pub(crate) struct EditedFile {
    /// A .zgram file
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) path: PathBuf,
}

/// The document to edit.
#[derive(Debug, Args)]
pub(crate) struct DocumentName {
    /// The document's name
    #[arg(id = "document", value_name = "DOC")]
    pub(crate) name: OsString,
}

/// Where an edit begins.
#[derive(Debug, Args)]
pub(crate) struct Offset {
    /// Byte offset in the document at which to edit
    #[arg(id = "offset", value_name = "OFFSET", value_parser = size::parse_count)]
    pub(crate) bytes: u64,
}

/// How much text an edit removes.
#[derive(Debug, Args)]
pub(crate) struct Length {
    /// Number of bytes to remove
    #[arg(id = "len", value_name = "LEN", value_parser = size::parse_count)]
    pub(crate) bytes: u64,
}

/// The text that an edit adds.
#[derive(Debug, Args)]
pub(crate) struct Text {
    /// The text; `-` reads it from standard input
    #[arg(id = "text", value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) argument: OsString,
}

/// Insert text into a document
///
/// When the command returns, the edit is on disk, in FILE.journal, and every command sees it.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram insert texts.zgram notes.txt 0 'A heading
  '
  fortune | zgram insert texts.zgram notes.txt 120 -")]
pub(crate) struct InsertArgs {
    #[command(flatten)]
    pub(crate) file: EditedFile,
    #[command(flatten)]
    pub(crate) document: DocumentName,
    #[command(flatten)]
    pub(crate) offset: Offset,
    #[command(flatten)]
    pub(crate) text: Text,
}

/// Append text to a document
///
/// When the command returns, the edit is on disk, in FILE.journal, and every command sees it.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram append logs.zgram today.log 'all is well
  '
  tail -n 100 app.log | zgram append logs.zgram app.log -")]
pub(crate) struct AppendArgs {
    #[command(flatten)]
    pub(crate) file: EditedFile,
    #[command(flatten)]
    pub(crate) document: DocumentName,
    #[command(flatten)]
    pub(crate) text: Text,
}

/// Replace a part of a document
///
/// When the command returns, the edit is on disk, in FILE.journal, and every command sees it.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram replace texts.zgram notes.txt 0 5 'Dear'
  zgram replace texts.zgram notes.txt 100 20 - < new.txt")]
pub(crate) struct ReplaceArgs {
    #[command(flatten)]
    pub(crate) file: EditedFile,
    #[command(flatten)]
    pub(crate) document: DocumentName,
    #[command(flatten)]
    pub(crate) offset: Offset,
    #[command(flatten)]
    pub(crate) len: Length,
    #[command(flatten)]
    pub(crate) text: Text,
}

/// Delete a part of a document
///
/// When the command returns, the edit is on disk, in FILE.journal, and every command sees it.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram delete texts.zgram notes.txt 100 20")]
pub(crate) struct DeleteArgs {
    #[command(flatten)]
    pub(crate) file: EditedFile,
    #[command(flatten)]
    pub(crate) document: DocumentName,
    #[command(flatten)]
    pub(crate) offset: Offset,
    #[command(flatten)]
    pub(crate) len: Length,
}

/// Add a document
///
/// When the command returns, the edit is on disk, in FILE.journal, and every command sees it.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram add texts.zgram letters/17.txt 'Dear Sir'
  zgram add texts.zgram report.txt - < report.txt")]
pub(crate) struct AddArgs {
    #[command(flatten)]
    pub(crate) file: EditedFile,
    /// The new document's name
    #[arg(value_name = "NAME")]
    pub(crate) name: OsString,
    #[command(flatten)]
    pub(crate) text: Text,
}

/// Remove documents
///
/// When the command returns, the edit is on disk, in FILE.journal, and every command sees it.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram rm texts.zgram notes.txt
  zgram rm texts.zgram 'drafts/*'")]
pub(crate) struct RmArgs {
    #[command(flatten)]
    pub(crate) file: EditedFile,
    /// Names of documents, or patterns in which `*` matches anything, including `/`
    #[arg(required = true, value_name = "DOC")]
    pub(crate) documents: Vec<OsString>,
}

/// Rename a document
///
/// When the command returns, the edit is on disk, in FILE.journal, and every command sees it.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram rename texts.zgram notes.txt archive/notes.txt")]
pub(crate) struct RenameArgs {
    #[command(flatten)]
    pub(crate) file: EditedFile,
    #[command(flatten)]
    pub(crate) document: DocumentName,
    /// The new name
    #[arg(value_name = "NAME")]
    pub(crate) name: OsString,
}

/// Run many operations at once, one JSON object per line
///
/// Reads and edits may be mixed; each read sees exactly the edits before it. All edits are flushed to
/// disk together, before the first result is printed. Results are JSON objects, one per line, in the
/// order of the operations. If one operation is malformed or fails, none is carried out.
#[derive(Debug, Args)]
#[command(after_long_help = "\
OPERATIONS:
  {\"op\": \"extract\", \"doc\": \"a.txt\", \"offset\": 0, \"len\": 64}
  {\"op\": \"lines\", \"doc\": \"a.txt\", \"from\": 1, \"to\": 10}
  {\"op\": \"search\", \"doc\": \"a.txt\", \"words\": \"white whale\"}     without doc: all documents
  {\"op\": \"count\", \"doc\": \"a.txt\", \"words\": \"whale\"}           without doc: all documents
  {\"op\": \"insert\", \"doc\": \"a.txt\", \"offset\": 5, \"text\": \"...\"}
  {\"op\": \"append\", \"doc\": \"a.txt\", \"text\": \"...\"}
  {\"op\": \"replace\", \"doc\": \"a.txt\", \"offset\": 5, \"len\": 3, \"text\": \"...\"}
  {\"op\": \"delete\", \"doc\": \"a.txt\", \"offset\": 5, \"len\": 3}
  {\"op\": \"add\", \"name\": \"new.txt\", \"text\": \"...\"}
  {\"op\": \"rm\", \"doc\": \"a.txt\"}
  {\"op\": \"rename\", \"doc\": \"a.txt\", \"name\": \"b.txt\"}
  For bytes that are not UTF-8, use \"hex\" instead of \"text\".

EXAMPLES:
  zgram batch texts.zgram ops.ndjson
  make-ops | zgram batch --in-batch texts.zgram - > results.ndjson
  zgram batch texts.zgram ops.ndjson --engine gpu --stats")]
pub(crate) struct BatchArgs {
    #[command(flatten)]
    pub(crate) file: EditedFile,
    /// A file of operations; `-` is standard input
    #[arg(value_name = "OPS.ndjson", value_hint = ValueHint::FilePath)]
    pub(crate) operations: PathBuf,
    /// Interpret the offsets of edits relative to the text before the batch
    #[arg(long)]
    pub(crate) in_batch: bool,
    /// Carry out the valid operations, report the others, and exit with 2
    #[arg(short, long)]
    pub(crate) keep_going: bool,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    /// Print on standard error how long the batch took and what a GPU did
    #[arg(long)]
    pub(crate) stats: bool,
}
