//! Values that are made on first use, possibly by many threads at once.
//!
//! The thread that makes a value holds a lock and uses several threads. If those were the threads of
//! the common pool, it could deadlock in two ways. All of them could wait for the lock, so that none is
//! left to make the value. Or the maker, while it waits for a part that another thread makes, could take
//! up other work and come to wait for its own lock. So values are made in a pool that does nothing else.
//! A value that needs other lazy values has a pool to itself. Where the system refuses the threads for
//! that, the common pool makes the value without the lock.

use rayon::ThreadPool;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
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
        let made = self.try_once(makers, || Ok::<_, Infallible>(make()));
        made.unwrap_or_else(|never| match never {})
    }

    /// The value, which `make` makes if it is not there. After an error, the next caller tries again.
    pub(crate) fn try_get<E: Send>(
        &self,
        make: impl FnOnce() -> Result<T, E> + Send,
    ) -> Result<&T, E> {
        self.try_once(makers, make)
    }

    /// As [`try_get`](Self::try_get), where `make` uses other lazy values.
    pub(crate) fn try_get_of_others<E: Send>(
        &self,
        make: impl FnOnce() -> Result<T, E> + Send,
    ) -> Result<&T, E> {
        self.try_once(|| pool("edit").map(Arc::new), make)
    }

    fn try_once<E: Send>(
        &self,
        pool: impl FnOnce() -> Option<Arc<ThreadPool>>,
        make: impl FnOnce() -> Result<T, E> + Send,
    ) -> Result<&T, E> {
        if let Some(value) = self.cell.get() {
            return Ok(value);
        }
        let making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(value) = self.cell.get() {
            return Ok(value);
        }
        let value = match apart(pool(), make) {
            Ok(made) => made?,
            Err(make) => {
                // The threads of the common pool must not hold the lock while they make a value. So
                // several may make it; the first one counts.
                drop(making);
                make()?
            }
        };
        Ok(self.cell.get_or_init(|| value))
    }

    /// The value, if it has been made.
    pub(crate) fn made(&self) -> Option<&T> {
        self.cell.get()
    }
}

/// The pool for values that need no other lazy values. A forked process has none of its parent's
/// threads, so each process has a pool of its own.
fn makers() -> Option<Arc<ThreadPool>> {
    static MAKERS: Mutex<Option<(u32, Option<Arc<ThreadPool>>)>> = Mutex::new(None);
    let here = std::process::id();
    let mut makers = MAKERS.lock().unwrap_or_else(PoisonError::into_inner);
    match &*makers {
        Some((process, pool)) if *process == here => pool.clone(),
        _ => {
            let made = pool("index").map(Arc::new);
            // The parent's pool is not dropped: that would wait for threads that do not exist here.
            std::mem::forget(makers.replace((here, made.clone())));
            made
        }
    }
}

/// A pool with as many threads as the current one; `None` if the system does not start them.
fn pool(name: &'static str) -> Option<ThreadPool> {
    let threads = rayon::current_num_threads();
    let name = move |number| format!("{name} {number}");
    rayon::ThreadPoolBuilder::new().num_threads(threads).thread_name(name).build().ok()
}

/// Runs `make`, and what it does in parallel, in a pool. Gives `make` back if there is no pool, or no
/// thread to wait for it.
fn apart<T: Send, M: FnOnce() -> T + Send>(pool: Option<Arc<ThreadPool>>, make: M) -> Result<T, M> {
    let Some(pool) = pool else { return Err(make) };
    if rayon::current_thread_index().is_none() {
        return Ok(pool.install(make));
    }
    // A thread that waits for another pool takes up other work of its own pool meanwhile. A thread that
    // waits for a thread does not.
    let make = Mutex::new(Some(make));
    let take = || make.lock().unwrap_or_else(PoisonError::into_inner).take().expect("taken once");
    std::thread::scope(|scope| match Builder::new().spawn_scoped(scope, || pool.install(take())) {
        Ok(thread) => Ok(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))),
        Err(_) => Err(take()),
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

    /// The same where no pool can be started.
    #[test]
    fn values_are_made_where_threads_are_refused() {
        let common = rayon::ThreadPoolBuilder::new().num_threads(8).build().unwrap();
        let slow = |number: u64| {
            std::thread::sleep(std::time::Duration::from_micros(100));
            number
        };
        for _ in 0..50 {
            let value = Lazy::<u64>::default();
            let make = || Ok::<_, ()>((0..64).into_par_iter().map(slow).sum::<u64>());
            let asked = |_| *value.try_once(|| None, make).unwrap() == 63 * 64 / 2;
            assert!(common.install(|| (0..64).into_par_iter().all(asked)));
        }
    }
}
