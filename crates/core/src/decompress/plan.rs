//! Plans which files to write and checks that they may be written, before the first one is.

use crate::corpus::Corpus;
use crate::error::{DecompressError, FileError, UnusableName};
use crate::format::DocumentTable;
use crate::names::{Rules, file_and_folder, file_of_line, folders_of, to_path, unusable};
use rustc_hash::FxHashSet;
use std::borrow::Cow;
use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The files to write, and the documents that go into each.
pub(super) struct Plan<'a> {
    documents: &'a DocumentTable,
    /// Numbers of the chosen documents, in rising order.
    chosen: Vec<usize>,
    /// The documents of each file, as ranges of `chosen`.
    files: Vec<Range<usize>>,
    /// Whether files are JSON Lines, each joined from several documents.
    joins_lines: bool,
}

impl<'a> Plan<'a> {
    /// Plans for the documents in `selection`, or all if it is empty.
    pub(super) fn new(corpus: &'a Corpus, selection: &[usize]) -> Result<Self, DecompressError> {
        let documents = corpus.documents()?;
        selection.iter().try_for_each(|&document| corpus.check_document(document))?;
        let mut chosen: Vec<usize> = match selection {
            [] => (0..documents.len()).collect(),
            some => some.to_vec(),
        };
        chosen.sort_unstable();
        chosen.dedup();
        let joins_lines = corpus.facts().has_envelopes && selection.is_empty();
        let mut files = Vec::new();
        if joins_lines {
            let mut start = 0;
            let same = |a: &usize, b: &usize| {
                file_of_line(documents.known_name(*a)) == file_of_line(documents.known_name(*b))
            };
            for run in chosen.chunk_by(same) {
                files.push(start..start + run.len());
                start += run.len();
            }
        } else {
            files.extend((0..chosen.len()).map(|at| at..at + 1));
        }
        Ok(Self { documents, chosen, files, joins_lines })
    }

    pub(super) fn documents(&self) -> &'a DocumentTable {
        self.documents
    }

    pub(super) fn chosen(&self) -> &[usize] {
        &self.chosen
    }

    pub(super) fn joins_lines(&self) -> bool {
        self.joins_lines
    }

    pub(super) fn file_count(&self) -> usize {
        self.files.len()
    }

    /// Number of the file that a document goes to; `at` is the document's index in `chosen`.
    pub(super) fn file_of(&self, at: usize) -> usize {
        self.files.partition_point(|documents| documents.end <= at)
    }

    /// Whether the document at index `at` is the last of its file.
    pub(super) fn is_last_of_file(&self, at: usize) -> bool {
        self.files[self.file_of(at)].end == at + 1
    }

    /// A file's name.
    fn name(&self, file: usize) -> Cow<'a, [u8]> {
        let name = self.documents.known_name(self.chosen[self.files[file].start]);
        if self.joins_lines {
            // A name without a line number is not the name of a line: `check_names` refuses it.
            Cow::Borrowed(file_of_line(name).unwrap_or_default())
        } else if Rules::HERE == Rules::Windows && name.contains(&b':') {
            let without_colons = |&byte| if byte == b':' { b'_' } else { byte };
            Cow::Owned(name.iter().map(without_colons).collect())
        } else {
            Cow::Borrowed(name)
        }
    }

    /// A file's path below the output folder.
    pub(super) fn path(&self, file: usize) -> Result<PathBuf, UnusableName> {
        let name = self.name(file);
        Rules::HERE.check(&name).and_then(|()| to_path(&name)).map_err(|why| {
            unusable(self.documents.known_name(self.chosen[self.files[file].start]), why)
        })
    }

    /// Refuses names that lead out of the folder, and names that conflict with each other.
    pub(super) fn check_names(&self) -> Result<(), UnusableName> {
        let names: Vec<Cow<'_, [u8]>> = (0..self.files.len()).map(|file| self.name(file)).collect();
        let mut taken = FxHashSet::default();
        for (file, name) in names.iter().enumerate() {
            self.path(file)?;
            if !taken.insert(&name[..]) {
                return Err(unusable(name, "two files would have it"));
            }
        }
        for name in &names {
            if let Some(folder) = folders_of(name).find(|folder| taken.contains(folder)) {
                return Err(file_and_folder(folder, name));
            }
        }
        Ok(())
    }

    /// Checks what is in `folder` already. Without `force`, no file may exist; and no folder may be a
    /// symbolic link.
    pub(super) fn check_folder(&self, folder: &Path, force: bool) -> Result<(), DecompressError> {
        if look_at(folder)?.is_none() {
            return Ok(());
        }
        let mut known = KnownFolders {
            root: folder,
            existing: FxHashSet::default(),
            missing: FxHashSet::default(),
        };
        for file in 0..self.files.len() {
            let path = self.path(file)?;
            let parent = path.parent().unwrap_or(Path::new(""));
            if !known.exists(parent)? {
                continue;
            }
            let path = folder.join(&path);
            match look_at(&path)? {
                None => {}
                Some(_) if !force => return Err(DecompressError::OutputExists { path }),
                Some(kind) if kind.is_dir() => {
                    return Err(
                        FileError::on("replace", path)(io::ErrorKind::IsADirectory.into()).into()
                    );
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// Creates `folder` and all folders below it that the files need.
    pub(super) fn make_folders(&self, folder: &Path) -> Result<(), DecompressError> {
        let make = |path: &Path| {
            fs::create_dir_all(path).map_err(FileError::on("create the folder", path))
        };
        make(folder)?;
        let mut made = FxHashSet::default();
        for file in 0..self.files.len() {
            let path = self.path(file)?;
            let parent = path.parent().unwrap_or(Path::new(""));
            if !made.contains(parent) {
                make(&folder.join(parent))?;
                made.insert(parent.to_owned());
            }
        }
        Ok(())
    }
}

/// The type of the file at `path`, links not followed; `None` if there is none.
fn look_at(path: &Path) -> Result<Option<fs::FileType>, FileError> {
    match fs::symlink_metadata(path) {
        Ok(metadata) => Ok(Some(metadata.file_type())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(FileError::on("look at", path)(error)),
    }
}

/// Folders below `root` that have been checked.
struct KnownFolders<'a> {
    root: &'a Path,
    existing: FxHashSet<PathBuf>,
    missing: FxHashSet<PathBuf>,
}

impl KnownFolders<'_> {
    /// Whether `folder`, relative to the root, exists. Fails if it or a part of it exists but is not a
    /// folder.
    fn exists(&mut self, folder: &Path) -> Result<bool, FileError> {
        if folder.as_os_str().is_empty() || self.existing.contains(folder) {
            return Ok(true);
        }
        if self.missing.contains(folder) {
            return Ok(false);
        }
        let above = folder.parent().unwrap_or(Path::new(""));
        let path = self.root.join(folder);
        let exists = self.exists(above)?
            && match look_at(&path)? {
                None => false,
                Some(kind) if kind.is_dir() => true,
                Some(kind) => {
                    let what = if kind.is_symlink() {
                        "it is a symbolic link, which is not followed"
                    } else {
                        "it is not a folder"
                    };
                    let source = io::Error::new(io::ErrorKind::NotADirectory, what);
                    return Err(FileError { action: "write into", path, source });
                }
            };
        let known = if exists { &mut self.existing } else { &mut self.missing };
        known.insert(folder.to_owned());
        Ok(exists)
    }
}
