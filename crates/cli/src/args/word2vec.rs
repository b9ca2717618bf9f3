//! Arguments of `word2vec` and `nearest`.

use super::shared::{CorpusFile, Documents};
use super::tasks::{OutputArgs, ViewArgs};
use crate::size;
use clap::{Args, ValueEnum, ValueHint};
use std::ffi::OsString;
use std::path::PathBuf;

/// Train word vectors (word2vec)
///
/// Words that occur in similar contexts get similar vectors. The defaults are gensim's: CBOW with
/// negative sampling. OUT is written after each epoch, so that Ctrl-C keeps the last complete one.
/// Query it with `zgram nearest`, or load it with gensim's KeyedVectors.load_word2vec_format.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram word2vec news.zgram --lower -o news.bin
  zgram word2vec news.zgram --skip-gram --hierarchical --size 300 -o news.txt
  zgram word2vec news.zgram --threads 1 --seed 7 -o news.bin    the same bytes every time
  zgram nearest news.bin paris -k 5")]
pub(crate) struct Word2VecArgs {
    #[command(flatten)]
    pub(crate) file: CorpusFile,
    #[command(flatten)]
    pub(crate) documents: Documents,
    #[command(flatten)]
    pub(crate) training: TrainingArgs,
    #[command(flatten)]
    pub(crate) view: ViewArgs,
    #[command(flatten)]
    pub(crate) output: VectorOutput,
    /// Number of threads, at most 1024; default: one per core. Only one thread gives the same vectors
    /// every time
    #[arg(
        short = 't',
        long,
        value_name = "N",
        value_parser = size::parse_threads,
        help_heading = "Running"
    )]
    pub(crate) threads: Option<u16>,
}

/// What is learned, and how.
#[derive(Debug, Args)]
#[command(next_help_heading = "Training")]
pub(crate) struct TrainingArgs {
    /// Numbers per vector
    #[arg(long, value_name = "N", default_value = "100", value_parser = size::parse_usize)]
    pub(crate) size: usize,
    /// The widest context: words on each side of a word
    #[arg(long, value_name = "WORDS", default_value_t = 5)]
    pub(crate) window: u32,
    /// Number of passes over the text
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) epochs: u32,
    /// Random words that training contrasts with each word
    #[arg(long, value_name = "N", default_value_t = 5, conflicts_with = "hierarchical")]
    pub(crate) negative: u32,
    /// Hierarchical softmax over the words' Huffman codes, instead of negative samples
    #[arg(long)]
    pub(crate) hierarchical: bool,
    /// Predict each word from single words around it, instead of from their mean (CBOW)
    #[arg(long)]
    pub(crate) skip_gram: bool,
    /// Leave out words that occur fewer times
    #[arg(long, value_name = "N", default_value = "5", value_parser = size::parse_count)]
    pub(crate) min_count: u64,
    /// Keep only the N most frequent words
    #[arg(long, value_name = "N", value_parser = size::parse_usize)]
    pub(crate) max_vocab: Option<usize>,
    /// Thin out words that are more than this share of the text; 0 keeps all
    #[arg(long, value_name = "SHARE", default_value_t = 1e-3)]
    pub(crate) sample: f64,
    /// Learning rate at the beginning; it falls to 0.0001
    #[arg(long, value_name = "RATE", default_value_t = 0.025)]
    pub(crate) alpha: f32,
    /// Seed of the random numbers
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
}

/// Where and how to write vectors.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct VectorOutput {
    /// The file to write; `.txt` for text, anything else for binary
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub(crate) output: PathBuf,
    /// File format, whatever the name
    #[arg(long, value_enum)]
    pub(crate) format: Option<VectorFormatName>,
    /// Replace the file if it exists
    #[arg(short, long)]
    pub(crate) force: bool,
    /// Print on standard error how long each phase took
    #[arg(long)]
    pub(crate) stats: bool,
}

/// word2vec's two formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum VectorFormatName {
    /// A line per word, numbers as text
    Text,
    /// Numbers as 32-bit floats
    Binary,
}

/// List the words whose vectors are nearest to a word's
///
/// Reads vectors in word2vec's text or binary format. Several words are added up; a word after `-` is
/// subtracted. The similarity is the cosine, as in gensim's most_similar.
#[derive(Debug, Args)]
#[command(
    mut_arg("explain", |arg| arg.hide(true)),
    mut_arg("stats", |arg| arg.hide(true)),
    after_long_help = "\
EXAMPLES:
  zgram nearest news.bin paris
  zgram nearest news.bin king - man + woman -k 5
  zgram nearest GoogleNews-vectors-negative300.bin frog --format json")]
pub(crate) struct NearestArgs {
    /// A file of word vectors; `-` is standard input
    #[arg(value_name = "VECTORS", value_hint = ValueHint::FilePath)]
    pub(crate) vectors: PathBuf,
    /// Words, with + or - between them
    #[arg(value_name = "WORD", required = true)]
    pub(crate) words: Vec<OsString>,
    /// How many words to list
    #[arg(short, long, value_name = "N", default_value = "10", value_parser = size::parse_usize)]
    pub(crate) k: usize,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
