//! Runs recordings with the kernels' twins, on the CPU: the oracle of tests.

use crate::backend::{Backend, Counters};
use crate::error::GpuError;
use crate::kernel::{Call, Visits};
use crate::limits::Limits;
use crate::recording::{Buffer, Command, Dispatch, Outcome, Recording};
use std::collections::{BTreeMap, HashMap};
use std::sync::Mutex;

/// A backend with buffers in the host's memory.
#[derive(Debug)]
pub struct Twins {
    limits: Limits,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    buffers: HashMap<u32, Vec<u32>>,
    counters: Counters,
    /// The symbols that each kernel visited.
    visits: BTreeMap<&'static str, u64>,
    words: usize,
}

impl Default for Twins {
    fn default() -> Self {
        Self::new(Limits { binding: 1 << 28, memory: 1 << 30 })
    }
}

impl Twins {
    /// Emulates a device with these limits.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self { limits, state: Mutex::default() }
    }

    /// The [`Counters::visits`] of each kernel, by name.
    ///
    /// # Panics
    /// When a twin has panicked before.
    #[must_use]
    pub fn visits(&self) -> BTreeMap<&'static str, u64> {
        self.state.lock().expect("no holder panics").visits.clone()
    }
}

impl Backend for Twins {
    fn limits(&self) -> Limits {
        self.limits
    }

    fn submit(&self, recording: Recording) -> Result<Outcome, GpuError> {
        recording.check(self.limits)?;
        self.state.lock().expect("no holder panics").counters.submissions += 1;
        self.run(recording)
    }

    fn send(&self, uploads: Recording) -> Result<(), GpuError> {
        self.run(uploads).map(drop)
    }

    fn free(&self, buffers: &[Buffer]) {
        self.state.lock().expect("no holder panics").free(buffers);
    }

    fn counters(&self) -> Counters {
        self.state.lock().expect("no holder panics").counters
    }
}

impl Twins {
    fn run(&self, recording: Recording) -> Result<Outcome, GpuError> {
        let mut state = self.state.lock().expect("no holder panics");
        let mut outcome = Outcome::default();
        let mut freed = Vec::new();
        let mut made = Vec::new();
        for command in recording.commands {
            if let Command::Create(buffer) | Command::Upload(buffer, _) = command {
                let needed = state.words + buffer.words();
                if needed > self.limits.memory {
                    // A recording that fails leaves no buffers.
                    state.free(&made);
                    let (needed, limit) = (4 * needed as u64, 4 * self.limits.memory as u64);
                    return Err(GpuError::OutOfMemory { needed, limit });
                }
                made.push(buffer);
            }
            match command {
                Command::Create(buffer) => state.insert(buffer, vec![0; buffer.words()]),
                Command::Upload(buffer, words) => {
                    state.counters.bytes_up += 4 * words.len() as u64;
                    state.insert(buffer, words);
                }
                Command::Clear(buffer) => state.of(buffer).fill(0),
                Command::Copy { from, words, to, at } => {
                    let source = state.of(from)[words].to_vec();
                    state.of(to)[at..at + source.len()].copy_from_slice(&source);
                }
                Command::Dispatch(dispatch) => state.run(&dispatch),
                Command::Download(buffer, words) => {
                    state.counters.bytes_down += 4 * words.len() as u64;
                    let download = state.of(buffer)[words].to_vec();
                    outcome.downloads.push(download);
                }
                // As on a device, memory is freed when the submission has ended.
                Command::Free(buffer) => freed.push(buffer),
            }
            state.counters.peak_bytes = state.counters.peak_bytes.max(4 * state.words as u64);
        }
        state.free(&freed);
        state.counters.downloads += u64::from(!outcome.downloads.is_empty());
        Ok(outcome)
    }
}

impl State {
    fn free(&mut self, buffers: &[Buffer]) {
        for buffer in buffers {
            let words = self.buffers.remove(&buffer.id).map_or(0, |words| words.len());
            self.words -= words;
        }
    }

    fn insert(&mut self, buffer: Buffer, words: Vec<u32>) {
        self.words += words.len();
        self.buffers.insert(buffer.id, words);
    }

    fn of(&mut self, buffer: Buffer) -> &mut Vec<u32> {
        self.buffers.get_mut(&buffer.id).expect("a buffer that was made and not freed")
    }

    fn run(&mut self, dispatch: &Dispatch) {
        self.counters.dispatches += 1;
        let mut taken: Vec<Vec<u32>> = dispatch
            .bindings
            .iter()
            .map(|binding| std::mem::take(self.of(binding.buffer)))
            .collect();
        let buffers = taken
            .iter_mut()
            .zip(&dispatch.bindings)
            .map(|(buffer, binding)| &mut buffer[binding.words.0..binding.words.1])
            .collect();
        let visits = Visits::default();
        let mut call = Call::new(&dispatch.params, buffers, dispatch.threads(), &visits);
        (dispatch.kernel.twin)(&mut call);
        self.counters.visits += visits.count();
        if visits.count() > 0 {
            *self.visits.entry(dispatch.kernel.name).or_default() += visits.count();
        }
        for (words, binding) in taken.into_iter().zip(&dispatch.bindings) {
            *self.of(binding.buffer) = words;
        }
    }
}
