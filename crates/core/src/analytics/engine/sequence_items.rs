//! Sequences of words as items.

use super::accelerated::Accelerated;
use super::document_counts::CountDocument;
use super::passes::passes;
use super::scope::SegmentScope;
use super::{Count, Loaded, Prepare, Ranged, Ranking, Setting};
use crate::analytics::accelerate::Job;
use crate::analytics::sequences::{Border, Derived, Key, Packing, PieceEnds, Sorter, derive};
use crate::analytics::tally::Tally;
use crate::analytics::task::{Task, Traversal};
use crate::analytics::traverse::{Driver, ExpandedRules, Scratch, renumber};
use crate::analytics::words::NO_WORD;
use crate::corpus::{Cursor, Documents};
use crate::error::{OpenError, QueryError};
use crate::grammar::Grammar;
use rustc_hash::FxHashSet;
use std::ops::Range;

/// Counts sequences. Keys are packed from the words' ranks in the order of their bytes.
pub(crate) struct SequenceItems<'s, K> {
    setting: &'s Setting<'s>,
    packing: Packing,
    /// The number of each token's word: its rank, from the packing's first word on.
    ranks: Vec<u32>,
    /// Only sequences whose first word has a rank in this range are counted.
    first_words: Range<u32>,
    /// Only these sequences are counted, if given.
    allowed: Option<FxHashSet<K>>,
    key: std::marker::PhantomData<fn() -> K>,
}

/// What is prepared for a segment.
pub(crate) enum Prepared<K> {
    /// The documents' words, one after the other.
    Stream(ExpandedRules),
    /// A grammar of sequences.
    Derived { grammar: Grammar, keys: Vec<K>, tally: Tally, driver: Box<Driver<Tally>> },
    /// All counts.
    Accelerated { keys: Vec<K>, accelerated: Accelerated },
}

/// What a thread writes to.
pub(crate) enum SequenceScratch<K> {
    Stream { cursor: Cursor, keys: Vec<K>, sorter: Sorter<K> },
    Derived(Box<Scratch<Tally>>),
    Accelerated,
}

impl<'s, K: Key> SequenceItems<'s, K> {
    pub(crate) fn new(setting: &'s Setting<'s>, packing: Packing) -> Self {
        Self {
            setting,
            packing,
            ranks: setting.plan.words.ranks_with_breaks(&packing),
            first_words: 0..u32::MAX,
            allowed: None,
            key: std::marker::PhantomData,
        }
    }

    /// Counts only these sequences from now on.
    pub(crate) fn allow(&mut self, sequences: Vec<K>) {
        self.allowed = Some(sequences.into_iter().collect());
    }

    /// Passes the sequences of `documents`, taken together, to `sink`, in ascending order, each
    /// with its count.
    fn each(
        &self,
        segment: Documents<'_>,
        prepared: &Prepared<K>,
        documents: &[usize],
        scratch: &mut SequenceScratch<K>,
        mut sink: impl FnMut(&K, u64),
    ) -> Result<u64, QueryError> {
        Ok(match (prepared, scratch) {
            (Prepared::Stream(rules), SequenceScratch::Stream { cursor, keys, sorter }) => {
                keys.clear();
                let mut visited = 0;
                for &document in documents {
                    self.each_stretch(segment, rules, document, cursor, |key, words| {
                        let sequences = words.iter().map(|&word| {
                            *key = key.roll(word, &self.packing);
                            key.clone()
                        });
                        if self.takes_all() {
                            keys.extend(sequences);
                        } else {
                            keys.extend(sequences.filter(|key| self.is_wanted(key)));
                        }
                    })?;
                    visited += segment.len(document) as u64;
                }
                let bits = u32::try_from(self.packing.bits()).unwrap_or(u32::MAX);
                sorter.sort_list(keys, bits);
                for same in keys.chunk_by(|a, b| a == b) {
                    sink(&same[0], same.len() as u64);
                }
                visited
            }
            (
                Prepared::Derived { grammar, keys, tally, driver },
                SequenceScratch::Derived(scratch),
            ) => {
                driver.visit(grammar.into(), documents, tally, scratch)?;
                // Sequences are numbered in the order of their keys.
                let mut found = tally.propagate(&mut scratch.value);
                found.sort_unstable();
                for (sequence, count) in found {
                    let key = &keys[sequence as usize];
                    if self.is_wanted(key) {
                        sink(key, count);
                    }
                }
                std::mem::take(&mut scratch.visited)
            }
            (Prepared::Accelerated { keys, accelerated }, SequenceScratch::Accelerated) => {
                let mut found: Vec<(u32, u64)> = accelerated.items(documents).collect();
                found.sort_unstable();
                for (sequence, count) in found {
                    let key = &keys[sequence as usize];
                    if !self.has_break(key) && self.is_wanted(key) {
                        sink(key, count);
                    }
                }
                0
            }
            _ => unreachable!("a scratch is made for its segment"),
        })
    }

    /// Passes the sequences of a streamed document to `sink`, one after the other. Returns how many
    /// symbols it visited.
    pub(super) fn each_occurrence(
        &self,
        segment: &Loaded<Prepared<K>>,
        document: usize,
        cursor: &mut Cursor,
        mut sink: impl FnMut(K),
    ) -> Result<u64, QueryError> {
        let Prepared::Stream(rules) = &segment.prepared else {
            unreachable!("asked of streams only")
        };
        let is_all = self.takes_all();
        self.each_stretch(segment.documents(), rules, document, cursor, |key, words| {
            for &word in words {
                *key = key.roll(word, &self.packing);
                if is_all || self.is_wanted(key) {
                    sink(key.clone());
                }
            }
        })?;
        Ok(segment.documents().len(document) as u64)
    }

    /// Whether a sequence that an accelerator counted contains a break, which is a word to it.
    fn has_break(&self, key: &K) -> bool {
        let Packing { n, break_word, .. } = self.packing;
        break_word != NO_WORD && (0..n).any(|place| key.word(place, &self.packing) == break_word)
    }

    /// Whether sequences count whatever their first word.
    fn takes_all(&self) -> bool {
        self.first_words == (0..u32::MAX) && self.allowed.is_none()
    }

    /// Passes stretches of a document's words to `sink`, each with the key of the words before it:
    /// every word completes a sequence.
    #[inline(always)]
    fn each_stretch(
        &self,
        documents: Documents<'_>,
        rules: &ExpandedRules,
        document: usize,
        cursor: &mut Cursor,
        mut sink: impl FnMut(&mut K, &[u32]),
    ) -> Result<(), OpenError> {
        let mut key = K::empty(&self.packing);
        let Packing { n, break_word, .. } = self.packing;
        // Words still to come before the first sequence is complete.
        let mut missing = n - 1;
        let mut put = |is_after_break: bool, stretch: &[u32]| {
            if is_after_break {
                missing = n - 1;
            }
            let (first, rest) = stretch.split_at(missing.min(stretch.len()));
            missing -= first.len();
            for &word in first {
                key = key.roll(word, &self.packing);
            }
            sink(&mut key, rest);
        };
        let grammar = documents.grammar();
        documents.read(document, cursor, |numbers| match break_word {
            NO_WORD => rules.expand(grammar, numbers, |stretch| put(false, stretch)),
            _ => rules.expand(grammar, numbers, |stretch| {
                let parts = stretch.split(|&word| word == break_word);
                parts.enumerate().for_each(|(at, part)| put(at > 0, part));
            }),
        })
    }
}

impl<K: Key> Prepare for SequenceItems<'_, K> {
    type Prepared = Prepared<K>;

    fn prepare(
        &self,
        segment: Documents<'_>,
        documents: &[usize],
        by_document: bool,
    ) -> Result<Prepared<K>, QueryError> {
        let grammar = segment.grammar();
        let Packing { n, break_word, first_word, .. } = self.packing;
        let others = first_word as usize + usize::from(break_word != NO_WORD);
        let (numbers, words) = (&self.ranks, self.setting.plan.words.len() + others);
        let first_words = self.first_words.clone();
        let job = Job { grammar, numbers, words, n, first_words, documents, by_document };
        if let Some(accelerated) = self.setting.accelerate(&job)? {
            let key = |words: &[u32]| {
                words
                    .iter()
                    .fold(K::empty(&self.packing), |key, &word| key.roll(word, &self.packing))
            };
            let keys = accelerated.counted.sequences.chunks_exact(n).map(key).collect();
            return Ok(Prepared::Accelerated { keys, accelerated });
        }
        let traversal = self.setting.plan.traversal;
        let derived = match traversal {
            Traversal::Stream => None,
            _ => derive(&renumber(grammar, &self.ranks), &self.packing),
        };
        Ok(match derived {
            None => Prepared::Stream(ExpandedRules::new(segment, &self.ranks)),
            Some(Derived { grammar, keys }) => {
                let tally = Tally { tokens: keys.len() };
                let driver = Box::new(Driver::from_grammar(traversal, &grammar, &tally));
                Prepared::Derived { grammar, keys, tally, driver }
            }
        })
    }

    fn visited_before(segment: Documents<'_>, prepared: &Prepared<K>) -> u64 {
        match prepared {
            Prepared::Stream(_) => segment.rules_len() as u64,
            Prepared::Derived { grammar, driver, .. } => driver.prepared(grammar.into()),
            Prepared::Accelerated { .. } => 0,
        }
    }
}

impl<K: Key> Count for SequenceItems<'_, K> {
    type Key = K;
    type Scratch = SequenceScratch<K>;

    fn packing(&self) -> &Packing {
        &self.packing
    }

    fn scratch(&self, prepared: &Prepared<K>) -> SequenceScratch<K> {
        match prepared {
            Prepared::Stream(_) => {
                let (cursor, sorter) = (Cursor::default(), Sorter::default());
                SequenceScratch::Stream { cursor, keys: Vec::new(), sorter }
            }
            Prepared::Derived { tally, driver, .. } => {
                SequenceScratch::Derived(Box::new(driver.scratch(tally)))
            }
            Prepared::Accelerated { .. } => SequenceScratch::Accelerated,
        }
    }

    fn count(
        &self,
        segment: &Loaded<Prepared<K>>,
        documents: &[usize],
        scratch: &mut SequenceScratch<K>,
        counts: &mut Vec<(K, u64)>,
    ) -> Result<u64, QueryError> {
        let (all, prepared) = (segment.documents(), &segment.prepared);
        self.each(all, prepared, documents, scratch, |key, count| {
            counts.push((key.clone(), count));
        })
    }

    fn rank(
        &self,
        segment: &Loaded<Prepared<K>>,
        document: usize,
        scratch: &mut SequenceScratch<K>,
        ranking: &mut Ranking<K>,
    ) -> Result<u64, QueryError> {
        let (all, prepared) = (segment.documents(), &segment.prepared);
        let visited = self.each(all, prepared, &[document], scratch, |key, count| {
            ranking.push(key.clone(), count);
        })?;
        ranking.order_rising();
        Ok(visited)
    }

    fn prefers_together(prepared: &Prepared<K>) -> bool {
        matches!(prepared, Prepared::Derived { .. } | Prepared::Accelerated { .. })
    }

    fn piece_ends(&self, grammar: &Grammar, document: usize) -> PieceEnds {
        PieceEnds::new(grammar, document, &self.ranks, self.packing.n)
    }
}

impl<K: Key> CountDocument for SequenceItems<'_, K> {
    type Key = K;
    type Scratch = SequenceScratch<K>;
    type Ends = PieceEnds;
    type Border = Border;

    fn scratch(&self, prepared: &Prepared<K>) -> SequenceScratch<K> {
        Count::scratch(self, prepared)
    }

    fn count_document(
        &self,
        documents: Documents<'_>,
        prepared: &Prepared<K>,
        document: usize,
        scratch: &mut SequenceScratch<K>,
        counts: &mut Vec<(K, u64)>,
    ) -> Result<u64, QueryError> {
        self.each(documents, prepared, &[document], scratch, |key, count| {
            counts.push((key.clone(), count));
        })
    }

    fn ends(&self, grammar: &Grammar, document: usize) -> PieceEnds {
        self.piece_ends(grammar, document)
    }

    fn cross(&self, border: &mut Border, ends: &PieceEnds, sink: &mut dyn FnMut(K)) {
        border.cross(ends, &self.packing, |key| {
            if self.is_wanted(&key) {
                sink(key);
            }
        });
    }
}

impl<K: Key> Ranged for SequenceItems<'_, K> {
    fn passes(&self, segments: &[SegmentScope]) -> Result<Vec<Range<u32>>, QueryError> {
        passes(self.setting, segments, self.bytes_an_item(), |total| total)
    }

    fn bytes_an_item(&self) -> u64 {
        let beyond = if K::fits_inline() { 0 } else { 4 * self.packing.n + 16 };
        (2 * size_of::<(K, u64)>() + beyond) as u64
    }

    fn within(&mut self, first_words: Range<u32>) {
        self.first_words = first_words;
    }

    fn is_wanted(&self, key: &K) -> bool {
        self.first_words.contains(&key.word(0, &self.packing))
            && self.allowed.as_ref().is_none_or(|allowed| allowed.contains(key))
    }
}
