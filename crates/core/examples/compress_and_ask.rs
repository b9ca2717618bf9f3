//! # Compress and ask
//!
//! This example compresses a folder of texts and asks the compressed file three questions. We will:
//!
//! - compress a folder into one file,
//! - count words in all documents and in some of them,
//! - search for a phrase and read the text around it.
//!
//! Run it with `cargo run -p zgram --example compress_and_ask`.

use std::sync::Arc;
use zgram::access::{Access, Phrase};
use zgram::input::Sources;
use zgram::progress::Silent;
use zgram::{CompressOptions, Corpus, compress};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    // # A folder of texts
    //
    // Every file below the folder becomes a document. The document's name is its path in the folder.
    let scratch = tempfile::tempdir()?;
    let texts = scratch.path().join("texts");
    std::fs::create_dir(&texts)?;
    std::fs::write(texts.join("walden.txt"), "The pond is deep. The pond is clear. The Pond!\n")?;
    std::fs::write(texts.join("war.txt"), "The war is long, and the peace is short.\n")?;

    // # Compress
    //
    // `Sources` also takes single files, tar archives, compressed files and `-` for standard input.
    // `Silent` reports no progress; implement `Progress` to draw a bar or to stop early.
    let file = scratch.path().join("texts.zgram");
    let summary = compress(&Sources::new([&texts]), &file, &CompressOptions::default(), &Silent)?;
    println!("{} documents, {} bytes", summary.facts.documents, summary.compressed_bytes);

    // # Count words
    //
    // Opening reads only an index. A query is built step by step, with the names of the command line's
    // options, and runs when you ask for its rows. Nothing is decompressed for it.
    let corpus = Corpus::open(&file)?;
    let frequent = corpus.word_count().lower().stop_words("english".parse()?).top(1).rows()?;
    println!("{} occurs {} times", frequent[0].text(), frequent[0].count);
    assert_eq!((&*frequent[0].text(), frequent[0].count), ("pond", 3));

    // A glob chooses documents. Rows of some tasks belong to a document and know its name.
    for row in corpus.term_vector().documents_matching("wa?.txt")?.min_len(4).rows()? {
        println!("{}: {} {}", row.document_name().unwrap_or_default(), row.text(), row.count);
        assert_eq!(row.document_name().as_deref(), Some("war.txt"));
    }

    // # Search
    //
    // `Access` reads any part of any document. A match has an offset and a length, which `extract`
    // takes as they are.
    let access = Access::new(Arc::new(corpus));
    let phrase = Phrase::new("pond is")?;
    let matches = access.search(0, &phrase)?;
    for found in &matches {
        let text = access.extract(0, found.offset, found.len + 6)?;
        println!("{:>4}: {}", found.offset, String::from_utf8_lossy(&text));
    }
    assert_eq!(matches.len(), 2);
    Ok(())
}
