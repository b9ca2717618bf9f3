//! Parts that zgram's own crates share: the GPU engine, the benchmark, the program and the tests.
//!
//! **This module is outside semantic versioning.** Anything in it can change or go in any release. A
//! program that needs something from here should ask for it in the public modules.

pub use crate::access::phrase::words_of;
pub use crate::analytics::accelerate::{Accelerator, Counted, Job};
pub use crate::analytics::labels::{Labels, RowText};
pub use crate::analytics::matrix::logarithm::ln;
pub use crate::analytics::select::{
    Features, HitRate, Tree, TreeError, Trial, TrialError, cross_validate, train,
};
pub use crate::analytics::task_kind::TaskKind;
pub use crate::beside::has_edits;
pub use crate::corpus::{NameGlob, Piece, SegmentTally};
pub use crate::durable::{folder_of, private_file, temporary_file};
pub use crate::error::query::AcceleratorError;
pub use crate::error::shared::chain;
pub use crate::expand::Expander;
pub use crate::format::bytes::Malformed;
pub use crate::format::container::FORMAT_VERSION;
pub use crate::format::section::{Section, SectionKind};
pub use crate::grammar::re_pair::RePair;
pub use crate::grammar::sequitur::Sequitur;
pub use crate::grammar::{Grammar, GrammarBuilder, GrammarError, RuleSet, Symbol, TokenDocs};
pub use crate::input::jsonl::{Envelope, StringStyle};
pub use crate::phrases::with_right_phrase_checksums;
pub use crate::store::batch::TransactionReader;
pub use crate::store::overlay::is_safe_after;
pub use crate::store::phrases::phrase_index_memory;
pub use crate::store::replace_guard::ReplaceGuard;
pub use crate::threads::IdleThreads;
pub use crate::token::{
    Dictionary, DictionaryError, Interner, MAX_SEPARATOR, MAX_WORD, Splitter, TOKENISER_VERSION,
    TokenClass, join,
};
