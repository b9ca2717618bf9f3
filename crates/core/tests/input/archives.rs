//! Tar archives, from a file and from a stream.

use crate::support::{names, read, read_all, read_stdin, write};
use std::io::Read;
use tar::{Builder, EntryType, Header};
use zgram::input::{InputError, ReadOptions};

fn header(kind: EntryType, size: usize) -> Header {
    let mut header = Header::new_gnu();
    header.set_entry_type(kind);
    header.set_size(size as u64);
    header.set_mode(0o644);
    header
}

fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = Builder::new(Vec::new());
    for (name, bytes) in members {
        let mut header = header(EntryType::Regular, bytes.len());
        builder.append_data(&mut header, name, *bytes).unwrap();
    }
    builder.into_inner().unwrap()
}

#[test]
fn members_come_in_order_with_their_paths() {
    let tar = archive(&[("b/two", b"2"), ("./a", b"one"), ("empty", b"")]);
    let documents = read_stdin(&tar).unwrap();
    assert_eq!(names(&documents), ["b/two", "a", "empty"]);
    assert_eq!(documents[1].text, b"one");
    assert_eq!(documents[1].size, Some(3));

    let root = tempfile::tempdir().unwrap();
    assert_eq!(read(&write(root.path(), "x.tar", &tar)), documents);
    assert_eq!(read(&write(root.path(), "no-ending", &tar)), documents);
}

#[test]
fn long_names_of_both_kinds() {
    let long = "long/".repeat(60) + "name";
    let gnu = archive(&[(&long, b"gnu")]);
    assert_eq!(names(&read_stdin(&gnu).unwrap()), [long.as_str()]);

    let mut builder = Builder::new(Vec::new());
    builder.append_pax_extensions([("path", long.as_bytes())]).unwrap();
    let mut short = Header::new_ustar();
    short.set_size(3);
    builder.append_data(&mut short, "short", &b"pax"[..]).unwrap();
    let documents = read_stdin(&builder.into_inner().unwrap()).unwrap();
    assert_eq!(names(&documents), [long.as_str()]);
    assert_eq!(documents[0].text, b"pax");
}

#[test]
fn names_stay_bytes_and_become_relative() {
    let mut raw = header(EntryType::Regular, 1);
    raw.as_old_mut().name[..6].copy_from_slice(b"/a\xff/\xfeb");
    raw.set_cksum();
    let mut builder = Builder::new(Vec::new());
    builder.append(&raw, &b"x"[..]).unwrap();
    let documents = read_stdin(&builder.into_inner().unwrap()).unwrap();
    assert_eq!(documents[0].name, b"a\xff/\xfeb");
}

#[test]
fn what_has_no_text_is_skipped_with_a_notice() {
    let mut builder = Builder::new(Vec::new());
    builder.append_data(&mut header(EntryType::Directory, 0), "d/", &b""[..]).unwrap();
    builder.append_data(&mut header(EntryType::Regular, 1), "d/a", &b"x"[..]).unwrap();
    builder.append_link(&mut header(EntryType::Link, 0), "hard", "d/a").unwrap();
    builder.append_link(&mut header(EntryType::Symlink, 0), "soft", "d/a").unwrap();
    builder.append_data(&mut header(EntryType::Fifo, 0), "pipe", &b""[..]).unwrap();
    builder.append_pax_extensions([("GNU.sparse.major", &b"1"[..])]).unwrap();
    builder.append_data(&mut header(EntryType::Regular, 1), "sparse", &b"x"[..]).unwrap();
    builder.append_data(&mut header(EntryType::Regular, 1), "last", &b"y"[..]).unwrap();
    let tar = builder.into_inner().unwrap();
    let (documents, notices) = read_all(&["-"], &tar, ReadOptions::default()).unwrap();
    assert_eq!(names(&documents), ["d/a", "last"]);
    assert_eq!(notices.len(), 4, "{notices:?}");
    assert!(notices[0].contains("stdin/hard") && notices[0].contains("hard link"));
}

#[test]
fn an_empty_archive_has_no_documents() {
    let root = tempfile::tempdir().unwrap();
    assert_eq!(read(&write(root.path(), "x.tar", &archive(&[]))), []);
    assert_eq!(read(&write(root.path(), "zeros", &archive(&[]))).len(), 1);
}

#[test]
fn an_archive_can_be_one_document() {
    let tar = archive(&[("a", b"1")]);
    let options = ReadOptions { unpack: false, ..ReadOptions::default() };
    let (documents, _) = read_all(&["-"], &tar, options).unwrap();
    assert_eq!(names(&documents), ["stdin"]);
    assert_eq!(documents[0].text, tar);
}

#[test]
fn text_with_the_magic_of_tar_is_text() {
    let mut text = vec![b'x'; 600];
    text[257..262].copy_from_slice(b"ustar");
    assert_eq!(read_stdin(&text).unwrap()[0].text, text);
}

#[test]
fn a_member_twice_is_refused() {
    let tar = archive(&[("a", b"1"), ("./a", b"2")]);
    assert!(matches!(read_stdin(&tar), Err(InputError::DuplicateName { .. })));
}

#[test]
fn a_cut_archive_names_the_member() {
    let tar = archive(&[("a", b"1"), ("dir/b", &[b'x'; 3000])]);
    for end in [1024 + 100, 1024 + 512 + 1, 1024 + 512 + 2999] {
        let error = read_stdin(&tar[..end]).unwrap_err();
        assert!(matches!(error, InputError::Archive { .. }), "{error}");
        assert!(end == 1124 || error.to_string().contains("stdin/dir/b"), "{error}");
    }
}

#[test]
fn data_after_the_end_is_reported() {
    let mut tar = archive(&[("a", b"1")]);
    tar.extend_from_slice(&archive(&[("b", b"2")]));
    let (documents, notices) = read_all(&["-"], &tar, ReadOptions::default()).unwrap();
    assert_eq!((names(&documents), notices.len()), (vec!["a".to_owned()], 1));
}

#[test]
fn compressed_archives_are_unpacked_and_checked_to_the_end() {
    let tar = archive(&[("a.txt.gz", b"kept as it is"), ("b", &[b'x'; 5000])]);
    let mut gzip = Vec::new();
    let level = flate2::Compression::default();
    flate2::read::GzEncoder::new(&tar[..], level).read_to_end(&mut gzip).unwrap();
    assert_eq!(names(&read_stdin(&gzip).unwrap()), ["a.txt.gz", "b"]);
    let crc = gzip.len() - 8;
    gzip[crc] ^= 1;
    assert!(matches!(read_stdin(&gzip), Err(InputError::Decompress { .. })));
}
