//! A matrix whose columns are chosen.

use super::TermMatrix;
use super::columns::{Columns, NO_COLUMN, Sums};
use super::lexicon::{self, Numbering, WordNumbers};
use super::rows::{KeptRows, RowAssembler};
use super::sparse::{Matrix, Terms};
use super::units::RowPlan;
use crate::analytics::engine::document_counts::{CountDocument, for_each_document};
use crate::analytics::engine::word_items::WordItems;
use crate::analytics::engine::{Outlet, Passes, Setting, run_in_order};
use crate::analytics::options::Options;
use crate::analytics::query::Query;
use crate::analytics::report::{Phase, Report};
use crate::analytics::select;
use crate::analytics::tasks::Shape;
use crate::error::{MatrixError, QueryError};
use std::ops::Range;

impl<'c> Query<'c, TermMatrix> {
    /// Counts the terms of all documents and chooses the columns.
    ///
    /// # Errors
    /// [`QueryError::Matrix`] when no column is left or the limits make no sense; any other error when the
    /// corpus is damaged or the query cannot be answered.
    pub fn prepare(&self) -> Result<MatrixRun<'c>, QueryError> {
        let TermMatrix { limits, vocabulary, units } = &self.question;
        limits.check()?;
        vocabulary.as_deref().map_or(Ok(()), lexicon::check)?;
        let chosen = self.options.documents.as_deref();
        let rows = RowPlan::new(self.corpus, chosen, units.as_ref())?;
        let options = Options { documents: rows.documents.clone(), ..self.options.clone() };
        let decision = select::decide(self.corpus, &Shape::BY_DOCUMENT, &options);
        let setting = Setting::new(self.corpus, options, &decision)?;
        let words = &setting.plan.words;
        let mut numbers = match vocabulary {
            Some(vocabulary) => WordNumbers::of_vocabulary(vocabulary, words),
            None => WordNumbers::All,
        };
        let mut sums = Sums::with_items(vocabulary.as_ref().map_or(words.len(), |v| v.len()));
        let kept_rows =
            first_pass(&setting, &rows, &WordItems::new(&setting), &mut numbers, &mut sums)?;
        let columns = match vocabulary {
            Some(vocabulary) => {
                if sums.distinct() == 0 {
                    return Err(MatrixError::NoTermOccurs { terms: vocabulary.len() }.into());
                }
                let all: Vec<u32> = (0..vocabulary.len() as u32).collect();
                Columns::new(&all, (**vocabulary).clone(), &sums, limits)
            }
            None => {
                let kept = limits.choose(0..words.len() as u32, &sums, rows.count())?;
                let terms = kept.iter().map(|&rank| words.text_at(rank)).collect();
                Columns::new(&kept, terms, &sums, limits)
            }
        };
        let cells = columns.document_counts.iter().sum();
        let is_binary = limits.is_binary;
        let in_order = vocabulary.is_none();
        Ok(MatrixRun { setting, rows, numbers, columns, cells, kept_rows, is_binary, in_order })
    }
}

/// A term matrix whose columns are chosen, ready to be read row by row.
pub struct MatrixRun<'c> {
    setting: Setting<'c>,
    rows: RowPlan<'c>,
    numbers: WordNumbers,
    columns: Columns,
    cells: u64,
    /// The counts of the first pass, if they fit in memory.
    kept_rows: Option<KeptRows>,
    is_binary: bool,
    /// Whether items in the order of their keys are columns in order.
    in_order: bool,
}

/// Cells of one or more rows.
#[derive(Default)]
struct Cells {
    /// Where rows end.
    ends: Vec<usize>,
    columns: Vec<u32>,
    values: Vec<u64>,
    /// To sort rows by column.
    unsorted: Vec<(u32, u64)>,
}

impl MatrixRun<'_> {
    /// The terms that are the columns.
    #[must_use]
    pub fn terms(&self) -> &Terms {
        &self.columns.terms
    }

    /// The number of rows: one per chosen document or unit, also for those without words.
    #[must_use]
    pub fn row_count(&self) -> usize {
        self.rows.count()
    }

    /// The name of a row: of its document or unit.
    ///
    /// # Panics
    /// When there is no such row.
    #[must_use]
    pub fn row_name(&self, row: usize) -> &[u8] {
        self.rows.name(row)
    }

    /// The number of a row's document, unless rows are [units](super::Units).
    ///
    /// # Panics
    /// When there is no such row.
    #[must_use]
    pub fn row_document(&self, row: usize) -> Option<usize> {
        self.rows.document(row)
    }

    /// The number of cells that are not zero.
    #[must_use]
    pub fn cells(&self) -> u64 {
        self.cells
    }

    /// In how many rows each term occurs.
    #[must_use]
    pub fn document_counts(&self) -> &[u64] {
        &self.columns.document_counts
    }

    /// The sum of each column.
    #[must_use]
    pub fn totals(&self) -> &[u64] {
        &self.columns.totals
    }

    /// Passes the columns and values of each row to `consume`, in order. A row without terms is
    /// empty.
    ///
    /// # Errors
    /// When the corpus is damaged, the run is cancelled, or `consume` fails.
    pub fn for_each_row(
        &self,
        mut consume: impl FnMut(&[u32], &[u64]) -> Result<(), QueryError> + Send,
    ) -> Result<(), QueryError> {
        self.for_each_rows(|cells| {
            cells.rows().try_for_each(|(columns, values)| consume(columns, values))
        })
    }

    /// All rows.
    ///
    /// # Errors
    /// When the corpus is damaged or the run is cancelled.
    pub fn collect(&self) -> Result<Matrix<u64>, QueryError> {
        let (width, cells) = (self.terms().len(), self.cells as usize);
        let mut matrix = Matrix::with_capacity(width, self.row_count(), cells);
        self.for_each_rows(|cells| {
            for (columns, values) in cells.rows() {
                matrix.push_row(columns, values.iter().copied());
            }
            Ok(())
        })?;
        Ok(matrix)
    }

    /// What the run has cost so far.
    #[must_use]
    pub fn into_report(self) -> Report {
        let passes = if self.kept_rows.is_some() { 1 } else { 2 };
        self.setting.into_report(Passes(passes))
    }

    /// Passes rows on, several at once.
    fn for_each_rows(
        &self,
        mut consume: impl FnMut(&Cells) -> Result<(), QueryError> + Send,
    ) -> Result<(), QueryError> {
        let Some(kept) = &self.kept_rows else {
            let mut cells = Cells::default();
            let items = WordItems::new(&self.setting);
            return scan(&self.setting, &self.rows, &items, |counts| {
                cells.clear();
                let counts = counts.iter();
                let found =
                    counts.filter_map(|(key, count)| Some((self.numbers.find(key)?, *count)));
                self.push(&mut cells, found);
                consume(&cells)
            });
        };
        let parts = parts(kept);
        let work = |part: usize, outlet: &mut Outlet<'_, '_, Cells, QueryError>| {
            self.setting.plan.options.progress.check()?;
            let mut cells = Cells::default();
            self.setting.ledger.meter.time(Phase::Merge, || {
                parts[part].clone().for_each(|row| self.push(&mut cells, kept.row(row)));
            });
            let _ = outlet.emit(cells);
            Ok(())
        };
        run_in_order(self.setting.plan.threads, parts.len(), work, |cells| consume(&cells))
    }

    /// Adds a row of items, in the order of their keys.
    fn push(&self, cells: &mut Cells, items: impl Iterator<Item = (u32, u64)>) {
        let value = |count: u64| if self.is_binary { 1 } else { count };
        let of_items = &self.columns.of_items;
        let counted = items.map(|(item, count)| (of_items[item as usize], value(count)));
        let counted = counted.filter(|&(column, _)| column != NO_COLUMN);
        if self.in_order {
            cells.extend(counted);
        } else {
            let mut unsorted = std::mem::take(&mut cells.unsorted);
            unsorted.extend(counted);
            unsorted.sort_unstable();
            cells.extend(unsorted.drain(..));
            cells.unsorted = unsorted;
        }
        cells.ends.push(cells.columns.len());
    }
}

impl Cells {
    fn clear(&mut self) {
        self.ends.clear();
        self.columns.clear();
        self.values.clear();
    }

    fn rows(&self) -> impl Iterator<Item = (&[u32], &[u64])> {
        let starts = std::iter::once(&0).chain(&self.ends);
        let row = |(&start, &end)| (&self.columns[start..end], &self.values[start..end]);
        starts.zip(&self.ends).map(row)
    }

    #[inline(always)]
    fn extend(&mut self, cells: impl Iterator<Item = (u32, u64)>) {
        for (column, value) in cells {
            self.columns.push(column);
            self.values.push(value);
        }
    }
}

/// Divides rows into parts of about equal size.
fn parts(rows: &KeptRows) -> Vec<Range<usize>> {
    /// Cells in a part, unless a row has more.
    const CELLS: usize = 1 << 15;
    let mut parts = Vec::new();
    let mut start = 0;
    for row in 1..=rows.len() {
        if row == rows.len() || rows.start(row) - rows.start(start) >= CELLS {
            parts.push(start..row);
            start = row;
        }
    }
    parts
}

/// Counts the items of all rows and passes each row to `sink`, rising by key.
pub(in crate::analytics) fn scan<I: CountDocument>(
    setting: &Setting<'_>,
    rows: &RowPlan<'_>,
    items: &I,
    mut sink: impl FnMut(&[(I::Key, u64)]) -> Result<(), QueryError> + Send,
) -> Result<(), QueryError> {
    let mut assembler = RowAssembler::new(rows, &setting.plan.segments);
    for_each_document(setting, items, |counted| assembler.add(&counted, &mut sink))?;
    assembler.finish(&mut sink)
}

/// Numbers the items of all rows and adds up their counts. Returns the rows if they take at most a
/// quarter of the memory.
fn first_pass<I: CountDocument>(
    setting: &Setting<'_>,
    rows: &RowPlan<'_>,
    items: &I,
    numbers: &mut impl Numbering<I::Key>,
    sums: &mut Sums,
) -> Result<Option<KeptRows>, QueryError> {
    let most_cells = setting.plan.options.memory / 4 / KeptRows::BYTES_A_CELL;
    let mut kept = Some(KeptRows::default());
    scan(setting, rows, items, |counts| {
        if let Some(rows) = &mut kept {
            rows.begin_row();
        }
        for (key, count) in counts {
            let Some(item) = numbers.learn(key)? else { continue };
            sums.add(item, *count);
            if let Some(rows) = &mut kept {
                rows.push(item, *count);
            }
        }
        if kept.as_ref().is_some_and(|rows| rows.cells() as u64 > most_cells) {
            kept = None;
        }
        Ok(())
    })?;
    Ok(kept)
}
