//! Compares what a tool restored with the original, byte for byte.
//!
//! Files are read in small blocks side by side, so that the memory of this process stays small; see
//! [`crate::measure`] for why that matters.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::corpora::{Corpus, document_path, regular_files};

/// Fails unless the folder `output` holds exactly the corpus's documents with their exact bytes,
/// either directly or under the name of the corpus's folder.
pub fn restored(corpus: &Corpus, output: &Path) -> Result<()> {
    let root = restored_root(corpus, output)?;
    let found = regular_files(&root)?;
    if found != corpus.documents {
        let missing = corpus.documents.iter().find(|path| found.binary_search(path).is_err());
        let surplus = found.iter().find(|path| corpus.documents.binary_search(path).is_err());
        bail!(
            "{}: {} documents went in, {} came back (first missing: {missing:?}, first surplus: \
             {surplus:?})",
            corpus.name,
            corpus.documents.len(),
            found.len(),
        );
    }
    for document in &corpus.documents {
        let original = document_path(&corpus.root, document);
        if let Some(offset) = first_difference(&original, &document_path(&root, document))? {
            bail!("{}: {} differs from byte {offset}", corpus.name, original.display());
        }
    }
    Ok(())
}

/// Offset of the first byte in which two files differ, or at which one of them ends.
pub fn first_difference(left: &Path, right: &Path) -> Result<Option<u64>> {
    let open = |path: &Path| -> Result<_> {
        Ok(BufReader::new(
            File::open(path).with_context(|| format!("cannot open {}", path.display()))?,
        ))
    };
    let (mut left, mut right) = (open(left)?, open(right)?);
    let mut offset = 0;
    loop {
        let (ours, theirs) = (left.fill_buf()?, right.fill_buf()?);
        if ours.is_empty() && theirs.is_empty() {
            return Ok(None);
        }
        let common = ours.len().min(theirs.len());
        let same = ours.iter().zip(theirs).take_while(|(a, b)| a == b).count();
        offset += same as u64;
        if same < common || common == 0 {
            return Ok(Some(offset));
        }
        left.consume(common);
        right.consume(common);
    }
}

/// Where in `output` the corpus's root was restored.
fn restored_root(corpus: &Corpus, output: &Path) -> Result<PathBuf> {
    let name = corpus.root.file_name().context("a corpus needs a name")?;
    let named = output.join(name);
    let is_own_document = corpus.documents.iter().any(|document| document.starts_with(name));
    Ok(if named.exists() && !is_own_document { named } else { output.to_owned() })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::TempDir;

    use super::*;

    fn corpus_and_output() -> (TempDir, Corpus, PathBuf) {
        let folder = TempDir::new().unwrap();
        let root = folder.path().join("set");
        fs::create_dir_all(root.join("deep")).unwrap();
        fs::write(root.join("a.txt"), "alpha").unwrap();
        fs::write(root.join("deep/b.txt"), "beta").unwrap();
        let corpus = Corpus::open(&root).unwrap();
        let output = folder.path().join("out");
        (folder, corpus, output)
    }

    fn copy(corpus: &Corpus, destination: &Path) {
        for document in &corpus.documents {
            let target = destination.join(document);
            fs::create_dir_all(target.parent().unwrap()).unwrap();
            fs::copy(corpus.root.join(document), target).unwrap();
        }
    }

    #[test]
    fn an_exact_copy_passes_with_or_without_the_folder_name() {
        for inner in ["", "set"] {
            let (_folder, corpus, output) = corpus_and_output();
            copy(&corpus, &output.join(inner));
            restored(&corpus, &output).unwrap();
        }
    }

    #[test]
    fn a_single_file_is_found_by_its_name() {
        let folder = TempDir::new().unwrap();
        let book = folder.path().join("book.txt");
        fs::write(&book, "words").unwrap();
        let output = folder.path().join("out");
        fs::create_dir(&output).unwrap();
        fs::copy(&book, output.join("book.txt")).unwrap();
        restored(&Corpus::open(&book).unwrap(), &output).unwrap();
    }

    #[test]
    fn missing_surplus_and_changed_documents_are_found() {
        let (_folder, corpus, output) = corpus_and_output();
        copy(&corpus, &output);

        fs::write(output.join("deep/b.txt"), "bets").unwrap();
        let changed = restored(&corpus, &output).unwrap_err().to_string();
        assert!(changed.contains("b.txt") && changed.contains("byte 3"), "{changed}");

        fs::remove_file(output.join("deep/b.txt")).unwrap();
        let missing = restored(&corpus, &output).unwrap_err().to_string();
        assert!(missing.contains("2 documents went in, 1 came back"), "{missing}");

        copy(&corpus, &output);
        fs::write(output.join("c.txt"), "").unwrap();
        let surplus = restored(&corpus, &output).unwrap_err().to_string();
        assert!(surplus.contains("c.txt"), "{surplus}");
    }

    #[test]
    fn a_shorter_file_differs_at_its_end() {
        let folder = TempDir::new().unwrap();
        let (long, short) = (folder.path().join("long"), folder.path().join("short"));
        fs::write(&long, vec![7; 100_000]).unwrap();
        fs::write(&short, vec![7; 70_000]).unwrap();
        assert_eq!(first_difference(&long, &short).unwrap(), Some(70_000));
        assert_eq!(first_difference(&short, &long).unwrap(), Some(70_000));
        assert_eq!(first_difference(&long, &long).unwrap(), None);
    }
}
