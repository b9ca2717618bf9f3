//! Time that a thread, or all of them, have spent computing.
//!
//! On a busy machine, wall time says little about a loop on one thread. If the system reports the CPU
//! time of a thread or a process, that is used.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::measure::process_time;

/// Shorter times are wall times.
const SHORT: Duration = Duration::from_millis(50);

/// A running clock.
pub(super) struct Clock {
    wall: Instant,
    thread: Option<Duration>,
}

impl Clock {
    pub(super) fn start() -> Self {
        Self { wall: Instant::now(), thread: thread_time() }
    }

    /// The time since the start.
    pub(super) fn elapsed(&self) -> Duration {
        let wall = self.wall.elapsed();
        match (self.thread, thread_time()) {
            // The system counts in steps of a few milliseconds.
            (Some(start), Some(now)) if wall > SHORT => now.saturating_sub(start),
            _ => wall,
        }
    }

    /// Time per operation for this many, in microseconds.
    pub(super) fn micros(&self, count: usize) -> String {
        format!("{:.3} µs", self.elapsed().as_nanos() as f64 / 1000.0 / count.max(1) as f64)
    }
}

/// The result of `work`, and the CPU time of all threads together.
pub(super) fn on_all_threads<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let (wall, start) = (Instant::now(), process_time());
    let result = work();
    let elapsed = match (start, process_time()) {
        (Some(start), Some(now)) if wall.elapsed() > SHORT => now.saturating_sub(start),
        _ => wall.elapsed(),
    };
    (result, elapsed)
}

/// The time that this thread has run, where Linux reports it.
fn thread_time() -> Option<Duration> {
    run_time(Path::new("/proc/thread-self/schedstat"))
}

fn run_time(file: &Path) -> Option<Duration> {
    let text = std::fs::read_to_string(file).ok()?;
    Some(Duration::from_nanos(text.split(' ').next()?.parse().ok()?))
}
