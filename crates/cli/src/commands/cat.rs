//! `zgram cat`: documents on standard output.

use super::open;
use crate::args::CatArgs;
use crate::documents::choose;
use crate::interrupt;
use std::io::{self, Write};

pub(crate) fn run(args: &CatArgs) -> anyhow::Result<()> {
    let corpus = open(&args.file)?;
    let chosen = choose(corpus.documents()?, &args.documents)?;
    let mut out = Stoppable(io::stdout().lock());
    corpus.write_documents(&chosen, &mut out)?;
    Ok(out.flush()?)
}

/// An output that fails once the user has asked to stop.
struct Stoppable<W>(W);

impl<W: Write> Write for Stoppable<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if interrupt::is_asked_to_stop() {
            return Err(io::Error::other("interrupted"));
        }
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
