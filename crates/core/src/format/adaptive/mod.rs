//! Adaptive models over a range coder: the strongest and slowest coding, for level `max`.
//!
//! [`symbols`] codes the root of a grammar, [`words`] the dictionary's strings. Both are written
//! once for both directions; see [`range_coder::BinaryCoder`].

mod mixing;
pub(crate) mod range_coder;
pub(crate) mod symbols;
pub(crate) mod words;
