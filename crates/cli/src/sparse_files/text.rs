//! The text formats: Matrix Market, svmlight, LDA-C, PLDA and UCI's bag of words.

use super::{MatrixFile, Number, Out, RowWriter};
use crate::args::MatrixFormat;
use std::io::Write;

pub(super) struct Lines<'w, 'm> {
    matrix: &'w MatrixFile<'m>,
    format: MatrixFormat,
    out: Out<'w>,
    row: u64,
}

impl<'w, 'm> Lines<'w, 'm> {
    pub(super) fn new(
        matrix: &'w MatrixFile<'m>,
        format: MatrixFormat,
        mut out: Out<'w>,
        field: &str,
    ) -> anyhow::Result<Self> {
        let (rows, columns, cells) = (matrix.rows.len, matrix.columns.len, matrix.cells);
        match format {
            MatrixFormat::Mtx => {
                writeln!(out, "%%MatrixMarket matrix coordinate {field} general")?;
                writeln!(out, "{rows} {columns} {cells}")?;
            }
            MatrixFormat::Uci => writeln!(out, "{rows}\n{columns}\n{cells}")?,
            _ => {}
        }
        Ok(Self { matrix, format, out, row: 0 })
    }

    /// A word as PLDA reads it: the spaces of an n-gram would end it.
    fn word(&self, column: u32) -> Vec<u8> {
        let mut word = (self.matrix.columns.text)(column as usize).to_vec();
        word.iter_mut().filter(|byte| **byte == b' ').for_each(|byte| *byte = b'_');
        word
    }
}

impl<N: Number> RowWriter<N> for Lines<'_, '_> {
    fn row(&mut self, columns: &[u32], values: &[N]) -> std::io::Result<()> {
        self.row += 1;
        match self.format {
            MatrixFormat::Svmlight => self.out.write_all(b"0")?,
            MatrixFormat::Ldac => write!(self.out, "{}", columns.len())?,
            _ => {}
        }
        for (at, (&column, &value)) in columns.iter().zip(values).enumerate() {
            match self.format {
                MatrixFormat::Svmlight => write!(self.out, " {}:", u64::from(column) + 1)?,
                MatrixFormat::Ldac => write!(self.out, " {column}:")?,
                MatrixFormat::Plda => {
                    let word = self.word(column);
                    self.out.write_all(if at > 0 { b" " } else { b"" })?;
                    self.out.write_all(&word)?;
                    self.out.write_all(b" ")?;
                }
                _ => write!(self.out, "{} {} ", self.row, u64::from(column) + 1)?,
            }
            value.write_text(&mut self.out)?;
            if matches!(self.format, MatrixFormat::Mtx | MatrixFormat::Uci) {
                self.out.write_all(b"\n")?;
            }
        }
        if !matches!(self.format, MatrixFormat::Mtx | MatrixFormat::Uci) {
            self.out.write_all(b"\n")?;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> anyhow::Result<()> {
        Ok(self.out.flush()?)
    }
}
