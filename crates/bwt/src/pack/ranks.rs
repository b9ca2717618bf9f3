//! Codes the ranks of a moved-to-front column, bit by bit.
//!
//! A rank is coded as the answers to up to three questions: is it 0, is it 1, and if not, how many binary digits does
//! it have and which. Each question is asked in two contexts, one of the ranks just before and one of
//! the symbol at the front of the list: in a column, stretches of frequent changes alternate with
//! stretches of few.

use super::coder::{Bit, Coder};
use crate::mtf::List;

/// Classes of ranks: 0, 1, 2, 3 to 4, 5 to 8, more.
const CLASSES: usize = 6;
/// Classes of runs of zeros: 0, 1, 2, 3 to 4, 5 to 8, 9 to 16, 17 to 64, more.
pub(crate) const RUNS: usize = 8;

fn class(rank: u8) -> usize {
    match rank {
        0..=2 => usize::from(rank),
        3..=4 => 3,
        5..=8 => 4,
        _ => 5,
    }
}

pub(crate) fn run_class(run: u32) -> usize {
    match run {
        0..=2 => run as usize,
        3..=4 => 3,
        5..=8 => 4,
        9..=16 => 5,
        17..=64 => 6,
        _ => 7,
    }
}

/// What has been learned of a column, and the current position in it.
#[derive(Debug)]
pub(crate) struct Ranks {
    is_zero: Vec<[[Bit; RUNS]; CLASSES]>,
    is_zero_after: Vec<[Bit; 4]>,
    is_one: [[Bit; CLASSES]; CLASSES],
    is_one_after: [Bit; 256],
    /// Whether a rank has more binary digits than this.
    more: [[Bit; 8]; CLASSES],
    more_after: Vec<[Bit; 8]>,
    /// The digits after the leading one, by those before them.
    digits: [Bit; 256],
    digits_after: [[Bit; 256]; CLASSES],
    /// The last rank and the one before it, and how many zeros the last ones were.
    last: u8,
    before: u8,
    run: u32,
    /// The last rank that was not 0.
    last_change: u8,
}

impl Ranks {
    pub(crate) fn new() -> Self {
        Self {
            is_zero: vec![Default::default(); CLASSES],
            is_zero_after: vec![Default::default(); 256],
            is_one: Default::default(),
            is_one_after: [Bit::default(); 256],
            more: Default::default(),
            more_after: vec![Default::default(); 256],
            digits: [Bit::default(); 256],
            digits_after: [[Bit::default(); 256]; CLASSES],
            last: 0,
            before: 0,
            run: 0,
            last_change: 0,
        }
    }

    /// Codes a rank; a decoder ignores the given one. `front` is the symbol of rank 0.
    #[inline]
    pub(crate) fn code(&mut self, coder: &mut impl Coder, rank: u8, front: u8) -> u8 {
        let front = usize::from(front);
        let (last, before) = (class(self.last), class(self.before));
        let change = class(self.last_change);
        let run = run_class(self.run);
        let history = usize::from(self.last == 0) + 2 * usize::from(self.before == 0);
        let by_run = &mut self.is_zero[if run == 0 { last } else { change }][before][run];
        let is_zero = !coder.code(rank != 0, by_run, &mut self.is_zero_after[front][history]);
        let rank = if is_zero { 0 } else { self.code_change(coder, rank, front) };
        self.before = self.last;
        self.last = rank;
        if rank == 0 {
            self.run += 1;
        } else {
            self.run = 0;
            self.last_change = rank;
        }
        rank
    }

    /// Codes a rank that is not 0.
    fn code_change(&mut self, coder: &mut impl Coder, rank: u8, front: usize) -> u8 {
        let (last, change) = (class(self.last), class(self.last_change));
        let is_one =
            !coder.code(rank != 1, &mut self.is_one[last][change], &mut self.is_one_after[front]);
        if is_one {
            return 1;
        }
        // Digits after the leading one: 1 to 7, as ranks are 2 to 255.
        let wanted = rank.max(1).ilog2();
        let mut digits = 1;
        while digits < 7
            && coder.code(
                wanted > digits,
                &mut self.more[change][digits as usize],
                &mut self.more_after[front][digits as usize],
            )
        {
            digits += 1;
        }
        let mut value = 1usize;
        for place in (0..digits).rev() {
            let digit = rank >> place & 1 == 1;
            // Ranks of other lengths do not share contexts here.
            let context = (1 << digits) + value;
            let bit =
                coder.code(digit, &mut self.digits[context], &mut self.digits_after[change][value]);
            value = value << 1 | usize::from(bit);
        }
        value as u8
    }
}

/// Codes a column in both directions: an encoder reads `column`, a decoder writes it.
pub(crate) fn code_column(coder: &mut impl Coder, column: &mut [u8], is_encoding: bool) {
    let mut list = List::default();
    let mut ranks = Ranks::new();
    for symbol in column {
        let front = list.front();
        if is_encoding {
            let rank = list.find(*symbol);
            ranks.code(coder, rank, front);
        } else {
            let rank = ranks.code(coder, 0, front);
            *symbol = list.take(rank);
        }
    }
}
