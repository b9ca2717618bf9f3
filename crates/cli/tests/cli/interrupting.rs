//! Ctrl-C and worse: the old file is intact and nothing is left lying about.
#![cfg(unix)]

use crate::support::Place;
use std::io::Write;
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Compresses an endless standard input over `c.zgram`.
struct Endless {
    child: Child,
    stdin: ChildStdin,
}

impl Endless {
    fn start(place: &Place) -> Self {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("zgram"))
            .args(["compress", "-", "-o", "c.zgram", "--force", "--segment-size", "100K"])
            .current_dir(place.path("."))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stdin = child.stdin.take().unwrap();
        Self { child, stdin }
    }

    /// Feeds it text, of which some millions of bytes are certainly being worked on afterwards.
    fn feed(&mut self) {
        let block = "all work and no play makes jack a dull boy\n".repeat(1000);
        for _ in 0..100 {
            self.stdin.write_all(block.as_bytes()).unwrap();
        }
    }

    fn signal(&self, signal: &str) {
        let sent = Command::new("kill").args([signal, &self.child.id().to_string()]).status();
        assert!(sent.unwrap().success());
    }

    /// Waits for the end without feeding it anything more; its standard input stays open.
    fn end(mut self) -> Output {
        let patience = Instant::now() + Duration::from_secs(60);
        while self.child.try_wait().unwrap().is_none() {
            if Instant::now() > patience {
                self.child.kill().unwrap();
                panic!("it does not stop");
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        self.child.wait_with_output().unwrap()
    }
}

#[test]
fn ctrl_c_stops_cleanly_even_when_nothing_more_comes_in() {
    for signal in ["-INT", "-TERM"] {
        let place = Place::with_corpus();
        let before = place.files(".");
        let mut work = Endless::start(&place);
        work.feed();
        work.signal(signal);
        let output = work.end();
        assert_eq!(output.status.code(), Some(130));
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "zgram: interrupted\n");
        assert!(place.files(".") == before, "{:?}", place.names());
        place.zgram(["verify", "c.zgram"]).assert().success();
    }
}

#[test]
fn being_killed_leaves_the_old_file() {
    let place = Place::with_corpus();
    let before = place.read("c.zgram");
    let mut work = Endless::start(&place);
    work.feed();
    work.signal("-KILL");
    assert_eq!(work.end().status.code(), None);
    assert!(place.read("c.zgram") == before);
    place.zgram(["verify", "c.zgram"]).assert().success();
    place.zgram(["compress", "in", "-o", "c.zgram", "--force"]).assert().success();
}

#[test]
fn decompressing_stops_cleanly_too() {
    let place = Place::new();
    place.write("in/big", "all work and no play makes jack a dull boy\n".repeat(2_000_000));
    place.zgram(["compress", "in", "-o", "c.zgram"]).assert().success();
    let child = Command::new(assert_cmd::cargo::cargo_bin!("zgram"))
        .args(["decompress", "c.zgram", "-o", "out"])
        .current_dir(place.path("."))
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = child.unwrap();
    let stdin = child.stdin.take().unwrap();
    // The folder is made just before the text is written.
    while !place.path("out").exists() {
        std::thread::yield_now();
    }
    let work = Endless { child, stdin };
    work.signal("-INT");
    let output = work.end();
    // It may have been quicker than the signal; half a file there must not be.
    match output.status.code() {
        Some(130) => assert!(place.tree("out").is_empty()),
        Some(0) => assert_eq!(place.tree("out"), place.tree("in")),
        other => panic!("{other:?}"),
    }
}

fn start(place: &Place, arguments: &[&str]) -> Endless {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("zgram"))
        .args(arguments)
        .current_dir(place.path("."))
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let stdin = child.stdin.take().unwrap();
    Endless { child, stdin }
}

#[test]
fn one_signal_ends_the_wait_for_a_named_pipe() {
    for signal in ["-INT", "-TERM"] {
        let place = Place::with_corpus();
        assert!(Command::new("mkfifo").arg(place.path("pipe")).status().unwrap().success());
        for arguments in [
            &["compress", "pipe", "-o", "x.zgram"][..],
            &["compress", "in", "-o", "pipe", "--force"],
            &["word-count", "c.zgram", "-o", "pipe"],
        ] {
            let work = start(&place, arguments);
            // Long enough to begin to wait for the other end of the pipe.
            std::thread::sleep(Duration::from_millis(500));
            work.signal(signal);
            assert_eq!(work.end().status.code(), Some(130), "{arguments:?}");
            assert_eq!(place.names(), ["c.zgram", "in", "pipe"], "{arguments:?}");
        }
    }
}

#[test]
fn a_named_pipe_is_read() {
    let place = Place::new();
    assert!(Command::new("mkfifo").arg(place.path("pipe")).status().unwrap().success());
    let work = start(&place, &["compress", "pipe", "-o", "x.zgram"]);
    std::fs::write(place.path("pipe"), "read through a pipe").unwrap();
    assert_eq!(work.end().status.code(), Some(0));
    place.zgram(["cat", "x.zgram", "pipe"]).assert().stdout("read through a pipe");
}
