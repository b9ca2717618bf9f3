//! Segments of another corpus that are copied byte by byte.
//!
//! Their tokens are numbered as in the dictionary of that corpus, so the new dictionary has all its tokens
//! in the same order, with those of new segments between them. A section LATE lists the latter.

use crate::error::{CompressError, FileError};
use crate::format::clusters::{Clusters, default_clusters};
use crate::format::container::StoredSegment;
use crate::format::{Section, SectionKind, SegmentFacts};
use crate::token::Dictionary;
use std::borrow::Cow;
use std::io;
use std::path::PathBuf;

/// A segment to be copied.
pub(crate) struct KeptSegment {
    pub(crate) facts: SegmentFacts,
    /// Names and sizes of the documents that begin in it.
    pub(crate) documents: Vec<(Vec<u8>, u64)>,
    /// Ids, in the dictionary that the collector began with, of the tokens that came after it.
    pub(crate) later: Vec<u32>,
    pub(crate) stored: StoredSegment,
    /// The path of the file it is in.
    pub(crate) path: PathBuf,
}

impl KeptSegment {
    /// The bytes of one of its sections, after its checksum was verified.
    pub(super) fn read(&self, section: &Section) -> Result<Cow<'_, [u8]>, CompressError> {
        let failed =
            |error| FileError::on("copy a segment of", &self.path)(io::Error::other(error));
        Ok(self.stored.container.read(section).map_err(failed)?)
    }

    pub(super) fn has(&self, kind: SectionKind) -> bool {
        self.stored.sections.iter().any(|section| section.kind == kind)
    }
}

/// What all kept segments share.
pub(crate) struct KeptPart<'a> {
    /// The clusters of the dictionary that the collector began with.
    pub(crate) clusters: &'a Clusters,
    /// How often each of its words occurs in the kept segments, if that is known.
    pub(crate) totals: Option<Vec<u64>>,
}

impl KeptPart<'_> {
    /// The clusters of a dictionary that has all tokens of the old one: `finals` gives their new ids.
    pub(super) fn clusters_of(&self, dictionary: &Dictionary, finals: &[u32]) -> Clusters {
        let mut clusters = default_clusters(dictionary, self.clusters.count);
        let old = self.clusters.rows.iter().zip(&self.clusters.columns);
        for ((&row, &column), &id) in old.zip(finals) {
            clusters.rows[id as usize] = row;
            clusters.columns[id as usize] = column;
        }
        clusters
    }
}

/// The ids of all tokens that came after a segment was encoded. `finals` gives the new ids of the tokens of
/// the old dictionary, which had `old` of them, and of new ones; unused new ones have none.
pub(super) fn later_tokens(later: &[u32], finals: &[u32], old: usize) -> Vec<u32> {
    let new = finals[old..].iter().copied().filter(|&id| id != u32::MAX);
    let mut ids: Vec<u32> = later.iter().map(|&id| finals[id as usize]).chain(new).collect();
    ids.sort_unstable();
    ids
}
