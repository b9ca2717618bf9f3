//! `zgram extract`: writes some bytes or lines of a document.

use crate::args::ExtractArgs;
use crate::documents::find;
use crate::open::open_store;
use crate::reporter::Reporter;
use std::io::{self, Write};
use zgram::store::Store;

pub(crate) fn run(args: &ExtractArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let store = open_store(&args.file, reporter)?;
    let document = find(&store, &args.document)?;
    let mut out = io::stdout().lock();
    match (args.lines, args.offset, args.len) {
        (Some((from, to)), ..) => out.write_all(&store.lines(document, from, to)?)?,
        (None, Some(offset), Some(len)) => write_bytes(&store, document, offset, len, &mut out)?,
        (None, ..) => unreachable!("clap asks for lines or for both numbers"),
    }
    Ok(out.flush()?)
}

/// Writes a part block by block, because it may be larger than memory.
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
