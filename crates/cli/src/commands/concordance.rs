//! Matches one below the other with the words around them, as a concordance shows them: the matches
//! form a column, and every line fits the screen.

use crate::screen;
use anstyle::{AnsiColor, Style};
use std::io::{self, Write};

/// Columns of context on each side where there is no screen to fit.
const WIDEST: usize = 48;
/// Lines that are aligned with each other. A search may have too many matches to wait for all.
const BLOCK: usize = 256;

/// A match as text on one line.
pub(super) struct Line {
    /// The document's name and the match's offset in it.
    pub(super) name: String,
    pub(super) offset: u64,
    /// The text before, of and after the match.
    pub(super) around: [String; 3],
}

/// Draws lines in blocks.
pub(super) struct Concordance<W: Write> {
    out: W,
    screen: Option<usize>,
    lines: Vec<Line>,
    widths: Widths,
}

/// Columns taken so far by the places and by the texts before matches. They only grow, so that
/// blocks stay aligned where they can.
#[derive(Clone, Copy, Default)]
struct Widths {
    place: usize,
    before: usize,
}

impl<W: Write> Concordance<W> {
    pub(super) fn new(screen: Option<usize>, out: W) -> Self {
        Self { out, screen, lines: Vec::new(), widths: Widths::default() }
    }

    pub(super) fn add(&mut self, line: Line) -> io::Result<()> {
        self.lines.push(line);
        if self.lines.len() < BLOCK { Ok(()) } else { self.draw() }
    }

    /// Draws the lines that wait.
    pub(super) fn draw(&mut self) -> io::Result<()> {
        const FOUND: Style = AnsiColor::Red.on_default().bold();
        const PLACE: Style = AnsiColor::Cyan.on_default();
        let lines = std::mem::take(&mut self.lines);
        let widest = |of: &dyn Fn(&Line) -> usize| lines.iter().map(of).max().unwrap_or_default();
        let found = widest(&|line| screen::width(&line.around[1]));
        let widest_place = widest(&|line| screen::width(&place(line, usize::MAX)));
        let before = widest(&|line| screen::width(&line.around[0]));
        // A third for the place; the match in the middle of the rest.
        let most_place = self.screen.map_or(widest_place, |screen| screen / 3);
        self.widths.place = self.widths.place.max(widest_place.min(most_place));
        let rest = self.screen.map(|screen| screen.saturating_sub(self.widths.place + 2));
        let most_before = rest.map_or(WIDEST, |rest| rest.saturating_sub(found) / 2);
        self.widths.before = self.widths.before.max(before.min(most_before)).min(most_before);
        let Widths { place: place_width, before: before_width } = self.widths;
        for line in &lines {
            let place = place(line, place_width);
            let after_place = screen::padding(&place, place_width + 2);
            let [before, found, after] = &line.around;
            let before = screen::end(before, before_width);
            let indent = screen::padding(before, before_width);
            let left = rest.map_or(usize::MAX, |rest| rest.saturating_sub(before_width));
            let found = screen::beginning(found, left);
            let left = left.saturating_sub(screen::width(found)).min(WIDEST.max(most_before));
            let after = screen::beginning(after, left);
            writeln!(
                self.out,
                "{PLACE}{place}{PLACE:#}{after_place}{indent}{before}{FOUND}{found}{FOUND:#}{after}"
            )?;
        }
        self.out.flush()
    }
}

/// `name:offset` in at most `columns`; the name gives way.
fn place(line: &Line, columns: usize) -> String {
    let offset = format!(":{}", line.offset);
    let name = screen::cut_middle(&line.name, columns.saturating_sub(offset.len()).max(1));
    name + &offset
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(screen: Option<usize>, name: &str) -> Vec<String> {
        let line = |offset: u64, before: &str, after: &str| Line {
            name: name.to_owned(),
            offset,
            around: [before.to_owned(), "Time Machine".to_owned(), after.to_owned()],
        };
        let mut out = Vec::new();
        let mut concordance = Concordance::new(screen, &mut out);
        let long = "and there was the getting of the thing that we had been looking for: the ";
        concordance
            .add(line(138_658, long, ". Towards that, as yet, I had no plan at all"))
            .unwrap();
        concordance.add(line(7, "鯨 the ", "")).unwrap();
        concordance.draw().unwrap();
        let text = anstream::adapter::strip_bytes(&out).into_vec();
        String::from_utf8(text).unwrap().lines().map(str::to_owned).collect()
    }

    #[test]
    fn lines_fit_the_screen_with_the_matches_in_one_column() {
        for screen in [40, 60, 80, 100, 120, 200] {
            for name in ["a.txt", "a/folder/with/a/rather/long/name/for/one/small/document.txt"] {
                let lines = drawn(Some(screen), name);
                let columns = lines.iter().map(|line| {
                    assert!(screen::width(line) <= screen, "{screen}: {line:?}");
                    screen::width(&line[..line.find("Time").expect("the match is whole")])
                });
                let columns: Vec<usize> = columns.collect();
                assert_eq!(columns[0], columns[1], "{lines:#?}");
            }
        }
    }

    #[test]
    fn names_are_whole_where_nothing_has_to_fit() {
        let name = "a/folder/with/a/rather/long/name/for/one/small/document.txt";
        assert!(drawn(None, name)[0].starts_with(&format!("{name}:138658  ")));
    }
}
