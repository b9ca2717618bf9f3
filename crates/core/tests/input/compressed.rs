//! Compressed files: every format, whole, in pieces and damaged.

use crate::support::{names, read, read_all, read_stdin, write};
use std::io::{Read, Write};
use zgram::input::{Decompress, InputError, ReadOptions, Sources};

type Compress = fn(&[u8]) -> Vec<u8>;

const FORMATS: [(&str, Compress); 4] = [("gz", gzip), ("zst", zstd), ("bz2", bzip2), ("xz", xz)];

fn gzip(bytes: &[u8]) -> Vec<u8> {
    all(flate2::read::GzEncoder::new(bytes, flate2::Compression::default()))
}

/// With a checksum, which the command line tool writes but the library does not by default.
fn zstd(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 3).unwrap();
    encoder.include_checksum(true).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn bzip2(bytes: &[u8]) -> Vec<u8> {
    all(bzip2::read::BzEncoder::new(bytes, bzip2::Compression::default()))
}

fn xz(bytes: &[u8]) -> Vec<u8> {
    all(liblzma::read::XzEncoder::new(bytes, 6))
}

fn all(mut reader: impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    reader.read_to_end(&mut bytes).unwrap();
    bytes
}

/// Text that compresses badly and is longer than any buffer on its way.
fn text() -> Vec<u8> {
    let mut state = 1u32;
    std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        b"abcdefgh etaoin\n"[(state >> 28) as usize]
    })
    .take(1_500_000)
    .collect()
}

#[test]
fn every_format_by_file_and_by_stdin() {
    let root = tempfile::tempdir().unwrap();
    let text = text();
    for (ending, compress) in FORMATS {
        let path = write(root.path(), &format!("a.txt.{ending}"), &compress(&text));
        let documents = read(&path);
        assert_eq!(names(&documents), ["a.txt"], "{ending}");
        assert!(documents[0].text == text, "{ending}");
        assert_eq!(documents[0].size, None);
        assert!(read_stdin(&compress(&text)).unwrap()[0].text == text, "{ending}");
        assert_eq!(read_stdin(&compress(b"")).unwrap()[0].text, b"", "{ending}");
    }
}

#[test]
fn every_stream_of_a_file_is_read() {
    for (ending, compress) in FORMATS {
        let pieces = [compress(b"one "), compress(b""), compress(b"two")].concat();
        assert_eq!(read_stdin(&pieces).unwrap()[0].text, b"one two", "{ending}");
    }
}

#[test]
fn zstd_with_a_long_window_and_a_skippable_frame() {
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
    encoder.window_log(28).unwrap();
    encoder.long_distance_matching(true).unwrap();
    encoder.write_all(b"far back").unwrap();
    let frame = encoder.finish().unwrap();
    let skippable = b"\x50\x2a\x4d\x18\x03\x00\x00\x00abc";
    assert_eq!(read_stdin(&[skippable, &frame[..]].concat()).unwrap()[0].text, b"far back");
}

#[test]
fn an_ending_alone_means_nothing() {
    let root = tempfile::tempdir().unwrap();
    for (ending, _) in FORMATS {
        let name = format!("a.{ending}");
        let documents = read(&write(root.path(), &name, b"just text"));
        assert_eq!(names(&documents), [name]);
        assert_eq!(documents[0].text, b"just text");
    }
}

#[test]
fn decompression_can_be_off() {
    let bytes = gzip(b"text");
    let options = ReadOptions { decompress: Decompress::No, ..ReadOptions::default() };
    let root = tempfile::tempdir().unwrap();
    let path = write(root.path(), "a.gz", &bytes);
    let (documents, _) = read_all(&[path], b"", options).unwrap();
    assert_eq!(names(&documents), ["a.gz"]);
    assert_eq!(documents[0].text, bytes);
}

/// A folder with a compressed file of every format, and one that is not compressed.
fn mixed_folder() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for (number, (ending, compress)) in FORMATS.iter().enumerate() {
        write(root.path(), &format!("old/{number}.log.{ending}"), &compress(b"one day\n"));
    }
    write(root.path(), "new.log", b"another day\n");
    root
}

#[test]
fn files_found_in_folders_are_decompressed_if_all_are() {
    let root = mixed_folder();
    let options = ReadOptions { decompress: Decompress::All, ..ReadOptions::default() };
    let (documents, notices) = read_all(&[root.path()], b"", options.clone()).unwrap();
    let expected = ["new.log", "old/0.log", "old/1.log", "old/2.log", "old/3.log"];
    assert_eq!(names(&documents), expected);
    assert_eq!(documents[0].text, b"another day\n");
    assert!(documents[1..].iter().all(|document| document.text == b"one day\n"));
    assert_eq!(notices, [""; 0]);
    let sources = Sources::new([root.path().to_owned()]).options(options);
    assert_eq!(sources.size_hint(), None, "nobody knows how long the texts are");
}

#[test]
fn two_files_that_decompress_to_one_name_are_refused() {
    let root = mixed_folder();
    write(root.path(), "new.log.gz", &gzip(b"the same day"));
    let options = ReadOptions { decompress: Decompress::All, ..ReadOptions::default() };
    let error = read_all(&[root.path()], b"", options).unwrap_err();
    assert!(
        matches!(&error, InputError::DuplicateName { name, .. } if name == "new.log"),
        "{error}"
    );
}

#[test]
fn compressed_files_stored_unchanged_are_reported() {
    let root = mixed_folder();
    let (documents, notices) = read_all(&[root.path()], b"", ReadOptions::default()).unwrap();
    assert_eq!(documents[1].text, gzip(b"one day\n"));
    let [notice] = &notices[..] else { panic!("{notices:?}") };
    assert!(notice.starts_with("compressed files inside folders") && notice.ends_with(": 4"));
    let no = ReadOptions { decompress: Decompress::No, ..ReadOptions::default() };
    assert_eq!(read_all(&[root.path()], b"", no).unwrap().1, [""; 0], "that was asked for");
}

#[test]
fn a_cut_or_damaged_file_is_named() {
    let root = tempfile::tempdir().unwrap();
    for (ending, compress) in FORMATS {
        let whole = compress(&text()[..50_000]);
        let mut flipped = whole.clone();
        flipped[whole.len() / 2] ^= 0x55;
        for bytes in [&whole[..whole.len() / 2], &whole[..whole.len() - 3], &flipped] {
            let path = write(root.path(), &format!("bad.{ending}"), bytes);
            let outcome = read_all(&[&path], b"", ReadOptions::default());
            let error = outcome.err().unwrap_or_else(|| panic!("{ending}: read as if whole"));
            assert!(
                matches!(&error, InputError::Decompress { path: named, .. } if *named == path),
                "{ending}: {error}"
            );
        }
    }
}

#[test]
fn stripped_names_can_clash() {
    let root = tempfile::tempdir().unwrap();
    let paths = [write(root.path(), "a", b"plain"), write(root.path(), "a.gz", &gzip(b"packed"))];
    let error = read_all(&paths, b"", ReadOptions::default()).unwrap_err();
    assert!(matches!(error, InputError::DuplicateName { .. }), "{error}");
}
