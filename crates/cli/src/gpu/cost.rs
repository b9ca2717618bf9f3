//! Whether a GPU is worth its start.
//!
//! All figures are estimates: the CPU's from measurements of prototypes on one core, the GPU's of
//! loading a driver and its kernels and of moving a grammar over a bus, since no hardware GPU was at
//! hand. They decide only when it is tried, never what is answered.

use zgram::Corpus;
use zgram::analytics::Question;

/// Seconds of work below which no driver is loaded: that takes a fraction of a second and some fifty
/// megabytes, and some drivers write to the terminal.
const START: f64 = 5.0;

/// Nanoseconds on the GPU for a symbol, moving it included.
const GPU_SYMBOL: f64 = 1.0;

/// Nanoseconds on one core: for a symbol when words of the corpus are counted, for a word when words
/// of documents are, and for a word when sequences are.
const CPU_SYMBOL: f64 = 2.0;
const CPU_WORD: f64 = 4.0;
const CPU_SEQUENCE: f64 = 80.0;

/// Nanoseconds on one core for a read of a batch.
const CPU_READ: f64 = 1000.0;

/// Whether the CPU would take longer for a batch's reads than the GPU takes to start.
pub(super) fn pays_for_reads(reads: usize, threads: usize) -> bool {
    CPU_READ * reads as f64 / threads.max(1) as f64 > START * 1e9
}

/// Whether the CPU would take longer than the GPU with its start.
pub(super) fn pays(corpus: &Corpus, question: &Question, threads: usize) -> bool {
    let sizes = &corpus.facts().sizes;
    let (symbols, words) = (sizes.symbols as f64, sizes.text_words as f64);
    let cpu = match question {
        Question::WordCount(_) | Question::Sort(_) => CPU_SYMBOL * symbols,
        Question::TermVector(_) | Question::InvertedIndex(_) => CPU_WORD * words,
        Question::SequenceCount(_) | Question::RankedInvertedIndex(_) => {
            CPU_SEQUENCE * words.min(4.0 * symbols)
        }
    };
    cpu / threads.max(1) as f64 > START * 1e9 + GPU_SYMBOL * symbols
}
