//! Splits a corpus into several files of about equal text.

use super::slice::Slices;
use super::{ReshardOptions, check_output, expect_all, write_documents};
use crate::corpus::Corpus;
use crate::durable::{replace_file, sync_folder};
use crate::error::{FileError, ReshardError};
use crate::format::DocumentTable;
use crate::progress::Progress;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// A file that [`split`] made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SplitFile {
    /// Where it is.
    pub path: PathBuf,
    /// Number of its documents.
    pub documents: u64,
    /// Bytes of their text.
    pub text_bytes: u64,
    /// The size of the file in bytes.
    pub compressed_bytes: u64,
}

/// Splits a corpus, with its pending edits, into `files` files in `folder`, which is created if it does
/// not exist. The documents keep their order, each is in one file, and the files have about equal amounts
/// of text. They are named after `stem`: `logs-1-of-4.zgram` to `logs-4-of-4.zgram`. Opened together,
/// they give every answer that the corpus gives.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let scratch = tempfile::tempdir()?;
/// # let silent = &zgram::progress::Silent;
/// # let [file, shards] = ["week.zgram", "shards"].map(|name| scratch.path().join(name));
/// # let days = [("monday", "one fine day"), ("tuesday", "a fine night")];
/// # let documents = days.into_iter().map(Ok::<_, zgram::Error>);
/// # zgram::compress_documents(documents, &file, &Default::default(), silent)?;
/// let week = zgram::Corpus::open(file)?;
/// let files = zgram::split(&week, 2, &shards, "week", &Default::default(), silent)?;
/// assert!(files[1].path.ends_with("week-2-of-2.zgram"));
/// assert_eq!(zgram::Corpus::open(shards)?.documents()?.name(1), Some(&b"tuesday"[..]));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// When there are fewer documents than files, `folder` has other `.zgram` files, or these and may not be
/// replaced, a section is damaged, writing fails, or `progress` asks to stop. No new file is left then.
pub fn split(
    corpus: &Corpus,
    files: usize,
    folder: impl AsRef<Path>,
    stem: impl AsRef<OsStr>,
    options: &ReshardOptions,
    progress: &dyn Progress,
) -> Result<Vec<SplitFile>, ReshardError> {
    let (folder, documents) = (folder.as_ref(), corpus.documents()?);
    if files == 0 || files > documents.len().max(1) {
        let documents = documents.len() as u64;
        return Err(ReshardError::TooFewDocuments { documents, files: files as u64 });
    }
    let names = names(stem.as_ref(), files);
    check_folder(folder, &names, options)?;
    expect_all(corpus, progress);
    let failed = |action| FileError::on(action, folder);
    fs::create_dir_all(folder).map_err(failed("create the folder"))?;
    // The files get their places when all of them are complete.
    let unfinished = tempfile::Builder::new()
        .prefix(".zgram-")
        .tempdir_in(folder)
        .map_err(failed("create a folder in"))?;
    let mut slices = Slices::of(corpus);
    let mut made = Vec::with_capacity(files);
    for (name, documents) in names.iter().zip(parts(documents, files)) {
        let path = unfinished.path().join(name);
        let summary = replace_file(&path, |out| {
            write_documents(&mut slices, &documents, out, folder, options, progress)
        })?;
        made.push(SplitFile {
            path: folder.join(name),
            documents: summary.facts.documents,
            text_bytes: summary.facts.sizes.text_bytes,
            compressed_bytes: summary.compressed_bytes,
        });
    }
    for (number, name) in names.iter().enumerate() {
        let (from, to) = (unfinished.path().join(name), folder.join(name));
        if let Err(error) = fs::rename(from, &to) {
            made[..number].iter().for_each(|file| drop(fs::remove_file(&file.path)));
            return Err(FileError::on("create", to)(error).into());
        }
    }
    sync_folder(folder).map_err(failed("write"))?;
    Ok(made)
}

/// The names of the files. Numbers have equally many digits, so that they sort as they should.
fn names(stem: &OsStr, files: usize) -> Vec<OsString> {
    let width = files.to_string().len();
    let name = |number: usize| {
        let mut name = stem.to_owned();
        name.push(format!("-{number:0width$}-of-{files}.zgram"));
        name
    };
    (1..=files).map(name).collect()
}

/// Refuses a folder whose corpus would contain other files than the new ones, and files that exist,
/// unless they may be replaced.
fn check_folder(
    folder: &Path,
    names: &[OsString],
    options: &ReshardOptions,
) -> Result<(), ReshardError> {
    if !folder.exists() {
        return Ok(());
    }
    let failed = |error| FileError::on("read the folder", folder)(error);
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let is_corpus = path.extension() == Some(OsStr::new("zgram"));
        let is_new = path.file_name().is_some_and(|name| names.iter().any(|new| new == name));
        if is_corpus && !is_new {
            return Err(ReshardError::OtherShard { path });
        }
    }
    names.iter().try_for_each(|name| check_output(&folder.join(name), options))
}

/// The documents of each file: those whose middle is in its share of the text, and at least one.
fn parts(documents: &DocumentTable, files: usize) -> Vec<Range<u64>> {
    let total: u128 = documents.iter().map(|(_, size)| u128::from(size)).sum();
    let (mut starts, mut before) = (vec![0], 0u128);
    for (document, (_, size)) in documents.iter().enumerate() {
        let (number, left) = (starts.len(), documents.len() - document);
        let middle = before + u128::from(size) / 2;
        let is_full = middle * files as u128 >= total * number as u128;
        let is_needed = left == files - number;
        let has_any = document > starts[number - 1];
        if number < files && has_any && (is_full || is_needed) {
            starts.push(document);
        }
        before += u128::from(size);
    }
    let ends = starts[1..].iter().copied().chain(std::iter::once(documents.len()));
    starts.iter().zip(ends).map(|(&start, end)| start as u64..end as u64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn table(sizes: &[u64]) -> DocumentTable {
        let mut table = DocumentTable::default();
        sizes.iter().for_each(|&size| table.push(b"", size));
        table
    }

    #[test]
    fn files_have_about_equal_text() {
        assert_eq!(parts(&table(&[5, 5, 5, 5]), 2), [0..2, 2..4]);
        assert_eq!(parts(&table(&[1, 1, 1, 9]), 2), [0..3, 3..4]);
        assert_eq!(parts(&table(&[9, 1, 1, 1]), 2), [0..1, 1..4]);
        assert_eq!(parts(&table(&[0, 0, 0]), 3), [0..1, 1..2, 2..3]);
        assert_eq!(parts(&table(&[]), 1)[0], 0..0);
    }

    proptest! {
        #[test]
        fn each_document_is_in_one_file(
            sizes in proptest::collection::vec(0u64..50, 1..40),
            files in 1usize..40,
        ) {
            let files = files.min(sizes.len());
            let parts = parts(&table(&sizes), files);
            prop_assert_eq!(parts.len(), files);
            prop_assert_eq!(parts[0].start, 0);
            prop_assert_eq!(parts[files - 1].end, sizes.len() as u64);
            prop_assert!(parts.windows(2).all(|pair| pair[0].end == pair[1].start));
            prop_assert!(parts.iter().all(|part| !part.is_empty()));
        }
    }
}
