//! The bzip2 format against the reference implementation, both ways.

use proptest::prelude::*;
use std::io::{Read, Write};
use zgram_bwt::bzip2::{Error, Reader, Writer, WriterOptions};

fn compress(text: &[u8], level: u8, threads: usize) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), WriterOptions { level, threads });
    writer.write_all(text).unwrap();
    writer.finish().unwrap()
}

fn decompress(file: &[u8], threads: usize) -> std::io::Result<Vec<u8>> {
    let mut text = Vec::new();
    Reader::new(file, threads).read_to_end(&mut text)?;
    Ok(text)
}

fn compress_by_reference(text: &[u8], level: u32) -> Vec<u8> {
    let mut writer = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::new(level));
    writer.write_all(text).unwrap();
    writer.finish().unwrap()
}

fn decompress_by_reference(file: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut text = Vec::new();
    bzip2::read::MultiBzDecoder::new(file).read_to_end(&mut text)?;
    Ok(text)
}

/// Bytes that look random and are the same every time.
fn noise(len: usize, symbols: u32) -> Vec<u8> {
    let mut state = 1u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        ((state >> 8) % symbols) as u8
    };
    (0..len).map(|_| next()).collect()
}

/// Texts of several blocks at level 1, with what sorting and run lengths find hard.
fn texts() -> Vec<Vec<u8>> {
    let mut mixed = noise(150_000, 3);
    mixed.extend([0; 90_000]);
    mixed.extend(noise(100_000, 256));
    mixed.extend(b"abracadabra ".repeat(30_000));
    vec![
        vec![],
        b"x".to_vec(),
        b"mississippi".to_vec(),
        vec![7; 3],
        vec![7; 4],
        vec![7; 5],
        vec![7; 255],
        vec![7; 260],
        vec![b'a'; 6_000_000],
        b"ab".repeat(200_000),
        (0..=255).collect(),
        noise(99_981, 256),
        noise(99_982, 200),
        noise(350_000, 2),
        mixed,
    ]
}

#[test]
fn what_we_write_everybody_reads() {
    for text in texts() {
        for (level, threads) in [(1, 1), (1, 3), (9, 2)] {
            let file = compress(&text, level, threads);
            assert_eq!(decompress_by_reference(&file).unwrap(), text);
            assert_eq!(decompress(&file, 1).unwrap(), text);
            assert_eq!(decompress(&file, 3).unwrap(), text);
        }
    }
}

#[test]
fn what_others_write_we_read() {
    for text in texts() {
        for level in [1, 9] {
            let file = compress_by_reference(&text, level);
            assert_eq!(decompress(&file, 1).unwrap(), text);
            assert_eq!(decompress(&file, 3).unwrap(), text);
        }
    }
}

#[test]
fn files_do_not_depend_on_threads_and_are_as_small_as_the_reference() {
    for text in texts() {
        let file = compress(&text, 1, 1);
        assert_eq!(file, compress(&text, 1, 4));
        let reference = compress_by_reference(&text, 1).len();
        assert!(file.len() <= reference + reference / 100 + 8, "{} {reference}", file.len());
    }
}

#[test]
fn every_level_has_its_block_size() {
    let text = noise(1_000_000, 4);
    for level in 1..=9 {
        let file = compress(&text, level, 2);
        assert_eq!(file[3], b'0' + level);
        assert_eq!(decompress_by_reference(&file).unwrap(), text);
    }
}

#[test]
fn streams_may_follow_each_other_at_any_level() {
    let texts = [noise(250_000, 5), vec![], noise(120_000, 200), b"end".to_vec()];
    let files: Vec<_> =
        texts.iter().zip([1, 9, 2, 1]).map(|(text, level)| compress(text, level, 1)).collect();
    for threads in [1, 3] {
        assert_eq!(decompress(&files.concat(), threads).unwrap(), texts.concat());
    }
}

fn kind(result: std::io::Result<Vec<u8>>) -> Error {
    *result.unwrap_err().into_inner().unwrap().downcast().unwrap()
}

#[test]
fn bytes_behind_the_last_stream_are_reported() {
    let file = compress(b"mississippi", 9, 1);
    for (garbage, is_reported) in [(&b""[..], false), (b"x", true), (b"BZx", true), (b"BZh0", true)]
    {
        let bytes = [&file[..], garbage].concat();
        let mut reader = Reader::new(&bytes[..], 1);
        let mut text = Vec::new();
        reader.read_to_end(&mut text).unwrap();
        assert_eq!(text, b"mississippi");
        assert_eq!(reader.has_trailing_garbage(), is_reported);
    }
    // What might have become a stream is a file cut short.
    for begun in [&b"B"[..], b"BZh", b"BZh9", b"BZh91AY"] {
        let bytes = [&file[..], begun].concat();
        assert!(matches!(kind(decompress(&bytes, 1)), Error::Truncated { .. }));
    }
}

#[test]
fn other_files_are_refused() {
    for bytes in [&b"x"[..], b"BZx", b"BZh0", b"PK\x03\x04", &[0; 100]] {
        assert!(matches!(kind(decompress(bytes, 1)), Error::Foreign));
    }
    assert!(matches!(kind(decompress(b"", 1)), Error::Truncated { .. }));
    assert!(matches!(kind(decompress(b"BZh9xxxxxxxxxxxx", 1)), Error::Damaged { .. }));
}

#[test]
fn a_file_cut_anywhere_is_distinguished_from_a_damaged_one() {
    let text = noise(250_000, 3);
    let file = compress(&text, 1, 1);
    for len in (0..file.len()).step_by(997).chain(file.len() - 20..file.len()) {
        for threads in [1, 3] {
            let error = kind(decompress(&file[..len], threads));
            let Error::Truncated { offset, .. } = error else { panic!("{len}: {error}") };
            assert_eq!(offset, len as u64);
        }
    }
}

#[test]
fn blocks_before_the_damage_are_handed_out() {
    let text = noise(350_000, 3);
    let mut file = compress(&text, 1, 1);
    let last = file.len() - 100;
    file[last] ^= 4;
    let mut read = Vec::new();
    let error = Reader::new(&file[..], 2).read_to_end(&mut read).unwrap_err();
    assert!(error.to_string().starts_with("block 4, from bit "), "{error}");
    assert_eq!(read, text[..read.len()]);
    assert!(read.len() > 290_000);
}

#[test]
fn checksums_name_block_and_place() {
    let mut file = compress(b"mississippi", 9, 1);
    file[12] ^= 1;
    let error = kind(decompress(&file, 1));
    assert!(matches!(error, Error::BlockChecksum { block: 1, offset: 4, bit: 0, .. }), "{error}");
    let mut file = compress(b"mississippi", 9, 1);
    let end = file.len();
    file[end - 3] ^= 1;
    assert!(matches!(kind(decompress(&file, 1)), Error::StreamChecksum { .. }));
}

/// Reads that give a few bytes at a time, as pipes do.
struct Dribble<'a>(&'a [u8]);

impl Read for Dribble<'_> {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        let len = out.len().min(7);
        self.0.read(&mut out[..len])
    }
}

#[test]
fn input_and_output_may_come_in_any_portions() {
    let text = noise(230_000, 9);
    let mut writer = Writer::new(Vec::new(), WriterOptions { level: 1, threads: 2 });
    for portion in text.chunks(1237) {
        writer.write_all(portion).unwrap();
        writer.flush().unwrap();
    }
    let file = writer.finish().unwrap();
    assert_eq!(file, compress(&text, 1, 1));
    let mut reader = Reader::new(Dribble(&file), 2);
    let (mut read, mut portion) = (Vec::new(), [0; 1001]);
    loop {
        let len = reader.read(&mut portion).unwrap();
        if len == 0 {
            break;
        }
        read.extend_from_slice(&portion[..len]);
    }
    assert_eq!(read, text);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(zgram_testkit::cases(200)))]

    #[test]
    fn any_text_comes_back(text in proptest::collection::vec(0u8..4, 0..3000)) {
        let file = compress(&text, 1, 1);
        prop_assert_eq!(&decompress_by_reference(&file).unwrap(), &text);
        prop_assert_eq!(&decompress(&file, 1).unwrap(), &text);
    }

    #[test]
    fn damage_is_refused_where_the_reference_refuses(
        text in proptest::collection::vec(0u8..20, 1..400),
        damage in proptest::collection::vec((any::<prop::sample::Index>(), 0u8..8), 1..4),
        keep in 0usize..4,
    ) {
        let mut file = compress(&text, 1, 1);
        for (place, bit) in damage {
            let place = place.index(file.len());
            file[place] ^= 1 << bit;
        }
        if keep == 0 {
            file.truncate(file.len() / 2);
        }
        let (ours, theirs) = (decompress(&file, 1), decompress_by_reference(&file));
        // The binding does not pass over bytes behind the last stream, the program does.
        if let Ok(theirs) = theirs {
            prop_assert_eq!(ours.unwrap(), theirs);
        } else {
            prop_assert!(ours.is_err() || ours.unwrap().len() <= text.len());
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let file = [&b"BZh11AY&SY"[..], &bytes].concat();
        prop_assert!(decompress(&file, 1).is_err());
        let _ = decompress(&bytes, 1);
    }
}
