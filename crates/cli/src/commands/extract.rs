//! `zgram extract`: some bytes or lines of a document.

use super::{edit, open_store};
use crate::args::CorpusFile;
use crate::reporter::Reporter;
use clap::Args;
use std::ffi::OsString;
use std::io::{self, Write};
use zgram::store::Store;

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
    file: CorpusFile,
    /// The document's name
    #[arg(value_name = "DOC")]
    document: OsString,
    /// Bytes to pass over
    #[arg(value_name = "OFFSET", requires = "len", required_unless_present = "lines")]
    offset: Option<u64>,
    /// Bytes to write
    #[arg(value_name = "LEN")]
    len: Option<u64>,
    /// Lines A to B, counted from 1; `A:` goes to the end, `A` is one line
    #[arg(long, value_name = "A:B", value_parser = parse_lines, conflicts_with = "offset")]
    lines: Option<(u64, u64)>,
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

pub(crate) fn run(args: &ExtractArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let store = open_store(&args.file, reporter)?;
    let document = edit::find(&store, &args.document)?;
    let mut out = io::stdout().lock();
    match (args.lines, args.offset, args.len) {
        (Some((from, to)), ..) => out.write_all(&store.lines(document, from, to)?)?,
        (None, Some(offset), Some(len)) => write_bytes(&store, document, offset, len, &mut out)?,
        (None, ..) => unreachable!("clap asks for lines or for both numbers"),
    }
    Ok(out.flush()?)
}

/// Writes a part block by block: it may be longer than memory.
fn write_bytes(
    store: &Store,
    document: usize,
    mut offset: u64,
    mut len: u64,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    loop {
        let block = len.min(1 << 20) as usize;
        let text = store.extract(document, offset, block)?;
        out.write_all(&text)?;
        offset += text.len() as u64;
        len -= text.len() as u64;
        if len == 0 || text.len() < block {
            return Ok(());
        }
    }
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
