//! The file around the sections: a header, sections back to back, an index, a trailer.
//!
//! Opening reads the header, the trailer and the index, but no section, so its cost depends only on
//! the number of sections. Each section has a checksum, which every read verifies. `docs/format.md`
//! describes every byte.

use super::bytes::{ByteReader, Malformed};
use super::section::{Section, SectionKind};
use crate::input::CORPUS_MAGIC;
use crate::storage::{Memory, Storage};
use std::borrow::Cow;
use std::io::{self, Write};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_64;

const END_MAGIC: [u8; 8] = *b"ZGRAMEND";

/// The version that this build writes, and the newest that it reads.
pub const FORMAT_VERSION: u16 = 1;

const HEADER_LEN: usize = 16;
const ENTRY_LEN: usize = 40;
const TRAILER_LEN: usize = 32;

/// A reader that does not know a section's kind may skip it only if this flag is set.
pub(crate) const OPTIONAL: u32 = 1;

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ContainerError {
    /// It could not be read.
    #[error("cannot read {what} at byte {offset}: {source}")]
    Io {
        /// Which part.
        what: String,
        /// Where.
        offset: u64,
        /// Why.
        source: io::Error,
    },
    /// It is not a zgram file.
    #[error("not a zgram file: it does not begin with the zgram signature")]
    Foreign,
    /// It was cut short, or bytes were appended.
    #[error("incomplete or overlong file: {what}; it was probably cut off in a copy")]
    Truncated {
        /// What is missing.
        what: String,
    },
    /// It was written by a newer version.
    #[error("format version {got}, this build reads up to {FORMAT_VERSION}; upgrade zgram")]
    Version {
        /// The file's version.
        got: u16,
    },
    /// It needs a section that this build does not know.
    #[error("section {kind:?} at byte {offset} is unknown and not optional; upgrade zgram")]
    UnknownSection {
        /// The kind's four letters.
        kind: String,
        /// Where it starts.
        offset: u64,
    },
    /// Bytes changed after they were written.
    #[error("{section} at byte {offset} is damaged: checksum {got:016x}, expected {expected:016x}")]
    Checksum {
        /// Which part.
        section: String,
        /// Where it starts.
        offset: u64,
        /// The stored checksum.
        expected: u64,
        /// The checksum of the bytes.
        got: u64,
    },
    /// A part is not well-formed.
    #[error("{section} at byte {offset}: {what}")]
    Malformed {
        /// Which part.
        section: String,
        /// Where in the file.
        offset: u64,
        /// What is wrong.
        what: String,
    },
}

/// Writes sections in order.
pub(crate) struct ContainerWriter<W> {
    out: W,
    offset: u64,
    sections: Vec<Section>,
}

impl<W: Write> ContainerWriter<W> {
    pub(crate) fn new(mut out: W) -> io::Result<Self> {
        let mut header = [0; HEADER_LEN];
        header[..8].copy_from_slice(&CORPUS_MAGIC);
        header[8..10].copy_from_slice(&FORMAT_VERSION.to_le_bytes());
        out.write_all(&header)?;
        Ok(Self { out, offset: HEADER_LEN as u64, sections: Vec::new() })
    }

    pub(crate) fn section(
        &mut self,
        kind: SectionKind,
        number: u32,
        bytes: &[u8],
    ) -> io::Result<()> {
        self.out.write_all(bytes)?;
        let len = bytes.len() as u64;
        self.sections.push(Section {
            kind,
            number,
            offset: self.offset,
            len,
            checksum: xxh3_64(bytes),
        });
        self.offset += len;
        Ok(())
    }

    /// Writes index and trailer. Returns the writer and the file's length.
    pub(crate) fn finish(mut self) -> io::Result<(W, u64)> {
        let mut index = Vec::with_capacity(self.sections.len() * ENTRY_LEN);
        for section in &self.sections {
            let flags = if section.kind.is_optional() { OPTIONAL } else { 0 };
            index.extend(section.kind.code());
            index.extend(section.number.to_le_bytes());
            index.extend(section.offset.to_le_bytes());
            index.extend(section.len.to_le_bytes());
            index.extend(section.checksum.to_le_bytes());
            index.extend(flags.to_le_bytes());
            index.extend(0u32.to_le_bytes());
        }
        let mut trailer = Vec::with_capacity(TRAILER_LEN);
        trailer.extend(self.offset.to_le_bytes());
        trailer.extend((index.len() as u64).to_le_bytes());
        trailer.extend(xxh3_64(&index).to_le_bytes());
        trailer.extend(END_MAGIC);
        self.out.write_all(&index)?;
        self.out.write_all(&trailer)?;
        Ok((self.out, self.offset + (index.len() + TRAILER_LEN) as u64))
    }
}

/// The index of an open file, and its bytes.
pub(crate) struct Container {
    storage: Box<dyn Storage>,
    sections: Vec<Section>,
    index_checksum: u64,
}

impl Container {
    /// Of no file: without sections.
    pub(crate) fn empty() -> Self {
        Self { storage: Box::new(Memory([])), sections: Vec::new(), index_checksum: 0 }
    }

    /// Reads header, trailer and index.
    pub(crate) fn open(storage: Box<dyn Storage>) -> Result<Self, ContainerError> {
        let len = storage.len();
        let header = read(&*storage, "header", 0, len.min(HEADER_LEN as u64))?;
        if !header.starts_with(&CORPUS_MAGIC) {
            return Err(ContainerError::Foreign);
        }
        if len < (HEADER_LEN + TRAILER_LEN) as u64 {
            return Err(ContainerError::Truncated { what: format!("only {len} bytes") });
        }
        let version = u16::from_le_bytes([header[8], header[9]]);
        if version == 0 || version > FORMAT_VERSION {
            return Err(ContainerError::Version { got: version });
        }
        if header[10..] != [0; 6] {
            return Err(ContainerError::Malformed {
                section: "header".into(),
                offset: 10,
                what: "unknown flags; upgrade zgram".into(),
            });
        }
        let trailer_at = len - TRAILER_LEN as u64;
        let trailer = read(&*storage, "trailer", trailer_at, TRAILER_LEN as u64)?;
        if trailer[24..] != END_MAGIC {
            return Err(ContainerError::Truncated { what: "the end mark is missing".into() });
        }
        let mut numbers = ByteReader::new(&trailer);
        let mut number = || numbers.u64().expect("the trailer has three numbers");
        let (index_at, index_len, checksum) = (number(), number(), number());
        if index_at.checked_add(index_len) != Some(trailer_at)
            || index_at < HEADER_LEN as u64
            || index_len % ENTRY_LEN as u64 != 0
        {
            return Err(ContainerError::Truncated {
                what: "the index does not fit the file".into(),
            });
        }
        let index = read(&*storage, "index", index_at, index_len)?;
        check_sum("index", index_at, &index, checksum)?;
        let mut sections = Vec::with_capacity(index.len() / ENTRY_LEN);
        for (at, entry) in index.chunks_exact(ENTRY_LEN).enumerate() {
            let offset = index_at + (at * ENTRY_LEN) as u64;
            sections.extend(read_entry(entry, offset, index_at)?);
        }
        drop((header, trailer, index));
        Ok(Self { storage, sections, index_checksum: checksum })
    }

    pub(crate) fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// The checksum of the index. It covers the checksums of all sections.
    pub(crate) fn index_checksum(&self) -> u64 {
        self.index_checksum
    }

    /// The file's length in bytes.
    pub(crate) fn len(&self) -> u64 {
        self.storage.len()
    }

    /// The section of a kind and number, if the file has one.
    pub(crate) fn find(&self, kind: SectionKind, number: u32) -> Option<&Section> {
        self.sections.iter().find(|section| section.kind == kind && section.number == number)
    }

    /// All sections of a kind and number, in order.
    pub(crate) fn all(&self, kind: SectionKind, number: u32) -> Vec<Section> {
        let is_one = |section: &&Section| section.kind == kind && section.number == number;
        self.sections.iter().filter(is_one).copied().collect()
    }

    /// The bytes of a section, after its checksum was verified.
    pub(crate) fn read(&self, section: &Section) -> Result<Cow<'_, [u8]>, ContainerError> {
        let bytes = read(&*self.storage, &section.to_string(), section.offset, section.len)?;
        check_sum(&section.to_string(), section.offset, &bytes, section.checksum)?;
        Ok(bytes)
    }

    /// Some bytes of a section, from a place in it on. The caller verifies them: the checksum of the
    /// section covers all of it.
    pub(crate) fn read_range(
        &self,
        section: &Section,
        at: u64,
        len: usize,
    ) -> Result<Vec<u8>, ContainerError> {
        let fits = at.checked_add(len as u64).is_some_and(|end| end <= section.len);
        if !fits {
            let what = format!("{len} bytes at byte {at} do not fit the section");
            return Err(section.malformed(Malformed::at(0, what)));
        }
        let bytes = read(&*self.storage, &section.to_string(), section.offset + at, len as u64)?;
        Ok(bytes.into_owned())
    }

    /// Parses a section that must exist.
    pub(crate) fn parse<T>(
        &self,
        kind: SectionKind,
        number: u32,
        parse: impl FnOnce(&[u8]) -> Result<T, Malformed>,
    ) -> Result<T, ContainerError> {
        let Some(section) = self.find(kind, number) else {
            return Err(ContainerError::Malformed {
                section: "index".into(),
                offset: self.len() - TRAILER_LEN as u64,
                what: format!("there is no {kind:?} section {number}"),
            });
        };
        self.parse_section(section, parse)
    }

    /// Parses a section.
    fn parse_section<T>(
        &self,
        section: &Section,
        parse: impl FnOnce(&[u8]) -> Result<T, Malformed>,
    ) -> Result<T, ContainerError> {
        parse(&self.read(section)?).map_err(|error| section.malformed(error))
    }

    /// Parses a section. Its bytes are read into `room` unless they are in memory already.
    pub(crate) fn parse_in<T>(
        &self,
        section: &Section,
        room: &mut Vec<u8>,
        parse: impl FnOnce(&[u8]) -> Result<T, Malformed>,
    ) -> Result<T, ContainerError> {
        let (what, offset) = (section.to_string(), section.offset);
        let failed = |source| ContainerError::Io { what: what.clone(), offset, source };
        let len =
            usize::try_from(section.len).map_err(|_| failed(io::ErrorKind::OutOfMemory.into()))?;
        let bytes = self.storage.read_in(offset, len, room).map_err(failed)?;
        check_sum(&what, offset, bytes, section.checksum)?;
        parse(bytes).map_err(|error| section.malformed(error))
    }
}

/// A segment as it is in a file.
pub(crate) struct StoredSegment {
    pub(crate) container: Arc<Container>,
    /// Its sections, except that of later tokens.
    pub(crate) sections: Vec<Section>,
}

impl Section {
    /// An error at a place in the section.
    pub(crate) fn malformed(&self, error: Malformed) -> ContainerError {
        ContainerError::Malformed {
            section: self.to_string(),
            offset: self.offset + error.offset,
            what: error.what,
        }
    }
}

fn read_entry(entry: &[u8], at: u64, index_at: u64) -> Result<Option<Section>, ContainerError> {
    let mut numbers = ByteReader::new(entry);
    let mut fields = || -> Result<_, Malformed> {
        let code: [u8; 4] = numbers.take(4)?.try_into().expect("four bytes");
        Ok((code, numbers.u32()?, numbers.u64()?, numbers.u64()?, numbers.u64()?, numbers.u32()?))
    };
    let (code, number, offset, len, checksum, flags) = fields().expect("an entry has all fields");
    if offset < HEADER_LEN as u64 || offset.checked_add(len).is_none_or(|end| end > index_at) {
        return Err(ContainerError::Malformed {
            section: "index".into(),
            offset: at,
            what: format!("a section at {offset} of {len} bytes does not fit the file"),
        });
    }
    match SectionKind::from_code(code) {
        Some(kind) => Ok(Some(Section { kind, number, offset, len, checksum })),
        None if flags & OPTIONAL != 0 => Ok(None),
        None => Err(ContainerError::UnknownSection {
            kind: String::from_utf8_lossy(&code).into_owned(),
            offset,
        }),
    }
}

fn read<'a>(
    storage: &'a dyn Storage,
    what: &str,
    offset: u64,
    len: u64,
) -> Result<Cow<'a, [u8]>, ContainerError> {
    let failed = |source| ContainerError::Io { what: what.to_owned(), offset, source };
    let len = usize::try_from(len).map_err(|_| failed(io::ErrorKind::OutOfMemory.into()))?;
    storage.read(offset, len).map_err(failed)
}

fn check_sum(
    section: &str,
    offset: u64,
    bytes: &[u8],
    expected: u64,
) -> Result<(), ContainerError> {
    let got = xxh3_64(bytes);
    if got == expected {
        return Ok(());
    }
    Err(ContainerError::Checksum { section: section.to_owned(), offset, expected, got })
}
