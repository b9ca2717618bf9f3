//! The run-length coding before the transform: four equal bytes are followed by how often the byte
//! comes again, 0 to 255 times (bzip2 writes up to 251, thesis, section 5.2).
//!
//! Its purpose was to keep bzip2's sorting from slowing down. Ours does not need it; the format does.

/// Equal bytes after which a count follows.
const COUNTED: u8 = 4;
/// The longest run under one count, as bzip2 writes it.
const LONGEST: usize = 255;
/// Bytes compared at a time when looking for runs.
const STRIDE: usize = 32;

/// Where the first four equal bytes begin, or the length if there are none.
fn find_run(bytes: &[u8]) -> usize {
    let mut at = 0;
    // Whole strides first, without a branch for each byte.
    while let Some(window) = bytes[at..].first_chunk::<{ STRIDE + 3 }>() {
        let mut any = false;
        for i in 0..STRIDE {
            let differs = (window[i] ^ window[i + 1])
                | (window[i] ^ window[i + 2])
                | (window[i] ^ window[i + 3]);
            any |= differs == 0;
        }
        if any {
            break;
        }
        at += STRIDE;
    }
    let found =
        bytes[at..].windows(COUNTED.into()).position(|four| four.iter().all(|b| *b == four[0]));
    found.map_or(bytes.len(), |ahead| at + ahead)
}

/// The run at the end of what has been coded or decoded.
#[derive(Clone, Copy, Debug, Default)]
struct Tail {
    byte: u8,
    /// How many there are; 0 at the beginning and after a count.
    len: u8,
}

impl Tail {
    /// Adds a byte; returns whether it was the fourth.
    fn push(&mut self, byte: u8) -> bool {
        self.len = if self.len > 0 && self.byte == byte { self.len + 1 } else { 1 };
        self.byte = byte;
        self.len == COUNTED
    }

    /// Adds the bytes that come before four equal ones are complete, and returns their number.
    fn pass(&mut self, bytes: &[u8]) -> usize {
        // Bytes that may continue the run at the tail are checked one by one.
        let mut passed = 0;
        while let Some(&byte) = bytes.get(passed).filter(|&&byte| self.len > 0 && byte == self.byte)
        {
            if self.len + 1 == COUNTED {
                return passed;
            }
            self.push(byte);
            passed += 1;
        }
        let free = find_run(&bytes[passed..]);
        let until = if passed + free < bytes.len() { passed + free + 3 } else { bytes.len() };
        let last = until.saturating_sub(3).max(passed);
        if last > passed {
            self.len = 0;
        }
        for &byte in &bytes[last..until] {
            self.push(byte);
        }
        until
    }
}

/// Codes bytes into a block until it is full.
#[derive(Debug)]
pub(crate) struct Packer {
    block: Vec<u8>,
    capacity: usize,
    tail: Tail,
    /// Repetitions so far of a byte that has come four times.
    repeated: Option<u8>,
}

impl Packer {
    /// A block of at most `capacity` bytes and a few more.
    pub(crate) fn new(capacity: usize, mut memory: Vec<u8>) -> Self {
        memory.clear();
        Self { block: memory, capacity, tail: Tail::default(), repeated: None }
    }

    /// Adds what fits; returns how much that was.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> usize {
        let mut taken = 0;
        while taken < bytes.len() && !self.is_full() {
            let rest = &bytes[taken..];
            if let Some(repeated) = self.repeated {
                let most = LONGEST - usize::from(COUNTED) - usize::from(repeated);
                let more =
                    rest.iter().take(most).take_while(|&&byte| byte == self.tail.byte).count();
                taken += more;
                let repeated = repeated + more as u8;
                self.repeated = Some(repeated);
                if more == most || more < rest.len() {
                    self.end_run();
                }
                continue;
            }
            let room = rest.len().min(self.capacity - self.block.len());
            let passed = self.tail.pass(&rest[..room]);
            self.block.extend_from_slice(&rest[..passed]);
            taken += passed;
            if passed < room {
                let fourth = self.tail.push(rest[passed]);
                debug_assert!(fourth, "a byte was held back without need");
                self.block.push(rest[passed]);
                taken += 1;
                self.repeated = Some(0);
            }
        }
        taken
    }

    fn end_run(&mut self) {
        if let Some(repeated) = self.repeated.take() {
            self.block.push(repeated);
            self.tail = Tail::default();
        }
    }

    /// Whether the block is full. A run at its end may still grow.
    pub(crate) fn is_full(&self) -> bool {
        self.repeated.is_none() && self.block.len() >= self.capacity
    }

    /// Whether the block is empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.block.is_empty()
    }

    /// The coded block.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.end_run();
        self.block
    }
}

/// Decodes blocks piece by piece, as much at a time as there is room for.
#[derive(Debug, Default)]
pub(crate) struct Unpacker {
    tail: Tail,
    /// Repetitions still to be written.
    repeats: usize,
}

impl Unpacker {
    /// Decodes from the front of `coded` into `out`, until either ends. Returns how much was written.
    pub(crate) fn unpack(&mut self, coded: &mut &[u8], out: &mut [u8]) -> usize {
        let mut written = 0;
        loop {
            let repeats = self.repeats.min(out.len() - written);
            out[written..written + repeats].fill(self.tail.byte);
            written += repeats;
            self.repeats -= repeats;
            if self.repeats > 0 || coded.is_empty() {
                return written;
            }
            if self.tail.len == COUNTED {
                self.repeats = coded[0].into();
                self.tail.len = 0;
                *coded = &coded[1..];
                continue;
            }
            let room = coded.len().min(out.len() - written);
            if room == 0 {
                return written;
            }
            let mut passed = self.tail.pass(&coded[..room]);
            if passed < room {
                self.tail.push(coded[passed]);
                passed += 1;
            }
            out[written..written + passed].copy_from_slice(&coded[..passed]);
            written += passed;
            *coded = &coded[passed..];
        }
    }

    /// Whether a block may end here: not between four equal bytes and their count.
    pub(crate) fn is_complete(&self) -> bool {
        self.tail.len < COUNTED && self.repeats == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pack(bytes: &[u8], portion: usize) -> Vec<u8> {
        let mut packer = Packer::new(usize::MAX, Vec::new());
        for portion in bytes.chunks(portion) {
            assert_eq!(packer.push(portion), portion.len());
        }
        packer.finish()
    }

    fn unpack(mut coded: &[u8], portion: usize) -> Vec<u8> {
        let mut unpacker = Unpacker::default();
        let mut bytes = Vec::new();
        let mut out = vec![0; portion];
        loop {
            let written = unpacker.unpack(&mut coded, &mut out);
            if written == 0 {
                break;
            }
            bytes.extend_from_slice(&out[..written]);
        }
        assert!(unpacker.is_complete());
        bytes
    }

    #[test]
    fn runs_are_counted() {
        assert_eq!(pack(b"abbb", 1), b"abbb");
        assert_eq!(pack(b"abbbb", 2), b"abbbb\0");
        assert_eq!(pack(b"aaaaaab", 3), b"aaaa\x02b");
        assert_eq!(pack(&[7; 255], 100), [7, 7, 7, 7, 251]);
        assert_eq!(pack(&[7; 256], 100), [7, 7, 7, 7, 251, 7]);
        assert_eq!(pack(&[7; 255 + 5], 100), [7, 7, 7, 7, 251, 7, 7, 7, 7, 1]);
    }

    #[test]
    fn counts_up_to_255_are_read() {
        assert_eq!(unpack(&[7, 7, 7, 7, 255], 9), [7; 259]);
    }

    #[test]
    fn a_block_must_not_end_before_a_count() {
        let mut unpacker = Unpacker::default();
        unpacker.unpack(&mut &b"aaaa"[..], &mut [0; 9]);
        assert!(!unpacker.is_complete());
    }

    #[test]
    fn full_blocks_take_no_more() {
        let mut packer = Packer::new(10, Vec::new());
        assert_eq!(packer.push(b"0123456789abc"), 10);
        assert!(packer.is_full());
        let mut packer = Packer::new(5, Vec::new());
        assert_eq!(packer.push(b"1aaaaaaaab"), 9);
        assert_eq!(packer.finish(), b"1aaaa\x04");
        let mut packer = Packer::new(3, Vec::new());
        assert_eq!(packer.push(b"aaaaaaaab"), 3);
    }

    proptest! {
        #[test]
        fn bytes_come_back(
            runs in proptest::collection::vec((0u8..3, 1usize..9), 0..60),
            long in 0usize..600,
            portions in (1usize..50, 1usize..50),
        ) {
            let mut bytes: Vec<u8> = runs.iter().flat_map(|&(byte, len)| vec![byte; len]).collect();
            let middle = bytes.len() / 2;
            bytes.splice(middle..middle, vec![9; long]);
            let coded = pack(&bytes, portions.0);
            prop_assert_eq!(&coded, &pack(&bytes, usize::MAX >> 1));
            prop_assert_eq!(unpack(&coded, portions.1), bytes);
        }

        #[test]
        fn blocks_hold_what_they_took(
            bytes in proptest::collection::vec(0u8..2, 0..300), capacity in 1usize..40,
        ) {
            let (mut rest, mut back) = (&bytes[..], Vec::new());
            while !rest.is_empty() {
                let mut packer = Packer::new(capacity, Vec::new());
                let taken = packer.push(rest);
                prop_assert!(taken > 0);
                let block = packer.finish();
                prop_assert!(block.len() <= capacity + 1);
                back.extend(unpack(&block, 1000));
                rest = &rest[taken..];
            }
            prop_assert_eq!(back, bytes);
        }
    }
}
