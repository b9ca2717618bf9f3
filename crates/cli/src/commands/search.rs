//! `zgram search`: prints the matches of a word or phrase.

use super::{phrase, spellings};
use crate::args::{Format, SearchArgs};
use crate::complaint::Refusal;
use crate::documents::find_all;
use crate::open::open_store;
use crate::printer::{Cell, print_rows};
use crate::reporter::Reporter;
use crate::text::visible;
use anstyle::{AnsiColor, Style};
use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};
use zgram::access::Match;
use zgram::store::Found;

pub(crate) fn run(args: &SearchArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let phrase = phrase(&args.words)?;
    let store = open_store(&args.file, reporter)?;
    let chosen = match &args.documents[..] {
        [] => None,
        some => Some(find_all(&store, some)?),
    };
    let phrases = spellings(args.spelling, &store, phrase)?;
    // Calls `print` with each match: there may be millions, so none is kept.
    let search = |print: &mut dyn FnMut(&Found<'_>) -> anyhow::Result<()>| -> anyhow::Result<()> {
        let (mut has_any, mut failed) = (false, None);
        let _ = store.search_each(&phrases, chosen.as_deref(), |found| {
            has_any = true;
            failed = print(&found).err();
            if failed.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        match failed {
            Some(error) => Err(error),
            None if has_any => Ok(()),
            None => Err(nothing_found(args)),
        }
    };
    let for_people = match args.format {
        Format::Auto => io::stdout().is_terminal(),
        format => format == Format::Table,
    };
    let context = args.context.or(for_people.then_some(6));
    if for_people {
        let mut lines = Aligned::new(context.unwrap_or_default());
        search(&mut |found| lines.add(found))?;
        return lines.print();
    }
    let columns: &[&str] = match context {
        Some(_) => &["document", "offset", "length", "before", "match", "after"],
        None => &["document", "offset", "length"],
    };
    print_rows(columns, args.format, |print| {
        search(&mut |found| {
            let Match { offset, len } = found.place;
            let name = found.name()?.to_vec();
            let mut row = vec![Cell::Name(name), Cell::Count(offset), Cell::Count(len as u64)];
            if let Some(words) = context {
                row.extend(found.context(words)?.map(Cell::Name));
            }
            print(row)
        })
    })
}

fn nothing_found(args: &SearchArgs) -> anyhow::Error {
    let words = args.words.iter().map(|word| visible(word.as_encoded_bytes()));
    let message = format!("no match for {:?}", words.collect::<Vec<_>>().join(" "));
    let minds_case = !args.spelling.fold && !args.spelling.lower;
    let hint = minds_case.then(|| "case matters; --fold ignores it".to_owned());
    Refusal::nothing_found(message, hint).into()
}

/// Most columns of context on each side.
const WIDEST: usize = 48;

/// Lines that are aligned with each other. Later ones may be wider.
const BLOCK: usize = 256;

/// Matches one below the other, with the words found in one column. They are printed in blocks: a
/// search may have too many to wait for all of them.
struct Aligned {
    context: usize,
    /// Of each match: its place, the text before it, the match, the text after it.
    lines: Vec<[String; 4]>,
    /// Columns that the places and the texts before have taken so far.
    widths: [usize; 2],
}

impl Aligned {
    fn new(context: usize) -> Self {
        Self { context, lines: Vec::new(), widths: [0; 2] }
    }

    fn add(&mut self, found: &Found<'_>) -> anyhow::Result<()> {
        let place = format!("{}:{}", visible(found.name()?), found.place.offset);
        let [before, text, after] = found.context(self.context)?.map(|text| one_line(&text));
        self.lines.push([place, last_part(&before), text, first_part(&after)]);
        if self.lines.len() < BLOCK { Ok(()) } else { self.print() }
    }

    /// Prints the lines that wait.
    fn print(&mut self) -> anyhow::Result<()> {
        const FOUND: Style = AnsiColor::Red.on_default().bold();
        const PLACE: Style = AnsiColor::Cyan.on_default();
        for (column, width) in self.widths.iter_mut().enumerate() {
            let widest = self.lines.iter().map(|line| line[column].width()).max();
            *width = (*width).max(widest.unwrap_or_default());
        }
        let [places, befores] = self.widths;
        let mut out = io::BufWriter::new(anstream::stdout().lock());
        for [place, before, found, after] in self.lines.drain(..) {
            // Widths in columns, not in characters: some take two, some none.
            let after_place = " ".repeat(places - place.width() + 2);
            let indent = " ".repeat(befores - before.width());
            writeln!(
                out,
                "{PLACE}{place}{PLACE:#}{after_place}{indent}{before}{FOUND}{found}{FOUND:#}{after}"
            )?;
        }
        Ok(out.flush()?)
    }
}

/// A text on one line: white space as single spaces, control characters escaped.
fn one_line(text: &[u8]) -> String {
    let spaced: Vec<u8> =
        text.iter().map(|&byte| if byte.is_ascii_whitespace() { b' ' } else { byte }).collect();
    let mut line = visible(&spaced);
    while line.contains("  ") {
        line = line.replace("  ", " ");
    }
    line
}

/// The part of the text after a match that is shown.
fn first_part(text: &str) -> String {
    let mut width = 0;
    let shown = text.chars().take_while(|letter| {
        width += letter.width().unwrap_or(0);
        width <= WIDEST
    });
    shown.collect()
}

/// The part of the text before a match that is shown.
fn last_part(text: &str) -> String {
    let mut width = 0;
    let start = text.char_indices().rev().take_while(|(_, letter)| {
        width += letter.width().unwrap_or(0);
        width <= WIDEST
    });
    let start = start.last().map_or(text.len(), |(start, _)| start);
    text[start..].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contexts_fit_on_a_line() {
        assert_eq!(one_line(b"a \n\t b\x1b[31m"), "a b\\u{1b}[31m");
        assert_eq!(last_part(&"x".repeat(100)).len(), WIDEST);
        assert_eq!(first_part("abc"), "abc");
        // Wide characters take two columns.
        assert_eq!(first_part(&"鯨".repeat(100)).chars().count(), WIDEST / 2);
        assert_eq!(last_part(&format!("x{}", "鯨".repeat(100))).chars().count(), WIDEST / 2);
        assert_eq!(last_part("a鯨"), "a鯨");
    }
}
