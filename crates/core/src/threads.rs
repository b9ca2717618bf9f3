//! Pools of threads, and work on several parts in parallel, with the threads that the system starts.

use rayon::{ThreadBuilder, ThreadPool, ThreadPoolBuilder};
use std::io;
use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};
use std::thread::{Builder, available_parallelism};

/// The most threads that a pool starts. A system may well start a million, and then do nothing else.
const MOST: usize = 1024;

/// A pool for one operation: `threads` of them, at most 1,024, or one per core for 0. If the system
/// refuses some of them, the others do the work.
///
/// # Errors
/// The system's error, if not a single thread can be started.
pub(crate) fn pool(threads: usize) -> io::Result<ThreadPool> {
    IdleThreads::start(threads)?.into_pool()
}

/// Threads that wait for their place in a pool.
///
/// Rayon waits until each thread of a pool has begun, and would wait forever for one that the system
/// refused. So the threads start first, and the pool has as many as did.
pub struct IdleThreads(Vec<Sender<ThreadBuilder>>);

impl IdleThreads {
    /// Starts `threads` of them, at most 1,024, or one per core for 0; fewer if the system refuses some.
    ///
    /// # Errors
    /// The system's error, if not a single thread can be started.
    pub fn start(threads: usize) -> io::Result<Self> {
        let wanted = if threads == 0 { usual() } else { threads };
        let first = Self::one()?;
        let others = (1..wanted.min(MOST)).map_while(|_| Self::one().ok());
        Ok(Self(std::iter::once(first).chain(others).collect()))
    }

    fn one() -> io::Result<Sender<ThreadBuilder>> {
        let (sender, receiver) = channel::<ThreadBuilder>();
        let work = move || {
            if let Ok(thread) = receiver.recv() {
                thread.run();
            }
        };
        Builder::new().spawn(work).map(|_| sender)
    }

    /// Makes these threads the pool that all parallel work of the program shares.
    ///
    /// # Errors
    /// When the program has such a pool already.
    pub fn into_global_pool(self) -> io::Result<()> {
        let pool = ThreadPoolBuilder::new().num_threads(self.0.len()).spawn_handler(self.assign());
        pool.build_global().map_err(io::Error::other)
    }

    fn into_pool(self) -> io::Result<ThreadPool> {
        let pool = ThreadPoolBuilder::new().num_threads(self.0.len()).spawn_handler(self.assign());
        pool.build().map_err(io::Error::other)
    }

    /// Gives each place of a pool to a waiting thread.
    fn assign(mut self) -> impl FnMut(ThreadBuilder) -> io::Result<()> {
        move |place| {
            let thread = self.0.pop().expect("one per place");
            thread.send(place).map_err(|_| io::Error::other("a thread has ended"))
        }
    }
}

/// Number of threads where none is given: `RAYON_NUM_THREADS`, or one per core.
fn usual() -> usize {
    let chosen = std::env::var("RAYON_NUM_THREADS").ok().and_then(|number| number.parse().ok());
    let cores = || available_parallelism().map_or(1, usize::from);
    chosen.filter(|&number| number > 0).unwrap_or_else(cores)
}

/// Does `work` on each part, with one thread per part if the system starts that many. Results are in
/// the order of the parts. A thread that has finished a part takes the next one, so fewer threads also
/// do all the work.
pub(crate) fn on_threads<T: Send, R: Send>(parts: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    let threads = parts.len();
    let parts = Mutex::new(parts.into_iter().enumerate());
    let take = || parts.lock().expect("no holder panics").next();
    let labour = || {
        let mut done = Vec::new();
        while let Some((number, part)) = take() {
            done.push((number, work(part)));
        }
        done
    };
    let mut done = std::thread::scope(|scope| {
        let others = (1..threads).map_while(|_| Builder::new().spawn_scoped(scope, labour).ok());
        let others: Vec<_> = others.collect();
        let mut done = labour();
        for other in others {
            match other.join() {
                Ok(more) => done.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    done.sort_unstable_by_key(|&(number, _)| number);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pool_has_a_bounded_number_of_threads() {
        assert_eq!(pool(usize::MAX).unwrap().current_num_threads(), MOST);
        assert_eq!(pool(3).unwrap().current_num_threads(), 3);
    }

    #[test]
    fn results_come_in_order() {
        for len in 0..9 {
            assert_eq!(
                on_threads((0..len).collect(), |n| n * n),
                (0..len).map(|n| n * n).collect::<Vec<_>>()
            );
        }
    }

    #[test]
    #[should_panic(expected = "the third")]
    fn a_panic_goes_on() {
        on_threads(vec![1, 2, 3], |n| assert_ne!(n, 3, "the third"));
    }
}
