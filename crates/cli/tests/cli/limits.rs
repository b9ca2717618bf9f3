//! What happens when the system, or another process, sets limits.

use crate::support::{Place, errors_of};
use predicates::prelude::*;
use predicates::str::contains;

/// Text that does not compress well.
#[cfg(unix)]
fn noise(bytes: usize) -> String {
    let mut state = 1u64;
    let word = |state: &mut u64| {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        format!("{:x} ", *state >> 33)
    };
    let mut text = String::new();
    while text.len() < bytes {
        text.push_str(&word(&mut state));
    }
    text
}

/// A stack that no address space has room for, so that no thread can be started.
#[cfg(target_os = "linux")]
#[test]
fn no_command_panics_when_threads_cannot_start() {
    let place = Place::with_corpus();
    for arguments in [
        &["verify", "c.zgram"][..],
        &["cat", "c.zgram"],
        &["ls", "c.zgram"],
        &["search", "c.zgram", "fox"],
        &["count", "c.zgram", "a rose"],
        &["word-count", "c.zgram"],
        &["sequence-count", "c.zgram"],
        &["append", "c.zgram", "apple.txt", "more"],
        &["compact", "c.zgram"],
        &["decompress", "c.zgram", "-o", "out"],
        &["compress", "in", "-o", "new.zgram"],
        &["compress", "-", "-o", "new.zgram"],
    ] {
        let mut command = place.zgram(arguments.iter().copied());
        let output = command.env("RUST_MIN_STACK", (1u64 << 47).to_string()).output().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(!errors.contains("panicked"), "{arguments:?}: {errors}");
        match output.status.code() {
            Some(0) => {}
            Some(2) => assert!(errors.contains("cannot start"), "{arguments:?}: {errors}"),
            other => panic!("{arguments:?} ended with {other:?}: {errors}"),
        }
    }
}

/// Address space for a few threads only: some start, some are refused.
#[cfg(target_os = "linux")]
#[test]
fn every_command_ends_when_few_threads_can_start() {
    const STACK: u64 = 1 << 30;
    let place = Place::with_corpus();
    place.zgram(["append", "c.zgram", "apple.txt", "more"]).assert().success();
    place.zgram(["bzip2", "-k", "in/apple.txt"]).assert().success();
    let program = assert_cmd::cargo::cargo_bin!("zgram").display().to_string();
    // Three threads are shared, three more apply pending edits. Compressing and decompressing start
    // others: four if they can, else fewer.
    const ENOUGH: u64 = 10;
    for threads in 0..=ENOUGH {
        for command in [
            "ls c.zgram",
            "info c.zgram",
            "verify c.zgram",
            "cat c.zgram",
            "search c.zgram fox",
            "count c.zgram a rose",
            "sequence-count c.zgram -t 4",
            "term-vector c.zgram -t 4",
            "compress in -o new.zgram -f -t 4",
            "decompress c.zgram -o out -f -t 4",
            "bzip2 -kf in/apple.txt",
            "bzip2 -dkf in/apple.txt.bz2",
        ] {
            // Half a stack is for the program itself.
            let room = (threads * STACK + STACK / 2) >> 10;
            let script = format!("ulimit -v {room}; exec {program} {command}");
            let output = assert_cmd::Command::new("sh")
                .args(["-c", &script])
                .current_dir(place.path("."))
                .env("RUST_MIN_STACK", STACK.to_string())
                .env("RAYON_NUM_THREADS", "3")
                .timeout(std::time::Duration::from_secs(300))
                .output()
                .unwrap();
            let errors = String::from_utf8_lossy(&output.stderr);
            match output.status.code() {
                Some(0) => {}
                Some(2) if threads < ENOUGH => {
                    assert!(errors.contains("cannot start"), "{command}: {errors}");
                }
                other => panic!("{command}, {threads} threads: {other:?}: {errors}"),
            }
        }
    }
}

#[test]
fn too_many_threads_are_refused() {
    let place = Place::with_corpus();
    for arguments in [&["word-count", "c.zgram"][..], &["bzip2", "-k", "in/apple.txt"]] {
        let mut command = place.zgram(arguments.iter().copied());
        let errors = errors_of(command.args(["--threads", "5000"]));
        assert!(errors.contains("from 1 to 1024"), "{errors}");
    }
}

#[cfg(unix)]
#[test]
fn a_limit_on_file_sizes_is_an_error_that_leaves_nothing() {
    let place = Place::with_corpus();
    place.write("big/noise.txt", noise(600_000));
    place.zgram(["compress", "big", "-o", "big.zgram"]).assert().success();
    let before = place.names();
    let program = assert_cmd::cargo::cargo_bin!("zgram").display().to_string();
    for (command, named) in [
        ("compress big -o x.zgram", "a temporary file in ."),
        ("word-count big.zgram -o x.tsv", "x.tsv"),
        ("word-count big.zgram --format parquet -o x.parquet", "x.parquet"),
        ("word-count big.zgram --format arrow -o x.arrow", "x.arrow"),
        ("inverted-index big.zgram --documents-only --format parquet -o l.parquet", "l.parquet"),
        ("matrix big.zgram --format npz -o m.npz", "m.npz"),
        ("matrix big.zgram --format mtx -o m.mtx", "m.mtx"),
        ("matrix big.zgram --format parquet -o m.parquet", "m.parquet"),
        ("tf-idf big.zgram --scheme sklearn --format arrow -o t.arrow", "t.arrow"),
        ("cooccurrence big.zgram --window 2 --format glove -o glove", "glove/vocab.txt"),
        ("decompress big.zgram -o out", "out/noise.txt"),
        ("bzip2 -k big/noise.txt", "big/noise.txt"),
    ] {
        let script = format!("ulimit -f 32; exec {program} {command}");
        let output = std::process::Command::new("sh")
            .args(["-c", &script])
            .current_dir(place.path("."))
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(1 | 2)), "{command}: {:?}", output.status);
        let reason = format!("{named}: File too large\n");
        assert!(errors.contains(&reason), "{command}: {errors}");
        assert_eq!(place.files("big").len(), 1, "{command}");
        let left: Vec<String> = place
            .names()
            .into_iter()
            .filter(|name| !before.contains(name) && name != "out")
            .collect();
        assert!(left.is_empty(), "{command}: {left:?}");
    }
    assert!(!place.path("out").exists() || place.tree("out").is_empty());
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_is_not_replaced_without_force() {
    let place = Place::with_corpus();
    std::os::unix::fs::symlink("missing.zgram", place.path("link")).unwrap();
    for arguments in [&["compress", "in"][..], &["word-count", "c.zgram"]] {
        let mut command = place.zgram(arguments.iter().copied());
        let refused = command.args(["-o", "link"]).assert().code(2);
        refused.stderr(contains("link is a symbolic link").and(contains("--force")));
    }
    assert!(place.path("link").is_symlink());
    place.zgram(["compress", "in", "-o", "link", "--force"]).assert().success();
}

#[test]
fn waiting_for_standard_input_does_not_lock_out_others() {
    use std::process::{Command, Stdio};
    let place = Place::with_corpus();
    for arguments in [
        &["append", "c.zgram", "apple.txt", "-"][..],
        &["insert", "c.zgram", "apple.txt", "0", "-"],
        &["replace", "c.zgram", "apple.txt", "0", "1", "-"],
        &["add", "c.zgram", "new.txt", "-"],
    ] {
        let mut waiting = Command::new(assert_cmd::cargo::cargo_bin!("zgram"))
            .args(arguments)
            .current_dir(place.path("."))
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        // Long enough to take the lock, if it did.
        std::thread::sleep(std::time::Duration::from_millis(300));
        place.zgram(["append", "c.zgram", "banana.txt", "more"]).assert().success();
        drop(waiting.stdin.take());
        assert!(waiting.wait().unwrap().success(), "{arguments:?}");
    }
}

#[test]
fn a_name_cannot_forge_a_line() {
    let place = Place::with_corpus();
    let name = "nl\nzgram: good\u{2028}\u{200b}";
    place.zgram(["add", "c.zgram", name, "x"]).assert().success();
    for arguments in [
        &["extract", "c.zgram", name, "9999", "1"][..],
        &["add", "c.zgram", name, "x"],
        &["info", name],
        &["compress", name, "-o", "x.zgram"],
        &["cat", "c.zgram", "no\nsuch"],
    ] {
        let errors = errors_of(&mut place.zgram(arguments.iter().copied()));
        assert!(!errors.contains("\nzgram: good"), "{errors}");
        assert!(!errors.contains('\u{2028}') && !errors.contains('\u{200b}'), "{errors}");
        assert!(errors.contains("\\n"), "{errors}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn hints_name_only_options_that_exist() {
    let place = Place::with_corpus();
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut cat = std::process::Command::new(assert_cmd::cargo::cargo_bin!("zgram"));
    let cat = cat.arg("cat").arg(place.path("c.zgram")).stdout(full).output().unwrap();
    let errors = String::from_utf8(cat.stderr).unwrap();
    assert!(errors.contains("hint: free some space") && !errors.contains("-o"), "{errors}");
}

#[cfg(target_os = "linux")]
#[test]
fn files_without_a_size_are_read() {
    let place = Place::new();
    place.zgram(["compress", "/proc/self/status", "-o", "s.zgram"]).assert().success();
    place.zgram(["cat", "s.zgram"]).assert().success().stdout(contains("VmPeak"));
}

#[test]
fn a_forgotten_journal_is_not_discarded_without_force() {
    let place = Place::with_corpus();
    place.zgram(["append", "c.zgram", "apple.txt", "PENDING"]).assert().success();
    std::fs::rename(place.path("c.zgram"), place.path("elsewhere.zgram")).unwrap();
    let journal = place.read("c.zgram.journal");
    let compress = || place.zgram(["compress", "in", "-o", "c.zgram"]);
    let refused = compress().assert().code(2);
    refused.stderr(contains("c.zgram.journal has 1 edit").and(contains("--force")));
    assert_eq!(place.read("c.zgram.journal"), journal);
    compress().arg("--force").assert().success().stderr(contains("discarded 1 edit"));
    place.zgram(["verify", "c.zgram"]).assert().success();
}
