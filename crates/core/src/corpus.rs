//! An open corpus file.

mod segments;
mod streamed;
mod variant;
mod word_totals;

pub use segments::SegmentTally;
pub(crate) use streamed::{Cursor, Documents, OpenSegment};
pub(crate) use variant::{LoadedSegments, Shift, Variant, VariantTotals};
use word_totals::WordTotals;

use crate::error::Error;
use crate::expand::Expander;
use crate::format::SectionKind;
use crate::format::container::Container;
use crate::format::envelopes::Envelopes;
use crate::format::origin::Identity;
use crate::format::segment::Clusters;
use crate::format::threshold::Threshold;
use crate::format::word_counts::WordCounts;
use crate::format::{ContainerError, DocumentTable, Facts, Section, dictionary};
use crate::grammar::Grammar;
use crate::progress::{Progress, Stage};
use crate::storage::{DiskFile, Storage};
use crate::token::Dictionary;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// A corpus, compressed. Opening reads only the index and the facts; dictionary, document table and
/// segments are read when first needed.
pub struct Corpus {
    path: PathBuf,
    container: Arc<Container>,
    facts: Facts,
    dictionary: OnceLock<(Dictionary, Clusters)>,
    documents: OnceLock<DocumentTable>,
    word_totals: OnceLock<WordTotals>,
    /// Answers in place of the file.
    variant: Option<Box<dyn Variant>>,
}

/// Where a piece of a document lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The segment.
    pub segment: usize,
    /// The document's number within the segment's grammar.
    pub document: usize,
}

impl Corpus {
    /// Opens a file.
    ///
    /// # Errors
    /// When it cannot be read, is no corpus, is damaged, or comes from a newer version.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let file = DiskFile::open(path).map_err(Error::io("open", path))?;
        Self::from_storage(path, Box::new(file))
    }

    /// Opens a corpus wherever its bytes lie; `name` stands in errors.
    ///
    /// # Errors
    /// As for [`open`](Self::open).
    pub fn from_storage(name: impl AsRef<Path>, storage: Box<dyn Storage>) -> Result<Self, Error> {
        let path = name.as_ref().to_owned();
        let opened = Container::open(storage).and_then(|container| {
            let facts = container.parse(SectionKind::Facts, 0, Facts::from_bytes)?;
            Ok((container, facts))
        });
        match opened {
            Ok((container, facts)) => {
                facts.layer.check()?;
                Ok(Self {
                    path,
                    container: Arc::new(container),
                    facts,
                    dictionary: OnceLock::new(),
                    documents: OnceLock::new(),
                    word_totals: OnceLock::new(),
                    variant: None,
                })
            }
            Err(source) => Err(Error::Container { path, source }),
        }
    }

    /// A corpus that differs from its file. Its facts are those of the variant; sizes other than those
    /// in bytes may be too large.
    pub(crate) fn with_variant(facts: Facts, variant: Box<dyn Variant>) -> Self {
        let file = variant.file();
        Self {
            path: file.path.clone(),
            container: Arc::clone(&file.container),
            facts,
            dictionary: OnceLock::new(),
            documents: OnceLock::new(),
            word_totals: OnceLock::new(),
            variant: Some(variant),
        }
    }

    /// Whether there are edits that have not been made, since nothing that was asked has needed them
    /// (see [`Store::current`](crate::store::Store::current)).
    #[must_use]
    pub fn has_deferred_edits(&self) -> bool {
        self.variant.as_ref().is_some_and(|variant| variant.is_deferred())
    }

    /// How often each word occurs in the whole corpus, if its variant knows that without its grammars.
    pub(crate) fn variant_totals(&self) -> Option<&VariantTotals> {
        self.variant.as_ref()?.totals()
    }

    /// What there is to know without reading on.
    #[must_use]
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The path or name it was opened by.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The compressed size in bytes.
    #[must_use]
    pub fn compressed_bytes(&self) -> u64 {
        self.container.len()
    }

    /// The file's sections, in file order.
    #[must_use]
    pub fn sections(&self) -> &[Section] {
        self.container.sections()
    }

    /// All tokens.
    ///
    /// # Errors
    /// When the section cannot be read or is damaged.
    pub fn dictionary(&self) -> Result<&Dictionary, Error> {
        if let Some(variant) = &self.variant {
            return variant.dictionary();
        }
        Ok(&self.dictionary_and_clusters()?.0)
    }

    fn dictionary_and_clusters(&self) -> Result<&(Dictionary, Clusters), Error> {
        self.once(&self.dictionary, SectionKind::Dictionary, dictionary::decode)
    }

    /// Names and sizes of all documents.
    ///
    /// # Errors
    /// When the section cannot be read or is damaged.
    pub fn documents(&self) -> Result<&DocumentTable, Error> {
        if let Some(variant) = &self.variant {
            return variant.documents();
        }
        let table =
            self.once(&self.documents, SectionKind::Documents, DocumentTable::from_bytes)?;
        if table.len() as u64 != self.facts.documents {
            let what = format!("{} documents, not {}", table.len(), self.facts.documents);
            return Err(self.inconsistent(SectionKind::Documents, 0, what));
        }
        Ok(table)
    }

    fn once<'a, T>(
        &self,
        cell: &'a OnceLock<T>,
        kind: SectionKind,
        parse: impl FnOnce(&[u8]) -> Result<T, crate::format::Malformed>,
    ) -> Result<&'a T, Error> {
        if let Some(value) = cell.get() {
            return Ok(value);
        }
        let value = self.container.parse(kind, 0, parse).map_err(|error| self.damaged(error))?;
        Ok(cell.get_or_init(|| value))
    }

    /// The segment in which a document begins, and its pieces there and in the segments after.
    pub fn pieces(&self, document: usize) -> impl Iterator<Item = Piece> {
        let document = document as u64;
        let segments = &self.facts.segments;
        let first = segments
            .partition_point(|segment| segment.first_document + segment.documents <= document);
        segments[first..]
            .iter()
            .zip(first..)
            .take_while(move |(segment, _)| segment.first_document <= document)
            .filter(|(segment, _)| segment.documents > 0)
            .map(move |(segment, number)| Piece {
                segment: number,
                document: (document - segment.first_document) as usize,
            })
    }

    /// What stood around the documents that begin in a segment, where they were lines of JSON.
    pub(crate) fn envelopes(&self, segment: usize) -> Result<Option<Envelopes>, Error> {
        if self.container.find(SectionKind::Envelopes, segment as u32).is_none() {
            return Ok(None);
        }
        self.container
            .parse(SectionKind::Envelopes, segment as u32, Envelopes::from_bytes)
            .map(Some)
            .map_err(|error| self.damaged(error))
    }

    /// What tells this file from others.
    pub(crate) fn identity(&self) -> Identity {
        Identity { index_checksum: self.container.index_checksum(), len: self.container.len() }
    }

    /// The corpus that was compacted into this one, if one was, and the last record of its journal
    /// that went into it.
    pub(crate) fn origin(&self) -> Result<Option<(Identity, u64)>, Error> {
        if self.container.find(SectionKind::Origin, 0).is_none() {
            return Ok(None);
        }
        self.container
            .parse(SectionKind::Origin, 0, Identity::from_origin)
            .map(Some)
            .map_err(|error| self.damaged(error))
    }

    /// From when on edits are compacted, if the file says so.
    pub(crate) fn threshold(&self) -> Result<Option<Threshold>, Error> {
        if self.container.find(SectionKind::Threshold, 0).is_none() {
            return Ok(None);
        }
        self.container
            .parse(SectionKind::Threshold, 0, Threshold::from_bytes)
            .map(Some)
            .map_err(|error| self.damaged(error))
    }

    /// Whether the file has how often each word stands in each document of a segment.
    pub(crate) fn has_word_counts(&self, segment: usize) -> bool {
        self.variant.is_none()
            && self.container.find(SectionKind::WordCounts, segment as u32).is_some()
    }

    /// How often each word stands in each document of a segment, if the file has that.
    pub(crate) fn word_counts(&self, segment: usize) -> Result<Option<WordCounts>, Error> {
        if !self.has_word_counts(segment) {
            return Ok(None);
        }
        let facts = &self.facts.segments[segment];
        let (documents, words) = (facts.documents as usize, facts.sizes.text_words);
        let tokens = self.dictionary()?.len();
        self.container
            .parse(SectionKind::WordCounts, segment as u32, |bytes| {
                WordCounts::from_bytes(bytes, documents, tokens, words)
            })
            .map(Some)
            .map_err(|error| self.damaged(error))
    }

    /// Writes the text of one document.
    ///
    /// # Errors
    /// When a section is damaged, or `out` fails.
    pub fn write_document(&self, document: usize, out: &mut dyn Write) -> Result<(), Error> {
        self.write_documents(&[document], out)
    }

    /// Writes the texts of several documents, one after the other. A segment is opened once for
    /// all documents that follow each other in it, and of its root only their blocks are read.
    ///
    /// # Errors
    /// When a section is damaged, or `out` fails.
    pub fn write_documents(&self, documents: &[usize], out: &mut dyn Write) -> Result<(), Error> {
        let dictionary = self.dictionary()?;
        let pieces: Vec<Piece> =
            documents.iter().flat_map(|&document| self.pieces(document)).collect();
        for pieces in pieces.chunk_by(|a, b| a.segment == b.segment) {
            let segment = self.open_segment(pieces[0].segment)?;
            let documents = segment.documents();
            let expander = Expander::new(documents.grammar(), dictionary);
            let (mut cursor, mut symbols) = (Cursor::default(), Vec::new());
            for piece in pieces {
                documents.gather(piece.document, &mut cursor, &mut symbols)?;
                expander.write(&symbols, out).map_err(Error::io("write text of", &self.path))?;
            }
        }
        Ok(())
    }

    /// Checks everything in the file: every checksum, every section's form, every document's size.
    ///
    /// # Errors
    /// The first damage found.
    pub fn verify(&self, progress: &dyn Progress) -> Result<(), Error> {
        if let Some(variant) = &self.variant {
            return variant.file().verify(progress);
        }
        progress.expect(Stage::Verifying, self.container.len());
        for section in self.container.sections() {
            progress.check()?;
            self.container.read(section).map_err(|error| self.damaged(error))?;
            progress.advance(Stage::Verifying, section.len);
        }
        self.threshold()?;
        let documents = self.documents()?;
        let mut sizes = vec![0u64; documents.len()];
        let mut totals = vec![0u64; self.dictionary()?.len()];
        for (number, facts) in self.facts.segments.iter().enumerate() {
            progress.check()?;
            let grammar = self.segment(number)?;
            grammar.validate().map_err(|error| {
                self.inconsistent(SectionKind::Segment, number as u32, error.to_string())
            })?;
            self.check_envelopes(number)?;
            self.check_word_counts(number, &grammar)?;
            totals.iter_mut().zip(grammar.uses()).for_each(|(total, uses)| {
                *total = total.saturating_add(uses);
            });
            let expander = Expander::new(&grammar, self.dictionary()?);
            for document in 0..grammar.doc_count() {
                let size = &mut sizes[facts.first_document as usize + document];
                *size = size.saturating_add(expander.len(grammar.document(document)));
            }
        }
        self.check_word_totals(&totals)?;
        match (0..sizes.len()).find(|&document| sizes[document] != documents.size(document)) {
            None => Ok(()),
            Some(document) => {
                let name = String::from_utf8_lossy(documents.name(document)).into_owned();
                let what = format!(
                    "{name} expands to {} bytes, its size is {}",
                    sizes[document],
                    documents.size(document)
                );
                Err(self.inconsistent(SectionKind::Documents, 0, what))
            }
        }
    }

    /// Every document that begins in a segment has an envelope, or none has.
    fn check_envelopes(&self, number: usize) -> Result<(), Error> {
        let facts = &self.facts.segments[number];
        let begin = facts.documents - u64::from(facts.documents > 0 && facts.first_piece > 0);
        let found = self.envelopes(number)?.map_or(0, |envelopes| envelopes.len() as u64);
        if found == begin || (found == 0 && !self.facts.has_envelopes) {
            return Ok(());
        }
        let what = format!("{found} envelopes for {begin} documents");
        Err(self.inconsistent(SectionKind::Envelopes, number as u32, what))
    }

    /// The counts that a file has are those of its text.
    fn check_word_counts(&self, number: usize, grammar: &Grammar) -> Result<(), Error> {
        match self.word_counts(number)? {
            Some(counts) if counts != WordCounts::new(grammar, self.dictionary()?) => {
                let what = "the counts are not those of the text".to_owned();
                Err(self.inconsistent(SectionKind::WordCounts, number as u32, what))
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn damaged(&self, source: ContainerError) -> Error {
        Error::Container { path: self.path.clone(), source }
    }

    pub(crate) fn inconsistent(&self, kind: SectionKind, number: u32, what: String) -> Error {
        let section = self.container.find(kind, number);
        self.damaged(ContainerError::Malformed {
            section: section.map_or_else(|| format!("{kind:?}"), ToString::to_string),
            offset: section.map_or(0, |section| section.offset),
            what,
        })
    }
}
