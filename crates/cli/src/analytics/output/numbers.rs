//! Rows with the numbers that `--columns` asks for.

use super::Columns;
use crate::args::tasks::{NumberColumn, OutputArgs};
use crate::printer::{Cell, Column, write_records};
use crate::reporter::Reporter;
use std::io;
use zgram::analytics::{BatchRow, Query, Question, Report, RowBatch};
use zgram::error::QueryError;

/// Answers the query and writes its rows, each with the words and these numbers.
pub(in crate::analytics) fn write_numbers<Q: Clone + Into<Question>>(
    query: &Query<'_, Q>,
    columns: Columns,
    numbers: &[NumberColumn],
    args: &OutputArgs,
    reporter: &Reporter,
) -> anyhow::Result<Report> {
    let first = std::iter::once(Column::name(columns.first()));
    let all: Vec<Column> = first.chain(numbers.iter().map(column)).collect();
    let mut report = Report::default();
    write_records(&all, args, reporter, |sink| {
        let row = |row: BatchRow<'_>| -> Vec<Cell<'static>> {
            let words = std::iter::once(Cell::name(row.text()));
            words.chain(numbers.iter().map(|&number| cell(row, number))).collect()
        };
        let encode = |batch: &RowBatch<'_>| batch.rows().map(row).collect::<Vec<_>>();
        report = query.for_each_batch(encode, |rows| {
            rows.iter().try_for_each(|row| sink(row)).map_err(|error| {
                let source = error.downcast().unwrap_or_else(io::Error::other);
                QueryError::Output { source }
            })
        })?;
        Ok(())
    })?;
    Ok(report)
}

fn column(number: &NumberColumn) -> Column {
    match number {
        NumberColumn::Count => Column::count("count"),
        NumberColumn::Documents => Column::count("documents"),
        NumberColumn::PerMillion => Column::score("per_million"),
    }
}

fn cell(row: BatchRow<'_>, number: NumberColumn) -> Cell<'static> {
    match number {
        NumberColumn::Count => Cell::Count(row.count),
        NumberColumn::Documents => Cell::Count(u64::from(row.documents.unwrap_or(0))),
        NumberColumn::PerMillion => Cell::Score(row.per_million().unwrap_or(0.0)),
    }
}
