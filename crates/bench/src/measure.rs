//! Runs one command and reports how long it took and how much memory it held.
//!
//! Figures come from the kernel's accounting of the finished child (`wait4`), so nothing is sampled
//! and short peaks are not missed. The reported peak is never below that of this process, because a
//! child shares its parent's memory until `exec`. So the benchmarks stream files instead of holding
//! them, which keeps this floor at a few megabytes.

use std::io::{Read, Seek};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde::Serialize;
use wait4::Wait4;

/// What one run of a command cost.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Measurement {
    /// Elapsed time from before the start to after the end.
    pub wall_seconds: f64,
    /// User and system time of all threads together.
    pub cpu_seconds: f64,
    /// Largest resident set.
    pub peak_rss_bytes: u64,
}

impl Measurement {
    /// Speed in millions of `bytes` per second of elapsed time.
    pub fn megabytes_per_second(&self, bytes: u64) -> f64 {
        bytes as f64 / 1e6 / self.wall_seconds
    }
}

/// Runs the command `runs` times and keeps the fastest; anything but success is an error that
/// quotes what the command wrote to standard error.
///
/// The command's standard input is empty; its standard output is as the caller set it up in
/// `prepare`, which makes a fresh command for each run.
pub fn fastest(runs: u32, mut prepare: impl FnMut() -> Result<Command>) -> Result<Measurement> {
    let mut best = once(&mut prepare()?)?;
    for _ in 1..runs {
        let next = once(&mut prepare()?)?;
        if next.wall_seconds < best.wall_seconds {
            best = next;
        }
    }
    Ok(best)
}

/// Runs the command once; see [`fastest`].
pub fn once(command: &mut Command) -> Result<Measurement> {
    Ok(heard(command)?.0)
}

/// Runs the command once, and also returns what it wrote to standard error; see [`fastest`].
pub fn heard(command: &mut Command) -> Result<(Measurement, String)> {
    let mut errors = tempfile::tempfile().context("cannot make a temporary file")?;
    command.stdin(Stdio::null()).stderr(errors.try_clone()?);

    let start = Instant::now();
    let mut child = command.spawn().with_context(|| format!("cannot start {command:?}"))?;
    let finished = child.wait4().with_context(|| format!("cannot wait for {command:?}"))?;
    let wall = start.elapsed();

    let mut said = Vec::new();
    errors.rewind()?;
    errors.read_to_end(&mut said)?;
    let said = String::from_utf8_lossy(&said).into_owned();
    if !finished.status.success() {
        bail!("{command:?} failed ({}): {}", finished.status, said.trim());
    }
    let measured = Measurement {
        wall_seconds: wall.max(Duration::from_micros(1)).as_secs_f64(),
        cpu_seconds: (finished.rusage.utime + finished.rusage.stime).as_secs_f64(),
        peak_rss_bytes: finished.rusage.maxrss,
    };
    Ok((measured, said))
}

/// The time that all threads of this process have run, also those that have ended, where Linux
/// reports it: in steps of a hundredth of a second.
#[must_use]
pub fn process_time() -> Option<Duration> {
    const STEP: Duration = Duration::from_millis(10);
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name before may hold anything; `utime` and `stime` are the twelfth and next after it.
    let mut fields = text.rsplit_once(')')?.1.split_ascii_whitespace().skip(11);
    let mut steps = || fields.next()?.parse::<u32>().ok();
    Some(STEP * (steps()? + steps()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn elapsed_time_and_memory_are_measured() {
        let measured = once(&mut shell("sleep 0.05")).unwrap();
        assert!(measured.wall_seconds >= 0.05);
        assert!(measured.cpu_seconds < measured.wall_seconds);
        assert!(measured.peak_rss_bytes > 100_000);
    }

    #[test]
    fn a_failing_command_is_quoted() {
        let error = once(&mut shell("echo no space left >&2; exit 3")).unwrap_err().to_string();
        assert!(error.contains("no space left") && error.contains('3'), "{error}");
    }

    #[test]
    fn messages_of_a_command_that_succeeds_are_heard() {
        let (_, said) = heard(&mut shell("echo 3 rows >&2")).unwrap();
        assert_eq!(said, "3 rows\n");
    }

    #[test]
    fn the_fastest_run_is_kept() {
        let mut delays = ["0.2", "0.01", "0.2"].into_iter();
        let best = fastest(3, || Ok(shell(&format!("sleep {}", delays.next().unwrap())))).unwrap();
        assert!(best.wall_seconds < 0.2);
    }

    #[test]
    fn speed_is_in_decimal_megabytes() {
        let measured = Measurement { wall_seconds: 2.0, cpu_seconds: 2.0, peak_rss_bytes: 0 };
        assert_eq!(measured.megabytes_per_second(10_000_000), 5.0);
    }
}
