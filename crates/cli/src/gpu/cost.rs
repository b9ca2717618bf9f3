//! Whether a GPU is worth its start.
//!
//! Asked twice: before a driver is loaded, of a GPU that takes no time at all; and when one is open,
//! with the time that its self-test took for a symbol. The CPU's figures are from measurements of
//! prototypes on one core. All decide only who answers, never what is answered.

use zgram::Corpus;
use zgram::analytics::Question;

/// Seconds of work below which no driver is loaded: that takes a fraction of a second and some fifty
/// megabytes, and some drivers write to the terminal.
const START: f64 = 5.0;

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

/// Whether the CPU would take longer than a GPU with its start, which takes `gpu_symbol` nanoseconds
/// for a symbol, moving it there included.
pub(super) fn pays(corpus: &Corpus, question: &Question, threads: usize, gpu_symbol: f64) -> bool {
    let sizes = &corpus.facts().sizes;
    let (symbols, words) = (sizes.symbols as f64, sizes.text_words as f64);
    let cpu = match question {
        Question::WordCount(_) | Question::Sort(_) => CPU_SYMBOL * symbols,
        Question::TermVector(_) | Question::InvertedIndex(_) => CPU_WORD * words,
        Question::SequenceCount(_) | Question::RankedInvertedIndex(_) => {
            CPU_SEQUENCE * words.min(4.0 * symbols)
        }
    };
    takes_longer(cpu, threads, gpu_symbol * symbols)
}

/// Whether so many nanoseconds on one core are more than so many on a GPU, and its start.
fn takes_longer(cpu: f64, threads: usize, gpu: f64) -> bool {
    cpu / threads.max(1) as f64 > START * 1e9 + gpu
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_gpu_does_not_pay_where_a_fast_one_does() {
        let symbols = 1e9;
        assert!(takes_longer(CPU_SEQUENCE * symbols, 1, symbols));
        assert!(!takes_longer(CPU_SEQUENCE * symbols, 1, 100.0 * symbols));
        // Nor does any where many cores are as quick, or where there is little to do.
        assert!(!takes_longer(CPU_SEQUENCE * symbols, 128, symbols));
        assert!(!takes_longer(CPU_SEQUENCE * 1e7, 1, 0.0));
    }
}
