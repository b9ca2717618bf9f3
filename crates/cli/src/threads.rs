//! The threads that all parallel work of a command shares.

use crate::complaint::Refusal;
use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};
use std::thread::{Builder, available_parallelism};

/// Starts the shared threads, one per core. If the system refuses some of them, the others do the work.
///
/// # Errors
/// A [`Refusal`] if not a single thread can be started.
pub(crate) fn start() -> Result<(), Refusal> {
    // Rayon waits until each thread of the pool has begun, and would wait forever for one that the
    // system refused. So the threads start first, and the pool has as many as did.
    let mut idle = Vec::new();
    let mut refused = None;
    while idle.len() < wanted() && refused.is_none() {
        match idle_thread() {
            Ok(thread) => idle.push(thread),
            Err(error) => refused = Some(error),
        }
    }
    if let (true, Some(error)) = (idle.is_empty(), &refused) {
        return Err(cannot_start(error));
    }
    let threads = idle.len();
    let idle = Mutex::new(idle);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).spawn_handler(|thread| {
        let next = idle.lock().expect("no holder panics").pop();
        next.expect("one per thread").send(thread).expect("it waits for this");
        Ok(())
    });
    pool.build_global().map_err(|error| cannot_start(&error))
}

/// How many threads the pool should have: `RAYON_NUM_THREADS`, or one per core.
fn wanted() -> usize {
    let chosen = std::env::var("RAYON_NUM_THREADS").ok().and_then(|number| number.parse().ok());
    let cores = || available_parallelism().map_or(1, usize::from);
    chosen.filter(|&number| number > 0).unwrap_or_else(cores)
}

/// A thread that waits for its place in the pool.
fn idle_thread() -> std::io::Result<Sender<rayon::ThreadBuilder>> {
    let (sender, receiver) = channel::<rayon::ThreadBuilder>();
    let work = move || {
        if let Ok(thread) = receiver.recv() {
            thread.run();
        }
    };
    Builder::new().spawn(work).map(|_| sender)
}

fn cannot_start(error: &dyn std::fmt::Display) -> Refusal {
    let hint = "the limit on processes and threads may be reached: see `ulimit -u`";
    Refusal::error(format!("cannot start threads: {error}"), hint)
}
