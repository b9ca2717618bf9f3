//! Topics of documents: latent Dirichlet allocation (LDA).
//!
//! Each token has a topic. A pass draws each token's topic anew, given all the others: collapsed Gibbs
//! sampling (Griffiths and Steyvers: Finding scientific topics, 2004). What is kept are counts: of
//! topics per document, of topics per word, and of tokens per topic.
//!
//! The tokens lie in a `grid` that threads share without copies. Within a round of a pass, a
//! thread sees the tokens per topic as they were when the round began, plus its own changes; all other
//! counts are exact. A corpus of fewer than 524,288 tokens is one block, and its counts are always
//! exact. The same matrix, options and seed give the same model for any number of threads.
//!
//! ```
//! use zgram::analytics::Matrix;
//! use zgram::progress::Silent;
//! use zgram_models::lda::{Lda, LdaOptions};
//!
//! // Two documents about one thing, two about another.
//! let matrix = Matrix {
//!     row_starts: vec![0, 2, 4, 6, 8],
//!     columns: vec![0, 1, 0, 1, 2, 3, 2, 3],
//!     values: vec![9u64, 8, 7, 9, 8, 8, 9, 6],
//!     width: 4,
//! };
//! let mut lda = Lda::new(&matrix, &LdaOptions { topics: 2, seed: 7, ..LdaOptions::default() })?;
//! for _ in 0..50 {
//!     lda.iterate(&Silent)?;
//! }
//! assert_eq!(lda.topic_words(0).len(), 2);
//! # Ok::<(), zgram_models::lda::LdaError>(())
//! ```

mod checkpoint;
mod counts;
mod dense;
mod error;
mod grid;
mod held_out;
mod options;
mod sampler;
mod shares;
mod sparse;
mod training;
mod weights;

pub use checkpoint::Fingerprint;
pub use error::LdaError;
pub use held_out::{Split, hold_out};
pub use options::LdaOptions;
pub use training::Lda;
