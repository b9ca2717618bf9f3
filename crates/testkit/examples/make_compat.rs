//! Writes the golden files of the current format version that do not exist yet, and the documents
//! that they contain: `cargo run -p zgram-testkit --example make_compat`.
//!
//! It never changes a file that exists: golden files show what a released build wrote.

use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use zgram::CompressOptions;
use zgram::format::{GrammarKind, Layer, Level};
use zgram::input::{ReadOptions, Sources};
use zgram::plumbing::FORMAT_VERSION;
use zgram::progress::Silent;
use zgram::store::{Edit, Store, Threshold};
use zgram_testkit::{Random, combinations};

const BOOK: &str = include_str!("../../../samples/books/carroll-alice.txt");

const LINES: &str = "{\"id\": 1, \"text\": \"one line of two\"}\n\
    {\"id\": 2, \"text\": \"the other line of two, \\u00e9\\n\", \"more\": [1, 2]}\n";

/// The documents of each golden file, as `NAME/DOCUMENT`; `%3A` in a file name is a colon.
fn documents() -> Vec<(&'static str, Vec<u8>)> {
    let tale = "the quick brown fox jumps over the lazy dog; the quick brown cat does not.\r\n";
    let every_byte = (0..=255).flat_map(|byte| [byte, b'a', b' ', byte]).collect();
    let letters =
        "\u{4f60}\u{597d}\u{3002}\u{e44}\u{e17}\u{e22} caf\u{e9} na\u{ef}ve \u{1f600} ".repeat(4);
    vec![
        ("text/bytes", every_byte),
        ("text/empty", Vec::new()),
        ("text/letters.txt", letters.into()),
        ("text/tale.txt", tale.repeat(4).into()),
        ("book/alice.txt", BOOK.as_bytes()[..60_000].to_vec()),
        ("lines/lines.jsonl%3A1", b"one line of two".to_vec()),
        ("lines/lines.jsonl%3A2", "the other line of two, \u{e9}\n".into()),
        ("bursts/calls.rs", bursts().into()),
        ("skewed/names.txt", skewed().into()),
        ("versions/all.txt", versions().into()),
        ("coins/tosses.txt", coins().into()),
        ("parts/1.txt", BOOK.as_bytes()[..900].to_vec()),
        ("parts/2.txt", BOOK.as_bytes()[900..1800].to_vec()),
        ("parts/3.txt", BOOK.as_bytes()[1800..2700].to_vec()),
    ]
}

/// Each line uses a few of the names of its block, in an order that does not repeat: back-references.
fn bursts() -> String {
    let mut state = 1u64;
    let mut name = |block: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        format!("name{}", block * 20 + (state >> 33) as usize % 20)
    };
    let line = |line: usize| {
        let block = line / 40;
        format!("let {} = {} + {};\n", name(block), name(block), name(block))
    };
    (0..1200).map(line).collect()
}

/// Words that occur once, one in twenty of them a number: columns take far less than a bit, which
/// Huffman codes cannot.
fn skewed() -> String {
    let letters = |mut number: usize| {
        let mut word = String::new();
        for _ in 0..4 {
            word.push(char::from(b'a' + (number % 26) as u8));
            number /= 26;
        }
        word
    };
    let word = |at: usize| match at % 20 {
        // The factor spreads the words over the alphabet.
        7 => format!("{at} "),
        _ => letters(at * 7919) + " ",
    };
    (0..5000).map(word).collect()
}

/// Forty versions of one text, each with another word changed: rules outweigh the root.
fn versions() -> String {
    let words: Vec<&str> = BOOK[..3000].split(' ').collect();
    let mut out = String::new();
    for version in 0..40 {
        let mut words = words.clone();
        words[version * 11] = "VERSION";
        out += &words.join(" ");
        writeln!(out, "\nend of version {version}").expect("a string takes every byte");
    }
    out
}

/// Two words in random order: word totals take little of the file.
fn coins() -> String {
    let mut random = Random::new(5);
    (0..12_000).map(|_| ["heads ", "tails "][random.below(2)]).collect()
}

struct Maker {
    /// Where documents are.
    expected: PathBuf,
    /// Where golden files go.
    version: PathBuf,
}

impl Maker {
    /// Writes a golden file from the documents of `name`.
    fn make(&self, name: &str, how: &str, options: &CompressOptions) -> Result<(), Box<dyn Error>> {
        let sources = Sources::new([self.expected.join(name)]);
        self.write(name, how, |path| {
            zgram::compress(&sources, path, options, &Silent)?;
            Ok(())
        })
    }

    /// Writes a golden file by `write`, unless it exists.
    fn write(
        &self,
        name: &str,
        how: &str,
        write: impl FnOnce(&Path) -> Result<(), Box<dyn Error>>,
    ) -> Result<(), Box<dyn Error>> {
        let path = self.version.join(format!("{name}.{how}.zgram"));
        if !path.exists() {
            write(&path)?;
            println!("{}", path.display());
        }
        Ok(())
    }
}

fn options(level: Level, grammar: GrammarKind, layer: Layer) -> CompressOptions {
    let mut options = CompressOptions::default();
    (options.level, options.grammar, options.layer) = (level, grammar, layer);
    options.block_symbols = 1000;
    options
}

fn name_of(level: Level, grammar: GrammarKind, layer: Layer) -> String {
    format!("{}-{}-{}", level.name(), grammar.name(), layer.name())
}

fn main() -> Result<(), Box<dyn Error>> {
    let compat = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/compat");
    let expected = compat.join("expected");
    let version = compat.join(format!("v{FORMAT_VERSION}"));
    fs::create_dir_all(&version)?;
    for (name, text) in documents() {
        let path = expected.join(name);
        fs::create_dir_all(path.parent().expect("a folder"))?;
        if !path.exists() {
            fs::write(path, text)?;
        }
    }
    let maker = Maker { expected, version };
    let scratch = tempfile::tempdir()?;
    let lines = scratch.path().join("lines.jsonl");
    fs::write(&lines, LINES)?;
    let jsonl = ReadOptions { jsonl_field: Some("text".into()), ..ReadOptions::default() };
    let lines = Sources::new([lines]).options(jsonl);

    for (level, grammar, layer) in combinations() {
        let how = name_of(level, grammar, layer);
        let mut options = options(level, grammar, layer);
        if matches!(layer, Layer::Zstd | Layer::Bwt) {
            maker.make("book", &how, &options)?;
            maker.make("bursts", &how, &options)?;
            maker.make("versions", &how, &options)?;
        }
        if layer == Layer::Zstd {
            maker.make("skewed", &how, &options)?;
            maker.make("coins", &how, &options)?;
        }
        // Documents that span segments.
        options.segment_size = 700;
        maker.make("text", &how, &options)?;
        if matches!(layer, Layer::Zstd | Layer::Bwt) {
            maker.write("lines", &how, |path| {
                zgram::compress(&lines, path, &options, &Silent)?;
                Ok(())
            })?;
        }
    }

    let (level, grammar, layer) = (Level::Default, GrammarKind::RePair, Layer::Zstd);
    let how = name_of(level, grammar, layer);
    let mut options = options(level, grammar, layer);
    options.segment_size = 700;
    options.phrases = true;
    maker.make("text", &format!("{how}-phrases"), &options)?;
    // Text that repeats, whose index has runs.
    options.segment_size = 0;
    maker.make("versions", &format!("{how}-phrases"), &options)?;
    (options.segment_size, options.phrases, options.index) = (700, false, true);
    maker.make("text", &format!("{how}-indexed"), &options)?;
    options.threshold = Some(Threshold { edits: 100, bytes: 1 << 20 });
    maker.write("text", &format!("{how}-compacted"), |path| {
        compact(&maker.expected.join("text"), path, &scratch.path().join("c.zgram"), &options)
    })?;
    // Segments that were copied when the dictionary gained a token.
    options.segment_size = 900;
    for level in [Level::Fast, Level::Default, Level::Max] {
        options.level = level;
        let how = name_of(level, grammar, layer);
        maker.write("parts", &format!("{how}-copied"), |path| {
            compact_twice(&maker.expected.join("parts"), path, scratch.path(), &options)
        })?;
    }
    Ok(())
}

/// Writes a file whose first document gained a word in one compaction and lost it in the next.
fn compact_twice(
    documents: &Path,
    out: &Path,
    scratch: &Path,
    options: &CompressOptions,
) -> Result<(), Box<dyn Error>> {
    let scratch = scratch.join(format!("{}.zgram", options.level.name()));
    zgram::compress(&Sources::new([documents]), &scratch, options, &Silent)?;
    let store = Store::open_for_editing(&scratch)?;
    let bytes = b"forthcoming ".to_vec();
    let len = bytes.len() as u64;
    store.edit(&[Edit::Insert { document: 0, offset: 0, bytes }])?;
    store.compact(&Silent)?;
    store.edit(&[Edit::Delete { document: 0, offset: 0, len }])?;
    store.compact(&Silent)?;
    fs::copy(scratch, out)?;
    Ok(())
}

/// Writes a file that was edited and compacted, with the documents as they were before.
fn compact(
    documents: &Path,
    out: &Path,
    scratch: &Path,
    options: &CompressOptions,
) -> Result<(), Box<dyn Error>> {
    let sources = Sources::new([documents]);
    zgram::compress(&sources, scratch, options, &Silent)?;
    let store = Store::open_for_editing(scratch)?;
    let bytes = b"and back".to_vec();
    let len = bytes.len() as u64;
    store.edit(&[Edit::Insert { document: 0, offset: 3, bytes }])?;
    store.edit(&[Edit::Delete { document: 0, offset: 3, len }])?;
    store.compact(&Silent)?;
    fs::copy(scratch, out)?;
    Ok(())
}
