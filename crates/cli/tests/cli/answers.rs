//! What the six tasks can be asked beyond their rows: units, limits, numbers, lists, columns.

use crate::analytics::{output, place};
use crate::support::Place;
use predicates::prelude::*;
use serde_json::Value;

#[test]
fn limits_and_numbers_are_of_all_documents() {
    let place = place();
    let limited = |task: &str, more: &[&str]| {
        output(&place, &[&[task, "c.zgram", "--lower"][..], more].concat())
    };
    assert_eq!(limited("word-count", &["--min-count", "3"]), "be\t4\nto\t4\nnot\t3\n");
    assert_eq!(
        limited("sort", &["--max-docs", "1"]),
        "here\t1\nor\t1\nquestion\t1\nthat\t1\nthe\t1\n"
    );
    assert_eq!(
        limited("term-vector", &["--min-docs", "0.5", "--min-count", "4"]),
        "be\t2\ta.txt\nto\t2\ta.txt\nbe\t2\tb.txt\nto\t2\tb.txt\n"
    );
    assert_eq!(
        limited("ranked-inverted-index", &["-n", "2", "--min-docs", "2", "--top", "1"]),
        "not to\t2\tb.txt\nto be\t2\ta.txt\n"
    );
    let numbers = ["--columns", "documents,count,per_million", "--top", "2"];
    assert_eq!(
        limited("word-count", &numbers),
        "be\t2\t4\t222222.22222222222\nto\t2\t4\t222222.22222222222\n"
    );
    assert_eq!(
        limited(
            "sequence-count",
            &[&["--corpus", "-n", "2", "--format", "csv"], &numbers[..]].concat()
        ),
        "sequence,documents,count,per_million\nto be,2,4,250000.0\nnot to,2,3,187500.0\n"
    );
    let json = limited("sort", &["--columns", "per_million", "--top", "1", "--format", "json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert!(json[0]["per_million"].is_f64() && json[0].get("count").is_none(), "{json}");
    let refused = |more: &[&str], why: &str| {
        let command = [&["sequence-count", "c.zgram"], more].concat();
        place.zgram(command).assert().code(2).stderr(predicate::str::contains(why));
    };
    refused(&["--columns", "documents"], "--corpus");
    refused(&["--corpus", "--columns", "size"], "per_million");
    refused(&["--min-docs", "1.5"], "a share is from 0.0 to 1.0");
    refused(&["--min-docs", "2", "--max-docs", "1"], "below the minimum of 2");
}

#[test]
fn documents_of_words_are_lists() {
    let place = place();
    let ask = |more: &[&str]| {
        let command = ["inverted-index", "c.zgram", "--documents-only", "--match", "^(be|here)$"];
        output(&place, &[&command[..], more].concat())
    };
    assert_eq!(ask(&[]), "be\ta.txt\tb.txt\nhere\tb.txt\n");
    assert_eq!(ask(&["--by", "folder", "--max-docs", "1"]), "be\t.\nhere\t.\n");
    assert_eq!(ask(&["--min-docs", "2", "--top", "1"]), "be\ta.txt\n");
    assert_eq!(ask(&["--min-count", "2"]), "be\ta.txt\tb.txt\n");
    assert_eq!(ask(&["--format", "csv"]), "word,document\nbe,a.txt\nbe,b.txt\nhere,b.txt\n");
    let json: Value = serde_json::from_str(&ask(&["--format", "json"])).unwrap();
    assert_eq!(json[0]["documents"], serde_json::json!(["a.txt", "b.txt"]));
    let lines: Vec<Value> = ask(&["--format", "ndjson"])
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(Value::from(lines), json);
    let table = ask(&["--format", "table"]);
    assert!(table.contains("a.txt, b.txt"), "{table}");
    assert_eq!(ask(&["c.txt", "--format", "json"]), "[]\n");
    for traversal in ["top-down", "bottom-up", "stream"] {
        assert_eq!(ask(&["--traversal", traversal]), ask(&[]));
    }
    for more in [&[][..], &["--plain-strings"]] {
        for format in ["arrow", "parquet"] {
            ask(&[&["--format", format, "-o", "x", "--force"], more].concat());
            let file = std::fs::File::open(place.path("x")).unwrap();
            let batch = match format {
                "arrow" => {
                    let reader = arrow_ipc::reader::StreamReader::try_new(file, None);
                    reader.unwrap().next().unwrap().unwrap()
                }
                _ => {
                    use parquet::arrow::arrow_reader::ParquetRecordBatchReader;
                    let reader = ParquetRecordBatchReader::try_new(file, 100);
                    reader.unwrap().next().unwrap().unwrap()
                }
            };
            use arrow_array::cast::AsArray;
            assert_eq!(batch.column(0).as_string::<i32>().value(1), "here");
            let lists = batch.column(1).as_list::<i32>();
            assert_eq!((lists.value_length(0), lists.value_length(1)), (2, 1));
            let values = lists.values();
            assert_eq!(values.as_any_dictionary_opt().is_none(), !more.is_empty());
        }
    }
}

/// Words and documents are spelled once; an answer of one batch spells only those it has.
#[test]
fn words_are_dictionary_columns_unless_plain_strings_are_asked_for() {
    use arrow_array::cast::AsArray;
    use arrow_array::types::Int32Type;
    use arrow_array::{Array, RecordBatch};
    let place = Place::new();
    let many: String = (0..20_000).map(|number| format!("w{number} ")).collect();
    place.write("in/a.txt", &many);
    place.write("in/b.txt", &many[many.len() / 2..]);
    place.zgram(["compress", "in", "-o", "c.zgram"]).assert().success();
    let tsv = |arguments: &[&str]| output(&place, arguments);
    let ask = |arguments: &[&str]| -> Vec<RecordBatch> {
        tsv(&[arguments, &["--format", "arrow", "-o", "x.arrow", "--force"]].concat());
        let file = std::fs::File::open(place.path("x.arrow")).unwrap();
        let reader = arrow_ipc::reader::StreamReader::try_new(file, None).unwrap();
        let batches: Vec<RecordBatch> = reader.map(Result::unwrap).collect();
        tsv(&[arguments, &["--format", "parquet", "-o", "x.parquet", "--force"]].concat());
        let file = std::fs::File::open(place.path("x.parquet")).unwrap();
        let reader = parquet::arrow::arrow_reader::ParquetRecordBatchReader::try_new(file, 1 << 20);
        let rows =
            |batches: &[RecordBatch]| batches.iter().map(RecordBatch::num_rows).sum::<usize>();
        let parquet: Vec<RecordBatch> = reader.unwrap().map(Result::unwrap).collect();
        assert_eq!(rows(&parquet), rows(&batches));
        assert_eq!(parquet[0].schema().fields(), batches[0].schema().fields());
        batches
    };
    let texts = |column: &dyn Array| -> Vec<String> {
        let strings = |column: &dyn Array| -> Vec<String> {
            column.as_string::<i32>().iter().map(|text| text.unwrap().to_owned()).collect()
        };
        match column.as_dictionary_opt::<Int32Type>() {
            None => strings(column),
            Some(coded) => {
                let values = strings(coded.values());
                coded.keys().values().iter().map(|&key| values[key as usize].clone()).collect()
            }
        }
    };
    for task in ["term-vector", "inverted-index", "word-count", "sort"] {
        let expected = tsv(&[task, "c.zgram"]);
        for more in [&[][..], &["--plain-strings"]] {
            let batches = ask(&[&[task, "c.zgram"], more].concat());
            assert!(batches.len() > 1);
            let mut rows = String::new();
            for batch in &batches {
                let (words, counts) = (texts(batch.column(0)), batch.column(1));
                let counts = counts.as_primitive::<arrow_array::types::UInt64Type>().values();
                let documents = (batch.num_columns() > 2).then(|| texts(batch.column(2)));
                for (at, word) in words.iter().enumerate() {
                    rows += &format!("{word}\t{}", counts[at]);
                    if let Some(documents) = &documents {
                        rows += &format!("\t{}", documents[at]);
                    }
                    rows.push('\n');
                }
                let is_coded = batch.column(0).as_dictionary_opt::<Int32Type>().is_some();
                assert_eq!(is_coded, more.is_empty());
            }
            assert_eq!(rows, expected, "{task} {more:?}");
        }
    }
    let few = ask(&["term-vector", "c.zgram", "b.txt", "--top", "3"]);
    assert_eq!(few.len(), 1);
    assert_eq!(few[0].column(0).as_dictionary::<Int32Type>().values().len(), 3);
    assert_eq!(few[0].column(2).as_dictionary::<Int32Type>().values().len(), 1);
}

#[test]
fn units_take_the_place_of_documents() {
    let place = Place::new();
    place.write("in/x/2024-1.log", "up up");
    place.write("in/x/2025-1.log", "down");
    place.write("in/y/2024-2.log", "up down");
    place.write("in/other", "up");
    place.zgram(["compress", "in", "-o", "c.zgram"]).assert().success();
    let year = r"(\d{4})-";
    assert_eq!(
        output(&place, &["term-vector", "c.zgram", "--by", "folder"]),
        "up\t1\t.\nup\t2\tx\ndown\t1\tx\ndown\t1\ty\nup\t1\ty\n"
    );
    assert_eq!(
        output(&place, &["inverted-index", "c.zgram", "--by", year]),
        "down\t1\t2024\ndown\t1\t2025\nup\t3\t2024\n"
    );
    assert_eq!(
        output(&place, &["sequence-count", "c.zgram", "--by", year, "-n", "2"]),
        "up down\t1\t2024\nup up\t1\t2024\n",
        "no sequence crosses documents"
    );
    let objects = ["ranked-inverted-index", "c.zgram", "--by", year, "-n", "2", "--format", "csv"];
    let expected = "sequence,count,document\nup down,1,2024\nup up,1,2024\n";
    assert_eq!(output(&place, &objects), expected);
    let table = ["inverted-index", "c.zgram", "--by", "folder", "--format", "table"];
    assert!(output(&place, &table).contains(" x\n"));
    let refused = |more: &[&str], why: &str| {
        let command = [&["sequence-count", "c.zgram"], more].concat();
        place.zgram(command).assert().code(2).stderr(predicate::str::contains(why));
    };
    refused(&["--by", "("], "unclosed group");
    place
        .zgram(["sequence-count", "c.zgram", "--by", "(nothing)"])
        .assert()
        .code(1)
        .stderr(predicate::str::contains("no document's name matches the pattern (nothing)"));
    refused(&["--by", "folder", "--corpus"], "cannot be used with");
}
