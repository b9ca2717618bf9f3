//! Threads after a fork. rayon's common pool belongs to the process that first used it: in a process forked from
//! that one its threads do not exist, and work would wait for them for ever. Such a process has a pool of its
//! own.
//!
//! Python says when it has forked. Asking the system for the number of the process before each question would
//! take longer than counting a word.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// How many forks there are between this process and the one that loaded the module.
static FORKS: AtomicU64 = AtomicU64::new(0);

/// Asks Python to say when it has forked.
pub(crate) fn watch(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let os = module.py().import("os")?;
    // Windows has no forks.
    if os.hasattr("register_at_fork")? {
        let in_child = PyDict::new(module.py());
        in_child.set_item("after_in_child", wrap_pyfunction!(forked, module)?)?;
        os.call_method("register_at_fork", (), Some(&in_child))?;
    }
    Ok(())
}

/// Called in a process that was just forked.
#[pyfunction]
fn forked() {
    FORKS.fetch_add(1, Relaxed);
}

/// Runs `work` where its parallel parts find living threads.
pub(crate) fn in_this_process<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    match FORKS.load(Relaxed) {
        0 => work(),
        forks => match pool(forks) {
            Some(pool) => pool.install(work),
            None => work(),
        },
    }
}

/// The pool of a forked process.
fn pool(forks: u64) -> Option<Arc<ThreadPool>> {
    static POOL: Mutex<Option<(u64, Arc<ThreadPool>)>> = Mutex::new(None);
    let mut pool = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, known)) = pool.as_ref().filter(|(made_after, _)| *made_after == forks) {
        return Some(Arc::clone(known));
    }
    let made = Arc::new(ThreadPoolBuilder::new().build().ok()?);
    // A parent's pool is not dropped: that would wait for its threads.
    std::mem::forget(pool.replace((forks, Arc::clone(&made))));
    Some(made)
}
