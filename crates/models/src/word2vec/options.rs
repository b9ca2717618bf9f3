//! What is trained, and how.

use super::draw::{NegativeWords, Subsample};
use super::error::Word2VecError;
use super::huffman::HuffmanCodes;
use super::learner::{Output, Plan};
use super::logistic::Logistic;
use super::text;
use super::training::Training;
use super::vocabulary::Vocabulary;
use fearless_simd::Level;
use std::ops::RangeInclusive;
use zgram::Corpus;
use zgram::analytics::View;
use zgram::progress::{Progress, Silent};

/// Word vectors of a corpus, to be trained: built step by step like a
/// [`Query`](zgram::analytics::Query). The defaults are those of gensim.
///
/// ```no_run
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use zgram::Corpus;
/// use zgram_models::word2vec::Word2Vec;
///
/// let corpus = Corpus::open("books.zgram")?;
/// let mut training = Word2Vec::new(&corpus).size(50).min_count(10).prepare()?;
/// while let Some(epoch) = training.next_epoch()? {
///     println!("epoch {}: loss {:.3}", epoch.number, epoch.loss());
/// }
/// let vectors = training.vectors();
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
#[must_use]
pub struct Word2Vec<'c> {
    pub(super) corpus: &'c Corpus,
    pub(super) view: View,
    pub(super) documents: Option<Vec<usize>>,
    pub(super) progress: &'c dyn Progress,
    pub(super) threads: usize,
    size: usize,
    window: u32,
    pub(super) epochs: u32,
    objective: Objective,
    skip_gram: bool,
    min_count: u64,
    max_vocab: usize,
    sample: f64,
    pub(super) alpha: f32,
    pub(super) seed: u64,
}

/// The output layer that is trained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// Tell the right word from this many words drawn by chance.
    Negative(u32),
    /// Follow the word's Huffman code: hierarchical softmax.
    Hierarchical,
}

/// Numbers of a vector.
const SIZES: RangeInclusive<usize> = 1..=10_000;
/// Words on each side. A wider window would make each word cost more than a whole document does.
const WINDOWS: RangeInclusive<u32> = 1..=1_000;
/// Words drawn by chance.
const SAMPLES: RangeInclusive<u32> = 1..=1_000;

impl<'c> Word2Vec<'c> {
    /// Vectors of 100 numbers, by CBOW with a window of 5 words, 5 negative samples and 5 epochs.
    pub fn new(corpus: &'c Corpus) -> Self {
        Self {
            corpus,
            view: View::default(),
            documents: None,
            progress: &Silent,
            threads: 0,
            size: 100,
            window: 5,
            epochs: 5,
            objective: Objective::Negative(5),
            skip_gram: false,
            min_count: 5,
            max_vocab: usize::MAX,
            sample: 1e-3,
            alpha: 0.025,
            seed: 1,
        }
    }

    /// Only these documents, by number.
    pub fn documents(mut self, documents: impl IntoIterator<Item = usize>) -> Self {
        self.documents = Some(documents.into_iter().collect());
        self
    }

    /// Uses this view of words.
    pub fn view(mut self, view: View) -> Self {
        self.view = view;
        self
    }

    /// Numbers per vector: from 1 to 10,000.
    pub fn size(mut self, size: usize) -> Self {
        self.size = size;
        self
    }

    /// The widest context on each side of a word: from 1 to 1,000 words. Each word's own is drawn.
    pub fn window(mut self, words: u32) -> Self {
        self.window = words;
        self
    }

    /// Times that the text is read: at least once.
    pub fn epochs(mut self, epochs: u32) -> Self {
        self.epochs = epochs;
        self
    }

    /// The output layer.
    pub fn objective(mut self, objective: Objective) -> Self {
        self.objective = objective;
        self
    }

    /// Predicts each word from one word of its context at a time, instead of from their mean (CBOW).
    pub fn skip_gram(mut self, skip_gram: bool) -> Self {
        self.skip_gram = skip_gram;
        self
    }

    /// Leaves out words that occur fewer times.
    pub fn min_count(mut self, count: u64) -> Self {
        self.min_count = count;
        self
    }

    /// Keeps at most this many words, the most frequent ones.
    pub fn max_vocab(mut self, words: usize) -> Self {
        self.max_vocab = words;
        self
    }

    /// Leaves out occurrences of words that are more than this share of the text, the more the more
    /// frequent they are; 0 keeps all.
    pub fn sample(mut self, share: f64) -> Self {
        self.sample = share;
        self
    }

    /// The learning rate at the beginning, above 0 and up to 1. It falls evenly to 0.0001.
    pub fn alpha(mut self, rate: f32) -> Self {
        self.alpha = rate;
        self
    }

    /// Uses this many threads; 0 for one per core. Several threads change vectors at the same time, so
    /// only one thread gives the same vectors every time.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Where random numbers begin.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Reports to `progress` and stops when it is cancelled.
    pub fn progress(mut self, progress: &'c dyn Progress) -> Self {
        self.progress = progress;
        self
    }

    /// Counts the words, builds the vocabulary and gives every word its first vector.
    ///
    /// # Errors
    /// When an option makes no sense, no word is frequent enough, memory does not suffice, or the
    /// corpus is damaged.
    pub fn prepare(self) -> Result<Training<'c>, Word2VecError> {
        self.check()?;
        let counts = text::counts(&self)?;
        let (words, most) = (counts.len(), counts.iter().map(|&(_, count)| count).max());
        let most = most.ok_or(Word2VecError::NoWords)?;
        let vocabulary = Vocabulary::new(counts, self.min_count, self.max_vocab);
        if vocabulary.is_empty() {
            return Err(Word2VecError::NoWordsLeft { words, min_count: self.min_count, most });
        }
        let counts = vocabulary.counts();
        let plan = Plan {
            skip_gram: self.skip_gram,
            window: self.window,
            output: match self.objective {
                Objective::Hierarchical => Output::Hierarchical(HuffmanCodes::new(counts)),
                Objective::Negative(samples) => {
                    Output::Negative { words: NegativeWords::new(counts), samples }
                }
            },
            subsample: Subsample::new(counts, vocabulary.total(), self.sample),
            logistic: Logistic::new(),
            level: Level::new(),
        };
        Training::new(self.size, self, vocabulary, plan)
    }

    fn check(&self) -> Result<(), Word2VecError> {
        let bad = |option, expected, found| Word2VecError::BadOption { option, expected, found };
        let require = |fits: bool, error| if fits { Ok(()) } else { Err(error) };
        require(SIZES.contains(&self.size), bad("size", "from 1 to 10,000", self.size as f64))?;
        require(
            WINDOWS.contains(&self.window),
            bad("window", "from 1 to 1,000 words", self.window.into()),
        )?;
        require(self.epochs > 0, bad("epochs", "at least 1", 0.0))?;
        if let Objective::Negative(samples) = self.objective {
            let expected = "from 1 to 1,000, unless the output layer is hierarchical";
            require(SAMPLES.contains(&samples), bad("negative", expected, samples.into()))?;
        }
        require(self.max_vocab > 0, bad("max-vocab", "at least 1", 0.0))?;
        require((0.0..=1.0).contains(&self.sample), bad("sample", "from 0 to 1", self.sample))?;
        require(
            self.alpha > 0.0 && self.alpha <= 1.0,
            bad("alpha", "above 0 and at most 1", self.alpha.into()),
        )
    }
}
