//! Changes how many files a corpus is in: several become one, or one becomes several.
//!
//! Nothing is decompressed. Grammars are taken over; only their tokens get the ids of the new dictionary.
//! Where a file ends in the middle of a segment, each part keeps the rules that it uses.
//!
//! | file | purpose |
//! |---|---|
//! | `mod.rs` | writes some documents of a corpus to a file; merging |
//! | `slice.rs` | a segment with some of its documents |
//! | `split.rs` | splitting: where files end, and their names |

mod slice;
mod split;

pub use split::{SplitFile, split};

use crate::beside;
use crate::compress::{CompressOptions, Start, Summary, write_corpus};
use crate::corpus::Corpus;
use crate::durable::{folder_of, replace_file};
use crate::error::{CompressError, ReshardError};
use crate::progress::{Progress, Stage};
use slice::Slices;
use std::io::Write;
use std::ops::Range;
use std::path::Path;

/// How to merge or split.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReshardOptions {
    /// Number of threads, at most 1,024; 0 for one per core.
    pub threads: usize,
    /// Memory ceiling in bytes.
    pub memory: u64,
    /// Replaces files that exist.
    pub force: bool,
}

impl Default for ReshardOptions {
    fn default() -> Self {
        Self { threads: 0, memory: CompressOptions::default().memory, force: false }
    }
}

/// Writes a corpus in several files into one, with its pending edits. The documents, their order and
/// every answer stay the same. The new file has the level and the layer of the first file, and the
/// word counts of documents if all have them.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let scratch = tempfile::tempdir()?;
/// # let silent = &zgram::progress::Silent;
/// # let [monday, tuesday, week] =
/// #     ["1.zgram", "2.zgram", "week"].map(|name| scratch.path().join(name));
/// # for (file, name, text) in [(&monday, "a", "one fine day"), (&tuesday, "b", "a fine night")] {
/// #     let documents = [Ok::<_, zgram::Error>((name, text))];
/// #     zgram::compress_documents(documents, file, &Default::default(), silent)?;
/// # }
/// let shards = zgram::Corpus::open_shards([monday, tuesday])?;
/// zgram::merge(&shards, &week, &Default::default(), silent)?;
/// assert_eq!(zgram::Corpus::open(week)?.documents()?.len(), 2);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// When a file is damaged, `path` exists and may not be replaced or has pending edits, writing fails, or
/// `progress` asks to stop. An old file is then unchanged.
pub fn merge(
    corpus: &Corpus,
    path: impl AsRef<Path>,
    options: &ReshardOptions,
    progress: &dyn Progress,
) -> Result<Summary, ReshardError> {
    let path = path.as_ref();
    check_output(path, options)?;
    let documents = 0..corpus.facts().documents;
    expect_all(corpus, progress);
    let mut slices = Slices::of(corpus);
    replace_file(path, |out| {
        write_documents(&mut slices, &documents, out, folder_of(path), options, progress)
    })
}

/// Refuses to replace a file without being asked to, or one that has pending edits.
fn check_output(path: &Path, options: &ReshardOptions) -> Result<(), ReshardError> {
    if beside::has_edits(path) {
        return Err(CompressError::PendingEdits { journal: beside::journal(path) }.into());
    }
    if !options.force && path.symlink_metadata().is_ok() {
        return Err(ReshardError::OutputExists { path: path.to_owned() });
    }
    Ok(())
}

fn expect_all(corpus: &Corpus, progress: &dyn Progress) {
    let text = corpus.facts().sizes.text_bytes;
    progress.expect(Stage::Reading, text);
    progress.expect(Stage::Writing, text);
}

/// Writes a file with some documents of a corpus.
fn write_documents(
    slices: &mut Slices<'_>,
    documents: &Range<u64>,
    out: &mut (dyn Write + Send),
    scratch: &Path,
    options: &ReshardOptions,
    progress: &dyn Progress,
) -> Result<Summary, ReshardError> {
    let corpus = slices.corpus();
    let facts = corpus.facts();
    let how = CompressOptions {
        level: facts.level,
        grammar: facts.grammar,
        layer: facts.layer,
        threads: options.threads,
        memory: options.memory,
        index: corpus.has_index(),
        threshold: corpus.threshold()?,
        ..CompressOptions::default()
    };
    let start = Start {
        dictionary: Some(corpus.dictionary()?),
        has_lines: facts.has_envelopes,
        ..Start::default()
    };
    write_corpus(start, out, scratch, &how, progress, |collector| {
        for segment in slices.segments_with(documents) {
            progress.check().map_err(CompressError::from)?;
            let slice = slices.take(segment, documents)?;
            let text = slice.facts.sizes.text_bytes;
            collector.reuse(slice)?;
            progress.advance(Stage::Reading, text);
        }
        Ok(())
    })
}
