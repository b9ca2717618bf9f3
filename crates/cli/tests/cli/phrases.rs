//! Phrase indexes: `compress --phrases`, `index`, `next`, `trace`, and lists of phrases.

use crate::support::Place;
use predicates::prelude::*;
use std::fs;

/// A corpus of three texts.
fn place(options: &[&str]) -> Place {
    let place = Place::new();
    for (name, text) in [
        ("a.txt", "One fine day, one fine night. The night was long."),
        ("b.txt", "one fine day\none fine dish"),
        ("c.txt", "nothing of the kind"),
    ] {
        place.write(format!("texts/{name}"), text);
    }
    let compress = ["compress", "-q", "texts", "-o", "x.zgram"];
    place.zgram([&compress[..], options].concat()).assert().success();
    place
}

fn says(place: &Place, arguments: &[&str], expected: &str) {
    let output = place.zgram(arguments.iter().copied()).assert().success();
    output.stdout(predicate::eq(expected.to_owned()));
}

#[test]
fn answers_do_not_depend_on_where_the_index_is() {
    for options in [&["--phrases"][..], &[]] {
        let place = place(options);
        says(&place, &["count", "x.zgram", "one", "fine"], "3\n");
        says(&place, &["count", "x.zgram", "--prefix", "fine", "d"], "3\n");
        says(&place, &["count", "x.zgram", "--prefix", "--fold", "ONE", "f"], "4\n");
        says(&place, &["search", "x.zgram", "fine", "dish"], "b.txt\t17\t9\n");
        let next = "2\t0.5\tday\n1\t0.25\tdish\n1\t0.25\tnight\n";
        says(&place, &["next", "x.zgram", "fine"], next);
        says(&place, &["next", "x.zgram", "--top", "1", "--fold", "one"], "4\t1.0\tfine\n");
        place.write("passage.txt", "Was it one fine night? The night is young.");
        let passages = "7\t25\t5\t1\ta.txt\t14\n";
        says(&place, &["trace", "x.zgram", "passage.txt", "--least", "3"], passages);
        place.write("list.txt", "one fine\nfine day\r\nabsent words\n");
        let counts = "3\tone fine\n2\tfine day\n0\tabsent words\n";
        says(&place, &["count", "x.zgram", "--from", "list.txt"], counts);
        let counts = "2\tb.txt\tone fine\n1\tb.txt\tfine day\n0\tb.txt\tabsent words\n";
        says(&place, &["count", "x.zgram", "--from", "list.txt", "--doc", "b.txt"], counts);
    }
}

#[test]
fn an_index_is_added_and_removed() {
    let place = place(&[]);
    let size = |place: &Place| fs::metadata(place.path("x.zgram")).unwrap().len();
    let without = size(&place);
    place.zgram(["index", "x.zgram"]).assert().success();
    assert!(size(&place) > without);
    place.zgram(["verify", "-q", "x.zgram"]).assert().success();
    says(&place, &["count", "x.zgram", "one", "fine"], "3\n");
    place.zgram(["append", "-q", "x.zgram", "c.txt", " one fine"]).assert().success();
    says(&place, &["count", "x.zgram", "one", "fine"], "4\n");
    says(&place, &["next", "-q", "x.zgram", "the", "kind"], "1\t1.0\tone\n");
    place.zgram(["compact", "x.zgram"]).assert().success();
    says(&place, &["count", "x.zgram", "kind", "one", "fine"], "1\n");
    place.zgram(["index", "--drop", "x.zgram"]).assert().success();
    says(&place, &["count", "x.zgram", "kind", "one", "fine"], "1\n");
    place.zgram(["verify", "-q", "x.zgram"]).assert().success();
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let place = place(&["--phrases"]);
    place.write("list.txt", "one fine\n...\n");
    let refused = |arguments: &[&str], code: i32, text: &str| {
        let output = place.zgram(arguments.iter().copied()).assert().code(code);
        output.stderr(predicate::str::contains(text.to_owned()));
    };
    refused(&["count", "x.zgram", "--from", "list.txt"], 2, "line 2 of list.txt");
    refused(&["count", "x.zgram", "--from", "none.txt"], 2, "none.txt");
    refused(&["count", "x.zgram"], 2, "WORD");
    refused(&["next", "x.zgram", "absent"], 1, "no match for \"absent\"");
    refused(&["next", "x.zgram", "..."], 2, "no word");
    place.write("none.txt", "");
    refused(&["trace", "x.zgram", "none.txt"], 1, "no passage");
    refused(&["index", "-"], 2, "no file to edit");
    let long = "one ".repeat(1_000_000);
    place.write("long.txt", &long);
    let expected = format!("0\t{}\n", long.trim_end());
    let output = place.zgram(["count", "x.zgram", "--from", "long.txt"]).assert().success();
    output.stdout(predicate::function(move |said: &str| said.trim_end() == expected.trim_end()));
}
