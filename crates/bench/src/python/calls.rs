//! What single calls of the package cost: importing it, counting one word, counting a list.

use std::path::Path;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::{Python, ask};

/// What single calls cost.
#[derive(Clone, Debug, Serialize)]
pub struct Calls {
    /// Milliseconds to import the package once numpy is imported.
    pub import_ms: f64,
    /// Nanoseconds to count one word, in Rust.
    pub rust_ns: f64,
    /// The same from Python.
    pub python_ns: f64,
    /// Phrases of a list counted in a second.
    pub phrases_per_second: f64,
}

/// What `calls_python.py` prints.
#[derive(Debug, Deserialize)]
struct Printed {
    words: Vec<String>,
    nanoseconds: f64,
    phrases_per_second: f64,
}

/// How often Python is started to measure an import; the quickest counts.
const STARTS: usize = 7;

impl Calls {
    /// Milliseconds an import may take, and nanoseconds that Python may add to a count.
    pub const GOALS: (f64, f64) = (40.0, 1000.0);

    pub(super) fn measure(python: &Python, program: &Path, packed: &Path) -> Result<Self> {
        let mut import_ms = f64::INFINITY;
        for _ in 0..STARTS {
            let code = ["-X", "importtime", "-c", "import numpy\nimport zgram"];
            let started =
                python.command(None).args(code).output().context("cannot start Python")?;
            let said = String::from_utf8_lossy(&started.stderr).into_owned();
            if !started.status.success() {
                bail!("importing the package failed: {said}");
            }
            import_ms = import_ms.min(import_of(&said)?);
        }
        let answer = python.command(Some("calls_python.py")).arg(packed).output()?;
        if !answer.status.success() {
            bail!("calls_python.py failed: {}", String::from_utf8_lossy(&answer.stderr));
        }
        let printed: Printed =
            serde_json::from_slice(&answer.stdout).context("calls_python.py printed no JSON")?;
        Ok(Self {
            import_ms,
            rust_ns: ask::nanoseconds(program, packed, &printed.words)?,
            python_ns: printed.nanoseconds,
            phrases_per_second: printed.phrases_per_second,
        })
    }

    /// What Python adds to a count, in nanoseconds.
    #[must_use]
    pub fn added_ns(&self) -> f64 {
        self.python_ns - self.rust_ns
    }
}

/// Milliseconds of importing the package, from what `-X importtime` printed.
fn import_of(printed: &str) -> Result<f64> {
    let line = printed.lines().find_map(|line| line.strip_suffix("| zgram"));
    let microseconds =
        line.and_then(|line| line.trim().rsplit('|').next()?.trim().parse::<f64>().ok());
    Ok(microseconds.with_context(|| format!("no time of the import: {printed}"))? / 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_an_import_includes_what_it_imports() {
        let printed = "import time: self [us] | cumulative | imported package\n\
                       import time:       310 |       1200 |   zgram._zgram\n\
                       import time:       100 |      21500 | zgram\n";
        assert_eq!(import_of(printed).unwrap(), 21.5);
        assert!(import_of("Traceback").is_err());
    }
}
