//! Documents by name and by pattern.

use crate::support::Place;
use predicates::prelude::*;

#[test]
fn names_and_patterns_choose() {
    let place = Place::with_corpus();
    let cherry = "cherry pie, cherry cake, cherry\n";
    place.zgram(["cat", "c.zgram", "fruits/cherry.txt"]).assert().success().stdout(cherry);
    place.zgram(["cat", "c.zgram", "*cherry*"]).assert().success().stdout(cherry);
    place
        .zgram(["cat", "c.zgram", "fruits/*", "fruits/cherry.txt"])
        .assert()
        .success()
        .stdout(cherry.repeat(2));
    place.zgram(["ls", "c.zgram", "{banana,apple}.txt"]).assert().success().stdout(
        predicate::str::contains("apple.txt")
            .and(predicate::str::contains("banana.txt"))
            .and(predicate::str::contains("cherry").not()),
    );
    place.zgram(["decompress", "c.zgram", "*.txt", "apple.txt", "-o", "all"]).assert().success();
    assert_eq!(place.tree("all"), place.tree("in"));
    place.zgram(["decompress", "c.zgram", "banana.txt", "-o", "one"]).assert().success();
    assert_eq!(place.tree("one").len(), 1);
}

#[test]
fn a_name_with_pattern_letters_is_found_as_it_is() {
    let place = Place::new();
    place.write("in/[draft].txt", "draft\n");
    place.write("in/d.txt", "other\n");
    place.zgram(["compress", "in", "-o", "c.zgram"]).assert().success();
    place.zgram(["cat", "c.zgram", "[draft].txt"]).assert().success().stdout("draft\n");
}

#[test]
fn documents_of_several_segments_are_put_together() {
    let place = Place::new();
    let text: String = (0..3000).map(|number| format!("line {number}\n")).collect();
    place.write("in/a", &text);
    place.write("in/b", "short\n");
    place.zgram(["compress", "in", "-o", "c.zgram", "--segment-size", "1K"]).assert().success();
    place.zgram(["cat", "c.zgram", "b", "a"]).assert().success().stdout(format!("short\n{text}"));
    place.zgram(["decompress", "c.zgram", "a", "-o", "out", "-t", "3"]).assert().success();
    assert_eq!(place.read("out/a"), text.as_bytes());
}

#[test]
fn an_unknown_name_is_not_an_error_but_nothing_found() {
    let place = Place::with_corpus();
    for verb in ["cat", "ls"] {
        place
            .zgram([verb, "c.zgram", "aple.txt"])
            .assert()
            .code(1)
            .stdout("")
            .stderr(predicate::str::contains("no document aple.txt"))
            .stderr(predicate::str::contains("hint: similar names: apple.txt"));
    }
    place
        .zgram(["cat", "c.zgram", "cherri.txt"])
        .assert()
        .code(1)
        .stderr(predicate::str::contains("fruits/cherry.txt"));
    // Nothing is done when anything is missing.
    place
        .zgram(["decompress", "c.zgram", "apple.txt", "*.html", "-o", "out"])
        .assert()
        .code(1)
        .stderr(predicate::str::contains("no document *.html"));
    assert_eq!(place.names(), ["c.zgram", "in"]);
}

#[test]
fn a_broken_pattern_is_an_error() {
    let place = Place::with_corpus();
    place
        .zgram(["cat", "c.zgram", "[a"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("is not a pattern"));
}

#[test]
fn appending_to_a_document_that_is_not_there_names_the_way() {
    let place = Place::with_corpus();
    place
        .zgram(["append", "c.zgram", "aple.txt", "more"])
        .assert()
        .code(1)
        .stderr(predicate::str::contains("no document aple.txt"))
        .stderr(predicate::str::contains("apple.txt; `zgram add` makes a new document"));
}
