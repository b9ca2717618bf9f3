//! Time that this thread has spent computing.
//!
//! On a machine that does other work too, the time on the wall says little about a loop on one
//! thread. Where the system tells how long a thread has run, that is used.

use std::path::Path;
use std::time::{Duration, Instant};

/// Shorter times are taken on the wall.
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

    /// Time for each of so many, in microseconds.
    pub(super) fn micros(&self, count: usize) -> String {
        format!("{:.3} µs", self.elapsed().as_nanos() as f64 / 1000.0 / count.max(1) as f64)
    }
}

/// The time that all threads of this process have run, where Linux tells.
pub(super) fn process_time() -> Option<Duration> {
    let threads = std::fs::read_dir("/proc/self/task").ok()?;
    threads.map(|thread| run_time(&thread.ok()?.path().join("schedstat"))).sum()
}

/// The time that this thread has run, where Linux tells.
fn thread_time() -> Option<Duration> {
    run_time(Path::new("/proc/thread-self/schedstat"))
}

fn run_time(file: &Path) -> Option<Duration> {
    let text = std::fs::read_to_string(file).ok()?;
    Some(Duration::from_nanos(text.split(' ').next()?.parse().ok()?))
}
