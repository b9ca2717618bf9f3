//! Corpus files taken apart and put together again with valid checksums, so that mutations reach
//! what lies behind them. Knows the container alone, not the sections.

use xxhash_rust::xxh3::xxh3_64;

const HEADER_LEN: usize = 16;
const ENTRY_LEN: usize = 40;
const TRAILER_LEN: usize = 32;

/// A file in parts.
#[derive(Clone, Debug)]
pub struct Forged {
    /// The first 16 bytes.
    pub header: Vec<u8>,
    /// In file order.
    pub sections: Vec<ForgedSection>,
}

/// A section and its entry in the index.
#[derive(Clone, Debug)]
pub struct ForgedSection {
    /// Four letters.
    pub code: [u8; 4],
    /// Number among the sections of its kind.
    pub number: u32,
    /// Bit 0: readers may skip it.
    pub flags: u32,
    /// What it holds.
    pub bytes: Vec<u8>,
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

impl Forged {
    /// Takes a file apart without checking checksums; `None` if its index is invalid.
    #[must_use]
    pub fn parse(file: &[u8]) -> Option<Self> {
        let trailer_at = file.len().checked_sub(TRAILER_LEN)?;
        let header = file.get(..HEADER_LEN)?.to_vec();
        let index_at = usize::try_from(u64_at(file, trailer_at)).ok()?;
        let index = file.get(index_at..trailer_at)?;
        let section = |entry: &[u8]| {
            let start = usize::try_from(u64_at(entry, 8)).ok()?;
            let len = usize::try_from(u64_at(entry, 16)).ok()?;
            Some(ForgedSection {
                code: entry[..4].try_into().expect("four bytes"),
                number: u32_at(entry, 4),
                flags: u32_at(entry, 32),
                bytes: file.get(start..start.checked_add(len)?)?.to_vec(),
            })
        };
        let sections = index.chunks_exact(ENTRY_LEN).map(section).collect::<Option<_>>()?;
        Some(Self { header, sections })
    }

    /// The file, with valid checksums.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut file = self.header.clone();
        let mut index = Vec::new();
        for section in &self.sections {
            index.extend(section.code);
            index.extend(section.number.to_le_bytes());
            index.extend((file.len() as u64).to_le_bytes());
            index.extend((section.bytes.len() as u64).to_le_bytes());
            index.extend(xxh3_64(&section.bytes).to_le_bytes());
            index.extend(section.flags.to_le_bytes());
            index.extend([0; 4]);
            file.extend(&section.bytes);
        }
        Self::close(&mut file, &index);
        file
    }

    /// Appends an index and its trailer.
    pub fn close(file: &mut Vec<u8>, index: &[u8]) {
        let index_at = file.len() as u64;
        file.extend(index);
        file.extend(index_at.to_le_bytes());
        file.extend((index.len() as u64).to_le_bytes());
        file.extend(xxh3_64(index).to_le_bytes());
        file.extend(b"ZGRAMEND");
    }

    /// The position of the first section of a kind.
    ///
    /// # Panics
    /// When there is none.
    #[must_use]
    pub fn position(&self, code: &[u8; 4]) -> usize {
        self.sections.iter().position(|section| section.code == *code).expect("the section")
    }

    /// The file with another content of one section.
    #[must_use]
    pub fn with_section(&self, at: usize, bytes: Vec<u8>) -> Vec<u8> {
        let mut forged = self.clone();
        forged.sections[at].bytes = bytes;
        forged.to_bytes()
    }
}
