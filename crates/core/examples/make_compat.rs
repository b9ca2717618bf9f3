//! Writes the golden files of the current format version that are missing, and what they hold:
//! `cargo run -p zgram --example make_compat`. Files that exist are never touched.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use zgram::CompressOptions;
use zgram::format::{FORMAT_VERSION, GrammarKind, Layer, Level};
use zgram::input::{ReadOptions, Sources};
use zgram::progress::Silent;

const BOOK: &str = include_str!("../../../samples/books/carroll-alice.txt");

/// A text of everything, a text long enough for clusters of tokens, lines of JSON, and names that
/// come in bursts.
fn write_expected(expected: &Path) -> std::io::Result<()> {
    let tale = "the quick brown fox jumps over the lazy dog; the quick brown cat does not.\r\n";
    let every_byte: Vec<u8> = (0..=255).flat_map(|byte| [byte, b'a', b' ', byte]).collect();
    let cjk =
        "\u{4f60}\u{597d}\u{3002}\u{e44}\u{e17}\u{e22} caf\u{e9} na\u{ef}ve \u{1f600} ".repeat(4);
    for (name, text) in [
        ("text/bytes", &every_byte[..]),
        ("text/empty", b""),
        ("text/letters.txt", cjk.as_bytes()),
        ("text/tale.txt", tale.repeat(4).as_bytes()),
        ("book/alice.txt", &BOOK.as_bytes()[..60_000]),
        ("lines/lines.jsonl%3A1", b"one line of two"),
        ("lines/lines.jsonl%3A2", "the other line of two, \u{e9}\n".as_bytes()),
        ("bursts/calls.rs", bursts().as_bytes()),
    ] {
        let path = expected.join(name);
        fs::create_dir_all(path.parent().expect("a folder"))?;
        if !path.exists() {
            fs::write(path, text)?;
        }
    }
    Ok(())
}

/// Lines of which each uses a few of the names of its block, in an order that does not repeat.
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

const LINES: &str = "{\"id\": 1, \"text\": \"one line of two\"}\n\
    {\"id\": 2, \"text\": \"the other line of two, \\u00e9\\n\", \"more\": [1, 2]}\n";

fn main() -> Result<(), Box<dyn Error>> {
    let compat = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/compat");
    let expected = compat.join("expected");
    let version = compat.join(format!("v{FORMAT_VERSION}"));
    fs::create_dir_all(&version)?;
    write_expected(&expected)?;

    let scratch = tempfile::tempdir()?;
    let lines = scratch.path().join("lines.jsonl");
    fs::write(&lines, LINES)?;
    for level in [Level::Fast, Level::Default, Level::Max] {
        for grammar in [GrammarKind::RePair, GrammarKind::Sequitur] {
            for layer in [Layer::Zstd, Layer::Gzip, Layer::Bwt, Layer::None] {
                let how = format!("{}-{}-{}.zgram", level.name(), grammar.name(), layer.name());
                // Files of level `max` were once written before rules were nested, then (`nested-`)
                // before buckets foretold columns; those of the others before roots had blocks, at
                // `default` first before there were prefix codes (`prefix-`).
                let how = match level {
                    Level::Max => format!("buckets-{how}"),
                    _ => format!("blocks-{how}"),
                };
                let mut options = CompressOptions::default();
                (options.level, options.grammar, options.layer) = (level, grammar, layer);
                (options.segment_size, options.block_symbols) = (700, 1000);
                let read = ReadOptions::default();
                let text = vec![expected.join("text")];
                make(text, read.clone(), &version, "text", &how, &options)?;
                if layer == Layer::Zstd || layer == Layer::Bwt {
                    let jsonl = ReadOptions { jsonl_field: Some("text".into()), ..read.clone() };
                    make(vec![lines.clone()], jsonl, &version, "lines", &how, &options)?;
                    options.segment_size = 1 << 20;
                    let book = vec![expected.join("book")];
                    make(book, read.clone(), &version, "book", &how, &options)?;
                    let bursts = vec![expected.join("bursts")];
                    make(bursts, read, &version, "bursts", &how, &options)?;
                }
            }
        }
    }
    Ok(())
}

fn make(
    paths: Vec<PathBuf>,
    read: ReadOptions,
    version: &Path,
    name: &str,
    how: &str,
    options: &CompressOptions,
) -> Result<(), Box<dyn Error>> {
    let path = version.join(format!("{name}.{how}"));
    if !path.exists() {
        zgram::compress(&Sources::new(paths, read), &path, options, &Silent)?;
        println!("{}", path.display());
    }
    Ok(())
}
