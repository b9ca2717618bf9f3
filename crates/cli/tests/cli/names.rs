//! Document names never lead out of the output folder.

use crate::support::{Place, tar_of};
use predicates::prelude::*;

/// Compresses an archive with these members into `x.zgram`.
fn place_with_members(names: &[&[u8]]) -> Place {
    let place = Place::new();
    let members: Vec<(&[u8], &[u8])> = names.iter().map(|name| (*name, &b"evil\n"[..])).collect();
    place
        .zgram(["compress", "-", "-o", "x.zgram"])
        .write_stdin(tar_of(&members))
        .assert()
        .success();
    place
}

fn assert_refused(place: &Place, message: &str) {
    for force in [&[][..], &["--force"]] {
        place
            .zgram(["decompress", "x.zgram", "-o", "box/out"])
            .args(force)
            .assert()
            .code(2)
            .stderr(predicate::str::contains(message));
    }
    assert_eq!(place.names(), ["x.zgram"], "nothing was written");
}

#[test]
fn wicked_names_are_refused_before_anything_is_written() {
    for name in ["../evil", "a/../../../evil", "a/..", "a//b", "a/./b"] {
        let place = place_with_members(&[b"good", name.as_bytes()]);
        assert_refused(&place, &format!("the document name {name:?} cannot be used"));
        // The text is not lost.
        place.zgram(["cat", "x.zgram", name]).assert().success().stdout("evil\n");
        place.zgram(["decompress", "x.zgram", "good", "-o", "out"]).assert().success();
    }
}

#[test]
fn absolute_names_become_relative_when_read() {
    let place = place_with_members(&[b"/zgram-test-evil"]);
    place.zgram(["decompress", "x.zgram", "-o", "out"]).assert().success();
    assert_eq!(place.read("out/zgram-test-evil"), b"evil\n");
    assert!(!std::path::Path::new("/zgram-test-evil").exists());
}

#[test]
fn a_file_cannot_be_a_folder_too() {
    let place = place_with_members(&[b"a/b", b"c", b"a"]);
    assert_refused(&place, "it would be a file and the folder of a/b");
}

#[cfg(unix)]
#[test]
fn links_in_the_output_folder_are_not_followed() {
    use std::os::unix::fs::symlink;
    let place = place_with_members(&[b"a/b/c"]);
    place.write("elsewhere/keep", "kept\n");
    place.write("out/here", "");
    symlink(place.path("elsewhere"), place.path("out/a")).unwrap();
    for force in [&[][..], &["--force"]] {
        place
            .zgram(["decompress", "x.zgram", "-o", "out"])
            .args(force)
            .assert()
            .code(2)
            .stderr(predicate::str::contains("out/a: it is a symbolic link"));
    }
    assert_eq!(place.tree("elsewhere").len(), 1);
}

#[cfg(unix)]
#[test]
fn a_link_in_the_place_of_a_file_is_replaced_not_followed() {
    use std::os::unix::fs::symlink;
    let place = place_with_members(&[b"a"]);
    place.write("precious", "kept\n");
    place.write("out/here", "");
    symlink(place.path("precious"), place.path("out/a")).unwrap();
    place.zgram(["decompress", "x.zgram", "-o", "out"]).assert().code(2);
    place.zgram(["decompress", "x.zgram", "-o", "out", "--force"]).assert().success();
    assert_eq!(place.read("precious"), b"kept\n");
    assert_eq!(place.read("out/a"), b"evil\n");
}

#[cfg(unix)]
#[test]
fn names_that_a_file_system_cannot_hold_leave_nothing() {
    let place = Place::new();
    let long = "x".repeat(300);
    let mut archive = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_size(2);
    header.set_cksum();
    archive.append_data(&mut header, &long, &b"y\n"[..]).unwrap();
    let tar = archive.into_inner().unwrap();
    place.zgram(["compress", "-", "-o", "x.zgram"]).write_stdin(tar).assert().success();
    place.zgram(["decompress", "x.zgram", "-o", "out"]).assert().code(2);
    assert!(place.tree("out").is_empty());
    place.zgram(["cat", "x.zgram", &long]).assert().success().stdout("y\n");
}

#[test]
fn terminal_codes_in_names_are_made_visible_in_messages() {
    let place = place_with_members(&[b"../\x1b[31m"]);
    place
        .zgram(["decompress", "x.zgram", "-o", "out"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("\x1b[31m").not());
    place
        .zgram(["ls", "x.zgram", "--format", "table"])
        .assert()
        .success()
        .stdout(predicate::str::contains("../\\u{1b}[31m"));
}
