//! Estimates whether a GPU is worth its start.
//!
//! `auto` estimates twice: before it loads a driver, assuming a GPU that takes no time at all; and with
//! an open GPU, by the time per symbol of its self-test. The CPU's figures come from measurements of
//! prototypes on one core. The estimates decide which engine runs, never what it returns.

use zgram::Corpus;
use zgram::analytics::Question;

/// Seconds of CPU work below which `auto` loads no driver. Loading takes a fraction of a second and some
/// fifty megabytes, and some drivers print to the terminal. The rest is a margin, because the CPU's
/// figures are estimates and no hardware GPU was measured.
const START: f64 = 5.0;

/// Nanoseconds on one core: per symbol to count the words of the corpus, per word to count the words of
/// documents, and per word to count sequences.
const CPU_SYMBOL: f64 = 2.0;
const CPU_WORD: f64 = 4.0;
const CPU_SEQUENCE: f64 = 80.0;

/// Nanoseconds on one core per read of a batch.
const CPU_READ: f64 = 1000.0;

/// Whether the CPU would take longer for a batch's reads than the GPU takes to start.
pub(super) fn pays_for_reads(reads: usize, threads: usize) -> bool {
    CPU_READ * reads as f64 / threads.max(1) as f64 > START * 1e9
}

/// Whether the CPU would take longer than a GPU, including its start. The GPU takes `gpu_symbol`
/// nanoseconds per symbol, including the transfer.
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

/// Whether `cpu` nanoseconds of one core take longer on all threads than `gpu` nanoseconds and the start
/// of a GPU.
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
        // No GPU pays where many cores are as fast, or where there is little to do.
        assert!(!takes_longer(CPU_SEQUENCE * symbols, 128, symbols));
        assert!(!takes_longer(CPU_SEQUENCE * 1e7, 1, 0.0));
    }
}
