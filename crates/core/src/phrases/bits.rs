//! Bit strings in 64-bit words: bit `i` is bit `i mod 64` of word `i / 64`.

/// Appends bits to words.
#[derive(Debug, Default)]
pub(super) struct BitWriter {
    words: Vec<u64>,
    len: usize,
}

impl BitWriter {
    /// Number of bits so far.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Appends the lowest `width` bits of a number, at most 64; the others must be zero.
    #[inline]
    pub(super) fn put(&mut self, value: u64, width: u32) {
        debug_assert!(width == 64 || value >> width == 0);
        if width == 0 {
            return;
        }
        let shift = (self.len % 64) as u32;
        if shift == 0 {
            self.words.push(value);
        } else {
            *self.words.last_mut().expect("a word is begun") |= value << shift;
            if shift + width > 64 {
                self.words.push(value >> (64 - shift));
            }
        }
        self.len += width as usize;
    }

    /// Appends `zeros` zero bits and a one.
    #[inline]
    pub(super) fn put_unary(&mut self, mut zeros: u64) {
        while zeros >= 63 {
            self.put(0, 63);
            zeros -= 63;
        }
        self.put(1 << zeros, zeros as u32 + 1);
    }

    pub(super) fn into_words(self) -> Vec<u64> {
        self.words
    }

    /// The bits as bytes, lowest bit first; zero bits pad the last byte.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self.words.iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.truncate(self.len.div_ceil(8));
        bytes
    }
}

/// `width` bits, at most 64, from bit `at` on. Bits beyond the end are zero.
#[inline]
pub(super) fn bits_at(words: &[u64], at: usize, width: u32) -> u64 {
    let (word, shift) = (at / 64, (at % 64) as u32);
    let low = words.get(word).copied().unwrap_or(0) >> shift;
    let bits = if shift + width > 64 {
        low | words.get(word + 1).copied().unwrap_or(0) << (64 - shift)
    } else {
        low
    };
    if width == 64 { bits } else { bits & ((1 << width) - 1) }
}

/// The place of one bit number `rank`, counted from 0, in a word that has more ones than that.
#[inline]
pub(super) fn select_one(mut word: u64, mut rank: u32) -> u32 {
    // Halve the part that contains it, down to a byte.
    let mut place = 0;
    for width in [32, 16, 8] {
        let ones = (word & ((1 << width) - 1)).count_ones();
        if rank >= ones {
            rank -= ones;
            word >>= width;
            place += width;
        }
    }
    for _ in 0..rank {
        word &= word - 1;
    }
    place + word.trailing_zeros()
}

/// Reads bits in order from bytes. Beyond the end it reads zeros, and says so.
pub(super) struct BitReader<'a> {
    bytes: &'a [u8],
    at: usize,
    buffer: u64,
    /// Bits in `buffer`.
    ready: u32,
    /// Bits that were read beyond the end.
    missing: usize,
}

impl<'a> BitReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, buffer: 0, ready: 0, missing: 0 }
    }

    /// Makes at least 56 bits ready.
    #[inline]
    pub(super) fn refill(&mut self) {
        if let Some(next) = self.bytes.get(self.at..self.at + 8) {
            let next = u64::from_le_bytes(next.try_into().expect("eight bytes"));
            self.buffer |= next << self.ready;
            let taken = (63 - self.ready) / 8;
            self.at += taken as usize;
            self.ready += 8 * taken;
            return;
        }
        while self.ready <= 56 {
            match self.bytes.get(self.at) {
                Some(&byte) => {
                    self.buffer |= u64::from(byte) << self.ready;
                    self.at += 1;
                }
                None => self.missing += 8,
            }
            self.ready += 8;
        }
    }

    /// The next `width` bits, without consuming them; at most those that are ready.
    #[inline]
    pub(super) fn peek(&self, width: u32) -> u64 {
        self.buffer & ((1 << width) - 1)
    }

    #[inline]
    pub(super) fn skip(&mut self, width: u32) {
        self.buffer >>= width;
        self.ready -= width;
    }

    /// The next `width` bits, at most 32.
    #[inline]
    pub(super) fn take(&mut self, width: u32) -> u64 {
        if self.ready < width {
            self.refill();
        }
        let bits = self.peek(width);
        self.skip(width);
        bits
    }

    /// Whether exactly all bytes were read.
    pub(super) fn is_at_end(&self) -> bool {
        let unread = (self.bytes.len() - self.at) * 8 + self.ready as usize;
        unread.checked_sub(self.missing).is_some_and(|left| left < 8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bits_come_back(numbers in proptest::collection::vec((any::<u64>(), 0u32..=32), 0..200)) {
            let mut writer = BitWriter::default();
            let numbers: Vec<(u64, u32)> =
                numbers.into_iter().map(|(value, width)| (value & ((1 << width) - 1), width)).collect();
            numbers.iter().for_each(|&(value, width)| writer.put(value, width));
            let bytes = writer.to_bytes();
            let mut reader = BitReader::new(&bytes);
            for &(value, width) in &numbers {
                prop_assert_eq!(reader.take(width), value);
            }
            prop_assert!(reader.is_at_end());
            let words = writer.into_words();
            let mut at = 0;
            for &(value, width) in &numbers {
                prop_assert_eq!(bits_at(&words, at, width), value);
                at += width as usize;
            }
        }

        #[test]
        fn the_place_of_a_one(word in any::<u64>()) {
            let places = (0..64).filter(|place| word >> place & 1 == 1);
            for (rank, place) in places.enumerate() {
                prop_assert_eq!(select_one(word, rank as u32), place);
            }
        }
    }

    #[test]
    fn unary_numbers_of_any_length() {
        let mut writer = BitWriter::default();
        let numbers = [0, 1, 62, 63, 64, 127, 1000, 0];
        numbers.iter().for_each(|&zeros| writer.put_unary(zeros));
        let words = writer.into_words();
        let ones: Vec<usize> =
            (0..64 * words.len()).filter(|&at| bits_at(&words, at, 1) == 1).collect();
        let mut next = 0;
        for (&one, zeros) in ones.iter().zip(numbers) {
            assert_eq!(one, next + zeros as usize);
            next = one + 1;
        }
        assert_eq!(ones.len(), numbers.len());
    }

    #[test]
    fn missing_bytes_are_noticed() {
        let mut reader = BitReader::new(&[1, 2]);
        assert_eq!((reader.take(16), reader.is_at_end()), (0x201, true));
        assert_eq!((reader.take(1), reader.is_at_end()), (0, false));
        let mut reader = BitReader::new(&[1, 2]);
        assert_eq!((reader.take(8), reader.is_at_end()), (1, false));
    }
}
