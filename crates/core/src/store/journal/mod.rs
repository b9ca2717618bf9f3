//! The write-ahead journal: edits on disk before they are acknowledged.
//!
//! It is a file of records (see `frames.rs`). Each record holds what is acknowledged at once: one edit
//! or a batch. It is written after the last one and flushed to disk. Records are numbered from 1.
//!
//! A crash can leave an incomplete last record. Its edits were never acknowledged, so it is
//! dropped. If a sound record follows a damaged or missing one, something other than a crash has damaged
//! the journal. Acknowledged edits would be lost, so the journal is refused.
//!
//! Edits continue while a corpus is compacted. So the journal beside a new file may belong to the old
//! one and have records that the new file does not include. These are carried over to a new journal.
//!
//! `words_file.rs` has the second file of records: how much the edits change the word counts.

mod carry;
mod frames;
pub(in crate::store) mod words_file;

use crate::beside;
use crate::durable;
use crate::error::FileError;
use crate::format::origin::{ALL_RECORDS, Identity};
use crate::store::edit::{self, Edit, Stretch};
use crate::store::journal::frames::{Frames, HEADER_LEN, RECORD_HEADER_LEN, Record};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64_with_seed;

const FRAMES: Frames = Frames { magic: *b"\x89ZGEDIT\n", version: 1, mark: *b"ZGE1\0\0\0\0" };

/// Where a journal's bytes are written. Tests use a disk that forgets and fails.
pub(in crate::store) trait Disk: Send {
    /// Writes at an offset, at or before the end.
    fn write(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()>;
    /// Truncates it to `len` bytes.
    fn truncate(&mut self, len: u64) -> io::Result<()>;
    /// Makes all of it durable.
    fn sync(&mut self) -> io::Result<()>;
}

impl Disk for File {
    fn write(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.seek(SeekFrom::Start(offset))?;
        self.write_all(bytes)
    }

    fn truncate(&mut self, len: u64) -> io::Result<()> {
        self.set_len(len)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }
}

/// The content of a journal.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::store) struct Replay {
    /// All edits of sound records that are not in the corpus, in order. Their texts stay in the
    /// journal's bytes.
    edits: Vec<Edit<Stretch>>,
    bytes: Arc<Vec<u8>>,
    /// Bytes after the sound records, left by a crash.
    pub(in crate::store) dropped: u64,
    /// The ends of the header and of each record; empty if this is the journal of the corpus before.
    pub(in crate::store) ends: Vec<End>,
}

impl Replay {
    /// All edits of sound records that are not in the corpus, in order.
    pub(in crate::store) fn edits(&self) -> impl ExactSizeIterator<Item = Edit<&[u8]>> {
        self.edits.iter().map(|edit| edit.map(|stretch| stretch.of(&self.bytes)))
    }

    /// The end of the journal; `None` if it is the journal of the corpus before.
    pub(in crate::store) fn end(&self) -> Option<End> {
        self.ends.last().copied()
    }
}

/// The end of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) struct End {
    /// The record's number; 0 if there is none yet.
    pub(in crate::store) sequence: u64,
    /// Bytes up to this end.
    pub(in crate::store) len: u64,
    /// A checksum of all records up to this end.
    pub(in crate::store) chain: u64,
}

impl End {
    const OF_HEADER: Self = Self { sequence: 0, len: HEADER_LEN as u64, chain: 0 };

    /// The end of the next record, which has this length and checksum.
    fn next(self, len: usize, checksum: u64) -> Self {
        Self {
            sequence: self.sequence + 1,
            len: self.len + len as u64,
            chain: xxh3_64_with_seed(&checksum.to_le_bytes(), self.chain),
        }
    }
}

/// The corpora to which the journal of an open corpus can belong.
#[derive(Clone, Copy, Debug)]
pub(in crate::store) struct Owner {
    pub(in crate::store) corpus: Identity,
    /// The corpus that was compacted into this one, and the last record that this one includes.
    pub(in crate::store) origin: Option<(Identity, u64)>,
}

/// A journal that is open for writing.
pub(in crate::store) struct Journal {
    disk: Box<dyn Disk>,
    corpus: Identity,
    end: End,
    /// Set after a failure, when it is not known what is on disk.
    failed: bool,
}

/// The bytes of a corpus's journal, if there is one.
pub(in crate::store) fn read(corpus: &Path) -> Result<Option<Arc<Vec<u8>>>, FileError> {
    let path = beside::journal(corpus);
    let mut bytes = Vec::new();
    match File::open(&path).and_then(|mut file| file.read_to_end(&mut bytes)) {
        Ok(_) => Ok(Some(Arc::new(bytes))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(FileError::on("read", path)(error)),
    }
}

/// The corpus that a journal says it belongs to.
pub(in crate::store) fn owner_of(bytes: &[u8]) -> Option<Identity> {
    FRAMES.read_header(bytes).filter(|header| header.is_sound).map(|header| header.corpus)
}

/// Reads a journal's bytes. Returns `None` if the corpus includes all its edits, or if its header was
/// never completely written.
pub(in crate::store) fn replay(
    bytes: &Arc<Vec<u8>>,
    owner: Owner,
) -> Result<Option<Replay>, String> {
    let Some(header) = FRAMES.read_header(bytes) else {
        let magic = &FRAMES.magic;
        let begins = bytes.len() < HEADER_LEN
            && magic.starts_with(&bytes[..bytes.len().min(magic.len())])
            && (bytes.len() <= magic.len() || bytes.starts_with(magic));
        return if begins { Ok(None) } else { Err("it is not a journal of zgram".into()) };
    };
    if !header.is_sound {
        // The header is on disk before the first record is written.
        return if bytes.len() == HEADER_LEN {
            Ok(None)
        } else {
            Err("its header is damaged".into())
        };
    }
    let (version, corpus) = (header.version, header.corpus);
    if version != FRAMES.version || !header.is_plain {
        let ours = FRAMES.version;
        return Err(format!("it has version {version}, this build reads {ours}; upgrade zgram"));
    }
    if corpus != owner.corpus && owner.origin == Some((corpus, ALL_RECORDS)) {
        return Ok(None);
    }
    let records = records(bytes, corpus)?;
    let end = records.ends[records.ends.len() - 1];
    let dropped = bytes.len() as u64 - end.len;
    let merged = match owner.origin {
        _ if corpus == owner.corpus => {
            let Records { edits, ends, .. } = records;
            return Ok(Some(Replay { edits, bytes: Arc::clone(bytes), dropped, ends }));
        }
        Some((origin, merged)) if corpus == origin => merged,
        _ => return Err("it belongs to another corpus, or to an earlier state of this one".into()),
    };
    if end.sequence <= merged {
        return Ok(None);
    }
    let mut merged_edits = records.edits;
    let rest = merged_edits.split_off(records.edits_before[merged as usize]);
    let edits = carry::renumber(&merged_edits, rest)?;
    Ok(Some(Replay { edits, bytes: Arc::clone(bytes), dropped, ends: Vec::new() }))
}

/// The sound records of a journal.
struct Records {
    /// The edits of all records.
    edits: Vec<Edit<Stretch>>,
    /// Per record, the number of edits before it; and the total.
    edits_before: Vec<usize>,
    /// The ends of the header and of each record.
    ends: Vec<End>,
}

fn records(bytes: &[u8], corpus: Identity) -> Result<Records, String> {
    let (mut edits, mut edits_before, mut ends) = (Vec::new(), vec![0], vec![End::OF_HEADER]);
    let mut end = End::OF_HEADER;
    while end.len < bytes.len() as u64 {
        let (at, sequence) = (end.len as usize, end.sequence + 1);
        let found = FRAMES.record_at(bytes, at, corpus).filter(|(number, _)| *number == sequence);
        let Some((_, Record { content, checksum })) = found else {
            match later_record(bytes, at, sequence, corpus) {
                None => break,
                // A complete record was acknowledged, and so were those before it.
                Some(later) if later == at => {
                    return Err(format!("its record {sequence} is missing at byte {at}"));
                }
                Some(later) => {
                    return Err(format!(
                        "its record {sequence} at byte {at} is damaged, while one at byte {later} \
                         is sound"
                    ));
                }
            }
        };
        let list = at + RECORD_HEADER_LEN..at + RECORD_HEADER_LEN + content.len();
        edit::take_all(bytes, list, &mut edits).map_err(|error| {
            format!("its record {sequence} at byte {at} is no list of edits: {error}")
        })?;
        edits_before.push(edits.len());
        end = end.next(RECORD_HEADER_LEN + content.len(), checksum);
        ends.push(end);
    }
    Ok(Records { edits, edits_before, ends })
}

/// The offset of the first sound record at byte `at` or later whose number is at least `sequence`.
fn later_record(bytes: &[u8], at: usize, sequence: u64, corpus: Identity) -> Option<usize> {
    let places = memchr::memmem::find_iter(&bytes[at..], &FRAMES.mark);
    places.map(|found| at + found).find(|&place| {
        let number = bytes.get(place + 16..place + 24);
        let number = number.map(|number| u64::from_le_bytes(number.try_into().expect("eight")));
        // The number is a quick test; the checksum takes reading the whole record.
        number.is_some_and(|number| {
            number >= sequence && FRAMES.record_at(bytes, place, corpus).is_some()
        })
    })
}

impl Journal {
    /// Opens the journal of a corpus for writing after the records in `replay`. If there is no journal, or
    /// it belongs to the corpus before, a new one replaces it, with its remaining edits.
    pub(in crate::store) fn open(
        path: &Path,
        corpus: Identity,
        replay: Option<&Replay>,
    ) -> Result<Self, FileError> {
        let journal = beside::journal(path);
        let open = || -> io::Result<Self> {
            let folder = durable::folder_of(path);
            let opened = match replay.and_then(Replay::end) {
                Some(end) => {
                    let file = File::options().read(true).write(true).open(&journal)?;
                    Self::after(Box::new(file), corpus, end)?
                }
                None => {
                    let temporary = durable::temporary_file(folder)?;
                    let edits: Vec<_> = replay.iter().flat_map(|replay| replay.edits()).collect();
                    let disk = Box::new(temporary.as_file().try_clone()?);
                    let begun = Self::begin(disk, corpus, &edits)?;
                    temporary.persist(&journal).map_err(|error| error.error)?;
                    begun
                }
            };
            // The name must be as durable as the records.
            durable::sync_folder(folder)?;
            Ok(opened)
        };
        open().map_err(FileError::on("write", &journal))
    }

    /// Continues a journal after its sound part.
    pub(in crate::store) fn after(
        mut disk: Box<dyn Disk>,
        corpus: Identity,
        end: End,
    ) -> io::Result<Self> {
        disk.truncate(end.len)?;
        disk.sync()?;
        Ok(Self { disk, corpus, end, failed: false })
    }

    /// Begins a journal with some edits in it.
    pub(in crate::store) fn begin(
        mut disk: Box<dyn Disk>,
        corpus: Identity,
        edits: &[Edit<&[u8]>],
    ) -> io::Result<Self> {
        disk.truncate(0)?;
        disk.write(0, &FRAMES.header(corpus))?;
        let mut journal = Self { disk, corpus, end: End::OF_HEADER, failed: false };
        if edits.is_empty() {
            journal.disk.sync()?;
        } else {
            journal.write(edits)?;
        }
        Ok(journal)
    }

    /// The end of the last record.
    pub(in crate::store) fn end(&self) -> End {
        self.end
    }

    /// Writes a record; when this returns, it is on disk.
    pub(in crate::store) fn write(&mut self, edits: &[Edit<&[u8]>]) -> io::Result<()> {
        if self.failed {
            return Err(io::Error::other(
                "an earlier write has failed; open the corpus again to go on",
            ));
        }
        let sequence = self.end.sequence + 1;
        let (record, checksum) =
            FRAMES.record(self.corpus, sequence, |out| edit::put_all(edits, out));
        let written = self.disk.write(self.end.len, &record).and_then(|()| self.disk.sync());
        if let Err(error) = written {
            self.failed = true;
            // The caller gets an error, so the record must not be found later.
            let _ = self.disk.truncate(self.end.len).and_then(|()| self.disk.sync());
            return Err(error);
        }
        self.end = self.end.next(record.len(), checksum);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod words_tests;
