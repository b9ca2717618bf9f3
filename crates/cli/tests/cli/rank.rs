//! `zgram rank`: the best documents for some words.

use crate::support::Place;
use predicates::prelude::*;

fn place() -> Place {
    let place = Place::new();
    place.write("c/cats.txt", "a cat is a feline and likes to purr");
    place.write("c/dogs.txt", "a dog is the human's best friend and loves to play");
    place.write("c/birds.txt", "a bird is a beautiful animal that can fly");
    place.write(
        "c/fish.txt",
        "a fish is a creature that lives in water and swims; fish, fish, fish",
    );
    place.write("c/none.txt", "");
    place.zgram(["compress", "c", "-o", "c.zgram"]).assert().success();
    place
}

/// Rows of the answer, scores rounded.
fn ranked(place: &Place, arguments: &[&str]) -> Vec<String> {
    let output = place
        .zgram(["rank", "c.zgram"].into_iter().chain(arguments.iter().copied()))
        .assert()
        .success();
    let text = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    let row = |line: &str| {
        let (score, rest) = line.split_once('\t').unwrap();
        format!("{:.4} {}", score.parse::<f64>().unwrap(), rest.replace('\t', " "))
    };
    text.lines().map(row).collect()
}

/// By hand: 5 documents of 9, 12, 9, 14 and 0 words, 8.8 on average; one contains "cat", and
/// ln(1 + 4.5 / 1.5) / (1 + 1.5 (0.25 + 0.75 * 9 / 8.8)) is 0.5489.
#[test]
fn the_best_documents_come_first() {
    let place = place();
    assert_eq!(ranked(&place, &["cat"]), ["0.5489 cats.txt"]);
    let rows = ranked(&place, &["a", "fish", "-k", "2"]);
    assert_eq!(rows.len(), 2);
    assert!(rows[0].ends_with("fish.txt") && rows[1].ends_with("birds.txt"), "{rows:?}");
    // "cats" and "birds" are equally long, and in the order of the corpus.
    let rows = ranked(&place, &["a"]);
    assert!(rows[2].ends_with("birds.txt") || rows[0].ends_with("birds.txt"), "{rows:?}");
    assert_eq!(ranked(&place, &["FISH", "--lower"]), ranked(&place, &["fish"]));
    assert_eq!(ranked(&place, &["purrs", "--stem", "en"]).len(), 1);
    let alone = ranked(&place, &["fish", "--doc", "fish.txt", "--doc", "cats.txt"]);
    assert_ne!(alone, ranked(&place, &["fish"]), "the chosen documents are a corpus");
    assert_ne!(ranked(&place, &["a", "--variant", "bm25+"]), ranked(&place, &["a"]));
}

#[test]
fn explanations_add_up() {
    let place = place();
    let rows = ranked(&place, &["cat", "a", "unicorn", "--explain"]);
    assert_eq!(rows.len(), 12, "four documents, three words");
    let fields = |row: &String| row.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let first = fields(&rows[0]);
    assert_eq!(first[1..4], ["cats.txt", "cat", "1"]);
    assert_eq!(first[5..7], ["1", "9"]);
    let sum: f64 = rows[..3].iter().map(|row| fields(row)[7].parse::<f64>().unwrap()).sum();
    assert!((sum - first[0].parse::<f64>().unwrap()).abs() < 1e-4);
    assert_eq!(fields(&rows[2])[2..], ["unicorn", "0", "0.0", "0", "9", "0.0"]);
    place
        .zgram(["rank", "c.zgram", "cat", "--explain"])
        .assert()
        .stderr("zgram: 5 documents, 8.80 words on average\n");
}

#[test]
fn pending_edits_count() {
    let place = place();
    place.zgram(["append", "c.zgram", "none.txt", "cat cat cat"]).assert().success();
    let edited = ranked(&place, &["cat"]);
    assert!(edited[0].ends_with("none.txt") && edited.len() == 2, "{edited:?}");
    place.zgram(["compact", "c.zgram"]).assert().success();
    assert_eq!(ranked(&place, &["cat"]), edited);
}

#[test]
fn rows_have_all_formats() {
    let place = place();
    let rank = |format: &str| place.zgram(["rank", "c.zgram", "cat", "--format", format]).assert();
    rank("csv").stdout(predicate::str::starts_with("score,document\n0.548"));
    rank("json").stdout(predicate::str::contains("\"document\":\"cats.txt\""));
    rank("table").stdout(predicate::str::contains("cats.txt"));
    rank("parquet").stdout(predicate::function(|bytes: &[u8]| bytes.starts_with(b"PAR1")));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let place = place();
    place.write("e/none.txt", "");
    place.zgram(["compress", "e", "-o", "e.zgram"]).assert().success();
    let refused = |arguments: &[&str], why: &str| {
        let assert = place.zgram(["rank"].into_iter().chain(arguments.iter().copied())).assert();
        assert.code(2).stdout("").stderr(predicate::str::contains(why));
    };
    refused(&["e.zgram", "a"], "the chosen documents have no words");
    refused(&["c.zgram", "--", "-"], "the query has no words");
    refused(&["c.zgram", "a", "--stop", "en"], "leaves out every word");
    refused(&["c.zgram", "a", "-k", "0"], "at most 0 documents");
    refused(&["c.zgram", "a", "--k1", "-1"], "k1 is -1");
    refused(&["c.zgram", "a", "--k1", "nan"], "k1 is NaN");
    refused(&["c.zgram", "a", "--b", "1.5"], "b is 1.5");
    refused(&["c.zgram", "a", "--delta", "-1"], "delta is -1");
    refused(&["c.zgram"], "WORD");
    let nothing = |words: &[&str]| {
        place
            .zgram(["rank", "c.zgram"].into_iter().chain(words.iter().copied()))
            .assert()
            .code(1)
            .stdout("")
    };
    nothing(&["unicorn"]).stderr(predicate::str::contains("no match for any of \"unicorn\""));
    nothing(&["CAT"]).stderr(predicate::str::contains("add --fold"));
}
