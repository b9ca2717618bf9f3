//! Standard input whose reads return after a short time.
//!
//! A terminal or a slow pipe may send nothing for hours, and a blocked read cannot be cancelled. So a
//! thread reads, and its consumer waits only for a short time before it checks for a request to stop.

use std::io::{self, ErrorKind, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

/// The longest time that a read waits.
const PATIENCE: Duration = Duration::from_millis(50);

/// Bytes read at a time.
const BLOCK: usize = 1 << 18;

/// Blocks that the thread may read ahead.
const BLOCKS_AHEAD: usize = 2;

/// Standard input whose reads fail with [`ErrorKind::Interrupted`] after a short time without data, as
/// if by a signal. The caller can then try again or stop.
#[derive(Default)]
pub(super) struct Impatient {
    /// Receives blocks from the thread; `None` before the first read.
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

/// Starts the thread. It ends at the end of the input, at an error, or when the receiver is dropped.
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
