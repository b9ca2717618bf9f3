//! `zgram word2vec` and `zgram nearest`: files of vectors, questions to them, and refusals.

use crate::support::Place;
use predicates::prelude::*;

const TRAINING: [&str; 9] =
    ["--size", "8", "--epochs", "2", "--sample", "0", "--threads", "1", "--lower"];

fn place() -> Place {
    let place = Place::with_corpus();
    place.write("numbers.txt", "one plus two makes three, two plus one makes three\n".repeat(40));
    place.zgram(["compress", "in", "numbers.txt", "-o", "n.zgram"]).assert().success();
    place
}

fn train(place: &Place, output: &str, more: &[&str]) {
    let arguments = ["word2vec", "n.zgram", "-o", output];
    let arguments = arguments.into_iter().chain(TRAINING).chain(more.iter().copied());
    place.zgram(arguments).assert().success().stdout("");
}

#[test]
fn one_thread_and_a_seed_give_the_same_bytes() {
    let place = place();
    train(&place, "a.bin", &[]);
    train(&place, "b.bin", &[]);
    assert_eq!(place.read("a.bin"), place.read("b.bin"));
    train(&place, "b.bin", &["--force", "--seed", "2"]);
    assert_ne!(place.read("a.bin"), place.read("b.bin"));
    for more in [&["--skip-gram"][..], &["--hierarchical"], &["--skip-gram", "--hierarchical"]] {
        train(&place, "b.bin", &[more, &["--force"]].concat());
        assert!(place.read("b.bin").starts_with(b"16 8\n"));
    }
    let left = |name: &String| name.ends_with(".bin") || name.contains("tmp");
    assert_eq!(place.names().iter().filter(|name| left(name)).count(), 2);
}

#[test]
fn the_name_or_format_says_text_or_binary() {
    let place = place();
    train(&place, "a.txt", &[]);
    let text = String::from_utf8(place.read("a.txt")).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("16 8"));
    // The most frequent words first; ties in the order of bytes.
    let first: Vec<&str> =
        lines.clone().take(3).map(|line| &line[..line.find(' ').unwrap()]).collect();
    assert_eq!(first, ["the", "makes", "one"]);
    assert!(lines.all(|line| line.split(' ').count() == 9));
    train(&place, "b.txt", &["--format", "binary"]);
    let binary = place.read("b.txt");
    assert_eq!(
        binary.len(),
        "16 8\n".len()
            + text.lines().skip(1).map(|line| line.find(' ').unwrap() + 34).sum::<usize>()
    );
    let rows = |name: &str| place.zgram(["nearest", name, "two"]).output().unwrap().stdout;
    assert_eq!(rows("a.txt"), rows("b.txt"));
    assert_eq!(rows("a.txt").iter().filter(|&&byte| byte == b'\n').count(), 10);
    // To a pipe, only the vectors of the last epoch go.
    let arguments = ["word2vec", "n.zgram", "-o", "-", "--format", "text"];
    let piped = place.zgram(arguments.into_iter().chain(TRAINING)).output().unwrap();
    assert_eq!(String::from_utf8(piped.stdout).unwrap(), text);
}

#[test]
fn epochs_are_reported_with_loss_and_speed() {
    let place = place();
    let arguments = ["word2vec", "n.zgram", "-o", "a.bin"];
    let line = |number| format!(r"epoch {number} of 2: loss [0-9.]+, [0-9,]+ words/s\n");
    let summary = "a.bin: vectors of 8 numbers for 16 words\n";
    let expected = format!("^{}{}{summary}$", line(1), line(2));
    let expected = predicate::str::is_match(expected).unwrap();
    place.zgram(arguments.into_iter().chain(TRAINING)).assert().success().stderr(expected);
}

#[test]
fn nearest_adds_and_subtracts_words() {
    let place = Place::new();
    place.write("v.txt", "5 2\nking 1 1\nman 1 0\nwoman -1 0\nqueen -1 1\nmango 1 -1\n");
    let rows = |words: &[&str]| {
        let arguments = ["nearest", "v.txt", "-k", "2"].iter().chain(words).copied();
        String::from_utf8(place.zgram(arguments).assert().success().get_output().stdout.clone())
            .unwrap()
    };
    assert!(rows(&["king", "-", "man", "+", "woman"]).starts_with("queen\t"));
    assert!(rows(&["king", "man"]).starts_with("mango\t0.38"));
    let json = rows(&["man", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json[0]["word"], "king");
    let exit = |words: &[&str], code: i32, text: &str| {
        let arguments = ["nearest", "v.txt"].iter().chain(words).copied();
        let text = predicate::str::contains(text.to_owned());
        place.zgram(arguments).assert().code(code).stdout("").stderr(text);
    };
    exit(&["kong"], 1, "no vector for kong");
    exit(&["kong"], 1, "similar words: king");
    exit(&["king", "-"], 2, "a word must follow the last sign");
    exit(&["king", "-", "+", "man"], 2, "a word must follow the sign");
    place.write("v.txt", "this is a letter\n");
    exit(&["king"], 2, "this is no file of word vectors");
    place.write("v.txt", "2 2\nking 1 1\n");
    exit(&["king"], 2, "there are 1 rows of the 2");
}

#[test]
fn senseless_requests_leave_no_file() {
    let place = place();
    place.write("empty.txt", "");
    place.zgram(["compress", "empty.txt", "-o", "empty.zgram"]).assert().success();
    let refused = |corpus: &str, more: &[&str], text: &str| {
        let arguments = ["word2vec", corpus, "-o", "v.bin"].into_iter().chain(more.iter().copied());
        let text = predicate::str::contains(text.to_owned());
        place.zgram(arguments).assert().code(2).stdout("").stderr(text);
        assert!(!place.path("v.bin").exists());
    };
    refused("empty.zgram", &[], "the chosen documents have no words");
    refused("n.zgram", &["--min-count", "1000"], "none of the 19 distinct words occurs 1000 times");
    refused("n.zgram", &["--size", "0"], "size must be from 1 to 10,000, not 0");
    refused("n.zgram", &["--window", "0"], "window must be from 1 to 1,000 words, not 0");
    refused("n.zgram", &["--window", "1000000000"], "not 1000000000");
    refused("n.zgram", &["--negative", "0"], "unless the output layer is hierarchical");
    refused("n.zgram", &["--negative", "3", "--hierarchical"], "cannot be used with");
    refused("n.zgram", &["--alpha", "2"], "alpha must be above 0");
    refused("n.zgram", &["--epochs", "0"], "epochs must be at least 1");
    place.write("v.bin", "old");
    let arguments = ["word2vec", "n.zgram", "-o", "v.bin"];
    let exists = predicate::str::contains("v.bin exists already");
    place.zgram(arguments).assert().code(2).stderr(exists);
    assert_eq!(place.read("v.bin"), b"old");
}

/// The file of the last complete epoch stays, and nothing else.
#[cfg(unix)]
#[test]
fn ctrl_c_keeps_the_last_complete_epoch() {
    let place = place();
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("zgram"))
        .args(["word2vec", "n.zgram", "-o", "v.bin", "--epochs", "1000000", "--quiet"])
        .current_dir(place.path("."))
        .spawn()
        .unwrap();
    while !place.path("v.bin").exists() {
        assert!(child.try_wait().unwrap().is_none(), "it runs until it is interrupted");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let sent = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    place.zgram(["nearest", "v.bin", "the", "-k", "1"]).assert().success();
    assert!(place.names().iter().all(|name| !name.starts_with(".tmp")), "{:?}", place.names());
}

#[test]
fn stats_tell_how_long_each_phase_took() {
    let place = place();
    let arguments = ["word2vec", "n.zgram", "-o", "n.bin", "--stats"];
    let told = place.zgram(arguments.into_iter().chain(TRAINING)).assert().success();
    let told = String::from_utf8_lossy(&told.get_output().stderr).into_owned();
    for phase in ["open", "count", "train", "total"] {
        let line = |line: &str| line.trim().starts_with(phase) && line.ends_with(" s");
        assert!(told.lines().any(line), "{phase} in {told}");
    }
}
