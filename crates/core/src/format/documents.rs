//! The document table section: names and sizes, in corpus order.
//!
//! ```text
//! documents: varint
//! stream: shared     bytes of the name shared with the previous name, varints
//! stream: lengths    bytes of the name that follow, varints
//! stream: suffixes   those bytes
//! stream: sizes      bytes of text, varints
//! ```

use super::bytes::{ByteReader, Malformed, put_varint};
use super::front_coding;
use super::layer::{Layer, put_stream, take_stream};

/// Names and sizes of all documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DocumentTable {
    names: Vec<u8>,
    name_ends: Vec<usize>,
    sizes: Vec<u64>,
}

/// The most bytes of names that a section of this many bytes may contain, so that a forged section
/// cannot make a reader allocate much memory.
fn most_names(section_len: usize) -> usize {
    section_len.saturating_mul(1 << 12).saturating_add(1 << 20)
}

impl DocumentTable {
    /// Adds a document.
    pub(crate) fn push(&mut self, name: &[u8], size: u64) {
        self.names.extend_from_slice(name);
        self.name_ends.push(self.names.len());
        self.sizes.push(size);
    }

    /// Number of documents.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sizes.len()
    }

    /// Whether there are no documents.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }

    /// A document's name: relative, `/` between the parts, not necessarily UTF-8. `None` if there is no
    /// such document.
    #[must_use]
    pub fn name(&self, document: usize) -> Option<&[u8]> {
        (document < self.len()).then(|| self.known_name(document))
    }

    /// A document's length in bytes; `None` if there is no such document.
    #[must_use]
    pub fn size(&self, document: usize) -> Option<u64> {
        self.sizes.get(document).copied()
    }

    /// The name of a document that is known to exist.
    pub(crate) fn known_name(&self, document: usize) -> &[u8] {
        let start = document.checked_sub(1).map_or(0, |before| self.name_ends[before]);
        &self.names[start..self.name_ends[document]]
    }

    /// The length of a document that is known to exist.
    pub(crate) fn known_size(&self, document: usize) -> u64 {
        self.sizes[document]
    }

    /// The number of the document with this name; of the first, if several have it.
    #[must_use]
    pub fn find(&self, name: &[u8]) -> Option<usize> {
        (0..self.len()).find(|&document| self.known_name(document) == name)
    }

    /// Names and sizes, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&[u8], u64)> {
        (0..self.len()).map(|document| (self.known_name(document), self.known_size(document)))
    }

    /// Bytes of memory that it uses.
    pub(crate) fn memory(&self) -> u64 {
        (self.names.capacity() + self.name_ends.capacity() * 8 + self.sizes.capacity() * 8) as u64
    }

    pub(crate) fn to_bytes(&self, layer: Layer) -> Vec<u8> {
        let [mut shared, mut lengths, mut suffixes, mut sizes] = [const { Vec::new() }; 4];
        let mut last: &[u8] = &[];
        for (name, size) in self.iter() {
            let common = front_coding::shared(last, name);
            put_varint(&mut shared, common as u64);
            put_varint(&mut lengths, (name.len() - common) as u64);
            suffixes.extend_from_slice(&name[common..]);
            put_varint(&mut sizes, size);
            last = name;
        }
        let with = |layer| {
            let mut out = Vec::new();
            put_varint(&mut out, self.len() as u64);
            for stream in [&shared, &lengths, &suffixes, &sizes] {
                put_stream(&mut out, layer, stream);
            }
            out
        };
        // Names that would compress beyond the limit are stored: at least one byte for each 255.
        let packed = with(layer);
        if self.names.len() <= most_names(packed.len()) { packed } else { with(Layer::None) }
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut reader = ByteReader::new(bytes);
        let count = reader.varint()?;
        let shared = take_stream(&mut reader)?;
        let lengths = take_stream(&mut reader)?;
        let suffixes = take_stream(&mut reader)?;
        let sizes = take_stream(&mut reader)?;
        reader.expect_end()?;
        if count != u64::min(count, shared.len() as u64) {
            return reader.malformed(format!("{count} names in {} bytes", shared.len()));
        }
        let (mut shared, mut lengths) = (ByteReader::new(&shared), ByteReader::new(&lengths));
        let (mut suffixes, mut sizes) = (ByteReader::new(&suffixes), ByteReader::new(&sizes));
        let mut table = Self::default();
        let mut name = Vec::new();
        let mut total = 0u64;
        let mut next = || -> Result<(), Malformed> {
            let common = shared
                .varint_at_most(name.len().min(front_coding::MOST_SHARED) as u64, "shared bytes")?;
            name.truncate(common as usize);
            let len = lengths.varint_at_most(suffixes.remaining() as u64, "name length")?;
            name.extend_from_slice(suffixes.take(len as usize)?);
            if table.names.len() + name.len() > most_names(bytes.len()) {
                return lengths.malformed("names are too long for the section");
            }
            let size = sizes.varint_at_most(u64::MAX - total, "size")?;
            total += size;
            table.push(&name, size);
            Ok(())
        };
        (0..count)
            .try_for_each(|_| next())
            .and_then(|()| suffixes.expect_end())
            .map_err(|error| Malformed::at(reader.offset(), format!("document table: {error}")))?;
        Ok(table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn tables_come_back(
            documents in proptest::collection::vec((proptest::collection::vec(any::<u8>(), 0..12), any::<u32>()), 0..30),
        ) {
            let mut table = DocumentTable::default();
            for (name, size) in &documents {
                table.push(name, u64::from(*size));
            }
            let back = DocumentTable::from_bytes(&table.to_bytes(Layer::Zstd)).unwrap();
            prop_assert_eq!(&back, &table);
            for (number, (name, size)) in documents.iter().enumerate() {
                prop_assert_eq!(back.name(number), Some(&name[..]));
                prop_assert_eq!(back.size(number), Some(u64::from(*size)));
                prop_assert!(back.find(name).unwrap() <= number);
            }
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..100)) {
            let _ = DocumentTable::from_bytes(&bytes);
        }
    }
}
