//! `--stats`: prints how long each phase took.

use crate::human;
use std::time::Duration;
use zgram::analytics::Report;

/// Prints the phases of a run on standard error. A phase that ran on several threads counts the time
/// of all of them.
pub(crate) fn print(report: &Report, open: Duration, total: Duration) {
    let line = |name: &str, value: String| anstream::eprintln!("{name:>12}  {value}");
    let stored = || "none: the file stores how often each word occurs".to_owned();
    line("traversal", report.traversal.map_or_else(stored, |traversal| traversal.to_string()));
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
    if let Some(peak) = peak_memory() {
        line("peak memory", human::bytes(peak));
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
