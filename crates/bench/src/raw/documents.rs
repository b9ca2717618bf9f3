//! Where the raw rival's documents come from: files below a folder, or a tar on standard input.
//!
//! Workers ask for the next document until there is none. Each worker reads its own files into a
//! reused buffer; a separate thread reads a tar and hands over whole members.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};

use anyhow::{Context, Result};

use super::vocabulary::PADDING;

/// Members of a tar that are read ahead of the workers.
const AHEAD: usize = 16;

/// A document's text with zeros behind it, and its place in the corpus.
#[derive(Debug, Default)]
pub struct Text {
    /// The number of the document, from which the source's `name` finds its name.
    pub document: usize,
    /// The text and [`PADDING`] zeros.
    padded: Vec<u8>,
    length: usize,
}

impl Text {
    /// The text alone.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.padded[..self.length]
    }

    /// The text and zeros behind it.
    #[must_use]
    pub fn padded(&self) -> &[u8] {
        &self.padded
    }

    /// Takes all of `reader`, keeping the buffer.
    fn fill(&mut self, reader: &mut impl Read) -> std::io::Result<()> {
        const ROOM: usize = 1 << 16;
        self.length = 0;
        loop {
            if self.padded.len() < self.length + ROOM {
                let larger = (self.length + ROOM).max(2 * self.padded.len());
                self.padded.resize(larger, 0);
            }
            let end = self.padded.len() - PADDING;
            match reader.read(&mut self.padded[self.length..end])? {
                0 => break,
                more => self.length += more,
            }
        }
        // The buffer may hold more of a longer document before.
        self.padded[self.length..self.length + PADDING].fill(0);
        Ok(())
    }
}

/// The name and the text of a file in a tar.
type Member = (Vec<u8>, Text);

/// Documents, for workers on several threads.
#[derive(Debug)]
pub enum Source {
    /// Files below a folder, or one file.
    Files {
        /// Names of the documents and where they are.
        files: Vec<(Vec<u8>, PathBuf)>,
        /// How many were handed out.
        next: AtomicUsize,
    },
    /// Members of a tar, and the names of those that were handed out.
    Tar {
        /// What the reading thread has read.
        members: Mutex<Receiver<Result<Member>>>,
        /// By number.
        names: Mutex<Vec<Vec<u8>>>,
    },
}

impl Source {
    /// The files below `root`, in the order of their names, or `root` itself.
    pub fn files(root: &Path) -> Result<Self> {
        let mut files = Vec::new();
        if root.is_file() {
            let name = root.file_name().context("a file has a name")?;
            files.push((name.as_encoded_bytes().to_vec(), root.to_owned()));
        } else {
            walk(root, &mut Vec::new(), &mut files)?;
        }
        Ok(Self::Files { files, next: AtomicUsize::new(0) })
    }

    /// The regular files in a tar, without the first `strip` parts of their names.
    pub fn tar(reader: impl Read + Send + 'static, strip: usize) -> Self {
        let (send, members) = sync_channel(AHEAD);
        std::thread::spawn(move || {
            let outcome = read_tar(reader, strip, |name, text| send.send(Ok((name, text))).is_ok());
            if let Err(error) = outcome {
                // Sending fails only after a worker has failed, and that failure is reported.
                let _ = send.send(Err(error));
            }
        });
        Self::Tar { members: Mutex::new(members), names: Mutex::default() }
    }

    /// Puts the next document into `text`; false when there is none.
    pub fn next(&self, text: &mut Text) -> Result<bool> {
        match self {
            Self::Files { files, next } => {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some((_, path)) = files.get(number) else { return Ok(false) };
                let filled = File::open(path).and_then(|mut file| text.fill(&mut file));
                filled.with_context(|| format!("cannot read {}", path.display()))?;
                text.document = number;
            }
            Self::Tar { members, names } => {
                // Both at once, so that numbers are in the order of the archive.
                let members = members.lock().expect("no worker panics");
                let Ok(member) = members.recv() else { return Ok(false) };
                let (name, member) = member?;
                let mut names = names.lock().expect("no worker panics");
                *text = Text { document: names.len(), ..member };
                names.push(name);
            }
        }
        Ok(true)
    }

    /// Gives the name of a document that was handed out.
    pub fn with_name<T>(&self, document: usize, use_name: impl FnOnce(&[u8]) -> T) -> T {
        match self {
            Self::Files { files, .. } => use_name(&files[document].0),
            Self::Tar { names, .. } => use_name(&names.lock().expect("no worker panics")[document]),
        }
    }

    /// How many documents were handed out; call it when all were.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Files { files, .. } => files.len(),
            Self::Tar { names, .. } => names.lock().expect("no worker panics").len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Adds the files of a folder depth first, the entries of each sorted by name.
fn walk(folder: &Path, name: &mut Vec<u8>, files: &mut Vec<(Vec<u8>, PathBuf)>) -> Result<()> {
    let entries = fs::read_dir(folder)
        .and_then(Iterator::collect::<std::io::Result<Vec<_>>>)
        .with_context(|| format!("cannot read folder {}", folder.display()))?;
    let mut entries: Vec<_> = entries.into_iter().map(|entry| (entry.file_name(), entry)).collect();
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    for (own, entry) in entries {
        let before = name.len();
        name.extend_from_slice(own.as_encoded_bytes());
        let kind = entry.file_type()?;
        if kind.is_dir() {
            name.push(b'/');
            walk(&entry.path(), name, files)?;
        } else if kind.is_file() {
            files.push((name.clone(), entry.path()));
        }
        name.truncate(before);
    }
    Ok(())
}

/// Hands every regular file of a tar to `give`, until that returns false.
fn read_tar(
    reader: impl Read,
    strip: usize,
    mut give: impl FnMut(Vec<u8>, Text) -> bool,
) -> Result<()> {
    let mut archive = tar::Archive::new(reader);
    for member in archive.entries()? {
        let mut member = member?;
        if !member.header().entry_type().is_file() {
            continue;
        }
        let path = member.path_bytes().into_owned();
        let name = path.split(|byte| *byte == b'/').skip(strip).collect::<Vec<_>>().join(&b'/');
        let length = member.size() as usize;
        // Exactly what it needs, for all members that are read ahead are in memory.
        let mut text = Text { document: 0, padded: vec![0; length + PADDING], length };
        member.read_exact(&mut text.padded[..length])?;
        if !give(name, text) {
            break;
        }
    }
    Ok(())
}
