//! The text formats: Matrix Market, svmlight, LDA-C, PLDA and UCI's bag of words.

use super::{MatrixFile, Number, Out, RowWriter, Scratch};
use crate::args::MatrixFormat;
use std::io::{BufWriter, Seek, Write};

pub(super) struct Lines<'w, 'm> {
    matrix: &'w MatrixFile<'m>,
    format: MatrixFormat,
    /// How Matrix Market calls the type of the values.
    field: &'static str,
    out: Out<'w>,
    /// The lines, if the heading before them waits for the number of cells.
    waiting: Option<BufWriter<Scratch>>,
    row: u64,
    cells: u64,
}

impl<'w, 'm> Lines<'w, 'm> {
    pub(super) fn new(
        matrix: &'w MatrixFile<'m>,
        format: MatrixFormat,
        out: Out<'w>,
        field: &'static str,
    ) -> anyhow::Result<Self> {
        let mut lines = Self { matrix, format, field, out, waiting: None, row: 0, cells: 0 };
        match matrix.cells {
            Some(cells) => lines.write_heading(cells)?,
            None => lines.waiting = Some(BufWriter::new(Scratch::new())),
        }
        Ok(lines)
    }

    fn write_heading(&mut self, cells: u64) -> std::io::Result<()> {
        let (rows, columns, out) = (self.matrix.rows.len, self.matrix.columns.len, &mut self.out);
        match self.format {
            MatrixFormat::Mtx => {
                writeln!(out, "%%MatrixMarket matrix coordinate {} general", self.field)?;
                writeln!(out, "{rows} {columns} {cells}")
            }
            MatrixFormat::Uci => writeln!(out, "{rows}\n{columns}\n{cells}"),
            _ => Ok(()),
        }
    }
}

/// A word as PLDA reads it: the spaces of an n-gram would end it.
fn plda_word(matrix: &MatrixFile<'_>, column: u32) -> Vec<u8> {
    let mut word = (matrix.columns.text)(column as usize).to_vec();
    word.iter_mut().filter(|byte| **byte == b' ').for_each(|byte| *byte = b'_');
    word
}

impl<N: Number> RowWriter<N> for Lines<'_, '_> {
    fn row(&mut self, columns: &[u32], values: &[N]) -> std::io::Result<()> {
        self.row += 1;
        self.cells += columns.len() as u64;
        let (row, format) = (self.row, self.format);
        let out: &mut dyn Write = match &mut self.waiting {
            Some(waiting) => waiting,
            None => &mut self.out,
        };
        match format {
            MatrixFormat::Svmlight => out.write_all(b"0")?,
            MatrixFormat::Ldac => write!(out, "{}", columns.len())?,
            _ => {}
        }
        for (at, (&column, &value)) in columns.iter().zip(values).enumerate() {
            match format {
                MatrixFormat::Svmlight => write!(out, " {}:", u64::from(column) + 1)?,
                MatrixFormat::Ldac => write!(out, " {column}:")?,
                MatrixFormat::Plda => {
                    let word = plda_word(self.matrix, column);
                    out.write_all(if at > 0 { b" " } else { b"" })?;
                    out.write_all(&word)?;
                    out.write_all(b" ")?;
                }
                _ => write!(out, "{} {} ", row, u64::from(column) + 1)?,
            }
            value.write_text(out)?;
            if matches!(format, MatrixFormat::Mtx | MatrixFormat::Uci) {
                out.write_all(b"\n")?;
            }
        }
        if !matches!(format, MatrixFormat::Mtx | MatrixFormat::Uci) {
            out.write_all(b"\n")?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> anyhow::Result<()> {
        if let Some(waiting) = self.waiting.take() {
            self.write_heading(self.cells)?;
            let mut waiting = waiting.into_inner().map_err(|error| error.into_error())?;
            waiting.rewind()?;
            std::io::copy(&mut waiting, &mut self.out)?;
        }
        Ok(self.out.flush()?)
    }
}
