//! Loads segments: as a whole grammar, with the root only tallied, or open for reading document by
//! document.

use super::Corpus;
use super::streamed::{OpenSegment, StreamedRoot};
use crate::error::OpenError;
use crate::format::Section;
use crate::format::SectionKind;
use crate::format::later::{self, EarlierTokens};
use crate::format::segment::{self, BlockRoom, Decoded, RootAs, RootBlocks};
use crate::format::word_counts::WordCounts;
use crate::grammar::{Grammar, Symbol};
use crate::threads::on_threads;

/// A byte of a file holds at most this many symbols. A damaged file that claims more is refused before
/// memory is allocated for them.
const MOST_SYMBOLS_A_BYTE: u64 = 4096;

/// A segment with the counts of the symbols in its root instead of their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SegmentTally {
    /// The rules, with an empty root and no documents.
    pub rules: Grammar,
    /// How often each symbol (token or rule) occurs in the root.
    pub root_uses: Vec<u32>,
}

impl SegmentTally {
    /// Tallies a grammar.
    pub(super) fn of(grammar: &Grammar) -> Self {
        let mut root_uses = vec![0; grammar.tokens() as usize + grammar.rule_count()];
        grammar.root().iter().for_each(|&symbol| root_uses[symbol as usize] += 1);
        let root = grammar.root().len() as u32;
        let starts = grammar.rule_starts()[1..].iter().map(|start| start - root);
        let rules = Grammar::from_checked(
            grammar.tokens(),
            std::iter::once(0).chain(starts).collect(),
            grammar.symbols()[root as usize..].to_vec(),
            vec![0],
        );
        Self { rules, root_uses }
    }

    /// How often each symbol occurs in all documents together, in the root or in rules below it.
    #[must_use]
    pub fn uses(&self) -> Vec<u64> {
        let mut uses = self.root_uses.iter().map(|&uses| u64::from(uses)).collect::<Vec<_>>();
        self.rules.add_uses_below(&mut uses);
        uses
    }
}

impl Corpus {
    /// Loads the grammar of one segment. Other segments are not read.
    ///
    /// # Errors
    /// When the section cannot be read or is damaged.
    ///
    /// # Panics
    /// When there is no such segment.
    pub fn segment(&self, number: usize) -> Result<Grammar, OpenError> {
        self.segment_by(number, 1)
    }

    /// As [`segment`](Self::segment), with several threads.
    pub(crate) fn segment_by(&self, number: usize, threads: usize) -> Result<Grammar, OpenError> {
        if let Some(variant) = &self.variant {
            return variant.segment_by(number, threads);
        }
        let (mut decoded, blocks) = self.decode_segment(number, RootAs::Layout)?;
        if let Some(blocks) = blocks {
            self.lay_out_root(number, &blocks, threads, decoded.root_mut())?;
        }
        Ok(decoded.into_grammar())
    }

    /// Loads a segment for questions that do not depend on the order of the root: its rules, and how
    /// often each symbol occurs in the root. The root is never laid out in memory.
    ///
    /// # Errors
    /// As for [`segment`](Self::segment).
    ///
    /// # Panics
    /// When there is no such segment.
    pub fn segment_tally(&self, number: usize) -> Result<SegmentTally, OpenError> {
        self.segment_tally_by(number, 1)
    }

    /// As [`segment_tally`](Self::segment_tally), with several threads.
    pub(crate) fn segment_tally_by(
        &self,
        number: usize,
        threads: usize,
    ) -> Result<SegmentTally, OpenError> {
        if let Some(variant) = &self.variant {
            return variant.segment_tally_by(number, threads);
        }
        let (mut decoded, blocks) = self.decode_segment(number, RootAs::Tally)?;
        let root_uses = match blocks {
            Some(blocks) => self.tally_root(number, &blocks, threads)?,
            None => std::mem::take(&mut decoded.root_uses),
        };
        Ok(SegmentTally { rules: decoded.into_grammar(), root_uses })
    }

    /// Threads of the current pool for one segment, if all segments are loaded at once.
    pub(crate) fn pool_threads_a_segment(&self) -> usize {
        rayon::current_num_threads() / self.facts.segments.len().max(1)
    }

    /// Opens a segment whose documents are read one after the other. If its root is stored in blocks,
    /// each block is read when a document needs it.
    pub(crate) fn open_segment(&self, number: usize) -> Result<OpenSegment, OpenError> {
        if let Some(variant) = &self.variant {
            return variant.open_segment(number);
        }
        let (mut decoded, blocks) = self.decode_segment(number, RootAs::Apart)?;
        let Some(blocks) = blocks else { return Ok(decoded.into_grammar().into()) };
        let doc_starts = std::mem::replace(&mut decoded.doc_starts, vec![0]);
        let root = StreamedRoot::new(self, number, blocks, doc_starts)?;
        Ok(OpenSegment::streamed(decoded.into_grammar(), root))
    }

    /// Opens a segment by the counts of its words; it must [have them](Self::has_word_counts).
    pub(crate) fn counted_segment(&self, number: usize) -> Result<OpenSegment, OpenError> {
        let counts = match self.word_counts(number)? {
            Some(counts) => counts,
            None => WordCounts::new(&self.segment(number)?, self.dictionary()?),
        };
        Ok(OpenSegment::counted(counts, self.dictionary()?.len() as u32))
    }

    /// Decodes the blocks of a root into `root`.
    fn lay_out_root(
        &self,
        number: usize,
        blocks: &RootBlocks,
        threads: usize,
        mut root: &mut [Symbol],
    ) -> Result<(), OpenError> {
        let sections = self.root_sections(number, blocks)?;
        let parts = shares(&sections, threads).map(|(sections, first)| {
            let len = blocks.range(first + sections.len() - 1).end - blocks.range(first).start;
            let (own, rest) = std::mem::take(&mut root).split_at_mut(len);
            root = rest;
            (sections, first, own)
        });
        let laid_out = on_threads(parts.collect(), |(sections, first, mut room)| {
            let BlockRoom { bytes, rings } = &mut BlockRoom::default();
            for (section, number) in sections.iter().zip(first..) {
                let (own, rest) = room.split_at_mut(blocks.range(number).len());
                self.container
                    .parse_in(section, bytes, |bytes| blocks.lay_out(number, bytes, rings, own))
                    .map_err(|error| self.damaged(error))?;
                room = rest;
            }
            Ok::<_, OpenError>(())
        });
        laid_out.into_iter().collect()
    }

    /// Counts how often each symbol occurs in the blocks of a root.
    fn tally_root(
        &self,
        number: usize,
        blocks: &RootBlocks,
        threads: usize,
    ) -> Result<Vec<u32>, OpenError> {
        let sections = self.root_sections(number, blocks)?;
        let parts = shares(&sections, threads).collect();
        let tallies = on_threads(parts, |(sections, first)| {
            let mut tally = blocks.tally();
            let BlockRoom { bytes, rings } = &mut BlockRoom::default();
            for (section, number) in sections.iter().zip(first..) {
                self.container
                    .parse_in(section, bytes, |bytes| tally.add(number, bytes, rings))
                    .map_err(|error| self.damaged(error))?;
            }
            Ok::<_, OpenError>(tally)
        });
        let mut tallies = tallies.into_iter();
        let mut whole = tallies.next().unwrap_or_else(|| Ok(blocks.tally()))?;
        for tally in tallies {
            whole.absorb(tally?);
        }
        Ok(whole.finish())
    }

    /// Decodes a segment except the blocks of its root, if it has any.
    fn decode_segment(
        &self,
        number: usize,
        root_as: RootAs,
    ) -> Result<(Decoded, Option<RootBlocks>), OpenError> {
        let facts = &self.facts.segments[number];
        let (dictionary, clusters) = self.dictionary_and_clusters()?;
        let most = self.container.len().saturating_mul(MOST_SYMBOLS_A_BYTE);
        let earlier = self.later_tokens(number)?;
        let earlier = earlier.map(|later| EarlierTokens::new(dictionary, clusters, &later));
        let mut decoded = self
            .container
            .parse(SectionKind::Segment, number as u32, |bytes| match &earlier {
                None => segment::decode(bytes, dictionary.groups(), clusters, most, root_as),
                Some(earlier) => {
                    let EarlierTokens { groups, clusters, ids } = earlier;
                    let mut decoded = segment::decode(bytes, groups, clusters, most, root_as)?;
                    decoded.renumber(ids, dictionary.len())?;
                    Ok(decoded)
                }
            })
            .map_err(|error| self.damaged(error))?;
        let documents = decoded.doc_starts.len() as u64 - 1;
        if documents != facts.documents {
            let what = format!("{documents} documents, not {}", facts.documents);
            return Err(self.inconsistent(SectionKind::Segment, number as u32, what));
        }
        let blocks = decoded.blocks.take();
        Ok((decoded, blocks))
    }

    /// The tokens that the dictionary gained after a segment was encoded, if there are any.
    pub(crate) fn later_tokens(&self, number: usize) -> Result<Option<Vec<u32>>, OpenError> {
        if self.container.find(SectionKind::Later, number as u32).is_none() {
            return Ok(None);
        }
        let tokens = self.dictionary()?.len();
        self.optional_section(SectionKind::Later, number, |bytes| later::decode(bytes, tokens))
    }

    /// The sections of the blocks of a segment's root.
    pub(super) fn root_sections(
        &self,
        number: usize,
        blocks: &RootBlocks,
    ) -> Result<Vec<Section>, OpenError> {
        let sections = self.container.all(SectionKind::Root, number as u32);
        if sections.len() == blocks.count() {
            return Ok(sections);
        }
        let what = format!("its root has {} blocks, not {}", sections.len(), blocks.count());
        Err(self.inconsistent(SectionKind::Segment, number as u32, what))
    }
}

/// Divides the blocks of a root among threads: each share with the number of its first block.
fn shares(sections: &[Section], threads: usize) -> impl Iterator<Item = (&[Section], usize)> {
    let each = sections.len().div_ceil(threads.max(1)).max(1);
    sections.chunks(each).zip((0..).step_by(each))
}
