//! The facts section: sizes and settings of a corpus, readable without loading a grammar.
//!
//! All fields are fixed and little-endian, so that a program without this library can read them. The
//! selector of traversals (tadoc section 4.2) decides by them, and `zgram info` prints them.

use super::bytes::{ByteReader, Malformed};
use super::layer::Layer;
use super::{GrammarKind, Level};

/// Sizes of a grammar and of the text that it expands to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// Bytes of text.
    pub text_bytes: u64,
    /// Tokens of text: words and separators.
    pub text_tokens: u64,
    /// Words of text.
    pub text_words: u64,
    /// Rules, roots included.
    pub rules: u64,
    /// Symbols on all right-hand sides, roots included.
    pub symbols: u64,
    /// Symbols of the roots.
    pub root_symbols: u64,
    /// The longest path from a root to a token.
    pub depth: u64,
}

impl Sizes {
    const FIELDS: usize = 7;

    fn to_fields(self) -> [u64; Self::FIELDS] {
        [
            self.text_bytes,
            self.text_tokens,
            self.text_words,
            self.rules,
            self.symbols,
            self.root_symbols,
            self.depth,
        ]
    }

    fn read(reader: &mut ByteReader<'_>) -> Result<Self, Malformed> {
        Ok(Self {
            text_bytes: reader.u64()?,
            text_tokens: reader.u64()?,
            text_words: reader.u64()?,
            rules: reader.u64()?,
            symbols: reader.u64()?,
            root_symbols: reader.u64()?,
            depth: reader.u64()?,
        })
    }

    /// Adds another grammar's sizes; depth becomes the larger of the two.
    pub(crate) fn add(&mut self, other: &Self) {
        self.text_bytes = self.text_bytes.saturating_add(other.text_bytes);
        self.text_tokens = self.text_tokens.saturating_add(other.text_tokens);
        self.text_words = self.text_words.saturating_add(other.text_words);
        self.rules = self.rules.saturating_add(other.rules);
        self.symbols = self.symbols.saturating_add(other.symbols);
        self.root_symbols = self.root_symbols.saturating_add(other.root_symbols);
        self.depth = self.depth.max(other.depth);
    }
}

/// A segment: one grammar with its documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SegmentFacts {
    /// The number, in the corpus, of the document that the segment's first piece belongs to.
    pub first_document: u64,
    /// The number of that piece in its document: 0 unless the document began in an earlier segment.
    pub first_piece: u64,
    /// Documents, or pieces of documents, in this segment.
    pub documents: u64,
    /// Sizes of its grammar.
    pub sizes: Sizes,
}

/// Facts of a corpus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The version of the tokeniser.
    pub tokeniser: u16,
    /// The compression level.
    pub level: Level,
    /// The algorithm that built the grammar.
    pub grammar: GrammarKind,
    /// The second layer.
    pub layer: Layer,
    /// Number of documents.
    pub documents: u64,
    /// Number of distinct tokens.
    pub vocabulary: u64,
    /// Number of distinct tokens that are words.
    pub vocabulary_words: u64,
    /// Whether documents are lines of JSON Lines files, stored with the JSON around their text.
    pub has_envelopes: bool,
    /// All segments together.
    pub sizes: Sizes,
    /// Each segment.
    pub segments: Vec<SegmentFacts>,
}

impl Facts {
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        out.extend(self.tokeniser.to_le_bytes());
        out.extend([self.level as u8, self.grammar as u8, self.layer as u8]);
        out.extend([u8::from(self.has_envelopes), 0, 0]);
        let mut put = |field: u64| out.extend(field.to_le_bytes());
        put(self.documents);
        put(self.vocabulary);
        put(self.vocabulary_words);
        self.sizes.to_fields().into_iter().for_each(&mut put);
        put(self.segments.len() as u64);
        for segment in &self.segments {
            [segment.first_document, segment.first_piece, segment.documents]
                .into_iter()
                .for_each(&mut put);
            segment.sizes.to_fields().into_iter().for_each(&mut put);
        }
        out
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut reader = ByteReader::new(bytes);
        let tokeniser = reader.u16()?;
        let (level, grammar, layer) = (reader.u8()?, reader.u8()?, reader.u8()?);
        let Some(level) = Level::from_code(level) else {
            return reader.malformed(format!("unknown level {level}"));
        };
        let Some(grammar) = GrammarKind::from_code(grammar) else {
            return reader.malformed(format!("unknown grammar builder {grammar}"));
        };
        let Some(layer) = Layer::from_code(layer) else {
            return reader.malformed(format!("unknown layer {layer}"));
        };
        let has_envelopes = reader.u8()? != 0;
        reader.take(2)?;
        let (documents, vocabulary, vocabulary_words) =
            (reader.u64()?, reader.u64()?, reader.u64()?);
        let sizes = Sizes::read(&mut reader)?;
        let count = reader.u64()?;
        if count > reader.remaining() as u64 / 80 {
            return reader.malformed(format!("{count} segments do not fit"));
        }
        let mut segments = Vec::with_capacity(count as usize);
        let (mut next_document, mut next_piece) = (0, 0);
        for _ in 0..count {
            let segment = SegmentFacts {
                first_document: reader.u64()?,
                first_piece: reader.u64()?,
                documents: reader.u64()?,
                sizes: Sizes::read(&mut reader)?,
            };
            // Either a new document begins here, or the last one continues.
            let follows = segment.first_piece == 0 && segment.first_document == next_document;
            let goes_on = segment.first_piece == next_piece + 1
                && Some(segment.first_document) == next_document.checked_sub(1);
            let end = segment.first_document.checked_add(segment.documents);
            let Some(end) = end.filter(|_| follows || goes_on) else {
                return reader.malformed("segments do not follow each other");
            };
            if segment.documents > 0 {
                next_piece =
                    if goes_on && segment.documents == 1 { segment.first_piece } else { 0 };
                next_document = end;
            }
            segments.push(segment);
        }
        reader.expect_end()?;
        if next_document != documents {
            return reader
                .malformed(format!("segments hold {next_document} documents of {documents}"));
        }
        Ok(Self {
            tokeniser,
            level,
            grammar,
            layer,
            documents,
            vocabulary,
            vocabulary_words,
            has_envelopes,
            sizes,
            segments,
        })
    }
}
