//! Parts of documents, words and their places.

use crate::support::{Place, errors_of};
use predicates::prelude::*;

#[test]
fn parts_of_documents_are_extracted() {
    let place = Place::with_corpus();
    let extract = |arguments: &[&str]| {
        let mut command = place.zgram(["extract", "c.zgram"]);
        command.args(arguments);
        command
    };
    let text = "the quick brown fox jumps over the lazy dog\n".repeat(50);
    extract(&["apple.txt", "4", "5"]).assert().success().stdout("quick");
    extract(&["apple.txt", "0", "99999999"]).assert().success().stdout(text.clone());
    extract(&["apple.txt", "2191", "99"]).assert().success().stdout("lazy dog\n");
    extract(&["apple.txt", "2200", "1"]).assert().success().stdout("");
    extract(&["apple.txt", "--lines", "2:3"]).assert().success().stdout(text[44..132].to_owned());
    extract(&["apple.txt", "--lines", "50:"]).assert().success().stdout(text[..44].to_owned());
    extract(&["apple.txt", "--lines", "51"]).assert().success().stdout("");

    extract(&["apple.txt", "2201", "1"]).assert().code(2).stderr(predicate::str::contains(
        "offset 2201 is past the end of apple.txt, which has 2200",
    ));
    extract(&["aple.txt", "0", "1"])
        .assert()
        .code(1)
        .stderr(predicate::str::contains("similar names: apple.txt"));
    extract(&["apple.txt"]).assert().code(2);
    extract(&["apple.txt", "5"]).assert().code(2);
    extract(&["apple.txt", "5", "5", "--lines", "1:2"]).assert().code(2);
    extract(&["apple.txt", "--lines", "3:2"]).assert().code(2);
}

#[test]
fn words_and_phrases_are_counted() {
    let place = Place::with_corpus();
    let count = |arguments: &[&str]| {
        let mut command = place.zgram(["count", "c.zgram"]);
        command.args(arguments);
        command
    };
    count(&["--doc", "apple.txt", "the"]).assert().success().stdout("100\tapple.txt\n");
    count(&["--doc", "apple.txt", "lazy", "dog"]).assert().success().stdout("50\tapple.txt\n");
    // Line ends are separators, so the phrase goes on over them.
    count(&["--doc", "apple.txt", "dog the"]).assert().success().stdout("49\tapple.txt\n");
    count(&["cherry"]).assert().success().stdout("3\n");
    count(&["nowhere"]).assert().success().stdout("0\n");
    count(&["--doc", "*.txt", "rose", "--format", "json"])
        .assert()
        .success()
        .stdout(predicate::str::contains("\"count\": 60").and(predicate::str::contains("banana")));
    count(&["--doc", "pear.txt", "the"]).assert().code(1);
    count(&["--doc", "apple.txt"]).assert().code(2);
    count(&["--", "--"]).assert().code(2);
}

#[test]
fn places_are_printed_with_and_without_context() {
    let place = Place::with_corpus();
    let search = |arguments: &[&str]| {
        let mut command = place.zgram(["search", "c.zgram"]);
        command.args(arguments);
        command
    };
    search(&["cherry"])
        .assert()
        .success()
        .stdout("fruits/cherry.txt\t0\t6\nfruits/cherry.txt\t12\t6\nfruits/cherry.txt\t25\t6\n");
    search(&["cherry", "cake", "-C", "1"])
        .assert()
        .success()
        .stdout("fruits/cherry.txt\t12\t11\tpie, \tcherry cake\t, cherry\n");
    search(&["--doc", "banana.txt", "rose", "--format", "ndjson"]).assert().success().stdout(
        predicate::str::contains("{\"document\":\"banana.txt\",\"offset\":2,\"length\":4}"),
    );
    let aligned = search(&["cherry", "--format", "table"]).output().unwrap().stdout;
    let aligned = String::from_utf8(aligned).unwrap();
    let columns: Vec<usize> =
        aligned.lines().map(|line| line.rfind("cherry,").unwrap_or(0)).collect();
    assert_eq!(aligned.lines().count(), 3, "{columns:?}");
    let first = search(&["the", "--max-count", "2"]).output().unwrap().stdout;
    assert_eq!(first, b"apple.txt\t0\t3\napple.txt\t31\t3\n");
    search(&["the", "-m", "0"]).assert().success().stdout("");
    search(&["nowhere"])
        .assert()
        .code(1)
        .stderr(predicate::str::contains("no match for \"nowhere\""));
    search(&["--doc", "apple.txt", "cherry"]).assert().code(1);
}

#[test]
fn an_index_in_the_file_changes_no_answer() {
    let place = Place::with_corpus();
    place.zgram(["compress", "in", "--index", "-o", "i.zgram"]).assert().success();
    place.zgram(["verify", "i.zgram"]).assert().success();
    for file in ["c.zgram", "i.zgram"] {
        place
            .zgram(["count", file, "--doc", "apple.txt", "the"])
            .assert()
            .stdout("100\tapple.txt\n");
    }
    place
        .zgram(["info", "i.zgram", "--segments"])
        .assert()
        .stdout(predicate::str::contains("word counts of segment 0"));
    let piped = place.read("i.zgram");
    place
        .zgram(["count", "-", "--doc", "apple.txt", "fox"])
        .write_stdin(piped)
        .assert()
        .stdout("50\tapple.txt\n");
}

#[test]
fn errors_name_what_is_wrong() {
    let place = Place::with_corpus();
    let errors = errors_of(&mut place.zgram(["search", "missing.zgram", "x"]));
    assert!(errors.contains("missing.zgram"), "{errors}");
}

#[test]
fn case_does_not_matter_with_fold() {
    let place = Place::with_corpus();
    // A word that only the edits have, and one that they spell in another way.
    place.zgram(["append", "c.zgram", "apple.txt", "The QUICK Straße\n"]).assert().success();
    place.zgram(["count", "c.zgram", "quick"]).assert().stdout("50\n");
    place.zgram(["count", "c.zgram", "--fold", "Quick"]).assert().stdout("51\n");
    place
        .zgram(["count", "c.zgram", "--doc", "apple.txt", "--lower", "the QUICK"])
        .assert()
        .stdout(predicates::str::starts_with("51\t"));
    place
        .zgram(["search", "c.zgram", "--fold", "quick STRASSE"])
        .assert()
        .stdout("apple.txt\t2204\t13\n");
    place
        .zgram(["search", "c.zgram", "--fold", "--doc", "apple.txt", "STRASSE"])
        .assert()
        .stdout("apple.txt\t2210\t7\n");
    place.zgram(["search", "c.zgram", "--fold", "nowhere"]).assert().code(1);
    place.zgram(["count", "c.zgram", "--fold", "nowhere"]).assert().stdout("0\n");
}
