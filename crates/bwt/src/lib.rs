//! stub
#![forbid(unsafe_code)]
mod bits;
pub mod bzip2;
pub mod doubling;
pub mod histogram;
pub mod huffman;
pub mod inverse;
pub mod mtf;
pub mod rotation;
pub mod transform;
pub use doubling::sort_rotations_by_doubling;
pub use inverse::inverse;
pub use rotation::least_rotation;
pub use transform::{Sorter, Transformed, forward};
