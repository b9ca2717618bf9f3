//! The logistic function and its loss, from a table.
//!
//! Between the entries of the table both are interpolated, with an error below 10^-5. Beyond ±10 they
//! stay what they are at ±10. The original program rounds down to the nearest of 1,000 entries in ±6.

const LIMIT: f32 = 10.0;
const ENTRIES: usize = 1024;

/// The table. An entry is the logistic function and how much it grows up to the next entry, then the
/// same of the loss.
#[derive(Clone, Debug)]
pub(super) struct Logistic {
    entries: Box<[[f32; 4]; ENTRIES]>,
}

impl Logistic {
    pub(super) fn new() -> Self {
        let x = |entry: usize| f64::from(LIMIT) * (2.0 * entry as f64 / ENTRIES as f64 - 1.0);
        let logistic = |x: f64| 1.0 / (1.0 + (-x).exp());
        let loss = |x: f64| (-x).exp().ln_1p();
        let mut entries = Box::new([[0.0; 4]; ENTRIES]);
        for (at, entry) in entries.iter_mut().enumerate() {
            let (x, next) = (x(at), x(at + 1));
            *entry = [
                logistic(x) as f32,
                (logistic(next) - logistic(x)) as f32,
                loss(x) as f32,
                (loss(next) - loss(x)) as f32,
            ];
        }
        Self { entries }
    }

    /// The probability `1 / (1 + e^-x)`, and the loss of finding `x` where the answer is yes, which is
    /// `ln(1 + e^-x)`, or no, which is more by `x`.
    #[inline(always)]
    pub(super) fn of(&self, x: f32, answer: bool) -> (f32, f32) {
        let x = x.clamp(-LIMIT, LIMIT);
        let place = (x + LIMIT) * (ENTRIES as f32 / (2.0 * LIMIT));
        let place = place.min(ENTRIES as f32 - 0.001);
        // The mask changes nothing; it shows the compiler that the index is in range.
        let at = place as usize;
        let [value, more, loss, less] = self.entries[at & (ENTRIES - 1)];
        let part = place - at as f32;
        let loss = loss + part * less;
        (value + part * more, if answer { loss } else { loss + x })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_close_to_exact() {
        let logistic = Logistic::new();
        for step in -12_000..=12_000 {
            let x = f64::from(step) / 1000.0;
            let (value, loss) = logistic.of(x as f32, true);
            let (_, other) = logistic.of(x as f32, false);
            let exact = 1.0 / (1.0 + (-x).exp());
            assert!((f64::from(value) - exact).abs() < 5e-5, "{x}: {value}");
            if x.abs() <= f64::from(LIMIT) {
                assert!((f64::from(value) - exact).abs() < 1e-5, "{x}: {value}");
                assert!((f64::from(loss) - (-x).exp().ln_1p()).abs() < 2e-5, "{x}: {loss}");
                assert!((f64::from(other) - x.exp().ln_1p()).abs() < 2e-5, "{x}: {other}");
            }
        }
    }

    #[test]
    fn nothing_breaks_at_the_ends() {
        let logistic = Logistic::new();
        for x in [f32::INFINITY, f32::NEG_INFINITY, f32::MAX, f32::MIN] {
            for answer in [false, true] {
                let (value, loss) = logistic.of(x, answer);
                assert!((0.0..=1.0).contains(&value) && (0.0..=LIMIT + 1e-3).contains(&loss));
            }
        }
        let _ = logistic.of(f32::NAN, true);
    }
}
