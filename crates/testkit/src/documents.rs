//! Documents on their way into a corpus file.

use crate::Random;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use zgram::CompressOptions;
use zgram::error::CompressError;
use zgram::format::{GrammarKind, Layer, Level};
use zgram::input::{ReadOptions, Sources};
use zgram::progress::Silent;

/// A name and a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Without `/` and NUL; sorts after the names before it.
    pub name: Vec<u8>,
    /// Any bytes.
    pub text: Vec<u8>,
}

impl Document {
    /// A document.
    pub fn new(name: impl Into<Vec<u8>>, text: impl Into<Vec<u8>>) -> Self {
        Self { name: name.into(), text: text.into() }
    }
}

/// How documents reach the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feed {
    /// Members of one archive.
    Tar,
    /// Files of one folder.
    Folder,
    /// A gzip file each: their sizes are not known beforehand.
    Gzip,
}

/// Documents on disk, deleted when dropped.
#[derive(Debug)]
pub struct Fed {
    /// What to read.
    pub sources: Sources,
    folder: TempDir,
}

impl Fed {
    /// A folder for anything temporary.
    #[must_use]
    pub fn scratch(&self) -> &Path {
        self.folder.path()
    }
}

#[cfg(unix)]
pub(crate) fn path_of(name: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    std::ffi::OsStr::from_bytes(name).into()
}

#[cfg(not(unix))]
pub(crate) fn path_of(name: &[u8]) -> PathBuf {
    std::str::from_utf8(name).expect("only Unix has names that are no text").into()
}

/// Puts documents on disk.
#[must_use]
pub fn feed(documents: &[Document], how: Feed) -> Fed {
    let folder = TempDir::new().expect("a temporary folder");
    let below = folder.path().join("in");
    fs::create_dir(&below).expect("a folder");
    let paths = match how {
        Feed::Tar if !documents.is_empty() => {
            let path = below.join("documents.tar");
            let mut tar = tar::Builder::new(File::create(&path).expect("a file"));
            for document in documents {
                let mut header = tar::Header::new_gnu();
                header.set_size(document.text.len() as u64);
                header.set_mode(0o644);
                tar.append_data(&mut header, path_of(&document.name), &document.text[..])
                    .expect("a member");
            }
            tar.into_inner().expect("the end of the archive");
            vec![path]
        }
        Feed::Tar | Feed::Folder => {
            for document in documents {
                fs::write(below.join(path_of(&document.name)), &document.text).expect("a file");
            }
            vec![below]
        }
        Feed::Gzip => documents.iter().map(|document| gzip(&below, document)).collect(),
    };
    Fed { sources: Sources::new(paths), folder }
}

fn gzip(folder: &Path, document: &Document) -> PathBuf {
    let path = folder.join(path_of(&[&document.name[..], b".gz"].concat()));
    let file = File::create(&path).expect("a file");
    let mut encoder = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
    encoder.write_all(&document.text).and_then(|()| encoder.finish()).expect("the disk has room");
    path
}

/// Options with one thread and these values; the others are the defaults. Blocks of roots are so small
/// that short texts have several.
#[must_use]
pub fn options(level: Level, grammar: GrammarKind, layer: Layer) -> CompressOptions {
    let mut options = CompressOptions::default();
    (options.level, options.grammar, options.layer) = (level, grammar, layer);
    options.threads = 1;
    options.block_symbols = 50;
    options
}

/// Every level, builder and layer.
pub fn combinations() -> impl Iterator<Item = (Level, GrammarKind, Layer)> {
    let levels = [Level::Fast, Level::Default, Level::Max];
    let grammars = [GrammarKind::RePair, GrammarKind::Sequitur];
    let layers = [Layer::Zstd, Layer::None, Layer::Gzip, Layer::Bwt];
    levels.into_iter().flat_map(move |level| {
        grammars
            .into_iter()
            .flat_map(move |grammar| layers.into_iter().map(move |layer| (level, grammar, layer)))
    })
}

/// The corpus file of documents on disk.
///
/// # Errors
/// As [`zgram::compress_to`].
pub fn compress_fed(fed: &Fed, options: &CompressOptions) -> Result<Vec<u8>, CompressError> {
    let mut bytes = Vec::new();
    let summary = zgram::compress_to(&fed.sources, &mut bytes, fed.scratch(), options, &Silent)?;
    assert_eq!(summary.compressed_bytes, bytes.len() as u64);
    Ok(bytes)
}

/// The corpus file of some documents.
///
/// # Errors
/// As [`zgram::compress_to`].
pub fn compress(
    documents: &[Document],
    how: Feed,
    options: &CompressOptions,
) -> Result<Vec<u8>, CompressError> {
    compress_fed(&feed(documents, how), options)
}

/// A few documents of very different kinds; two of them repeat each other.
#[must_use]
pub fn small_documents() -> Vec<Document> {
    let tale = "the quick brown fox jumps over the lazy dog; the quick brown cat does not.\r\n";
    vec![
        Document::new("a.txt", tale.repeat(3)),
        Document::new("b.txt", ""),
        Document::new("c.bin", b"\xFF\x00\xE4\xBD the quick brown fox \x80\x80\x80  ".repeat(2)),
        Document::new("d.txt", format!("\u{4f60}\u{597d}\u{3002} {tale} na na na na na na na")),
    ]
}

/// [`small_documents`] in two or three segments.
#[must_use]
pub fn small_corpus(level: Level, grammar: GrammarKind, layer: Layer) -> Vec<u8> {
    let mut options = options(level, grammar, layer);
    options.segment_size = 220;
    compress(&small_documents(), Feed::Tar, &options).expect("the documents are valid")
}

/// [`small_corpus`] with word counts.
#[must_use]
pub fn indexed_corpus(layer: Layer) -> Vec<u8> {
    let mut options = options(Level::Default, GrammarKind::RePair, layer);
    options.segment_size = 220;
    options.index = true;
    compress(&small_documents(), Feed::Tar, &options).expect("the documents are valid")
}

/// [`small_documents`] with phrase indexes.
#[must_use]
pub fn phrases_corpus(segment_size: u64) -> Vec<u8> {
    let mut options = options(Level::Default, GrammarKind::RePair, Layer::None);
    options.segment_size = segment_size;
    options.phrases = true;
    compress(&small_documents(), Feed::Tar, &options).expect("the documents are valid")
}

/// Text whose rare words come in bursts, as names do in source code: each line of a document uses a
/// few of its own names, in an order that does not repeat.
fn bursts(documents: usize) -> Vec<Document> {
    let mut random = Random::new(7);
    let document = |number: usize| {
        let mut text = String::new();
        for _ in 0..40 {
            let mut name = || format!("name{}", number * 20 + random.below(20));
            text += &format!("let {} = {} + {};\n", name(), name(), name());
        }
        Document::new(format!("{number:03}.rs"), text)
    };
    (0..documents).map(document).collect()
}

/// Program-like text whose names come in bursts, long enough for symbols to be recalled.
#[must_use]
pub fn bursts_corpus(layer: Layer) -> Vec<u8> {
    let mut options = options(Level::Default, GrammarKind::RePair, layer);
    // Blocks begin with nothing to recall.
    options.block_symbols = 2000;
    compress(&bursts(24), Feed::Tar, &options).expect("the documents are valid")
}

/// Few words in an order that hardly repeats: word totals are small compared with such segments, so the
/// file stores them.
#[must_use]
pub fn few_words(documents: usize) -> Vec<Document> {
    const WORDS: [&str; 12] =
        ["cat", "Cat", "dog", "mat", "door", "the", "The", "sat", "by", "and", "on", "caf\u{e9}"];
    let mut random = Random::new(11);
    let document = |number: usize| {
        let line = |random: &mut Random| -> String {
            let words: Vec<&str> = (0..9).map(|_| WORDS[random.below(WORDS.len())]).collect();
            words.join(" ") + ".\n"
        };
        let text: String = (0..100).map(|_| line(&mut random)).collect();
        Document::new(format!("{number:03}.txt"), text)
    };
    (0..documents).map(document).collect()
}

/// A corpus of [`few_words`], with word totals.
#[must_use]
pub fn totals_corpus(level: Level, layer: Layer, segment_size: u64) -> Vec<u8> {
    let mut options = options(level, GrammarKind::RePair, layer);
    options.segment_size = segment_size;
    compress(&few_words(6), Feed::Tar, &options).expect("the documents are valid")
}

/// Sixty documents of lines of few kinds, with words that change, as logs have them.
#[must_use]
pub fn logs() -> Vec<Document> {
    let mut random = Random::new(5);
    let mut line = || {
        let kind = ["started task attempt", "finished task attempt", "memory of the map is"];
        let (kind, number) = (kind[random.below(3)], random.below(50));
        format!("2015-10-17 INFO [main] org.apache.Task: {kind} number {number} of job 1445\n")
    };
    (0..60)
        .map(|number| {
            let text: String = (0..100 + number).map(|_| line()).collect();
            Document::new(format!("{number:03}"), text)
        })
        .collect()
}

/// A corpus of JSON Lines, which has envelopes.
#[must_use]
pub fn lines_corpus(level: Level, layer: Layer) -> Vec<u8> {
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join("lines.jsonl");
    let lines = (0..6).map(|id| {
        format!("{{\"id\": {id}, \"text\": \"line {id} of six lines \\u00e9\\n\", \"x\": []}}\n")
    });
    fs::write(&path, lines.collect::<String>()).expect("a file");
    let read = ReadOptions { jsonl_field: Some("text".to_owned()), ..ReadOptions::default() };
    let fed = Fed { sources: Sources::new([path]).options(read), folder };
    let mut options = options(level, GrammarKind::RePair, layer);
    options.segment_size = 60;
    compress_fed(&fed, &options).expect("the documents are valid")
}
