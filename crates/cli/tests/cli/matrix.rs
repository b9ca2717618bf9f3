//! `zgram matrix`: files that other tools read.

use crate::support::Place;
use predicates::prelude::*;
use std::io::{Cursor, Read};

fn place() -> Place {
    let place = Place::new();
    place.write("c/a.txt", "to be or not to be");
    place.write("c/x/b.txt", "be, ünïcode be");
    place.write("c/x/empty.txt", "");
    place.zgram(["compress", "c", "-o", "c.zgram"]).assert().success();
    place
}

fn matrix(place: &Place, format: &str, more: &[&str]) -> Vec<u8> {
    let _ = std::fs::remove_file(place.path("m"));
    let arguments = ["matrix", "c.zgram", "--format", format, "-o", "m", "--force"];
    place.zgram(arguments.into_iter().chain(more.iter().copied())).assert().success().stdout("");
    place.read("m")
}

#[test]
fn text_formats_are_as_their_readers_want_them() {
    let place = place();
    let cells = "1 1 2\n1 2 1\n1 3 1\n1 4 2\n2 1 2\n2 5 1\n";
    let expected = [
        ("mtx", format!("%%MatrixMarket matrix coordinate integer general\n3 5 6\n{cells}")),
        ("uci", format!("3\n5\n6\n{cells}")),
        ("svmlight", "0 1:2 2:1 3:1 4:2\n0 1:2 5:1\n0\n".to_owned()),
        ("ldac", "4 0:2 1:1 2:1 3:2\n2 0:2 4:1\n0\n".to_owned()),
        ("plda", "be 2 not 1 or 1 to 2\nbe 2 ünïcode 1\n\n".to_owned()),
    ];
    for (format, text) in expected {
        assert_eq!(String::from_utf8(matrix(&place, format, &[])).unwrap(), text, "{format}");
        assert_eq!(place.read("m.terms.txt"), "be\nnot\nor\nto\nünïcode\n".as_bytes());
        assert_eq!(place.read("m.documents.txt"), b"a.txt\nx/b.txt\nx/empty.txt\n");
    }
}

/// The numbers of a numpy array of integers, and what it says of itself.
fn numpy(archive: &mut zip::ZipArchive<Cursor<Vec<u8>>>, name: &str) -> (String, Vec<i64>) {
    let mut bytes = Vec::new();
    archive.by_name(name).unwrap().read_to_end(&mut bytes).unwrap();
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
    let len = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    assert_eq!((10 + len) % 64, 0);
    let header = String::from_utf8(bytes[10..10 + len].to_vec()).unwrap();
    let data = &bytes[10 + len..];
    let numbers = match header.contains("'<i4'") {
        true => {
            data.chunks(4).map(|b| i64::from(i32::from_le_bytes(b.try_into().unwrap()))).collect()
        }
        false => data.chunks(8).map(|b| i64::from_le_bytes(b.try_into().unwrap())).collect(),
    };
    (header, numbers)
}

#[test]
fn npz_has_the_arrays_of_scipy() {
    let place = place();
    let mut archive = zip::ZipArchive::new(Cursor::new(matrix(&place, "npz", &[]))).unwrap();
    assert_eq!(numpy(&mut archive, "shape.npy").1, [3, 5]);
    assert_eq!(numpy(&mut archive, "indptr.npy").1, [0, 4, 6, 6]);
    assert_eq!(numpy(&mut archive, "indices.npy").1, [0, 1, 2, 3, 0, 4]);
    let (header, data) = numpy(&mut archive, "data.npy");
    assert_eq!(data, [2, 1, 1, 2, 2, 1]);
    assert!(header.contains("'<i8'") && header.contains("(6,)"), "{header}");
    let mut format = Vec::new();
    archive.by_name("format.npy").unwrap().read_to_end(&mut format).unwrap();
    assert!(format.ends_with(b"csr"));
}

#[test]
fn options_choose_terms_and_rows() {
    let place = place();
    let mtx = |more: &[&str]| {
        let text = String::from_utf8(matrix(&place, "mtx", more)).unwrap();
        text.split_once('\n').unwrap().1.to_owned()
    };
    assert_eq!(mtx(&["--min-docs", "2"]), "3 1 2\n1 1 2\n2 1 2\n");
    assert_eq!(mtx(&["--max-docs", "0.4", "--min-count", "2"]), "3 1 1\n1 1 2\n");
    assert_eq!(place.read("m.terms.txt"), b"to\n");
    assert_eq!(mtx(&["--max-features", "1", "--binary"]), "3 1 2\n1 1 1\n2 1 1\n");
    assert_eq!(mtx(&["--by", "folder"]), "2 5 6\n1 1 2\n1 2 1\n1 3 1\n1 4 2\n2 1 2\n2 5 1\n");
    assert_eq!(place.read("m.documents.txt"), b".\nx\n");
    place.write("words", "or\nbe\nabsent\n");
    assert_eq!(mtx(&["--vocabulary", "words"]), "3 3 3\n1 1 1\n1 2 2\n2 2 2\n");
    assert_eq!(mtx(&["x/*"]), "2 2 2\n1 1 2\n1 2 1\n");
}

#[test]
fn n_grams_are_terms() {
    let place = place();
    let mtx = |more: &[&str]| {
        let text = String::from_utf8(matrix(&place, "mtx", more)).unwrap();
        text.split_once('\n').unwrap().1.to_owned()
    };
    let terms = || String::from_utf8(place.read("m.terms.txt")).unwrap();
    assert_eq!(mtx(&["-n", "5:6"]), "3 3 3\n1 1 1\n1 2 1\n1 3 1\n");
    assert_eq!(terms(), "be or not to be\nto be or not to\nto be or not to be\n");
    assert_eq!(mtx(&["-n", "2", "--min-count", "2"]), "3 1 1\n1 1 2\n");
    assert_eq!(terms(), "to be\n");
    place.write("stop", "or\nnot\n");
    mtx(&["-n", "2", "--stop", "stop", "a.txt"]);
    assert_eq!(terms(), "to be\n");
    mtx(&["-n", "2", "--stop", "stop", "a.txt", "--gaps"]);
    assert_eq!(terms(), "be to\nto be\n");
    place.write("words", "to be\nbe\nor to\n");
    assert_eq!(mtx(&["-n", "1:2", "--vocabulary", "words"]), "3 3 3\n1 1 2\n1 2 2\n2 2 2\n");
}

#[test]
fn bad_requests_leave_no_file() {
    let place = place();
    place.write("latin", b"caf\xe9\n");
    place.write("other", "walrus\n");
    place.write("taken.terms.txt", "mine");
    let refused: [(&[&str], &str); 10] = [
        (&["-o", "m", "-n", "0:2"], "n-grams of 0 to 2 words are not possible"),
        (&["-o", "m", "-n", "1-2"], "such as 1:2"),
        (&["-o", "m", "-n", "9"], "have no words"),
        (&["-o", "m", "--vocabulary", "latin"], "line 1 is not UTF-8"),
        (&["-o", "m", "--vocabulary", "other"], "none of the 1 terms of the vocabulary occurs"),
        (&["-o", "m", "--min-count", "99"], "none of the 5 distinct terms"),
        (&["-o", "m", "--min-docs", "1.5"], "a share is from 0.0 to 1.0"),
        (&["-o", "m", "--by", "("], "unclosed group"),
        (&["-o", "-"], "a matrix needs files"),
        (&["-o", "taken"], "taken.terms.txt exists already"),
    ];
    for (arguments, message) in refused {
        let command = ["matrix", "c.zgram", "--format", "npz"];
        place
            .zgram(command.into_iter().chain(arguments.iter().copied()))
            .assert()
            .code(2)
            .stderr(predicate::str::contains(message));
        assert!(!place.path("m").exists() && !place.path("taken").exists(), "{arguments:?}");
        assert!(!place.path("m.terms.txt").exists(), "{arguments:?}");
    }
    assert_eq!(place.read("taken.terms.txt"), b"mine");
}
