//! How much a backend can hold.

/// The largest sizes that a backend accepts, in 32-bit words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Words of one binding.
    pub binding: usize,
    /// Words of all buffers together.
    pub memory: usize,
}
