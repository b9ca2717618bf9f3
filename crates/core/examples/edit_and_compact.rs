//! # Edit and compact
//!
//! A compressed corpus can be edited. Edits go to a journal beside the file, and every query sees them
//! at once. We will:
//!
//! - append to a document, replace a part of one and add one,
//! - ask the edited corpus,
//! - compact it: write a new file that contains the edits.
//!
//! Run it with `cargo run -p zgram --example edit_and_compact`.

use zgram::input::Sources;
use zgram::progress::Silent;
use zgram::store::{Edit, Store};
use zgram::{CompressOptions, Corpus, compress};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    // # A corpus of one document
    let scratch = tempfile::tempdir()?;
    let text = scratch.path().join("notes.txt");
    std::fs::write(&text, "Monday: rain.\n")?;
    let file = scratch.path().join("notes.zgram");
    compress(&Sources::new([&text]), &file, &CompressOptions::default(), &Silent)?;

    // # Edit
    //
    // Only one process at a time can open a store for editing; any number can read meanwhile. The edits
    // of one call take effect together or not at all, and they are safely on disk when it returns.
    let store = Store::open_for_editing(&file)?;
    let notes = store.find(b"notes.txt")?.ok_or("there are notes")?;
    store.edit(&[
        Edit::Append { document: notes, bytes: b"Tuesday: more rain.\n".to_vec() },
        Edit::Replace { document: notes, offset: 8, len: 4, bytes: b"snow".to_vec() },
    ])?;
    store.edit(&[Edit::Add { name: b"plans.txt".to_vec(), bytes: b"Wait for sun.\n".to_vec() }])?;

    // # Ask
    //
    // `Corpus::open` shows the corpus as it is now, pending edits included.
    let mut now = Vec::new();
    let corpus = Corpus::open(&file)?;
    corpus.write_document(notes, &mut now)?;
    println!("{}", String::from_utf8_lossy(&now));
    assert_eq!(now, b"Monday: snow.\nTuesday: more rain.\n");
    assert_eq!(corpus.facts().documents, 2);
    drop(corpus);

    // # Compact
    //
    // Compaction reads only what changed, writes a new file beside the old one and puts it in its place.
    // The journal starts empty again.
    assert!(store.pending().edits > 0);
    store.compact(&Silent)?;
    assert_eq!(store.pending().edits, 0);
    let rain = Corpus::open(&file)?.word_count().matching("^rain$".parse()?).rows()?;
    assert_eq!(rain[0].count, 1);
    Ok(())
}
