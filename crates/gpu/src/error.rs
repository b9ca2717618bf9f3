//! Why the GPU did not answer.

/// Why the GPU did not answer. None of these comes with a part of an answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// No adapter was found, or none that was asked for.
    #[error("no {wanted} was found{}", there_are(.found))]
    NoAdapter {
        /// What was asked for.
        wanted: String,
        /// The adapters there are.
        found: Vec<String>,
    },
    /// The adapter gave no device.
    #[error("{adapter} gives no device: {reason}")]
    NoDevice {
        /// The adapter's name.
        adapter: String,
        /// What the driver says.
        reason: String,
    },
    /// The driver does not take a kernel.
    #[error("the driver refused the kernel {kernel}: {reason}")]
    Refused {
        /// The kernel's name.
        kernel: &'static str,
        /// What the driver says.
        reason: String,
    },
    /// The device has less memory than is needed.
    #[error("{needed} bytes are needed on the device, which may use {limit}")]
    OutOfMemory {
        /// Bytes that are needed.
        needed: u64,
        /// Bytes there are, or bytes that one buffer may have.
        limit: u64,
    },
    /// The device is gone: it was unplugged, reset, or took too long.
    #[error("the device was lost: {reason}")]
    Lost {
        /// What the driver says.
        reason: String,
    },
    /// The driver found a recording at fault.
    #[error("the driver refused the work: {reason}")]
    Invalid {
        /// What the driver says.
        reason: String,
    },
    /// A count does not fit in 64 bits.
    #[error("a count passes 64 bits")]
    CountTooLarge,
    /// Numbers of rules, symbols or sequences do not fit in 32 bits, or sequences are too long.
    #[error("the {what} are too many for the device's 32-bit numbers")]
    TooMany {
        /// What there is too much of.
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
    /// A table stayed too small, however often it was made larger.
    #[error("a table on the device overflowed {times} times")]
    Overflow {
        /// How often the run was repeated.
        times: u32,
    },
    /// A document of the file is not as long as the file says.
    #[error("document {document} expands to {length} bytes, its size is {size}")]
    Damaged {
        /// Its number in the corpus.
        document: usize,
        /// Bytes it expands to.
        length: u64,
        /// Bytes that the document table says.
        size: u64,
    },
    /// The grammar is so deep that a look at one place would not end in time.
    #[error("the grammar has {levels} levels, too many for the device")]
    TooDeep {
        /// Its levels.
        levels: u32,
    },
    /// Something that only the CPU does.
    #[error("{what} cannot be done on the GPU")]
    Unsupported {
        /// What.
        what: &'static str,
    },
}

fn there_are(names: &[String]) -> String {
    match names {
        [] => String::new(),
        names => format!("; there are: {}", names.join(", ")),
    }
}
