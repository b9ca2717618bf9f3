//! `zgram tf-idf`: keywords, and matrices of weights.

use crate::support::Place;
use predicates::prelude::*;

fn place() -> Place {
    let place = Place::new();
    place.write("c/a.txt", "cat cat dog");
    place.write("c/b.txt", "dog emu");
    place.write("c/empty.txt", "");
    place.zgram(["compress", "c", "-o", "c.zgram"]).assert().success();
    place
}

#[test]
fn the_highest_score_comes_first() {
    let place = place();
    let (dog, cat) = (1.5f64.ln(), 3f64.ln());
    let both = format!(
        "a.txt\tcat\t{}\na.txt\tdog\t{dog}\nb.txt\temu\t{cat}\nb.txt\tdog\t{dog}\n",
        2.0 * cat
    );
    place.zgram(["tf-idf", "c.zgram"]).assert().success().stdout(both);
    let top = format!("a.txt\tcat\t{}\nb.txt\temu\t{cat}\n", 2.0 * cat);
    place.zgram(["tfidf", "c.zgram", "--top", "1"]).assert().success().stdout(top);
    let csv = format!("document,word,score\nb.txt,emu,{}\n", 2f64.ln());
    place
        .zgram(["tf-idf", "c.zgram", "[ab]*", "--format", "csv", "-o", "rows", "--vocabulary", "w"])
        .assert()
        .code(2);
    place.write("w", "emu\n");
    let one = ["tf-idf", "c.zgram", "[ab]*", "--format", "csv", "--vocabulary", "w"];
    place.zgram(one).assert().success().stdout(csv);
}

#[test]
fn every_scheme_has_its_formula() {
    let place = place();
    let scores = |options: &[&str]| {
        let command = ["tf-idf", "c.zgram", "--format", "ndjson"];
        let command = command.into_iter().chain(options.iter().copied());
        let out = place.zgram(command).assert().success().get_output().stdout.clone();
        let line = |line: &str| {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            row["score"].as_f64().unwrap()
        };
        String::from_utf8(out).unwrap().lines().map(line).collect::<Vec<f64>>()
    };
    let close = |found: Vec<f64>, expected: &[f64]| {
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
    };
    let (cat, dog) = (2f64.ln() + 1.0, (4f64 / 3.0).ln() + 1.0);
    let plain = [2.0 * cat, dog, cat, dog];
    close(scores(&["--scheme", "sklearn", "--norm", "none"]), &plain);
    let sums = [2.0 * cat + dog, cat + dog];
    let l1 = [2.0 * cat / sums[0], dog / sums[0], cat / sums[1], dog / sums[1]];
    close(scores(&["--scheme", "sklearn", "--norm", "l1"]), &l1);
    let bare = ["--scheme", "sklearn", "--norm", "none", "--no-idf", "--sublinear"];
    close(scores(&bare), &[2f64.ln() + 1.0, 1.0, 1.0, 1.0]);
    let rough = ["--scheme", "sklearn", "--norm", "none", "--no-smooth", "--top", "1"];
    close(scores(&rough), &[2.0 * (3f64.ln() + 1.0), 3f64.ln() + 1.0]);
    close(scores(&["--scheme", "gensim", "a.txt"]), &[]);
    close(scores(&["--scheme", "gensim", "[ab]*"]), &[1.0, 1.0]);
}

#[test]
fn weights_are_written_as_a_matrix() {
    let place = place();
    let mtx = ["tf-idf", "c.zgram", "--scheme", "gensim", "--format", "mtx", "-o", "m", "[ab]*"];
    place.zgram(mtx).assert().success().stdout("");
    let expected = "%%MatrixMarket matrix coordinate real general\n2 3 2\n1 1 1\n2 3 1\n";
    assert_eq!(String::from_utf8(place.read("m")).unwrap(), expected);
    assert_eq!(place.read("m.terms.txt"), b"cat\ndog\nemu\n");
    assert_eq!(place.read("m.documents.txt"), b"a.txt\nb.txt\n");
}

#[test]
fn bad_requests_leave_no_file() {
    let place = place();
    let refused: [(&[&str], &str); 6] = [
        (&["--norm", "l1"], "add --scheme sklearn"),
        (&["--scheme", "gensim", "--sublinear"], "add --scheme sklearn"),
        (&["--format", "npz", "--top", "3", "-o", "m"], "choose a format of rows"),
        (&["--format", "npz"], "a matrix needs files"),
        (&["--format", "mtx", "-o", "m", "--min-count", "9"], "none of the 3 distinct terms"),
        (&["empty.txt", "-o", "m"], "have no words"),
    ];
    for (options, message) in refused {
        place
            .zgram(["tf-idf", "c.zgram"].into_iter().chain(options.iter().copied()))
            .assert()
            .code(2)
            .stderr(predicate::str::contains(message));
        assert!(!place.path("m").exists() && !place.path("m.terms.txt").exists());
    }
}
