//! What programs read: JSON, NDJSON, TSV.

use crate::support::{Place, errors_of};
use predicates::prelude::*;
use serde_json::Value;

fn json_of(place: &Place, arguments: &[&str]) -> Value {
    let output = place.zgram(arguments.iter().copied()).output().unwrap();
    assert!(output.status.success(), "{arguments:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn lists_have_four_forms() {
    let place = Place::with_corpus();
    let list = json_of(&place, &["ls", "c.zgram", "--format", "json"]);
    assert_eq!(list.as_array().unwrap().len(), 3);
    assert_eq!(list[0]["name"], "apple.txt");
    assert_eq!(list[0]["size"], 2200);
    let lines = place.zgram(["ls", "c.zgram", "--format", "ndjson"]).output().unwrap().stdout;
    let lines: Vec<Value> = String::from_utf8(lines)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(list, Value::from(lines));
    let tsv = "2200\tapple.txt\n560\tbanana.txt\n32\tfruits/cherry.txt\n";
    place.zgram(["ls", "c.zgram"]).assert().stdout(tsv);
    place.zgram(["ls", "c.zgram", "--format", "tsv"]).assert().stdout(tsv);
    place
        .zgram(["ls", "c.zgram", "--format", "table"])
        .assert()
        .stdout("size  name\n2200  apple.txt\n 560  banana.txt\n  32  fruits/cherry.txt\n");
}

#[test]
fn info_tells_all_facts() {
    let place = Place::with_corpus();
    let facts = json_of(&place, &["info", "c.zgram", "--format", "json"]);
    assert_eq!(facts["file"], "c.zgram");
    assert_eq!(facts["text_bytes"], 2792);
    assert_eq!(facts["documents"], 3);
    assert_eq!(facts["compressed_bytes"], place.read("c.zgram").len());
    assert_eq!(facts["level"], "default");
    assert_eq!(facts["grammar"], "repair");
    assert_eq!(facts["layer"], "zstd");
    for key in ["ratio", "tokens", "words", "vocabulary", "rules", "symbols", "depth", "root_share"]
    {
        assert!(facts[key].is_number(), "{key}");
    }
    assert_eq!(facts["segments"].as_array().unwrap().len(), 1);
    assert_eq!(facts["segments"][0]["text_bytes"], 2792);
    assert_eq!(facts["sections"][0]["section"], "segment 0");
    assert_eq!(facts["sections"][0]["offset"], 16);
    place
        .zgram(["info", "c.zgram", "--format", "tsv"])
        .assert()
        .stdout(predicate::str::contains("documents\t3\n"));
    place
        .zgram(["info", "c.zgram"])
        .assert()
        .stdout(predicate::str::contains("vocabulary"))
        .stdout(predicate::str::contains("first document").not());
    for flag in ["--segments", "-v"] {
        place
            .zgram(["info", "c.zgram", flag])
            .assert()
            .stdout(predicate::str::contains("first document"))
            .stdout(predicate::str::contains("dictionary"));
    }
}

#[test]
fn summaries_can_be_read_by_programs() {
    let place = Place::with_corpus();
    let summary = json_of(&place, &["compress", "in", "-o", "d.zgram", "--format", "json"]);
    assert_eq!(summary["documents"], 3);
    assert_eq!(summary["compressed_bytes"], place.read("d.zgram").len());
    let status = json_of(&place, &["verify", "d.zgram", "--format", "json"]);
    assert_eq!(status["status"], "good");
}

#[test]
fn summaries_are_for_people_and_quiet_is_quiet() {
    let place = Place::with_corpus();
    let errors = errors_of(&mut place.zgram(["compress", "in", "-o", "d.zgram"]));
    assert!(errors.starts_with("3 documents, 2.79 kB → "), "{errors}");
    assert!(errors.contains("distinct tokens"), "{errors}");
    assert!(errors.contains("MB/s") || errors.contains("kB/s"), "{errors}");
    assert!(!errors.contains('\x1b'), "{errors}");
    for command in [
        &["compress", "in", "-o", "e.zgram", "-q"][..],
        &["verify", "-q", "e.zgram"],
        &["-q", "decompress", "e.zgram", "-o", "out"],
    ] {
        place.zgram(command.iter().copied()).assert().success().stdout("").stderr("");
    }
    let stages = errors_of(&mut place.zgram(["compress", "in", "-o", "f.zgram", "-v"]));
    assert!(stages.contains("reading") && stages.contains("building"), "{stages}");
}

#[cfg(unix)]
#[test]
fn names_that_are_not_unicode_reach_programs_whole() {
    use std::os::unix::ffi::OsStrExt;
    let place = Place::new();
    place.write(std::ffi::OsStr::from_bytes(b"in/a\xff\tb"), "x");
    place.zgram(["compress", "in", "-o", "c.zgram"]).assert().success();
    place.zgram(["ls", "c.zgram"]).assert().stdout(&b"1\ta\xff\\tb\n"[..]);
    let list = json_of(&place, &["ls", "c.zgram", "--format", "json"]);
    assert_eq!(list[0]["name"], "a\u{fffd}\tb");
    assert_eq!(list[0]["name_hex"], "61ff0962");
    let mut cat = place.zgram(["cat", "c.zgram"]);
    cat.arg(std::ffi::OsStr::from_bytes(b"a\xff\tb")).assert().success().stdout("x");
}

#[test]
fn colours_are_used_only_where_wanted() {
    let place = Place::with_corpus();
    let coloured = |arguments: &[&str], environment: &[(&str, &str)]| {
        let mut command = place.zgram(arguments.iter().copied());
        command.envs(environment.iter().copied());
        command.output().unwrap().stdout.contains(&0x1b)
    };
    assert!(!coloured(&["info", "c.zgram"], &[]));
    assert!(coloured(&["info", "c.zgram", "--color", "always"], &[]));
    assert!(!coloured(&["info", "c.zgram", "--color", "never"], &[]));
    assert!(!coloured(&["info", "c.zgram"], &[("NO_COLOR", "1")]));
}

#[cfg(unix)]
#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    use std::io::Read;
    use std::process::Stdio;
    let place = Place::new();
    place.write("in/a", "some text to repeat ".repeat(200_000));
    place.zgram(["compress", "in", "-o", "c.zgram"]).assert().success();
    let mut cat = std::process::Command::new(assert_cmd::cargo::cargo_bin!("zgram"));
    cat.arg("cat").arg(place.path("c.zgram")).arg("a").stdout(Stdio::piped());
    let mut cat = cat.stderr(Stdio::piped()).spawn().unwrap();
    cat.stdout.take().unwrap().read_exact(&mut [0; 10]).unwrap();
    let output = cat.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty());
}
