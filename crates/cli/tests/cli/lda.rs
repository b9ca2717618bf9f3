//! `zgram lda`: topics, checkpoints, and what is refused.

use crate::support::Place;
use predicates::prelude::*;

/// Documents about fish, about bread, and one without words.
fn place() -> Place {
    let place = Place::new();
    for number in 0..12 {
        let words =
            if number % 2 == 0 { "cod trout salmon pike " } else { "rye wheat dough oven " };
        place.write(format!("c/{number}.txt"), words.repeat(8));
    }
    place.write("c/empty.txt", "");
    place.zgram(["compress", "c", "-o", "c.zgram"]).assert().success();
    place
}

fn lda(place: &Place, more: &[&str]) -> assert_cmd::Command {
    let mut arguments = vec!["lda", "c.zgram"];
    for usual in [["--topics", "2"], ["--iterations", "30"]] {
        if !more.contains(&usual[0]) {
            arguments.extend(usual);
        }
    }
    place.zgram(arguments.into_iter().chain(more.iter().copied()))
}

/// Fields of the rows of a file.
fn rows(place: &Place, name: &str) -> Vec<Vec<String>> {
    let text = String::from_utf8(place.read(name)).unwrap();
    text.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

#[test]
fn topics_and_documents_are_written_and_shown() {
    let place = place();
    let printed = lda(&place, &["-o", "t", "--top", "4"]).assert().success();
    let printed = String::from_utf8(printed.get_output().stdout.clone()).unwrap();
    let mut groups: Vec<Vec<String>> = printed
        .lines()
        .map(|line| line.rsplit('\t').next().unwrap().split(' ').map(str::to_owned).collect())
        .collect();
    groups.iter_mut().for_each(|words: &mut Vec<String>| words.sort());
    groups.sort();
    assert_eq!(groups, [["cod", "pike", "salmon", "trout"], ["dough", "oven", "rye", "wheat"]]);

    let topics = rows(&place, "t/topics.tsv");
    assert_eq!(topics.len(), 8);
    for topic in ["0", "1"] {
        let weights = topics.iter().filter(|row| row[0] == topic);
        let weights: Vec<f64> = weights.map(|row| row[2].parse().unwrap()).collect();
        assert!(weights.is_sorted_by(|a, b| a >= b));
        assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-3);
    }
    let documents = rows(&place, "t/documents.tsv");
    assert_eq!(documents.len(), 12);
    let topic_of = |name: &str| &documents.iter().find(|row| row[0] == name).unwrap()[1];
    assert_eq!(topic_of("0.txt"), topic_of("10.txt"));
    assert_ne!(topic_of("0.txt"), topic_of("1.txt"));
}

#[test]
fn the_same_seed_gives_the_same_files_for_any_threads() {
    let place = place();
    lda(&place, &["-o", "a", "-t", "1", "-q"]).assert().success().stderr("");
    lda(&place, &["-o", "b", "-t", "8"]).assert().success();
    assert_eq!(place.tree("a"), place.tree("b"));
    lda(&place, &["-o", "b", "--seed", "9", "--force"]).assert().success();
    assert_ne!(place.read("a/checkpoint"), place.read("b/checkpoint"));
}

#[test]
fn a_resumed_run_writes_the_same_bytes() {
    let place = place();
    lda(&place, &["-o", "whole"]).assert().success();
    lda(&place, &["-o", "t", "--iterations", "12"]).assert().success();
    lda(&place, &["-o", "t", "--resume", "--top", "0"]).assert().success().stdout("");
    assert_eq!(place.tree("whole"), place.tree("t"));
    // All passes are done: the results are written again.
    std::fs::remove_file(place.path("t/topics.tsv")).unwrap();
    lda(&place, &["-o", "t", "--resume"]).assert().success();
    assert_eq!(place.tree("whole"), place.tree("t"));
    lda(&place, &["-o", "t", "--resume", "--iterations", "5"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("has 30 passes already"));
    // Edits that are pending make another corpus.
    place.zgram(["append", "c.zgram", "1.txt", "carp"]).assert().success();
    lda(&place, &["-o", "t", "--resume"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("of another corpus or vocabulary"));
    assert_eq!(place.tree("whole"), place.tree("t"));
    lda(&place, &["-o", "edited"]).assert().success();
    assert!(String::from_utf8(place.read("edited/topics.tsv")).unwrap().contains("\tcarp\t"));
}

#[test]
fn options_of_words_formats_and_held_out_documents_work() {
    let place = place();
    lda(&place, &["-o", "t", "--max-features", "5", "--format", "csv", "--checkpoint", "0"])
        .assert()
        .success();
    let names: Vec<String> =
        place.tree("t").keys().map(|name| name.display().to_string()).collect();
    assert_eq!(names, ["documents.csv", "topics.csv"]);
    let topics = String::from_utf8(place.read("t/topics.csv")).unwrap();
    assert!(topics.starts_with("topic,word,weight\n0,"), "{topics}");
    lda(&place, &["-o", "p", "--format", "parquet", "--by", "folder"]).assert().success();
    assert!(place.read("p/topics.parquet").starts_with(b"PAR1"));
    lda(&place, &["-o", "h", "--hold-out", "0.25"])
        .assert()
        .success()
        .stderr(predicate::str::contains("perplexity of the documents held out: "));
    assert_eq!(rows(&place, "h/documents.tsv").len(), 9);
}

#[test]
fn bad_requests_are_refused_and_leave_nothing() {
    let place = place();
    place.write("other", "walrus\n");
    place.write("full/mine", "mine");
    place.write("file", "mine");
    let refused: [(&[&str], &str); 16] = [
        (&["-o", "t", "--topics", "0"], "0 is not in 1..=65535"),
        (&["-o", "t", "--topics", "65536"], "65536 is not in 1..=65535"),
        (&["-o", "t", "--iterations", "0"], "0 is not in 1..=1000000000"),
        (&["-o", "t", "--alpha=-1"], "alpha is -1; choose a number from"),
        (&["-o", "t", "--alpha", "NaN"], "alpha is NaN; choose a number from"),
        (&["-o", "t", "--beta", "0"], "beta is 0; choose a number from"),
        (&["-o", "t", "--hold-out", "1.5"], "give a number above 0 and below 1"),
        (&["-o", "t", "--vocabulary", "other"], "none of the 1 terms of the vocabulary occurs"),
        (&["-o", "t", "--match", "^x"], "have no words"),
        (&["-o", "t", "empty.txt"], "have no words"),
        (&["-o", "t", "--topics", "60000", "--memory", "1M"], "allow more memory"),
        (&["-o", "t", "--resume"], "there is no t to resume"),
        (&["-o", "-"], "topics need a folder"),
        (&["-o", "full"], "full exists already"),
        (&["-o", "full", "--resume"], "full has no checkpoint"),
        (&["-o", "missing/t"], "the folder missing does not exist"),
    ];
    let before = place.files(".");
    for (arguments, message) in refused {
        lda(&place, arguments).assert().code(2).stderr(predicate::str::contains(message));
        assert!(place.files(".") == before, "{arguments:?}");
        assert!(!place.path("t").exists(), "{arguments:?}");
    }
    lda(&place, &["-o", "file"]).assert().code(2).stderr(predicate::str::contains("is a file"));
}

#[test]
fn a_checkpoint_of_other_options_or_a_damaged_one_is_refused() {
    let place = place();
    lda(&place, &["-o", "t"]).assert().success();
    let before = place.files(".");
    let refused: [(&[&str], &str); 4] = [
        (&["--topics", "3"], "the number of topics was 2, now it is 3"),
        (&["--alpha", "0.5"], "alpha was 0.1, now it is 0.5"),
        (&["--seed", "7"], "the seed was 1, now it is 7"),
        (&["--min-len", "4"], "another corpus or vocabulary"),
    ];
    for (arguments, message) in refused {
        let arguments: Vec<&str> =
            ["-o", "t", "--resume"].iter().chain(arguments).copied().collect();
        lda(&place, &arguments).assert().code(2).stderr(predicate::str::contains(message));
        assert!(place.files(".") == before, "{arguments:?}");
    }
    let mut damaged = place.read("t/checkpoint");
    *damaged.last_mut().unwrap() ^= 1;
    place.write("t/checkpoint", damaged);
    lda(&place, &["-o", "t", "--resume"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("its checksum does not match"));
}

/// Ctrl-C keeps the last checkpoint, says how to go on, and going on ends as if nothing had happened.
#[cfg(unix)]
#[test]
fn an_interrupted_run_goes_on_from_its_checkpoint() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    let place = place();
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("zgram"))
        .args(["lda", "c.zgram", "--topics", "2", "--iterations", "1000000000"])
        .args(["--checkpoint", "1", "-o", "t"])
        .current_dir(place.path("."))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let patience = Instant::now() + Duration::from_secs(60);
    while !place.path("t/checkpoint").exists() {
        assert!(Instant::now() < patience, "no checkpoint");
        std::thread::sleep(Duration::from_millis(5));
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let names: Vec<_> = place.tree("t").into_keys().collect();
    assert_eq!(names, [std::path::Path::new("checkpoint")]);
    let checkpoint = place.read("t/checkpoint");
    let passes = u64::from_le_bytes(checkpoint[40..48].try_into().unwrap());
    let all = (passes + 5).to_string();
    lda(&place, &["--iterations", &all, "-o", "t", "--resume"]).assert().success();
    lda(&place, &["--iterations", &all, "-o", "whole"]).assert().success();
    assert_eq!(place.tree("t"), place.tree("whole"));
}

#[test]
fn stats_tell_how_long_each_phase_took() {
    let place = place();
    let told = lda(&place, &["-o", "t", "--stats"]).assert().success();
    let told = String::from_utf8_lossy(&told.get_output().stderr).into_owned();
    for phase in ["open", "count", "train", "write", "total"] {
        let line = |line: &str| line.trim().starts_with(phase) && line.ends_with(" s");
        assert!(told.lines().any(line), "{phase} in {told}");
    }
}
