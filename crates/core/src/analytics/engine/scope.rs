//! The chosen documents and their segments.

use crate::analytics::words::SegmentBorders;
use crate::corpus::Corpus;

/// The chosen documents of one segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SegmentScope {
    pub(crate) segment: usize,
    /// The number in the corpus of the segment's first document.
    pub(crate) first_document: usize,
    /// Numbers within the segment, in ascending order.
    pub(crate) documents: Vec<usize>,
    /// Whether all documents of the segment are chosen.
    pub(crate) is_whole: bool,
    /// Whether the first chosen piece continues one of the segment before, and whether the last
    /// continues in the next segment.
    pub(crate) continues: bool,
    pub(crate) is_continued: bool,
}

impl SegmentScope {
    /// Whether a document of the segment is a piece of one that spans segments.
    pub(crate) fn is_piece(&self, document: usize) -> bool {
        (self.continues && self.documents.first() == Some(&document))
            || (self.is_continued && self.documents.last() == Some(&document))
    }

    /// How documents continue across the segment's borders.
    pub(crate) fn borders(&self) -> SegmentBorders {
        SegmentBorders {
            segment: self.segment,
            continues: self.continues,
            is_continued: self.is_continued,
        }
    }

    /// The part of the scope with these documents; `None` if there are none.
    pub(crate) fn only(&self, mut keeps: impl FnMut(usize) -> bool) -> Option<Self> {
        let documents: Vec<usize> =
            self.documents.iter().copied().filter(|&document| keeps(document)).collect();
        let (first, last) = documents.first().zip(documents.last())?;
        Some(Self {
            continues: self.continues && self.documents.first() == Some(first),
            is_continued: self.is_continued && self.documents.last() == Some(last),
            is_whole: self.is_whole && documents.len() == self.documents.len(),
            documents,
            ..*self
        })
    }

    /// The number of a document in the corpus.
    pub(crate) fn corpus_number(&self, document: usize) -> u32 {
        (self.first_document + document) as u32
    }
}

/// The segments that hold chosen documents; all documents if `chosen` is `None`.
pub(crate) fn scope(corpus: &Corpus, chosen: Option<&[usize]>) -> Vec<SegmentScope> {
    let segments = &corpus.facts().segments;
    let is_chosen: Option<Vec<bool>> = chosen.map(|chosen| {
        let mut marks = vec![false; corpus.facts().documents as usize];
        chosen.iter().for_each(|&document| marks[document] = true);
        marks
    });
    let mut scopes = Vec::new();
    for (number, facts) in segments.iter().enumerate() {
        let first_document = facts.first_document as usize;
        let count = facts.documents as usize;
        let documents: Vec<usize> = (0..count)
            .filter(|at| is_chosen.as_ref().is_none_or(|marks| marks[first_document + at]))
            .collect();
        let Some((&first, &last)) = documents.first().zip(documents.last()) else { continue };
        let next = segments[number + 1..].iter().find(|next| next.documents > 0);
        let is_continued = next.is_some_and(|next| {
            next.first_piece > 0 && next.first_document == facts.first_document + last as u64
        });
        scopes.push(SegmentScope {
            segment: number,
            first_document,
            is_whole: documents.len() == count,
            continues: facts.first_piece > 0 && first == 0,
            is_continued,
            documents,
        });
    }
    scopes
}
