//! Measures of keyness, for a word that occurs a times in the c words of the target and b times in the d
//! words of the reference.

/// How keyness is measured. Either is positive for words that are more frequent in the target, and
/// negative for words that are less frequent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeynessMeasure {
    /// How surely the frequencies differ: the log-likelihood of Rayson and Garside (2000), which is
    /// 2 (a ln(a / E1) + b ln(b / E2)) with E1 = c (a + b) / (c + d) and E2 = d (a + b) / (c + d). From 3.84 on,
    /// chance is less likely than 1 in 20; from 15.13 on, than 1 in 10,000.
    #[default]
    LogLikelihood,
    /// How much they differ: the log ratio of Hardie (2014), log2((a / c) / (b / d)). Each unit is a
    /// doubling. A count of 0 is taken as 0.5.
    LogRatio,
}

impl KeynessMeasure {
    /// The keyness of a word; sizes are at least 1.
    pub(super) fn score(self, [a, b]: [f64; 2], [c, d]: [f64; 2]) -> f64 {
        match self {
            Self::LogLikelihood => {
                let (e1, e2) = (c * (a + b) / (c + d), d * (a + b) / (c + d));
                // x ln x has the limit 0.
                let term = |x: f64, e: f64| if x > 0.0 { x * (x / e).ln() } else { 0.0 };
                let likelihood = (2.0 * (term(a, e1) + term(b, e2))).max(0.0);
                if likelihood > 0.0 && a / c < b / d { -likelihood } else { likelihood }
            }
            Self::LogRatio => {
                let known = |count: f64| if count > 0.0 { count } else { 0.5 };
                (known(a) / c / (known(b) / d)).log2()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A published example: 52 in 50,000 words and 57 in 75,000 have a log-likelihood of +2.65 (A. Hardie's
    /// slides on keywords, with Rayson's calculator).
    #[test]
    fn log_likelihood_is_that_of_the_published_example() {
        let sizes = [50_000.0, 75_000.0];
        let score = KeynessMeasure::LogLikelihood.score([52.0, 57.0], sizes);
        assert_eq!(format!("{score:+.2}"), "+2.65");
        let turned = KeynessMeasure::LogLikelihood.score([57.0, 52.0], [75_000.0, 50_000.0]);
        assert_eq!(format!("{turned:+.2}"), "-2.65");
        assert_eq!(KeynessMeasure::LogLikelihood.score([2.0, 3.0], sizes), 0.0);
        let absent = KeynessMeasure::LogLikelihood.score([0.0, 3.0], sizes);
        assert!((absent + 2.0 * 3.0 * (5.0_f64 / 3.0).ln()).abs() < 1e-12);
    }

    #[test]
    fn a_log_ratio_of_one_is_a_doubling() {
        let score = |counts| KeynessMeasure::LogRatio.score(counts, [1000.0, 2000.0]);
        assert_eq!(score([4.0, 4.0]), 1.0);
        assert_eq!(score([1.0, 8.0]), -2.0);
        // A count of 0 is taken as 0.5.
        assert_eq!(score([1.0, 0.0]), 2.0);
        assert_eq!(score([0.0, 1.0]), 0.0);
    }
}
