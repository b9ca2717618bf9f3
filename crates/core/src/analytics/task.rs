//! A task as its three operations (tadoc section 3.1), for any grammar and any traversal.
//!
//! A task says what happens at a rule: **local processing** of the rule's own words, **integration** of
//! the message of another rule, and **propagation** of what was gathered as a message. It says nothing
//! about the traversal, so every [`Traversal`] can run it:
//!
//! | traversal | local | integrate | propagate |
//! |---|---|---|---|
//! | top-down | with the rule's weight in the document | – | once per document |
//! | bottom-up | once per rule | a child's message, once per edge | once per rule and document |
//! | stream | once per occurrence | – | once per document |
//!
//! The counting of this crate's own tasks is written this way: `Tally` and `RankTally` in `tally.rs` are
//! tasks, and word count, sort, term vector, inverted index and the sequences of repetitive text run them.
//!
//! # A task of your own
//!
//! [`Corpus::traverse`](crate::Corpus::traverse) runs a task over a corpus, with views, chosen documents
//! and threads. Words are numbers; [`Words`](super::Words) has their texts.
//!
//! ```
//! use zgram::analytics::{Task, Words};
//!
//! /// Letters and words of a document, for their mean length.
//! struct WordLengths<'w>(&'w Words<'w>);
//!
//! impl Task for WordLengths<'_> {
//!     type Value = (u64, u64);
//!     type Message = (u64, u64);
//!
//!     fn value(&self) -> Self::Value {
//!         (0, 0)
//!     }
//!     fn local(&self, (bytes, words): &mut Self::Value, word: u32, times: u64) {
//!         *bytes += self.0.text(word).len() as u64 * times;
//!         *words += times;
//!     }
//!     fn integrate(&self, value: &mut Self::Value, message: &Self::Message, times: u64) {
//!         value.0 += message.0 * times;
//!         value.1 += message.1 * times;
//!     }
//!     fn propagate(&self, value: &mut Self::Value) -> Self::Message {
//!         std::mem::take(value)
//!     }
//! }
//!
//! # use zgram::{compress, input::Sources, progress::Silent, CompressOptions, Corpus};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let scratch = tempfile::tempdir()?;
//! # std::fs::write(scratch.path().join("a.txt"), "to be or not to be")?;
//! # let file = scratch.path().join("a.zgram");
//! # let sources = Sources::new([scratch.path().join("a.txt")]);
//! # compress(&sources, &file, &CompressOptions::default(), &Silent)?;
//! let corpus = Corpus::open(&file)?;
//! let run = corpus.traverse().min_len(3).prepare()?;
//! let lengths = run.each_document(&WordLengths(run.words()))?;
//! assert_eq!(lengths, [(0, (3, 1))]);
//! # Ok(())
//! # }
//! ```
//!
//! # Words in order
//!
//! An [ordered](Task::is_ordered) task gets words and messages in the order of the text, each with
//! `times` 1, bottom-up or by stream. A message then has to carry what its neighbours need. This is
//! algorithm 5 of the TADOC paper, which counts sequences of `n` words: a rule's message has the counts
//! within the rule and its first and last `n - 1` words.
//!
//! ```
//! use std::collections::BTreeMap;
//! use zgram::analytics::{Choice, Task, Traversal};
//!
//! struct Sequences {
//!     n: usize,
//! }
//!
//! #[derive(Clone, Default)]
//! struct Part {
//!     head: Vec<u32>,
//!     tail: Vec<u32>,
//!     counts: BTreeMap<Vec<u32>, u64>,
//! }
//!
//! impl Task for Sequences {
//!     type Value = Part;
//!     type Message = Part;
//!
//!     fn value(&self) -> Part {
//!         Part::default()
//!     }
//!     fn local(&self, part: &mut Part, word: u32, _: u64) {
//!         if part.head.len() < self.n - 1 {
//!             part.head.push(word);
//!         }
//!         part.tail.push(word);
//!         if part.tail.len() == self.n {
//!             *part.counts.entry(part.tail.clone()).or_default() += 1;
//!             part.tail.remove(0);
//!         }
//!     }
//!     fn integrate(&self, part: &mut Part, message: &Part, _: u64) {
//!         // Sequences that cross the border end in the first words of the message.
//!         for &word in &message.head {
//!             self.local(part, word, 1);
//!         }
//!         for (sequence, count) in &message.counts {
//!             *part.counts.entry(sequence.clone()).or_default() += count;
//!         }
//!         if message.tail.len() == self.n - 1 {
//!             part.tail.clone_from(&message.tail);
//!         }
//!     }
//!     fn propagate(&self, part: &mut Part) -> Part {
//!         std::mem::take(part)
//!     }
//!     fn is_ordered(&self) -> bool {
//!         true
//!     }
//! }
//!
//! # use zgram::{compress, input::Sources, progress::Silent, CompressOptions, Corpus};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let scratch = tempfile::tempdir()?;
//! # std::fs::write(scratch.path().join("a.txt"), "to be or not to be, or not to be")?;
//! # let file = scratch.path().join("a.zgram");
//! # let sources = Sources::new([scratch.path().join("a.txt")]);
//! # compress(&sources, &file, &CompressOptions::default(), &Silent)?;
//! # let corpus = Corpus::open(&file)?;
//! for traversal in [Traversal::BottomUp, Traversal::Stream] {
//!     let run = corpus.traverse().traversal(Choice::Fixed(traversal)).threads(2).prepare()?;
//!     let documents = run.each_document(&Sequences { n: 3 })?;
//!     let (sequence, count) = documents[0].1.counts.iter().max_by_key(|(_, count)| **count).unwrap();
//!     let words: Vec<_> =
//!         sequence.iter().map(|&word| String::from_utf8_lossy(run.words().text(word))).collect();
//!     assert!(["be or not", "or not to", "not to be"].contains(&&words.join(" ")[..]));
//!     assert_eq!(*count, 2);
//! }
//! # Ok(())
//! # }
//! ```

/// What is done at a rule.
pub trait Task: Sync {
    /// What is gathered at a rule or a document.
    type Value: Send;
    /// What a rule passes to the rules that use it, and a document to its reader.
    type Message: Send + Sync;

    /// The value of nothing.
    fn value(&self) -> Self::Value;

    /// Local processing: `word` occurs here `times` times.
    fn local(&self, value: &mut Self::Value, word: u32, times: u64);

    /// Data integration: what `message` describes occurs here `times` times.
    fn integrate(&self, value: &mut Self::Value, message: &Self::Message, times: u64);

    /// Data propagation: turns what was gathered into a message and leaves the value of nothing.
    fn propagate(&self, value: &mut Self::Value) -> Self::Message;

    /// Whether the order of words matters. If so, words and messages come in the order of the text, each
    /// with `times` 1, by [`Traversal::BottomUp`] or [`Traversal::Stream`]; a top-down choice streams.
    fn is_ordered(&self) -> bool {
        false
    }

    /// Local processing of words that follow each other, in an ordered task. Override it where a slice
    /// is faster than one call per word.
    fn stretch(&self, value: &mut Self::Value, words: &[u32]) {
        words.iter().for_each(|&word| self.local(value, word, 1));
    }

    /// In an ordered task: the words before and after are no neighbours, because the view leaves out a
    /// word between them or because another document begins.
    fn gap(&self, value: &mut Self::Value) {
        let _ = value;
    }
}

/// The order in which a grammar is traversed. The answer is the same with any.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Traversal {
    /// Weights from the document down; a plain bitmap marks the rules still to visit.
    TopDownSingle,
    /// The same with a bitmap of two layers, for documents that reach few of the rules.
    TopDownDouble,
    /// Contents of rules, from the deepest up to the children of the root.
    BottomUp,
    /// The document's words one after the other, copied from short rules expanded beforehand.
    Stream,
}

impl Traversal {
    /// All of them.
    pub const ALL: [Self; 4] =
        [Self::TopDownSingle, Self::TopDownDouble, Self::BottomUp, Self::Stream];

    pub(crate) fn is_top_down(self) -> bool {
        matches!(self, Self::TopDownSingle | Self::TopDownDouble)
    }

    /// Its name on command lines and in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::TopDownSingle => "top-down-single",
            Self::TopDownDouble => "top-down-double",
            Self::BottomUp => "bottom-up",
            Self::Stream => "stream",
        }
    }
}

impl std::fmt::Display for Traversal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
