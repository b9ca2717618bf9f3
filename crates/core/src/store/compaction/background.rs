//! Automatic compaction in the background of a process that edits.

use crate::error::{EditError, FileError};
use crate::progress::Progress;
use crate::store::Store;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;

/// Wakes the waiting thread after an edit.
#[derive(Debug, Default)]
pub(in crate::store) struct Bell {
    lock: Mutex<()>,
    rung: Condvar,
}

impl Bell {
    pub(in crate::store) fn ring(&self) {
        let _guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        self.rung.notify_all();
    }

    /// Waits until `is_over` returns `true`; it is called after each ring.
    fn wait_until(&self, is_over: impl Fn() -> bool) {
        let mut guard = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        while !is_over() {
            guard = self.rung.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// A thread that compacts a store whenever its [threshold](Store::threshold) is reached, until this
/// is stopped or dropped. Reads and edits continue meanwhile.
///
/// Compaction renumbers the documents after a removed one. While this runs, use names in a
/// [`Transaction`](crate::store::Transaction), or look the numbers up again.
#[derive(Debug)]
pub struct BackgroundCompaction {
    store: Arc<Store>,
    should_stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<Result<usize, EditError>>>,
}

impl BackgroundCompaction {
    /// Starts to watch a store that is open for editing.
    ///
    /// # Errors
    /// When it is not, or the thread cannot be started.
    pub fn of(store: &Arc<Store>) -> Result<Self, EditError> {
        drop(store.writer()?);
        let should_stop = Arc::new(AtomicBool::new(false));
        let (watched, stop) = (Arc::clone(store), Arc::clone(&should_stop));
        let thread = std::thread::Builder::new()
            .name("compaction".to_owned())
            .spawn(move || watch(&watched, &stop))
            .map_err(FileError::on("start a thread for", &store.path))?;
        Ok(Self { store: Arc::clone(store), should_stop, thread: Some(thread) })
    }

    /// Stops, cancels a compaction that is under way, and returns how many were done.
    ///
    /// # Errors
    /// The error of a failed compaction, after which none was tried. The edits are safe in the journal.
    pub fn stop(mut self) -> Result<usize, EditError> {
        self.end()
    }

    fn end(&mut self) -> Result<usize, EditError> {
        self.should_stop.store(true, Ordering::Relaxed);
        self.store.bell.ring();
        let Some(thread) = self.thread.take() else { return Ok(0) };
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

impl Drop for BackgroundCompaction {
    fn drop(&mut self) {
        if self.thread.is_some() && !std::thread::panicking() {
            // A caller that needs the result calls `stop`.
            let _ = self.end();
        }
    }
}

fn watch(store: &Store, should_stop: &AtomicBool) -> Result<usize, EditError> {
    let is_stopped = || should_stop.load(Ordering::Relaxed);
    let mut made = 0;
    loop {
        store.bell.wait_until(|| is_stopped() || store.is_due());
        if is_stopped() {
            return Ok(made);
        }
        match store.compact(&Until(should_stop)) {
            Ok(_) => made += 1,
            Err(error) if error.is_interrupted() => return Ok(made),
            Err(error) => return Err(error),
        }
    }
}

/// Cancels the work once the flag is set.
struct Until<'a>(&'a AtomicBool);

impl Progress for Until<'_> {
    fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
