//! Arguments of the commands that read documents.

use super::shared::{CorpusFile, Documents, Format};
use clap::Args;
use std::ffi::OsString;

/// Write documents to standard output
///
/// One after the other, in the order given; those of a pattern in the order of the corpus.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram cat texts.zgram notes.txt
  zgram cat texts.zgram '*.txt' | wc -w
  zgram cat data.zgram data.jsonl:17         the text of line 17")]
pub(crate) struct CatArgs {
    #[command(flatten)]
    pub(crate) file: CorpusFile,
    /// Names; else patterns, where `*` stands for anything, `/` included
    #[arg(required = true, value_name = "DOC")]
    pub(crate) documents: Vec<OsString>,
}

/// List the documents
///
/// A table on a terminal; otherwise lines of size in bytes, tab, name (with tab, line ends and
/// backslash written \\t, \\n, \\r, \\\\).
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram ls texts.zgram
  zgram ls texts.zgram '*.txt' --format json
  zgram ls texts.zgram | sort -n | tail      the largest documents")]
pub(crate) struct LsArgs {
    #[command(flatten)]
    pub(crate) file: CorpusFile,
    #[command(flatten)]
    pub(crate) documents: Documents,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Write a part of a document to standard output, without expanding the rest
///
/// LEN bytes from OFFSET on, fewer where the document ends; or lines by their numbers.
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
    /// Bytes to pass over
    #[arg(value_name = "OFFSET", requires = "len", required_unless_present = "lines")]
    pub(crate) offset: Option<u64>,
    /// Bytes to write
    #[arg(value_name = "LEN")]
    pub(crate) len: Option<u64>,
    /// Lines A to B, counted from 1; `A:` goes to the end, `A` is one line
    #[arg(long, value_name = "A:B", value_parser = parse_lines, conflicts_with = "offset")]
    pub(crate) lines: Option<(u64, u64)>,
}

fn parse_lines(text: &str) -> Result<(u64, u64), String> {
    let number = |text: &str, missing: u64| match text {
        "" => Ok(missing),
        text => text.parse::<u64>().map_err(|_| format!("{text:?} is no line number")),
    };
    let (from, to) = match text.split_once(':') {
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

/// Show sizes and other facts of a corpus, without reading its text
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram info texts.zgram
  zgram info texts.zgram --segments
  zgram info texts.zgram --format json | jq .vocabulary")]
pub(crate) struct InfoArgs {
    #[command(flatten)]
    pub(crate) file: CorpusFile,
    /// Also show each segment, and each section of the file
    #[arg(long)]
    pub(crate) segments: bool,
    /// How to print; JSON always has segments and sections
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ranges() {
        assert_eq!(parse_lines("3:7"), Ok((3, 7)));
        assert_eq!(parse_lines("3:"), Ok((3, u64::MAX)));
        assert_eq!(parse_lines(":7"), Ok((1, 7)));
        assert_eq!(parse_lines("3"), Ok((3, 3)));
        for wrong in ["0:3", "7:3", "a:b", "-1:2", "1:2:3"] {
            assert!(parse_lines(wrong).is_err(), "{wrong}");
        }
    }
}
