//! A matrix whose columns are chosen.

use super::TermMatrix;
use super::columns::{Columns, NO_COLUMN, Sums};
use super::lexicon::{self, Numbering, WordNumbers};
use super::ngrams;
use super::rows::{KeptRows, RowAssembler};
use super::sparse::{Matrix, Terms};
use super::units::RowPlan;
use crate::analytics::engine::document_counts::{CountDocument, for_each_document};
use crate::analytics::engine::first_occurrence::places_of_words;
use crate::analytics::engine::word_items::WordItems;
use crate::analytics::engine::{Outlet, Passes, Setting, run_in_order};
use crate::analytics::options::Options;
use crate::analytics::query::Query;
use crate::analytics::report::{Phase, Report};
use crate::analytics::select;
use crate::analytics::tasks::Shape;
use crate::error::QueryError;
use std::ops::Range;

impl<'c> Query<'c, TermMatrix> {
    /// Counts the terms of all documents and chooses the columns.
    ///
    /// # Errors
    /// [`QueryError::Matrix`] when no column is left or the limits make no sense; any other error when the
    /// corpus is damaged or the query cannot be answered.
    pub fn prepare(&self) -> Result<MatrixRun<'c>, QueryError> {
        let asked = &self.question;
        asked.limits.check()?;
        ngrams::check(&asked.lengths)?;
        asked.vocabulary.as_deref().map_or(Ok(()), lexicon::check)?;
        let chosen = self.options.documents.as_deref();
        let rows = RowPlan::new(self.corpus, chosen, asked.units.as_ref())?;
        let options = Options { documents: rows.documents.clone(), ..self.options.clone() };
        let is_of_counts = asked.lengths == (1..=1);
        let words_a_row = *asked.lengths.end();
        let shape = Shape { words_a_row, is_of_counts, ..Shape::BY_DOCUMENT };
        let decision = select::decide(self.corpus, &shape, &options);
        let setting = Setting::new(self.corpus, options, &decision)?;
        let counted = match asked.lengths == (1..=1) {
            true => count_words(&setting, &rows, asked)?,
            false => ngrams::count(&setting, &rows, asked)?,
        };
        let cells = counted.columns.document_counts.iter().sum();
        let has_vocabulary = asked.vocabulary.is_some();
        let is_binary = asked.limits.is_binary;
        Ok(MatrixRun { setting, rows, counted, cells, is_binary, has_vocabulary })
    }
}

/// Counts words and chooses the columns.
fn count_words(
    setting: &Setting<'_>,
    rows: &RowPlan<'_>,
    asked: &TermMatrix,
) -> Result<Counted, QueryError> {
    let words = &setting.plan.words;
    let mut numbers = match &asked.vocabulary {
        Some(vocabulary) => WordNumbers::of_vocabulary(vocabulary, words),
        None => WordNumbers::All,
    };
    let mut sums = Sums::with_items(asked.vocabulary.as_ref().map_or(words.len(), |v| v.len()));
    let kept = first_pass(setting, rows, &WordItems::new(setting), &mut numbers, &mut sums)?;
    let columns = match &asked.vocabulary {
        Some(vocabulary) => Columns::of_vocabulary(vocabulary, &sums, &asked.limits)?,
        None => {
            let all = 0..words.len() as u32;
            let kept = asked.limits.choose(all, &sums, rows.count(), sums.distinct())?;
            let terms = kept.iter().map(|&rank| words.text_at(rank)).collect();
            Columns::new(&kept, terms, &sums, &asked.limits)
        }
    };
    let passes = if kept.is_some() { 1 } else { 2 };
    let in_order = asked.vocabulary.is_none();
    Ok(Counted { columns, kept, numbers: Box::new(numbers), in_order, passes })
}

/// The columns and the cells.
pub(super) struct Counted {
    pub(super) columns: Columns,
    /// The cells, if they fit in memory. Otherwise they are counted once more.
    pub(super) kept: Option<KeptRows>,
    pub(super) numbers: Box<dyn Recount>,
    /// Whether items in the order of their keys are columns in order.
    pub(super) in_order: bool,
    /// How often the corpus is traversed.
    pub(super) passes: u64,
}

/// Counts the cells of columns that are chosen.
pub(super) trait Recount: Send + Sync {
    /// Passes the items of each row to `sink`.
    fn recount(
        &self,
        setting: &Setting<'_>,
        rows: &RowPlan<'_>,
        sink: &mut RowItems<'_>,
    ) -> Result<(), QueryError>;

    /// The place of each item among all items by first occurrence, as scikit-learn meets them: by
    /// document, then by length, then by place in the text.
    fn places(&self, setting: &Setting<'_>, items: usize) -> Result<Vec<u32>, QueryError>;
}

/// Takes the items of a row, with their counts.
pub(super) type RowItems<'s> =
    dyn FnMut(&mut dyn Iterator<Item = (u32, u64)>) -> Result<(), QueryError> + Send + 's;

impl Recount for WordNumbers {
    fn recount(
        &self,
        setting: &Setting<'_>,
        rows: &RowPlan<'_>,
        sink: &mut RowItems<'_>,
    ) -> Result<(), QueryError> {
        scan(setting, rows, &WordItems::new(setting), |counts| {
            let found = counts.iter().filter_map(|(key, count)| Some((self.find(key)?, *count)));
            sink(&mut { found })
        })
    }

    fn places(&self, setting: &Setting<'_>, items: usize) -> Result<Vec<u32>, QueryError> {
        let of_ranks = places_of_words(setting)?;
        let mut places = vec![u32::MAX; items];
        for (rank, &place) in (0..).zip(&of_ranks) {
            if let Some(item) = self.find(&rank) {
                places[item as usize] = place;
            }
        }
        Ok(places)
    }
}

/// A term matrix whose columns are chosen, ready to be read row by row.
pub struct MatrixRun<'c> {
    setting: Setting<'c>,
    rows: RowPlan<'c>,
    counted: Counted,
    cells: u64,
    is_binary: bool,
    has_vocabulary: bool,
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
        &self.counted.columns.terms
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
        &self.counted.columns.document_counts
    }

    /// The sum of each column.
    #[must_use]
    pub fn totals(&self) -> &[u64] {
        &self.counted.columns.totals
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

    /// The place of each column's term by its first occurrence in the text: terms that scikit-learn meets
    /// earlier have lower places. `None` if a vocabulary gives the columns.
    ///
    /// # Errors
    /// When the corpus is damaged or the run is cancelled.
    pub fn places(&self) -> Result<Option<Vec<u32>>, QueryError> {
        if self.has_vocabulary {
            return Ok(None);
        }
        let of_items = &self.counted.columns.of_items;
        let places = self.counted.numbers.places(&self.setting, of_items.len())?;
        let mut of_columns = vec![0; self.terms().len()];
        let columns = of_items.iter().zip(places).filter(|(column, _)| **column != NO_COLUMN);
        columns.for_each(|(&column, place)| of_columns[column as usize] = place);
        Ok(Some(of_columns))
    }

    /// What the run has cost so far.
    #[must_use]
    pub fn into_report(self) -> Report {
        self.setting.into_report(Passes(self.counted.passes))
    }

    /// Passes rows on, several at once.
    fn for_each_rows(
        &self,
        mut consume: impl FnMut(&Cells) -> Result<(), QueryError> + Send,
    ) -> Result<(), QueryError> {
        let Some(kept) = &self.counted.kept else {
            let mut cells = Cells::default();
            return self.counted.numbers.recount(&self.setting, &self.rows, &mut |items| {
                cells.clear();
                self.push(&mut cells, items);
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
        let of_items = &self.counted.columns.of_items;
        let counted = items.map(|(item, count)| (of_items[item as usize], value(count)));
        let counted = counted.filter(|&(column, _)| column != NO_COLUMN);
        if self.counted.in_order {
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
pub(super) fn first_pass<I: CountDocument>(
    setting: &Setting<'_>,
    rows: &RowPlan<'_>,
    items: &I,
    numbers: &mut impl Numbering<I::Key>,
    sums: &mut Sums,
) -> Result<Option<KeptRows>, QueryError> {
    let most_cells = setting.plan.options.memory / 4 / KeptRows::<u32>::BYTES_A_CELL;
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
