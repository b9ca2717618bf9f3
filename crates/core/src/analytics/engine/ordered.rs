//! Works on numbered units with several threads and delivers results in the order of the units.
//!
//! Threads take units in order. The unit whose turn it is passes its results on at once. Units ahead
//! of their turn hold their results, and wait once they hold many. So results come as early as their
//! order allows, and the number of held results is bounded.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex};
use std::thread::{Builder, Scope, ScopedJoinHandle};

/// Results that one unit may hold before its turn.
const MOST_HELD: usize = 64;

/// Units that a thread may be ahead of the unit whose turn it is, unless the caller sets a limit.
const UNITS_AHEAD: usize = 4;

/// Runs `work` for each unit below `units` and passes what it emits to `consume`, in order.
///
/// # Errors
/// The error of the first unit that fails, or of `consume`.
pub(crate) fn run<T, E, W, C>(threads: usize, units: usize, work: W, consume: C) -> Result<(), E>
where
    T: Send,
    E: Send,
    W: Fn(usize, &mut Outlet<'_, '_, T, E>) -> Result<(), E> + Sync,
    C: FnMut(T) -> Result<(), E> + Send,
{
    let ahead = UNITS_AHEAD * threads;
    run_within(threads, units, &|turn| turn + ahead, work, consume)
}

/// Does the same where a unit is taken only if it is below `limit(turn)`, with `turn` the unit whose
/// results are next.
pub(crate) fn run_within<T, E, W, C>(
    threads: usize,
    units: usize,
    limit: &(dyn Fn(usize) -> usize + Sync),
    work: W,
    mut consume: C,
) -> Result<(), E>
where
    T: Send,
    E: Send,
    W: Fn(usize, &mut Outlet<'_, '_, T, E>) -> Result<(), E> + Sync,
    C: FnMut(T) -> Result<(), E> + Send,
{
    let threads = threads.min(units);
    let line = Line {
        state: Mutex::new(State {
            consume: &mut consume,
            next: 0,
            turn: 0,
            finished: BTreeMap::new(),
            held: 0,
            error: None,
            panicked: false,
        }),
        moved: Condvar::new(),
        turn: AtomicUsize::new(0),
        limit,
        most_held: UNITS_AHEAD * threads * MOST_HELD,
    };
    let labour = || {
        let _guard = PanicGuard(&line);
        while let Some(unit) = line.take(units) {
            let mut outlet = Outlet { unit, line: &line, held: Vec::new() };
            let result = work(unit, &mut outlet);
            let held = outlet.held;
            line.finish(unit, held, result);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            if start(scope, labour).is_none() {
                break;
            }
        }
        labour();
    });
    let state = line.state.into_inner().expect("no holder panics");
    state.error.map_or(Ok(()), Err)
}

/// Starts a thread; `None` if the system refuses one. The caller then works with the threads it has:
/// containers limit their number, and fewer threads give the same answer.
pub(super) fn start<'scope, R: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> R + Send + 'scope,
) -> Option<ScopedJoinHandle<'scope, R>> {
    Builder::new().spawn_scoped(scope, work).ok()
}

struct Line<'c, T, E> {
    state: Mutex<State<'c, T, E>>,
    moved: Condvar,
    /// The state's turn, for a look without the lock.
    turn: AtomicUsize,
    /// The first unit that may not be taken yet, given whose turn it is.
    limit: &'c (dyn Fn(usize) -> usize + Sync),
    /// Results that finished units may hold together before another unit is taken.
    most_held: usize,
}

struct State<'c, T, E> {
    consume: &'c mut (dyn FnMut(T) -> Result<(), E> + Send),
    next: usize,
    turn: usize,
    /// Units that finished before their turn, with the results they hold.
    finished: BTreeMap<usize, (Vec<T>, Result<(), E>)>,
    /// Number of results in `finished`.
    held: usize,
    error: Option<E>,
    /// A unit's work has panicked, so its results will never come.
    panicked: bool,
}

/// Takes the results of a unit.
pub(crate) struct Outlet<'l, 'c, T, E> {
    unit: usize,
    line: &'l Line<'c, T, E>,
    held: Vec<T>,
}

/// Another unit has failed, so this one should end.
#[derive(Debug)]
pub(crate) struct Abandoned;

impl<T, E> Outlet<'_, '_, T, E> {
    /// Passes a result on, or holds it until the unit's turn.
    pub(crate) fn emit(&mut self, item: T) -> Result<(), Abandoned> {
        self.held.push(item);
        // The unit whose turn it is may hold the lock while it passes results on: do not wait for it.
        let is_turn = self.line.turn.load(Ordering::Acquire) == self.unit;
        if !is_turn && self.held.len() < MOST_HELD {
            return Ok(());
        }
        let mut state = self.line.state.lock().expect("no holder panics");
        while !state.has_failed() && state.turn != self.unit && self.held.len() >= MOST_HELD {
            state = self.line.moved.wait(state).expect("no holder panics");
        }
        if !state.has_failed() && state.turn == self.unit {
            state.consume_all(std::mem::take(&mut self.held));
        }
        if state.has_failed() { Err(Abandoned) } else { Ok(()) }
    }
}

impl<T, E> Line<'_, T, E> {
    /// The next unit, once it is near enough to its turn.
    fn take(&self, units: usize) -> Option<usize> {
        let mut state = self.state.lock().expect("no holder panics");
        loop {
            if state.has_failed() || state.next == units {
                return None;
            }
            let is_near = state.next < (self.limit)(state.turn);
            if state.next == state.turn || is_near && state.held < self.most_held {
                state.next += 1;
                return Some(state.next - 1);
            }
            state = self.moved.wait(state).expect("no holder panics");
        }
    }

    fn finish(&self, unit: usize, held: Vec<T>, result: Result<(), E>) {
        let mut state = self.state.lock().expect("no holder panics");
        state.held += held.len();
        state.finished.insert(unit, (held, result));
        while !state.has_failed() {
            let turn = state.turn;
            let Some((held, result)) = state.finished.remove(&turn) else { break };
            state.held -= held.len();
            state.consume_all(held);
            if let (None, Err(error)) = (&state.error, result) {
                state.error = Some(error);
            }
            state.turn += 1;
            self.turn.store(state.turn, Ordering::Release);
        }
        self.moved.notify_all();
    }
}

impl<T, E> State<'_, T, E> {
    fn has_failed(&self) -> bool {
        self.error.is_some() || self.panicked
    }

    fn consume_all(&mut self, items: Vec<T>) {
        for item in items {
            if let Err(error) = (self.consume)(item) {
                self.error = Some(error);
                return;
            }
        }
    }
}

/// Marks the run as failed when a thread panics, so that no other waits for its results.
struct PanicGuard<'l, 'c, T, E>(&'l Line<'c, T, E>);

impl<T, E> Drop for PanicGuard<'_, '_, T, E> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            if let Ok(mut state) = self.0.state.lock() {
                state.panicked = true;
            }
            self.0.moved.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_ends_the_run() {
        for threads in [1, 2, 8] {
            let run = || {
                let work = |unit: usize, outlet: &mut Outlet<'_, '_, usize, ()>| {
                    assert_ne!(unit, 3, "as it should");
                    (0..2 * MOST_HELD).try_for_each(|_| outlet.emit(unit)).or(Ok(()))
                };
                run(threads, 100, work, |_| Ok(()))
            };
            assert!(std::panic::catch_unwind(run).is_err());
        }
    }

    #[test]
    fn results_come_in_order_at_any_number_of_threads() {
        for threads in [1, 2, 3, 8] {
            let mut seen = Vec::new();
            let work = |unit: usize, outlet: &mut Outlet<'_, '_, usize, ()>| {
                // Every third unit has more results than may wait.
                let results = if unit.is_multiple_of(3) { 3 * MOST_HELD } else { unit % 5 };
                for result in 0..results {
                    if outlet.emit(unit * 1000 + result).is_err() {
                        return Ok(());
                    }
                }
                Ok(())
            };
            run(threads, 40, work, |item| {
                seen.push(item);
                Ok(())
            })
            .unwrap();
            assert!(seen.is_sorted());
            assert_eq!(
                seen.len(),
                14 * 3 * MOST_HELD + (0..40).filter(|u| u % 3 != 0).map(|u| u % 5).sum::<usize>()
            );
        }
    }

    #[test]
    fn the_first_error_ends_the_run() {
        for threads in [1, 2, 8] {
            let mut seen = 0;
            let work = |unit: usize, outlet: &mut Outlet<'_, '_, usize, usize>| {
                let _ = outlet.emit(unit);
                if unit % 4 == 3 { Err(unit) } else { Ok(()) }
            };
            let result = run(threads, 100, work, |_| {
                seen += 1;
                Ok(())
            });
            assert_eq!(result, Err(3));
            assert_eq!(seen, 4);
            let full = run(threads, 100, work, |item| if item == 2 { Err(77) } else { Ok(()) });
            assert_eq!(full, Err(77));
        }
    }
}
