//! Tasks on all cores whose results are needed in order.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

/// A queue of tasks. With one thread, tasks run as they come and no thread is started.
///
/// The queue has its own threads, because a caller that waits for a result may itself run in a pool. They
/// are plain threads: tasks are few and long, so work stealing gains nothing, and a work-stealing pool
/// would add half a megabyte of program memory.
#[derive(Debug)]
pub(crate) struct Pipeline<T> {
    workers: Option<Workers>,
    /// The most tasks whose results have not been taken.
    room: usize,
    results: VecDeque<Slot<T>>,
}

#[derive(Debug)]
enum Slot<T> {
    Ready(T),
    Pending(Receiver<T>),
}

type Task = Box<dyn FnOnce() + Send>;

/// Threads that take tasks in order.
#[derive(Debug)]
struct Workers {
    /// `None` when no more tasks will come.
    tasks: Option<Sender<Task>>,
    threads: Vec<JoinHandle<()>>,
}

impl Workers {
    /// As many threads as the system starts, up to `count`.
    fn start(count: usize) -> Self {
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
            match Builder::new().spawn(work) {
                Ok(thread) => workers.threads.push(thread),
                Err(_) => break,
            }
        }
        workers
    }
}

impl Drop for Workers {
    /// Waits for the running tasks, so that none outlives the queue.
    fn drop(&mut self) {
        self.tasks = None;
        for thread in self.threads.drain(..) {
            // A caller that waited for a task that panicked has already panicked.
            let _ = thread.join();
        }
    }
}

impl<T: Send + 'static> Pipeline<T> {
    /// A queue with this many threads, 0 meaning one per core, and room for a task each and some that
    /// wait. If the system refuses some threads, the others do the work, or else the caller's own.
    pub(crate) fn new(threads: usize, in_line: usize) -> Self {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = if threads == 0 { cores() } else { threads };
        let workers = Some(threads).filter(|&threads| threads > 1).map(Workers::start);
        let workers = workers.filter(|workers| !workers.threads.is_empty());
        let room = workers.as_ref().map_or(1, |workers| workers.threads.len() + in_line);
        Self { workers, room, results: VecDeque::new() }
    }

    /// Adds a task.
    pub(crate) fn submit(&mut self, task: impl FnOnce() -> T + Send + 'static) {
        let slot = match &self.workers {
            None => Slot::Ready(task()),
            Some(workers) => {
                let (sender, receiver) = sync_channel(1);
                // If the queue is gone, nobody waits for the result: not an error.
                let task = Box::new(move || drop(sender.send(task())));
                let tasks = workers.tasks.as_ref().expect("they are there until the queue is gone");
                // If all threads are gone, the task counts as one that panicked.
                let _ = tasks.send(task);
                Slot::Pending(receiver)
            }
        };
        self.results.push_back(slot);
    }

    /// The number of threads that work. With one, it is the caller's own.
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
            let mut pipeline = Pipeline::new(threads, 1);
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
