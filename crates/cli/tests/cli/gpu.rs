//! The GPU on the command line, on a software device that `./test` installs.

use crate::support::{Place, errors_of};
use predicates::prelude::*;
use serde_json::Value;

/// The standard output of a command that succeeds.
fn output(place: &Place, arguments: &[&str]) -> String {
    let output = place.zgram(arguments.iter().copied()).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

const GPU: [&str; 4] = ["--engine", "gpu", "--adapter", "llvmpipe"];

#[test]
fn every_task_has_the_same_answer() {
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

/// Pending edits, which a word count on the CPU does not apply.
#[test]
fn every_task_sees_pending_edits() {
    let place = Place::with_corpus();
    let word_count = ["word-count", "c.zgram", "--format", "tsv"];
    let before = output(&place, &[&word_count[..], &["--engine", "cpu"]].concat());
    output(&place, &["append", "c.zgram", "apple.txt", " zebra crossing, a quick zebra"]);
    output(&place, &["insert", "c.zgram", "banana.txt", "7", "zebra"]);
    output(&place, &["delete", "c.zgram", "banana.txt", "20", "15"]);
    output(&place, &["rename", "c.zgram", "fruits/cherry.txt", "zebra.txt"]);
    assert!(place.path("c.zgram.words").exists());
    for task in [
        &word_count[..],
        &["word-count", "c.zgram", "--top", "5"],
        &["sort", "c.zgram", "--lower"],
        &["inverted-index", "c.zgram"],
        &["term-vector", "c.zgram", "--top", "3"],
        &["sequence-count", "c.zgram"],
        &["ranked-inverted-index", "c.zgram", "-n", "2"],
    ] {
        let expected = output(&place, &[task, &["--engine", "cpu"]].concat());
        assert!(!expected.is_empty());
        assert_eq!(output(&place, &[task, &GPU].concat()), expected, "{task:?}");
    }
    let after = output(&place, &[&word_count[..], &GPU].concat());
    assert!(!before.contains("zebra") && after.contains("zebra\t2"), "{after}");
    assert!(!place.read("c.zgram.journal").is_empty(), "they are pending still");
    // The same words, from a corpus without edits.
    output(&place, &["compact", "c.zgram"]);
    assert_eq!(output(&place, &[&word_count[..], &["--engine", "cpu"]].concat()), after);
}

#[test]
fn stats_report_the_work_of_the_gpu() {
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
fn a_missing_gpu_is_reported_or_replaced_by_the_cpu() {
    let place = Place::with_corpus();
    let expected = output(&place, &["word-count", "c.zgram", "--engine", "cpu"]);
    let adapter = ["word-count", "c.zgram", "--adapter", "no such thing"];
    let command = [&adapter[..], &["--engine", "gpu"]].concat();
    place.zgram(command.clone()).assert().code(2).stdout("");
    let errors = errors_of(&mut place.zgram(command));
    assert!(errors.contains("no adapter named \"no such thing\" was found"), "{errors}");
    assert!(errors.contains("zgram gpu"), "{errors}");
    let automatic = predicate::str::contains("using the CPU: no adapter named");
    place.zgram(adapter).assert().success().stdout(expected.clone()).stderr(automatic);
    // A GPU that fails while it counts.
    let scarce = ["word-count", "c.zgram", "--adapter", "llvmpipe", "--gpu-memory", "100"];
    place
        .zgram(scarce)
        .assert()
        .success()
        .stdout(expected)
        .stderr(predicate::str::contains("the GPU failed, so the CPU did the work"));
    let command = [&scarce[..], &["--engine", "gpu"]].concat();
    place.zgram(command).assert().code(2).stdout("").stderr(
        predicate::str::contains("the GPU did not answer")
            .and(predicate::str::contains("bytes are needed on the device")),
    );
}

/// The Vulkan loader prints what it does when `VK_LOADER_DEBUG` is set, so silence means that no driver
/// was loaded.
#[test]
fn auto_loads_no_driver_for_a_small_question() {
    let place = Place::with_corpus();
    place.write("ops.ndjson", OPERATIONS);
    let traced = |arguments: &[&str]| {
        let mut command = place.zgram(arguments.iter().copied());
        let command = command.env("VK_LOADER_DEBUG", "all").env_remove("ZGRAM_ADAPTER");
        String::from_utf8(command.output().unwrap().stderr).unwrap()
    };
    let loaded = traced(&["word-count", "c.zgram", "--engine", "gpu", "--adapter", "llvmpipe"]);
    assert!(loaded.contains("llvmpipe") || loaded.contains("icd.d"), "{loaded}");
    for task in ["word-count", "term-vector", "sequence-count", "ranked-inverted-index"] {
        for engine in [&[][..], &["--engine", "auto"]] {
            assert_eq!(traced(&[&[task, "c.zgram"], engine].concat()), "", "{task}");
        }
    }
    let batch = ["batch", "c.zgram", "ops.ndjson"];
    assert_eq!(traced(&[&batch[..], &["--engine", "auto"]].concat()), traced(&batch));
    assert!(!traced(&batch).contains("icd.d"));
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

/// Reads and edits of all kinds, some of which the GPU leaves to the CPU.
const OPERATIONS: &str = r#"
{"op": "extract", "doc": "apple.txt", "offset": 40, "len": 100}
{"op": "insert", "doc": "apple.txt", "offset": 4, "text": "very quick, quick"}
{"op": "count", "doc": "apple.txt", "words": "quick"}
{"op": "insert", "doc": "apple.txt", "offset": 9, "text": "ness "}
{"op": "search", "doc": "apple.txt", "words": "quick"}
{"op": "append", "doc": "banana.txt", "hex": "ff2061"}
{"op": "count", "doc": "banana.txt", "words": "a"}
{"op": "extract", "doc": "banana.txt", "offset": 550, "len": 1000}
"#;
const OTHER_OPERATIONS: &str = r#"
{"op": "count", "words": "rose"}
{"op": "lines", "doc": "apple.txt", "from": 2, "to": 3}
{"op": "search", "doc": "banana.txt", "words": "a rose"}
{"op": "delete", "doc": "banana.txt", "offset": 2, "len": 5}
{"op": "count", "doc": "banana.txt", "words": "rose"}
{"op": "rename", "doc": "apple.txt", "name": "fox.txt"}
{"op": "count", "doc": "fox.txt", "words": "fox"}
{"op": "rename", "doc": "fox.txt", "name": "apple.txt"}
{"op": "extract", "doc": "fruits/cherry.txt", "offset": 0, "len": 20}
"#;

#[test]
fn batches_are_answered_alike_and_leave_the_same_corpus() {
    let place = Place::with_corpus();
    place.write("ops.ndjson", OPERATIONS);
    place.write("all.ndjson", [OPERATIONS, OTHER_OPERATIONS].concat());
    for meaning in [&[][..], &["--in-batch"]] {
        for (operations, engine) in [("ops.ndjson", "gpu"), ("all.ndjson", "auto")] {
            let mut outcomes = Vec::new();
            for engine in [&["--engine", "cpu"][..], &["--engine", engine, "--adapter", "llvmpipe"]]
            {
                place.write("copy.zgram", place.read("c.zgram"));
                let batch = [&["batch", "copy.zgram", operations][..], meaning, engine].concat();
                // The second batch sees the edits of the first.
                let answers = [output(&place, &batch), output(&place, &batch)];
                assert!(answers[1].contains("\"count\""));
                let journal = place.read("copy.zgram.journal");
                output(&place, &["decompress", "copy.zgram", "-o", "copy"]);
                outcomes.push((answers, journal, place.files("copy")));
                std::fs::remove_file(place.path("copy.zgram.journal")).unwrap();
                std::fs::remove_dir_all(place.path("copy")).unwrap();
            }
            assert_eq!(outcomes[0], outcomes[1], "{operations} {meaning:?}");
        }
    }
}

#[test]
fn a_batch_for_the_gpu_alone_is_refused_with_the_reason() {
    let place = Place::with_corpus();
    place.write("ops.ndjson", [OPERATIONS, OTHER_OPERATIONS].concat());
    let command = [&["batch", "c.zgram", "ops.ndjson"][..], &GPU].concat();
    place.zgram(command).assert().code(2).stdout("").stderr(
        predicate::str::contains("line 11:").and(predicate::str::contains(
            "an operation on all documents cannot be done on the GPU",
        )),
    );
    let apple = output(&place, &["cat", "c.zgram", "apple.txt"]);
    assert!(apple.as_bytes() == place.read("in/apple.txt"), "nothing was done");
    // If the GPU fails, the CPU does its work and says so.
    place.write("ops.ndjson", OPERATIONS);
    let scarce = ["--adapter", "llvmpipe", "--gpu-memory", "100", "--stats"];
    let command = [&["batch", "c.zgram", "ops.ndjson"][..], &scarce].concat();
    place.zgram(command).assert().success().stderr(
        predicate::str::contains("the GPU failed, so the CPU did the work")
            .and(predicate::str::contains("reads by the GPU  0")),
    );
}
