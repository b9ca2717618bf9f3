//! Work on all cores whose results are wanted in order.

use std::collections::VecDeque;
use std::io;
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

/// A queue of tasks. With one thread, tasks are done as they come and no thread is started.
///
/// The queue has its own threads, because a caller that waits for a result may itself run in a pool. They
/// are plain ones, since tasks are few and long and nothing is to be gained from stealing them; a pool
/// that could would be half a megabyte more of the program in memory.
#[derive(Debug)]
pub(crate) struct Pipeline<T> {
    workers: Option<Workers>,
    /// Tasks whose results have not been taken, at most.
    room: usize,
    results: VecDeque<Slot<T>>,
}

#[derive(Debug)]
enum Slot<T> {
    Ready(T),
    Pending(Receiver<T>),
}

type Task = Box<dyn FnOnce() + Send>;

/// Threads that take up tasks in order.
#[derive(Debug)]
struct Workers {
    /// Gone when no task will come any more.
    tasks: Option<Sender<Task>>,
    threads: Vec<JoinHandle<()>>,
}

impl Workers {
    fn start(count: usize) -> io::Result<Self> {
        let (sender, receiver) = channel::<Task>();
        let mut workers = Self { tasks: Some(sender), threads: Vec::with_capacity(count) };
        let receiver = Arc::new(Mutex::new(receiver));
        for _ in 0..count {
            let receiver = Arc::clone(&receiver);
            let next = move || receiver.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let work = move || {
                while let Ok(task) = next() {
                    task();
                }
            };
            workers.threads.push(Builder::new().spawn(work)?);
        }
        Ok(workers)
    }
}

impl Drop for Workers {
    /// Waits for the tasks under way, so that nothing goes on behind the caller's back.
    fn drop(&mut self) {
        self.tasks = None;
        for thread in self.threads.drain(..) {
            // The caller that waited for a task that panicked already has the panic.
            let _ = thread.join();
        }
    }
}

impl<T: Send + 'static> Pipeline<T> {
    /// A queue worked on by this many threads, 0 means one per core, with room for a task each
    /// and some that wait in line.
    pub(crate) fn new(threads: usize, in_line: usize) -> io::Result<Self> {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = if threads == 0 { cores() } else { threads };
        let workers = if threads == 1 { None } else { Some(Workers::start(threads)?) };
        let room = if workers.is_some() { threads + in_line } else { 1 };
        Ok(Self { workers, room, results: VecDeque::new() })
    }

    /// Adds a task.
    pub(crate) fn submit(&mut self, task: impl FnOnce() -> T + Send + 'static) {
        let slot = match &self.workers {
            None => Slot::Ready(task()),
            Some(workers) => {
                let (sender, receiver) = sync_channel(1);
                // Nobody waits for it any more if the queue is gone: no error then.
                let task = Box::new(move || drop(sender.send(task())));
                let tasks = workers.tasks.as_ref().expect("they are there until the queue is gone");
                // A task that no thread is left to do counts as one that panicked.
                let _ = tasks.send(task);
                Slot::Pending(receiver)
            }
        };
        self.results.push_back(slot);
    }

    /// How many threads work. One is the caller's own, which does nothing else then.
    pub(crate) fn threads(&self) -> usize {
        self.workers.as_ref().map_or(1, |workers| workers.threads.len())
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
