//! Compressing documents that a program makes, without files.

use super::{CompressOptions, Start, Summary, write_corpus};
use crate::beside;
use crate::durable::{folder_of, replace_file};
use crate::error::CompressError;
use crate::input::{DocumentHead, Visitor};
use crate::progress::Progress;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_128;

/// Compresses documents into `path`: pairs of name and text, taken one after another. An existing file is
/// replaced only once all of the new one is on disk.
///
/// ```
/// # fn main() -> Result<(), zgram::Error> {
/// # let scratch = tempfile::tempdir().expect("a folder");
/// # let file = scratch.path().join("notes.zgram");
/// let notes = [("monday", "a fine day"), ("tuesday", "a fine night")];
/// let documents = notes.into_iter().map(Ok::<_, zgram::Error>);
/// zgram::compress_documents(documents, &file, &Default::default(), &zgram::progress::Silent)?;
/// assert_eq!(zgram::Corpus::open(&file)?.word_count().rows()?[0].count, 2);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`compress`](crate::compress()); the first error that `documents` yields; and
/// [`CompressError::DuplicateName`] when a name occurs twice. No file is left then.
pub fn compress_documents<N, T, E>(
    documents: impl IntoIterator<Item = Result<(N, T), E>>,
    path: impl AsRef<Path>,
    options: &CompressOptions,
    progress: &dyn Progress,
) -> Result<Summary, E>
where
    N: AsRef<[u8]>,
    T: AsRef<[u8]>,
    E: From<CompressError>,
{
    let path = path.as_ref();
    if beside::has_edits(path) {
        return Err(CompressError::PendingEdits { journal: beside::journal(path) }.into());
    }
    let folder = folder_of(path);
    let written = replace_file(path, |out| {
        write_corpus(Start::default(), out, folder, options, progress, |collector| {
            let mut taken = Taken::default();
            for document in documents {
                let (name, text) = document.map_err(Failure::Source)?;
                let (name, mut text) = (name.as_ref(), text.as_ref());
                taken.claim(name)?;
                let head = DocumentHead { name, size: Some(text.len() as u64), envelope: None };
                collector.document(head, &mut text)?;
            }
            Ok(())
        })
    });
    written.map_err(|failure| match failure {
        Failure::Source(error) => error,
        Failure::Compress(error) => error.into(),
    })
}

/// Who failed: the source of the documents, or compression.
enum Failure<E> {
    Source(E),
    Compress(CompressError),
}

impl<E, F: Into<CompressError>> From<F> for Failure<E> {
    fn from(error: F) -> Self {
        Self::Compress(error.into())
    }
}

/// The names so far, as hashes, with the number of the document that has each.
#[derive(Default)]
struct Taken(FxHashMap<[u64; 2], u64>);

impl Taken {
    fn claim(&mut self, name: &[u8]) -> Result<(), CompressError> {
        let (hash, number) = (xxh3_128(name), self.0.len() as u64 + 1);
        match self.0.entry([hash as u64, (hash >> 64) as u64]) {
            Entry::Vacant(free) => {
                free.insert(number);
                Ok(())
            }
            Entry::Occupied(first) => Err(CompressError::DuplicateName {
                name: String::from_utf8_lossy(name).into_owned(),
                first: *first.get(),
                second: number,
            }),
        }
    }
}
