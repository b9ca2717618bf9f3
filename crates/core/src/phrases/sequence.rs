//! A sequence of numbers that never falls, in little more than two bits a number plus the bits of the
//! average step, with fast access in both directions: number to place and place to number.
//!
//! Numbers are cut into blocks of 256, and each block is coded on its own (Elias and Fano): the low bits
//! of all its numbers as they are, the high bits as one bit string, in which a one stands for a number
//! and the zeros before it for the steps to its high bits. So dense and sparse parts each take the
//! space that they need.

use super::bits::{BitWriter, bits_at, select_one};

/// Numbers in a block.
pub(super) const BLOCK: usize = 256;

/// Bits at the start of a block that give the width of the low bits.
const WIDTH_BITS: u32 = 6;

/// Numbers that never fall.
#[derive(Debug)]
pub(super) struct Sequence {
    /// The first number.
    base: u64,
    len: u32,
    /// Bits of a header that hold the block's place; the others hold its first number. 64 if these are
    /// two words.
    place_bits: u32,
    /// A header for each block: the first number less `base`, and the place of its bits. Then the bits.
    words: Box<[u64]>,
}

/// One block.
#[derive(Clone, Copy)]
struct Block {
    /// Its first number.
    first: u64,
    count: usize,
    /// The width of low bits, and the places of the low and of the high bits.
    width: u32,
    low: usize,
    high: usize,
}

impl Sequence {
    /// From numbers that never fall.
    pub(super) fn new(numbers: &[u64]) -> Self {
        debug_assert!(numbers.is_sorted());
        let base = numbers.first().copied().unwrap_or(0);
        let mut bits = BitWriter::default();
        let mut headers = Vec::with_capacity(numbers.len().div_ceil(BLOCK));
        for block in numbers.chunks(BLOCK) {
            headers.push((block[0] - base, bits.len() as u64));
            put_block(block, &mut bits);
        }
        let (last_number, last_place) = headers.last().copied().unwrap_or((0, 0));
        // All headers come before the bits.
        let room = |words: usize| 64 * (words * headers.len()) as u64 + last_place;
        let place_bits = 64 - room(1).leading_zeros();
        let is_narrow = place_bits + (64 - last_number.leading_zeros()) <= 64;
        let place_bits = if is_narrow { place_bits } else { 64 };
        let headers_len = if is_narrow { headers.len() } else { 2 * headers.len() };
        let mut words = Vec::with_capacity(headers_len + bits.len().div_ceil(64));
        for (number, place) in headers {
            let place = 64 * headers_len as u64 + place;
            match is_narrow {
                true => {
                    words.push(if place_bits == 64 { place } else { number << place_bits | place })
                }
                false => words.extend([number, place]),
            }
        }
        words.extend(bits.into_words());
        Self { base, len: numbers.len() as u32, place_bits, words: words.into_boxed_slice() }
    }

    /// How many numbers there are.
    pub(super) fn len(&self) -> usize {
        self.len as usize
    }

    /// Bytes in memory.
    pub(super) fn memory(&self) -> usize {
        size_of::<Self>() + 8 * self.words.len()
    }

    fn is_narrow(&self) -> bool {
        self.place_bits < 64
    }

    /// The first number of a block.
    #[inline]
    fn first(&self, block: usize) -> u64 {
        match self.is_narrow() {
            true => self.base + (self.words[block] >> self.place_bits),
            false => self.base + self.words[2 * block],
        }
    }

    #[inline]
    fn block(&self, block: usize) -> Block {
        let (first, place) = match self.is_narrow() {
            true => {
                let header = self.words[block];
                (header >> self.place_bits, header & ((1 << self.place_bits) - 1))
            }
            false => (self.words[2 * block], self.words[2 * block + 1]),
        };
        let count = BLOCK.min(self.len as usize - block * BLOCK);
        let width = bits_at(&self.words, place as usize, WIDTH_BITS) as u32;
        let low = place as usize + WIDTH_BITS as usize;
        Block { first: self.base + first, count, width, low, high: low + count * width as usize }
    }

    /// The number at a place.
    #[inline]
    pub(super) fn get(&self, place: usize) -> u64 {
        let Block { first, width, low, mut high, .. } = self.block(place / BLOCK);
        let within = place % BLOCK;
        let start = high;
        let mut left = within as u32;
        let one = loop {
            let word = bits_at(&self.words, high, 64);
            let ones = word.count_ones();
            if left < ones {
                break high + select_one(word, left) as usize;
            }
            left -= ones;
            high += 64;
        };
        let steps = (one - start - within) as u64;
        first + (steps << width | bits_at(&self.words, low + within * width as usize, width))
    }

    /// How many numbers are below `number`.
    pub(super) fn count_below(&self, number: u64) -> usize {
        let blocks = self.len().div_ceil(BLOCK);
        // The first block that begins at or above the number.
        let (mut from, mut to) = (0, blocks);
        while from < to {
            let middle = from + (to - from) / 2;
            if self.first(middle) < number { from = middle + 1 } else { to = middle }
        }
        match from.checked_sub(1) {
            None => 0,
            Some(block) => block * BLOCK + self.count_in(self.block(block), number),
        }
    }

    /// How many numbers of a block that begins below `number` are below it.
    #[inline]
    fn count_in(&self, block: Block, number: u64) -> usize {
        let Block { first, count, width, low, high } = block;
        let wanted = number - first;
        let steps = wanted >> width;
        // Find the place after as many zeros.
        let (mut at, mut zeros) = (high, 0u64);
        if steps > 0 {
            loop {
                let word = bits_at(&self.words, at, 64);
                let here = u64::from(word.count_zeros());
                if zeros + here >= steps {
                    at += select_one(!word, (steps - zeros - 1) as u32) as usize + 1;
                    break;
                }
                zeros += here;
                at += 64;
                // All ones passed: every number has fewer steps.
                if (at - high) as u64 - zeros >= count as u64 {
                    return count;
                }
            }
        }
        let before = at - high - steps as usize;
        if before >= count {
            return count;
        }
        // The numbers with exactly these steps, by their low bits.
        let mut equal = 0;
        loop {
            let ones = (!bits_at(&self.words, at + equal, 64)).trailing_zeros() as usize;
            equal += ones;
            if ones < 64 || before + equal >= count {
                break;
            }
        }
        let rest = if width == 0 { 0 } else { wanted & ((1 << width) - 1) };
        let (mut from, mut to) = (before, (before + equal).min(count));
        while from < to {
            let middle = from + (to - from) / 2;
            match bits_at(&self.words, low + middle * width as usize, width) < rest {
                true => from = middle + 1,
                false => to = middle,
            }
        }
        from
    }

    /// Calls `take` with the numbers from a place on, in order, until it returns `false`.
    #[cfg(test)]
    fn all(&self) -> Vec<u64> {
        (0..self.len()).map(|place| self.get(place)).collect()
    }
}

/// The bits that a block of numbers takes.
pub(super) fn block_bits(count: usize, span: u64) -> u64 {
    let width = width_of(count, span);
    u64::from(WIDTH_BITS) + count as u64 * (u64::from(width) + 1) + (span >> width)
}

fn width_of(count: usize, span: u64) -> u32 {
    (span / count as u64).checked_ilog2().unwrap_or(0)
}

fn put_block(block: &[u64], bits: &mut BitWriter) {
    let (first, span) = (block[0], block[block.len() - 1] - block[0]);
    let width = width_of(block.len(), span);
    bits.put(u64::from(width), WIDTH_BITS);
    for &number in block {
        bits.put((number - first) & ((1 << width) - 1), width);
    }
    let mut last = 0;
    for &number in block {
        let steps = (number - first) >> width;
        bits.put_unary(steps - last);
        last = steps;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(numbers: &[u64]) {
        let sequence = Sequence::new(numbers);
        assert_eq!(sequence.len(), numbers.len());
        assert_eq!(sequence.all(), numbers);
        let around = numbers
            .iter()
            .flat_map(|&number| [number.saturating_sub(1), number, number.saturating_add(1)]);
        for wanted in around.chain([0, u64::MAX]) {
            let expected = numbers.partition_point(|&number| number < wanted);
            assert_eq!(sequence.count_below(wanted), expected, "{wanted} in {numbers:?}");
        }
    }

    proptest! {
        #[test]
        fn numbers_come_back(
            steps in proptest::collection::vec(any::<u64>(), 0..1500),
            shift in 0u32..=63,
            mixed in any::<bool>(),
            start in 0u64..1 << 40,
        ) {
            let mut last = start;
            let numbers: Vec<u64> = steps.iter().enumerate().map(|(at, step)| {
                let shift = if mixed { 63 - (shift + at as u32 / 7) % 40 } else { shift };
                last = last.saturating_add(step >> shift >> 12);
                last
            }).collect();
            check(&numbers);
        }
    }

    #[test]
    fn edges() {
        check(&[]);
        check(&[7]);
        check(&[0, u64::MAX]);
        check(&[5; 1000]);
        check(&(0..1000).collect::<Vec<_>>());
        // Many equal numbers before and after a far step.
        check(&[vec![3; 300], vec![1 << 50; 300]].concat());
        check(&[vec![0; 255], vec![1 << 62]].concat());
    }
}
