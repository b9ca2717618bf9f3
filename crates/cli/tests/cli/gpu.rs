//! The GPU on the command line, by a software device that `./test` installs.

use crate::support::{Place, errors_of};
use predicates::prelude::*;
use serde_json::Value;

/// Standard output of a command that succeeds.
fn output(place: &Place, arguments: &[&str]) -> String {
    let output = place.zgram(arguments.iter().copied()).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

const GPU: [&str; 4] = ["--engine", "gpu", "--adapter", "llvmpipe"];

#[test]
fn every_task_is_answered_alike() {
    let place = Place::with_corpus();
    for task in [
        &["word-count", "c.zgram"][..],
        &["sort", "c.zgram", "--lower"],
        &["inverted-index", "c.zgram"],
        &["term-vector", "c.zgram", "--top", "3"],
        &["sequence-count", "c.zgram", "-n", "4"],
        &["ranked-inverted-index", "c.zgram", "-n", "2"],
    ] {
        let expected = output(&place, &[task, &["--engine", "cpu"]].concat());
        assert!(!expected.is_empty());
        assert_eq!(output(&place, &[task, &GPU].concat()), expected, "{task:?}");
    }
}

#[test]
fn stats_tell_what_the_gpu_did() {
    let place = Place::with_corpus();
    let command = [&["term-vector", "c.zgram", "--stats"][..], &GPU].concat();
    place.zgram(command).assert().success().stderr(
        predicate::str::contains("llvmpipe")
            .and(predicate::str::contains("initialisation"))
            .and(predicate::str::contains("traversal"))
            .and(predicate::str::contains("dispatches"))
            .and(predicate::str::contains("bytes up  0 B"))
            .and(predicate::str::contains("bytes shared")),
    );
}

#[test]
fn a_missing_gpu_is_told_or_made_up_for() {
    let place = Place::with_corpus();
    let expected = output(&place, &["word-count", "c.zgram", "--engine", "cpu"]);
    let adapter = ["word-count", "c.zgram", "--adapter", "no such thing"];
    let command = [&adapter[..], &["--engine", "gpu"]].concat();
    place.zgram(command.clone()).assert().code(2).stdout("");
    let errors = errors_of(&mut place.zgram(command));
    assert!(errors.contains("no adapter named \"no such thing\" was found"), "{errors}");
    assert!(errors.contains("zgram gpu"), "{errors}");
    let automatic = predicate::str::contains("the CPU answers: no adapter named");
    place.zgram(adapter).assert().success().stdout(expected.clone()).stderr(automatic);
    // A GPU that fails while it counts.
    let scarce = ["word-count", "c.zgram", "--adapter", "llvmpipe", "--gpu-memory", "100"];
    place
        .zgram(scarce)
        .assert()
        .success()
        .stdout(expected)
        .stderr(predicate::str::contains("the GPU did not answer, so the CPU did"));
    let command = [&scarce[..], &["--engine", "gpu"]].concat();
    place.zgram(command).assert().code(2).stdout("").stderr(
        predicate::str::contains("the GPU did not answer")
            .and(predicate::str::contains("bytes are needed on the device")),
    );
}

#[test]
fn adapters_are_listed_and_tested() {
    let place = Place::new();
    let listed = output(&place, &["gpu", "--adapter", "llvmpipe", "--format", "json"]);
    let listed: Value = serde_json::from_str(&listed).unwrap();
    let adapter = &listed[0];
    assert!(adapter["name"].as_str().unwrap().contains("llvmpipe"), "{listed}");
    assert_eq!(adapter["kind"], "software");
    assert_eq!(adapter["test"], "passed");
    assert!(adapter["symbols_a_second"].as_u64().unwrap() > 0);
    assert!(adapter["most_binding"].as_u64().unwrap() > 1 << 20);
    let all = output(&place, &["gpu", "--no-test", "--format", "tsv"]);
    assert!(all.contains("llvmpipe") && all.contains("SwiftShader"), "{all}");
    place.zgram(["gpu", "--adapter", "no such thing"]).assert().code(1);
}
