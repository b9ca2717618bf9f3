//! What a topic model found: two files of rows, and the first words of each topic.

use super::folder::Folder;
use crate::args::tasks::{OutputArgs, RowFormat};
use crate::printer::{Cell, Column, write_records};
use crate::reporter::Reporter;
use std::path::PathBuf;
use zgram::analytics::MatrixRun;
use zgram::progress::Progress;
use zgram_models::lda::Lda;

const WORDS: &[Column] = &[Column::count("topic"), Column::name("word"), Column::score("weight")];
const DOCUMENTS: &[Column] =
    &[Column::name("document"), Column::count("topic"), Column::score("weight")];
const SUMMARY: &[Column] = &[Column::count("topic"), Column::score("share"), Column::name("words")];

/// A trained model, with the names of its words and documents.
pub(super) struct Results<'r> {
    pub(super) lda: &'r Lda,
    pub(super) run: &'r MatrixRun<'r>,
}

impl Results<'_> {
    /// Writes both files.
    pub(super) fn write(
        &self,
        folder: &Folder,
        format: RowFormat,
        reporter: &Reporter,
    ) -> anyhow::Result<()> {
        let ending = match format {
            RowFormat::Auto | RowFormat::Tsv => "tsv",
            RowFormat::Csv => "csv",
            RowFormat::Json => "json",
            RowFormat::Ndjson => "ndjson",
            RowFormat::Parquet => "parquet",
            RowFormat::Arrow => "arrow",
            RowFormat::Table => "txt",
        };
        let names = [format!("topics.{ending}"), format!("documents.{ending}")];
        folder.fill(&names, |inside| {
            let [topics, documents] =
                names.each_ref().map(|name| to_file(inside.join(name), format));
            write_records(WORDS, &topics, reporter, |sink| {
                for topic in 0..self.topics() {
                    reporter.check()?;
                    for (word, weight) in self.lda.topic_words(topic) {
                        let word = self.run.terms().get(word as usize);
                        sink(&[Cell::Count(topic as u64), Cell::name(word), Cell::Score(weight)])?;
                    }
                }
                Ok(())
            })?;
            write_records(DOCUMENTS, &documents, reporter, |sink| {
                for document in 0..self.run.row_count() {
                    reporter.check()?;
                    for (topic, weight) in self.lda.document_topics(document) {
                        let name = Cell::name(self.run.row_name(document));
                        sink(&[name, Cell::Count(topic as u64), Cell::Score(weight)])?;
                    }
                }
                Ok(())
            })?;
            Ok(())
        })
    }

    /// Prints the first words of each topic.
    pub(super) fn print(
        &self,
        top: usize,
        format: RowFormat,
        reporter: &Reporter,
    ) -> anyhow::Result<()> {
        if top == 0 {
            return Ok(());
        }
        let format = match format {
            // These are not for the eye.
            RowFormat::Parquet | RowFormat::Arrow => RowFormat::Auto,
            format => format,
        };
        let output = OutputArgs { output: None, ..to_file(PathBuf::new(), format) };
        write_records(SUMMARY, &output, reporter, |sink| {
            for (topic, size) in self.lda.topic_sizes().into_iter().enumerate() {
                let words = self.lda.topic_words(topic);
                let words =
                    words.iter().take(top).map(|&(word, _)| self.run.terms().get(word as usize));
                let words = words.collect::<Vec<_>>().join(&b' ');
                let share = size as f64 / self.lda.tokens() as f64;
                sink(&[Cell::Count(topic as u64), Cell::Score(share), Cell::name(words)])?;
            }
            Ok(())
        })?;
        Ok(())
    }

    fn topics(&self) -> usize {
        self.lda.topic_sizes().len()
    }
}

/// Rows go to a file that may replace another.
fn to_file(path: PathBuf, format: RowFormat) -> OutputArgs {
    OutputArgs {
        format,
        output: Some(path),
        force: true,
        stats: false,
        explain: false,
        plain_strings: false,
    }
}
