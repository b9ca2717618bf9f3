//! A visitor that stores all documents, and a progress that stores all notices.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use zgram::input::{DocumentHead, InputError, ReadOptions, Sources, Visitor};
use zgram::plumbing::StringStyle;
use zgram::progress::Progress;

/// One document as the visitor received it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Document {
    pub(crate) name: Vec<u8>,
    pub(crate) size: Option<u64>,
    pub(crate) text: Vec<u8>,
    /// For JSON Lines, the style and the restored bytes of the file.
    pub(crate) restored: Option<(StringStyle, Vec<u8>)>,
}

#[derive(Default)]
pub(crate) struct Collector(pub(crate) Vec<Document>);

impl Visitor for Collector {
    type Error = Failure;

    fn document(&mut self, head: DocumentHead<'_>, content: &mut dyn Read) -> Result<(), Failure> {
        let mut text = Vec::new();
        content.read_to_end(&mut text).map_err(Failure::Own)?;
        let restored = head.envelope.map(|envelope| {
            let mut bytes = Vec::new();
            envelope.restore(&text, &mut bytes);
            (envelope.style, bytes)
        });
        self.0.push(Document { name: head.name.to_vec(), size: head.size, text, restored });
        Ok(())
    }
}

/// The error of a visitor: its own, or that of reading.
#[derive(Debug)]
pub(crate) enum Failure {
    Own(io::Error),
    Input(InputError),
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Self {
        Self::Input(error)
    }
}

#[derive(Default)]
pub(crate) struct Notices(Mutex<Vec<String>>);

impl Progress for Notices {
    fn notice(&self, message: &str) {
        self.0.lock().unwrap().push(message.to_owned());
    }
}

impl Notices {
    pub(crate) fn all(self) -> Vec<String> {
        self.0.into_inner().unwrap()
    }
}

pub(crate) fn jsonl(field: &str) -> ReadOptions {
    ReadOptions { jsonl_field: Some(field.to_owned()), ..ReadOptions::default() }
}

/// All documents of `paths` and the notices, with `stdin` for the path `-`.
pub(crate) fn read_all<P: AsRef<Path>>(
    paths: &[P],
    stdin: &[u8],
    options: ReadOptions,
) -> Result<(Vec<Document>, Vec<String>), InputError> {
    let sources =
        Sources::new(paths.iter().map(|path| path.as_ref().to_path_buf())).options(options);
    let (mut collector, notices) = (Collector::default(), Notices::default());
    match sources.read_with_stdin(&mut &*stdin, &mut collector, &notices) {
        Ok(()) => Ok((collector.0, notices.all())),
        Err(Failure::Input(error)) => Err(error),
        Err(Failure::Own(error)) => panic!("not an input error: {error}"),
    }
}

/// The documents of one path with the default options.
pub(crate) fn read(path: &Path) -> Vec<Document> {
    read_all(&[path], b"", ReadOptions::default()).unwrap().0
}

/// The documents of standard input with the default options.
pub(crate) fn read_stdin(bytes: &[u8]) -> Result<Vec<Document>, InputError> {
    read_all(&["-"], bytes, ReadOptions::default()).map(|(documents, _)| documents)
}

pub(crate) fn names(documents: &[Document]) -> Vec<String> {
    documents.iter().map(|document| String::from_utf8_lossy(&document.name).into_owned()).collect()
}

/// A temporary folder with the given files, their folders included.
pub(crate) fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        write(root.path(), name, bytes);
    }
    root
}

pub(crate) fn write(root: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = root.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, bytes).unwrap();
    path
}
