//! A question that runs while its answer is read.
//!
//! The library hands out rows from inside a traversal, and readers ask for batches. So the traversal runs
//! on a thread of its own and hands batches over through a channel that holds a few. It is at most that far
//! ahead of its reader, and so is the memory that it takes. Who drops a stream early stops the traversal.

use super::capsule;
use super::source::{Column, Failure, Known, Sink, Source, Work, schema};
use super::strings::Strings;
use super::values::Distinct;
use crate::errors::named;
use crate::work::{LOOK_AROUND, Meter, in_this_process};
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use pyo3::exceptions::{PyBaseException, PyKeyboardInterrupt};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyCapsule, PyList};
use std::io;
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use zgram::error::QueryError;

/// Batches that wait for their reader.
const AHEAD: usize = 16;

/// What the thread of a question sends.
enum Message {
    Batch(RecordBatch),
    End(Result<(), Failure>),
}

/// Batches as they come.
pub(super) struct Stream {
    schema: SchemaRef,
    columns: Vec<Column>,
    /// `None` once the stream has ended.
    batches: Option<Receiver<Message>>,
    /// A batch that was waited for before anybody asked for it.
    first: Option<RecordBatch>,
    meter: Arc<Meter>,
    progress: Option<Py<PyAny>>,
    looked_around: Instant,
    process: u32,
    failure: Arc<Mutex<Option<Failure>>>,
    /// Whether another library reads it, which knows errors by their messages only.
    is_handed_out: bool,
}

/// Runs a question up to a number of rows. Returns the number of rows; `None` if `sink` stopped it.
pub(super) fn run(
    work: Work,
    meter: &Meter,
    (strings, limit): (Strings, Option<usize>),
    sink: &mut Sink<'_>,
) -> Result<Option<u64>, Failure> {
    let mut left = limit.unwrap_or(usize::MAX);
    if left == 0 {
        return Ok(Some(0));
    }
    let (mut rows, mut is_stopped) = (0, false);
    let outcome = work(meter, strings, &mut |batch| {
        let batch = if batch.num_rows() > left { batch.slice(0, left) } else { batch };
        left -= batch.num_rows();
        rows += batch.num_rows() as u64;
        is_stopped = sink(batch).is_break();
        if is_stopped || left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    match outcome {
        _ if is_stopped => Ok(None),
        Err(failure) if left > 0 => Err(failure),
        _ => Ok(Some(rows)),
    }
}

/// Starts a question.
pub(super) fn start(
    source: &Arc<dyn Source>,
    (strings, limit): (Strings, Option<usize>),
    known: &Arc<Known>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Stream> {
    let (state, work) = source.begin()?;
    let meter = Arc::new(Meter::default());
    let (sender, batches) = sync_channel(AHEAD);
    let (of_work, known) = (Arc::clone(&meter), Arc::clone(known));
    let question = move || {
        let mut sink = |batch: RecordBatch| match sender.send(Message::Batch(batch)) {
            Ok(()) => ControlFlow::Continue(()),
            // The reader has gone.
            Err(_) => ControlFlow::Break(()),
        };
        let rows = in_this_process(|| run(work, &of_work, (strings, limit), &mut sink));
        let end = rows.map(|rows| {
            if let Some(rows) = rows {
                known.set(state.as_ref(), rows);
            }
        });
        let _ = sender.send(Message::End(end));
    };
    std::thread::Builder::new().name("zgram".to_owned()).spawn(question)?;
    let columns = source.columns();
    Ok(Stream {
        schema: schema(&columns, strings),
        columns,
        batches: Some(batches),
        first: None,
        meter,
        progress,
        looked_around: Instant::now(),
        process: std::process::id(),
        failure: Arc::default(),
        is_handed_out: false,
    })
}

impl Stream {
    /// Waits for the first batch, so that a question that fails at once raises the exception itself.
    /// From then on, another library reads the stream.
    pub(super) fn hand_out(&mut self) -> PyResult<()> {
        self.first = self.advance().map_err(Failure::into_exception)?;
        self.is_handed_out = true;
        Ok(())
    }

    /// The next batch; `None` at the end.
    fn advance(&mut self) -> Result<Option<RecordBatch>, Failure> {
        if let Some(batch) = self.first.take() {
            return Ok(Some(batch));
        }
        if self.batches.is_none() {
            return Ok(None);
        }
        let received = if std::process::id() == self.process {
            self.receive()
        } else {
            let message = "the process has forked since it began to read the table: read it anew";
            Err(Failure::Message(message.to_owned()))
        };
        match received {
            Ok(Message::Batch(batch)) => Ok(Some(batch)),
            Ok(Message::End(end)) => {
                self.stop();
                end?;
                if let Some(progress) = &self.progress {
                    let reported = Python::try_attach(|py| self.meter.report(py, Some(progress)));
                    reported.unwrap_or(Ok(())).map_err(Failure::Python)?;
                }
                Ok(None)
            }
            Err(failure) => {
                self.stop();
                Err(failure)
            }
        }
    }

    /// Waits for a message. Looks for Ctrl-C meanwhile, also where batches come without a wait.
    fn receive(&mut self) -> Result<Message, Failure> {
        let Self { batches: Some(batches), meter, progress, looked_around, .. } = self else {
            return Ok(Message::End(Ok(())));
        };
        let died = || Failure::Message("the question panicked".to_owned());
        if looked_around.elapsed() < LOOK_AROUND {
            match batches.try_recv() {
                Ok(message) => return Ok(message),
                Err(TryRecvError::Disconnected) => return Err(died()),
                Err(TryRecvError::Empty) => {}
            }
        }
        loop {
            // Whoever reads may hold the interpreter lock. The work may need that, to read a corpus from
            // a Python file, so the wait lets go of it.
            let waited = Python::try_attach(|py| {
                if looked_around.elapsed() >= LOOK_AROUND {
                    *looked_around = Instant::now();
                    py.check_signals()?;
                    meter.report(py, progress.as_ref())?;
                }
                let batches = &mut *batches;
                Ok(py.detach(move || batches.recv_timeout(LOOK_AROUND)))
            });
            // Without an interpreter, which is going down, there is nobody to interrupt.
            let waited = waited.unwrap_or_else(|| Ok(batches.recv_timeout(LOOK_AROUND)));
            match waited.map_err(Failure::Python)? {
                Ok(message) => return Ok(message),
                Err(RecvTimeoutError::Disconnected) => return Err(died()),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Ends the work.
    fn stop(&mut self) {
        self.meter.stop();
        let batches = self.batches.take();
        if std::process::id() != self.process {
            // A thread that does not exist here may have held the locks of the channel.
            std::mem::forget(batches);
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Iterator for Stream {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.advance() {
            Ok(batch) => batch.map(Ok),
            Err(failure) => {
                let error = told(&failure);
                if self.is_handed_out
                    && let Failure::Python(raised) = &failure
                {
                    interrupt_later(raised);
                }
                *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(failure);
                Some(Err(error))
            }
        }
    }
}

impl RecordBatchReader for Stream {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

/// A failure as other libraries get it: as a number of the operating system and a message.
fn told(failure: &Failure) -> ArrowError {
    // The message ends where C ends it.
    let clean = |message: String| message.replace('\0', "\\0");
    match failure {
        Failure::Library(error) => {
            let message = clean(error.to_string());
            match error {
                zgram::Error::Open(_)
                | zgram::Error::Query(QueryError::Open(_) | QueryError::File(_)) => {
                    ArrowError::IoError(message, io::ErrorKind::Other.into())
                }
                _ => ArrowError::InvalidArgumentError(message),
            }
        }
        Failure::Message(message) | Failure::Named(_, message) => {
            ArrowError::InvalidArgumentError(clean(message.clone()))
        }
        Failure::Python(error) => ArrowError::ExternalError(clean(error.to_string()).into()),
    }
}

/// Raises an interrupt again once the library that reads has returned: it knows of a failed stream only.
fn interrupt_later(raised: &PyErr) {
    let again = |py: Python<'_>| -> PyResult<()> {
        if raised.is_instance_of::<PyKeyboardInterrupt>(py) {
            py.import("_thread")?.call_method0("interrupt_main")?;
        }
        Ok(())
    };
    // If even that fails, the message of the stream says what happened.
    let _ = Python::try_attach(again);
}

/// A running question, for the package itself.
#[pyclass(frozen, module = "zgram._zgram", name = "NativeStream")]
pub(crate) struct TableStream {
    /// `None` once another library has it.
    stream: Mutex<Option<Stream>>,
    distinct: Mutex<Distinct>,
    failure: Arc<Mutex<Option<Failure>>>,
}

impl TableStream {
    pub(super) fn new(stream: Stream) -> Self {
        let failure = Arc::clone(&stream.failure);
        let distinct = Mutex::new(Distinct::new(stream.columns.len()));
        Self { stream: Mutex::new(Some(stream)), distinct, failure }
    }
}

#[pymethods]
impl TableStream {
    /// The values of the next rows, column by column; `None` at the end.
    fn next_columns<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyList>>> {
        let mut stream = self.stream.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        let Some(stream) = &mut *stream else { return Err(taken()) };
        let Some(batch) = stream.advance().map_err(Failure::into_exception)? else {
            return Ok(None);
        };
        let mut distinct =
            self.distinct.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        distinct.values(py, &batch).map(Some)
    }

    /// What the stream broke off for, if it did.
    fn failure(&self, py: Python<'_>) -> Option<Py<PyBaseException>> {
        let failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner).take();
        failure.map(|failure| failure.into_exception().into_value(py))
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // It runs already: what a consumer would rather have comes too late.
        let _ = requested_schema;
        let stream =
            self.stream.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner).take();
        capsule::of_stream(py, stream.ok_or_else(taken)?)
    }
}

fn taken() -> PyErr {
    named("InvalidRequest", "the stream has been read already".to_owned())
}
