//! The raw rival: the six tasks on plain text, as well as they can be done on plain text.
//!
//! This is the yardstick for analytics on compressed text, so it is as fast as we can make it: a tokeniser that
//! looks at 64 bytes at a time ([`words`]), a table whose keys are the words themselves
//! ([`vocabulary`]), counters indexed by word ([`counts`]), sequences packed into one register and
//! counted in tables that fit the cache ([`sequences`]), rows written from buffers ([`rows`]).
//!
//! Rows are those of zgram. Word counts and sorted words are in zgram's order too; all other rows
//! come in the order that costs least, so the rival is spared a sort that zgram does.
//!
//! Threads share work by documents; a corpus of one document gains nothing from a second thread.

pub mod counts;
pub mod documents;
pub mod rows;
pub mod sequences;
pub mod vocabulary;
pub mod words;

use std::thread;

use anyhow::Result;

use crate::tasks::Task;
use documents::Source;
use rows::Output;

/// What is asked, and how many threads may work on it.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// What is asked.
    pub task: Task,
    /// Words in a sequence.
    pub n: usize,
    /// Sequences of the whole corpus instead of each document.
    pub corpus: bool,
    /// Workers.
    pub threads: usize,
}

/// Answers the question about all documents of `source`.
///
/// # Errors
/// When a document cannot be read or a row not be written.
pub fn run(request: &Request, source: &Source, output: &Output) -> Result<()> {
    let Request { task, n, corpus, threads } = *request;
    match task {
        Task::WordCount => counts::word_count(source, output, threads, counts::Order::Count),
        Task::Sort => counts::word_count(source, output, threads, counts::Order::Word),
        Task::InvertedIndex => counts::inverted_index(source, output, threads),
        Task::TermVector => counts::term_vector(source, output, threads),
        Task::SequenceCount if corpus => sequences::of_corpus(source, output, threads, n),
        Task::SequenceCount => sequences::of_documents(source, output, threads, n),
        Task::RankedInvertedIndex => sequences::ranked_index(source, output, threads, n),
    }
}

/// Runs `work` on this many threads and returns the result of each.
fn on_threads<T: Send>(threads: usize, work: impl Fn() -> Result<T> + Sync) -> Result<Vec<T>> {
    if threads <= 1 {
        return Ok(vec![work()?]);
    }
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(&work)).collect();
        workers.into_iter().map(|worker| worker.join().expect("no worker panics")).collect()
    })
}

/// The tails of the rows of every document.
fn tails(source: &Source) -> Vec<Vec<u8>> {
    (0..source.len()).map(|document| source.with_name(document, rows::tail)).collect()
}

#[cfg(test)]
mod tests;
