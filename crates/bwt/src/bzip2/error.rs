//! What can be wrong with a bzip2 file.

use std::io;

/// Why a bzip2 file cannot be read: bzip2's own kinds of errors, each with the position.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The first bytes are not those of a bzip2 file.
    #[error("this is not a bzip2 file")]
    Foreign,
    /// The file ends within a stream.
    #[error("the file ends at byte {offset}, within block {block} or behind it")]
    Truncated {
        /// The length of the file.
        offset: u64,
        /// The block, counted from 1 over all streams.
        block: u64,
    },
    /// The bits of a block or between blocks are not those of the format.
    #[error("block {block}, from bit {bit} of byte {offset} on, is damaged: {what}")]
    Damaged {
        /// The block, counted from 1 over all streams.
        block: u64,
        /// The byte in which it begins.
        offset: u64,
        /// The bit of that byte, counted from the highest.
        bit: u8,
        /// What is wrong.
        what: &'static str,
    },
    /// A block's text is not what was compressed.
    #[error(
        "block {block}, from bit {bit} of byte {offset} on, is damaged: its checksum is \
         {computed:08x}, it should be {stored:08x}"
    )]
    BlockChecksum {
        /// The block, counted from 1 over all streams.
        block: u64,
        /// The byte in which it begins.
        offset: u64,
        /// The bit of that byte, counted from the highest.
        bit: u8,
        /// The checksum in the file.
        stored: u32,
        /// The checksum of the text.
        computed: u32,
    },
    /// Blocks of a stream are missing or changed.
    #[error(
        "the stream that ends at byte {offset} is damaged: its checksum is {computed:08x}, it \
         should be {stored:08x}"
    )]
    StreamChecksum {
        /// The byte after the stream.
        offset: u64,
        /// The checksum in the file.
        stored: u32,
        /// The checksum of the blocks.
        computed: u32,
    },
    /// The file cannot be read at all.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Io(error) => error,
            Error::Truncated { .. } => Self::new(io::ErrorKind::UnexpectedEof, error),
            _ => Self::new(io::ErrorKind::InvalidData, error),
        }
    }
}
