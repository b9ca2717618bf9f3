//! Insertions for twins, as in `shared/records.wgsl`.

/// Insertions as blocks of pieces.
pub(crate) struct Records<W> {
    pub(crate) words: W,
    insertions: u32,
    slots: u32,
    /// The steps that are left to a thread.
    pub(crate) steps_left: u32,
}

/// The origin of a byte.
pub(crate) struct Origin {
    pub(crate) insertion: Option<u32>,
    pub(crate) offset: u32,
    pub(crate) run: u32,
}

/// A piece of new text.
#[derive(Clone, Copy)]
pub(crate) struct Piece {
    /// Its offset in the text after its block.
    pub(crate) out: u32,
    /// The bytes of the block's pieces before it.
    pub(crate) before: u32,
    pub(crate) insertion: u32,
    /// The bytes of the insertion before it.
    pub(crate) skip: u32,
}

impl Piece {
    /// Its offset in the text before its block.
    pub(crate) fn source(self) -> u32 {
        self.out - self.before
    }
}

/// A block: its level and number.
pub(crate) type Block = (u32, u32);

impl<W: AsRef<[u32]>> Records<W> {
    pub(crate) fn new(words: W, insertions: u32, slots: u32) -> Self {
        Self { words, insertions, slots, steps_left: u32::MAX }
    }

    pub(crate) fn step(&mut self, steps: u32) {
        self.steps_left = self.steps_left.saturating_sub(steps);
    }

    pub(crate) fn text_start(&self, insertion: u32) -> u32 {
        self.words.as_ref()[insertion as usize]
    }

    pub(crate) fn count_place(&self, (level, block): Block) -> usize {
        (self.insertions + 1 + self.slots - (self.slots >> level) + block) as usize
    }

    pub(crate) fn count(&self, block: Block) -> u32 {
        self.words.as_ref()[self.count_place(block)]
    }

    pub(crate) fn piece_place(&self, (level, block): Block, piece: u32) -> usize {
        let slot = (block << (level + 1)) + piece;
        (self.insertions + 1 + self.slots + 4 * (level * self.slots + slot)) as usize
    }

    pub(crate) fn piece(&self, block: Block, piece: u32) -> Piece {
        let words = &self.words.as_ref()[self.piece_place(block, piece)..];
        Piece { out: words[0], before: words[1], insertion: words[2], skip: words[3] }
    }

    pub(crate) fn total(&self, (level, block): Block) -> u32 {
        self.text_start((block + 1) << level) - self.text_start(block << level)
    }

    pub(crate) fn bytes_before(&self, block: Block, piece: u32) -> u32 {
        if piece < self.count(block) { self.piece(block, piece).before } else { self.total(block) }
    }

    /// The number of pieces of a block for which `is_before` is true.
    pub(crate) fn pieces(&mut self, block: Block, is_before: impl Fn(Piece) -> bool) -> u32 {
        let (mut low, mut high) = (0, self.count(block));
        while low < high {
            self.step(1);
            let middle = low + (high - low) / 2;
            if is_before(self.piece(block, middle)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    pub(crate) fn origin_of(&mut self, first: u32, end: u32, offset: u32, run: u32) -> Origin {
        let mut origin = Origin { insertion: None, offset, run };
        let mut left = end;
        while left > first {
            self.step(1);
            let level = left.trailing_zeros().min((left - first).ilog2());
            let block = (level, (left >> level) - 1);
            let at = origin.offset;
            let next = self.pieces(block, |piece| piece.out <= at);
            if next < self.count(block) {
                origin.run = origin.run.min(self.piece(block, next).out - at);
            }
            if let Some(last) = next.checked_sub(1) {
                let piece = self.piece(block, last);
                let length = self.bytes_before(block, next) - piece.before;
                let within = at - piece.out;
                if within < length {
                    return Origin {
                        insertion: Some(piece.insertion),
                        offset: piece.skip + within,
                        run: origin.run.min(length - within),
                    };
                }
                origin.offset -= piece.before + length;
            }
            left -= 1 << level;
        }
        origin
    }

    pub(crate) fn moved_to(&mut self, first: u32, end: u32, offset: u32) -> u32 {
        let (mut at, mut done) = (offset, first);
        while done < end {
            self.step(1);
            let level = (end - done).ilog2().min(done.trailing_zeros());
            let block = (level, done >> level);
            let next = self.pieces(block, |piece| piece.source() <= at);
            at += self.bytes_before(block, next);
            done += 1 << level;
        }
        at
    }
}
