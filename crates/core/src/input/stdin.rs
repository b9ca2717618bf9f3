//! Standard input that does not block for long.
//!
//! A terminal or a slow pipe may have nothing to say for hours, and a read of it cannot be called
//! off. So a thread does the reading, and whoever waits for it looks up now and then.

use std::io::{self, ErrorKind, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

/// How long a read waits at most.
const PATIENCE: Duration = Duration::from_millis(50);

/// Bytes read at a time.
const BLOCK: usize = 1 << 18;

/// Blocks that may wait to be taken.
const BLOCKS_AHEAD: usize = 2;

/// Standard input, whose reads fail with [`ErrorKind::Interrupted`] after a while without data, as
/// if by a signal: the caller then tries again, or does not.
#[derive(Default)]
pub(super) struct Impatient {
    /// Where blocks come from; `None` before the first read.
    blocks: Option<Receiver<io::Result<Vec<u8>>>>,
    block: Vec<u8>,
    taken: usize,
}

impl Read for Impatient {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.taken == self.block.len() && !buf.is_empty() {
            let blocks = self.blocks.get_or_insert_with(start_reading);
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

/// Starts the thread. It ends with the input, with an error, or when nobody takes the blocks.
fn start_reading() -> Receiver<io::Result<Vec<u8>>> {
    let (sender, receiver) = sync_channel(BLOCKS_AHEAD);
    std::thread::spawn(move || {
        let mut stdin = io::stdin().lock();
        loop {
            let mut block = vec![0; BLOCK];
            let block = match stdin.read(&mut block) {
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
    });
    receiver
}
