//! A list of commands for a device, as plain data.
//!
//! A [`Recording`] is built first and then submitted as one submission. Because it is plain data it can
//! be printed, counted, and run on any [`Backend`](crate::Backend): on a GPU, or by the kernels'
//! [twins](crate::Twins) on the CPU.

use crate::error::GpuError;
use crate::kernel::{Access, Kernel};
use crate::limits::Limits;
use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering};

/// A buffer of 32-bit words on a device. It lives from the recording that creates it until one that frees
/// it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Buffer {
    pub(crate) id: u32,
    words: usize,
    name: &'static str,
}

impl Buffer {
    /// Its length in words.
    #[must_use]
    pub fn words(&self) -> usize {
        self.words
    }

    /// Its name in printed recordings.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// A part of it, as a binding of a kernel. The start must be a multiple of [`BINDING_STEP`].
    #[must_use]
    pub fn part(&self, words: Range<usize>) -> Binding {
        debug_assert!(words.start.is_multiple_of(BINDING_STEP) && words.end <= self.words);
        Binding { buffer: *self, words: (words.start, words.end) }
    }
}

/// Words between two possible starts of a binding.
pub const BINDING_STEP: usize = 64;

/// The part of a buffer that a kernel can access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Binding {
    pub(crate) buffer: Buffer,
    pub(crate) words: (usize, usize),
}

impl From<Buffer> for Binding {
    fn from(buffer: Buffer) -> Self {
        Self { buffer, words: (0, buffer.words) }
    }
}

/// One command of a recording.
#[derive(Clone, Debug)]
pub(crate) enum Command {
    /// Creates a buffer of zeros.
    Create(Buffer),
    /// Creates a buffer with content.
    Upload(Buffer, Vec<u32>),
    Clear(Buffer),
    Copy {
        from: Buffer,
        words: Range<usize>,
        to: Buffer,
        at: usize,
    },
    Dispatch(Dispatch),
    Download(Buffer, Range<usize>),
    Free(Buffer),
}

/// One run of a kernel.
#[derive(Clone, Debug)]
pub(crate) struct Dispatch {
    pub(crate) kernel: &'static Kernel,
    pub(crate) params: Vec<u32>,
    pub(crate) bindings: Vec<Binding>,
    pub(crate) workgroups: u32,
}

impl Dispatch {
    /// The number of threads.
    pub(crate) fn threads(&self) -> usize {
        self.workgroups as usize * self.kernel.workgroup as usize
    }
}

/// The position of a download in the [outcome](Outcome).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Download(usize);

/// Commands for a device, to be submitted together.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    pub(crate) commands: Vec<Command>,
    downloads: usize,
}

static NEXT_BUFFER: AtomicU32 = AtomicU32::new(0);

impl Recording {
    /// An empty recording.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn make(name: &'static str, words: usize) -> Buffer {
        Buffer { id: NEXT_BUFFER.fetch_add(1, Ordering::Relaxed), words, name }
    }

    /// Creates a buffer of zeros. It has at least one word, because a binding cannot be empty.
    pub fn buffer(&mut self, name: &'static str, words: usize) -> Buffer {
        let buffer = Self::make(name, words.max(1));
        self.commands.push(Command::Create(buffer));
        buffer
    }

    /// Creates a buffer with this content.
    pub fn upload(&mut self, name: &'static str, mut words: Vec<u32>) -> Buffer {
        if words.is_empty() {
            words.push(0);
        }
        let buffer = Self::make(name, words.len());
        self.commands.push(Command::Upload(buffer, words));
        buffer
    }

    /// Sets a buffer to zero.
    pub fn clear(&mut self, buffer: Buffer) {
        self.commands.push(Command::Clear(buffer));
    }

    /// Copies words from one buffer to another.
    pub fn copy(&mut self, from: Buffer, words: Range<usize>, to: Buffer, at: usize) {
        self.commands.push(Command::Copy { from, words, to, at });
    }

    /// Runs a kernel with at least `threads` threads. Records nothing if `threads` is 0.
    ///
    /// # Panics
    /// When the numbers of parameters or bindings differ from the kernel's, or a buffer is bound twice.
    pub fn dispatch(
        &mut self,
        kernel: &'static Kernel,
        threads: usize,
        params: &[u32],
        bindings: &[Binding],
    ) {
        if threads == 0 {
            return;
        }
        assert_eq!(params.len(), kernel.params.len(), "parameters of {}", kernel.name);
        assert_eq!(bindings.len(), kernel.bindings.len(), "bindings of {}", kernel.name);
        let mut ids: Vec<u32> = bindings.iter().map(|binding| binding.buffer.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), bindings.len(), "{} has a buffer twice", kernel.name);
        self.commands.push(Command::Dispatch(Dispatch {
            kernel,
            params: params.to_vec(),
            bindings: bindings.to_vec(),
            workgroups: threads.div_ceil(kernel.workgroup as usize) as u32,
        }));
    }

    /// Downloads words to the host.
    pub fn download(&mut self, buffer: Buffer, words: Range<usize>) -> Download {
        self.commands.push(Command::Download(buffer, words));
        self.downloads += 1;
        Download(self.downloads - 1)
    }

    /// Frees a buffer when the submission has ended.
    pub fn free(&mut self, buffer: Buffer) {
        self.commands.push(Command::Free(buffer));
    }

    /// The words of all buffers that it creates. None is freed before the submission ends.
    #[must_use]
    pub fn words(&self) -> usize {
        let made = self.commands.iter().map(|command| match command {
            Command::Create(buffer) | Command::Upload(buffer, _) => buffer.words,
            _ => 0,
        });
        made.sum()
    }

    /// The buffers that it creates and does not free.
    pub fn kept(&self) -> Vec<Buffer> {
        let mut kept = Vec::new();
        for command in &self.commands {
            match command {
                Command::Create(buffer) | Command::Upload(buffer, _) => kept.push(*buffer),
                Command::Free(buffer) => kept.retain(|own| own != buffer),
                _ => {}
            }
        }
        kept
    }

    /// The buffers that it frees, including those of other recordings.
    pub(crate) fn freed(&self) -> Vec<Buffer> {
        let freed = |command: &Command| match command {
            Command::Free(buffer) => Some(*buffer),
            _ => None,
        };
        self.commands.iter().filter_map(freed).collect()
    }

    /// Refuses bindings that are larger than a backend accepts.
    pub(crate) fn check(&self, limits: Limits) -> Result<(), GpuError> {
        let dispatches = self.commands.iter().filter_map(|command| match command {
            Command::Dispatch(dispatch) => Some(dispatch),
            _ => None,
        });
        let bindings = dispatches.flat_map(|dispatch| &dispatch.bindings);
        let words = bindings.map(|binding| binding.words.1 - binding.words.0).max().unwrap_or(0);
        match words <= limits.binding {
            true => Ok(()),
            false => Err(GpuError::OutOfMemory {
                needed: 4 * words as u64,
                limit: 4 * limits.binding as u64,
            }),
        }
    }

    /// The number of dispatches.
    #[must_use]
    pub fn dispatches(&self) -> usize {
        self.commands.iter().filter(|command| matches!(command, Command::Dispatch(_))).count()
    }

    /// The bytes of device memory that are read and written. It assumes that a kernel accesses every
    /// bound word once for reading, writing or both; or one word per thread, where its [`Access`] says
    /// so; or none, where they are counted elsewhere. Uploads and downloads count once.
    #[must_use]
    pub fn traffic(&self) -> u64 {
        self.traffic_by_kernel().map(|(_, bytes)| bytes).sum()
    }

    /// The [traffic](Self::traffic) of each dispatch, copy and transfer, with its name.
    pub fn traffic_by_kernel(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.commands.iter().map(|command| {
            let (name, words) = match command {
                Command::Create(_) | Command::Free(_) => ("", 0),
                Command::Upload(buffer, _) => ("upload", buffer.words),
                Command::Clear(buffer) => ("clear", buffer.words),
                Command::Copy { words, .. } => ("copy", 2 * words.len()),
                Command::Download(_, words) => ("download", words.len()),
                Command::Dispatch(dispatch) => (dispatch.kernel.name, dispatch.traffic()),
            };
            (name, 4 * words as u64)
        })
    }
}

/// The results of a submission.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    pub(crate) downloads: Vec<Vec<u32>>,
}

impl Outcome {
    /// Takes a download.
    pub fn take(&mut self, download: Download) -> Vec<u32> {
        std::mem::take(&mut self.downloads[download.0])
    }
}

impl fmt::Display for Recording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names = Names::default();
        for command in &self.commands {
            match command {
                Command::Create(buffer) => {
                    writeln!(f, "create {} of {} words", names.of(buffer), buffer.words)?;
                }
                Command::Upload(buffer, words) => {
                    writeln!(f, "upload {} of {} words", names.of(buffer), words.len())?;
                }
                Command::Clear(buffer) => writeln!(f, "clear {}", names.of(buffer))?,
                Command::Copy { from, words, to, at } => {
                    let (from, to) = (names.of(from), names.of(to));
                    writeln!(f, "copy {from}[{words:?}] to {to}[{at}..]")?;
                }
                Command::Dispatch(dispatch) => dispatch.write(f, &mut names)?,
                Command::Download(buffer, words) => {
                    writeln!(f, "download {}[{words:?}]", names.of(buffer))?;
                }
                Command::Free(buffer) => writeln!(f, "free {}", names.of(buffer))?,
            }
        }
        Ok(())
    }
}

impl Dispatch {
    /// The words that are read and written.
    fn traffic(&self) -> usize {
        let words = |(binding, access): (&Binding, &Access)| {
            let words = binding.words.1 - binding.words.0;
            match access {
                Access::Read | Access::Fill => words,
                Access::Write => 2 * words,
                Access::Gather | Access::Scatter => words.min(self.threads()),
                Access::Sparse | Access::SparseWrite => 0,
            }
        };
        self.bindings.iter().zip(self.kernel.bindings).map(words).sum()
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, names: &mut Names) -> fmt::Result {
        let Kernel { name, workgroup, .. } = self.kernel;
        write!(f, "run {name} on {} x {workgroup} with", self.workgroups)?;
        for (name, value) in self.kernel.params.iter().zip(&self.params) {
            write!(f, " {name}={value}")?;
        }
        write!(f, ":")?;
        for (binding, access) in self.bindings.iter().zip(self.kernel.bindings) {
            let mark = if access.is_writing() { "*" } else { "" };
            write!(f, " {mark}{}", names.of(&binding.buffer))?;
            if binding.words != (0, binding.buffer.words) {
                write!(f, "[{}..{}]", binding.words.0, binding.words.1)?;
            }
        }
        writeln!(f)
    }
}

/// Names of buffers, made unique.
#[derive(Default)]
struct Names {
    given: HashMap<u32, String>,
    uses: HashMap<&'static str, u32>,
}

impl Names {
    fn of(&mut self, buffer: &Buffer) -> String {
        let uses = &mut self.uses;
        let name = self.given.entry(buffer.id).or_insert_with(|| {
            let use_number = uses.entry(buffer.name).or_insert(0);
            *use_number += 1;
            match *use_number {
                1 => buffer.name.to_owned(),
                number => format!("{}'{number}", buffer.name),
            }
        });
        name.clone()
    }
}
