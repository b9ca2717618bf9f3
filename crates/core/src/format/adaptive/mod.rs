//! Adaptive models over a range coder: the strongest and slowest coding, for level `max`.
//!
//! [`nested`] codes a grammar, [`symbols`] the root alone as files had it once, [`words`] the
//! dictionary's strings. All are written once for both directions; see
//! [`range_coder::BinaryCoder`].

mod columns;
mod mixing;
pub(crate) mod nested;
pub(crate) mod range_coder;
pub(crate) mod recency;
pub(crate) mod symbols;
pub(crate) mod words;
