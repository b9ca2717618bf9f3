//! The envelopes section: the JSON around the text of each document in its JSON Lines file.
//!
//! There is one section per segment, for the documents that begin in it, in order.
//!
//! ```text
//! documents: varint
//! stream: styles     one byte per document: how the string was escaped
//! stream: lengths    prefix, literal and suffix lengths, varints
//! stream: prefixes, stream: literals, stream: suffixes
//! ```

use super::bytes::{ByteReader, Malformed, put_varint};
use super::layer::{Layer, put_stream, take_stream};
use crate::input::{Envelope, StringStyle};

/// The envelopes of some documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Envelopes {
    styles: Vec<u8>,
    lengths: Vec<u8>,
    prefixes: Vec<u8>,
    literals: Vec<u8>,
    suffixes: Vec<u8>,
}

const STYLES: [StringStyle; 3] = [StringStyle::Minimal, StringStyle::Ascii, StringStyle::Raw];

impl Envelopes {
    pub(crate) fn push(&mut self, envelope: &Envelope<'_>) {
        let style = STYLES.iter().position(|&style| style == envelope.style);
        self.styles.push(style.expect("all styles are listed") as u8);
        for (part, all) in [
            (envelope.prefix, &mut self.prefixes),
            (envelope.literal, &mut self.literals),
            (envelope.suffix, &mut self.suffixes),
        ] {
            put_varint(&mut self.lengths, part.len() as u64);
            all.extend_from_slice(part);
        }
    }

    /// Number of documents.
    pub(crate) fn len(&self) -> usize {
        self.styles.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.styles.is_empty()
    }

    /// Bytes of memory that it uses.
    pub(crate) fn memory(&self) -> u64 {
        [&self.styles, &self.lengths, &self.prefixes, &self.literals, &self.suffixes]
            .iter()
            .map(|stream| stream.capacity() as u64)
            .sum()
    }

    pub(crate) fn to_bytes(&self, layer: Layer) -> Vec<u8> {
        let mut out = Vec::new();
        put_varint(&mut out, self.styles.len() as u64);
        for stream in [&self.styles, &self.lengths, &self.prefixes, &self.literals, &self.suffixes]
        {
            put_stream(&mut out, layer, stream);
        }
        out
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut reader = ByteReader::new(bytes);
        let count = reader.varint()?;
        let mut stream = || take_stream(&mut reader).map(std::borrow::Cow::into_owned);
        let envelopes = Self {
            styles: stream()?,
            lengths: stream()?,
            prefixes: stream()?,
            literals: stream()?,
            suffixes: stream()?,
        };
        reader.expect_end()?;
        if envelopes.styles.len() as u64 != count
            || envelopes.styles.iter().any(|&style| style as usize >= STYLES.len())
        {
            return reader.malformed("styles do not fit the documents");
        }
        envelopes.check().map_err(|error| Malformed::at(0, format!("envelopes: {error}")))?;
        Ok(envelopes)
    }

    fn check(&self) -> Result<(), Malformed> {
        let mut lengths = ByteReader::new(&self.lengths);
        let mut parts =
            [&self.prefixes, &self.literals, &self.suffixes].map(|part| ByteReader::new(part));
        for _ in &self.styles {
            for part in &mut parts {
                part.take(usize::try_from(lengths.varint()?).unwrap_or(usize::MAX))?;
            }
        }
        lengths.expect_end()?;
        parts.iter().try_for_each(ByteReader::expect_end)
    }

    /// All envelopes, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Envelope<'_>> {
        let mut lengths = ByteReader::new(&self.lengths);
        let mut parts =
            [&self.prefixes, &self.literals, &self.suffixes].map(|part| ByteReader::new(part));
        self.styles.iter().map(move |&style| {
            let [prefix, literal, suffix] = [0, 1, 2].map(|part: usize| {
                let len = lengths.varint().expect("checked when read");
                parts[part].take(len as usize).expect("checked when read")
            });
            Envelope { prefix, suffix, style: STYLES[style as usize], literal }
        })
    }
}
