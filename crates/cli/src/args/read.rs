//! Arguments of the commands that read documents.

use super::shared::{CorpusFile, Documents, Format};
use crate::size;
use clap::Args;
use std::ffi::OsString;

/// Write documents to standard output
///
/// Documents follow each other without separators, in the order given. Those that match a pattern
/// follow in the order of the corpus. Without names, all documents are written.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram cat texts.zgram notes.txt
  zgram cat texts.zgram '*.txt' | wc -w
  zgram cat data.zgram data.jsonl:17         print the text of line 17")]
pub(crate) struct CatArgs {
    #[command(flatten)]
    pub(crate) file: CorpusFile,
    #[command(flatten)]
    pub(crate) documents: Documents,
}

/// List the documents
///
/// Prints a table on a terminal. Elsewhere, each line holds the size in bytes, a tab and the name;
/// in names, tab, line ends and backslash are written as \t, \n, \r and \\.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram ls texts.zgram
  zgram ls texts.zgram '*.txt' --format json
  zgram ls texts.zgram | sort -n | tail      show the largest documents")]
pub(crate) struct LsArgs {
    #[command(flatten)]
    pub(crate) file: CorpusFile,
    #[command(flatten)]
    pub(crate) documents: Documents,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Write a part of a document to standard output
///
/// Writes LEN bytes from OFFSET (fewer at the end of the document), or a range of lines. The rest of
/// the document is not decompressed.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram extract texts.zgram notes.txt 1000 64
  zgram extract logs.zgram app.log --lines 100:120
  zgram extract logs.zgram app.log --lines 5000:")]
pub(crate) struct ExtractArgs {
    #[command(flatten)]
    pub(crate) file: CorpusFile,
    /// The document's name
    #[arg(value_name = "DOC")]
    pub(crate) document: OsString,
    /// Byte offset of the first byte to write
    #[arg(value_name = "OFFSET", value_parser = size::parse_count, requires = "len", required_unless_present = "lines")]
    pub(crate) offset: Option<u64>,
    /// Number of bytes to write
    #[arg(value_name = "LEN", value_parser = size::parse_count)]
    pub(crate) len: Option<u64>,
    /// Lines A to B, counted from 1; `A:` means to the end, `A` means one line
    #[arg(
        long,
        value_name = "A:B",
        value_parser = parse_lines,
        allow_hyphen_values = true,
        conflicts_with = "offset"
    )]
    pub(crate) lines: Option<(u64, u64)>,
}

fn parse_lines(text: &str) -> Result<(u64, u64), String> {
    if text.starts_with('-') {
        return Err("lines are counted from the beginning; write A:B, A: or :B".to_owned());
    }
    let number = |text: &str, missing: u64| match text {
        "" => Ok(missing),
        text => size::parse_count(text),
    };
    // Both 5:10 and 5-10 are common elsewhere.
    let (from, to) = match text.split_once([':', '-']) {
        Some((from, to)) => (number(from, 1)?, number(to, u64::MAX)?),
        None => (number(text, 1)?, number(text, 1)?),
    };
    if from == 0 {
        return Err("lines are counted from 1".to_owned());
    }
    if from > to {
        return Err(format!("line {from} is after line {to}"));
    }
    Ok((from, to))
}

/// Show sizes and other properties of a corpus
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram info texts.zgram
  zgram info texts.zgram --segments
  zgram info texts.zgram --format json | jq .vocabulary")]
pub(crate) struct InfoArgs {
    #[command(flatten)]
    pub(crate) file: CorpusFile,
    /// Also show each segment and each section of the file
    #[arg(long)]
    pub(crate) segments: bool,
    /// Output format; JSON always contains segments and sections
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ranges() {
        assert_eq!(parse_lines("3:7"), Ok((3, 7)));
        assert_eq!(parse_lines("3-7"), Ok((3, 7)));
        assert_eq!(parse_lines("3:"), Ok((3, u64::MAX)));
        assert_eq!(parse_lines(":7"), Ok((1, 7)));
        assert_eq!(parse_lines("3"), Ok((3, 3)));
        for wrong in ["0:3", "7:3", "a:b", "-1:2", "-5:", "1:2:3", "1-2-3"] {
            assert!(parse_lines(wrong).is_err(), "{wrong}");
        }
    }
}
