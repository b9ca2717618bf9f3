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

/// A number in a message. Those that would have many zeros have a power of ten.
fn readable(number: &f64) -> String {
    match number.abs() {
        0.0 | 1e-6..1e15 => number.to_string(),
        _ => format!("{number:e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn numbers_in_messages_are_short() {
        let numbers = [0.0, -1.0, 0.1, 1e-6, 65_536.0, 1e308, -1e-320, f64::NAN, f64::INFINITY];
        let expected = ["0", "-1", "0.1", "0.000001", "65536", "1e308", "-1e-320", "NaN", "inf"];
        assert_eq!(numbers.map(|number| readable(&number)), expected);
    }
}
