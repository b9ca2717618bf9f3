//! Measured runs, as lines of text that can be kept and learned from again.

use super::Features;
use super::features::NAMES;
use crate::analytics::task::Traversal;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// Differences below this are not noticeable, and may be chance.
const SLACK: Duration = Duration::from_millis(2);

/// A question to a corpus, and how long each traversal took to answer it.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// Which corpus; trials of one corpus are left out together in
    /// [`cross_validate`](super::cross_validate).
    pub corpus: String,
    /// What was asked.
    pub task: String,
    /// What the selector knows.
    pub features: Features,
    /// The time of each of [`Traversal::ALL`].
    pub times: [Duration; 4],
}

impl Trial {
    /// The time of `traversal` divided by the best time; two milliseconds do not count.
    #[must_use]
    pub fn slowdown(&self, traversal: Traversal) -> f64 {
        let at = Traversal::ALL.iter().position(|&own| own == traversal).unwrap_or(0);
        let best = self.times.iter().copied().min().unwrap_or_default();
        let time = self.times[at].saturating_sub(SLACK).max(best);
        time.as_secs_f64().max(1e-9) / best.as_secs_f64().max(1e-9)
    }

    /// The fastest traversal.
    #[must_use]
    pub fn best(&self) -> Traversal {
        let at = (0..4).min_by_key(|&at| self.times[at]).unwrap_or(0);
        Traversal::ALL[at]
    }

    /// The names of a line's fields.
    #[must_use]
    pub fn header() -> String {
        let times = Traversal::ALL.map(|traversal| format!("{traversal}_us"));
        let names = NAMES.into_iter().map(str::to_owned).chain(times);
        ["corpus".to_owned(), "task".to_owned()]
            .into_iter()
            .chain(names)
            .collect::<Vec<_>>()
            .join("\t")
    }
}

impl fmt::Display for Trial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = |text: &str| text.replace(['\t', '\n', '\r'], " ");
        write!(f, "{}\t{}", plain(&self.corpus), plain(&self.task))?;
        self.features.values().iter().try_for_each(|value| write!(f, "\t{value}"))?;
        self.times.iter().try_for_each(|time| write!(f, "\t{}", time.as_micros()))
    }
}

/// The line is not a trial.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TrialError(String);

impl FromStr for Trial {
    type Err = TrialError;

    fn from_str(line: &str) -> Result<Self, TrialError> {
        let fields: Vec<&str> = line.split('\t').collect();
        let expected = 2 + NAMES.len() + Traversal::ALL.len();
        let &[corpus, task, ref numbers @ ..] = fields.as_slice() else {
            return Err(TrialError(format!("{} fields, not {expected}", fields.len())));
        };
        if fields.len() != expected {
            return Err(TrialError(format!("{} fields, not {expected}", fields.len())));
        }
        let number = |text: &&str| {
            let number: Option<f64> = text.parse().ok();
            let sound = number.filter(|number| (0.0..1e15).contains(number));
            sound.ok_or_else(|| TrialError(format!("{text} is no number that could be meant")))
        };
        let numbers: Vec<f64> = numbers.iter().map(number).collect::<Result<_, _>>()?;
        let (values, times) = numbers.split_at(NAMES.len());
        Ok(Self {
            corpus: corpus.to_owned(),
            task: task.to_owned(),
            features: Features::from_values(std::array::from_fn(|at| values[at])),
            times: std::array::from_fn(|at| Duration::from_micros(times[at] as u64)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trials_come_back_from_their_lines() {
        let trial = Trial {
            corpus: "books".to_owned(),
            task: "sort".to_owned(),
            features: Features::from_values(std::array::from_fn(|at| at as f64 + 0.25)),
            times: [40, 60, 41, 900].map(Duration::from_millis),
        };
        assert_eq!(trial.to_string().parse(), Ok(trial.clone()));
        assert_eq!(Trial::header().split('\t').count(), trial.to_string().split('\t').count());
        for bad in ["", "a\tb", &trial.to_string().replace("900000", "-1"), &format!("{trial}\t1")]
        {
            assert!(bad.parse::<Trial>().is_err(), "{bad}");
        }
        assert_eq!(trial.best(), Traversal::ALL[0]);
        assert_eq!(trial.slowdown(Traversal::ALL[2]), 1.0);
        assert_eq!(trial.slowdown(Traversal::ALL[1]), 58.0 / 40.0);
    }
}
