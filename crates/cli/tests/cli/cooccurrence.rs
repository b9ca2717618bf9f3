//! `zgram cooccurrence` and `zgram collocates`.

use crate::support::{Place, errors_of};
use predicates::prelude::*;

fn place() -> Place {
    let place = Place::new();
    place.write("c/a.txt", "the cat the\nrare dog");
    place.write("c/b.txt", "the dog cat");
    place.zgram(["compress", "c", "-o", "c.zgram"]).assert().success();
    place
}

/// The records of GloVe's file of co-occurrences.
fn records(bytes: &[u8]) -> Vec<(i32, i32, f64)> {
    assert_eq!(bytes.len() % 16, 0);
    let record = |bytes: &[u8]| {
        let number = |at: usize| i32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        (number(0), number(4), f64::from_le_bytes(bytes[8..].try_into().unwrap()))
    };
    bytes.chunks(16).map(record).collect()
}

#[test]
fn glove_gets_its_two_files() {
    let place = place();
    let glove = |more: &[&str]| {
        let command = ["cooccurrence", "c.zgram", "--min-count", "2", "--format", "glove"];
        let command = command.into_iter().chain(["-o", "g", "--force", "--boundary", "line"]);
        place.zgram(command.chain(more.iter().copied())).assert().success().stdout("");
        assert_eq!(place.read("g/vocab.txt"), b"the 3\ncat 2\ndog 2\n");
        records(&place.read("g/cooccurrence.bin"))
    };
    // "the cat the" and "the dog cat"; "dog" is alone on its line once "rare" is gone.
    let both =
        [(1, 1, 1.0), (1, 2, 2.5), (1, 3, 1.0), (2, 1, 2.5), (2, 3, 1.0), (3, 1, 1.0), (3, 2, 1.0)];
    assert_eq!(glove(&[]), both);
    // As `cooccur -symmetric 0`: the first word is the one on the left.
    let left = [(1, 1, 0.5), (1, 2, 1.5), (1, 3, 1.0), (2, 1, 1.0), (3, 2, 1.0)];
    assert_eq!(glove(&["--left"]), left);
    let right = left.map(|(a, b, value)| (b, a, value));
    let mut found = glove(&["--right"]);
    found.sort_by_key(|&(a, b, _)| (b, a));
    assert_eq!(found, right);
}

#[test]
fn matrices_have_their_words_beside_them() {
    let place = place();
    let write = |format: &str, more: &[&str]| {
        let command = ["cooccurrence", "c.zgram", "--min-count", "2", "-o", "m", "-f", "--format"];
        let command = command.into_iter().chain([format]).chain(more.iter().copied());
        place.zgram(command).assert().success().stdout("");
        assert_eq!(place.read("m.terms.txt"), b"the\ncat\ndog\n");
        assert!(!place.path("m.documents.txt").exists());
        place.read("m")
    };
    let mtx = String::from_utf8(write("mtx", &["--boundary", "line", "--upper-triangle"])).unwrap();
    let heading = "%%MatrixMarket matrix coordinate real general\n3 3 4\n";
    assert_eq!(mtx, format!("{heading}1 1 1\n1 2 2.5\n1 3 1\n2 3 1\n"));
    let flat = ["--weighting", "flat", "--left", "--window", "1"];
    let mtx = String::from_utf8(write("mtx", &flat)).unwrap();
    assert_eq!(mtx.split_once("general\n").unwrap().1, "3 3 4\n1 2 1\n2 1 1\n2 3 1\n3 1 2\n");
    for format in ["npz", "arrow", "parquet"] {
        assert!(write(format, &[]).len() > 100);
    }
    let npz = std::io::Cursor::new(write("npz", &[]));
    let archive = zip::ZipArchive::new(npz).unwrap();
    let names: Vec<_> = archive.file_names().map(Result::unwrap).collect();
    assert_eq!(names, ["format.npy", "shape.npy", "indices.npy", "indptr.npy", "data.npy"]);
}

#[test]
fn a_summary_says_what_was_written() {
    let place = place();
    let summary = |arguments: &[&str]| errors_of(&mut place.zgram(arguments.iter().copied()));
    let pairs = ["cooccurrence", "c.zgram", "--format", "mtx", "-o", "pairs.mtx", "--lower"];
    assert_eq!(summary(&pairs), "pairs.mtx: co-occurrences of 4 words\n");
    let counts = ["matrix", "c.zgram", "--format", "npz", "-o", "x.npz", "a.txt", "--lower"];
    let heading = |name: &str| format!("{name}: 1 row, 4 columns, 4 cells\n");
    assert_eq!(summary(&counts), heading("x.npz"));
    let scores = ["tf-idf", "c.zgram", "--format", "mtx", "-o", "s.mtx", "a.txt", "--lower"];
    assert_eq!(summary(&scores), heading("s.mtx"));
    assert_eq!(summary(&[&counts[..], &["-f", "-q"]].concat()), "");
}

#[test]
fn bad_requests_leave_nothing() {
    let place = place();
    place.write("e/empty.txt", "");
    place.zgram(["compress", "e", "-o", "e.zgram"]).assert().success();
    place.write("taken/cooccurrence.bin", "mine");
    let refused: [(&[&str], &str); 9] = [
        (&["c.zgram", "-o", "g", "--window", "0"], "a window of 0 words is not possible"),
        (&["c.zgram", "-o", "g", "--window", "1000000000"], "a window of 1000000000 words"),
        (
            &["c.zgram", "-o", "g", "--window", "47"],
            "choose from 1 to 46 (the most is 46, or 10,000 with flat",
        ),
        (
            &["c.zgram", "-o", "g", "--min-count", "9"],
            "none of the 4 distinct words occurs 9 times",
        ),
        (&["c.zgram", "-o", "g", "--max-vocab", "0"], "at most 0 words"),
        (&["c.zgram", "-o", "g", "--sklearn", "--boundary", "line"], "do not know where lines end"),
        (&["c.zgram", "-o", "-"], "GloVe needs two files"),
        (&["c.zgram", "-o", "taken"], "cooccurrence.bin exists already"),
        (&["e.zgram", "-o", "g"], "the chosen documents have no words"),
    ];
    for (arguments, message) in refused {
        let command = ["cooccurrence", "--format", "glove"];
        place
            .zgram(command.into_iter().chain(arguments.iter().copied()))
            .assert()
            .code(2)
            .stderr(predicate::str::contains(message));
        assert!(!place.path("g").exists(), "{arguments:?}");
    }
    assert_eq!(place.read("taken/cooccurrence.bin"), b"mine");
    assert!(!place.path("taken/vocab.txt").exists());
    let sides = ["cooccurrence", "c.zgram", "--format", "mtx", "-o", "m", "--left", "--right"];
    place.zgram(sides).assert().code(2);
}

#[test]
fn collocates_are_rows() {
    let place = place();
    let rows = |more: &[&str]| {
        let command = ["collocates", "c.zgram"].into_iter().chain(more.iter().copied());
        let output = place.zgram(command).assert().success().get_output().stdout.clone();
        String::from_utf8(output).unwrap()
    };
    let only_right = ["cat", "--right", "--window", "1", "--measure", "t"];
    // One pair of "cat the"; 6 pairs in all, "cat" has one on its right, "the" one on its left.
    let score = (1.0 - 1.0 / 6.0) / 1f64.sqrt();
    assert_eq!(rows(&only_right), format!("the\t{score}\t1\t3\n"));
    assert_eq!(rows(&["CAT", "--lower", "--top", "1", "--format", "ndjson"]).lines().count(), 1);
    let csv = rows(&["cat", "--doc", "b.txt", "--format", "csv", "--boundary", "line"]);
    assert_eq!(csv.lines().next(), Some("word,score,cooccurrences,count"));
    assert_eq!(csv.lines().count(), 3);
    place
        .zgram(["collocates", "c.zgram", "Cat"])
        .assert()
        .code(1)
        .stderr(predicate::str::contains("no match for \"Cat\""))
        .stderr(predicate::str::contains("it occurs 2 times in another case; add --fold"));
    place
        .zgram(["collocates", "c.zgram", "cat", "--min-count", "99"])
        .assert()
        .code(1)
        .stderr(predicate::str::contains("at least 99 times"));
    place.zgram(["collocates", "c.zgram", "cat", "--window", "0"]).assert().code(2);
    // The word is there; nothing else was asked for.
    assert_eq!(rows(&["cat", "--top", "0"]), "");
    for phrase in ["the cat", "don't", "", "-"] {
        let message = format!("\"{phrase}\" is not one word\nhint: a word has letters");
        let refused = place.zgram(["collocates", "c.zgram", phrase]).assert().code(2);
        refused.stderr(predicate::str::contains(message));
    }
}
