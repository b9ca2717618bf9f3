//! Reads all path arguments: finds out what each is and hands its documents to the visitor.

use super::compression::{Compression, Decompress, MAGIC_LEN, decompressed, is_corpus, peek};
use super::distinct_names::DistinctNames;
use super::failures::{Layer, SteadyFile, Watch, Watched};
use super::interruptible::Interruptible;
use super::jsonl;
use super::tar_header;
use super::walk::Walk;
use super::{DocumentHead, InputError, ReadOptions, Visitor, is_stdin};
use crate::progress::Progress;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The name of standard input, as a document and in errors.
const STDIN: &str = "stdin";

/// A stream that is a document or an archive of documents.
struct Stream<'w> {
    name: Vec<u8>,
    size: Option<u64>,
    content: Box<dyn Read + 'w>,
}

/// The state of reading, from one document to the next.
pub(super) struct Arguments<'s, V> {
    arguments: &'s [PathBuf],
    options: &'s ReadOptions,
    visitor: &'s mut V,
    progress: &'s dyn Progress,
    names: DistinctNames<'s>,
    /// The index of the argument being read.
    current: usize,
    /// Compressed files in folders and archives that were stored unchanged.
    left_compressed: u64,
    /// Most bytes of a JSON line, with the blank lines around it.
    longest_line: usize,
    /// zgram files found in folders and archives.
    corpora: u64,
}

impl<'s, V: Visitor> Arguments<'s, V> {
    pub(super) fn new(
        arguments: &'s [PathBuf],
        options: &'s ReadOptions,
        visitor: &'s mut V,
        progress: &'s dyn Progress,
    ) -> Self {
        Self {
            arguments,
            options,
            visitor,
            progress,
            names: DistinctNames::new(arguments),
            current: 0,
            left_compressed: 0,
            corpora: 0,
            longest_line: jsonl::LONGEST_LINE,
        }
    }

    /// Lowers the limit for the length of a JSON line.
    pub(super) fn with_longest_line(mut self, bytes: usize) -> Self {
        self.longest_line = self.longest_line.min(bytes);
        self
    }

    /// Reads all arguments.
    pub(super) fn read_all(&mut self, stdin: &mut dyn Read) -> Result<(), V::Error> {
        for (index, path) in self.arguments.iter().enumerate() {
            self.current = index;
            if is_stdin(path) {
                let watch = Watch::new(PathBuf::from(STDIN), self.progress);
                let content = Box::new(Watched::new(&mut *stdin, &watch, Layer::Raw));
                let name = STDIN.as_bytes().to_vec();
                self.argument(Stream { name, size: None, content }, &watch)?;
                continue;
            }
            let metadata = fs::metadata(path)
                .map_err(|source| InputError::Open { path: path.clone(), source })?;
            if metadata.is_dir() {
                self.folder(path)?;
            } else if metadata.is_file() {
                self.file(path)?;
            } else {
                self.pipe(path)?;
            }
        }
        if self.left_compressed > 0 {
            self.progress.notice(&format!(
                "compressed files inside folders or archives, stored unchanged \
                 (--decompress-all stores their text): {}",
                self.left_compressed
            ));
        }
        if self.corpora > 0 {
            self.progress.notice(&format!(
                "zgram files inside folders or archives, stored as they are (their text cannot be \
                 searched; decompress them first): {}",
                self.corpora
            ));
        }
        Ok(())
    }

    fn folder(&mut self, root: &Path) -> Result<(), V::Error> {
        let prefix = if self.arguments.len() > 1 { folder_prefix(root) } else { Vec::new() };
        for found in Walk::new(root, self.options.gitignore, self.progress)? {
            let found = found?;
            let watch = Watch::new(found.path, self.progress);
            let name = [&prefix[..], &found.name].concat();
            self.found(file_stream(&found.target, &watch, name)?, &watch)?;
        }
        Ok(())
    }

    fn file(&mut self, path: &Path) -> Result<(), V::Error> {
        let watch = Watch::new(path.to_path_buf(), self.progress);
        self.argument(file_stream(path, &watch, last_part(path))?, &watch)
    }

    /// A named pipe or a device.
    fn pipe(&mut self, path: &Path) -> Result<(), V::Error> {
        let watch = Watch::new(path.to_path_buf(), self.progress);
        let input = Interruptible::pipe(path.to_path_buf());
        let content = Box::new(Watched::new(input, &watch, Layer::Raw));
        self.argument(Stream { name: last_part(path), size: None, content }, &watch)
    }

    /// Reads a stream that was given by name: decompressed and unpacked if possible.
    fn argument<'w>(&mut self, raw: Stream<'w>, watch: &'w Watch<'w>) -> Result<(), V::Error> {
        let stream = self.decoded(self.not_a_corpus(raw, watch)?, watch)?;
        if !self.options.unpack {
            return self.document(stream, watch);
        }
        let Stream { name, size, content } = stream;
        let (head, content) =
            peek(content, tar_header::BLOCK).map_err(|error| watch.error(Layer::Raw, error))?;
        if tar_header::is_tar(&head, &name) {
            self.members(content, watch)
        } else {
            self.document(Stream { name, size, content: Box::new(content) }, watch)
        }
    }

    #[cfg(feature = "archives")]
    fn members(&mut self, archive: impl Read, watch: &Watch<'_>) -> Result<(), V::Error> {
        super::tar_members::read_members(archive, watch, |name, size, watch, member| {
            let content = Box::new(member);
            self.found(Stream { name: name.to_vec(), size: Some(size), content }, watch)
        })
    }

    #[cfg(not(feature = "archives"))]
    fn members(&mut self, _: impl Read, watch: &Watch<'_>) -> Result<(), V::Error> {
        let source = crate::MissingFeature::new("read tar archives", "archives");
        Err(InputError::MissingFeature { path: watch.path().to_path_buf(), source }.into())
    }

    /// Reads a file found in a folder or an archive: stored byte for byte, unless its text or its lines
    /// were asked for.
    fn found<'w>(&mut self, raw: Stream<'w>, watch: &'w Watch<'w>) -> Result<(), V::Error> {
        let lines_wanted = self.options.jsonl_field.is_some();
        if lines_wanted || self.options.decompress == Decompress::All {
            let stream = self.decoded(raw, watch)?;
            return self.document(stream, watch);
        }
        if self.options.decompress == Decompress::No {
            return self.document(raw, watch);
        }
        let (head, content) =
            peek(raw.content, MAGIC_LEN).map_err(|error| watch.error(Layer::Raw, error))?;
        self.left_compressed += u64::from(Compression::detect(&head).is_some());
        self.corpora += u64::from(is_corpus(&head));
        self.document(Stream { content: Box::new(content), ..raw }, watch)
    }

    /// Refuses a zgram file: it would become larger, and none of its text could be found in it.
    fn not_a_corpus<'w>(
        &self,
        raw: Stream<'w>,
        watch: &'w Watch<'w>,
    ) -> Result<Stream<'w>, InputError> {
        if self.options.decompress == Decompress::No {
            return Ok(raw);
        }
        let (head, content) =
            peek(raw.content, MAGIC_LEN).map_err(|error| watch.error(Layer::Raw, error))?;
        if is_corpus(&head) {
            return Err(InputError::Corpus { path: watch.path().to_path_buf() });
        }
        Ok(Stream { content: Box::new(content), ..raw })
    }

    fn decoded<'w>(&self, raw: Stream<'w>, watch: &'w Watch<'w>) -> Result<Stream<'w>, InputError> {
        if self.options.decompress == Decompress::No {
            return Ok(raw);
        }
        let (format, content) =
            decompressed(raw.content, watch).map_err(|error| watch.error(Layer::Raw, error))?;
        Ok(match format {
            Some(format) => Stream { name: format.strip_ending(&raw.name), size: None, content },
            None => Stream { content, ..raw },
        })
    }

    fn document(&mut self, stream: Stream<'_>, watch: &Watch<'_>) -> Result<(), V::Error> {
        let Stream { name, size, mut content } = stream;
        self.progress.check().map_err(InputError::from)?;
        self.names.claim(&name, self.current, watch.path())?;
        if let Some(field) = &self.options.jsonl_field {
            let lines = jsonl::Format { field, longest_line: self.longest_line };
            jsonl::read(&mut content, &name, lines, watch, self.visitor)
        } else {
            let head = DocumentHead { name: &name, size, envelope: None };
            watch.settle(self.visitor.document(head, &mut content))
        }
    }
}

/// Opens the file at `path` as a stream. The file must not change until its end is read.
fn file_stream<'w>(
    path: &Path,
    watch: &'w Watch<'w>,
    name: Vec<u8>,
) -> Result<Stream<'w>, InputError> {
    let file = SteadyFile::open(path, watch)?;
    let size = file.len();
    Ok(Stream { name, size, content: Box::new(Watched::new(file, watch, Layer::Raw)) })
}

/// What the names of a folder's documents begin with when there are several arguments.
fn folder_prefix(root: &Path) -> Vec<u8> {
    let mut prefix = last_part(root);
    if !prefix.is_empty() {
        prefix.push(b'/');
    }
    prefix
}

/// The last part of `path`; for `.` and `..` that of the folder they mean; empty for `/`.
fn last_part(path: &Path) -> Vec<u8> {
    let name = |path: &Path| path.file_name().map(|name| name.as_encoded_bytes().to_vec());
    name(path)
        .or_else(|| fs::canonicalize(path).ok().and_then(|whole| name(&whole)))
        .unwrap_or_default()
}
