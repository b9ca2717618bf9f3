//! Work on units by several threads, results in the order of the units.
//!
//! Units are taken up in order. A unit whose turn it is hands its results straight on; others keep
//! theirs until then, and wait when they hold many. So results come as early as order allows, and
//! what waits is bounded.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex};

/// Results that a unit may hold before its turn.
const MOST_HELD: usize = 64;

/// Runs `work` for each unit below `units` and hands what it emits to `consume`, in order.
///
/// # Errors
/// The error of the first unit that fails, or of `consume`.
pub(crate) fn run<T, E, W, C>(
    threads: usize,
    units: usize,
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
            error: None,
            panicked: false,
        }),
        moved: Condvar::new(),
        turn: AtomicUsize::new(0),
        window: 4 * threads,
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
    if threads <= 1 {
        labour();
    } else {
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(labour);
            }
            labour();
        });
    }
    let state = line.state.into_inner().expect("no holder panics");
    state.error.map_or(Ok(()), Err)
}

struct Line<'c, T, E> {
    state: Mutex<State<'c, T, E>>,
    moved: Condvar,
    /// The state's turn, to be looked at without the lock.
    turn: AtomicUsize,
    /// How far ahead of its turn a unit may be taken up.
    window: usize,
}

struct State<'c, T, E> {
    consume: &'c mut (dyn FnMut(T) -> Result<(), E> + Send),
    next: usize,
    turn: usize,
    /// Units that are done before their turn: what they hold.
    finished: BTreeMap<usize, (Vec<T>, Result<(), E>)>,
    error: Option<E>,
    /// A unit's work has panicked: its results will never come.
    panicked: bool,
}

/// Where a unit puts its results.
pub(crate) struct Outlet<'l, 'c, T, E> {
    unit: usize,
    line: &'l Line<'c, T, E>,
    held: Vec<T>,
}

/// The whole run has failed elsewhere; the unit should end.
#[derive(Debug)]
pub(crate) struct Abandoned;

impl<T, E> Outlet<'_, '_, T, E> {
    /// Hands on a result, or keeps it until the unit's turn.
    pub(crate) fn emit(&mut self, item: T) -> Result<(), Abandoned> {
        self.held.push(item);
        // Whoever's turn it is may be busy handing on: no need to wait for that.
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
    /// The next unit, when it is not too far ahead.
    fn take(&self, units: usize) -> Option<usize> {
        let mut state = self.state.lock().expect("no holder panics");
        loop {
            if state.has_failed() || state.next == units {
                return None;
            }
            if state.next < state.turn + self.window {
                state.next += 1;
                return Some(state.next - 1);
            }
            state = self.moved.wait(state).expect("no holder panics");
        }
    }

    fn finish(&self, unit: usize, held: Vec<T>, result: Result<(), E>) {
        let mut state = self.state.lock().expect("no holder panics");
        state.finished.insert(unit, (held, result));
        while !state.has_failed() {
            let turn = state.turn;
            let Some((held, result)) = state.finished.remove(&turn) else { break };
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

/// Lets the others know when a thread panics, so that none waits for it.
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
