//! The words of a corpus, as counts and as text for training.
//!
//! The text is never spelled out. A task of core's visits the grammar and gets word numbers; words
//! outside the vocabulary are left out, so that their neighbours become neighbours of each other, as in
//! the original and in gensim.

use super::error::Word2VecError;
use super::options::Word2Vec;
use super::vocabulary::Vocabulary;
use std::collections::HashMap;
use zgram::analytics::{RowBatch, Task, TaskRun};
use zgram::error::QueryError;

/// Words of one piece. Windows do not reach into the next one, so pieces are long. gensim cuts
/// sentences at the same length, but leaves out what is beyond.
pub(super) const PIECE: usize = 10_000;

/// All words of the chosen documents with their counts. For a whole corpus, the file stores them.
pub(super) fn counts(options: &Word2Vec<'_>) -> Result<Vec<(Vec<u8>, u64)>, Word2VecError> {
    let mut query = options.corpus.word_count().view(options.view.clone());
    if let Some(documents) = &options.documents {
        query = query.documents(documents.iter().copied());
    }
    let query = query.threads(options.threads).progress(options.progress);
    let mut counts = Vec::new();
    let encode = |batch: &RowBatch<'_>| -> Vec<(Vec<u8>, u64)> {
        batch.rows().map(|row| (row.text(), row.count)).collect()
    };
    query.for_each_batch(encode, |rows| {
        counts.extend(rows);
        Ok(())
    })?;
    Ok(counts)
}

/// A corpus ready to be read as numbers of a vocabulary.
pub(super) struct Text<'c> {
    run: TaskRun<'c>,
    /// The vocabulary's number of each word of the view.
    numbers: Vec<u32>,
}

/// A word that is not in the vocabulary.
const OUTSIDE: u32 = u32::MAX;

impl<'c> Text<'c> {
    pub(super) fn new(
        options: &Word2Vec<'c>,
        vocabulary: &Vocabulary,
    ) -> Result<Self, Word2VecError> {
        let mut query = options.corpus.traverse().view(options.view.clone());
        if let Some(documents) = &options.documents {
            query = query.documents(documents.iter().copied());
        }
        // Reading is a small share of the work, and one thread reads documents in order.
        let run = query.threads(1).prepare()?;
        let by_text: HashMap<&[u8], u32> = vocabulary.words().zip(0..).collect();
        let words = run.words();
        let number = |word| by_text.get(words.text(word)).copied().unwrap_or(OUTSIDE);
        let numbers = (0..words.len() as u32).map(number).collect();
        Ok(Self { run, numbers })
    }

    /// Passes on the pieces of all documents, in order. A piece has words of one document.
    pub(super) fn for_each_piece(
        &self,
        mut consume: impl FnMut(&[u32]) -> Result<(), QueryError> + Send,
    ) -> Result<(), QueryError> {
        let task = Reader { numbers: &self.numbers };
        self.run.for_each_document(&task, |_, words| words.chunks(PIECE).try_for_each(&mut consume))
    }
}

/// Gathers the words of a document that are in the vocabulary.
struct Reader<'t> {
    numbers: &'t [u32],
}

impl Task for Reader<'_> {
    type Value = Vec<u32>;
    type Message = Vec<u32>;

    fn value(&self) -> Vec<u32> {
        Vec::new()
    }

    fn local(&self, text: &mut Vec<u32>, word: u32, _: u64) {
        self.stretch(text, &[word]);
    }

    fn stretch(&self, text: &mut Vec<u32>, words: &[u32]) {
        let numbers = words.iter().map(|&word| self.numbers[word as usize]);
        text.extend(numbers.filter(|&number| number != OUTSIDE));
    }

    fn integrate(&self, text: &mut Vec<u32>, message: &Vec<u32>, _: u64) {
        text.extend_from_slice(message);
    }

    fn propagate(&self, text: &mut Vec<u32>) -> Vec<u32> {
        std::mem::take(text)
    }

    fn is_ordered(&self) -> bool {
        true
    }
}
