//! Working memory for decoding blocks, reused from block to block.

use super::accelerator::Accelerator;
use super::decode::{BlockError, DecodedBlock, SortedBlock};
use crate::inverse::{Pieces, Unsorter};
use std::ops::Deref;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// What threads share while they decode.
#[derive(Debug)]
pub(crate) struct Workshop {
    unsorters: Shelf<Unsorter>,
    columns: Mutex<Vec<Vec<u8>>>,
    accelerator: Option<Arc<dyn Accelerator>>,
}

impl Workshop {
    /// A workshop for this many threads.
    ///
    /// The inverse transform takes about half the time of a block and four fifths of its memory, so
    /// half of the threads get that memory. A thread that has to wait for it falls out of step with the
    /// others and finds it free from then on.
    pub(crate) fn new(threads: usize, accelerator: Option<Arc<dyn Accelerator>>) -> Self {
        let unsorters = (0..threads.div_ceil(2)).map(|_| Unsorter::default());
        Self { unsorters: Shelf::new(unsorters), columns: Mutex::default(), accelerator }
    }

    /// Decodes the block that begins at a bit of `bytes`, which are dropped as soon as possible.
    pub(crate) fn decode(
        &self,
        bytes: impl Deref<Target: AsRef<[u8]>>,
        bit: u64,
        level: u8,
    ) -> Result<DecodedBlock, BlockError> {
        let accelerator = self.accelerator.as_deref();
        let memory = lock(&self.columns).pop().unwrap_or_default();
        let sorted = SortedBlock::take((*bytes).as_ref(), bit, level, memory, accelerator)?;
        drop(bytes);
        sorted.restore(|column, origin| match accelerator {
            Some(accelerator) => Ok(Pieces::whole(accelerator.restore(&column, origin)?)),
            None => Ok(self.unsorters.with(|unsorter| unsorter.restore(column, origin))),
        })
    }

    /// Takes back a block's memory.
    pub(crate) fn recycle(&self, column: Vec<u8>) {
        lock(&self.columns).push(column);
    }
}

/// Things that one thread uses at a time. A thread waits until one is free.
#[derive(Debug)]
struct Shelf<T> {
    things: Mutex<Vec<T>>,
    returned: Condvar,
}

impl<T: Default> Shelf<T> {
    fn new(things: impl Iterator<Item = T>) -> Self {
        Self { things: Mutex::new(things.collect()), returned: Condvar::new() }
    }

    fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        let things = lock(&self.things);
        let wait = self.returned.wait_while(things, |things| things.is_empty());
        let thing = wait.unwrap_or_else(PoisonError::into_inner).pop();
        let mut borrowed = Borrowed { shelf: self, thing: thing.expect("waited for one") };
        work(&mut borrowed.thing)
    }
}

/// Returns a thing to its shelf, even if its user panics, so that no thread waits forever.
struct Borrowed<'s, T: Default> {
    shelf: &'s Shelf<T>,
    thing: T,
}

impl<T: Default> Drop for Borrowed<'_, T> {
    fn drop(&mut self) {
        lock(&self.shelf.things).push(std::mem::take(&mut self.thing));
        self.shelf.returned.notify_one();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    #[test]
    fn no_more_are_in_use_than_there_are() {
        let shelf = Shelf::new([0u32, 0].into_iter());
        let (in_use, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..5 {
                scope.spawn(|| {
                    for _ in 0..100 {
                        shelf.with(|times| {
                            most.fetch_max(in_use.fetch_add(1, SeqCst) + 1, SeqCst);
                            std::thread::yield_now();
                            *times += 1;
                            in_use.fetch_sub(1, SeqCst);
                        });
                    }
                });
            }
        });
        assert!(most.into_inner() <= 2);
        let things = shelf.things.into_inner().unwrap();
        assert_eq!((things.len(), things.iter().sum::<u32>()), (2, 500));
    }

    #[test]
    fn a_panic_gives_back_what_it_had() {
        let shelf = Shelf::new([7].into_iter());
        let panicked =
            catch_unwind(AssertUnwindSafe(|| shelf.with(|_: &mut i32| panic!("on purpose"))));
        assert!(panicked.is_err());
        assert_eq!(shelf.with(|thing| *thing), 7);
    }
}
