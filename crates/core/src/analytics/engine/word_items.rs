//! Words as items.

use super::accelerated::Accelerated;
use super::document_counts::CountDocument;
use super::passes::passes;
use super::scope::SegmentScope;
use super::{Count, Loaded, Prepare, Ranged, Ranking, Setting};
use crate::analytics::accelerate::Job;
use crate::analytics::sequences::{KeyBits, Packing, PieceEnds, Sorter};
use crate::analytics::tally::{Counters, RankTally, Tally};
use crate::analytics::task::{Task, Traversal};
use crate::analytics::traverse::{Driver, ExpandedRules, Layers, Numbers, Pending, Scratch};
use crate::analytics::words::NO_WORD;
use crate::byte_counts::TOGETHER;
use crate::corpus::Documents;
use crate::error::QueryError;
use crate::grammar::Grammar;
use std::ops::Range;

/// Counts words by any traversal. Keys are the words' ranks in the order of their bytes.
pub(crate) struct WordItems<'s> {
    setting: &'s Setting<'s>,
    tally: Tally,
    rank_tally: RankTally,
    packing: Packing,
    /// Ranks of the words that are wanted.
    wanted: Range<u32>,
}

/// Memory of a posting while an index is made: as counted, and in its place.
const BYTES_A_POSTING: u64 = 16;

/// What is prepared for a segment.
pub(crate) enum Prepared {
    /// A traversal.
    Driver(Driver<Tally>),
    /// Streams of long documents, by the words' ranks.
    Long(Driver<RankTally>),
    /// All counts.
    Accelerated(Accelerated),
    /// None: the segment has the counts of its documents.
    Counted,
}

/// What a thread writes to.
pub(crate) struct WordScratch {
    counting: Counting,
    /// Ranks of words that occur once. They come out in ascending order, so they need no sort.
    once: Pending,
    /// Words that occur several times: inverted counts in the high bits, ranks in the low bits.
    several: Vec<u64>,
    sorter: Sorter<u64>,
}

/// What a thread counts in.
enum Counting {
    Driver(Box<Scratch<Tally>>),
    Long(Box<Scratch<RankTally>>),
    /// An accelerator has counted.
    Accelerated,
    /// Adds up tokens that the view makes one word.
    Counted(Counters),
}

impl<'s> WordItems<'s> {
    pub(crate) fn new(setting: &'s Setting<'s>) -> Self {
        let words = setting.plan.words.len();
        let (tally, rank_tally) = (Tally { tokens: words }, RankTally { words });
        Self { setting, tally, rank_tally, packing: Packing::new(1, words), wanted: 0..u32::MAX }
    }

    /// Whether a word is among those that are wanted.
    #[inline]
    pub(super) fn wants(&self, word: u32) -> bool {
        self.wanted == (0..u32::MAX)
            || self.wanted.contains(&self.setting.plan.words.order().rank_of[word as usize])
    }

    /// Counts the words of `documents` by number, in no order.
    pub(super) fn count_numbers(
        &self,
        segment: &Loaded<Prepared>,
        documents: &[usize],
        scratch: &mut WordScratch,
        sink: impl FnMut(u32, u64),
    ) -> Result<u64, QueryError> {
        self.count_numbers_in(segment.documents(), &segment.prepared, documents, scratch, sink)
    }

    fn count_numbers_in(
        &self,
        segment: Documents<'_>,
        prepared: &Prepared,
        documents: &[usize],
        scratch: &mut WordScratch,
        mut sink: impl FnMut(u32, u64),
    ) -> Result<u64, QueryError> {
        Ok(match (prepared, &mut scratch.counting) {
            (Prepared::Driver(driver), Counting::Driver(scratch)) => {
                driver.visit(segment, documents, &self.tally, scratch)?;
                scratch.value.drain(sink);
                std::mem::take(&mut scratch.visited)
            }
            (Prepared::Long(driver), Counting::Long(scratch)) => {
                let word_at = &self.setting.plan.words.order().word_at;
                driver.visit(segment, documents, &self.rank_tally, scratch)?;
                scratch.value.drain_sums(|met| {
                    met.iter().for_each(|&(rank, count)| sink(word_at[rank as usize], count));
                });
                std::mem::take(&mut scratch.visited)
            }
            (Prepared::Counted, Counting::Counted(counters)) => {
                self.add_up(segment, documents, counters, sink)
            }
            (Prepared::Accelerated(accelerated), _) => {
                accelerated.items(documents).for_each(|(word, count)| sink(word, count));
                0
            }
            _ => unreachable!("a scratch is made for its segment"),
        })
    }

    /// Counts the words of documents whose tokens are counted.
    fn add_up(
        &self,
        segment: Documents<'_>,
        documents: &[usize],
        counters: &mut Counters,
        mut sink: impl FnMut(u32, u64),
    ) -> u64 {
        let words = &self.setting.plan.words;
        let numbers = words.numbers();
        let tokens = documents.iter().flat_map(|&document| segment.word_counts(document));
        let counts = tokens.map(|(token, count)| (numbers[token as usize], count));
        let counts = counts.filter(|&(word, _)| word != NO_WORD);
        let visited = documents.iter().map(|&document| segment.len(document) as u64).sum();
        if words.are_tokens() && documents.len() == 1 {
            counts.for_each(|(word, count)| sink(word, count));
            return visited;
        }
        counts.for_each(|(word, count)| self.tally.local(counters, word, count));
        counters.drain(sink);
        visited
    }

    /// Counts the words of a long document and puts them in order. Words come by rank, so only
    /// those that occur several times are sorted, by count.
    fn rank_long(
        &self,
        segment: &Loaded<Prepared>,
        document: usize,
        scratch: &mut WordScratch,
        ranking: &mut Ranking<u64>,
    ) -> Result<u64, QueryError> {
        let WordScratch { counting, several, sorter, .. } = scratch;
        let (Prepared::Long(driver), Counting::Long(scratch)) = (&segment.prepared, counting)
        else {
            unreachable!("asked of long documents only")
        };
        driver.visit(segment.documents(), &[document], &self.rank_tally, scratch)?;
        let mut most = 1;
        scratch.value.drain_sums(|met| {
            // Branches on whether a word occurs once would be mispredicted.
            let (mut single, mut multiple) = ([0; TOGETHER + 1], [0; TOGETHER + 1]);
            let (mut singles, mut multiples) = (0, 0);
            for &(rank, count) in met {
                if count > u64::from(u32::MAX) {
                    // Larger than all others.
                    ranking.several.push((u64::from(rank), count));
                    continue;
                }
                single[singles] = u64::from(rank);
                singles += usize::from(count == 1);
                multiple[multiples] = count << 32 | u64::from(rank);
                multiples += usize::from(count != 1);
                most = most.max(count);
            }
            ranking.once.extend_from_slice(&single[..singles]);
            several.extend_from_slice(&multiple[..multiples]);
        });
        ranking.order_rising();
        // Sorting keeps the order of ranks.
        let bits = u64::BITS - most.leading_zeros();
        several.iter_mut().for_each(|packed| *packed ^= ((1 << bits) - 1) << 32);
        sorter.sort_by(several, KeyBits { low: 32, high: 32 + bits });
        ranking.several.extend(several.drain(..).map(|packed| {
            let count = (packed >> 32) ^ ((1 << bits) - 1);
            (packed & u64::from(u32::MAX), count)
        }));
        Ok(std::mem::take(&mut scratch.visited))
    }
}

impl Prepare for WordItems<'_> {
    type Prepared = Prepared;

    fn prepare(
        &self,
        segment: Documents<'_>,
        documents: &[usize],
        by_document: bool,
    ) -> Result<Prepared, QueryError> {
        if segment.are_counted() {
            return Ok(Prepared::Counted);
        }
        let grammar = segment.grammar();
        let numbers = self.setting.plan.words.numbers();
        let words = self.setting.plan.words.len();
        let first_words = 0..u32::MAX;
        let job = Job { grammar, numbers, words, n: 1, first_words, documents, by_document };
        if let Some(accelerated) = self.setting.accelerate(&job)? {
            return Ok(Prepared::Accelerated(accelerated));
        }
        let traversal = self.setting.plan.traversal;
        // In documents that are long for their grammar, most ranks occur, so that reading their
        // counts in order is fast. In short ones counts by number are better: frequent words share
        // cache lines.
        let mean = segment.total_len() / segment.count().max(1);
        let is_long = ExpandedRules::is_dense_in(grammar, mean);
        if by_document && traversal == Traversal::Stream && is_long {
            let ranks = self.setting.plan.words.ranks();
            let numbers = Numbers::of_words(&ranks);
            let driver = Driver::new(traversal, segment, numbers, &self.rank_tally);
            return Ok(Prepared::Long(driver));
        }
        let numbers = Numbers::of_words(numbers);
        Ok(Prepared::Driver(Driver::new(traversal, segment, numbers, &self.tally)))
    }

    fn reads_counts(&self) -> bool {
        true
    }

    fn visited_before(segment: Documents<'_>, prepared: &Prepared) -> u64 {
        match prepared {
            Prepared::Driver(driver) => driver.prepared(segment),
            Prepared::Long(driver) => driver.prepared(segment),
            Prepared::Accelerated(_) | Prepared::Counted => 0,
        }
    }
}

impl Count for WordItems<'_> {
    type Key = u64;
    type Scratch = WordScratch;

    fn packing(&self) -> &Packing {
        &self.packing
    }

    fn scratch(&self, prepared: &Prepared) -> WordScratch {
        let words = self.setting.plan.words.len();
        let counting = match prepared {
            Prepared::Driver(driver) => Counting::Driver(Box::new(driver.scratch(&self.tally))),
            Prepared::Long(driver) => Counting::Long(Box::new(driver.scratch(&self.rank_tally))),
            Prepared::Accelerated(_) => Counting::Accelerated,
            Prepared::Counted => Counting::Counted(self.tally.value()),
        };
        let once = match counting {
            Counting::Long(_) => Pending::default(),
            _ => Pending::new(words, Layers::Double),
        };
        WordScratch { counting, once, several: Vec::new(), sorter: Sorter::default() }
    }

    fn count(
        &self,
        segment: &Loaded<Prepared>,
        documents: &[usize],
        scratch: &mut WordScratch,
        counts: &mut Vec<(u64, u64)>,
    ) -> Result<u64, QueryError> {
        let rank_of = &self.setting.plan.words.order().rank_of;
        let from = counts.len();
        let visited = self.count_numbers(segment, documents, scratch, |word, count| {
            if self.wants(word) {
                counts.push((u64::from(rank_of[word as usize]), count));
            }
        })?;
        counts[from..].sort_unstable();
        Ok(visited)
    }

    fn rank(
        &self,
        segment: &Loaded<Prepared>,
        document: usize,
        scratch: &mut WordScratch,
        ranking: &mut Ranking<u64>,
    ) -> Result<u64, QueryError> {
        if let Prepared::Long(_) = segment.prepared {
            return self.rank_long(segment, document, scratch, ranking);
        }
        let rank_of = &self.setting.plan.words.order().rank_of;
        let mut once = std::mem::take(&mut scratch.once);
        let mut several = std::mem::take(&mut scratch.several);
        let visited = self.count_numbers(segment, &[document], scratch, |word, count| {
            let rank = rank_of[word as usize];
            match u32::try_from(count) {
                Ok(1) => once.insert(rank as usize),
                Ok(count) => several.push(u64::from(!count) << 32 | u64::from(rank)),
                // Larger than all others.
                Err(_) => ranking.push(u64::from(rank), count),
            }
        })?;
        ranking.order();
        several.sort_unstable();
        for packed in several.drain(..) {
            ranking
                .several
                .push((packed & u64::from(u32::MAX), u64::from(!((packed >> 32) as u32))));
        }
        ranking.once.extend(std::iter::from_fn(|| once.pop()).map(|rank| rank as u64));
        (scratch.once, scratch.several) = (once, several);
        Ok(visited)
    }

    fn prefers_together(_: &Prepared) -> bool {
        true
    }

    fn piece_ends(&self, _: &Grammar, _: usize) -> PieceEnds {
        PieceEnds::default()
    }
}

impl CountDocument for WordItems<'_> {
    type Key = u64;
    type Scratch = WordScratch;
    type Ends = ();
    type Border = ();

    fn scratch(&self, prepared: &Prepared) -> WordScratch {
        Count::scratch(self, prepared)
    }

    fn count_document(
        &self,
        documents: Documents<'_>,
        prepared: &Prepared,
        document: usize,
        scratch: &mut WordScratch,
        counts: &mut Vec<(u64, u64)>,
    ) -> Result<u64, QueryError> {
        let rank_of = &self.setting.plan.words.order().rank_of;
        let mut packed = std::mem::take(&mut scratch.several);
        let from = counts.len();
        let visited =
            self.count_numbers_in(documents, prepared, &[document], scratch, |word, count| {
                let rank = u64::from(rank_of[word as usize]);
                match u32::try_from(count) {
                    Ok(count) => packed.push(rank << 32 | u64::from(count)),
                    Err(_) => counts.push((rank, count)),
                }
            })?;
        // Small counts are sorted in half the memory.
        packed.sort_unstable();
        let has_large = counts.len() > from;
        counts.extend(packed.drain(..).map(|packed| (packed >> 32, packed & u64::from(u32::MAX))));
        if has_large {
            counts[from..].sort_unstable();
        }
        scratch.several = packed;
        Ok(visited)
    }

    fn ends(&self, _: &Grammar, _: usize) {}

    fn cross(&self, (): &mut (), (): &(), _: &mut dyn FnMut(u64)) {}
}

impl Ranged for WordItems<'_> {
    /// For an index: a word has at most one posting in each document.
    fn passes(&self, segments: &[SegmentScope]) -> Result<Vec<Range<u32>>, QueryError> {
        let documents: u64 = segments.iter().map(|scope| scope.documents.len() as u64).sum();
        passes(self.setting, segments, BYTES_A_POSTING, |total| total.min(documents))
    }

    fn bytes_an_item(&self) -> u64 {
        2 * BYTES_A_POSTING
    }

    fn within(&mut self, words: Range<u32>) {
        self.wanted = words;
    }

    fn is_wanted(&self, key: &u64) -> bool {
        self.wanted.contains(&(*key as u32))
    }
}
