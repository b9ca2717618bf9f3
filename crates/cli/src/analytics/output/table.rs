//! A table for people: aligned columns, and a bar as long as the count is high.

use super::Columns;
use crate::human;
use crate::text::visible;
use anstyle::{AnsiColor, Style};
use std::io::{self, Write};
use zgram::analytics::Batch;
use zgram::format::DocumentTable;

const HEADING: Style = Style::new().bold();
const BAR: Style = AnsiColor::Cyan.on_default();
/// Characters of the longest bar.
const BAR_WIDTH: usize = 20;

/// A row as text.
pub(super) struct Cells {
    words: String,
    count: u64,
    document: Option<String>,
}

pub(super) fn cells(batch: &Batch<'_>, names: &DocumentTable) -> Vec<Cells> {
    let cells = |row: zgram::analytics::BatchRow<'_>| Cells {
        words: visible(&row.text()),
        count: row.count,
        document: row.document.map(|document| visible(names.name(document as usize))),
    };
    batch.rows().map(cells).collect()
}

/// Draws rows as they come; the first batch decides the widths.
pub(super) struct TableWriter<W: Write> {
    columns: Columns,
    out: W,
    layout: Option<Layout>,
}

#[derive(Clone, Copy)]
struct Layout {
    words: usize,
    count: usize,
    most: u64,
}

impl<W: Write> TableWriter<W> {
    pub(super) fn new(columns: Columns, out: W) -> Self {
        Self { columns, out, layout: None }
    }

    pub(super) fn write(&mut self, rows: Vec<Cells>) -> io::Result<()> {
        let layout = match self.layout {
            Some(layout) => layout,
            None => self.begin(&rows)?,
        };
        for row in rows {
            let padding = layout.words.saturating_sub(row.words.chars().count());
            let count = human::count(row.count);
            let bar = bar(row.count, layout.most);
            let bar_padding = BAR_WIDTH - bar.chars().count();
            write!(
                self.out,
                "{}{:padding$}  {count:>width$}  {}{bar}{}",
                row.words,
                "",
                self.style(BAR).render(),
                self.style(BAR).render_reset(),
                width = layout.count,
            )?;
            match row.document {
                Some(document) => writeln!(self.out, "{:bar_padding$}  {document}", "")?,
                None => writeln!(self.out)?,
            }
        }
        Ok(())
    }

    fn begin(&mut self, rows: &[Cells]) -> io::Result<Layout> {
        let first = self.columns.first();
        let widest = rows.iter().map(|row| row.words.chars().count()).max().unwrap_or(0);
        let most = rows.iter().map(|row| row.count).max().unwrap_or(0);
        let layout = Layout {
            words: widest.max(first.len()),
            count: human::count(most).chars().count().max("count".len()),
            most,
        };
        self.layout = Some(layout);
        let document = if self.columns.documents { "document" } else { "" };
        let heading = format!(
            "{first:words$}  {:>count$}  {:BAR_WIDTH$}  {document}",
            "count",
            "",
            words = layout.words,
            count = layout.count,
        );
        let heading = heading.trim_end();
        let style = self.style(HEADING);
        writeln!(self.out, "{}{heading}{}", style.render(), style.render_reset())?;
        Ok(layout)
    }

    /// A style where colours are wanted, else none.
    fn style(&self, style: Style) -> Style {
        match anstream::AutoStream::choice(&io::stdout()) {
            anstream::ColorChoice::Never => Style::new(),
            _ => style,
        }
    }

    pub(super) fn finish(mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// A bar in eighths of a character.
fn bar(count: u64, most: u64) -> String {
    const EIGHTHS: [char; 8] = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
    let share = count.min(most) as f64 / most.max(1) as f64;
    let eighths = (share * (8 * BAR_WIDTH) as f64).round() as usize;
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

    #[test]
    fn bars_grow_with_counts() {
        assert_eq!(bar(0, 10), "");
        assert_eq!(bar(1, 100_000), "▏");
        assert_eq!(bar(5, 10), "█".repeat(10));
        assert_eq!(bar(10, 10), "█".repeat(20));
    }
}
