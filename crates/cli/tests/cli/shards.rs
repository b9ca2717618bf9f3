//! Folders of files as one corpus; merging and splitting.

use crate::support::{Place, errors_of};
use predicates::prelude::*;
use std::fs;

/// A place with a corpus in `c.zgram`, and the same in the folder `shards`.
fn split_place() -> Place {
    let place = Place::with_corpus();
    place
        .zgram(["split", "c.zgram", "-n", "3", "-o", "shards"])
        .assert()
        .success()
        .stderr(predicate::str::starts_with("3 documents with 2.79 kB of text in 3 files, "));
    place
}

fn printed(place: &Place, command: &[&str]) -> String {
    let output = place.zgram(command.iter().copied()).output().unwrap();
    assert!(output.status.success(), "{command:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_folder_answers_as_its_corpus() {
    let place = split_place();
    place.zgram(["merge", "shards", "-o", "m.zgram"]).assert().success();
    for command in [
        &["word-count", "F"][..],
        &["sort", "F", "--by", "word"],
        &["inverted-index", "F", "--fold"],
        &["term-vector", "F", "--top", "2", "--format", "json"],
        &["term-vector", "F", "--by", "folder"],
        &["sequence-count", "F", "-n", "2"],
        &["ranked-inverted-index", "F", "-n", "2"],
        &["tf-idf", "F"],
        &["rank", "F", "rose", "fox"],
        &["keyness", "F", "--target", "banana.txt"],
        &["collocates", "F", "rose"],
        &["search", "F", "is", "a", "rose"],
        &["search", "F", "fox", "--context", "2"],
        &["count", "F", "rose"],
        &["count", "F", "rose", "--doc", "*.txt"],
        &["ls", "F"],
        &["ls", "F", "fruits/*"],
        &["cat", "F"],
        &["cat", "F", "banana.txt"],
        &["extract", "F", "fruits/cherry.txt", "7", "3"],
        &["extract", "F", "apple.txt", "--lines", "2:3"],
    ] {
        let of = |file: &str| {
            let words: Vec<&str> =
                command.iter().map(|&word| if word == "F" { file } else { word }).collect();
            let output = place.zgram(words).output().unwrap();
            (output.status.code(), String::from_utf8(output.stdout).unwrap())
        };
        let expected = of("c.zgram");
        assert_eq!(expected.0, Some(0), "{command:?}");
        assert_eq!(of("shards"), expected, "{command:?}");
        assert_eq!(of("m.zgram"), expected, "{command:?}");
    }
    for (file, out) in [("c.zgram", "one"), ("shards", "two"), ("m.zgram", "three")] {
        place.zgram(["decompress", file, "-o", out]).assert().success();
    }
    assert_eq!(place.tree("one"), place.tree("two"));
    assert_eq!(place.tree("one"), place.tree("three"));
    let batch = "{\"op\": \"extract\", \"doc\": \"apple.txt\", \"offset\": 4, \"len\": 5}\n";
    let of = |file: &str| place.zgram(["batch", file, "-"]).write_stdin(batch).output().unwrap();
    assert_eq!(of("shards").stdout, of("c.zgram").stdout);
}

#[test]
fn a_folder_is_described_and_checked() {
    let place = split_place();
    let info = printed(&place, &["info", "shards"]);
    for expected in ["shards/c-1-of-3.zgram", "shards/c-3-of-3.zgram", "files  ", "at most"] {
        assert!(info.contains(expected), "{info}");
    }
    let json: serde_json::Value =
        serde_json::from_str(&printed(&place, &["info", "shards", "--format", "json"])).unwrap();
    assert_eq!(json["shards"], 3);
    assert_eq!(json["files"][2]["first_document"], 2);
    assert_eq!(json["documents"], 3);
    place.zgram(["verify", "shards"]).assert().success();
    let path = place.path("shards/c-2-of-3.zgram");
    let mut bytes = fs::read(&path).unwrap();
    bytes[40] ^= 1;
    fs::write(&path, &bytes).unwrap();
    place
        .zgram(["verify", "shards"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("shards/c-2-of-3.zgram: "));
    fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    place
        .zgram(["ls", "shards"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("shards/c-2-of-3.zgram: incomplete"));
    fs::remove_file(&path).unwrap();
    place
        .zgram(["ls", "shards"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("shards: the shard c-2-of-3.zgram is missing"));
}

#[test]
fn edits_name_a_file_of_the_folder() {
    let place = split_place();
    for command in [
        &["append", "shards", "apple.txt", "more"][..],
        &["rm", "shards", "apple.txt"],
        &["add", "shards", "new.txt", "more"],
        &["compact", "shards"],
    ] {
        place
            .zgram(command.iter().copied())
            .assert()
            .code(2)
            .stderr(predicate::str::contains("shards is a folder, and edits go to one file"))
            .stderr(predicate::str::contains("hint: `zgram info FOLDER`"));
    }
    let file = "shards/c-1-of-3.zgram";
    place.zgram(["append", file, "apple.txt", "zebra"]).assert().success();
    place.zgram(["add", file, "new.txt", "zebra"]).assert().success();
    assert_eq!(printed(&place, &["count", "shards", "zebra"]), "2\n");
    let names = printed(&place, &["ls", "shards"]);
    let names: Vec<&str> = names.lines().map(|line| line.split('\t').nth(1).unwrap()).collect();
    assert_eq!(names, ["apple.txt", "new.txt", "banana.txt", "fruits/cherry.txt"]);
    // Merging has them, too.
    place.zgram(["merge", "shards", "-o", "m.zgram"]).assert().success();
    assert_eq!(printed(&place, &["count", "m.zgram", "zebra"]), "2\n");
    place.zgram(["verify", "m.zgram"]).assert().success();
}

#[test]
fn documents_of_one_name_are_told_apart() {
    let place = Place::new();
    place.write("a/x.txt", "one");
    place.write("b/x.txt", "two");
    fs::create_dir(place.path("shards")).unwrap();
    for (folder, file) in [("a", "shards/1.zgram"), ("b", "shards/2.zgram")] {
        place.zgram(["compress", folder, "-o", file]).assert().success();
    }
    assert_eq!(printed(&place, &["cat", "shards", "x.txt"]), "onetwo");
    assert_eq!(printed(&place, &["ls", "shards", "x.txt"]), "3\tx.txt\n3\tx.txt\n");
    place
        .zgram(["extract", "shards", "x.txt", "0", "3"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("2 documents have the name x.txt"))
        .stderr(predicate::str::contains("shards/1.zgram, shards/2.zgram"));
    place.zgram(["decompress", "shards", "-o", "out"]).assert().code(2);
    assert!(!place.path("out").exists());
    place
        .zgram(["merge", "shards/1.zgram", "shards/2.zgram", "-o", "m.zgram"])
        .assert()
        .success()
        .stderr(predicate::str::contains("1 document has the name of an earlier one"));
    assert_eq!(printed(&place, &["cat", "m.zgram", "x.txt"]), "onetwo");
}

#[test]
fn merging_and_splitting_refuse_what_would_do_harm() {
    let place = split_place();
    place.zgram(["compress", "in", "-o", "indexed.zgram", "--index"]).assert().success();
    for (command, why) in [
        (&["merge", "shards", "-o", "c.zgram"][..], "c.zgram exists already"),
        (&["merge", "shards", "-o", "shards"], "shards is a folder"),
        (&["merge", "shards", "-o", "-"], "is not a file"),
        (&["merge", "nothing.zgram", "-o", "m.zgram"], "nothing.zgram"),
        (&["split", "c.zgram", "-n", "3", "-o", "shards"], "c-1-of-3.zgram exists already"),
        (&["split", "c.zgram", "-n", "2", "-o", "shards", "--force"], "would become part"),
        (&["split", "c.zgram", "-n", "4", "-o", "new"], "cannot be split into 4 files"),
        (&["split", "c.zgram", "-n", "0", "-o", "new"], "cannot be split into 0 files"),
        (&["split", "c.zgram", "-n", "2", "-o", "-"], "is not a folder"),
    ] {
        let said = errors_of(&mut place.zgram(command.iter().copied()));
        assert!(said.contains(why) && said.contains("error: "), "{command:?}: {said}");
    }
    assert!(!place.path("new").exists() && !place.path("m.zgram").exists());
    place
        .zgram(["merge", "indexed.zgram", "c.zgram", "-o", "m.zgram"])
        .assert()
        .success()
        .stderr(predicate::str::contains("no word counts of documents"));
    place.zgram(["merge", "indexed.zgram", "-o", "m.zgram", "-f"]).assert().success();
    assert!(printed(&place, &["info", "m.zgram", "-v"]).contains("word counts of segment 0"));
    let summary = printed(
        &place,
        &["split", "c.zgram", "-n", "3", "-o", "shards", "--force", "--format", "ndjson"],
    );
    assert_eq!(summary.lines().count(), 3);
    assert!(
        summary.starts_with("{\"file\":\"shards/c-1-of-3.zgram\",\"documents\":1,"),
        "{summary}"
    );
}
