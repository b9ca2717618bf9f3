//! An open corpus.
//!
//! | file | purpose |
//! |---|---|
//! | `mod.rs` | opens a file; facts, dictionary, documents, optional sections, text |
//! | `name_glob.rs` | chooses documents by patterns of their names |
//! | `phrases.rs` | phrase indexes in the file |
//! | `segments.rs` | loads segments |
//! | `streamed.rs` | reads the documents of a segment one after the other |
//! | `word_totals.rs` | word counts of the whole corpus |
//! | `shards.rs` | a corpus in several files |
//! | `variant.rs` | the trait behind which pending edits and shards are hidden |
//! | `verify.rs` | checks a whole file |

mod name_glob;
mod phrases;
mod segments;
mod shards;
mod streamed;
mod variant;
mod verify;
mod word_totals;

pub use name_glob::NameGlob;
pub use segments::SegmentTally;
pub(crate) use shards::name_of as name_of_shards;
pub(crate) use streamed::{Cursor, Documents, OpenSegment};
pub(crate) use variant::{LoadedSegments, Shift, Variant, VariantTotals};
use word_totals::WordTotals;

use crate::error::{AccessError, FileError, NoDocument, OpenError};
use crate::expand::Expander;
use crate::format::SectionKind;
use crate::format::clusters::Clusters;
use crate::format::container::{Container, StoredSegment};
use crate::format::envelopes::Envelopes;
use crate::format::later::earlier_ids;
use crate::format::origin::Identity;
use crate::format::threshold::Threshold;
use crate::format::word_counts::WordCounts;
use crate::format::{ContainerError, DocumentTable, Facts, Malformed, Section, dictionary};
use crate::storage::{DiskFile, Memory, Storage};
use crate::token::Dictionary;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// A compressed corpus. Opening it reads only the index and the facts. Dictionary, document table and
/// segments are loaded when they are first needed.
pub struct Corpus {
    path: PathBuf,
    container: Arc<Container>,
    facts: Facts,
    dictionary: OnceLock<(Dictionary, Clusters)>,
    documents: OnceLock<DocumentTable>,
    word_totals: OnceLock<WordTotals>,
    /// Answers in place of the file.
    variant: Option<Box<dyn Variant>>,
    notices: Vec<String>,
}

/// A piece of a document: all of it, or the part in one segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// The segment.
    pub segment: usize,
    /// The document's number within the segment's grammar.
    pub document: usize,
}

impl Corpus {
    /// Opens the corpus in a file and ignores the journal beside it: the corpus as it was when it was
    /// compressed or last compacted. [`open`](Self::open) includes later edits.
    ///
    /// # Errors
    /// When the file cannot be read, is not a corpus, is damaged, or comes from a newer version.
    pub fn open_without_edits(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        let path = path.as_ref();
        let file = DiskFile::open(path).map_err(FileError::on("open", path))?;
        Self::from_storage(path, file)
    }

    /// Opens a corpus whose bytes are in memory: a `Vec<u8>`, an `Arc<[u8]>`, a static slice or a
    /// mapped file.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let scratch = tempfile::tempdir()?;
    /// # let text = scratch.path().join("a.txt");
    /// # std::fs::write(&text, "one fine day")?;
    /// # let sources = zgram::input::Sources::new([text]);
    /// # let mut bytes = Vec::new();
    /// # let silent = &zgram::progress::Silent;
    /// # zgram::compress_to(&sources, &mut bytes, scratch.path(), &Default::default(), silent)?;
    /// let corpus = zgram::Corpus::from_bytes(bytes)?;
    /// assert_eq!(corpus.word_count().rows()?.len(), 3);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As for [`open_without_edits`](Self::open_without_edits).
    pub fn from_bytes(bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Result<Self, OpenError> {
        Self::from_storage("corpus in memory", Memory(bytes))
    }

    /// Opens a corpus from any [`Storage`]; errors call it `name`.
    ///
    /// # Errors
    /// As for [`open_without_edits`](Self::open_without_edits).
    pub fn from_storage(
        name: impl AsRef<Path>,
        storage: impl Storage + 'static,
    ) -> Result<Self, OpenError> {
        let path = name.as_ref().to_owned();
        let opened = Container::open(Box::new(storage)).and_then(|container| {
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
                    notices: Vec::new(),
                })
            }
            Err(source) => Err(OpenError::Container { path, source }),
        }
    }

    /// A corpus that differs from its file. Its facts are those of the variant; sizes other than those
    /// in bytes may be too large.
    pub(crate) fn with_variant(file: &Self, facts: Facts, variant: Box<dyn Variant>) -> Self {
        let container = Arc::clone(&file.container);
        Self { container, ..Self::of_variant(file.path.clone(), facts, variant) }
    }

    /// A corpus that has no file of its own.
    fn of_variant(path: PathBuf, facts: Facts, variant: Box<dyn Variant>) -> Self {
        Self {
            path,
            container: Arc::new(Container::empty()),
            facts,
            dictionary: OnceLock::new(),
            documents: OnceLock::new(),
            word_totals: OnceLock::new(),
            variant: Some(variant),
            notices: Vec::new(),
        }
    }

    pub(crate) fn with_notices(self, notices: Vec<String>) -> Self {
        Self { notices, ..self }
    }

    /// What the user should know about how it was opened: for example, that the journal ends with an
    /// incomplete edit, which was dropped.
    #[must_use]
    pub fn notices(&self) -> &[String] {
        &self.notices
    }

    /// Whether edits are still to be applied, because no question has needed them (see
    /// [`open`](Self::open)).
    #[must_use]
    pub fn has_deferred_edits(&self) -> bool {
        self.variant.as_ref().is_some_and(|variant| variant.is_deferred())
    }

    /// How often each word occurs in the whole corpus, if its variant knows that without its grammars.
    pub(crate) fn variant_totals(&self) -> Option<&VariantTotals> {
        self.variant.as_ref()?.totals()
    }

    /// Facts that are known without loading more.
    #[must_use]
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// The path or name it was opened with.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The size of the file in bytes, or of all files together.
    #[must_use]
    pub fn compressed_bytes(&self) -> u64 {
        match self.shards() {
            [] => self.container.len(),
            shards => shards.iter().map(|shard| shard.compressed_bytes()).sum(),
        }
    }

    /// The bytes of the file.
    pub(crate) fn container(&self) -> &Arc<Container> {
        &self.container
    }

    /// The file's sections, in file order. A corpus in several files has none of its own: ask its
    /// [shards](Self::shards).
    #[must_use]
    pub fn sections(&self) -> &[Section] {
        self.container.sections()
    }

    /// All distinct tokens.
    ///
    /// # Errors
    /// When the section cannot be read or is damaged.
    pub fn dictionary(&self) -> Result<&Dictionary, OpenError> {
        if let Some(variant) = &self.variant {
            return variant.dictionary();
        }
        Ok(&self.dictionary_and_clusters()?.0)
    }

    fn dictionary_and_clusters(&self) -> Result<&(Dictionary, Clusters), OpenError> {
        self.once(&self.dictionary, SectionKind::Dictionary, dictionary::decode)
    }

    /// Names and sizes of all documents.
    ///
    /// # Errors
    /// When the section cannot be read or is damaged.
    pub fn documents(&self) -> Result<&DocumentTable, OpenError> {
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
        parse: impl FnOnce(&[u8]) -> Result<T, Malformed>,
    ) -> Result<&'a T, OpenError> {
        if let Some(value) = cell.get() {
            return Ok(value);
        }
        let value = self.container.parse(kind, 0, parse).map_err(|error| self.damaged(error))?;
        Ok(cell.get_or_init(|| value))
    }

    /// The pieces of a document: one in the segment in which it begins, and one in each segment in
    /// which it goes on.
    ///
    /// # Errors
    /// [`NoDocument`].
    pub fn pieces(&self, document: usize) -> Result<impl Iterator<Item = Piece>, NoDocument> {
        self.check_document(document)?;
        Ok(self.known_pieces(document))
    }

    /// Refuses a number that no document has.
    pub(crate) fn check_document(&self, document: usize) -> Result<(), NoDocument> {
        if (document as u64) < self.facts.documents {
            return Ok(());
        }
        Err(NoDocument::number(document))
    }

    /// The pieces of a document that is known to exist.
    pub(crate) fn known_pieces(&self, document: usize) -> impl Iterator<Item = Piece> {
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

    /// What surrounded the text of the documents that begin in a segment, if they were lines of JSON.
    pub(crate) fn envelopes(&self, segment: usize) -> Result<Option<Envelopes>, OpenError> {
        if let Some((shard, segment)) = self.shard_with(segment) {
            return shard.envelopes(segment);
        }
        self.optional_section(SectionKind::Envelopes, segment, Envelopes::from_bytes)
    }

    /// The bytes of a segment as they are in the file: its sections, except those that depend on the dictionary.
    pub(crate) fn stored_segment(&self, segment: usize) -> StoredSegment {
        let is_own = |section: &&Section| {
            section.kind.is_of_segment()
                && !matches!(section.kind, SectionKind::Later | SectionKind::Phrases)
                && section.number == segment as u32
        };
        StoredSegment {
            container: Arc::clone(&self.container),
            sections: self.container.sections().iter().filter(is_own).copied().collect(),
        }
    }

    /// The clusters of all tokens of the file.
    pub(crate) fn clusters(&self) -> Result<&Clusters, OpenError> {
        Ok(&self.dictionary_and_clusters()?.1)
    }

    /// What identifies the file.
    pub(crate) fn identity(&self) -> Identity {
        Identity { index_checksum: self.container.index_checksum(), len: self.container.len() }
    }

    /// The file that was compacted into this one, if any, and the last record of its journal that
    /// went into it.
    pub(crate) fn origin(&self) -> Result<Option<(Identity, u64)>, OpenError> {
        self.optional_section(SectionKind::Origin, 0, Identity::from_origin)
    }

    /// When edits are compacted, if the file sets that.
    pub(crate) fn threshold(&self) -> Result<Option<Threshold>, OpenError> {
        self.optional_section(SectionKind::Threshold, 0, Threshold::from_bytes)
    }

    /// Reads a section that a file may lack.
    pub(super) fn optional_section<T>(
        &self,
        kind: SectionKind,
        number: usize,
        parse: impl FnOnce(&[u8]) -> Result<T, Malformed>,
    ) -> Result<Option<T>, OpenError> {
        if self.container.find(kind, number as u32).is_none() {
            return Ok(None);
        }
        let parsed = self.container.parse(kind, number as u32, parse);
        parsed.map(Some).map_err(|error| self.damaged(error))
    }

    /// Whether the file stores how often each word occurs in each document of a segment, and the counts
    /// hold for this corpus. With edits, the counts of what they change are made when they are needed.
    pub(crate) fn has_word_counts(&self, segment: usize) -> bool {
        if let Some((shard, segment)) = self.shard_with(segment) {
            return shard.has_word_counts(segment);
        }
        match &self.variant {
            Some(variant) => variant.has_index(),
            None => self.container.find(SectionKind::WordCounts, segment as u32).is_some(),
        }
    }

    /// Whether the file stores the word counts of all its documents, as `compress --index` does.
    #[must_use]
    pub fn has_index(&self) -> bool {
        if let Some(variant) = &self.variant {
            return variant.has_index();
        }
        let segments = self.facts.segments.len();
        segments > 0 && (0..segments).all(|segment| self.has_word_counts(segment))
    }

    /// The size in the file of the word counts of a segment.
    pub(crate) fn word_counts_bytes(&self, segment: usize) -> u64 {
        if let Some((shard, segment)) = self.shard_with(segment) {
            return shard.word_counts_bytes(segment);
        }
        let section = self.container.find(SectionKind::WordCounts, segment as u32);
        section.map_or(0, |section| section.len)
    }

    /// How often each word occurs in each document of a segment, if the file stores that.
    pub(crate) fn word_counts(&self, segment: usize) -> Result<Option<WordCounts>, OpenError> {
        if !self.has_word_counts(segment) {
            return Ok(None);
        }
        if let Some(variant) = &self.variant {
            return variant.word_counts(segment);
        }
        let facts = &self.facts.segments[segment];
        let (documents, words) = (facts.documents as usize, facts.sizes.text_words);
        let tokens = self.dictionary()?.len();
        let ids = self.later_tokens(segment)?.map(|later| earlier_ids(tokens, &later));
        self.optional_section(SectionKind::WordCounts, segment, |bytes| {
            let tokens = ids.as_ref().map_or(tokens, Vec::len);
            let mut counts = WordCounts::from_bytes(bytes, documents, tokens, words)?;
            ids.iter().for_each(|ids| counts.renumber(ids));
            Ok(counts)
        })
    }

    /// Writes the text of one document.
    ///
    /// # Errors
    /// [`AccessError::NoDocument`]; or when a section is damaged, or `out` fails.
    pub fn write_document(&self, document: usize, out: &mut dyn Write) -> Result<(), AccessError> {
        self.write_documents(&[document], out)
    }

    /// Writes the texts of several documents, one after the other. A segment is opened once for all
    /// documents that follow each other in it, and only the blocks of its root with their text are read.
    ///
    /// # Errors
    /// [`AccessError::NoDocument`], before anything is written; or when a section is damaged, or `out` fails.
    pub fn write_documents(
        &self,
        documents: &[usize],
        out: &mut dyn Write,
    ) -> Result<(), AccessError> {
        // Nothing is written if one of them does not exist.
        documents.iter().try_for_each(|&document| self.check_document(document))?;
        let dictionary = self.dictionary()?;
        let pieces: Vec<Piece> =
            documents.iter().flat_map(|&document| self.known_pieces(document)).collect();
        for pieces in pieces.chunk_by(|a, b| a.segment == b.segment) {
            let segment = self.open_segment(pieces[0].segment)?;
            let documents = segment.documents();
            let expander = Expander::new(documents.grammar(), dictionary);
            let (mut cursor, mut symbols) = (Cursor::default(), Vec::new());
            for piece in pieces {
                documents.gather(piece.document, &mut cursor, &mut symbols)?;
                expander
                    .write(&symbols, out)
                    .map_err(FileError::on("write text of", &self.path))?;
            }
        }
        Ok(())
    }

    pub(crate) fn damaged(&self, source: ContainerError) -> OpenError {
        OpenError::Container { path: self.path.clone(), source }
    }

    /// An error about the document table, for a document that is known to exist.
    pub(crate) fn inconsistent_document(&self, document: usize, what: String) -> OpenError {
        match self.shard_of(document) {
            Some((shard, document)) => shard.inconsistent_document(document, what),
            None => self.inconsistent(SectionKind::Documents, 0, what),
        }
    }

    pub(crate) fn inconsistent(&self, kind: SectionKind, number: u32, what: String) -> OpenError {
        let is_of_segment =
            matches!(kind, SectionKind::Segment | SectionKind::Envelopes | SectionKind::WordCounts);
        if let Some((shard, segment)) = self.shard_with(number as usize).filter(|_| is_of_segment) {
            return shard.inconsistent(kind, segment as u32, what);
        }
        let section = self.container.find(kind, number);
        self.damaged(ContainerError::Malformed {
            section: section.map_or_else(|| format!("{kind:?}"), ToString::to_string),
            offset: section.map_or(0, |section| section.offset),
            what,
        })
    }
}
