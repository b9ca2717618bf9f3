//! Models of the words of a corpus, trained on the words as the grammar expands to them.
//!
//! | module | what it is for |
//! |---|---|
//! | [`lda`] | topics of documents: words that occur in the same documents share topics |
//! | [`word2vec`] | word vectors: words that occur in similar contexts get similar vectors |
//! | [`vectors`] | word vectors in files, and the words nearest to a word |
//! | [`random`] | the random numbers of all models: the same for the same seed, everywhere |
//!
//! The crate uses only the public library [`zgram`]. It prints nothing, and writes files only where its
//! caller passes a writer.

#![forbid(unsafe_code)]

pub mod lda;
pub mod random;
pub mod vectors;
pub mod word2vec;
