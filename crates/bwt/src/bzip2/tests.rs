//! Streams that no encoder writes: forged bit by bit, and read both by us and by bzip2.

use super::crc::combine;
use super::encode::{Encoder, checksum, put_magic};
use super::random::flipped_places;
use super::runs::Packer;
use super::{BLOCK_MAGIC, Reader, TAIL_MAGIC};
use crate::bits::{BitReader, BitWriter};
use std::io::Read;

fn packed(text: &[u8]) -> Vec<u8> {
    let mut packer = Packer::new(900_000, Vec::new());
    assert_eq!(packer.push(text), text.len());
    packer.finish()
}

/// A stream of level 9 made of these blocks: bytes, bits, checksum.
fn stream(blocks: &[(Vec<u8>, u64, u32)]) -> Vec<u8> {
    let mut writer = BitWriter::default();
    writer.put(u32::from_le_bytes(*b"9hZB"), 32);
    let mut crc = 0;
    for (bytes, bits, block) in blocks {
        writer.append(bytes, *bits);
        crc = combine(crc, *block);
    }
    put_magic(&mut writer, TAIL_MAGIC);
    writer.put(crc, 32);
    writer.finish()
}

fn block(text: &[u8]) -> (Vec<u8>, u64, u32) {
    let encoded = Encoder::default().encode(packed(text), None).unwrap();
    (encoded.bytes, encoded.bits, encoded.crc)
}

/// The text that we and bzip2 agree on.
fn read(file: &[u8]) -> Vec<u8> {
    let mut theirs = Vec::new();
    bzip2::read::MultiBzDecoder::new(file).read_to_end(&mut theirs).unwrap();
    for threads in [1, 3] {
        let mut ours = Vec::new();
        Reader::new(file, threads).read_to_end(&mut ours).unwrap();
        assert_eq!(ours, theirs, "{threads} threads");
    }
    theirs
}

/// Adds selectors to a block that are never used but spell a block's magic number.
fn with_magic_inside((bytes, bits, crc): &(Vec<u8>, u64, u32)) -> (Vec<u8>, u64, u32) {
    let mut reader = BitReader::at(bytes, 0);
    let mut writer = BitWriter::default();
    let mut copy = |reader: &mut BitReader<'_>, count| {
        let value = reader.take(count);
        writer.put(value, count);
        value
    };
    for count in [24, 24, 32, 25] {
        copy(&mut reader, count);
    }
    let ranges = copy(&mut reader, 16);
    for _ in 0..ranges.count_ones() {
        copy(&mut reader, 16);
    }
    // A magic number read as selectors: each zero ends one, and so does the one behind it.
    let tables = reader.take(3);
    let selectors = reader.take(15);
    writer.put(tables.max(3), 3);
    writer.put(selectors + BLOCK_MAGIC.count_zeros() - 16 + 1, 15);
    for _ in 0..selectors {
        while reader.bit() {
            writer.put(1, 1);
        }
        writer.put(0, 1);
    }
    put_magic(&mut writer, BLOCK_MAGIC);
    writer.put(0, 1);
    // If there were two tables, a third one that nobody uses, a copy of the first, comes first in
    // line behind them: its lengths are written behind theirs.
    let lengths_at = reader.position();
    let skip_table = |reader: &mut BitReader<'_>, alphabet: u32| {
        reader.take(5);
        for _ in 0..alphabet {
            while reader.bit() {
                reader.bit();
            }
        }
    };
    let used: u32 = {
        let mut head = BitReader::at(bytes, 105);
        let ranges = head.take(16);
        (0..ranges.count_ones()).map(|_| head.take(16).count_ones()).sum()
    };
    for _ in 0..tables {
        skip_table(&mut reader, used + 2);
    }
    let symbols_at = reader.position();
    let mut copy_range = |from: u64, until: u64| {
        let mut reader = BitReader::at(bytes, from);
        for _ in from..until {
            writer.put(reader.take(1), 1);
        }
    };
    copy_range(lengths_at, symbols_at);
    if tables == 2 {
        let mut first = BitReader::at(bytes, lengths_at);
        skip_table(&mut first, used + 2);
        copy_range(lengths_at, first.position());
    }
    copy_range(symbols_at, *bits);
    let bits = writer.len();
    (writer.finish(), bits, *crc)
}

#[test]
fn magic_numbers_by_chance_do_no_harm() {
    let texts: [&[u8]; 4] = [b"mississippi", b"ababacabac", b"one more", b"the last"];
    let mut blocks: Vec<_> = texts.iter().map(|text| block(text)).collect();
    for forged in [0, 2, 3] {
        blocks[forged] = with_magic_inside(&blocks[forged]);
    }
    let file = stream(&blocks);
    assert_eq!(super::scan::find_magics(&file).len(), 4 + 3 + 1);
    assert_eq!(read(&file), texts.concat());
}

#[test]
fn randomised_blocks_are_read() {
    // Neighbours differ by more than a bit, so there are no runs, flipped or not.
    let text: Vec<u8> =
        (0..30_000u32).map(|i| ((i * i) >> 7) as u8 % 50 + (i % 2) as u8 * 100).collect();
    let mut flipped = packed(&text);
    let crc = checksum([&flipped[..]].into_iter()).unwrap();
    for place in flipped_places(flipped.len()) {
        flipped[place] ^= 1;
    }
    let encoded = Encoder::default().encode(flipped, None).unwrap();
    let mut bytes = encoded.bytes;
    bytes[6..10].copy_from_slice(&crc.swap_bytes().to_le_bytes());
    bytes[10] |= 0x80;
    assert_eq!(read(&stream(&[(bytes, encoded.bits, crc)])), text);
}

#[test]
fn a_block_that_ends_within_a_run_is_refused() {
    let encoded = {
        let mut encoder = Encoder::default();
        let whole = encoder.encode(b"xaaaa\0".to_vec(), None).unwrap();
        // The same block without the count, under the checksum of the same text.
        let mut cut = encoder.encode(b"xaaab".to_vec(), None).unwrap();
        cut.bytes[6..10].copy_from_slice(&whole.bytes[6..10]);
        cut
    };
    let file = stream(&[(encoded.bytes, encoded.bits, encoded.crc)]);
    let mut text = Vec::new();
    assert!(Reader::new(&file[..], 1).read_to_end(&mut text).is_err());
}

/// Counts what is read.
struct Counted<'c, R>(R, &'c mut usize);

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let len = self.0.read(out)?;
        *self.1 += len;
        Ok(len)
    }
}

#[test]
fn what_is_behind_the_last_stream_is_not_read_in_search_of_blocks() {
    let file = stream(&[block(b"text"), block(b" and more")]);
    for threads in [1, 3] {
        let mut bytes = 0;
        let garbage = std::io::repeat(b'x').take(1 << 26);
        let input = Counted(file.chain(garbage), &mut bytes);
        let mut reader = Reader::new(input, threads);
        let mut text = Vec::new();
        reader.read_to_end(&mut text).unwrap();
        assert!(reader.has_trailing_garbage());
        drop(reader);
        assert_eq!(text, b"text and more");
        assert!(bytes < 1 << 23, "{bytes} bytes were read");
    }
}
