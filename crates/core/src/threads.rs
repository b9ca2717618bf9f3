//! Works on several parts in parallel.

use rayon::{ThreadPool, ThreadPoolBuilder};
use std::io;
use std::sync::Mutex;
use std::thread::Builder;

/// The most threads that a pool starts. A system may well start a million, and then do nothing else.
const MOST: usize = 1024;

/// A pool for one operation: `threads` of them, at most 1,024, or one per core for 0.
pub(crate) fn pool(threads: usize) -> io::Result<ThreadPool> {
    ThreadPoolBuilder::new().num_threads(threads.min(MOST)).build().map_err(io::Error::other)
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
