//! Word vectors: in memory, in word2vec's two file formats, and compared with each other.

mod nearest;
mod read;
mod write;

pub use nearest::Neighbour;
pub use read::VectorsError;
pub use write::VectorFormat;

/// A vector for each of some words.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WordVectors {
    text: Vec<u8>,
    /// Where each word ends in `text`.
    ends: Vec<usize>,
    size: usize,
    /// The vectors of all words, one after the other.
    numbers: Vec<f32>,
}

impl WordVectors {
    pub(crate) fn new<'w>(
        words: impl Iterator<Item = &'w [u8]>,
        size: usize,
        numbers: Vec<f32>,
    ) -> Self {
        let mut vectors = Self { size, numbers, ..Self::default() };
        for word in words {
            vectors.text.extend_from_slice(word);
            vectors.ends.push(vectors.text.len());
        }
        vectors
    }

    /// How many words there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no words.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// How many numbers a vector has.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// The text of the word with number `word`.
    #[must_use]
    pub fn word(&self, word: usize) -> &[u8] {
        let start = word.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[word]]
    }

    /// The vector of the word with number `word`.
    #[must_use]
    pub fn vector(&self, word: usize) -> &[f32] {
        &self.numbers[word * self.size..][..self.size]
    }
}
