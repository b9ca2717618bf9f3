//! How a program's time splits into preprocessing and computing, by what the program says of itself.
//!
//! Preprocessing is all that precedes the application proper: start, imports, reading, finding words,
//! counting them. Computing is the rest, with the answer written. A script prints the processor time
//! at which each part ended; of zgram's phases, which are in elapsed time, the share is taken.

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::measure::Measurement;

/// The parts of a program's processor time, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Split {
    /// Of preprocessing: until the program has started and its libraries are loaded; known of scripts.
    pub start: Option<f64>,
    /// Before computing, start included.
    pub preprocessing: f64,
    /// All the rest.
    pub computing: f64,
}

/// What a script prints: seconds of its processor time.
#[derive(Debug, Deserialize)]
struct Marks {
    imported: f64,
    preprocessed: f64,
}

impl Split {
    /// From the marks that a script printed.
    pub fn of_script(printed: &str, measured: &Measurement) -> Result<Self> {
        let marks: Marks = serde_json::from_str(printed)
            .with_context(|| format!("a script printed no times: {printed:?}"))?;
        let preprocessing = marks.preprocessed.min(measured.cpu_seconds);
        Ok(Self {
            start: Some(marks.imported.min(preprocessing)),
            preprocessing,
            computing: measured.cpu_seconds - preprocessing,
        })
    }

    /// From what zgram printed for `--stats`; the named phases are preprocessing.
    pub fn of_stats(printed: &str, phases: &[&str], measured: &Measurement) -> Result<Self> {
        let seconds = |name: &str| {
            let value =
                printed.lines().find_map(|line| line.trim().strip_prefix(name)?.strip_prefix("  "));
            let number =
                value.and_then(|value| value.strip_suffix(" s")?.trim().parse::<f64>().ok());
            number.with_context(|| format!("--stats printed no seconds of {name}: {printed}"))
        };
        let total = seconds("total")?;
        let mut before = 0.0;
        for phase in phases {
            before += seconds(phase)?;
        }
        // Phases count the time of all threads, and may round up to more than all.
        let share = if total > 0.0 { (before / total).min(1.0) } else { 1.0 };
        let preprocessing = share * measured.cpu_seconds;
        Ok(Self { start: None, preprocessing, computing: measured.cpu_seconds - preprocessing })
    }

    /// The share of preprocessing in all.
    #[must_use]
    pub fn preprocessing_share(&self) -> f64 {
        self.preprocessing / (self.preprocessing + self.computing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEASURED: Measurement =
        Measurement { wall_seconds: 9.0, cpu_seconds: 8.0, peak_rss_bytes: 1 };

    #[test]
    fn a_script_splits_its_own_processor_time() {
        let printed = r#"{"imported": 1.5, "preprocessed": 6.0, "done": 7.9}"#;
        let split = Split::of_script(printed, &MEASURED).unwrap();
        assert_eq!(split, Split { start: Some(1.5), preprocessing: 6.0, computing: 2.0 });
        assert_eq!(split.preprocessing_share(), 0.75);
        let error = Split::of_script("Traceback", &MEASURED).unwrap_err();
        assert!(format!("{error:#}").contains("Traceback"), "{error:#}");
    }

    #[test]
    fn phases_of_stats_split_by_their_share() {
        let printed = "   traversal  top-down\n        open  0.5000 s\n        load  1.0000 s\n       total  6.0000 s\n";
        let split = Split::of_stats(printed, &["open", "load"], &MEASURED).unwrap();
        assert_eq!(split, Split { start: None, preprocessing: 2.0, computing: 6.0 });
        let error = Split::of_stats(printed, &["merge"], &MEASURED).unwrap_err().to_string();
        assert!(error.contains("merge"), "{error}");
        let error = Split::of_stats(printed, &["traversal"], &MEASURED).unwrap_err().to_string();
        assert!(error.contains("traversal"), "{error}");
    }
}
