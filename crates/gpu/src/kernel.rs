//! A kernel: one WGSL file, and its twin, a Rust function that does the same to the same buffers.

use crate::shader;
use std::cell::Cell;

/// How a kernel uses a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Reads every word.
    Read,
    /// Reads and writes every word.
    Write,
    /// Writes every word.
    Fill,
    /// Reads one word per thread, anywhere.
    Gather,
    /// Writes one word per thread, anywhere.
    Scatter,
    /// Reads few words. The code that dispatches the kernel counts them.
    Sparse,
    /// Reads and writes few words. The code that dispatches the kernel counts them.
    SparseWrite,
}

impl Access {
    /// Whether the kernel may change the buffer.
    #[must_use]
    pub fn is_writing(self) -> bool {
        !matches!(self, Self::Read | Self::Gather | Self::Sparse)
    }
}

/// A kernel and its twin.
#[derive(Debug)]
pub struct Kernel {
    /// The name of the file and of the twin.
    pub name: &'static str,
    /// The text of the file, with unresolved imports.
    pub source: &'static str,
    /// The names of the fields of its `Params`, all `u32`: binding 0.
    pub params: &'static [&'static str],
    /// How it uses bindings 1, 2, …
    pub bindings: &'static [Access],
    /// Threads in a workgroup.
    pub workgroup: u32,
    /// The twin.
    pub twin: fn(&mut Call<'_>),
}

impl Kernel {
    /// The whole text in WGSL, with imports resolved.
    #[must_use]
    pub fn wgsl(&self) -> String {
        shader::resolve(self.source)
    }
}

/// Declares a kernel. Its WGSL file is next to the Rust file of the declaration.
macro_rules! kernel {
    (
        $(#[$doc:meta])*
        $name:ident, workgroup $workgroup:literal, params [$($param:ident),*],
        bindings [$($access:ident),*]
    ) => {
        $(#[$doc])*
        pub static KERNEL: crate::kernel::Kernel = crate::kernel::Kernel {
            name: stringify!($name),
            source: include_str!(concat!(stringify!($name), ".wgsl")),
            params: &[$(stringify!($param)),*],
            bindings: &[$(crate::kernel::Access::$access),*],
            workgroup: $workgroup,
            twin: $name,
        };
    };
}
pub(crate) use kernel;

/// The arguments of a twin.
#[derive(Debug)]
pub struct Call<'b> {
    params: &'b [u32],
    buffers: Vec<&'b mut [u32]>,
    threads: usize,
    visits: &'b Visits,
}

/// Counts the grammar symbols that twins visit. Kernels visit the same number.
#[derive(Debug, Default)]
pub struct Visits(Cell<u64>);

impl Visits {
    pub(crate) fn add(&self, symbols: usize) {
        self.0.set(self.0.get() + symbols as u64);
    }

    pub(crate) fn count(&self) -> u64 {
        self.0.get()
    }
}

impl<'b> Call<'b> {
    pub(crate) fn new(
        params: &'b [u32],
        buffers: Vec<&'b mut [u32]>,
        threads: usize,
        visits: &'b Visits,
    ) -> Self {
        Self { params, buffers, threads, visits }
    }

    /// The counter of visited symbols.
    #[must_use]
    pub fn visits(&self) -> &'b Visits {
        self.visits
    }

    /// The parameters.
    ///
    /// # Panics
    /// When the twin expects a different number of them than its kernel has.
    #[must_use]
    pub fn params<const N: usize>(&self) -> [u32; N] {
        self.params.try_into().expect("as many parameters as the kernel has")
    }

    /// The buffers, in the order of bindings.
    ///
    /// # Panics
    /// When the twin expects a different number of them than its kernel has.
    pub fn buffers<const N: usize>(&mut self) -> [&mut [u32]; N] {
        let buffers: Vec<&mut [u32]> =
            self.buffers.iter_mut().map(|buffer| &mut **buffer).collect();
        buffers.try_into().expect("as many buffers as the kernel has")
    }

    /// The threads of the dispatch.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.threads
    }
}
