//! Numbers for people.

use std::time::Duration;

/// Bytes with a decimal unit: `12.3 MB`.
pub(crate) fn bytes(count: u64) -> String {
    const UNITS: [&str; 6] = ["kB", "MB", "GB", "TB", "PB", "EB"];
    if count < 1000 {
        return format!("{count} B");
    }
    let mut value = count as f64 / 1000.0;
    let mut unit = 0;
    while value >= 999.95 && unit + 1 < UNITS.len() {
        value /= 1000.0;
        unit += 1;
    }
    let decimals = if value < 9.995 { 2 } else { 1 };
    format!("{value:.decimals$} {}", UNITS[unit])
}

/// A count in groups of three digits: `12,345`.
pub(crate) fn count(count: u64) -> String {
    let digits = count.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A count and what is counted: `1 document`, `2 documents`.
pub(crate) fn counted(number: u64, one: &str) -> String {
    format!("{} {one}{}", count(number), if number == 1 { "" } else { "s" })
}

/// A share: `12.3 %`, or a dash when there is no whole.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { "-".to_owned() } else { format!("{:.1} %", 100.0 * part as f64 / whole as f64) }
}

/// How many times smaller: `4.56 ×`, or a dash when there is nothing to divide.
pub(crate) fn ratio(large: u64, small: u64) -> String {
    if small == 0 || large == 0 {
        "-".to_owned()
    } else {
        format!("{:.2} ×", large as f64 / small as f64)
    }
}

/// What became of a size: `4.56 × smaller`, `1.14 × larger`.
pub(crate) fn change(before: u64, after: u64) -> String {
    if after > before {
        format!("{} larger", ratio(after, before))
    } else {
        format!("{} smaller", ratio(before, after))
    }
}

/// A score: four decimals, or an exponent where those would show nothing.
pub(crate) fn score(score: f64) -> String {
    if score != 0.0 && score.abs() < 0.0005 {
        format!("{score:.3e}")
    } else {
        format!("{score:.4}")
    }
}

/// A duration in seconds: `1.23 s`.
pub(crate) fn seconds(duration: Duration) -> String {
    format!("{:.2} s", duration.as_secs_f64())
}

/// Bytes a second: `12.3 MB/s`.
pub(crate) fn speed(count: u64, duration: Duration) -> String {
    let seconds = duration.as_secs_f64().max(1e-9);
    format!("{}/s", bytes((count as f64 / seconds) as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_exact_enough() {
        let sizes = [0, 999, 1000, 9_994, 9_995, 12_345, 999_949, 999_950, 1 << 30, u64::MAX];
        let texts = sizes.map(bytes);
        assert_eq!(
            texts,
            [
                "0 B", "999 B", "1.00 kB", "9.99 kB", "10.0 kB", "12.3 kB", "999.9 kB", "1.00 MB",
                "1.07 GB", "18.4 EB"
            ]
        );
        assert_eq!([0, 999, 1000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(counted(1, "rule"), "1 rule");
        assert_eq!(counted(1000, "rule"), "1,000 rules");
        assert_eq!(percent(1, 8), "12.5 %");
        assert_eq!(percent(0, 0), "-");
        assert_eq!(ratio(300, 100), "3.00 ×");
        assert_eq!(ratio(0, 100), "-");
        assert_eq!(change(300, 100), "3.00 × smaller");
        assert_eq!(change(100, 114), "1.14 × larger");
        assert_eq!(speed(5_000_000, Duration::from_millis(500)), "10.0 MB/s");
    }
}
