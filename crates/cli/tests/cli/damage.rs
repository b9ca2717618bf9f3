//! Files that are not what they should be: an error with file, place and offset, never a panic.

use crate::support::Place;
use predicates::prelude::*;

const COMMANDS: [&[&str]; 4] =
    [&["info", "x"], &["ls", "x"], &["verify", "x"], &["decompress", "x", "-o", "out"]];

#[test]
fn other_files_are_told_apart() {
    let place = Place::new();
    for content in [&b""[..], b"x", b"just some text, nothing more", &[0; 100]] {
        place.write("x", content);
        for command in COMMANDS {
            place
                .zgram(command.iter().copied())
                .assert()
                .code(2)
                .stdout("")
                .stderr(predicate::str::starts_with("zgram: error: x: "))
                .stderr(predicate::str::contains("not a zgram file"))
                .stderr(predicate::str::contains("hint: "));
        }
    }
}

#[test]
fn missing_files_and_folders_are_named() {
    let place = Place::new();
    std::fs::create_dir(place.path("folder")).unwrap();
    for (file, why) in [
        ("nothing.zgram", "cannot open nothing.zgram: no such file or folder"),
        ("folder", "folder: no .zgram files are in this folder"),
    ] {
        place.zgram(["info", file]).assert().code(2).stderr(predicate::str::contains(why));
    }
    place
        .zgram(["compress", "nothing", "-o", "x.zgram"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("cannot open nothing"));
    assert_eq!(place.names(), ["folder"]);
}

#[test]
fn cut_files_are_refused_wherever_they_are_cut() {
    let place = Place::with_corpus();
    let whole = place.read("c.zgram");
    for len in (0..whole.len()).step_by(7).chain([whole.len() - 1]) {
        place.write("x", &whole[..len]);
        place
            .zgram(["verify", "x"])
            .assert()
            .code(2)
            .stderr(predicate::str::starts_with("zgram: error: x: "));
    }
    place.write("x", [&whole[..], b"more"].concat());
    place.zgram(["info", "x"]).assert().code(2);
}

#[test]
fn every_flipped_byte_is_noticed() {
    let place = Place::with_corpus();
    let whole = place.read("c.zgram");
    // The header has six bytes in reserve, which mean nothing yet.
    for at in (0..whole.len()).step_by(5).filter(|at| !(10..16).contains(at)) {
        let mut flipped = whole.clone();
        flipped[at] ^= 0x10;
        place.write("x", &flipped);
        let output = place.zgram(["verify", "x"]).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "byte {at}: {error}");
        assert!(error.starts_with("zgram: error: x: "), "byte {at}: {error}");
    }
}

#[test]
fn damage_is_located() {
    let place = Place::with_corpus();
    let mut bytes = place.read("c.zgram");
    // The first section, the only segment, begins behind the header.
    bytes[20] ^= 1;
    place.write("x", &bytes);
    place.zgram(["info", "x"]).assert().success();
    for command in [&["verify", "x"][..], &["decompress", "x", "-o", "out"], &["cat", "x", "*"]] {
        place
            .zgram(command.iter().copied())
            .assert()
            .code(2)
            .stderr(predicate::str::contains("x: segment 0 at byte 16 is damaged: checksum"))
            .stderr(predicate::str::contains("hint: get the file again"));
    }
    assert!(place.tree("out").is_empty());
}

#[test]
fn versions_from_the_future_are_refused() {
    let place = Place::with_corpus();
    let mut bytes = place.read("c.zgram");
    bytes[8] = 77;
    place.write("x", &bytes);
    place
        .zgram(["info", "x"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("format version 77"))
        .stderr(predicate::str::contains("upgrade"));
}

#[test]
fn broken_json_lines_are_located() {
    let place = Place::new();
    place.write("a.jsonl", "{\"text\": \"fine\"}\n{\"text\": 3}\n");
    place
        .zgram(["compress", "-j", "text", "a.jsonl", "-o", "x.zgram"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("a.jsonl:2:"));
    assert_eq!(place.names(), ["a.jsonl"]);
}
