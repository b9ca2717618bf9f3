//! The texts to measure on: where they are found and how they become a folder or file on disk.
//!
//! A corpus is a folder, a file, or a package `NAME.tar.zst`, which is unpacked into a temporary
//! folder that lives as long as the [`Corpus`]. Its documents are its regular files; links are not
//! followed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use tempfile::TempDir;

use crate::measure;

const PACKAGE_SUFFIX: &str = ".tar.zst";

/// A corpus ready to be read.
#[derive(Debug)]
pub struct Corpus {
    /// Name shown in tables.
    pub name: String,
    /// Folder or file that holds the documents.
    pub root: PathBuf,
    /// Paths of the documents relative to `root`, sorted; a file is its own only document, with an
    /// empty relative path.
    pub documents: Vec<PathBuf>,
    /// Sum of the documents' sizes; every ratio and speed is relative to it.
    pub bytes: u64,
    _unpacked: Option<TempDir>,
}

impl Corpus {
    /// Opens a folder, file or package.
    pub fn open(path: &Path) -> Result<Self> {
        let path =
            path.canonicalize().with_context(|| format!("no corpus at {}", path.display()))?;
        let file_name = path.file_name().context("a corpus needs a name")?.to_string_lossy();
        match file_name.strip_suffix(PACKAGE_SUFFIX) {
            Some(name) if path.is_file() => {
                let folder = unpack(&path)?;
                Self::measure_documents(name.to_owned(), inner_folder(folder.path())?, Some(folder))
            }
            _ => Self::measure_documents(file_name.into_owned(), path.clone(), None),
        }
    }

    /// Writes the tar that general-purpose compressors get.
    pub fn write_tar(&self, output: &Path) -> Result<()> {
        let parent = self.root.parent().context("a corpus cannot be the root folder")?;
        let name = self.root.file_name().context("a corpus needs a name")?;
        let mut tar = Command::new("tar");
        tar.args(["--sort=name", "-cf"]).arg(output).arg("-C").arg(parent).arg("--").arg(name);
        measure::once(&mut tar).context("packing the corpus with GNU tar failed")?;
        Ok(())
    }

    fn measure_documents(name: String, root: PathBuf, unpacked: Option<TempDir>) -> Result<Self> {
        let documents = regular_files(&root)?;
        let mut bytes = 0;
        for document in &documents {
            bytes += fs::metadata(document_path(&root, document))?.len();
        }
        if bytes == 0 {
            bail!("the corpus {name} holds no text");
        }
        Ok(Self { name, root, documents, bytes, _unpacked: unpacked })
    }
}

/// The paths to measure on: those given, or else every package in the folder of corpora, which is
/// `corpora` if given, or `../shared/corpora` beside the workspace if it exists.
pub fn choose(given: &[PathBuf], corpora: Option<&Path>, workspace: &Path) -> Result<Vec<PathBuf>> {
    if !given.is_empty() {
        return Ok(given.to_vec());
    }
    let beside = workspace.join("../shared/corpora");
    let folder = match corpora {
        Some(folder) => folder,
        None if beside.is_dir() => &beside,
        None => bail!(
            "no corpora: give folders, files or NAME.tar.zst packages, \
             or a folder of packages with --corpora"
        ),
    };
    let packages = packages_in(folder)?;
    if packages.is_empty() {
        bail!("no NAME.tar.zst packages in {}", folder.display());
    }
    Ok(packages)
}

/// All regular files below `root`, as sorted relative paths; links are not followed.
pub fn regular_files(root: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut pending = vec![PathBuf::new()];
    while let Some(relative) = pending.pop() {
        let path = document_path(root, &relative);
        let kind = fs::symlink_metadata(&path)
            .with_context(|| format!("cannot read {}", path.display()))?
            .file_type();
        if kind.is_dir() {
            let entries = fs::read_dir(&path)
                .with_context(|| format!("cannot read folder {}", path.display()))?;
            for entry in entries {
                pending.push(relative.join(entry?.file_name()));
            }
        } else if kind.is_file() {
            files.push(relative);
        }
    }
    files.sort();
    Ok(files)
}

/// Where a document of the corpus at `root` lies.
pub fn document_path(root: &Path, relative: &Path) -> PathBuf {
    // Joining an empty path would append a slash, which is not the path of a file.
    if relative.as_os_str().is_empty() { root.to_owned() } else { root.join(relative) }
}

fn packages_in(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)
        .with_context(|| format!("cannot read the folder of corpora {}", folder.display()))?;
    let mut packages = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.to_string_lossy().ends_with(PACKAGE_SUFFIX) {
            packages.push(path);
        }
    }
    packages.sort();
    Ok(packages)
}

fn unpack(package: &Path) -> Result<TempDir> {
    let folder = TempDir::with_prefix("zgram-bench-").context("cannot make a temporary folder")?;
    let mut tar = Command::new("tar");
    tar.args(["--use-compress-program=zstd -d --long=27", "-xf"])
        .arg(package)
        .arg("-C")
        .arg(folder.path());
    measure::once(&mut tar).context("unpacking needs GNU tar and zstd")?;
    Ok(folder)
}

/// The folder inside `folder` if a package holds exactly one, as most do; else `folder` itself.
fn inner_folder(folder: &Path) -> Result<PathBuf> {
    let entries: Vec<_> = fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    match entries.as_slice() {
        [only] if only.file_type()?.is_dir() => Ok(only.path()),
        _ => Ok(folder.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder_with(files: &[(&str, &str)]) -> TempDir {
        let folder = TempDir::new().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    #[test]
    fn a_folder_lists_its_files_sorted_and_summed() {
        let folder = folder_with(&[("b.txt", "four"), ("a/deep/c.txt", "xyz"), ("empty", "")]);
        let corpus = Corpus::open(folder.path()).unwrap();
        let expected: Vec<PathBuf> = ["a/deep/c.txt", "b.txt", "empty"].map(PathBuf::from).into();
        assert_eq!(corpus.documents, expected);
        assert_eq!(corpus.bytes, 7);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_documents() {
        let folder = folder_with(&[("a.txt", "text")]);
        std::os::unix::fs::symlink("a.txt", folder.path().join("link")).unwrap();
        std::os::unix::fs::symlink(folder.path(), folder.path().join("loop")).unwrap();
        assert_eq!(Corpus::open(folder.path()).unwrap().documents, [PathBuf::from("a.txt")]);
    }

    #[test]
    fn a_file_is_a_corpus_of_one_document() {
        let folder = folder_with(&[("book.txt", "words")]);
        let corpus = Corpus::open(&folder.path().join("book.txt")).unwrap();
        assert_eq!((corpus.name.as_str(), corpus.bytes), ("book.txt", 5));
        assert_eq!(corpus.documents, [PathBuf::new()]);
    }

    #[test]
    fn a_package_is_unpacked_and_removed_again() {
        let folder = folder_with(&[("news/1.txt", "first"), ("news/2.txt", "second")]);
        let package = folder.path().join("news.tar.zst");
        let mut tar = Command::new("tar");
        tar.args(["--zstd", "-cf"]).arg(&package).arg("-C").arg(folder.path()).arg("news");
        measure::once(&mut tar).unwrap();

        let corpus = Corpus::open(&package).unwrap();
        assert_eq!((corpus.name.as_str(), corpus.bytes), ("news", 11));
        assert_eq!(corpus.documents, ["1.txt", "2.txt"].map(PathBuf::from));
        let unpacked = corpus.root.clone();
        drop(corpus);
        assert!(!unpacked.exists());
    }

    #[test]
    fn nothing_to_compress_is_an_error() {
        let folder = folder_with(&[("empty", "")]);
        assert!(Corpus::open(folder.path()).is_err());
        assert!(Corpus::open(&folder.path().join("missing")).is_err());
    }

    #[test]
    fn packages_of_the_corpora_folder_are_the_default() {
        let folder = folder_with(&[("b.tar.zst", ""), ("a.tar.zst", ""), ("INDEX.md", "")]);
        let chosen = choose(&[], Some(folder.path()), Path::new(".")).unwrap();
        let expected = ["a.tar.zst", "b.tar.zst"].map(|name| folder.path().join(name));
        assert_eq!(chosen, expected);
    }

    #[test]
    fn given_paths_win_and_no_corpora_is_explained() {
        let given = vec![PathBuf::from("x")];
        assert_eq!(choose(&given, Some(Path::new("y")), Path::new(".")).unwrap(), given);
        let nowhere = TempDir::new().unwrap();
        let repository = nowhere.path().join("repository");
        let error = choose(&[], None, &repository).unwrap_err().to_string();
        assert!(error.contains("--corpora"), "{error}");
    }

    #[test]
    fn the_tar_holds_every_document() {
        let folder = folder_with(&[("set/b.txt", "bb"), ("set/a.txt", "a")]);
        let corpus = Corpus::open(&folder.path().join("set")).unwrap();
        let tar = folder.path().join("out.tar");
        corpus.write_tar(&tar).unwrap();
        let listed = Command::new("tar").arg("-tf").arg(&tar).output().unwrap();
        assert_eq!(String::from_utf8(listed.stdout).unwrap(), "set/\nset/a.txt\nset/b.txt\n");
    }
}
