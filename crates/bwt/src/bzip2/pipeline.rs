//! Work on all cores whose results are wanted in order.

use rayon::{ThreadPool, ThreadPoolBuilder};
use std::collections::VecDeque;
use std::io;
use std::sync::mpsc::{Receiver, sync_channel};

/// A queue of tasks. With one thread, tasks are done as they come and no thread is started.
///
/// The threads are the queue's own: whoever waits for a result may itself be working in a pool.
#[derive(Debug)]
pub(crate) struct Pipeline<T> {
    pool: Option<ThreadPool>,
    /// Tasks whose results have not been taken, at most.
    room: usize,
    results: VecDeque<Slot<T>>,
}

#[derive(Debug)]
enum Slot<T> {
    Ready(T),
    Pending(Receiver<T>),
}

impl<T: Send + 'static> Pipeline<T> {
    /// A queue worked on by this many threads, 0 stands for one a core, with room for a task each
    /// and some that wait in line.
    pub(crate) fn new(threads: usize, in_line: usize) -> io::Result<Self> {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = if threads == 0 { cores() } else { threads };
        let pool = match threads {
            1 => None,
            _ => Some(
                ThreadPoolBuilder::new().num_threads(threads).build().map_err(io::Error::other)?,
            ),
        };
        let room = if pool.is_some() { threads + in_line } else { 1 };
        Ok(Self { pool, room, results: VecDeque::new() })
    }

    /// Adds a task.
    pub(crate) fn submit(&mut self, task: impl FnOnce() -> T + Send + 'static) {
        let slot = match &self.pool {
            None => Slot::Ready(task()),
            Some(pool) => {
                let (sender, receiver) = sync_channel(1);
                // Nobody waits for it any more if the queue is gone: no error then.
                pool.spawn(move || drop(sender.send(task())));
                Slot::Pending(receiver)
            }
        };
        self.results.push_back(slot);
    }

    /// How many threads work. One is the caller's own, which does nothing else then.
    pub(crate) fn threads(&self) -> usize {
        self.pool.as_ref().map_or(1, ThreadPool::current_num_threads)
    }

    /// Whether there is no room for another task.
    pub(crate) fn is_full(&self) -> bool {
        self.results.len() >= self.room
    }

    /// The result of the oldest task, when it is done.
    ///
    /// # Panics
    ///
    /// If the task panicked.
    pub(crate) fn next(&mut self) -> Option<T> {
        Some(match self.results.pop_front()? {
            Slot::Ready(result) => result,
            Slot::Pending(receiver) => receiver.recv().expect("a task panicked"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order() {
        for threads in [0, 1, 3] {
            let mut pipeline = Pipeline::new(threads, 1).unwrap();
            let mut results = Vec::new();
            for i in 0..50 {
                if pipeline.is_full() {
                    results.extend(pipeline.next());
                }
                pipeline.submit(move || i);
            }
            results.extend(std::iter::from_fn(|| pipeline.next()));
            assert!(results.into_iter().eq(0..50));
        }
    }
}
