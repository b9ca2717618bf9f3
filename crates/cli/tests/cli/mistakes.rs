//! Common mistakes: each gets a message that says what to do.

use crate::support::{Place, errors_of};
use predicates::prelude::*;
use predicates::str::contains;

#[test]
fn a_corpus_is_not_compressed_again() {
    let place = Place::with_corpus();
    place
        .zgram(["compress", "c.zgram", "-o", "again.zgram"])
        .assert()
        .code(2)
        .stderr(contains("c.zgram is a zgram file already").and(contains("zgram decompress")));
    let piped = place.read("c.zgram");
    place.zgram(["compress", "-", "-o", "again.zgram"]).write_stdin(piped).assert().code(2);
    assert_eq!(place.names(), ["c.zgram", "in"]);
    place.zgram(["compress", "c.zgram", "--no-decompress", "-o", "again.zgram"]).assert().success();
    // In a folder it is stored, with a notice.
    place.write("folder/old.zgram", place.read("c.zgram"));
    place
        .zgram(["compress", "folder", "-o", "folder.zgram"])
        .assert()
        .success()
        .stderr(contains("zgram files inside folders or archives"));
    place.zgram(["decompress", "folder.zgram", "-o", "copy"]).assert().success();
    assert!(place.read("copy/old.zgram") == place.read("c.zgram"));
}

#[test]
fn a_missing_output_folder_is_named() {
    let place = Place::with_corpus();
    for arguments in [&["compress", "in"][..], &["word-count", "c.zgram"]] {
        let mut command = place.zgram(arguments.iter().copied());
        let errors = errors_of(command.args(["-o", "nodir/x"]));
        assert!(errors.contains("the folder nodir does not exist"), "{errors}");
        assert!(!errors.contains(".tmp"), "{errors}");
    }
}

#[test]
fn words_in_place_of_numbers_are_quoted() {
    let place = Place::with_corpus();
    for arguments in [
        &["word-count", "c.zgram", "--top", "ten"][..],
        &["insert", "c.zgram", "apple.txt", "ten", "text"],
        &["extract", "c.zgram", "apple.txt", "0", "ten"],
        &["search", "c.zgram", "fox", "-C", "ten"],
        &["sequence-count", "c.zgram", "-n", "ten"],
    ] {
        let mut command = place.zgram(arguments.iter().copied());
        command.assert().code(2).stderr(contains("\"ten\" is not a whole number"));
    }
}

#[test]
fn negative_numbers_are_refused_with_their_option() {
    let place = Place::with_corpus();
    for (command, option, number) in [
        ("word-count", "--min-count", "-5"),
        ("word-count", "--top", "-1"),
        ("sequence-count", "-n", "-2"),
        ("matrix", "--max-docs", "-0.5"),
        ("word2vec", "--alpha", "-.5"),
        ("lda", "--seed", "-1"),
    ] {
        let errors = errors_of(&mut place.zgram([command, "c.zgram", option, number]));
        let expected = format!("invalid value '{number}' for '{option}': must not be negative");
        assert!(errors.contains(&expected) && !errors.contains("-- -"), "{errors}");
    }
    // No option takes these.
    for arguments in [["word-count", "-5"], ["word-count", "--lower"]] {
        let errors = errors_of(&mut place.zgram([arguments[0], "c.zgram", arguments[1], "-5"]));
        assert!(errors.contains("unexpected argument"), "{errors}");
    }
}

#[test]
fn memory_that_would_take_forever_is_refused() {
    let place = Place::with_corpus();
    for command in ["inverted-index", "ranked-inverted-index", "matrix", "tf-idf"] {
        let errors = errors_of(&mut place.zgram([command, "c.zgram", "--memory", "512"]));
        assert!(errors.contains("at least 1M is needed"), "{errors}");
        assert!(errors.contains("a number without a unit is in bytes"), "{errors}");
    }
}

#[test]
fn a_file_in_place_of_a_folder_is_named() {
    let place = Place::with_corpus();
    let before = place.read("c.zgram");
    for arguments in [
        &["cooccurrence", "c.zgram", "--format", "glove"][..],
        &["lda", "c.zgram"],
        &["decompress", "c.zgram"],
        &["decompress", "c.zgram", "--force"],
    ] {
        let mut command = place.zgram(arguments.iter().copied());
        let errors = errors_of(command.args(["-o", "c.zgram"]));
        assert!(errors.contains("c.zgram is a file\nhint: name a folder with -o"), "{errors}");
    }
    assert!(place.read("c.zgram") == before);
    let glove = ["cooccurrence", "c.zgram", "--format", "glove", "-o", "nodir/x"];
    let errors = errors_of(&mut place.zgram(glove));
    assert!(errors.contains("the folder nodir does not exist\nhint: create it first"), "{errors}");
}

#[test]
fn pending_edits_are_not_replaced() {
    let place = Place::with_corpus();
    place.zgram(["append", "c.zgram", "apple.txt", "more"]).assert().success();
    let before = place.files(".");
    for arguments in [
        &["word-count", "c.zgram"][..],
        &["matrix", "c.zgram", "--format", "npz"],
        &["word2vec", "c.zgram", "--min-count", "1"],
        &["compress", "in"],
    ] {
        for file in ["c.zgram.journal", "c.zgram.words", "c.zgram.lock"] {
            let mut command = place.zgram(arguments.iter().copied());
            let errors = errors_of(command.args(["--force", "-o", file]));
            assert!(errors.contains(&format!("{file} belongs to the corpus ")), "{errors}");
        }
    }
    assert!(place.files(".") == before);
    // Beside no corpus it is a name like any other.
    place.write("c.journal", "old");
    place.zgram(["word-count", "c.zgram", "--force", "-o", "c.journal"]).assert().success();
}

#[test]
fn ranges_of_lines_may_have_a_dash() {
    let place = Place::with_corpus();
    let lines = |range: &str| place.zgram(["extract", "c.zgram", "apple.txt", "--lines", range]);
    let expected = lines("5:6").output().unwrap().stdout;
    assert!(!expected.is_empty());
    lines("5-6").assert().success().stdout(expected);
    lines("-5:").assert().code(2).stderr(contains("lines are counted from the beginning"));
}

#[test]
fn an_empty_input_is_called_empty() {
    let place = Place::new();
    place.write("empty", "");
    place
        .zgram(["compress", "empty", "-o", "e.zgram"])
        .assert()
        .success()
        .stderr(contains("(empty input)"));
}

#[test]
fn all_errors_begin_alike() {
    let place = Place::with_corpus();
    for arguments in
        [&["frobnicate"][..], &["ls"], &["ls", "c.zgram", "--frob"], &["ls", "missing"]]
    {
        let errors = errors_of(&mut place.zgram(arguments.iter().copied()));
        assert!(errors.starts_with("zgram: error: "), "{errors}");
    }
}

#[test]
fn a_corpus_in_the_wrong_place_is_noticed() {
    let place = Place::with_corpus();
    place
        .zgram(["search", "ERROR", "c.zgram"])
        .assert()
        .code(2)
        .stderr(contains("cannot open ERROR: no such file or folder"))
        .stderr(contains("the corpus comes first: zgram search c.zgram"));
    place.zgram(["search", "missing", "other"]).assert().stderr(contains("comes first").not());
    place
        .zgram(["append", "apple.txt", "c.zgram", "text"])
        .assert()
        .code(2)
        .stderr(contains("zgram append c.zgram"));
}

#[test]
fn names_that_contain_the_word_are_suggested_first() {
    let place = Place::new();
    for name in ["carroll-alice.txt", "alive", "plice", "blice"] {
        place.write(format!("in/{name}"), "text");
    }
    place.zgram(["compress", "in", "-o", "c.zgram"]).assert().success();
    place
        .zgram(["cat", "c.zgram", "alice"])
        .assert()
        .code(1)
        .stderr(contains("similar names: carroll-alice.txt, "));
}

#[test]
fn a_document_among_the_words_to_count_is_noticed() {
    let place = Place::with_corpus();
    place.zgram(["count", "c.zgram", "quick"]).assert().success().stdout("50\n").stderr("");
    place
        .zgram(["count", "c.zgram", "apple.txt", "quick"])
        .assert()
        .success()
        .stdout("0\n")
        .stderr(contains("--doc apple.txt"));
    place
        .zgram(["count", "c.zgram", "--doc", "apple.txt", "quick"])
        .assert()
        .stdout("50\tapple.txt\n");
}

#[test]
fn tasks_without_rows_exit_with_1() {
    let place = Place::with_corpus();
    for task in [
        "word-count",
        "sort",
        "inverted-index",
        "term-vector",
        "sequence-count",
        "ranked-inverted-index",
    ] {
        let mut command = place.zgram([task, "c.zgram", "--match", "^missing$"]);
        command.assert().code(1).stdout("").stderr(contains("no rows"));
        place.zgram([task, "c.zgram", "--top", "0"]).assert().success();
    }
}

#[test]
fn names_from_other_programs_are_understood() {
    let place = Place::with_corpus();
    for (other, own) in
        [("grep", "search"), ("list", "ls"), ("stat", "info"), ("ngrams", "sequence-count")]
    {
        let run = |verb: &str| {
            let words: &[&str] = if own == "search" { &["fox"] } else { &[] };
            place.zgram([verb, "c.zgram"]).args(words).output().unwrap()
        };
        assert_eq!(run(other).stdout, run(own).stdout, "{other}");
        assert!(run(other).status.success());
    }
    place.zgram(["wc", "c.zgram", "--top", "1"]).assert().success();
    for other in ["unpack", "x"] {
        place.zgram([other, "c.zgram", "-o", other]).assert().success();
        assert_eq!(place.tree(other), place.tree("in"));
    }
}

#[test]
fn cat_without_names_writes_all_documents() {
    let place = Place::with_corpus();
    place.zgram(["append", "c.zgram", "apple.txt", "more"]).assert().success();
    let all = place.zgram(["cat", "c.zgram", "*"]).output().unwrap().stdout;
    place.zgram(["cat", "c.zgram"]).assert().success().stdout(all);
}

#[test]
fn verify_counts_pending_edits() {
    let place = Place::with_corpus();
    place.zgram(["add", "c.zgram", "new.txt", "twelve bytes"]).assert().success();
    let sizes = place.zgram(["ls", "c.zgram"]).output().unwrap().stdout;
    let sizes = String::from_utf8(sizes).unwrap();
    let total: u64 =
        sizes.lines().map(|l| l.split('\t').next().unwrap().parse::<u64>().unwrap()).sum();
    let record = place.zgram(["verify", "c.zgram", "--format", "json"]).output().unwrap().stdout;
    let record: serde_json::Value = serde_json::from_slice(&record).unwrap();
    assert_eq!(record["documents"], 4);
    assert_eq!(record["text_bytes"], total);
}

#[test]
fn another_case_is_suggested_only_where_it_occurs() {
    let place = Place::new();
    place.write("in/a", "the Whale and the Whale");
    place.write("in/b", "a whale");
    place.zgram(["compress", "in", "-o", "c.zgram"]).assert().success();
    let search = |document: &str, word: &str| {
        let assert = place.zgram(["search", "c.zgram", word, "--doc", document]).assert().code(1);
        String::from_utf8(assert.get_output().stderr.clone()).unwrap()
    };
    assert!(search("a", "whale").contains("it occurs 2 times in another case"));
    assert!(!search("b", "the").contains("another case"));
    assert!(!search("a", "a").contains("another case"));
}
