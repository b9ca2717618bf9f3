//! Text that fits the terminal: its width, and cutting and padding by columns instead of characters.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// What a cut leaves in place of the text it removes.
const ELLIPSIS: &str = "…";

/// The columns of the terminal that standard output goes to, if it does. `COLUMNS` overrides it.
pub(crate) fn stdout_width() -> Option<usize> {
    let stdout = std::io::stdout();
    let (terminal_size::Width(columns), _) = terminal_size::terminal_size_of(stdout)?;
    let asked = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    Some(asked.unwrap_or(usize::from(columns)).max(20))
}

/// The columns that `text` takes: some characters take two, some none.
pub(crate) fn width(text: &str) -> usize {
    text.width()
}

/// The longest beginning of `text` that fits `columns`.
pub(crate) fn beginning(text: &str, columns: usize) -> &str {
    let mut taken = 0;
    let end = text.char_indices().find(|(_, letter)| {
        taken += letter.width().unwrap_or(0);
        taken > columns
    });
    end.map_or(text, |(end, _)| &text[..end])
}

/// The longest end of `text` that fits `columns`.
pub(crate) fn end(text: &str, columns: usize) -> &str {
    let mut taken = 0;
    let start = text.char_indices().rev().take_while(|(_, letter)| {
        taken += letter.width().unwrap_or(0);
        taken <= columns
    });
    start.last().map_or("", |(start, _)| &text[start..])
}

/// `text`, with its middle left out if it takes more than `columns`: names often differ at both ends.
pub(crate) fn cut_middle(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let kept = columns.saturating_sub(ELLIPSIS.width());
    let first = beginning(text, kept.div_ceil(2));
    format!("{first}{ELLIPSIS}{}", end(text, kept - first.width()))
}

/// Spaces that fill `text` up to `columns`.
pub(crate) fn padding(text: &str, columns: usize) -> String {
    " ".repeat(columns.saturating_sub(text.width()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_to_columns() {
        assert_eq!(cut_middle("short", 5), "short");
        assert_eq!(cut_middle("letters/eighteen.txt", 11), "lette…n.txt");
        assert_eq!(width(&cut_middle(&"鯨".repeat(30), 10)), 9);
        assert_eq!(cut_middle("ab", 1), "…");
        assert_eq!((beginning("abc", 2), end("abc", 2)), ("ab", "bc"));
        assert_eq!((beginning("a鯨", 2), end("鯨a", 2)), ("a", "a"));
        assert_eq!((beginning("abc", 9), end("abc", 9)), ("abc", "abc"));
        assert_eq!(padding("鯨", 4), "  ");
        assert_eq!(padding("long", 2), "");
    }
}
