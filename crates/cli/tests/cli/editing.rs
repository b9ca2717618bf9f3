//! Edits, their journal, batches, compaction.

use crate::support::Place;
use predicates::prelude::*;
use std::process::{Command, Stdio};

/// Runs a command that must succeed.
fn run<const N: usize>(place: &Place, arguments: [&str; N]) {
    place.zgram(arguments).assert().success();
}

fn cat(place: &Place, document: &str) -> String {
    String::from_utf8(place.zgram(["cat", "c.zgram", document]).output().unwrap().stdout).unwrap()
}

#[test]
fn every_command_sees_the_edits() {
    let place = Place::with_corpus();
    let before = place.read("c.zgram");
    run(&place, ["insert", "c.zgram", "fruits/cherry.txt", "0", "ripe "]);
    run(&place, ["append", "c.zgram", "fruits/cherry.txt", "-dash\n"]);
    run(&place, ["replace", "c.zgram", "fruits/cherry.txt", "12", "3", "tart"]);
    run(&place, ["delete", "c.zgram", "fruits/cherry.txt", "16", "1"]);
    place
        .zgram(["add", "c.zgram", "plum.txt", "-"])
        .write_stdin("a plum from standard input\n")
        .assert()
        .success();
    run(&place, ["rm", "c.zgram", "banana.txt"]);
    run(&place, ["rename", "c.zgram", "apple.txt", "fox.txt"]);
    assert_eq!(place.read("c.zgram"), before, "the file itself stays as it is");

    let cherry = "ripe cherry tart cherry cake, cherry\n-dash\n";
    let check = |place: &Place| {
        assert_eq!(cat(place, "fruits/cherry.txt"), cherry);
        assert_eq!(cat(place, "plum.txt"), "a plum from standard input\n");
        place.zgram(["cat", "c.zgram", "banana.txt"]).assert().code(1);
        place.zgram(["ls", "c.zgram"]).assert().stdout(
            predicate::str::contains("2200\tfox.txt\n")
                .and(predicate::str::contains("27\tplum.txt\n"))
                .and(predicate::str::contains("banana").not()),
        );
        place.zgram(["count", "c.zgram", "cherry"]).assert().stdout("3\n");
        place.zgram(["count", "c.zgram", "rose"]).assert().stdout("0\n");
        place
            .zgram(["search", "c.zgram", "tart cherry"])
            .assert()
            .stdout("fruits/cherry.txt\t12\t11\n");
        place.zgram(["extract", "c.zgram", "fox.txt", "4", "5"]).assert().stdout("quick");
        place
            .zgram(["extract", "c.zgram", "fruits/cherry.txt", "--lines", "2"])
            .assert()
            .stdout("-dash\n");
        run(place, ["verify", "c.zgram"]);
        run(place, ["decompress", "c.zgram", "-o", "out", "--force"]);
        assert_eq!(place.read("out/fruits/cherry.txt"), cherry.as_bytes());
        assert!(!place.path("out/banana.txt").exists());
    };
    check(&place);
    place
        .zgram(["info", "c.zgram", "--format", "tsv"])
        .assert()
        .stdout(predicate::str::contains("pending_edits\t7\n"));
    place
        .zgram(["compact", "c.zgram", "--format", "json"])
        .assert()
        .success()
        .stdout(predicate::str::contains("\"edits\": 7"));
    check(&place);
    place.zgram(["info", "c.zgram", "--format", "tsv"]).assert().stdout(
        predicate::str::contains("pending_edits\t0\n")
            .and(predicate::str::contains("documents\t3\n")),
    );
}

#[test]
fn wrong_edits_change_nothing() {
    let place = Place::with_corpus();
    let refuse = |arguments: &[&str], code: i32, what: &str| {
        place
            .zgram(arguments.iter().copied())
            .assert()
            .code(code)
            .stderr(predicate::str::contains(what));
    };
    refuse(&["insert", "c.zgram", "apple.txt", "2201", "x"], 2, "past the end");
    refuse(&["delete", "c.zgram", "apple.txt", "2199", "2"], 2, "past the end");
    refuse(&["append", "c.zgram", "aple.txt", "x"], 1, "apple.txt");
    refuse(&["add", "c.zgram", "apple.txt", "x"], 2, "already");
    refuse(&["rename", "c.zgram", "apple.txt", "banana.txt"], 2, "already");
    refuse(&["insert", "c.zgram", "apple.txt", "-5", "x"], 2, "");
    refuse(&["append", "missing.zgram", "a", "x"], 2, "missing.zgram");
    refuse(&["append", "-", "a", "x"], 2, "no file to edit");
    assert!(!place.path("missing.zgram.lock").exists());
    place
        .zgram(["info", "c.zgram", "--format", "tsv"])
        .assert()
        .stdout(predicate::str::contains("pending_edits\t0\n"));
    // A journal that is not ours, and one that a crash has cut short.
    run(&place, ["append", "c.zgram", "apple.txt", "kept"]);
    run(&place, ["append", "c.zgram", "apple.txt", "torn"]);
    let journal = place.read("c.zgram.journal");
    place.write("c.zgram.journal", &journal[..journal.len() - 1]);
    place
        .zgram(["extract", "c.zgram", "apple.txt", "2200", "99"])
        .assert()
        .success()
        .stdout("kept")
        .stderr(predicate::str::contains("never complete"));
    place
        .zgram(["word-count", "c.zgram", "--format", "tsv"])
        .assert()
        .success()
        .stdout(predicate::str::contains("kept").and(predicate::str::contains("torn").not()))
        .stderr(predicate::str::contains("never complete"));
    place.write("c.zgram.journal", "this is not a journal, but it is long enough to be one");
    refuse(&["ls", "c.zgram"], 2, "not a journal");
    // Compressing anew over it takes the journal along.
    run(&place, ["compress", "in", "-o", "c.zgram", "--force"]);
    run(&place, ["ls", "c.zgram"]);
    assert!(!place.path("c.zgram.words").exists());
}

#[test]
fn batches_answer_in_order() {
    let place = Place::with_corpus();
    place.write(
        "ops.ndjson",
        concat!(
            "{\"op\": \"count\", \"doc\": \"fruits/cherry.txt\", \"words\": \"cherry\"}\n",
            "{\"op\": \"insert\", \"doc\": \"fruits/cherry.txt\", \"offset\": 0, \"text\": \"cherry \"}\n",
            "\n",
            "{\"op\": \"insert\", \"doc\": \"fruits/cherry.txt\", \"offset\": 0, \"text\": \"two \"}\n",
            "{\"op\": \"count\", \"words\": \"cherry\"}\n",
            "{\"op\": \"extract\", \"doc\": \"fruits/cherry.txt\", \"offset\": 0, \"len\": 17}\n",
            "{\"op\": \"search\", \"doc\": \"fruits/cherry.txt\", \"words\": \"two cherry\"}\n",
        ),
    );
    run(&place, ["compress", "in", "-o", "d.zgram"]);
    place.zgram(["batch", "c.zgram", "ops.ndjson"]).assert().success().stdout(concat!(
        "{\"line\":1,\"count\":3}\n",
        "{\"line\":2,\"done\":true}\n",
        "{\"line\":4,\"done\":true}\n",
        "{\"line\":5,\"count\":4}\n",
        "{\"line\":6,\"text\":\"two cherry cherry\"}\n",
        "{\"line\":7,\"matches\":[{\"doc\":\"fruits/cherry.txt\",\"offset\":0,\"len\":10}]}\n",
    ));
    let in_batch = place.zgram(["batch", "d.zgram", "ops.ndjson", "--in-batch"]).output().unwrap();
    let in_batch = String::from_utf8(in_batch.stdout).unwrap();
    assert!(in_batch.contains("\"text\":\"cherry two cherry\""), "{in_batch}");

    place.write(
        "bad.ndjson",
        "{\"op\": \"append\", \"doc\": \"apple.txt\", \"text\": \"x\"}\n{\"op\": \"fly\"}\n",
    );
    place
        .zgram(["batch", "c.zgram", "bad.ndjson"])
        .assert()
        .code(2)
        .stdout("")
        .stderr(predicate::str::contains("line 2: unknown operation \"fly\""));
    assert!(!cat(&place, "apple.txt").ends_with('x'));
    place.zgram(["batch", "c.zgram", "bad.ndjson", "--keep-going"]).assert().code(2).stdout(
        predicate::str::contains("{\"line\":1,\"done\":true}")
            .and(predicate::str::contains("error")),
    );
    assert!(cat(&place, "apple.txt").ends_with('x'));
}

/// The program is killed under load, again and again: what it said was done is there.
#[cfg(unix)]
#[test]
fn acknowledged_edits_survive_being_killed() {
    let place = Place::with_corpus();
    run(&place, ["add", "c.zgram", "log", ""]);
    let program = assert_cmd::cargo::cargo_bin!("zgram");
    let mut acknowledged = Vec::new();
    for round in 0..24 {
        // A shell that appends until it is killed with all it has started.
        let script = format!(
            "i=0; while :; do i=$((i+1)); {} append -q c.zgram log \"<{round}.$i>\" && echo \"<{round}.$i>\"; \
             [ $((i % 7)) = 0 ] && {} compact -q c.zgram; done",
            program.display(),
            program.display()
        );
        let mut command = Command::new("sh");
        command.args(["-c", &script]).current_dir(place.path(".")).stdout(Stdio::piped());
        command.stderr(Stdio::null());
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let child = command.spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(15 + round * 17 % 140));
        let group = format!("-{}", child.id());
        Command::new("kill").args(["-9", "--", &group]).status().unwrap();
        let output = child.wait_with_output().unwrap().stdout;
        acknowledged.extend(
            String::from_utf8(output)
                .unwrap()
                .lines()
                .map(str::to_owned)
                .filter(|line| line.ends_with('>')),
        );
        let text = cat(&place, "log");
        let mut found = text.split_inclusive('>');
        for line in &acknowledged {
            assert!(found.any(|found| found == line), "{line} is lost in round {round}:\n{text}");
        }
        // Nothing but whole edits, each once and in order.
        let mut pieces: Vec<&str> = text.split_inclusive('>').collect();
        let count = pieces.len();
        pieces.dedup();
        assert_eq!(pieces.len(), count, "an edit stands twice: {text}");
        assert!(
            pieces.iter().all(|piece| piece.starts_with('<') && piece.ends_with('>')),
            "{text}"
        );
    }
    assert!(!acknowledged.is_empty());
    run(&place, ["verify", "c.zgram"]);
}

#[cfg(unix)]
#[test]
fn a_second_writer_is_told_who_holds_the_corpus() {
    let place = Place::with_corpus();
    // A batch that waits for its operations holds nothing; so hold the lock here.
    run(&place, ["append", "c.zgram", "apple.txt", "x"]);
    let lock = std::fs::File::options().write(true).open(place.path("c.zgram.lock")).unwrap();
    lock.lock().unwrap();
    place
        .zgram(["append", "c.zgram", "apple.txt", "y"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("is being edited by process "));
    run(&place, ["cat", "c.zgram", "apple.txt"]);
    drop(lock);
    run(&place, ["append", "c.zgram", "apple.txt", "y"]);
}

#[test]
fn edits_are_compacted_by_themselves_past_the_threshold() {
    let place = Place::with_corpus();
    // Set afterwards: not due, so nothing is compacted yet.
    run(&place, ["compact", "c.zgram", "--threshold-edits", "3"]);
    place.zgram(["info", "c.zgram", "--format", "json"]).assert().stdout(
        predicate::str::contains("\"threshold_edits\": 3")
            .and(predicate::str::contains("\"pending_edits\": 0")),
    );
    let before = place.read("c.zgram");
    for _ in 0..2 {
        run(&place, ["append", "c.zgram", "apple.txt", "more\n"]);
        assert_eq!(place.read("c.zgram"), before);
    }
    place
        .zgram(["append", "c.zgram", "apple.txt", "more\n"])
        .assert()
        .success()
        .stderr(predicate::str::contains("reach the threshold of the corpus"));
    assert_ne!(place.read("c.zgram"), before);
    place
        .zgram(["count", "c.zgram", "--doc", "apple.txt", "more"])
        .assert()
        .stdout("3\tapple.txt\n");
    // It is in the new file now, and holds for batches.
    let line = "{\"op\": \"append\", \"doc\": \"apple.txt\", \"text\": \"again\"}\n";
    place
        .zgram(["batch", "c.zgram", "-"])
        .write_stdin(line.repeat(4))
        .assert()
        .success()
        .stderr(predicate::str::contains("reach the threshold of the corpus"));
    place
        .zgram(["info", "c.zgram", "--format", "json"])
        .assert()
        .stdout(predicate::str::contains("\"pending_edits\": 0"));
    // Set when compressing, and never reached.
    let compress = ["compress", "in", "-o", "d.zgram", "--threshold", "never"];
    place.zgram(compress).assert().success();
    place
        .zgram(["info", "d.zgram", "--format", "json"])
        .assert()
        .stdout(predicate::str::contains("\"threshold_bytes\": \"never\""));
    place.zgram(["compact", "c.zgram", "--threshold", "0"]).assert().code(2);
}
