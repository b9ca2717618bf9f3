//! Splits text into tokens, one block of text at a time, on all threads.
//!
//! Tokens are numbered in the order of their first occurrence, so results must be used in order; but
//! one thread need not do all the splitting. Each block is split on its own, and its tokens are numbered
//! in its own table, which fits in the cache. Then the blocks are used in order, and only the
//! distinct tokens of each are looked up among those of the corpus. The numbers are the same as if one
//! thread had split all text.
//!
//! The calls for one document, in this order:
//!
//! ```text
//! begin_piece                    the document begins, or a piece of it in a new segment
//!     read                       more of its text; then, if the segment must end before that text:
//!         end_piece, rest …, begin_piece
//!     split(ended)               all tokens that surely end become part of the block
//!     next_ready                 a block whose tokens are to be used now, if any
//! repeat read, split and next_ready until the document ends
//! ```
//!
//! `rest` is called until it returns `None`; it gives all blocks of the segment. Every block that was
//! used goes back by `recycle`.

use crate::token::{Interner, Splitter, TokenClass};
use rayon::ThreadPool;
use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read};
use std::sync::mpsc::{Receiver, channel};

/// A block is handed to a thread when it has this many bytes of text.
pub(super) const BLOCK: usize = 1 << 18;

/// Text in the order of the corpus, and its tokens once it is split.
#[derive(Default)]
pub(super) struct TextBlock {
    /// The text is `text[..filled]`; the rest is room for more.
    text: Vec<u8>,
    filled: usize,
    parts: Vec<Part>,
    /// The distinct tokens of the block.
    pub(super) tokens: Interner,
    /// All tokens in order, as ids in `tokens`.
    pub(super) ids: Vec<u32>,
    /// Where documents, or pieces of them, begin in `ids`.
    pub(super) doc_starts: Vec<u32>,
    /// Number of tokens that are words.
    pub(super) words: u64,
}

/// A range of text that ends where a token does.
struct Part {
    end: usize,
    /// The state of the splitter before this part.
    from: Splitter,
    /// Whether it begins a document or a piece of one.
    begins: bool,
    /// Whether it ends one.
    ends: bool,
}

impl TextBlock {
    /// Bytes of text that are in parts.
    fn len(&self) -> usize {
        self.parts.last().map_or(0, |part| part.end)
    }

    /// Bytes of text after the last part: a token may continue behind them.
    fn undecided(&self) -> usize {
        self.filled - self.len()
    }

    /// Room for `bytes` more bytes of text.
    fn room(&mut self, bytes: usize) -> &mut [u8] {
        let end = self.filled + bytes;
        if self.text.len() < end {
            self.text.resize(end, 0);
        }
        &mut self.text[self.filled..end]
    }

    /// Splits all parts into tokens.
    fn split(&mut self) {
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

    /// Empties the block and keeps its memory.
    fn clear(&mut self) {
        (self.filled, self.words) = (0, 0);
        self.parts.clear();
        self.tokens.clear();
        self.ids.clear();
        self.doc_starts.clear();
    }
}

/// The text of a corpus on its way to tokens. The module's header gives the order of calls.
pub(super) struct TextBlocks<'a> {
    pool: &'a ThreadPool,
    /// Most blocks that may wait to be split or used; if 0, the thread that reads splits each.
    most_waiting: usize,
    /// The block that text is added to.
    current: TextBlock,
    /// Whether the next part begins a document or a piece of one.
    begins: bool,
    /// The state behind the last part of the current document.
    splitter: Splitter,
    waiting: VecDeque<Receiver<TextBlock>>,
    /// Bytes of text in `waiting`.
    waiting_bytes: usize,
    spare: Vec<TextBlock>,
}

impl<'a> TextBlocks<'a> {
    pub(super) fn new(pool: &'a ThreadPool, most_waiting: usize) -> Self {
        Self {
            pool,
            most_waiting,
            current: TextBlock::default(),
            begins: false,
            splitter: Splitter::default(),
            waiting: VecDeque::with_capacity(most_waiting + 1),
            waiting_bytes: 0,
            spare: Vec::new(),
        }
    }

    /// Begins a document, or the next piece of the current one.
    pub(super) fn begin_piece(&mut self) {
        self.begins = true;
    }

    /// Appends up to `bytes` bytes of `content`, fewer only at its end. Returns how many.
    pub(super) fn read(&mut self, content: &mut dyn Read, bytes: usize) -> io::Result<usize> {
        let read = read_full(content, self.current.room(bytes))?;
        self.current.filled += read;
        Ok(read)
    }

    /// Bytes of the current document that are in no part yet, because a token may continue behind them.
    pub(super) fn undecided(&self) -> usize {
        self.current.undecided()
    }

    /// Ends the current piece behind its last part. What is undecided goes to the next piece.
    pub(super) fn end_piece(&mut self) {
        let end = self.current.len();
        self.push_part(end, true);
    }

    /// Makes a part of all text in which tokens surely end, or of all text if the document has `ended`.
    pub(super) fn split(&mut self, ended: bool) {
        let (start, filled) = (self.current.len(), self.current.filled);
        if ended {
            self.push_part(filled, true);
        } else {
            let mut after = self.splitter.clone();
            let len = after.skip(&self.current.text[start..filled]);
            self.push_part(start + len, false);
            self.splitter = after;
        }
    }

    fn push_part(&mut self, end: usize, ends: bool) {
        let from = std::mem::take(&mut self.splitter);
        let begins = std::mem::take(&mut self.begins);
        self.current.parts.push(Part { end, from, begins, ends });
    }

    /// An upper bound for the tokens in all blocks that were not used yet. Each token has a byte, except
    /// for a space that was read before, or an empty separator between parts of an overlong word.
    pub(super) fn most_tokens(&self) -> usize {
        self.waiting_bytes + self.current.len() + 2
    }

    /// Has the current block split if it is full. Returns a block to be used now, if too many wait.
    pub(super) fn next_ready(&mut self) -> Option<TextBlock> {
        if self.current.len() < BLOCK {
            return None;
        }
        self.hand_over();
        if self.waiting.len() > self.most_waiting { self.first() } else { None }
    }

    /// Has all parts split and returns the next block to be used; `None` when none is left.
    pub(super) fn rest(&mut self) -> Option<TextBlock> {
        if !self.current.parts.is_empty() {
            self.hand_over();
        }
        self.first()
    }

    /// Takes back a block that was used.
    pub(super) fn recycle(&mut self, mut block: TextBlock) {
        block.clear();
        self.spare.push(block);
    }

    /// Hands the current block to a thread and begins another with the undecided text.
    fn hand_over(&mut self) {
        let mut next = self.spare.pop().unwrap_or_default();
        let undecided = &self.current.text[self.current.len()..self.current.filled];
        next.room(undecided.len()).copy_from_slice(undecided);
        next.filled = undecided.len();
        let mut block = std::mem::replace(&mut self.current, next);
        self.waiting_bytes += block.len();
        let (sender, receiver) = channel();
        let split = move || {
            block.split();
            // Nobody receives it if reading has failed in the meantime.
            let _ = sender.send(block);
        };
        if self.most_waiting == 0 {
            split()
        } else {
            self.pool.spawn(split)
        }
        self.waiting.push_back(receiver);
    }

    fn first(&mut self) -> Option<TextBlock> {
        let block = self.waiting.pop_front()?.recv().expect("a block is sent when it is split");
        self.waiting_bytes -= block.len();
        Some(block)
    }
}

/// Reads until `buffer` is full or the input ends.
fn read_full(input: &mut dyn Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match input.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
