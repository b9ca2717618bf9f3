//! Text cut into tokens, a batch of documents or parts of them at a time.
//!
//! Tokens are numbered in the order in which they first appear, so text has to be gone through in
//! order; but not by one thread. Each batch is cut by itself and its tokens are numbered in a table
//! of its own, which fits the cache. Then the batches are taken in order, and only the distinct
//! tokens of each are looked up among those of the corpus. The numbers are the same as if all were
//! cut by one thread.

use crate::token::{Interner, Splitter, TokenClass};
use rayon::ThreadPool;
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, channel};

/// A batch is cut when it has so many bytes of text.
pub(super) const BATCH: usize = 1 << 18;

/// Text in the order of the corpus, and the tokens it is cut into.
#[derive(Default)]
pub(super) struct Batch {
    /// All that was read is `text[..filled]`; what follows is room for more.
    text: Vec<u8>,
    filled: usize,
    parts: Vec<Part>,
    /// Whether the next part begins a document, or a piece of one.
    begins: bool,
    /// What was cut: distinct tokens, numbers of all tokens, where documents begin among them.
    pub(super) tokens: Interner,
    pub(super) ids: Vec<u32>,
    pub(super) doc_starts: Vec<u32>,
    pub(super) words: u64,
}

/// A stretch of text that ends where a token does.
struct Part {
    end: usize,
    from: Splitter,
    begins: bool,
    ends: bool,
}

impl Batch {
    /// The next part begins a document or a piece of one.
    pub(super) fn begin(&mut self) {
        self.begins = true;
    }

    /// Room for so many bytes behind what was read.
    pub(super) fn room(&mut self, bytes: usize) -> &mut [u8] {
        let end = self.filled + bytes;
        if self.text.len() < end {
            self.text.resize(end, 0);
        }
        &mut self.text[self.filled..end]
    }

    /// Bytes that make parts.
    fn len(&self) -> usize {
        self.parts.last().map_or(0, |part| part.end)
    }

    /// Bytes that were read but make no part yet, as a token may go on behind them.
    pub(super) fn kept(&self) -> usize {
        self.filled - self.len()
    }

    /// So many bytes were written to the [`room`](Self::room).
    pub(super) fn fill(&mut self, read: usize) {
        self.filled += read;
    }

    /// Makes a part of what tokens surely end in, and of all if the document ends; `splitter` goes
    /// along.
    pub(super) fn add(&mut self, splitter: &mut Splitter, ends: bool) {
        let start = self.len();
        let from = splitter.clone();
        let len = if ends {
            *splitter = Splitter::default();
            self.kept()
        } else {
            splitter.skip(&self.text[start..self.filled])
        };
        self.part(Part { end: start + len, from, begins: false, ends });
    }

    /// Ends the piece of a document where it has come to. What is kept goes on in the next.
    pub(super) fn end_piece(&mut self, splitter: &mut Splitter) {
        let from = std::mem::take(splitter);
        self.part(Part { end: self.len(), from, begins: false, ends: true });
    }

    fn part(&mut self, part: Part) {
        let begins = std::mem::take(&mut self.begins);
        self.parts.push(Part { begins, ..part });
    }

    /// Cuts all parts.
    fn cut(&mut self) {
        let Self { text, parts, tokens, ids, doc_starts, words, .. } = self;
        let mut start = 0;
        for Part { end, from, begins, ends } in parts {
            if *begins {
                doc_starts.push(ids.len() as u32);
            }
            let emit = |class: TokenClass, bytes: &[u8]| {
                *words += u64::from(class.is_word());
                ids.push(tokens.intern(class, bytes));
            };
            let text = &text[start..*end];
            if *ends {
                from.finish(text, emit)
            } else {
                from.cut(text, emit)
            }
            start = *end;
        }
    }

    /// Forgets everything but the memory it has.
    fn clear(&mut self) {
        (self.filled, self.begins, self.words) = (0, false, 0);
        self.parts.clear();
        self.tokens.clear();
        self.ids.clear();
        self.doc_starts.clear();
    }
}

/// Batches being filled, cut, and waiting to be taken.
pub(super) struct Cutting<'a> {
    pool: &'a ThreadPool,
    /// So many batches may be under way; if none, each is cut by the thread that reads.
    most: usize,
    pub(super) filling: Batch,
    under_way: VecDeque<Receiver<Batch>>,
    /// Bytes of text that are under way.
    bytes: usize,
    spare: Vec<Batch>,
}

impl<'a> Cutting<'a> {
    pub(super) fn new(pool: &'a ThreadPool, most: usize) -> Self {
        let under_way = VecDeque::with_capacity(most + 1);
        Self { pool, most, filling: Batch::default(), under_way, bytes: 0, spare: Vec::new() }
    }

    /// No more tokens than this are in the text whose batches were not taken: each has a byte, but
    /// that a space may have been read before, or nothing stands between parts of a word.
    pub(super) fn most_tokens(&self) -> usize {
        self.bytes + self.filling.len() + 2
    }

    /// Has the batch cut if it has text enough, and tells which one is to be taken now.
    pub(super) fn next(&mut self) -> Option<Batch> {
        if self.filling.len() < BATCH {
            return None;
        }
        self.start();
        if self.under_way.len() > self.most { self.first() } else { None }
    }

    /// Has all text cut that makes parts; batch by batch until there is none left.
    pub(super) fn rest(&mut self) -> Option<Batch> {
        if !self.filling.parts.is_empty() {
            self.start();
        }
        self.first()
    }

    /// Takes back a batch that was dealt with.
    pub(super) fn give_back(&mut self, mut batch: Batch) {
        batch.clear();
        self.spare.push(batch);
    }

    fn start(&mut self) {
        let mut next = self.spare.pop().unwrap_or_default();
        let filled = &self.filling;
        let kept = &filled.text[filled.len()..filled.filled];
        next.room(kept.len()).copy_from_slice(kept);
        (next.filled, next.begins) = (kept.len(), filled.begins);
        let mut batch = std::mem::replace(&mut self.filling, next);
        self.bytes += batch.len();
        let (sender, receiver) = channel();
        let cut = move || {
            batch.cut();
            // Nobody waits for it if reading has failed meanwhile.
            let _ = sender.send(batch);
        };
        if self.most == 0 {
            cut()
        } else {
            self.pool.spawn(cut)
        }
        self.under_way.push_back(receiver);
    }

    fn first(&mut self) -> Option<Batch> {
        let batch = self.under_way.pop_front()?.recv().expect("a batch is sent when it is cut");
        self.bytes -= batch.len();
        Some(batch)
    }
}
