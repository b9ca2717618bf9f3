//! Epochs: the text is read once per epoch, divided into jobs, and threads learn from the jobs.

use super::error::Word2VecError;
use super::learner::{Learner, Loss, Plan};
use super::matrix::{Matrix, Rows};
use super::options::Word2Vec;
use super::text::{PIECE, Text};
use super::vocabulary::Vocabulary;
use crate::random::Random;
use crate::vectors::WordVectors;
use std::sync::mpsc::{Receiver, SendError, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::Builder;
use std::time::{Duration, Instant};
use zgram::progress::Stage;

/// The learning rate at the end.
const LAST_RATE: f32 = 1e-4;

/// A training under way: see [`Word2Vec`].
pub struct Training<'c> {
    options: Word2Vec<'c>,
    vocabulary: Vocabulary,
    plan: Plan,
    text: Text<'c>,
    /// Vectors of words.
    input: Matrix,
    /// Rows of the output layer.
    output: Matrix,
    /// Epochs that are complete.
    done: u32,
}

/// How an epoch went.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Epoch {
    /// Its number, from 1.
    pub number: u32,
    /// The words of the vocabulary that were read.
    pub words: u64,
    /// How long it took.
    pub time: Duration,
    loss: Loss,
}

impl Epoch {
    /// The mean loss of a prediction.
    #[must_use]
    pub fn loss(&self) -> f64 {
        self.loss.sum / self.loss.predictions.max(1) as f64
    }

    /// Words per second.
    #[must_use]
    pub fn speed(&self) -> f64 {
        self.words as f64 / self.time.as_secs_f64().max(1e-9)
    }
}

/// Pieces that one thread learns from at one learning rate.
#[derive(Debug, Default)]
struct Job {
    words: Vec<u32>,
    /// Where each piece ends in `words`.
    ends: Vec<usize>,
    /// Words of the epoch before this job.
    before: u64,
    /// The stream of its random numbers.
    stream: u64,
}

impl<'c> Training<'c> {
    pub(super) fn new(
        size: usize,
        options: Word2Vec<'c>,
        vocabulary: Vocabulary,
        plan: Plan,
    ) -> Result<Self, Word2VecError> {
        let words = vocabulary.len();
        let too_large = || {
            let bytes = 2 * 4 * (words as u64).saturating_mul(size as u64);
            Word2VecError::TooLarge { words, size, bytes }
        };
        let text = Text::new(&options, &vocabulary)?;
        let mut input = Matrix::zeros(words, size).ok_or_else(too_large)?;
        let output = Matrix::zeros(words, size).ok_or_else(too_large)?;
        input.randomize(options.seed);
        Ok(Self { options, vocabulary, plan, text, input, output, done: 0 })
    }

    /// The words that get vectors.
    #[must_use]
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// Epochs in all.
    #[must_use]
    pub fn epochs(&self) -> u32 {
        self.options.epochs
    }

    /// The vectors as they are now.
    #[must_use]
    pub fn vectors(&self) -> WordVectors {
        WordVectors::new(self.vocabulary.words(), self.input.size(), self.input.numbers().collect())
    }

    /// Trains for one more epoch; `None` after the last.
    ///
    /// # Errors
    /// When the corpus is damaged or the work is cancelled. The vectors are then those of a part of the
    /// epoch.
    pub fn next_epoch(&mut self) -> Result<Option<Epoch>, Word2VecError> {
        if self.done == self.options.epochs {
            return Ok(None);
        }
        let started = Instant::now();
        let progress = self.options.progress;
        if self.done == 0 {
            progress.expect(Stage::Training, self.vocabulary.total() * u64::from(self.epochs()));
        }
        let threads = match self.options.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let Self { options, vocabulary, plan, text, input, output, done } = self;
        let plan = &*plan;
        let schedule = &Schedule {
            options,
            total: vocabulary.total().saturating_mul(options.epochs.into()),
            before: vocabulary.total().saturating_mul((*done).into()),
        };
        // No job of another epoch has the same random numbers.
        let stream = u64::from(*done) << 40;
        let job = Job { stream, ..Job::default() };
        let mut jobs = Jobs { job, stream, words: 0 };
        let mut loss = Loss::default();
        if threads == 1 {
            let mut learner = Learner::new(plan, input.alone(), output.alone());
            text.for_each_piece(|piece| {
                let Some(job) = jobs.add(piece) else { return Ok(()) };
                loss += schedule.run(&mut learner, &job);
                jobs.reuse(job);
                Ok(progress.check()?)
            })?;
            loss += schedule.run(&mut learner, &jobs.job);
        } else {
            let layers = (input.shared(), output.shared());
            let learner = || Learner::new(plan, layers.0.rows(), layers.1.rows());
            let learner = &learner;
            loss = std::thread::scope(|scope| {
                // A few jobs wait, so that no thread waits for the reader.
                let (sender, receiver) = sync_channel::<Job>(2 * threads);
                let receiver = Arc::new(Mutex::new(receiver));
                let start = |_| {
                    let receiver = Arc::clone(&receiver);
                    let labour = move || {
                        let mut learner = learner();
                        let mut loss = Loss::default();
                        while let Some(job) = next(&receiver).filter(|_| !progress.is_cancelled()) {
                            loss += schedule.run(&mut learner, &job);
                        }
                        loss
                    };
                    Builder::new().spawn_scoped(scope, labour).ok()
                };
                let workers: Vec<_> = (0..threads).map_while(start).collect();
                drop(receiver);
                // Where the system refuses threads, nobody receives, and the reader learns itself.
                let mut learner = learner();
                let mut hand_over = |job| match sender.send(job) {
                    Ok(()) => Loss::default(),
                    Err(SendError(job)) => schedule.run(&mut learner, &job),
                };
                let mut loss = Loss::default();
                let read = text.for_each_piece(|piece| {
                    if let Some(job) = jobs.add(piece) {
                        loss += hand_over(job);
                    }
                    Ok(progress.check()?)
                });
                loss += hand_over(std::mem::take(&mut jobs.job));
                drop(sender);
                for worker in workers {
                    loss += worker.join().expect("learners do not panic");
                }
                read.map(|()| loss)
            })?;
            input.take(layers.0);
            output.take(layers.1);
        }
        // Threads may still have worked when the reader was through.
        progress.check()?;
        *done += 1;
        Ok(Some(Epoch { number: *done, words: jobs.words, time: started.elapsed(), loss }))
    }
}

/// The next job; `None` when there are no more.
fn next(receiver: &Mutex<Receiver<Job>>) -> Option<Job> {
    receiver.lock().expect("no holder panics").recv().ok()
}

/// Gathers pieces into jobs.
struct Jobs {
    job: Job,
    stream: u64,
    /// Words of the epoch so far.
    words: u64,
}

impl Jobs {
    /// Adds a piece; returns a job when it is full.
    fn add(&mut self, piece: &[u32]) -> Option<Job> {
        self.job.words.extend_from_slice(piece);
        self.job.ends.push(self.job.words.len());
        self.words += piece.len() as u64;
        if self.job.words.len() < PIECE {
            return None;
        }
        self.stream += 1;
        let next = Job { before: self.words, stream: self.stream, ..Job::default() };
        Some(std::mem::replace(&mut self.job, next))
    }

    /// Takes back the memory of a job.
    fn reuse(&mut self, mut job: Job) {
        job.words.clear();
        job.ends.clear();
        (self.job.words, self.job.ends) = (job.words, job.ends);
    }
}

/// How the learning rate falls.
struct Schedule<'o, 'c> {
    options: &'o Word2Vec<'c>,
    /// Words of all epochs.
    total: u64,
    /// Words of the epochs before this one.
    before: u64,
}

impl Schedule<'_, '_> {
    /// The learning rate after `words` words of the epoch.
    fn rate(&self, words: u64) -> f32 {
        let part = (self.before + words) as f64 / self.total.max(1) as f64;
        let alpha = self.options.alpha;
        let last = LAST_RATE.min(alpha);
        alpha - (alpha - last) * part.min(1.0) as f32
    }

    fn run<R: Rows>(&self, learner: &mut Learner<'_, R>, job: &Job) -> Loss {
        let mut random = Random::new(self.options.seed ^ SALT, job.stream);
        let rate = self.rate(job.before);
        let mut loss = Loss::default();
        let mut start = 0;
        for &end in &job.ends {
            loss += learner.piece(&job.words[start..end], rate, &mut random);
            start = end;
        }
        self.options.progress.advance(Stage::Training, job.words.len() as u64);
        loss
    }
}

/// Keeps the random numbers of the text apart from those of the first vectors.
const SALT: u64 = 0x7465_7874;
