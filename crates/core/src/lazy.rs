//! What is made when it is first asked for, by many at once.
//!
//! Whoever makes it holds a lock, and uses several threads. If they were those of the common pool,
//! two things could happen: all of them wait for the lock, so nobody makes what they wait for; or the
//! maker, waiting for a part that another thread makes, takes up some other work meanwhile and comes
//! to wait for its own lock. So it is made on threads that do nothing else. What needs others of these
//! things while it is made has threads of its own even among those.

use std::sync::{Mutex, OnceLock, PoisonError};

/// A value made when first asked for; two threads do not make it twice.
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
    pub(crate) fn get(&self, make: impl FnOnce() -> T + Send) -> &T {
        self.cell.get_or_init(|| apart(make))
    }

    pub(crate) fn try_get<E: Send>(
        &self,
        make: impl FnOnce() -> Result<T, E> + Send,
    ) -> Result<&T, E> {
        self.try_once(|| apart(make))
    }

    /// The same for what takes other lazy values to make.
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

    /// The value, if it is there.
    pub(crate) fn made(&self) -> Option<&T> {
        self.cell.get()
    }
}

/// Runs `make` and what it does in parallel on threads of their own.
fn apart<T: Send>(make: impl FnOnce() -> T + Send) -> T {
    static MAKERS: OnceLock<Option<rayon::ThreadPool>> = OnceLock::new();
    match MAKERS.get_or_init(|| pool("index")) {
        None => make(),
        Some(makers) => outside_of_pools(|| makers.install(make)),
    }
}

/// As many threads as the common pool has; `None` if the system has no more threads to give.
fn pool(name: &'static str) -> Option<rayon::ThreadPool> {
    let threads = rayon::current_num_threads();
    let name = move |number| format!("{name} {number}");
    rayon::ThreadPoolBuilder::new().num_threads(threads).thread_name(name).build().ok()
}

/// Runs `work`, which waits for the threads of a pool.
fn outside_of_pools<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    if rayon::current_thread_index().is_none() {
        return work();
    }
    // A thread of a pool that waits for another pool goes on with its own work; one that waits for a
    // thread does not.
    std::thread::scope(|scope| {
        let done = scope.spawn(work).join();
        done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rayon::prelude::*;

    /// Every thread of a pool asks for what takes all of them to make.
    #[test]
    fn what_is_made_in_parallel_is_asked_for_in_parallel() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(8).build().unwrap();
        // A part that takes a while is one that others take up.
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

    /// The same for what takes others of its kind, on all threads at once.
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
