//! The threads that all parallel work of a command shares.

use crate::complaint::{Refusal, without_code};
use zgram::plumbing::IdleThreads;

/// Starts the shared threads: `RAYON_NUM_THREADS`, or one per core. If the system refuses some of them,
/// the others do the work.
///
/// # Errors
/// A [`Refusal`] if not a single thread can be started.
pub(crate) fn start() -> Result<(), Refusal> {
    let started = IdleThreads::start(0).and_then(IdleThreads::into_global_pool);
    started.map_err(|error| {
        let hint = "the limit on processes and threads may be reached: see `ulimit -u`";
        Refusal::error(without_code(&format!("cannot start threads: {error}")), hint)
    })
}
