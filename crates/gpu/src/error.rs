//! Why the GPU failed.

/// Why the GPU failed. There is never a partial result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// There is no adapter, or none that matches the request.
    #[error("no {wanted} was found{}", available(.found))]
    NoAdapter {
        /// The request.
        wanted: String,
        /// The available adapters.
        found: Vec<String>,
    },
    /// The adapter could not be opened.
    #[error("{adapter} cannot be opened: {reason}")]
    NoDevice {
        /// The adapter's name.
        adapter: String,
        /// The driver's message.
        reason: String,
    },
    /// The driver cannot compile a kernel.
    #[error("the driver refused the kernel {kernel}: {reason}")]
    Refused {
        /// The kernel's name.
        kernel: &'static str,
        /// The driver's message.
        reason: String,
    },
    /// The device has too little memory.
    #[error("{needed} bytes are needed on the device, but only {limit} are available")]
    OutOfMemory {
        /// The bytes needed.
        needed: u64,
        /// The bytes available, or the most bytes of one buffer.
        limit: u64,
    },
    /// The device was unplugged or reset, or took too long.
    #[error("the device was lost: {reason}")]
    Lost {
        /// The driver's message.
        reason: String,
    },
    /// The driver rejected a recording.
    #[error("the driver refused the work: {reason}")]
    Invalid {
        /// The driver's message.
        reason: String,
    },
    /// A count does not fit in 64 bits.
    #[error("a count exceeds 64 bits")]
    CountTooLarge,
    /// The numbers of rules, symbols or sequences do not fit in 32 bits.
    #[error("the {what} are too many for the device's 32-bit numbers")]
    TooMany {
        /// What there are too many of.
        what: &'static str,
    },
    /// Sequences are longer than a thread can compare in one dispatch.
    #[error("the GPU counts sequences of at most {most} words, not {words}")]
    SequenceTooLong {
        /// Words of a sequence.
        words: usize,
        /// The limit.
        most: usize,
    },
    /// A table was too small, however often it was enlarged.
    #[error("a table on the device overflowed {times} times")]
    Overflow {
        /// How often counting was repeated.
        times: u32,
    },
    /// The length of a document differs from its size in the file.
    #[error("document {document} expands to {length} bytes, but its size is {size}")]
    Damaged {
        /// The number of the document in the corpus.
        document: usize,
        /// The bytes it expands to.
        length: u64,
        /// Its size in the document table.
        size: u64,
    },
    /// The grammar is too deep: a lookup would take too long.
    #[error("the grammar has {levels} levels, which is too deep for the device")]
    TooDeep {
        /// The levels of the grammar.
        levels: u32,
    },
    /// The GPU does not support an operation.
    #[error("{what} cannot be done on the GPU")]
    Unsupported {
        /// The operation.
        what: &'static str,
    },
}

fn available(names: &[String]) -> String {
    match names {
        [] => String::new(),
        names => format!("; available: {}", names.join(", ")),
    }
}
