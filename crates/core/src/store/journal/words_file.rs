//! The file beside the journal that stores how much the edits change the word counts.
//!
//! It is a file of records (see `frames.rs`). Each has the number of a record of the journal, the chain
//! of checksums up to that record, and the changes of the word counts since the record before:
//!
//! ```text
//! chain: u64
//! number of words that the corpus has, varint, then each, in rising order
//!     id less the one before, varint; change, varint, zigzag
//! number of other words, varint, then each, by class and bytes
//!     class: u8; change, varint, zigzag; length, varint; bytes
//! ```
//!
//! The journal is complete without this file. So it is written after the edits are acknowledged, and it
//! is never flushed. If anything is wrong with it, or it does not reach the end of the journal, it is
//! ignored. A process that opens the corpus for editing applies all edits anyway, and begins a new file.

use crate::beside;
use crate::durable::{folder_of, temporary_file};
use crate::format::Malformed;
use crate::format::bytes::{ByteReader, from_zigzag, put_varint, zigzag};
use crate::format::origin::Identity;
use crate::store::journal::End;
use crate::store::journal::frames::{Frames, HEADER_LEN, RECORD_HEADER_LEN};
use crate::store::overlay::word_change::Sum;
use crate::token::TokenClass;
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

const FRAMES: Frames = Frames { magic: *b"\x89ZGWORD\n", version: 1, mark: *b"ZGW1\0\0\0\0" };

/// Most bytes read. A longer file looks incomplete then, and the edits are applied instead.
const MOST_READ: u64 = 1 << 28;

/// The file, open for more records.
pub(in crate::store) struct WordsFile {
    file: File,
    corpus: Identity,
}

impl WordsFile {
    /// Begins a new file for a corpus; `None` if that fails, or if the changes by the edits of the
    /// journal up to `end` are not known.
    pub(in crate::store) fn begin(
        path: &Path,
        corpus: Identity,
        end: End,
        change: Option<&Sum>,
    ) -> Option<Self> {
        let temporary = temporary_file(folder_of(path)).ok()?;
        let mut begun = Self { file: temporary.as_file().try_clone().ok()?, corpus };
        begun.file.write_all(&FRAMES.header(corpus)).ok()?;
        let is_complete = end.sequence == 0 || begun.add(end, change);
        // Even if it is empty: the file before is of no use any more.
        temporary.persist(beside::words(path)).ok()?;
        is_complete.then_some(begun)
    }

    /// Adds the changes by the edits since the last record, which end at `end` in the journal. If this
    /// returns `false`, nothing may be added any more.
    #[must_use]
    pub(in crate::store) fn add(&mut self, end: End, change: Option<&Sum>) -> bool {
        let Some(change) = change else { return false };
        let (record, _) =
            FRAMES.record(self.corpus, end.sequence, |out| change.put(end.chain, out));
        self.file.write_all(&record).is_ok()
    }
}

/// Reads the changes by all edits of a journal whose records end at `ends`; `None` if there is no file,
/// or if it is not complete.
pub(in crate::store) fn read(path: &Path, corpus: Identity, ends: &[End]) -> Option<Sum> {
    let mut bytes = Vec::new();
    File::open(beside::words(path)).ok()?.take(MOST_READ).read_to_end(&mut bytes).ok()?;
    sum(&bytes, corpus, ends)
}

/// The same, from the file's bytes.
fn sum(bytes: &[u8], corpus: Identity, ends: &[End]) -> Option<Sum> {
    let header = FRAMES.read_header(bytes)?;
    let is_ours = header.is_sound && header.is_plain && header.version == FRAMES.version;
    if !is_ours || header.corpus != corpus {
        return None;
    }
    let mut sum = Sum::default();
    let (mut at, mut reached) = (HEADER_LEN, 0);
    let last = ends.last()?.sequence;
    while reached < last {
        let (sequence, record) = FRAMES.record_at(bytes, at, corpus)?;
        // The file may have more records by now than the journal had.
        let end = ends.get(usize::try_from(sequence).ok()?)?;
        if sequence <= reached {
            return None;
        }
        sum.take(record.content, end.chain).ok()?;
        reached = sequence;
        at += RECORD_HEADER_LEN + record.content.len();
    }
    Some(sum)
}

impl Sum {
    fn put(&self, chain: u64, out: &mut Vec<u8>) {
        out.extend(chain.to_le_bytes());
        let mut known: Vec<(u32, i64)> = self.known().collect();
        known.sort_unstable();
        put_varint(out, known.len() as u64);
        let mut last = 0;
        for (id, by) in known {
            put_varint(out, u64::from(id - last));
            put_varint(out, zigzag(by));
            last = id;
        }
        // Sorted here, they are quicker to merge when read.
        let mut new: Vec<(TokenClass, &[u8], i64)> = self.new.iter().collect();
        new.sort_unstable();
        put_varint(out, new.len() as u64);
        for (class, word, by) in new {
            out.push(class as u8);
            put_varint(out, zigzag(by));
            put_varint(out, word.len() as u64);
            out.extend_from_slice(word);
        }
    }

    fn take(&mut self, content: &[u8], chain: u64) -> Result<(), Malformed> {
        let mut reader = ByteReader::new(content);
        if reader.u64()? != chain {
            return reader.malformed("change by other edits");
        }
        let most = |reader: &ByteReader<'_>| reader.remaining() as u64;
        let known = reader.varint_at_most(most(&reader), "number of words")?;
        self.known.reserve(known as usize / 2);
        let mut id = 0;
        for _ in 0..known {
            id += reader.varint_at_most(u64::from(u32::MAX) - id, "word")?;
            self.add_known(id as u32, from_zigzag(reader.varint()?));
        }
        for _ in 0..reader.varint_at_most(most(&reader), "number of words")? {
            let class = match reader.u8()? {
                class if class == TokenClass::Spaced as u8 => TokenClass::Spaced,
                class if class == TokenClass::Unspaced as u8 => TokenClass::Unspaced,
                class => return reader.malformed(format!("word of class {class}")),
            };
            let by = from_zigzag(reader.varint()?);
            let len = reader.varint_at_most(most(&reader), "length")?;
            self.new.add(class, reader.take(len as usize)?, by);
        }
        reader.expect_end()
    }
}
