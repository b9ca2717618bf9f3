//! A kernel: one WGSL file, and its twin, a function on the CPU that does the same to the same
//! buffers.

use crate::shader;
use std::cell::Cell;

/// What a kernel does with a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// It only reads.
    Read,
    /// It reads and writes.
    Write,
    /// It only writes.
    Fill,
    /// It only reads, one word a thread, anywhere.
    Gather,
    /// It only writes, one word a thread, anywhere.
    Scatter,
    /// It only reads, few words, which whoever runs it counts.
    Sparse,
    /// It reads and writes, few words, which whoever runs it counts.
    SparseWrite,
}

impl Access {
    /// Whether the buffer may be another one afterwards.
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
    /// The text of the file, its imports not yet put in.
    pub source: &'static str,
    /// Names of the fields of its `Params`, all `u32`: binding 0.
    pub params: &'static [&'static str],
    /// What it does with bindings 1, 2, …
    pub bindings: &'static [Access],
    /// Threads in a workgroup.
    pub workgroup: u32,
    /// The same on the CPU.
    pub twin: fn(&mut Call<'_>),
}

impl Kernel {
    /// The whole text in WGSL.
    #[must_use]
    pub fn wgsl(&self) -> String {
        shader::resolve(self.source)
    }
}

/// Declares a kernel whose WGSL file lies beside the Rust file that says this.
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

/// What a twin is called with.
#[derive(Debug)]
pub struct Call<'b> {
    params: &'b [u32],
    buffers: Vec<&'b mut [u32]>,
    threads: usize,
    visits: &'b Visits,
}

/// Symbols of a grammar that twins have looked at: the kernels look at as many.
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

    /// Where looks at symbols are counted.
    #[must_use]
    pub fn visits(&self) -> &'b Visits {
        self.visits
    }

    /// The parameters.
    ///
    /// # Panics
    /// When the twin expects another number of them than its kernel.
    #[must_use]
    pub fn params<const N: usize>(&self) -> [u32; N] {
        self.params.try_into().expect("as many parameters as the kernel has")
    }

    /// The buffers, in the order of bindings.
    ///
    /// # Panics
    /// When the twin expects another number of them than its kernel.
    pub fn buffers<const N: usize>(&mut self) -> [&mut [u32]; N] {
        let buffers: Vec<&mut [u32]> =
            self.buffers.iter_mut().map(|buffer| &mut **buffer).collect();
        buffers.try_into().expect("as many buffers as the kernel has")
    }

    /// Threads of the dispatch.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.threads
    }
}
