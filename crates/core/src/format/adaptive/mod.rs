//! Adaptive models over a range coder: the strongest and slowest coding, for level `max`.
//!
//! [`grammar_coder`] codes a grammar, [`dictionary_coder`] the tokens of a dictionary. Each model is
//! written once for both directions: see [`range_coder::BinaryCoder`].

mod cluster_predictor;
pub(crate) mod dictionary_coder;
pub(crate) mod grammar_coder;
mod mixing;
mod mtf_lists;
pub(crate) mod range_coder;
