//! What the program does not do unless told to, and what happens when a disk fails.

use crate::support::Place;
use predicates::prelude::*;

#[test]
fn a_file_is_not_replaced_without_force() {
    let place = Place::with_corpus();
    place.write("c.zgram", "precious");
    place
        .zgram(["compress", "no-such-input", "-o", "c.zgram"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("c.zgram exists already"))
        .stderr(predicate::str::contains("--force"));
    assert_eq!(place.read("c.zgram"), b"precious");
    place.zgram(["compress", "in", "-o", "c.zgram", "--force"]).assert().success();
    place.zgram(["verify", "c.zgram"]).assert().success();
}

#[test]
fn files_are_not_replaced_without_force() {
    let place = Place::with_corpus();
    place.write("out/fruits/cherry.txt", "precious");
    place
        .zgram(["decompress", "c.zgram", "-o", "out"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("cherry.txt exists already"))
        .stderr(predicate::str::contains("--force"));
    assert_eq!(place.tree("out").len(), 1, "nothing was written");
    place.zgram(["decompress", "c.zgram", "-o", "out", "--force"]).assert().success();
    assert_eq!(place.tree("out"), place.tree("in"));
}

#[test]
fn results_never_replace_a_corpus() {
    let place = Place::with_corpus();
    let corpus = place.read("c.zgram");
    for command in [&["word-count"][..], &["tf-idf"], &["matrix", "--format", "mtx"]] {
        let zgram = place.zgram(command.iter().copied().chain(["c.zgram", "-f", "-o", "c.zgram"]));
        { zgram }
            .assert()
            .code(2)
            .stderr(predicate::str::contains("c.zgram is a corpus"))
            .stderr(predicate::str::contains("another file"));
        assert_eq!(place.read("c.zgram"), corpus);
    }
}

#[test]
fn a_folder_is_never_replaced_by_a_file() {
    let place = Place::with_corpus();
    place.write("out/apple.txt/precious", "precious");
    for force in [&[][..], &["--force"]] {
        place.zgram(["decompress", "c.zgram", "-o", "out"]).args(force).assert().code(2);
    }
    assert_eq!(place.tree("out").len(), 1);
    place.zgram(["compress", "in", "-o", "out", "--force"]).assert().code(2);
}

#[test]
fn the_output_is_not_an_input() {
    let place = Place::with_corpus();
    let before = place.files(".");
    for (input, output) in [("c.zgram", "./c.zgram"), (".", "new.zgram"), ("in", "in/fruits/x")] {
        place
            .zgram(["compress", input, "-o", output, "--force"])
            .assert()
            .code(2)
            .stderr(predicate::str::contains("the output"))
            .stderr(predicate::str::contains("hint: write it elsewhere"));
    }
    assert_eq!(place.files("."), before);
}

#[test]
fn standard_input_is_read_once() {
    Place::new().zgram(["compress", "-", "-", "-o", "x"]).write_stdin("").assert().code(2);
}

#[test]
fn standard_output_takes_one_thing() {
    let place = Place::with_corpus();
    place.zgram(["decompress", "c.zgram", "-o", "-"]).assert().code(2);
    place.zgram(["compress", "in", "-o", "-", "--format", "json"]).assert().code(2).stdout("");
}

#[test]
fn impossible_folders_are_named() {
    let place = Place::with_corpus();
    place.write("file", "");
    place
        .zgram(["decompress", "c.zgram", "-o", "file/out"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("file/out"));
    place
        .zgram(["compress", "in", "-o", "file/x.zgram"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("file"));
    place
        .zgram(["compress", "in", "-o", "missing/x.zgram"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("missing"));
}

#[test]
fn two_documents_of_one_name_are_refused() {
    let place = Place::new();
    place.write("a/x.txt", "one");
    place.write("b/x.txt", "two");
    place
        .zgram(["compress", "a/x.txt", "b/x.txt", "-o", "c.zgram"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("x.txt"));
    assert_eq!(place.names(), ["a", "b"]);
}

#[test]
fn wrong_arguments_are_errors() {
    let place = Place::new();
    for arguments in [
        &["compress", "in"][..],
        &["compress", "-o", "x"],
        &["compress", "in", "-o", "x", "--memory", "lots"],
        &["compress", "in", "-o", "x", "--threads", "0"],
        &["decompress", "x"],
        &["cat", "x"],
        &["frobnicate"],
        &["-q", "-v", "ls", "x"],
    ] {
        place.zgram(arguments.iter().copied()).assert().code(2).stdout("");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_and_devices_stay_devices() {
    use std::os::unix::fs::FileTypeExt;
    let place = Place::with_corpus();
    place
        .zgram(["compress", "in", "-o", "/dev/full", "--force"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("cannot write to /dev/full"))
        .stderr(predicate::str::contains("No space left on device"))
        .stderr(predicate::str::contains("hint: free some space"));
    place.zgram(["compress", "in", "-o", "/dev/null"]).assert().success();
    place.zgram(["sort", "c.zgram", "-o", "/dev/null", "--force"]).assert().success();
    let refused = place.zgram(["sort", "c.zgram", "-o", "/dev/full"]).assert().code(2);
    refused.stderr(predicate::str::contains("cannot write to /dev/full"));
    let refused =
        place.zgram(["sort", "c.zgram", "-o", "/dev/full", "--format", "arrow"]).assert().code(2);
    refused.stderr(predicate::str::contains("error: cannot write to /dev/full: No space"));
    for device in ["/dev/full", "/dev/null"] {
        assert!(std::fs::metadata(device).unwrap().file_type().is_char_device(), "{device}");
    }
    for command in [&["cat", "c.zgram", "*"][..], &["ls", "c.zgram"], &["info", "c.zgram"]] {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let mut program = std::process::Command::new(assert_cmd::cargo::cargo_bin!("zgram"));
        let program = program.current_dir(place.path(".")).args(command).stdout(full);
        let output = program.output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains("cannot write to standard output: No space left"), "{errors}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_to_the_old_file_stays_a_link() {
    let place = Place::with_corpus();
    std::os::unix::fs::symlink("c.zgram", place.path("link")).unwrap();
    place.zgram(["compress", "in/apple.txt", "-o", "link", "--force"]).assert().success();
    assert!(place.path("link").is_symlink());
    place.zgram(["ls", "c.zgram"]).assert().stdout("2200\tapple.txt\n");
}
