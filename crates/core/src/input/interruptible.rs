//! Standard input and named pipes whose reads do not block for long.
//!
//! A terminal or a pipe may deliver nothing for hours, opening a named pipe waits for a writer, and
//! neither can be cancelled. So a thread opens and reads the input. The caller waits for that thread
//! for a moment at a time and can stop in between.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

/// The longest time that a read waits.
const PATIENCE: Duration = Duration::from_millis(50);

/// Bytes read at a time.
const BLOCK: usize = 1 << 18;

/// Blocks that the thread may read ahead.
const BLOCKS_AHEAD: usize = 2;

/// An input whose reads fail with [`ErrorKind::Interrupted`] after a while without data, as if by a
/// signal. The caller then tries again or stops.
pub(super) struct Interruptible {
    /// The pipe or device; `None` for standard input.
    path: Option<PathBuf>,
    /// Where blocks come from; `None` before the first read.
    blocks: Option<Receiver<io::Result<Vec<u8>>>>,
    block: Vec<u8>,
    taken: usize,
}

impl Interruptible {
    pub(super) fn stdin() -> Self {
        Self { path: None, blocks: None, block: Vec::new(), taken: 0 }
    }

    pub(super) fn pipe(path: PathBuf) -> Self {
        Self { path: Some(path), ..Self::stdin() }
    }
}

impl Read for Interruptible {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.taken == self.block.len() && !buf.is_empty() {
            if self.blocks.is_none() {
                self.blocks = Some(start_reading(self.path.take())?);
            }
            let blocks = self.blocks.as_ref().expect("it has just been started");
            self.taken = 0;
            self.block.clear();
            self.block = match blocks.recv_timeout(PATIENCE) {
                Ok(block) => block?,
                Err(RecvTimeoutError::Timeout) => return Err(ErrorKind::Interrupted.into()),
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
            };
        }
        let count = buf.len().min(self.block.len() - self.taken);
        buf[..count].copy_from_slice(&self.block[self.taken..self.taken + count]);
        self.taken += count;
        Ok(count)
    }
}

/// Starts the thread. It ends at the end of the input, at an error, or when the receiver is dropped.
fn start_reading(path: Option<PathBuf>) -> io::Result<Receiver<io::Result<Vec<u8>>>> {
    let (sender, receiver) = sync_channel(BLOCKS_AHEAD);
    std::thread::Builder::new().spawn(move || {
        let opened = path.map_or_else(
            || Ok(Box::new(io::stdin().lock()) as Box<dyn Read>),
            |path| Ok(Box::new(File::open(path)?)),
        );
        let mut input = match opened {
            Ok(input) => input,
            Err(error) => {
                // The caller may have stopped waiting.
                let _ = sender.send(Err(error));
                return;
            }
        };
        loop {
            let mut block = vec![0; BLOCK];
            let block = match input.read(&mut block) {
                Ok(0) => return,
                Ok(count) => {
                    block.truncate(count);
                    Ok(block)
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => Err(error),
            };
            let failed = block.is_err();
            if sender.send(block).is_err() || failed {
                return;
            }
        }
    })?;
    Ok(receiver)
}
