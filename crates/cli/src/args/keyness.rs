//! Arguments of `keyness`.

use super::matrix::WorkArgs;
use super::shared::CorpusFile;
use super::tasks::{OutputArgs, ViewArgs};
use crate::size;
use clap::{Args, ValueEnum, ValueHint};
use std::ffi::OsString;
use std::path::PathBuf;
use zgram::analytics::KeynessMeasure;

/// Find the words that set documents apart from others
///
/// Compares FILE with REFERENCE, or the documents of --target with those of --reference (default: all
/// others). Rows are word, score, the counts in target and reference, and both per million words. The
/// score is positive for words that are more frequent in the target, negative for those that are less.
/// The highest score comes first, then words by their bytes.
#[derive(Debug, Args)]
#[command(
    mut_arg("explain", |arg| arg.hide(true)),
    mut_arg("stats", |arg| arg.hide(true)),
    after_long_help = "\
EXAMPLES:
  zgram keyness science.zgram news.zgram --lower --min-count 5 --top 20
  zgram keyness news.zgram --target 'sci.space/*' --lower --top 20
  zgram keyness news.zgram --target 'sci.*' --reference 'rec.*' --measure logratio --min-count 20
  zgram keyness science.zgram news.zgram --reverse --top 20       words that science uses less")]
pub(crate) struct KeynessArgs {
    #[command(flatten)]
    pub(crate) file: CorpusFile,
    /// The corpus to compare with
    #[arg(value_name = "REFERENCE", value_hint = ValueHint::FilePath)]
    pub(crate) other: Option<PathBuf>,
    /// Compare only these documents of FILE: a name or a pattern; may be repeated
    #[arg(long, value_name = "DOC")]
    pub(crate) target: Vec<OsString>,
    /// Compare with these documents only, of REFERENCE or else of FILE; may be repeated
    #[arg(long, value_name = "DOC")]
    pub(crate) reference: Vec<OsString>,
    /// How to measure keyness
    #[arg(long, value_enum, default_value_t)]
    pub(crate) measure: MeasureName,
    /// Leave out words with fewer occurrences in target and reference together
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true)]
    pub(crate) min_count: u64,
    /// Print only the first K words
    #[arg(long, value_name = "K", value_parser = size::parse_usize)]
    pub(crate) top: Option<usize>,
    /// Print the words that are less frequent in the target first
    #[arg(long)]
    pub(crate) reverse: bool,
    #[command(flatten)]
    pub(crate) view: ViewArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
}

/// Measures of keyness.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum MeasureName {
    /// Log-likelihood (Rayson and Garside): how certain it is that frequencies differ
    #[default]
    Ll,
    /// Log ratio (Hardie): how much they differ; 1 means twice as frequent. A count of 0 is taken as
    /// 0.5
    Logratio,
}

impl From<MeasureName> for KeynessMeasure {
    fn from(name: MeasureName) -> Self {
        match name {
            MeasureName::Ll => Self::LogLikelihood,
            MeasureName::Logratio => Self::LogRatio,
        }
    }
}
