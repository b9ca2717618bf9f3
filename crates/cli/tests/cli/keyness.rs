//! `zgram keyness`: words that set documents apart.

use crate::support::Place;
use predicates::prelude::*;

fn place() -> Place {
    let place = Place::new();
    place.write("c/a/1.txt", "the ship and the whale, the whale");
    place.write("c/a/2.txt", "a whale and a ship");
    place.write("c/b/1.txt", "the house and the garden");
    place.write("d/1.txt", "the house, a house");
    place.zgram(["compress", "c", "-o", "c.zgram"]).assert().success();
    place.zgram(["compress", "d", "-o", "d.zgram"]).assert().success();
    place
}

fn rows(place: &Place, arguments: &[&str]) -> Vec<Vec<String>> {
    let command = place.zgram(["keyness"].into_iter().chain(arguments.iter().copied()));
    let output = { command }.assert().success();
    let text = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    text.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

/// By hand: "whale" occurs 3 times in 12 words and never in 5; 2 * 3 ln(3 / (12 * 3 / 17)) is 2.0898.
#[test]
fn words_of_two_corpora_and_of_two_selections_are_compared() {
    let place = place();
    let selections = rows(&place, &["c.zgram", "--target", "a/*"]);
    assert_eq!(selections[0][0], "whale");
    assert_eq!(format!("{:.4}", selections[0][1].parse::<f64>().unwrap()), "2.0898");
    assert_eq!(selections[0][2..], ["3", "0", "250000.0", "0.0"]);
    assert_eq!(selections, rows(&place, &["c.zgram", "--target", "a/*", "--reference", "b/*"]));
    let corpora = rows(&place, &["c.zgram", "d.zgram", "--measure", "logratio"]);
    let house = corpora.iter().find(|row| row[0] == "house").unwrap();
    assert!(house[1].starts_with('-'), "{house:?}");
    assert_eq!(house[2..4], ["1", "2"]);
    let reversed = rows(&place, &["c.zgram", "d.zgram", "--reverse", "--top", "1"]);
    assert_eq!(reversed[0][0], "house");
    let frequent = rows(&place, &["c.zgram", "d.zgram", "--min-count", "5"]);
    assert_eq!(frequent.len(), 1, "{frequent:?}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let place = place();
    let refused = |arguments: &[&str], code: i32, why: &str| {
        let command = place.zgram(["keyness"].into_iter().chain(arguments.iter().copied()));
        { command }.assert().code(code).stdout("").stderr(predicate::str::contains(why));
    };
    refused(&["c.zgram"], 2, "there is no reference");
    refused(&["c.zgram", "--target", "*"], 2, "the reference has no words");
    refused(&["c.zgram", "--target", "a/*", "--match", "house"], 2, "the target has no words");
    refused(&["c.zgram", "--target", "z/*"], 1, "z/*");
    refused(&["c.zgram", "d.zgram", "--min-count", "100"], 1, "no word occurs 100 times");
    refused(&["c.zgram", "missing.zgram"], 2, "missing.zgram");
}
