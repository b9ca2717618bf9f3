//! `--stats`: prints how long each phase took, and the peak memory.

use crate::human;
use std::time::{Duration, Instant};
use zgram::analytics::Report;

/// Prints the phases of a run on standard error. A phase that ran on several threads counts the time
/// of all of them.
pub(crate) fn print(report: &Report, open: Duration, total: Duration) {
    let line = |name: &str, value: String| anstream::eprintln!("{name:>12}  {value}");
    let traversal = match (report.stored, report.traversal) {
        (Some(stored), _) => stored.to_string(),
        (None, Some(traversal)) => traversal.to_string(),
        (None, None) => "none".to_owned(),
    };
    line("traversal", traversal);
    line("open", seconds(open));
    line("load", seconds(report.load));
    line("traverse", seconds(report.traverse));
    line("merge", seconds(report.merge));
    line("write", seconds(report.write));
    line("total", seconds(total));
    line("rules", human::count(report.rules));
    line("symbols", human::count(report.symbols));
    line("rows", human::count(report.rows));
    line("passes", human::count(report.passes));
    print_peak_memory();
}

/// Phases that follow one another, of a command that has no [`Report`].
pub(crate) struct Phases {
    started: Instant,
    last: Instant,
    ended: Vec<(&'static str, Duration)>,
}

impl Phases {
    pub(crate) fn start() -> Self {
        let now = Instant::now();
        Self { started: now, last: now, ended: Vec::new() }
    }

    /// What was done since the phase before.
    pub(crate) fn end(&mut self, name: &'static str) {
        let now = Instant::now();
        self.ended.push((name, now - self.last));
        self.last = now;
    }

    /// Prints the phases on standard error.
    pub(crate) fn print(&self) {
        let total = ("total", self.last - self.started);
        for (name, duration) in self.ended.iter().chain([&total]) {
            anstream::eprintln!("{name:>12}  {}", seconds(*duration));
        }
        print_peak_memory();
    }
}

fn print_peak_memory() {
    if let Some(peak) = peak_memory() {
        anstream::eprintln!("{:>12}  {}", "peak memory", human::bytes(peak));
    }
}

/// A duration in seconds, also where a phase takes less than a millisecond.
fn seconds(duration: Duration) -> String {
    format!("{:.4} s", duration.as_secs_f64())
}

/// The peak memory of this process, if the system reports it.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
