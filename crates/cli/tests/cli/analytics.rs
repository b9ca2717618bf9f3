//! The six tasks as whole commands: rows, formats, choices, refusals.

use crate::support::{Place, errors_of};
use predicates::prelude::*;
use serde_json::Value;

/// Standard output of a command that succeeds, or finds nothing.
pub(crate) fn output(place: &Place, arguments: &[&str]) -> String {
    let output = place.zgram(arguments.iter().copied()).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    let has_no_rows = output.status.code() == Some(1) && errors.contains("no rows");
    assert!(output.status.success() || has_no_rows, "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

pub(crate) fn place() -> Place {
    let place = Place::new();
    place.write("in/a.txt", "To be, or not to be: that is the question.\n");
    place.write("in/b.txt", "Not to be here is not to be.\n");
    place.write("in/c.txt", "...\n");
    place.zgram(["compress", "in", "-o", "c.zgram"]).assert().success();
    place
}

#[test]
fn word_count_and_sort() {
    let place = place();
    assert_eq!(output(&place, &["word-count", "c.zgram", "--top", "3"]), "be\t4\nto\t3\nis\t2\n");
    assert_eq!(
        output(&place, &["word-count", "c.zgram", "--lower", "--top", "2"]),
        "be\t4\nto\t4\n"
    );
    assert_eq!(
        output(&place, &["word-count", "c.zgram", "a.txt", "--match", "^t"]),
        "that\t1\nthe\t1\nto\t1\n"
    );
    assert_eq!(output(&place, &["word-count", "c.zgram", "c.txt"]), "");
    assert_eq!(
        output(&place, &["sort", "c.zgram", "b.txt"]),
        "Not\t1\nbe\t2\nhere\t1\nis\t1\nnot\t1\nto\t2\n"
    );
    assert_eq!(
        output(&place, &["sort", "c.zgram", "b.txt", "--collation", "unicode", "--reverse"]),
        "to\t2\nNot\t1\nnot\t1\nis\t1\nhere\t1\nbe\t2\n"
    );
    assert_eq!(output(&place, &["sort", "c.zgram", "--by", "count", "--top", "1"]), "be\t4\n");
}

/// Numbers before letters, accents and case only where letters are the same, script after script;
/// what the collation takes for equal (the two ways to write é) by bytes.
#[test]
fn words_sort_as_in_a_dictionary() {
    let place = Place::new();
    let sorted = [
        "10",
        "2",
        "Äpfel",
        "apple",
        "Apple",
        "eclair",
        "Eclair",
        "e\u{301}clair",
        "\u{e9}clair",
        "strasse",
        "straße",
        "zebra",
        "Zürich",
        "ωμέγα",
        "яблоко",
        "中",
    ];
    let mut mixed: Vec<&str> = sorted.to_vec();
    mixed.sort_by_key(|word| word.len() * 7 % 5);
    place.write("a.txt", mixed.join(" "));
    place.write("b.txt", mixed.iter().rev().copied().collect::<Vec<_>>().join("\n"));
    place.zgram(["compress", "a.txt", "b.txt", "-o", "c.zgram"]).assert().success();
    let words = |more: &[&str]| {
        let question = [&["sort", "c.zgram", "--collation", "unicode"], more].concat();
        let rows = output(&place, &question);
        rows.lines().map(|row| row.strip_suffix("\t2").unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(words(&[]), sorted);
    assert_eq!(words(&["--threads", "2"]), sorted);
    let mut reversed = words(&["--reverse"]);
    reversed.reverse();
    assert_eq!(reversed, sorted);
}

#[test]
fn documents_of_words_and_words_of_documents() {
    let place = place();
    assert_eq!(
        output(&place, &["inverted-index", "c.zgram", "--match", "^(be|not)$"]),
        "be\t2\ta.txt\nbe\t2\tb.txt\nnot\t1\ta.txt\nnot\t1\tb.txt\n"
    );
    assert_eq!(
        output(&place, &["term-vector", "c.zgram", "--fold", "--top", "2"]),
        "be\t2\ta.txt\nto\t2\ta.txt\nbe\t2\tb.txt\nnot\t2\tb.txt\n"
    );
}

#[test]
fn sequences() {
    let place = place();
    assert_eq!(
        output(&place, &["sequence-count", "c.zgram", "--corpus", "--top", "1", "--lower"]),
        "not to be\t3\n"
    );
    assert_eq!(
        output(&place, &["sequence-count", "c.zgram", "b.txt", "-n", "2", "--top", "1"]),
        "to be\t2\tb.txt\n"
    );
    assert_eq!(
        output(
            &place,
            &["ranked-inverted-index", "c.zgram", "--lower", "--match", "^(not|to|be)$"]
        )
        .lines()
        .filter(|line| line.starts_with("not to be"))
        .collect::<Vec<_>>(),
        ["not to be\t2\tb.txt", "not to be\t1\ta.txt"]
    );
    let filtered = ["c.zgram", "b.txt", "-n", "2", "--lower", "--match", "^(be|not)$"];
    let sequences = |more: &[&str]| output(&place, &[more, &filtered[..]].concat());
    assert_eq!(sequences(&["sequence-count"]), "");
    assert_eq!(sequences(&["sequence-count", "--gaps"]), "not be\t2\tb.txt\nbe not\t1\tb.txt\n");
    assert_eq!(sequences(&["ranked-inverted-index"]), "");
    assert_eq!(
        sequences(&["ranked-inverted-index", "--gaps"]),
        "be not\t1\tb.txt\nnot be\t2\tb.txt\n"
    );
    assert_eq!(output(&place, &["sequence-count", "c.zgram", "-n", "4000000000"]), "");
    for n in ["0", "1"] {
        let mut command = place.zgram(["sequence-count", "c.zgram", "-n", n]);
        command.assert().code(2).stderr(predicate::str::contains("at least two words"));
    }
}

#[test]
fn a_word_of_a_megabyte_is_a_word() {
    let place = Place::new();
    let word = "a".repeat(1_000_000);
    place.write("in/a.txt", format!("{word} b {word}"));
    place.zgram(["compress", "in", "-o", "c.zgram"]).assert().success();
    assert_eq!(output(&place, &["word-count", "c.zgram"]), format!("{word}\t2\nb\t1\n"));
    for task in ["inverted-index", "term-vector"] {
        let rows = format!("{word}\t2\ta.txt\nb\t1\ta.txt\n");
        assert_eq!(output(&place, &[task, "c.zgram"]), rows, "{task}");
    }
    for task in ["sequence-count", "ranked-inverted-index"] {
        let rows = format!("{word} b {word}\t1\ta.txt\n");
        assert_eq!(output(&place, &[task, "c.zgram"]), rows, "{task}");
    }
}

#[test]
fn every_format_tells_the_same() {
    let place = place();
    let ask = |format: &str| {
        output(&place, &["term-vector", "c.zgram", "--top", "1", "--format", format])
    };
    assert_eq!(ask("tsv"), ask("auto"));
    assert_eq!(ask("tsv"), "be\t2\ta.txt\nbe\t2\tb.txt\n");
    assert_eq!(ask("csv"), "word,count,document\nbe,2,a.txt\nbe,2,b.txt\n");
    let objects: Value = serde_json::from_str(&ask("json")).unwrap();
    assert_eq!(objects[1]["document"], "b.txt");
    assert_eq!(objects[1]["count"], 2);
    let lines: Vec<Value> =
        ask("ndjson").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(Value::from(lines), objects);
    let table = ask("table");
    assert!(table.starts_with("word  count"), "{table}");
    assert!(table.contains('█') && table.contains("b.txt"), "{table}");
    assert_eq!(output(&place, &["word-count", "c.zgram", "c.txt", "--format", "json"]), "[]\n");
}

#[test]
fn columns_come_back_from_parquet_and_arrow() {
    use arrow_array::RecordBatch;
    use arrow_array::cast::AsArray;
    use arrow_array::types::{Int32Type, UInt64Type};
    let place = place();
    let check = |batches: Vec<RecordBatch>| {
        let batch = &batches[0];
        assert_eq!(batch.schema().field(0).name(), "sequence");
        assert_eq!(batch.column(0).as_string::<i32>().value(0), "not to be");
        assert_eq!(batch.column(1).as_primitive::<UInt64Type>().value(0), 2);
        let documents = batch.column(2).as_dictionary::<Int32Type>();
        let name = documents.downcast_dict::<arrow_array::StringArray>().unwrap();
        assert_eq!(arrow_array::ArrayAccessor::value(&name, 0), "b.txt");
    };
    let ask = |format: &str, file: &str| {
        let arguments =
            ["sequence-count", "c.zgram", "b.txt", "--fold", "--format", format, "-o", file];
        assert_eq!(output(&place, &arguments), "");
        std::fs::File::open(place.path(file)).unwrap()
    };
    let parquet = ask("parquet", "x.parquet");
    let reader = parquet::arrow::arrow_reader::ParquetRecordBatchReader::try_new(parquet, 100);
    check(reader.unwrap().map(Result::unwrap).collect());
    let arrow = ask("arrow", "x.arrow");
    let reader = arrow_ipc::reader::StreamReader::try_new(arrow, None);
    check(reader.unwrap().map(Result::unwrap).collect());
}

#[test]
fn a_file_is_complete_or_not_there() {
    let place = place();
    output(&place, &["word-count", "c.zgram", "-o", "words.tsv"]);
    assert!(String::from_utf8(place.read("words.tsv")).unwrap().starts_with("be\t4\n"));
    let again = ["sort", "c.zgram", "-o", "words.tsv"];
    place.zgram(again).assert().code(2).stderr(predicate::str::contains("--force"));
    assert!(String::from_utf8(place.read("words.tsv")).unwrap().starts_with("be\t4\n"));
    place.zgram(again).arg("--force").assert().success();
    assert!(String::from_utf8(place.read("words.tsv")).unwrap().starts_with("Not\t1\n"));
    assert_eq!(place.names(), ["c.zgram", "in", "words.tsv"]);
    place.zgram(["sort", "c.zgram", "-o", "missing/x"]).assert().code(2);
}

#[test]
fn what_is_not_there_gets_the_nearest_name() {
    let place = Place::with_corpus();
    place
        .zgram(["word-count", "c.zgram", "aple.txt"])
        .assert()
        .code(1)
        .stderr(predicate::str::contains("apple.txt"));
    place.zgram(["term-vector", "c.zgram", "*.html"]).assert().code(1);
    place
        .zgram(["word-count", "c.zgram", "--stop", "klingon"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("english"));
    place.zgram(["word-count", "c.zgram", "--match", "("]).assert().code(2);
    place.zgram(["word-count", "c.zgram", "--stem", "xx"]).assert().code(2);
}

#[test]
fn an_empty_corpus_has_no_words() {
    let place = Place::new();
    std::fs::create_dir(place.path("in")).unwrap();
    place.write("in/empty", "");
    place.zgram(["compress", "in", "-o", "c.zgram"]).assert().success();
    for task in [
        "word-count",
        "sort",
        "inverted-index",
        "term-vector",
        "sequence-count",
        "ranked-inverted-index",
    ] {
        for traversal in ["auto", "top-down", "bottom-up", "stream"] {
            assert_eq!(output(&place, &[task, "c.zgram", "--traversal", traversal]), "");
        }
    }
}

#[test]
fn threads_do_not_change_a_byte() {
    let place = Place::with_corpus();
    place
        .zgram(["compress", "in", "-o", "small.zgram", "--segment-size", "300"])
        .assert()
        .success();
    for task in ["inverted-index", "term-vector", "sequence-count", "ranked-inverted-index"] {
        let one = output(&place, &[task, "c.zgram", "-t", "1"]);
        for (file, threads) in
            [("c.zgram", "2"), ("c.zgram", "8"), ("small.zgram", "1"), ("small.zgram", "8")]
        {
            assert_eq!(
                output(&place, &[task, file, "-t", threads]),
                one,
                "{task} {file} {threads}"
            );
        }
        assert_eq!(output(&place, &[task, "small.zgram", "--memory", "1M"]), one, "{task}");
    }
}

#[test]
fn a_damaged_segment_is_named_and_passed_over_only_when_asked() {
    let place = Place::with_corpus();
    place.zgram(["compress", "in", "-o", "d.zgram", "--segment-size", "1000"]).assert().success();
    let info = output(&place, &["info", "d.zgram", "--format", "json"]);
    let info: Value = serde_json::from_str(&info).unwrap();
    let section = info["sections"]
        .as_array()
        .unwrap()
        .iter()
        .find(|section| section["section"] == "segment 1")
        .unwrap_or_else(|| panic!("{info:#}"))
        .clone();
    let mut bytes = place.read("d.zgram");
    bytes[section["offset"].as_u64().unwrap() as usize + 5] ^= 1;
    place.write("d.zgram", bytes);
    let ask = ["word-count", "d.zgram"];
    place.zgram(ask).assert().code(2).stderr(predicate::str::contains("segment 1"));
    let mut going = place.zgram(ask);
    let going = going.arg("--keep-going");
    let found = going.output().unwrap();
    assert_eq!(found.status.code(), Some(2));
    assert!(!found.stdout.is_empty());
    assert!(errors_of(going).contains("segment 1"));
}

#[test]
fn choices_are_explained_and_costs_told() {
    let place = Place::with_corpus();
    let explained = output(&place, &["term-vector", "c.zgram", "--explain"]);
    for part in ["words_per_symbol", "because", "traversal"] {
        assert!(explained.contains(part), "{explained}");
    }
    let told = errors_of(&mut place.zgram([
        "term-vector",
        "c.zgram",
        "--stats",
        "--traversal",
        "bottom-up",
    ]));
    for part in [
        "bottom-up",
        "open",
        "load",
        "traverse",
        "merge",
        "write",
        "rules",
        "symbols",
        "peak memory",
    ] {
        assert!(told.contains(part), "{told}");
    }
    place.write("my.tree", "stream\n");
    let told = errors_of(&mut place.zgram(["sort", "c.zgram", "--stats", "--tree", "my.tree"]));
    assert!(told.contains("stream"), "{told}");
    place.write("bad.tree", "if x <= 1\n");
    let refused = place.zgram(["sort", "c.zgram", "--tree", "bad.tree"]).assert().code(2);
    refused.stderr(predicate::str::contains("line 1"));
}

#[test]
fn tuning_gives_a_tree_that_can_be_used() {
    let place = Place::with_corpus();
    place.write("other/x", "many words here and there and everywhere\n");
    place.zgram(["compress", "other", "-o", "o.zgram"]).assert().success();
    let tune = ["tune", "c.zgram", "o.zgram", "--runs", "1", "-o", "my.tree"];
    place.zgram(tune).assert().success().stderr(predicate::str::contains("cross-validation"));
    output(&place, &["term-vector", "c.zgram", "--tree", "my.tree"]);
}

#[test]
fn tuning_keeps_its_times_and_goes_on_from_them() {
    let place = Place::with_corpus();
    let tune = ["tune", "c.zgram", "--runs", "1", "--trials", "runs.tsv", "-o", "first.tree"];
    place.zgram(tune).assert().success();
    let runs = place.read("runs.tsv");
    assert!(String::from_utf8_lossy(&runs).lines().count() > 6);
    // Nothing is measured again, and the file alone gives the same tree.
    place.zgram(tune).assert().success();
    place.zgram(["tune", "--trials", "runs.tsv", "-o", "again.tree"]).assert().success();
    assert_eq!(place.read("runs.tsv"), runs);
    assert_eq!(place.read("again.tree"), place.read("first.tree"));
    place.write("runs.tsv", "corpus\nnonsense\n");
    let refused = place.zgram(["tune", "--trials", "runs.tsv"]).assert().code(2);
    refused.stderr(predicate::str::contains("line 2"));
    place.zgram(["tune"]).assert().code(2);
}

#[test]
fn tuning_keeps_the_tree_that_ships_where_it_does_better() {
    let place = Place::new();
    let recorded = concat!(env!("CARGO_MANIFEST_DIR"), "/../../benchmarks/record/selector.tsv");
    std::fs::copy(recorded, place.path("runs.tsv")).unwrap();
    let tune = ["tune", "--trials", "runs.tsv", "-o", "my.tree"];
    place.zgram(tune).assert().success().stderr(predicate::str::contains("does better"));
    assert!(place.read("my.tree").starts_with(b"# The built-in tree"));
}

#[test]
fn sklearn_words() {
    let place = Place::new();
    place.write("in/a", "Snake_case x IS 中文 ok\n");
    place.zgram(["compress", "in", "-o", "c.zgram"]).assert().success();
    assert_eq!(
        output(&place, &["sort", "c.zgram", "--sklearn"]),
        "is\t1\nok\t1\nsnake_case\t1\n中文\t1\n"
    );
}

#[test]
fn edits_are_seen_by_every_task() {
    let place = place();
    place.zgram(["append", "c.zgram", "c.txt", "to be counted"]).assert().success();
    place.zgram(["rm", "c.zgram", "a.txt"]).assert().success();
    assert_eq!(output(&place, &["word-count", "c.zgram", "--top", "2"]), "be\t3\nto\t3\n");
    assert_eq!(
        output(&place, &["sequence-count", "c.zgram", "c.txt"]),
        "to be counted\t1\tc.txt\n"
    );
    place.zgram(["term-vector", "c.zgram", "a.txt"]).assert().code(1);
}

/// A file with an index answers tasks by document without a traversal, and says so.
#[test]
fn a_stored_index_answers_by_document() {
    let place = place();
    place.zgram(["compress", "in", "--index", "-o", "i.zgram"]).assert().success();
    let why = predicate::str::contains("the file stores the words of each document");
    for task in ["term-vector", "inverted-index"] {
        assert_eq!(output(&place, &[task, "i.zgram"]), output(&place, &[task, "c.zgram"]));
        place.zgram([task, "i.zgram", "--stats"]).assert().success().stderr(why.clone());
        place.zgram([task, "i.zgram", "--explain"]).assert().success().stdout(why.clone());
        let traversed = ["--stats", "--traversal", "stream"];
        let traversed = place.zgram([task, "i.zgram"].into_iter().chain(traversed)).assert();
        traversed.success().stderr(why.clone().not());
    }
}
