//! Folders: order, names, links, ignored files.

use crate::support::{folder, names, read, read_all, write};
use std::fs;
use zgram::input::{InputError, ReadOptions, Sources};

#[test]
fn files_come_depth_first_in_byte_order_with_hidden_ones() {
    let root = folder(&[
        ("b", b"2"),
        ("a.txt", b"1"),
        ("a/z", b"3"),
        ("a/.hidden", b"4"),
        ("a-b", b"5"),
        (".git/config", b"6"),
        ("Z", b"7"),
        ("a/deep/er/x", b""),
    ]);
    let documents = read(root.path());
    let expected = [".git/config", "Z", "a/.hidden", "a/deep/er/x", "a/z", "a-b", "a.txt", "b"];
    assert_eq!(names(&documents), expected);
    assert_eq!(documents[2].text, b"4");
    assert_eq!(documents[3].size, Some(0));
}

#[test]
fn a_deep_tree_is_walked() {
    let root = tempfile::tempdir().unwrap();
    let deep = "d/".repeat(1000) + "f";
    write(root.path(), &deep, b"x");
    assert_eq!(names(&read(root.path())), [deep]);
}

#[test]
fn several_folders_keep_their_names_apart() {
    let root = folder(&[("one/a", b"1"), ("two/a", b"2"), ("three", b"3")]);
    let paths = ["two", "one/", "three"].map(|name| root.path().join(name));
    let (documents, _) = read_all(&paths, b"", ReadOptions::default()).unwrap();
    assert_eq!(names(&documents), ["two/a", "one/a", "three"]);
}

#[test]
fn the_folder_that_dots_mean_is_the_prefix() {
    let root = folder(&[("one/a", b"1"), ("two/a", b"2")]);
    let paths = ["one/.", "one/../two/../two"].map(|name| root.path().join(name));
    let (documents, _) = read_all(&paths, b"", ReadOptions::default()).unwrap();
    assert_eq!(names(&documents), ["one/a", "two/a"]);
    let paths = ["one", "two/../one/.."].map(|name| root.path().join(name));
    let (documents, _) = read_all(&paths, b"", ReadOptions::default()).unwrap();
    let last = root.path().file_name().unwrap().to_str().unwrap();
    assert_eq!(names(&documents)[1], format!("{last}/one/a"));
}

#[test]
fn one_name_twice_is_refused() {
    let root = folder(&[("one/a.txt", b"1"), ("two/a.txt", b"2")]);
    let paths = ["one/a.txt", "two/a.txt"].map(|name| root.path().join(name));
    let error = read_all(&paths, b"", ReadOptions::default()).unwrap_err();
    match &error {
        InputError::DuplicateName { name, first, second } => {
            assert_eq!((name.as_str(), first, second), ("a.txt", &paths[0], &paths[1]));
        }
        other => panic!("{other}"),
    }
    assert!(error.to_string().contains("one/a.txt") && error.to_string().contains("two/a.txt"));
}

#[test]
fn compressed_files_in_a_folder_stay_as_they_are() {
    let gzip = b"\x1f\x8b\x08 not really";
    let root = folder(&[("a.gz", gzip)]);
    let documents = read(root.path());
    assert_eq!(names(&documents), ["a.gz"]);
    assert_eq!(documents[0].text, gzip);
}

#[test]
fn gitignore_counts_only_when_asked() {
    let root = folder(&[
        (".gitignore", b"*.log\n/build/\n"),
        ("keep.txt", b""),
        ("x.log", b""),
        ("build/out", b""),
        ("sub/build/out", b""),
        ("sub/.gitignore", b"!y.log\n"),
        ("sub/x.log", b""),
        ("sub/y.log", b""),
        (".git/HEAD", b""),
    ]);
    assert_eq!(read(root.path()).len(), 9);
    let options = ReadOptions { gitignore: true, ..ReadOptions::default() };
    let (documents, notices) = read_all(&[root.path()], b"", options).unwrap();
    let expected = [".gitignore", "keep.txt", "sub/.gitignore", "sub/build/out", "sub/y.log"];
    assert_eq!(names(&documents), expected);
    assert_eq!(notices, [""; 0]);
}

#[test]
fn size_hint_adds_up_files() {
    let root = folder(&[("d/a", b"123"), ("d/e/b", b"45"), ("c", b"6"), ("z", b"\x1f\x8b\x08")]);
    let hint = |names: &[&str]| {
        let paths = names.iter().map(|name| root.path().join(name));
        Sources::new(paths).size_hint()
    };
    assert_eq!(hint(&["d", "c"]), Some(6));
    assert_eq!(hint(&["c", "z"]), None);
    assert_eq!(hint(&["missing"]), None);
    assert_eq!(Sources::new(["-"]).size_hint(), None);
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    #[test]
    fn names_are_bytes() {
        let root = folder(&[("new\nline", b"1")]);
        fs::write(root.path().join(OsStr::from_bytes(b"\xff\xfe")), b"2").unwrap();
        let documents = read(root.path());
        assert_eq!(documents[0].name, b"new\nline");
        assert_eq!(documents[1].name, b"\xff\xfe");
    }

    #[test]
    fn links_are_followed_only_to_files_inside() {
        let outside = folder(&[("secret", b"no")]);
        let root = folder(&[("sub/real", b"yes")]);
        let link = |target: &std::path::Path, name: &str| {
            symlink(target, root.path().join(name)).unwrap();
        };
        link("sub/real".as_ref(), "inside");
        link(&outside.path().join("secret"), "outside");
        link("../..".as_ref(), "sub/upward");
        link("sub".as_ref(), "to-folder");
        link("missing".as_ref(), "dangling");
        link("cycle".as_ref(), "cycle");
        let (documents, notices) = read_all(&[root.path()], b"", ReadOptions::default()).unwrap();
        assert_eq!(names(&documents), ["inside", "sub/real"]);
        assert_eq!(documents[0].text, b"yes");
        assert_eq!(notices.len(), 5, "{notices:?}");
        assert!(notices.iter().all(|notice| notice.contains("symbolic link")));
    }

    #[test]
    fn of_many_links_the_first_are_named_and_the_rest_counted() {
        let root = folder(&[("a", b"1")]);
        for number in 0..40 {
            symlink("missing", root.path().join(format!("link-{number}"))).unwrap();
        }
        let (documents, notices) = read_all(&[root.path()], b"", ReadOptions::default()).unwrap();
        assert_eq!(names(&documents), ["a"]);
        assert_eq!(notices.len(), 6, "{notices:?}");
        assert!(notices[4].contains("the symbolic link"), "{notices:?}");
        assert!(notices[5].starts_with("skipped 35 more "), "{notices:?}");
    }

    #[test]
    fn a_link_given_as_argument_is_followed() {
        let root = folder(&[("real/a", b"1")]);
        let link = root.path().join("link");
        symlink("real", &link).unwrap();
        assert_eq!(names(&read(&link)), ["a"]);
        symlink("real/a", root.path().join("b")).unwrap();
        assert_eq!(names(&read(&root.path().join("b"))), ["b"]);
    }

    #[test]
    fn sockets_are_skipped_with_a_notice() {
        let root = folder(&[("a", b"1")]);
        let _listener = UnixListener::bind(root.path().join("socket")).unwrap();
        let (documents, notices) = read_all(&[root.path()], b"", ReadOptions::default()).unwrap();
        assert_eq!(names(&documents), ["a"]);
        assert!(notices.len() == 1 && notices[0].contains("socket"), "{notices:?}");
    }
}
