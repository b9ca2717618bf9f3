//! The threads that all parallel work of a command shares.

use crate::complaint::Refusal;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread::Builder;

/// Starts the shared threads. If the system refuses some of them, the others do the work; rayon's own
/// start would panic at the first use.
///
/// # Errors
/// A [`Refusal`] if not a single thread can be started.
pub(crate) fn start() -> Result<(), Refusal> {
    let started = AtomicUsize::new(0);
    let pool = rayon::ThreadPoolBuilder::new().spawn_handler(|thread| {
        match Builder::new().spawn(|| thread.run()) {
            Ok(_) => {
                started.fetch_add(1, Relaxed);
                Ok(())
            }
            Err(_) if started.load(Relaxed) > 0 => Ok(()),
            Err(error) => Err(error),
        }
    });
    pool.build_global().map_err(|error| {
        let hint = "the limit on processes and threads may be reached: see `ulimit -u`";
        Refusal::error(format!("cannot start threads: {error}"), hint)
    })
}
