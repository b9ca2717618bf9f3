//! A table for people: aligned columns, and a bar as long as the count is high.

use super::Columns;
use crate::text::visible;
use crate::{human, screen};
use anstyle::{AnsiColor, Style};
use std::io::{self, Write};
use zgram::analytics::{RowBatch, RowNames};

const HEADING: Style = Style::new().bold();
const BAR: Style = AnsiColor::Cyan.on_default();
/// Columns of the longest bar, and of the shortest that still says something.
const LONGEST_BAR: usize = 20;
const SHORTEST_BAR: usize = 6;
/// Rows that are held back to find the widths of columns. People rarely read further.
const HELD_ROWS: usize = 2000;

/// A row as text.
pub(super) struct Cells {
    words: String,
    count: u64,
    document: Option<String>,
}

pub(super) fn cells(batch: &RowBatch<'_>, names: &RowNames<'_>) -> Vec<Cells> {
    let cells = |row: zgram::analytics::BatchRow<'_>| Cells {
        words: visible(&row.text()),
        count: row.count,
        document: row.document.and_then(|document| names.get(document as usize)).map(visible),
    };
    batch.rows().map(cells).collect()
}

/// Draws rows. The first [`HELD_ROWS`] decide the widths of columns; the others are drawn as they
/// come.
pub(super) struct TableWriter<W: Write> {
    columns: Columns,
    out: W,
    /// The columns of the terminal, if it is one: nothing is cut for a file or a pipe.
    screen: Option<usize>,
    held: Vec<Cells>,
    layout: Option<Layout>,
}

/// Widths of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Layout {
    words: usize,
    count: usize,
    bar: usize,
    document: usize,
    /// The count that has the longest bar.
    most: u64,
}

impl Layout {
    /// Fits columns of the given widths to a screen: the bar gives way first, then the document's
    /// name down to a third, then the words.
    fn fit(mut self, screen: Option<usize>) -> Self {
        let Some(screen) = screen else { return self };
        let gaps = if self.document > 0 { 6 } else { 4 };
        let free = screen.saturating_sub(self.count + gaps);
        let texts = self.words + self.document;
        self.bar = free.saturating_sub(texts).clamp(SHORTEST_BAR, LONGEST_BAR);
        if texts + self.bar > free {
            let free = free.saturating_sub(self.bar);
            self.document = self.document.min((free / 3).max(free.saturating_sub(self.words)));
            self.words = self.words.min(free - self.document);
        }
        self
    }
}

impl<W: Write> TableWriter<W> {
    pub(super) fn new(columns: Columns, screen: Option<usize>, out: W) -> Self {
        Self { columns, out, screen, held: Vec::new(), layout: None }
    }

    pub(super) fn write(&mut self, rows: Vec<Cells>) -> io::Result<()> {
        match self.layout {
            Some(layout) => self.draw(&rows, layout),
            None => {
                self.held.extend(rows);
                if self.held.len() >= HELD_ROWS { self.begin() } else { Ok(()) }
            }
        }
    }

    /// Draws the heading and what was held back.
    fn begin(&mut self) -> io::Result<()> {
        let rows = std::mem::take(&mut self.held);
        let first = self.columns.first();
        let widest = |of: fn(&Cells) -> &str, least: usize| {
            rows.iter().map(|row| screen::width(of(row))).max().unwrap_or(0).max(least)
        };
        let document = if self.columns.documents { "document" } else { "" };
        let most = rows.iter().map(|row| row.count).max().unwrap_or(0);
        let layout = Layout {
            words: widest(|row| &row.words, first.len()),
            count: human::count(most).len().max("count".len()),
            bar: LONGEST_BAR,
            document: widest(|row| row.document.as_deref().unwrap_or_default(), document.len()),
            most,
        };
        let layout = layout.fit(self.screen);
        self.layout = Some(layout);
        let (first, document) =
            (screen::beginning(first, layout.words), screen::beginning(document, layout.document));
        let heading = format!(
            "{first:words$}  {:>count$}  {:bar$}  {document}",
            "count",
            "",
            words = layout.words,
            count = layout.count,
            bar = layout.bar,
        );
        let (heading, style) = (heading.trim_end(), style(HEADING));
        writeln!(self.out, "{}{heading}{}", style.render(), style.render_reset())?;
        self.draw(&rows, layout)
    }

    fn draw(&mut self, rows: &[Cells], layout: Layout) -> io::Result<()> {
        let cut = |text: &str, columns: usize| match self.screen {
            Some(_) => screen::cut_middle(text, columns),
            None => text.to_owned(),
        };
        let style = style(BAR);
        for row in rows {
            let words = cut(&row.words, layout.words);
            let count = human::count(row.count);
            let bar = bar(row.count, layout.most, layout.bar);
            write!(
                self.out,
                "{words}{}  {count:>width$}  {}{bar}{}",
                screen::padding(&words, layout.words),
                style.render(),
                style.render_reset(),
                width = layout.count,
            )?;
            match &row.document {
                Some(document) => {
                    let padding = screen::padding(&bar, layout.bar);
                    writeln!(self.out, "{padding}  {}", cut(document, layout.document))?;
                }
                None => writeln!(self.out)?,
            }
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> io::Result<()> {
        if self.layout.is_none() {
            self.begin()?;
        }
        self.out.flush()
    }
}

/// A style where colours are wanted, else none.
fn style(style: Style) -> Style {
    match anstream::AutoStream::choice(&io::stdout()) {
        anstream::ColorChoice::Never => Style::new(),
        _ => style,
    }
}

/// A bar in eighths of a column, `longest` columns for the highest count.
fn bar(count: u64, most: u64, longest: usize) -> String {
    const EIGHTHS: [char; 8] = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
    let share = count.min(most) as f64 / most.max(1) as f64;
    let eighths = (share * (8 * longest) as f64).round() as usize;
    let mut bar = "█".repeat(eighths / 8);
    if !eighths.is_multiple_of(8) {
        bar.push(EIGHTHS[eighths % 8]);
    }
    if bar.is_empty() && count > 0 {
        bar.push('▏');
    }
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(words: &str, count: u64, document: Option<&str>) -> Cells {
        Cells { words: words.to_owned(), count, document: document.map(str::to_owned) }
    }

    fn drawn(screen: Option<usize>, batches: Vec<Vec<Cells>>) -> Vec<String> {
        let documents = batches.iter().flatten().any(|row| row.document.is_some());
        let columns = Columns { sequences: false, documents };
        let mut out = Vec::new();
        let mut table = TableWriter::new(columns, screen, &mut out);
        batches.into_iter().for_each(|batch| table.write(batch).unwrap());
        table.finish().unwrap();
        let text = String::from_utf8(out).unwrap();
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn bars_grow_with_counts() {
        assert_eq!(bar(0, 10, 20), "");
        assert_eq!(bar(1, 100_000, 20), "▏");
        assert_eq!(bar(5, 10, 20), "█".repeat(10));
        assert_eq!(bar(10, 10, 6), "█".repeat(6));
    }

    #[test]
    fn a_longer_word_of_a_later_batch_keeps_columns_aligned() {
        let lines = drawn(
            None,
            vec![
                vec![row("fogg", 685, Some("verne.txt"))],
                vec![row("passepartout", 451, Some("verne.txt")), row("鯨", 1, Some("b"))],
            ],
        );
        let ends: Vec<usize> = lines[1..]
            .iter()
            .map(|line| screen::width(&line[..line.find("  ▏").or(line.find("  █")).unwrap()]))
            .collect();
        assert_eq!(ends, [ends[0]; 3], "{lines:#?}");
    }

    #[test]
    fn a_table_fits_the_screen() {
        let sequence = "INFO org apache hadoop yarn server resourcemanager scheduler capacity";
        let name = "container_1445087491445_0005_01_000016/syslog.2015-10-17.log";
        let rows = || vec![row(sequence, 9_089_074, Some(name)), row("a", 1, Some("b"))];
        for columns in [40, 60, 80, 100, 120, 200] {
            for line in drawn(Some(columns), vec![rows()]) {
                assert!(screen::width(&line) <= columns, "{columns} columns: {line}");
            }
        }
        // Nothing is lost in a pipe.
        assert!(drawn(None, vec![rows()])[1].ends_with(name));
    }

    #[test]
    fn the_bar_gives_way_before_the_text_does() {
        let layout = Layout { words: 50, count: 9, bar: 20, document: 0, most: 1 };
        assert_eq!(layout.fit(Some(80)), Layout { bar: 17, ..layout });
        assert_eq!(layout.fit(Some(70)), Layout { bar: 7, ..layout });
        assert_eq!(layout.fit(Some(60)), Layout { bar: 6, words: 41, ..layout });
        assert_eq!(layout.fit(None), layout);
    }
}
