//! Sizes and numbers as people type them: `512M`, `1G`, `64KiB`, or plain bytes.

/// Most threads that can be asked for.
pub(crate) const MOST_THREADS: u64 = 1024;

/// Reads a size. Units are powers of 1024, with or without `B` or `iB`, in either case.
///
/// # Errors
/// When it is not a size, or too large.
pub(crate) fn parse(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let digits = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.');
    let (number, unit) = text.split_at(digits.unwrap_or(text.len()));
    let unit = unit.trim().to_ascii_lowercase();
    let letter = unit.strip_suffix("ib").or_else(|| unit.strip_suffix('b')).unwrap_or(&unit);
    let factor = match letter {
        "" if unit == "ib" => return Err(not_a_size(text)),
        "" => 1u64,
        "k" => 1 << 10,
        "m" => 1 << 20,
        "g" => 1 << 30,
        "t" => 1 << 40,
        _ => return Err(not_a_size(text)),
    };
    let too_large = || format!("{text:?} is too large");
    if let Ok(whole) = number.parse::<u64>() {
        return whole.checked_mul(factor).ok_or_else(too_large);
    }
    if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(too_large());
    }
    let fraction: f64 = number.parse().map_err(|_| not_a_size(text))?;
    let bytes = fraction * factor as f64;
    if bytes < u64::MAX as f64 { Ok(bytes as u64) } else { Err(too_large()) }
}

/// As [`parse`], for a size that must not be zero.
///
/// # Errors
/// As for [`parse`], and for zero.
pub(crate) fn parse_positive(text: &str) -> Result<u64, String> {
    match parse(text)? {
        0 => Err("must be more than 0".to_owned()),
        size => Ok(size),
    }
}

/// Least memory for the intermediate results of a query. With less, the passes over a corpus would hardly
/// ever end, and who types `512` means megabytes.
const LEAST_MEMORY: u64 = 1 << 20;

/// As [`parse`], for the memory of a query.
///
/// # Errors
/// As for [`parse`], and for less than 1 MiB.
pub(crate) fn parse_memory(text: &str) -> Result<u64, String> {
    match parse(text)? {
        size if size < LEAST_MEMORY => {
            Err("at least 1M is needed; a number without a unit is in bytes".to_owned())
        }
        size => Ok(size),
    }
}

/// As [`parse_positive`], for a threshold that may never be reached.
///
/// # Errors
/// As for [`parse_positive`].
pub(crate) fn parse_threshold(text: &str) -> Result<u64, String> {
    if text == "never" { Ok(u64::MAX) } else { parse_positive(text) }
}

/// Reads a whole number, with or without commas between its digits.
///
/// # Errors
/// When it is not a whole number, or too large.
pub(crate) fn parse_count(text: &str) -> Result<u64, String> {
    let digits = text.replace(',', "");
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(format!("{text:?} is not a whole number"));
    }
    digits.parse().map_err(|_| format!("{text:?} is too large"))
}

/// As [`parse_count`], for numbers of things that must fit in memory.
///
/// # Errors
/// As for [`parse_count`].
pub(crate) fn parse_usize(text: &str) -> Result<usize, String> {
    usize::try_from(parse_count(text)?).map_err(|_| format!("{text:?} is too large"))
}

/// Reads a number of threads. Thousands of threads take seconds to start and gain nothing.
///
/// # Errors
/// When it is not a number from 1 to [`MOST_THREADS`].
pub(crate) fn parse_threads(text: &str) -> Result<u16, String> {
    match parse_count(text)? {
        count @ 1..=MOST_THREADS => Ok(count as u16),
        _ => Err(format!("the number of threads is from 1 to {MOST_THREADS}")),
    }
}

fn not_a_size(text: &str) -> String {
    format!("{text:?} is not a size; write bytes or a number with K, M, G or T, such as 512M")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read() {
        for (text, size) in [
            ("0", 0),
            ("17", 17),
            ("17B", 17),
            ("64KiB", 64 << 10),
            ("64k", 64 << 10),
            ("512M", 512 << 20),
            ("1.5 GB", 3 << 29),
            ("1G", 1 << 30),
            ("2TiB", 2 << 40),
        ] {
            assert_eq!(parse(text), Ok(size), "{text}");
        }
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "M", "-1", "1X", "1MM", "1iB", "..", "1.2.3K", "99999999999T", "9e9"] {
            assert!(parse(text).is_err(), "{text}");
        }
        assert!(parse("99999999999999999999").unwrap_err().contains("too large"));
        assert!(parse_positive("0K").is_err());
    }

    #[test]
    fn numbers_are_read() {
        assert_eq!(parse_count("1,234"), Ok(1234));
        assert_eq!(parse_count("ten"), Err("\"ten\" is not a whole number".to_owned()));
        for wrong in ["", "-1", "1.5", "99999999999999999999"] {
            assert!(parse_count(wrong).is_err(), "{wrong}");
        }
        assert_eq!(parse_threads("1024"), Ok(1024));
        for wrong in ["0", "1025", "many"] {
            assert!(parse_threads(wrong).is_err(), "{wrong}");
        }
    }
}
