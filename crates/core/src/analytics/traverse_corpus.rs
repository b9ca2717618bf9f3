//! Runs a [`Task`] of your own over a corpus, with all that the built-in tasks have: views, chosen
//! documents, the selector, threads, split documents.

use super::engine::{
    Division, Outlet, Passes, Prepare, SegmentScope, Setting, Share, for_each_share,
};
use super::options::Options;
use super::query::Query;
use super::report::{Phase, Report};
use super::select;
use super::task::Task;
use super::tasks::Shape;
use super::traverse::{Driver, Numbers};
use super::words::{NO_WORD, Words};
use crate::corpus::{Corpus, Documents};
use crate::error::QueryError;

/// Asks for a traversal by a task of your own: see [`Corpus::traverse`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traverse;

impl Corpus {
    /// Traverses the corpus with a [`Task`] of your own. The [query](Query) says how: which words,
    /// which documents, how many threads; [`prepare`](Query::prepare) makes it ready.
    #[must_use]
    pub fn traverse(&self) -> Query<'_, Traverse> {
        Query::new(self, Traverse)
    }
}

impl<'c> Query<'c, Traverse> {
    /// Loads the dictionary, applies the view and chooses a traversal.
    ///
    /// # Errors
    /// When the corpus is damaged.
    pub fn prepare(&self) -> Result<TaskRun<'c>, QueryError> {
        let decision = select::decide(self.corpus, &Shape::BY_DOCUMENT, &self.options);
        // An accelerator counts; it runs no tasks.
        let options = Options { acceleration: None, ..self.options.clone() };
        let setting = Setting::new(self.corpus, options, &decision)?;
        let break_word = match setting.plan.words.leaves_words_out() {
            true => setting.plan.words.len() as u32,
            false => NO_WORD,
        };
        let numbers =
            setting.plan.words.with_breaks(setting.plan.words.numbers().to_vec(), break_word);
        Ok(TaskRun { setting, numbers, break_word })
    }
}

/// A corpus ready to be traversed by tasks. See [`Task`] for examples.
pub struct TaskRun<'c> {
    setting: Setting<'c>,
    /// The words of tokens, with breaks for ordered tasks.
    numbers: Vec<u32>,
    break_word: u32,
}

/// What a document, or a piece of one that spans segments, has propagated.
struct Piece<M> {
    document: u32,
    segment: usize,
    continues: bool,
    is_continued: bool,
    message: M,
}

impl<'c> TaskRun<'c> {
    /// The words that tasks see, by number.
    #[must_use]
    pub fn words(&self) -> &Words<'c> {
        &self.setting.plan.words
    }

    /// Runs `task` on each chosen document; returns the documents' numbers and messages, in order.
    ///
    /// # Errors
    /// When the corpus is damaged or the run is cancelled.
    pub fn each_document<T: Task>(&self, task: &T) -> Result<Vec<(usize, T::Message)>, QueryError> {
        let mut messages = Vec::new();
        self.for_each_document(task, |document, message| {
            messages.push((document, message));
            Ok(())
        })?;
        Ok(messages)
    }

    /// Runs `task` on each chosen document and passes each document's number and message to `consume`,
    /// in order. A document that spans segments is traversed piece by piece and the pieces' messages are
    /// integrated.
    ///
    /// # Errors
    /// When the corpus is damaged, the run is cancelled, or `consume` fails.
    pub fn for_each_document<T: Task>(
        &self,
        task: &T,
        mut consume: impl FnMut(usize, T::Message) -> Result<(), QueryError> + Send,
    ) -> Result<(), QueryError> {
        let setting = &self.setting;
        let work = |share: Share<'_, TaskItems<'_, T>>,
                    outlet: &mut Outlet<'_, '_, Piece<T::Message>, QueryError>| {
            let driver = &share.segment.prepared;
            let mut scratch = driver.scratch(task);
            for &document in share.documents {
                setting.plan.options.progress.check()?;
                setting.ledger.meter.time(Phase::Traverse, || {
                    let documents = std::slice::from_ref(&document);
                    driver.visit(share.segment.documents(), documents, task, &mut scratch)
                })?;
                setting.visited(std::mem::take(&mut scratch.visited));
                let message = task.propagate(&mut scratch.value);
                share.passed(document);
                if outlet.emit(Piece::new(share.scope, document, message)).is_err() {
                    break;
                }
            }
            Ok(())
        };
        let mut open: Option<(Piece<()>, T::Value)> = None;
        let mut put = |piece: Piece<T::Message>| {
            let Piece { document, segment, continues, is_continued, message } = piece;
            let (before, mut value) = match open.take() {
                Some((before, value)) if continues && before.document == document => {
                    (Some(before.segment), value)
                }
                Some((before, mut value)) => {
                    // The next piece is in a segment that was skipped.
                    consume(before.document as usize, task.propagate(&mut value))?;
                    (None, task.value())
                }
                None if !is_continued => return consume(document as usize, message),
                None => (None, task.value()),
            };
            if before.is_some_and(|before| !setting.plan.follows(before, segment)) {
                task.gap(&mut value);
            }
            task.integrate(&mut value, &message, 1);
            if is_continued {
                let piece = Piece { document, segment, continues, is_continued, message: () };
                open = Some((piece, value));
                return Ok(());
            }
            consume(document as usize, task.propagate(&mut value))
        };
        let items = self.items(task);
        let segments = &setting.plan.segments;
        for_each_share(setting, &items, segments, Division::Separate, work, &mut put)?;
        match open {
            Some((piece, mut value)) => {
                consume(piece.document as usize, task.propagate(&mut value))
            }
            None => Ok(()),
        }
    }

    /// Runs `task` on all chosen documents together and returns one message. Between documents an
    /// ordered task has a [gap](Task::gap).
    ///
    /// # Errors
    /// When the corpus is damaged or the run is cancelled.
    pub fn together<T: Task>(&self, task: &T) -> Result<T::Message, QueryError> {
        let setting = &self.setting;
        let mut value = task.value();
        if task.is_ordered() {
            let mut is_first = true;
            self.for_each_document(task, |_, message| {
                if !std::mem::take(&mut is_first) {
                    task.gap(&mut value);
                }
                task.integrate(&mut value, &message, 1);
                Ok(())
            })?;
            return Ok(task.propagate(&mut value));
        }
        let work = |share: Share<'_, TaskItems<'_, T>>,
                    outlet: &mut Outlet<'_, '_, T::Message, QueryError>| {
            setting.plan.options.progress.check()?;
            let driver = &share.segment.prepared;
            let mut scratch = driver.scratch(task);
            setting.ledger.meter.time(Phase::Traverse, || {
                driver.visit(share.segment.documents(), share.documents, task, &mut scratch)
            })?;
            setting.visited(scratch.visited);
            share.documents.iter().for_each(|&document| share.passed(document));
            let _ = outlet.emit(task.propagate(&mut scratch.value));
            Ok(())
        };
        let items = self.items(task);
        let mut add = |message: T::Message| {
            task.integrate(&mut value, &message, 1);
            Ok(())
        };
        let segments = &setting.plan.segments;
        for_each_share(setting, &items, segments, Division::Together, work, &mut add)?;
        Ok(task.propagate(&mut value))
    }

    /// What the runs cost so far.
    #[must_use]
    pub fn into_report(self) -> Report {
        self.setting.into_report(Passes::ONE)
    }

    fn items<'r, T: Task>(&'r self, task: &'r T) -> TaskItems<'r, T> {
        let break_word = if task.is_ordered() { self.break_word } else { NO_WORD };
        let of_tokens = match task.is_ordered() {
            true => &self.numbers[..],
            false => self.setting.plan.words.numbers(),
        };
        let numbers = Numbers { of_tokens, break_word };
        TaskItems { setting: &self.setting, task, numbers }
    }
}

impl<M> Piece<M> {
    fn new(scope: &SegmentScope, document: usize, message: M) -> Self {
        Self {
            document: scope.corpus_number(document),
            segment: scope.segment,
            continues: scope.continues && scope.documents.first() == Some(&document),
            is_continued: scope.is_continued && scope.documents.last() == Some(&document),
            message,
        }
    }
}

/// A task and the words it sees.
struct TaskItems<'r, T> {
    setting: &'r Setting<'r>,
    task: &'r T,
    numbers: Numbers<'r>,
}

impl<T: Task> Prepare for TaskItems<'_, T> {
    type Prepared = Driver<T>;

    fn prepare(
        &self,
        segment: Documents<'_>,
        _: &[usize],
        _: bool,
    ) -> Result<Driver<T>, QueryError> {
        Ok(Driver::new(self.setting.plan.traversal, segment, self.numbers, self.task))
    }

    fn visited_before(segment: Documents<'_>, driver: &Driver<T>) -> u64 {
        driver.prepared(segment)
    }
}
