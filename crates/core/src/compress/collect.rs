//! Reads documents into segments and has them built.

use super::budget::Budget;
use super::cutting::{BATCH, Batch, Cutting};
use super::partition::Partition;
use super::spill::{BuiltSegment, Spill};
use crate::error::Error;
use crate::format::envelopes::Envelopes;
use crate::format::{DocumentTable, SegmentFacts, Sizes};
use crate::grammar::{Grammar, GrammarBuilder, TokenDocs};
use crate::input::{DocumentHead, Envelope, Visitor};
use crate::progress::{Progress, Stage};
use crate::token::{Dictionary, Interner, Splitter};
use std::io::Read;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::thread::{Scope, ScopedJoinHandle};

/// Bytes read at a time.
const READ_BLOCK: usize = 1 << 18;

/// Tokens left as room for one block of text when a segment is nearly full.
const TOKENS_A_BLOCK: usize = READ_BLOCK;

/// All that was read, with the grammars in the spill.
pub(super) struct Collected {
    pub(super) interner: Interner,
    /// How often each token stands in the grammars.
    pub(super) uses: Vec<u32>,
    pub(super) documents: DocumentTable,
    pub(super) has_envelopes: bool,
    pub(super) segments: Vec<BuiltSegment>,
    /// The section that tells which corpus this one was made of.
    pub(super) origin: Option<Vec<u8>>,
}

/// A segment of another corpus, to be taken over as it is.
pub(crate) struct Taken {
    /// Its grammar, whose tokens are ids of the dictionary that was begun with.
    pub(crate) grammar: Grammar,
    /// Its envelopes, if it has any.
    pub(crate) envelopes: Option<Envelopes>,
    /// Its facts.
    pub(crate) facts: SegmentFacts,
    /// Names and sizes of the documents that begin in it.
    pub(crate) documents: Vec<(Vec<u8>, u64)>,
}

/// A segment as it fills up.
#[derive(Default)]
struct Filling {
    ids: Vec<u32>,
    doc_starts: Vec<u32>,
    envelopes: Envelopes,
    facts: SegmentFacts,
}

/// How often each token stands in the grammars so far.
#[derive(Debug, Default)]
struct TokenUses(Mutex<Vec<u32>>);

impl TokenUses {
    fn add(&self, grammar: &Grammar) {
        let tokens = grammar.tokens();
        let mut uses = self.0.lock().expect("no holder panics");
        if uses.len() < tokens as usize {
            uses.resize(tokens as usize, 0);
        }
        for &symbol in grammar.symbols().iter().filter(|&&symbol| symbol < tokens) {
            uses[symbol as usize] = uses[symbol as usize].saturating_add(1);
        }
    }

    /// All of them, for so many tokens.
    fn take(&self, tokens: usize) -> Vec<u32> {
        let mut uses = std::mem::take(&mut *self.0.lock().expect("no holder panics"));
        uses.resize(tokens, 0);
        uses
    }
}

/// Takes documents, cuts them into tokens and segments, and starts a builder for each full segment.
pub(crate) struct Collector<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    pool: &'env rayon::ThreadPool,
    builder: &'env dyn GrammarBuilder,
    spill: &'env Spill,
    budget: &'env Budget,
    progress: &'env dyn Progress,
    partition: Partition,
    interner: Interner,
    documents: DocumentTable,
    has_envelopes: bool,
    filling: Filling,
    cutting: Cutting<'env>,
    failed: Arc<AtomicBool>,
    uses: Arc<TokenUses>,
    started: Vec<ScopedJoinHandle<'scope, Result<BuiltSegment, Error>>>,
}

impl<'scope, 'env> Collector<'scope, 'env> {
    pub(super) fn new(
        scope: &'scope Scope<'scope, 'env>,
        pool: &'env rayon::ThreadPool,
        builder: &'env dyn GrammarBuilder,
        spill: &'env Spill,
        budget: &'env Budget,
        progress: &'env dyn Progress,
    ) -> Self {
        Self {
            scope,
            pool,
            builder,
            spill,
            budget,
            progress,
            partition: Partition::new(budget.segment_size),
            interner: Interner::default(),
            documents: DocumentTable::default(),
            has_envelopes: false,
            filling: Filling::default(),
            cutting: Cutting::new(pool, budget.batches(BATCH)),
            failed: Arc::default(),
            uses: Arc::default(),
            started: Vec::new(),
        }
    }

    /// Most bytes of a JSON line that is read.
    pub(super) fn longest_line(&self) -> u64 {
        self.budget.longest_line()
    }

    /// Has the last segment built and waits for all of them.
    pub(super) fn finish(mut self) -> Result<Collected, Error> {
        if self.filling.facts.documents > 0 || self.started.is_empty() {
            self.end_segment(0)?;
        }
        let mut segments = Vec::with_capacity(self.started.len());
        for handle in self.started {
            let segment = handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            segments.push(segment);
        }
        Ok(Collected {
            uses: self.uses.take(self.interner.len()),
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

    /// Takes over a segment of the corpus whose dictionary was begun with.
    pub(crate) fn take(&mut self, taken: Taken) -> Result<(), Error> {
        let Taken { grammar, envelopes, mut facts, documents } = taken;
        if self.filling.facts.documents > 0 {
            self.end_segment(0)?;
        }
        // A document that goes on here has been counted where it began.
        let goes_on = facts.documents > 0 && facts.first_piece > 0;
        facts.first_document = self.documents.len() as u64 - u64::from(goes_on);
        documents.iter().for_each(|(name, size)| self.documents.push(name, *size));
        self.has_envelopes |= envelopes.is_some();
        self.uses.add(&grammar);
        let segment = self.spill.store(facts, &envelopes.unwrap_or_default(), &grammar)?;
        self.started.push(self.scope.spawn(move || Ok(segment)));
        let first_document = self.documents.len() as u64;
        let facts = SegmentFacts { first_document, ..SegmentFacts::default() };
        self.filling = Filling { facts, ..Filling::default() };
        Ok(())
    }

    /// Whether another block of text might bring more tokens than a segment may have.
    fn is_full(&mut self) -> Result<bool, Error> {
        let most = self.budget.segment_tokens.max(2 * TOKENS_A_BLOCK) - TOKENS_A_BLOCK;
        // Only if it depends on them are tokens waited for that are being cut.
        if self.filling.ids.len() + self.cutting.most_tokens() > most {
            self.cut_rest()?;
        }
        Ok(self.filling.ids.len() > most)
    }

    /// Whether the segment's envelopes with one more keep to their share of memory. The first one
    /// always does, because the length of a line is limited.
    fn has_room_for(&self, envelope: &Envelope<'_>) -> bool {
        let envelopes = &self.filling.envelopes;
        let parts = [envelope.prefix, envelope.literal, envelope.suffix];
        let more = parts.iter().map(|part| part.len() as u64).sum::<u64>();
        envelopes.is_empty() || envelopes.memory() + more <= self.budget.envelopes()
    }

    /// At which byte of a document, of which `read` bytes are read, the segment ends.
    fn next_split(&self, read: u64, total: Option<u64>) -> Option<u64> {
        let left = total.map(|total| total.saturating_sub(read));
        Some(read + self.partition.split_after(self.filling.facts.sizes.text_bytes, left)?)
    }

    /// Takes all text of the segment that has been read as tokens.
    fn cut_rest(&mut self) -> Result<(), Error> {
        while let Some(batch) = self.cutting.rest() {
            self.take_batch(batch)?;
        }
        Ok(())
    }

    /// Appends the tokens of a batch to the segment.
    fn take_batch(&mut self, batch: Batch) -> Result<(), Error> {
        let Filling { ids, doc_starts, facts, .. } = &mut self.filling;
        let numbers = self.interner.intern_all(&batch.tokens);
        let before = ids.len() as u32;
        doc_starts.extend(batch.doc_starts.iter().map(|start| before + start));
        ids.extend(batch.ids.iter().map(|&id| numbers[id as usize]));
        facts.sizes.text_words += batch.words;
        facts.sizes.text_tokens += batch.ids.len() as u64;
        self.cutting.give_back(batch);
        self.check_memory()
    }

    fn begin_piece(&mut self) {
        self.cutting.filling.begin();
        self.filling.facts.documents += 1;
    }

    /// Hands the segment to a builder; the next begins with piece `next_piece` of the document that
    /// is being read or about to be.
    fn end_segment(&mut self, next_piece: u64) -> Result<(), Error> {
        self.cut_rest()?;
        let next = SegmentFacts {
            first_document: self.documents.len() as u64,
            first_piece: next_piece,
            ..SegmentFacts::default()
        };
        let next = Filling { facts: next, ..Filling::default() };
        let mut full = std::mem::replace(&mut self.filling, next);
        full.doc_starts.push(full.ids.len() as u32);
        let share = self.budget.take(full.ids.len(), full.envelopes.memory());
        let tokens = self.interner.len() as u32;
        let job = BuildJob {
            tokens,
            builder: self.builder,
            spill: self.spill,
            progress: self.progress,
            uses: Arc::clone(&self.uses),
        };
        let (pool, failed) = (self.pool, Arc::clone(&self.failed));
        self.started.push(self.scope.spawn(move || {
            let built = job.run(full, pool);
            failed.fetch_or(built.is_err(), Relaxed);
            drop(share);
            built
        }));
        Ok(())
    }

    /// A builder that has failed ends the reading too.
    fn check_builders(&mut self) -> Result<(), Error> {
        if self.failed.load(Relaxed) {
            for handle in self.started.drain(..) {
                handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            }
        }
        Ok(())
    }

    fn check_memory(&self) -> Result<(), Error> {
        let needed =
            self.interner.memory() + self.documents.memory() + self.filling.envelopes.memory();
        if needed > self.budget.held() {
            let tokens = self.interner.len();
            return Err(Error::MemoryCeiling { tokens, needed, ceiling: self.budget.ceiling() });
        }
        Ok(())
    }
}

/// What building a segment needs to know.
struct BuildJob<'env> {
    tokens: u32,
    builder: &'env dyn GrammarBuilder,
    spill: &'env Spill,
    progress: &'env dyn Progress,
    uses: Arc<TokenUses>,
}

impl BuildJob<'_> {
    fn run(&self, full: Filling, pool: &rayon::ThreadPool) -> Result<BuiltSegment, Error> {
        let Filling { ids, doc_starts, envelopes, mut facts } = full;
        let input = TokenDocs { tokens: self.tokens, ids: &ids, doc_starts: &doc_starts };
        let grammar = pool.install(|| self.builder.build(input, self.progress))?;
        drop((ids, doc_starts));
        self.progress.advance(Stage::Building, facts.sizes.text_bytes);
        facts.sizes = Sizes {
            rules: grammar.rule_count() as u64,
            symbols: grammar.symbols().len() as u64,
            root_symbols: grammar.root().len() as u64,
            depth: u64::from(grammar.depth()),
            ..facts.sizes
        };
        self.uses.add(&grammar);
        self.spill.store(facts, &envelopes, &grammar)
    }
}

impl Visitor for Collector<'_, '_> {
    type Error = Error;

    fn document(&mut self, head: DocumentHead<'_>, content: &mut dyn Read) -> Result<(), Error> {
        let filled = self.filling.facts.sizes.text_bytes;
        let has_room = head.envelope.as_ref().is_none_or(|new| self.has_room_for(new));
        if self.partition.ends_before(filled, head.size) || !has_room || self.is_full()? {
            self.end_segment(0)?;
        }
        self.begin_piece();
        if let Some(envelope) = &head.envelope {
            self.has_envelopes = true;
            self.filling.envelopes.push(envelope);
        }
        let mut splitter = Splitter::default();
        let (mut size, mut piece) = (0u64, 0u64);
        let mut split_at = self.next_split(0, head.size);
        loop {
            let block = next_block(head.size, size, split_at, self.budget.segment_size);
            let read = read_full(content, self.cutting.filling.room(block)).map_err(|error| {
                Error::io("read", String::from_utf8_lossy(head.name).into_owned())(error)
            })?;
            self.cutting.filling.fill(read);
            self.progress.advance(Stage::Reading, read as u64);
            self.progress.check()?;
            self.check_builders()?;
            // Only when there is more of the document is it worth a second piece.
            if read > 0 && (split_at.is_some_and(|at| at <= size) || self.is_full()?) {
                // What tokens do not surely end in goes to the next segment.
                let kept = (self.cutting.filling.kept() - read) as u64;
                self.cutting.filling.end_piece(&mut splitter);
                self.filling.facts.sizes.text_bytes -= kept;
                piece += 1;
                self.end_segment(piece)?;
                self.begin_piece();
                self.filling.facts.sizes.text_bytes += kept;
                split_at = self.next_split(size, head.size);
            }
            size += read as u64;
            self.filling.facts.sizes.text_bytes += read as u64;
            let ended = read < block;
            self.cutting.filling.add(&mut splitter, ended);
            if let Some(batch) = self.cutting.next() {
                self.take_batch(batch)?;
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

/// How much to read at once: up to the next split, or into the next segment if the split is due,
/// and one byte more than the document should have left, so that its end shows.
fn next_block(total: Option<u64>, read: u64, split_at: Option<u64>, segment_size: u64) -> usize {
    let to_end = total.map_or(u64::MAX, |total| total.saturating_sub(read) + 1);
    let to_split = match split_at {
        Some(at) if at > read => at - read,
        Some(_) => segment_size,
        None => u64::MAX,
    };
    to_end.min(to_split).min(READ_BLOCK as u64) as usize
}

/// Reads until `buffer` is full or the input ends.
fn read_full(input: &mut dyn Read, buffer: &mut [u8]) -> std::io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match input.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
