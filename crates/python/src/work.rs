//! Runs the library's work without the interpreter lock, so that other Python threads go on.
//!
//! Long work runs on a thread of its own. The thread that called waits, looks for Ctrl-C twenty times a
//! second and passes progress on. When the user interrupts, the caller raises at once; the work sees that
//! it should stop and ends soon after.

pub(crate) use crate::forks::in_this_process;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use zgram::progress::{Progress, Stage};

/// How long the caller waits before it looks for signals again.
pub(crate) const LOOK_AROUND: Duration = Duration::from_millis(50);

/// What work reports, and whether it should stop.
#[derive(Default)]
pub(crate) struct Meter {
    stop: AtomicBool,
    /// Per stage, in the order of [`STAGES`]: done, and expected.
    stages: [[AtomicU64; 2]; STAGES.len()],
    notices: Mutex<Vec<String>>,
}

const STAGES: [(Stage, &str); 7] = [
    (Stage::Reading, "reading"),
    (Stage::Building, "building"),
    (Stage::Writing, "writing"),
    (Stage::Expanding, "expanding"),
    (Stage::Verifying, "verifying"),
    (Stage::Traversing, "counting"),
    (Stage::Training, "training"),
];

fn index(stage: Stage) -> Option<usize> {
    STAGES.iter().position(|&(known, _)| known == stage)
}

impl Progress for Meter {
    fn advance(&self, stage: Stage, amount: u64) {
        if let Some(index) = index(stage) {
            self.stages[index][0].fetch_add(amount, Relaxed);
        }
    }

    fn expect(&self, stage: Stage, total: u64) {
        if let Some(index) = index(stage) {
            self.stages[index][1].store(total, Relaxed);
        }
    }

    fn notice(&self, message: &str) {
        self.notices.lock().unwrap_or_else(PoisonError::into_inner).push(message.to_owned());
    }

    fn is_cancelled(&self) -> bool {
        self.stop.load(Relaxed)
    }
}

impl Meter {
    pub(crate) fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Calls `progress(stage, done, total)` for each stage that has begun; issues notices as warnings.
    pub(crate) fn report(&self, py: Python<'_>, progress: Option<&Py<PyAny>>) -> PyResult<()> {
        let notices =
            std::mem::take(&mut *self.notices.lock().unwrap_or_else(PoisonError::into_inner));
        for notice in notices {
            py.import("warnings")?.call_method1("warn", (notice,))?;
        }
        let Some(progress) = progress else { return Ok(()) };
        for (&(_, name), [done, total]) in STAGES.iter().zip(&self.stages) {
            let (done, total) = (done.load(Relaxed), total.load(Relaxed));
            if done > 0 {
                progress.call1(py, (name, done, total))?;
            }
        }
        Ok(())
    }
}

/// Runs `work` on a thread of its own and returns what it returns.
///
/// # Errors
/// When a signal handler or `progress` raises, as Ctrl-C makes it.
pub(crate) fn long<T: Send + 'static>(
    py: Python<'_>,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&Meter) -> T + Send + 'static,
) -> PyResult<T> {
    long_with(py, progress, Arc::default(), move |meter| work(meter))
}

/// The same with a meter that the result of the work may go on to refer to.
pub(crate) fn long_with<T: Send + 'static>(
    py: Python<'_>,
    progress: Option<&Py<PyAny>>,
    meter: Arc<Meter>,
    work: impl FnOnce(&Arc<Meter>) -> T + Send + 'static,
) -> PyResult<T> {
    let (done, outcome) = sync_channel(1);
    let of_work = Arc::clone(&meter);
    let run = move || {
        // The caller may be gone after an interrupt; then nobody wants the result.
        let _ = done.send(work(&of_work));
    };
    std::thread::Builder::new().name("zgram".to_owned()).spawn(run)?;
    let of_caller = Arc::clone(&meter);
    let waited: PyResult<T> = py.detach(move || {
        loop {
            match outcome.recv_timeout(LOOK_AROUND) {
                Ok(value) => return Ok(value),
                Err(RecvTimeoutError::Disconnected) => panic!("the work panicked"),
                Err(RecvTimeoutError::Timeout) => {}
            }
            Python::attach(|py| {
                py.check_signals()?;
                of_caller.report(py, progress)
            })
            .inspect_err(|_| of_caller.stop())?;
        }
    });
    let value = waited?;
    meter.report(py, progress)?;
    Ok(value)
}

/// Runs work of microseconds.
pub(crate) fn short<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> T {
    py.detach(|| in_this_process(work))
}
