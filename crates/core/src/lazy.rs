//! Values that are made on first use, possibly by many threads at once.
//!
//! The thread that makes a value holds a lock and uses several threads. If those were the threads of
//! the common pool, it could deadlock in two ways. All of them could wait for the lock, so that none is
//! left to make the value. Or the maker, while it waits for a part that another thread makes, could take
//! up other work and come to wait for its own lock. So values are made in a pool that does nothing else.
//! A value that needs other lazy values has a pool to itself.

use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread::Builder;

/// A value that is made on first use, once.
pub(crate) struct Lazy<T> {
    cell: OnceLock<T>,
    making: Mutex<()>,
}

impl<T> Default for Lazy<T> {
    fn default() -> Self {
        Self { cell: OnceLock::new(), making: Mutex::default() }
    }
}

impl<T: Send> Lazy<T> {
    /// The value, which `make` makes if it is not there.
    pub(crate) fn get(&self, make: impl FnOnce() -> T + Send) -> &T {
        self.cell.get_or_init(|| apart(make))
    }

    /// The value, which `make` makes if it is not there. After an error, the next caller tries again.
    pub(crate) fn try_get<E: Send>(
        &self,
        make: impl FnOnce() -> Result<T, E> + Send,
    ) -> Result<&T, E> {
        self.try_once(|| apart(make))
    }

    /// As [`try_get`](Self::try_get), where `make` uses other lazy values.
    pub(crate) fn try_get_of_others<E: Send>(
        &self,
        make: impl FnOnce() -> Result<T, E> + Send,
    ) -> Result<&T, E> {
        self.try_once(|| match pool("edit").as_ref() {
            None => make(),
            Some(pool) => outside_of_pools(|| pool.install(make)),
        })
    }

    fn try_once<E>(&self, make: impl FnOnce() -> Result<T, E>) -> Result<&T, E> {
        if let Some(value) = self.cell.get() {
            return Ok(value);
        }
        let _making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        if self.cell.get().is_none() {
            let value = make()?;
            return Ok(self.cell.get_or_init(|| value));
        }
        Ok(self.cell.get().expect("it was there under the lock"))
    }

    /// The value, if it has been made.
    pub(crate) fn made(&self) -> Option<&T> {
        self.cell.get()
    }
}

/// Runs `make`, and what it does in parallel, in the pool for that.
fn apart<T: Send>(make: impl FnOnce() -> T + Send) -> T {
    static MAKERS: OnceLock<Option<rayon::ThreadPool>> = OnceLock::new();
    match MAKERS.get_or_init(|| pool("index")) {
        None => make(),
        Some(makers) => outside_of_pools(|| makers.install(make)),
    }
}

/// A pool with as many threads as the current one; `None` if the system does not start them.
fn pool(name: &'static str) -> Option<rayon::ThreadPool> {
    let threads = rayon::current_num_threads();
    let name = move |number| format!("{name} {number}");
    rayon::ThreadPoolBuilder::new().num_threads(threads).thread_name(name).build().ok()
}

/// Runs `work`, which waits for the threads of another pool.
fn outside_of_pools<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    if rayon::current_thread_index().is_none() {
        return work();
    }
    // A thread that waits for another pool takes up other work of its own pool meanwhile. A thread that
    // waits for a thread does not.
    let work = Mutex::new(Some(work));
    let run = || {
        let work = work.lock().unwrap_or_else(PoisonError::into_inner).take();
        work.expect("it runs once")()
    };
    std::thread::scope(|scope| match Builder::new().spawn_scoped(scope, run) {
        Ok(thread) => thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        // The system has no thread to give, as in `pool`.
        Err(_) => run(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;

    /// All threads of a pool ask for a value that is made in parallel.
    #[test]
    fn what_is_made_in_parallel_is_asked_for_in_parallel() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(8).build().unwrap();
        // Parts take a while, so that other threads take some of them up.
        let part = |part: u64| {
            std::thread::sleep(std::time::Duration::from_micros(100));
            part
        };
        let make = || (0..64).into_par_iter().map(part).sum::<u64>();
        for _ in 0..50 {
            let (infallible, fallible) = (Lazy::<u64>::default(), Lazy::<u64>::default());
            let asked =
                |_| *infallible.get(make) == *fallible.try_get(|| Ok::<_, ()>(make())).unwrap();
            assert!(pool.install(|| (0..64).into_par_iter().all(asked)));
            assert_eq!(infallible.made(), Some(&(63 * 64 / 2)));
        }
    }

    /// The same for a value that is made of other lazy values.
    #[test]
    fn what_is_made_of_others_is_asked_for_in_parallel() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(8).build().unwrap();
        for _ in 0..50 {
            let whole = Lazy::<u64>::default();
            let parts: [Lazy<u64>; 4] = std::array::from_fn(|_| Lazy::default());
            let part = |at: u64| {
                let slow = |number: u64| {
                    std::thread::sleep(std::time::Duration::from_micros(100));
                    number
                };
                *parts[at as usize % 4].get(|| (0..16).into_par_iter().map(slow).sum::<u64>())
            };
            let make = || Ok::<_, ()>((0..64).into_par_iter().map(part).sum::<u64>());
            let asked = |_| *whole.try_get_of_others(make).unwrap() == 64 * (15 * 16 / 2);
            assert!(pool.install(|| (0..64).into_par_iter().all(asked)));
        }
    }
}
