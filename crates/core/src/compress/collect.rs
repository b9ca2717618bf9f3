//! Reads documents into segments and has a grammar built for each.

use super::blocks::{BLOCK, TextBlock, TextBlocks};
use super::budget::Budget;
use super::build::{BuildJob, FullSegment, TokenUses};
use super::kept::KeptSegment;
use super::partition::Partition;
use super::spill::{BuiltSegment, Spill};
use crate::error::{CompressError, FileError};
use crate::format::envelopes::Envelopes;
use crate::format::{DocumentTable, SectionKind, SegmentFacts};
use crate::grammar::{Grammar, GrammarBuilder};
use crate::input::{DocumentHead, Envelope, Visitor};
use crate::names;
use crate::progress::{Progress, Stage};
use crate::token::{Dictionary, Interner};
use std::io::Read;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::thread::{Builder, Scope, ScopedJoinHandle};

/// Bytes read at a time.
const READ_BLOCK: usize = 1 << 18;

/// Tokens left as room for one block of text when a segment is nearly full.
const TOKENS_PER_BLOCK: usize = READ_BLOCK;

/// Everything that was read, with the grammars in the spill.
pub(super) struct Collected {
    pub(super) interner: Interner,
    /// How often each token occurs in the grammars.
    pub(super) uses: Vec<u32>,
    pub(super) documents: DocumentTable,
    pub(super) has_envelopes: bool,
    pub(super) segments: Vec<CollectedSegment>,
    /// The section ORIG: which corpus this one was made from.
    pub(super) origin: Option<Vec<u8>>,
}

/// A segment of the new corpus.
pub(super) enum CollectedSegment {
    Built(BuiltSegment),
    Kept(KeptSegment),
}

impl CollectedSegment {
    pub(super) fn facts(&self) -> &SegmentFacts {
        match self {
            Self::Built(segment) => &segment.facts,
            Self::Kept(segment) => &segment.facts,
        }
    }
}

/// A segment of another corpus, to be encoded again with its grammar unchanged.
pub(crate) struct ReusedSegment {
    /// Its grammar. Its tokens are ids of the dictionary that the collector began with.
    pub(crate) grammar: Grammar,
    /// Its envelopes, if it has any.
    pub(crate) envelopes: Option<Envelopes>,
    /// Its facts.
    pub(crate) facts: SegmentFacts,
    /// Names and sizes of the documents that begin in it.
    pub(crate) documents: Vec<(Vec<u8>, u64)>,
}

/// A segment whose grammar is built already, or is being built by a thread.
enum Segment<'scope> {
    Kept(KeptSegment),
    Built(BuiltSegment),
    Building(ScopedJoinHandle<'scope, Result<BuiltSegment, CompressError>>),
}

impl Segment<'_> {
    /// Waits until the grammar is built.
    fn finish(self) -> Result<CollectedSegment, CompressError> {
        match self {
            Self::Kept(segment) => Ok(CollectedSegment::Kept(segment)),
            Self::Built(segment) => Ok(CollectedSegment::Built(segment)),
            Self::Building(thread) => {
                let built = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                Ok(CollectedSegment::Built(built?))
            }
        }
    }
}

/// Receives documents, splits them into tokens and segments, and starts a builder for each full segment.
pub(crate) struct Collector<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    pool: &'env rayon::ThreadPool,
    builder: &'env dyn GrammarBuilder,
    spill: &'env Spill,
    budget: &'env Budget,
    partition: Partition,
    progress: &'env dyn Progress,
    interner: Interner,
    documents: DocumentTable,
    has_envelopes: bool,
    /// Names that no file can have, up to some number.
    unusable_names: usize,
    /// The segment being read.
    segment: FullSegment,
    /// Its text that is not tokens yet.
    blocks: TextBlocks<'env>,
    failed: Arc<AtomicBool>,
    uses: Arc<TokenUses>,
    finished: Vec<Segment<'scope>>,
}

impl<'scope, 'env> Collector<'scope, 'env> {
    pub(super) fn new(
        scope: &'scope Scope<'scope, 'env>,
        pool: &'env rayon::ThreadPool,
        builder: &'env dyn GrammarBuilder,
        spill: &'env Spill,
        (budget, partition): (&'env Budget, Partition),
        progress: &'env dyn Progress,
    ) -> Self {
        Self {
            scope,
            pool,
            builder,
            spill,
            budget,
            partition,
            progress,
            interner: Interner::default(),
            documents: DocumentTable::default(),
            has_envelopes: false,
            unusable_names: 0,
            segment: FullSegment::default(),
            blocks: TextBlocks::new(pool, budget.waiting_blocks(BLOCK)),
            failed: Arc::default(),
            uses: Arc::default(),
            finished: Vec::new(),
        }
    }

    /// Has the last segment built and waits for all of them.
    pub(super) fn finish(mut self) -> Result<Collected, CompressError> {
        if self.segment.facts.documents > 0 || self.finished.is_empty() {
            self.end_segment(0)?;
        }
        let segments = self.finished.into_iter().map(Segment::finish).collect::<Result<_, _>>()?;
        Ok(Collected {
            uses: self.uses.to_counts(self.interner.len()),
            interner: self.interner,
            documents: self.documents,
            has_envelopes: self.has_envelopes,
            segments,
            origin: None,
        })
    }

    /// Gives the tokens of a dictionary the ids they have in it. Nothing may have been read yet.
    pub(super) fn begin_with(&mut self, dictionary: &Dictionary) {
        for id in 0..dictionary.len() as u32 {
            self.interner.intern(dictionary.class(id), dictionary.bytes(id));
        }
    }

    /// Adds a segment of the corpus whose dictionary the collector began with.
    pub(crate) fn reuse(&mut self, reused: ReusedSegment) -> Result<(), CompressError> {
        let ReusedSegment { grammar, envelopes, mut facts, documents } = reused;
        self.begin_finished(&mut facts, &documents)?;
        self.has_envelopes |= envelopes.is_some();
        self.uses.add(&grammar);
        let segment = self.spill.store(facts, &envelopes.unwrap_or_default(), &grammar)?;
        self.finished.push(Segment::Built(segment));
        self.segment = self.next_segment(0);
        Ok(())
    }

    /// Adds a segment of that corpus that is copied.
    pub(crate) fn keep(&mut self, mut kept: KeptSegment) -> Result<(), CompressError> {
        self.begin_finished(&mut kept.facts, &kept.documents)?;
        self.has_envelopes |= kept.has(SectionKind::Envelopes);
        self.finished.push(Segment::Kept(kept));
        self.segment = self.next_segment(0);
        self.check_memory()
    }

    /// Ends the current segment before one that is finished, and adds the documents of that.
    fn begin_finished(
        &mut self,
        facts: &mut SegmentFacts,
        documents: &[(Vec<u8>, u64)],
    ) -> Result<(), CompressError> {
        if self.segment.facts.documents > 0 {
            self.end_segment(0)?;
        }
        // A document that continues here was counted where it began.
        let continues = facts.documents > 0 && facts.first_piece > 0;
        facts.first_document = self.documents.len() as u64 - u64::from(continues);
        documents.iter().for_each(|(name, size)| self.documents.push(name, *size));
        Ok(())
    }

    /// Whether another block of text might bring more tokens than a segment may have.
    fn is_full(&mut self) -> Result<bool, CompressError> {
        let most = self.budget.segment_tokens.max(2 * TOKENS_PER_BLOCK) - TOKENS_PER_BLOCK;
        // Wait for tokens that are being split only if the answer depends on them.
        if self.segment.ids.len() + self.blocks.most_tokens() > most {
            self.use_rest()?;
        }
        Ok(self.segment.ids.len() > most)
    }

    /// Whether the segment's envelopes with one more stay within their share of memory. The first one
    /// always does, because the length of a line is limited.
    fn has_room_for(&self, envelope: &Envelope<'_>) -> bool {
        let envelopes = &self.segment.envelopes;
        let parts = [envelope.prefix, envelope.literal, envelope.suffix];
        let more = parts.iter().map(|part| part.len() as u64).sum::<u64>();
        envelopes.is_empty() || envelopes.memory() + more <= self.budget.envelopes()
    }

    /// The byte of a document at which the segment ends, if `read` bytes of the document are read.
    fn next_split(&self, read: u64, total: Option<u64>) -> Option<u64> {
        let left = total.map(|total| total.saturating_sub(read));
        Some(read + self.partition.split_after(self.segment.facts.sizes.text_bytes, left)?)
    }

    /// How much to read at once: up to the next split, or into the next segment if the split is due.
    /// One byte more than the document should have left, so that its end shows.
    fn next_read(&self, total: Option<u64>, read: u64, split_at: Option<u64>) -> usize {
        let to_end = total.map_or(u64::MAX, |total| total.saturating_sub(read) + 1);
        let to_split = match split_at {
            Some(at) if at > read => at - read,
            Some(_) => self.partition.target(),
            None => u64::MAX,
        };
        to_end.min(to_split).min(READ_BLOCK as u64) as usize
    }

    /// Turns all text of the segment that was read into tokens.
    fn use_rest(&mut self) -> Result<(), CompressError> {
        while let Some(block) = self.blocks.rest() {
            self.use_block(block)?;
        }
        Ok(())
    }

    /// Appends the tokens of a block to the segment.
    fn use_block(&mut self, block: TextBlock) -> Result<(), CompressError> {
        let FullSegment { ids, doc_starts, facts, .. } = &mut self.segment;
        let numbers = self.interner.intern_all(&block.tokens);
        let before = ids.len() as u32;
        doc_starts.extend(block.doc_starts.iter().map(|start| before + start));
        ids.extend(block.ids.iter().map(|&id| numbers[id as usize]));
        facts.sizes.text_words += block.words;
        facts.sizes.text_tokens += block.ids.len() as u64;
        self.blocks.recycle(block);
        self.check_memory()
    }

    fn begin_piece(&mut self) {
        self.blocks.begin_piece();
        self.segment.facts.documents += 1;
    }

    /// Ends the segment inside the current document, before the last `read` bytes.
    ///
    /// A token may continue into those bytes, so the undecided text before them moves to the next
    /// segment too: if `… some wo` was read and `rds …` follows, this segment ends with `some`.
    fn end_segment_before(&mut self, read: usize, next_piece: u64) -> Result<(), CompressError> {
        let moved = (self.blocks.undecided() - read) as u64;
        self.blocks.end_piece();
        self.segment.facts.sizes.text_bytes -= moved;
        self.end_segment(next_piece)?;
        self.begin_piece();
        self.segment.facts.sizes.text_bytes += moved;
        Ok(())
    }

    /// Hands the segment to a builder. The next one begins with piece `next_piece` of the current
    /// document, or with the next document if that is 0.
    fn end_segment(&mut self, next_piece: u64) -> Result<(), CompressError> {
        self.use_rest()?;
        let next = self.next_segment(next_piece);
        let mut full = std::mem::replace(&mut self.segment, next);
        full.doc_starts.push(full.ids.len() as u32);
        let reserved = self.budget.reserve(full.ids.len(), full.envelopes.memory());
        let job = BuildJob {
            tokens: self.interner.len() as u32,
            builder: self.builder,
            spill: self.spill,
            progress: self.progress,
            uses: Arc::clone(&self.uses),
        };
        let (pool, failed) = (self.pool, Arc::clone(&self.failed));
        let build = move || {
            let built = job.build(full, pool);
            failed.fetch_or(built.is_err(), Relaxed);
            drop(reserved);
            built
        };
        // If the system refuses a thread, this one builds.
        let work = Arc::new(Mutex::new(Some(build)));
        let take = |work: &Mutex<Option<_>>| {
            work.lock().expect("no holder panics").take().expect("taken once")
        };
        let theirs = Arc::clone(&work);
        let thread = Builder::new().spawn_scoped(self.scope, move || take(&theirs)());
        self.finished.push(match thread {
            Ok(thread) => Segment::Building(thread),
            Err(_) => Segment::Built(take(&work)()?),
        });
        Ok(())
    }

    fn next_segment(&self, first_piece: u64) -> FullSegment {
        let first_document = self.documents.len() as u64;
        let facts = SegmentFacts { first_document, first_piece, ..SegmentFacts::default() };
        FullSegment { facts, ..FullSegment::default() }
    }

    /// Stops reading when a builder has failed.
    fn check_builders(&mut self) -> Result<(), CompressError> {
        if self.failed.load(Relaxed) {
            for segment in self.finished.drain(..) {
                segment.finish()?;
            }
        }
        Ok(())
    }

    fn check_memory(&self) -> Result<(), CompressError> {
        let needed =
            self.interner.memory() + self.documents.memory() + self.segment.envelopes.memory();
        if needed > self.budget.held() {
            let tokens = self.interner.len();
            return Err(CompressError::MemoryCeiling {
                tokens,
                needed,
                ceiling: self.budget.ceiling(),
            });
        }
        Ok(())
    }
}

impl Collector<'_, '_> {
    /// Gives notice of the first names that no file can have, such as members of an archive may have:
    /// the documents cannot be decompressed.
    fn warn_of_name(&mut self, head: &DocumentHead<'_>) {
        const MOST_NOTICES: usize = 3;
        if head.envelope.is_none()
            && self.unusable_names < MOST_NOTICES
            && let Err(error) = names::check(head.name)
        {
            self.unusable_names += 1;
            self.progress.notice(&format!("{error}; `decompress` will refuse it"));
        }
    }
}

impl Visitor for Collector<'_, '_> {
    type Error = CompressError;

    fn document(
        &mut self,
        head: DocumentHead<'_>,
        content: &mut dyn Read,
    ) -> Result<(), CompressError> {
        let filled = self.segment.facts.sizes.text_bytes;
        let has_room = head.envelope.as_ref().is_none_or(|new| self.has_room_for(new));
        if self.partition.ends_before(filled, head.size) || !has_room || self.is_full()? {
            self.end_segment(0)?;
        }
        self.warn_of_name(&head);
        self.begin_piece();
        if let Some(envelope) = &head.envelope {
            self.has_envelopes = true;
            self.segment.envelopes.push(envelope);
        }
        let (mut size, mut piece) = (0u64, 0u64);
        let mut split_at = self.next_split(0, head.size);
        loop {
            let wanted = self.next_read(head.size, size, split_at);
            let read = self.blocks.read(content, wanted).map_err(|error| {
                FileError::on("read", String::from_utf8_lossy(head.name).into_owned())(error)
            })?;
            self.progress.advance(Stage::Reading, read as u64);
            self.progress.check()?;
            self.check_builders()?;
            // A second piece is worth it only if there is more of the document.
            if read > 0 && (split_at.is_some_and(|at| at <= size) || self.is_full()?) {
                piece += 1;
                self.end_segment_before(read, piece)?;
                split_at = self.next_split(size, head.size);
            }
            size += read as u64;
            self.segment.facts.sizes.text_bytes += read as u64;
            let ended = read < wanted;
            self.blocks.split(ended);
            if let Some(block) = self.blocks.next_ready() {
                self.use_block(block)?;
            }
            self.check_memory()?;
            if ended {
                break;
            }
        }
        self.documents.push(head.name, size);
        Ok(())
    }
}
