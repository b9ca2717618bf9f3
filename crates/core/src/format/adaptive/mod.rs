//! Adaptive models over a range coder: the strongest and slowest coding, for level `max`.
//!
//! [`nested`] codes a grammar, [`words`] the dictionary's strings. Both are written once for both
//! directions; see
//! [`range_coder::BinaryCoder`].

mod columns;
mod mixing;
pub(crate) mod nested;
pub(crate) mod range_coder;
pub(crate) mod recency;
pub(crate) mod words;
