//! # A storage of your own
//!
//! A corpus file need not be on a local disk. Anything that can read a range of bytes will do: an object
//! store, a mapped file, a database. We will:
//!
//! - implement `Storage` and count the bytes that it reads,
//! - open a corpus from it,
//! - see that a query for one document reads a small part of the file.
//!
//! Run it with `cargo run -p zgram --example own_storage`.

use std::borrow::Cow;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use zgram::input::Sources;
use zgram::progress::Silent;
use zgram::storage::Storage;
use zgram::{CompressOptions, Corpus, compress_to};

// # The storage
//
// `Bucket` stands for a remote object; each `read` would be a request for a range. A storage must work
// from several threads at once, so the counter is atomic.
struct Bucket {
    object: Vec<u8>,
    bytes_read: Arc<AtomicU64>,
}

impl Storage for Bucket {
    fn len(&self) -> u64 {
        self.object.len() as u64
    }

    // Offsets can come from a damaged file, so a range that does not exist is an error, not a panic.
    fn read(&self, offset: u64, len: usize) -> io::Result<Cow<'_, [u8]>> {
        self.bytes_read.fetch_add(len as u64, Ordering::Relaxed);
        let start = usize::try_from(offset).map_err(io::Error::other)?;
        let end = start.checked_add(len).ok_or(io::ErrorKind::UnexpectedEof)?;
        let bytes = self.object.get(start..end).ok_or(io::ErrorKind::UnexpectedEof)?;
        Ok(Cow::Owned(bytes.to_vec()))
    }
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    // # Compress to memory
    //
    // `compress_to` writes to any stream. Small segments make it cheap to load a part of a corpus.
    let scratch = tempfile::tempdir()?;
    let texts = scratch.path().join("texts");
    std::fs::create_dir(&texts)?;
    for number in 0..40u32 {
        let words =
            (0..2000u32).map(|word| format!("w{}", (word * 7919 + number * 104_729) % 5003));
        std::fs::write(texts.join(format!("{number:02}")), words.collect::<Vec<_>>().join(" "))?;
    }
    let mut options = CompressOptions::default();
    options.segment_size = 20_000;
    let mut object = Vec::new();
    compress_to(&Sources::new([&texts]), &mut object, scratch.path(), &options, &Silent)?;
    let size = object.len() as u64;

    // # Open it
    //
    // The name is only for error messages.
    let bytes_read = Arc::new(AtomicU64::new(0));
    let bucket = Bucket { object, bytes_read: Arc::clone(&bytes_read) };
    let corpus = Corpus::from_storage("bucket/texts.zgram", bucket)?;
    println!("{size} bytes; opening read {}", bytes_read.load(Ordering::Relaxed));

    // # Read one document
    //
    // That needs the dictionary, the names and one segment; the other segments stay where they are.
    let mut text = Vec::new();
    corpus.write_document(7, &mut text)?;
    let read = bytes_read.load(Ordering::Relaxed);
    println!("one document of {} bytes: {read} bytes read in all", text.len());
    assert_eq!(text, std::fs::read(texts.join("07"))?);
    assert!(read < size, "{read} of {size} bytes");
    Ok(())
}
