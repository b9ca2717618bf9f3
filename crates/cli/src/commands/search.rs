//! `zgram search`: where a word or phrase occurs.

use super::concordance::{Concordance, Line};
use super::{phrase, spellings};
use crate::args::{Format, SearchArgs, SpellingArgs};
use crate::complaint::Refusal;
use crate::documents::find_all;
use crate::open::open_store;
use crate::printer::{Cell, print_rows};
use crate::reporter::Reporter;
use crate::text::visible;
use crate::{human, screen};
use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use zgram::access::Match;
use zgram::store::{Found, Store};

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
        let (mut left, mut failed) = (args.max_count.unwrap_or(usize::MAX), None);
        if left == 0 {
            return Ok(());
        }
        let most = left;
        let _ = store.search_each(&phrases, chosen.as_deref(), |found| {
            left -= 1;
            failed = print(&found).err();
            let is_done = failed.is_some() || left == 0;
            if is_done { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        match failed {
            Some(error) => Err(error),
            None if left < most => Ok(()),
            None => Err(no_match(args, &store, chosen.as_deref())),
        }
    };
    let for_people = match args.format {
        Format::Auto => io::stdout().is_terminal(),
        format => format == Format::Table,
    };
    let context = args.context.or(for_people.then_some(6));
    if for_people {
        let out = io::BufWriter::new(anstream::stdout().lock());
        let mut concordance = Concordance::new(screen::stdout_width(), out);
        search(&mut |found| {
            let name = visible(found.name()?);
            let around = found.context(context.unwrap_or_default())?.map(|text| one_line(&text));
            Ok(concordance.add(Line { name, offset: found.place.offset, around })?)
        })?;
        return Ok(concordance.draw()?);
    }
    let columns: &[&str] = match context {
        Some(_) => &["document", "offset", "length", "before", "match", "after"],
        None => &["document", "offset", "length"],
    };
    print_rows(columns, args.format, |print| {
        search(&mut |found| {
            let Match { offset, len } = found.place;
            let name = found.name()?.to_vec();
            let mut row = vec![Cell::name(name), Cell::Count(offset), Cell::Count(len as u64)];
            if let Some(words) = context {
                row.extend(found.context(words)?.map(Cell::name));
            }
            print(row)
        })
    })
}

/// Says that nothing was found, and why that may be.
fn no_match(args: &SearchArgs, store: &Store, chosen: Option<&[usize]>) -> anyhow::Error {
    let words: Vec<String> =
        args.words.iter().map(|word| visible(word.as_encoded_bytes())).collect();
    let message = format!("no match for \"{}\"", words.join(" "));
    let hint = if words.iter().any(|word| looks_like_pattern(word)) {
        Some("search takes words, not patterns".to_owned())
    } else {
        other_case(args, store, chosen)
    };
    Refusal::nothing_found(message, hint).into()
}

/// The hint that the words occur in another case in the chosen documents, if they do.
fn other_case(args: &SearchArgs, store: &Store, chosen: Option<&[usize]>) -> Option<String> {
    if args.spelling.fold || args.spelling.lower {
        return None;
    }
    let folded = SpellingArgs { fold: true, ..args.spelling };
    let phrases = spellings(folded, store, phrase(&args.words).ok()?).ok()?;
    let count = |phrase| match chosen {
        None => store.count_all(phrase).unwrap_or(0),
        Some(documents) => {
            let counts = documents.iter().map(|&document| store.count(document, phrase));
            counts.map(|count| count.unwrap_or(0)).sum()
        }
    };
    let times = phrases.iter().map(count).fold(0u64, u64::saturating_add);
    let times = match times {
        0 => return None,
        1 => "once".to_owned(),
        times => format!("{} times", human::count(times)),
    };
    Some(format!("it occurs {times} in another case; add --fold to ignore case"))
}

/// Whether a word has signs of a pattern that no text would have by chance.
fn looks_like_pattern(word: &str) -> bool {
    [".*", "*", "|", "[", "^", "\\b", "+"].iter().any(|sign| word.contains(sign))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn context_is_one_line_without_control_characters() {
        assert_eq!(one_line(b"a \n\t b\x1b[31m"), "a b\\u{1b}[31m");
    }

    #[test]
    fn patterns_are_recognised() {
        for pattern in ["whal*", "ERR.*x", "a|b", "^a", "[ab]", "x+"] {
            assert!(looks_like_pattern(pattern), "{pattern}");
        }
        for text in ["don't", "10.0.0.195", "@Deprecated", "why?", "(sic)"] {
            assert!(!looks_like_pattern(text), "{text}");
        }
    }
}
