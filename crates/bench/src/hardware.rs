//! The machine that the figures were measured on; absolute figures mean nothing without it.

use std::fs;

use serde::Serialize;

/// The machine, as far as it matters to the figures.
#[derive(Debug, Clone, Serialize)]
pub struct Hardware {
    /// Processor model.
    pub cpu: String,
    /// Cores this process may use.
    pub cores: usize,
    /// Main memory in bytes, if the system reports it.
    pub memory_bytes: Option<u64>,
}

impl Hardware {
    /// Describes this machine. Facts that the system does not report are "unknown".
    pub fn of_this_machine() -> Self {
        let read = |path| fs::read_to_string(path).unwrap_or_default();
        Self {
            cpu: cpu_model(&read("/proc/cpuinfo")).unwrap_or_else(|| "unknown processor".into()),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            memory_bytes: memory_bytes(&read("/proc/meminfo")),
        }
    }

    /// One line for the head of a report.
    pub fn summary(&self) -> String {
        let memory = self.memory_bytes.map_or("unknown memory".into(), |bytes| {
            format!("{:.0} GiB memory", bytes as f64 / (1u64 << 30) as f64)
        });
        format!("{}, {} cores, {memory}", self.cpu, self.cores)
    }
}

/// Model name in the text of `/proc/cpuinfo`.
fn cpu_model(cpuinfo: &str) -> Option<String> {
    let line = cpuinfo.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// Total memory in the text of `/proc/meminfo`, which counts in KiB.
fn memory_bytes(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// How many processes wanted a processor, on average over the last minute.
pub(crate) fn load_average() -> Option<f64> {
    fs::read_to_string("/proc/loadavg").ok()?.split(' ').next()?.parse().ok()
}

/// What else the machine did.
pub(crate) fn load(cores: usize, before: f64, after: f64) -> String {
    let averages = format!("load average {before:.1} when the run began, {after:.1} when it ended");
    // The benchmark itself keeps one core busy, at times two.
    if before.max(after) > 0.5 + cores as f64 {
        format!("**The machine was shared** ({averages}): trust processor time, not elapsed time.")
    } else {
        format!("Nothing else of weight ran on the machine ({averages}).")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proc_files_are_understood() {
        let cpuinfo = "processor\t: 0\nmodel name\t: Example CPU @ 3.0GHz\nmodel name\t: Other\n";
        assert_eq!(cpu_model(cpuinfo).as_deref(), Some("Example CPU @ 3.0GHz"));
        assert_eq!(memory_bytes("MemTotal:       2048 kB\nMemFree: 1 kB\n"), Some(2 << 20));
    }

    #[test]
    fn other_systems_are_unknown_not_wrong() {
        assert_eq!(cpu_model(""), None);
        assert_eq!(memory_bytes("MemTotal: many"), None);
    }

    #[test]
    fn the_summary_names_all_parts() {
        let hardware =
            Hardware { cpu: "Example CPU".into(), cores: 2, memory_bytes: Some(16 << 30) };
        assert_eq!(hardware.summary(), "Example CPU, 2 cores, 16 GiB memory");
    }
}
