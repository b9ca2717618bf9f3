//! `zgram search`: where a word or phrase stands.

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
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};
use zgram::access::Match;
use zgram::store::Store;

/// A place with what stands around it.
struct Hit {
    name: Vec<u8>,
    found: Match,
    /// The text before, of and after it.
    around: Option<[Vec<u8>; 3]>,
}

pub(crate) fn run(args: &SearchArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let phrase = phrase(&args.words)?;
    let store = open_store(&args.file, reporter)?;
    let chosen = match &args.documents[..] {
        [] => None,
        some => Some(find_all(&store, some)?),
    };
    // Documents as they were chosen, or in order; their places in order.
    let mut found: Vec<(usize, Vec<Match>)> = Vec::new();
    for phrase in spellings(args.spelling, &store, phrase)? {
        match &chosen {
            None => found.extend(store.search_all(&phrase)?),
            Some(documents) => {
                for &document in documents {
                    found.push((document, store.search(document, &phrase)?));
                }
            }
        }
    }
    let place = |document: usize| {
        chosen.as_ref().and_then(|chosen| chosen.iter().position(|&it| it == document))
    };
    found.sort_by_cached_key(|(document, _)| (place(*document), *document));
    if found.iter().all(|(_, matches)| matches.is_empty()) {
        let words: Vec<String> =
            args.words.iter().map(|word| visible(word.as_encoded_bytes())).collect();
        return Err(Refusal::nothing_found(format!("{} is nowhere", words.join(" ")), None).into());
    }
    let for_people = match args.format {
        Format::Auto => io::stdout().is_terminal(),
        format => format == Format::Table,
    };
    let context = args.context.or(for_people.then_some(6));
    let hits = hits(&store, &found, context);
    if for_people {
        print_aligned(&hits.collect::<Result<Vec<_>, _>>()?)
    } else {
        print_table(hits, context.is_some(), args.format)
    }
}

/// The places, one after the other: there may be millions.
fn hits<'s>(
    store: &'s Store,
    found: &'s [(usize, Vec<Match>)],
    context: Option<usize>,
) -> impl Iterator<Item = anyhow::Result<Hit>> + 's {
    let of_document = move |same: &'s [(usize, Vec<Match>)]| {
        let document = same[0].0;
        let mut matches: Vec<Match> = same.iter().flat_map(|(_, found)| found).copied().collect();
        matches.sort_unstable();
        matches.into_iter().map(move |found| {
            let around = context.map(|words| store.context(document, found, words)).transpose()?;
            Ok(Hit { name: store.name(document)?, found, around })
        })
    };
    found.chunk_by(|a, b| a.0 == b.0).flat_map(of_document)
}

fn print_table(
    hits: impl Iterator<Item = anyhow::Result<Hit>>,
    with_context: bool,
    format: Format,
) -> anyhow::Result<()> {
    let columns: &[&str] = if with_context {
        &["document", "offset", "length", "before", "match", "after"]
    } else {
        &["document", "offset", "length"]
    };
    let row = |Hit { name, found, around }: Hit| {
        let place = [Cell::Name(name), Cell::Count(found.offset), Cell::Count(found.len as u64)];
        place.into_iter().chain(around.into_iter().flatten().map(Cell::Name)).collect()
    };
    print_rows(columns, hits.map(|hit| hit.map(row)), format)
}

/// Most columns of context on each side.
const WIDEST: usize = 48;

/// Places one below the other, with the words found in one column.
fn print_aligned(hits: &[Hit]) -> anyhow::Result<()> {
    const FOUND: Style = AnsiColor::Red.on_default().bold();
    const PLACE: Style = AnsiColor::Cyan.on_default();
    let lines: Vec<[String; 4]> = hits
        .iter()
        .map(|hit| {
            let place = format!("{}:{}", visible(&hit.name), hit.found.offset);
            let [before, found, after] = hit.around.clone().unwrap_or_default();
            [place, last_part(&one_line(&before)), one_line(&found), first_part(&one_line(&after))]
        })
        .collect();
    let width =
        |column: usize| lines.iter().map(|line| line[column].width()).max().unwrap_or_default();
    let (places, before_width) = (width(0), width(1));
    let mut out = io::BufWriter::new(anstream::stdout().lock());
    for [place, before, found, after] in &lines {
        // Widths in columns, not in characters: some take two, some none.
        let after_place = " ".repeat(places - place.width() + 2);
        let indent = " ".repeat(before_width - before.width());
        writeln!(
            out,
            "{PLACE}{place}{PLACE:#}{after_place}{indent}{before}{FOUND}{found}{FOUND:#}{after}"
        )?;
    }
    Ok(out.flush()?)
}

/// A text on one line: white space as single spaces, control characters made visible.
fn one_line(text: &[u8]) -> String {
    let spaced: Vec<u8> =
        text.iter().map(|&byte| if byte.is_ascii_whitespace() { b' ' } else { byte }).collect();
    let mut line = visible(&spaced);
    while line.contains("  ") {
        line = line.replace("  ", " ");
    }
    line
}

/// As much of the beginning of a text as is shown.
fn first_part(text: &str) -> String {
    let mut width = 0;
    let shown = text.chars().take_while(|letter| {
        width += letter.width().unwrap_or(0);
        width <= WIDEST
    });
    shown.collect()
}

/// As much of the end of a text as is shown.
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
