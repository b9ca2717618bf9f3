//! A task as its three operations (tadoc section 3.2), and a way to run it on any grammar.
//!
//! Every task of this crate, and any of yours, is written as what happens at a rule: **local
//! processing** of the rule's own tokens, **integration** of what another rule found, and
//! **propagation** of what was found to whoever asked. A task says nothing about order, so each can
//! be run by any [`Traversal`]:
//!
//! | traversal | local | integrate | propagate |
//! |---|---|---|---|
//! | top-down | with the rule's weight in the document | – | once a document |
//! | bottom-up | once a rule | a child's message, once an edge | once a rule, once a document |
//! | stream | once an occurrence | – | once a document |
//!
//! # A task of one's own
//!
//! ```
//! use zgram::analytics::{Task, Traversal, traverse};
//! use zgram::token::Dictionary;
//!
//! /// Letters and words of a document, for their mean length.
//! struct WordLengths<'d>(&'d Dictionary);
//!
//! impl Task for WordLengths<'_> {
//!     type Value = (u64, u64);
//!     type Message = (u64, u64);
//!
//!     fn value(&self) -> Self::Value {
//!         (0, 0)
//!     }
//!     fn local(&self, (bytes, words): &mut Self::Value, token: u32, times: u64) {
//!         if self.0.class(token).is_word() {
//!             *bytes += self.0.bytes(token).len() as u64 * times;
//!             *words += times;
//!         }
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
//! # use zgram::{compress, input::{ReadOptions, Sources}, progress::Silent, CompressOptions, Corpus};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let scratch = tempfile::tempdir()?;
//! # std::fs::write(scratch.path().join("a.txt"), "to be or not to be")?;
//! # let file = scratch.path().join("a.zgram");
//! # let sources = Sources::new([scratch.path().join("a.txt")], ReadOptions::default());
//! # compress(&sources, &file, &CompressOptions::default(), &Silent)?;
//! let corpus = Corpus::open(&file)?;
//! let task = WordLengths(corpus.dictionary()?);
//! let grammar = corpus.segment(0)?;
//! for traversal in Traversal::ALL {
//!     let lengths = traverse(&grammar, &[0], traversal, &task);
//!     assert_eq!(lengths, [(13, 6)]);
//! }
//! # Ok(())
//! # }
//! ```

/// What is done at a rule.
pub trait Task: Sync {
    /// What is gathered at a rule or a document.
    type Value: Send;
    /// What a rule tells the rules that use it, and a document its reader.
    type Message: Send + Sync;

    /// A value of nothing.
    fn value(&self) -> Self::Value;

    /// Local processing: `token` stands here `times` times.
    fn local(&self, value: &mut Self::Value, token: u32, times: u64);

    /// Data integration: what `message` tells stands here `times` times.
    fn integrate(&self, value: &mut Self::Value, message: &Self::Message, times: u64);

    /// Data propagation: turns what was gathered into a message and leaves a value of nothing.
    fn propagate(&self, value: &mut Self::Value) -> Self::Message;
}

/// The order in which a grammar is gone through. The answer is the same in any.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Traversal {
    /// Weights from the document down; a plain bitmap holds the rules still to visit.
    TopDownSingle,
    /// The same with a double-layered bitmap: for documents that reach few of the rules.
    TopDownDouble,
    /// What rules contain, from the deepest up to the children of the root.
    BottomUp,
    /// The document's words one after the other, copied from short rules written out beforehand.
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
