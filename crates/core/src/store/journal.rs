//! The write-ahead journal: edits on disk before they are acknowledged.
//!
//! ```text
//! header    magic, version: u16, zero: 6 bytes, corpus: index checksum u64 and length u64,
//!           checksum of the header: u64                                          40 bytes
//! record    mark "ZGE1", zero: u32, length: u64, sequence: u64, checksum: u64, edits
//! ```
//!
//! A record is what is acknowledged at once: one edit, or a batch. It is written behind the last one
//! and flushed to disk. Its checksum covers its number and its edits and is seeded with the corpus,
//! so neither a record of another journal nor an old one in its place passes for it.
//!
//! A crash leaves a last record that is incomplete: nobody was told that it is there, and it is
//! dropped. If a sound record follows a damaged one, then not a crash but something else has damaged
//! the journal, acknowledged edits would be lost, and it is refused.
//!
//! Edits go on while a corpus is compacted, so the journal beside a new file may be that of the old
//! one, with records that did not go into the new. They are carried over to a journal of its own.

mod carry;

use super::edit::{self, Edit};
use crate::error::Error;
use crate::format::Malformed;
use crate::format::bytes::ByteReader;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

const MAGIC: [u8; 8] = *b"\x89ZGEDIT\n";
const VERSION: u16 = 1;
const HEADER_LEN: usize = 40;
const MARK: [u8; 8] = *b"ZGE1\0\0\0\0";
const RECORD_HEADER_LEN: usize = 32;

/// What tells one corpus file from another: the checksum of its index, and its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    pub(crate) index_checksum: u64,
    pub(crate) len: u64,
}

impl Identity {
    /// The section of a compacted corpus that tells what went into it.
    pub(crate) fn to_origin(self, sequence: u64) -> Vec<u8> {
        [self.index_checksum, self.len, sequence].into_iter().flat_map(u64::to_le_bytes).collect()
    }

    pub(crate) fn from_origin(bytes: &[u8]) -> Result<(Self, u64), Malformed> {
        let mut reader = ByteReader::new(bytes);
        let identity = Self { index_checksum: reader.u64()?, len: reader.u64()? };
        let sequence = reader.u64()?;
        reader.expect_end()?;
        Ok((identity, sequence))
    }
}

/// Where a journal's bytes go; a test puts a disk there that forgets and fails.
pub(super) trait Disk: Send {
    /// Writes at an offset, at or before the end.
    fn write(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()>;
    /// Cuts off what is after `len` bytes.
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

/// What a journal's bytes say.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Replay {
    /// All edits of sound records that are not in the corpus, in order.
    pub(super) edits: Vec<Edit>,
    /// Bytes after those, which a crash has left.
    pub(super) dropped: u64,
    /// Where the journal ends; `None` if it is that of the corpus before.
    pub(super) end: Option<End>,
}

/// The end of the sound part of a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct End {
    /// The number of the last record; 0 if there is none.
    pub(super) sequence: u64,
    /// Bytes up to there.
    pub(super) len: u64,
}

/// Which corpus a journal belongs to, seen from an open one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Owner {
    pub(super) corpus: Identity,
    /// The corpus that was compacted into this one, and the last record that went into it.
    pub(super) origin: Option<(Identity, u64)>,
}

/// An open journal, at whose end records can be written.
pub(super) struct Journal {
    disk: Box<dyn Disk>,
    corpus: Identity,
    end: End,
    /// After a failure nobody knows what is on disk.
    failed: bool,
}

pub(super) fn path_of(corpus: &Path) -> PathBuf {
    let mut path = corpus.as_os_str().to_owned();
    path.push(".journal");
    path.into()
}

/// The bytes of a corpus's journal, if there is one.
pub(super) fn read(corpus: &Path) -> Result<Option<Vec<u8>>, Error> {
    let path = path_of(corpus);
    let mut bytes = Vec::new();
    match File::open(&path).and_then(|mut file| file.read_to_end(&mut bytes)) {
        Ok(_) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::io("read", path)(error)),
    }
}

/// Reads a journal's bytes. `None` if all it has is in the corpus already, or if it was never
/// completely begun.
pub(super) fn replay(bytes: &[u8], owner: Owner) -> Result<Option<Replay>, String> {
    let Some(header) = bytes.get(..HEADER_LEN) else {
        let begins = MAGIC.starts_with(&bytes[..bytes.len().min(8)]);
        let begins = begins && (bytes.len() <= 8 || bytes.starts_with(&MAGIC));
        return if begins { Ok(None) } else { Err("it is not a journal of zgram".into()) };
    };
    if header[..8] != MAGIC {
        return Err("it is not a journal of zgram".into());
    }
    let mut reader = ByteReader::new(&header[8..]);
    let version = reader.u16().expect("the header has all fields");
    let reserved = reader.take(6).expect("the header has all fields");
    let mut number = || reader.u64().expect("the header has all fields");
    let corpus = Identity { index_checksum: number(), len: number() };
    let checksum = number();
    if checksum != xxh3_64(&header[..HEADER_LEN - 8]) {
        // A header is on disk before the first record is begun.
        return if bytes.len() == HEADER_LEN {
            Ok(None)
        } else {
            Err("its header is damaged".into())
        };
    }
    if version != VERSION || reserved != [0; 6] {
        return Err(format!("it has version {version}, this build reads {VERSION}; upgrade zgram"));
    }
    let records = records(bytes, corpus)?;
    let dropped = bytes.len() as u64 - records.end.len;
    let merged = match owner.origin {
        _ if corpus == owner.corpus => {
            let edits = records.edits.into_iter().flatten().collect();
            return Ok(Some(Replay { edits, dropped, end: Some(records.end) }));
        }
        Some((origin, merged)) if corpus == origin => merged,
        _ => return Err("it belongs to another corpus, or to an earlier state of this one".into()),
    };
    if records.end.sequence <= merged {
        return Ok(None);
    }
    let (merged, rest) = records.edits.split_at(merged as usize);
    let edits = carry::renumber(merged.iter().flatten(), rest.concat())?;
    Ok(Some(Replay { edits, dropped, end: None }))
}

/// The sound records of a journal.
struct Records {
    edits: Vec<Vec<Edit>>,
    end: End,
}

fn records(bytes: &[u8], corpus: Identity) -> Result<Records, String> {
    let mut edits = Vec::new();
    let mut at = HEADER_LEN;
    while at < bytes.len() {
        let sequence = edits.len() as u64 + 1;
        let Some(record) = record_at(bytes, at, sequence, corpus) else {
            if let Some(later) = later_record(bytes, at, sequence, corpus) {
                return Err(format!(
                    "its record {sequence} at byte {at} is damaged, while one at byte {later} is sound"
                ));
            }
            break;
        };
        edits.push(edit::from_bytes(record).map_err(|error| {
            format!("its record {sequence} at byte {at} is no list of edits: {error}")
        })?);
        at += RECORD_HEADER_LEN + record.len();
    }
    let end = End { sequence: edits.len() as u64, len: at as u64 };
    Ok(Records { edits, end })
}

/// The edits of the record at a byte, if it is sound and has this number.
fn record_at(bytes: &[u8], at: usize, sequence: u64, corpus: Identity) -> Option<&[u8]> {
    let mut reader = ByteReader::new(&bytes[at..]);
    let mark = reader.take(8).ok()?;
    let (len, number, checksum) = (reader.u64().ok()?, reader.u64().ok()?, reader.u64().ok()?);
    let edits = reader.take(usize::try_from(len).ok()?).ok()?;
    let is_sound = mark == MARK && number == sequence && checksum == sum(corpus, sequence, edits);
    is_sound.then_some(edits)
}

/// Where a sound record of a number from `sequence` on stands after byte `at`, if anywhere.
fn later_record(bytes: &[u8], at: usize, sequence: u64, corpus: Identity) -> Option<usize> {
    memchr::memmem::find_iter(&bytes[at + 1..], &MARK).map(|found| at + 1 + found).find(|&place| {
        let number = bytes.get(place + 16..place + 24);
        let number = number.map(|number| u64::from_le_bytes(number.try_into().expect("eight")));
        number.is_some_and(|number| {
            number >= sequence && record_at(bytes, place, number, corpus).is_some()
        })
    })
}

fn sum(corpus: Identity, sequence: u64, edits: &[u8]) -> u64 {
    let mut hasher = Xxh3::with_seed(corpus.index_checksum ^ corpus.len);
    hasher.update(&sequence.to_le_bytes());
    hasher.update(edits);
    hasher.digest()
}

fn header(corpus: Identity) -> Vec<u8> {
    let mut header = Vec::with_capacity(HEADER_LEN);
    header.extend(MAGIC);
    header.extend(VERSION.to_le_bytes());
    header.extend([0; 6]);
    header.extend(corpus.index_checksum.to_le_bytes());
    header.extend(corpus.len.to_le_bytes());
    header.extend(xxh3_64(&header).to_le_bytes());
    header
}

impl Journal {
    /// Opens the journal of a corpus for writing, after what `replay` found in it. If that was
    /// nothing or belongs to the corpus before, a new one takes its place, with its edits.
    pub(super) fn open(
        path: &Path,
        corpus: Identity,
        replay: Option<&Replay>,
    ) -> Result<Self, Error> {
        let journal = path_of(path);
        let open = || -> io::Result<Self> {
            let folder = crate::compress::folder_of(path);
            let opened = match replay.and_then(|replay| replay.end) {
                Some(end) => {
                    let file = File::options().read(true).write(true).open(&journal)?;
                    Self::after(Box::new(file), corpus, end)?
                }
                None => {
                    let temporary = crate::compress::temporary_file(folder)?;
                    let edits = replay.map_or(&[][..], |replay| &replay.edits);
                    let disk = Box::new(temporary.as_file().try_clone()?);
                    let begun = Self::begin(disk, corpus, edits)?;
                    temporary.persist(&journal).map_err(|error| error.error)?;
                    begun
                }
            };
            // The name must be as durable as the records.
            crate::compress::sync_folder(folder)?;
            Ok(opened)
        };
        open().map_err(Error::io("write", &journal))
    }

    /// Goes on behind the sound part of a journal.
    pub(super) fn after(mut disk: Box<dyn Disk>, corpus: Identity, end: End) -> io::Result<Self> {
        disk.truncate(end.len)?;
        disk.sync()?;
        Ok(Self { disk, corpus, end, failed: false })
    }

    /// Begins a journal, with some edits in it.
    pub(super) fn begin(
        mut disk: Box<dyn Disk>,
        corpus: Identity,
        edits: &[Edit],
    ) -> io::Result<Self> {
        disk.truncate(0)?;
        disk.write(0, &header(corpus))?;
        let end = End { sequence: 0, len: HEADER_LEN as u64 };
        let mut journal = Self { disk, corpus, end, failed: false };
        if edits.is_empty() {
            journal.disk.sync()?;
        } else {
            journal.write(&edits.iter().map(Edit::borrowed).collect::<Vec<_>>())?;
        }
        Ok(journal)
    }

    /// The number of the last record.
    pub(super) fn sequence(&self) -> u64 {
        self.end.sequence
    }

    /// Writes a record; when this returns, it is on disk.
    pub(super) fn write(&mut self, edits: &[Edit<&[u8]>]) -> io::Result<()> {
        if self.failed {
            return Err(io::Error::other(
                "an earlier write has failed; open the corpus again to go on",
            ));
        }
        let sequence = self.end.sequence + 1;
        // Room for the header, which is known when the edits are there.
        let mut record = vec![0; RECORD_HEADER_LEN];
        edit::put_all(edits, &mut record);
        let (header, edits) = record.split_at_mut(RECORD_HEADER_LEN);
        let numbers = [edits.len() as u64, sequence, sum(self.corpus, sequence, edits)];
        header[..MARK.len()].copy_from_slice(&MARK);
        for (place, number) in header[MARK.len()..].chunks_exact_mut(8).zip(numbers) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        let written = self.disk.write(self.end.len, &record).and_then(|()| self.disk.sync());
        if let Err(error) = written {
            self.failed = true;
            // The caller is told that it failed, so it had better not be there later.
            let _ = self.disk.truncate(self.end.len).and_then(|()| self.disk.sync());
            return Err(error);
        }
        self.end = End { sequence, len: self.end.len + record.len() as u64 };
        Ok(())
    }
}

#[cfg(test)]
mod tests;
