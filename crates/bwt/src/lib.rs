//! Block sorting on all cores: the Burrows-Wheeler transform, move-to-front and Huffman coding,
//! each stage usable on its own, and on top of them the bzip2 format and a compressor for buffers.
//!
//! The stages and their parallel forms follow the thesis *Parallel Lossless Data Compression on the
//! GPU*, whose sections are cited. What it leaves as future work (its section 5.2) is implemented here:
//! the bzip2 format, sorting that long ties do not slow down, and an inverse transform by cutting the list.
//!
//! | stage | forward | inverse |
//! |---|---|---|
//! | transform | [`forward`], [`Sorter`] | [`inverse()`], [`inverse::Unsorter`] |
//! | move to front | [`mtf::encode_in_parallel`] | [`mtf::decode_in_parallel`] |
//! | Huffman | [`huffman::encode`] | [`huffman::decode`] |
//! | all, bzip2 format | [`bzip2::Writer`] | [`bzip2::Reader`] |
//! | all, smallest | [`pack::pack`] | [`pack::unpack`] |
//!
//! ```
//! use zgram_bwt::{forward, huffman, inverse, mtf};
//!
//! let transformed = forward(b"ababacabac");
//! let places = mtf::encode_in_parallel(&transformed.last_column);
//! let symbols: Vec<u16> = places.iter().map(|&place| place.into()).collect();
//! let coded = huffman::encode(&symbols, 256);
//!
//! let symbols = huffman::decode(&coded)?;
//! let places: Vec<u8> = symbols.iter().map(|&symbol| symbol as u8).collect();
//! let column = mtf::decode_in_parallel(&places);
//! assert_eq!(inverse(&column, transformed.origin), b"ababacabac");
//! # Ok::<(), huffman::NotCoded>(())
//! ```

#![forbid(unsafe_code)]

mod bits;
pub mod bzip2;
pub mod doubling;
pub mod histogram;
pub mod huffman;
pub mod inverse;
pub mod mtf;
pub mod pack;
pub mod rotation;
pub mod transform;

pub use doubling::sort_rotations_by_doubling;
pub use inverse::inverse;
pub use rotation::least_rotation;
pub use transform::{Sorter, Transformed, forward};
