//! JSON Lines: names, texts, errors, and files that come back byte for byte.

use crate::support::{Document, folder, jsonl, names, read_all, write};
use proptest::prelude::*;
use std::io::Read;
use zgram::input::{InputError, ReadOptions};
use zgram::plumbing::{Envelope, StringStyle};

fn lines(file: &[u8]) -> Vec<Document> {
    read_all(&["-"], file, jsonl("text")).unwrap().0
}

fn restored(documents: &[Document]) -> Vec<u8> {
    documents.iter().flat_map(|document| &document.restored.as_ref().unwrap().1).copied().collect()
}

fn problem(file: &[u8]) -> (u64, u64, String) {
    match read_all(&["-"], file, jsonl("text")).unwrap_err() {
        InputError::Jsonl { line, column, reason, .. } => (line, column, reason),
        other => panic!("{other}"),
    }
}

#[test]
fn every_line_is_a_document() {
    let file = b"{\"id\": 1, \"text\": \"caf\\u00e9\"}\n{\"text\":\"b\\n\"}\r\n{\"text\":\"\\/\"}";
    let documents = lines(file);
    assert_eq!(names(&documents), ["stdin:1", "stdin:2", "stdin:3"]);
    assert_eq!(documents[0].text, "café".as_bytes());
    assert_eq!(documents[0].size, Some(5));
    assert_eq!(documents[1].text, b"b\n");
    let styles: Vec<_> = documents.iter().map(|d| d.restored.as_ref().unwrap().0).collect();
    assert_eq!(styles, [StringStyle::Ascii, StringStyle::Minimal, StringStyle::Raw]);
    assert_eq!(restored(&documents), file);
}

#[test]
fn bytes_between_lines_are_kept() {
    let file = b"\xef\xbb\xbf \r\n\n{\"text\":\"a\"}\n\n \t\n{\"text\":\"b\"}  \n\n  ";
    let documents = lines(file);
    assert_eq!(names(&documents), ["stdin:3", "stdin:6"]);
    assert_eq!(restored(&documents), file);
    let file = b"\xef\xbb\xbf{\"text\":\"a\"}";
    assert_eq!(restored(&lines(file)), file);
}

#[test]
fn a_file_without_lines_is_a_document_without_text() {
    for file in [&b""[..], b"\n\n", b"\xef\xbb\xbf\r\n \t"] {
        let documents = lines(file);
        assert_eq!(names(&documents), ["stdin:0"]);
        assert!(documents[0].text.is_empty());
        assert_eq!(restored(&documents), file);
    }
}

#[test]
fn errors_tell_line_column_and_what_is_there() {
    let (line, column, reason) = problem(b"{\"text\":\"a\"}\n\n{\"id\":1,\"body\":\"b\"}\n");
    assert_eq!((line, column), (3, 1));
    assert!(reason.contains("`id`, `body`"), "{reason}");
    let (line, column, _) = problem(b"{\"text\":\"a\"}\n{\"text\":5}\n");
    assert_eq!((line, column), (2, 9));
    let (line, column, _) = problem(b"\xef\xbb\xbf{\"text\":}");
    assert_eq!((line, column), (1, 12));
    let (line, column, reason) = problem(b"{\"text\":\"\xff\"}");
    assert_eq!((line, column), (1, 10));
    assert!(reason.contains("UTF-8"));
    assert!(problem(b"{\"text\":\"a\"} {\"text\":\"b\"}").2.contains("one object"));
    assert!(problem(b"[1]").2.contains("an object"));
}

#[test]
fn the_visitors_view_names_file_and_line() {
    let root = folder(&[("d/a.jsonl", b"{\"text\":\"1\"}\n{\"text\":\"2\"}\n")]);
    let text = b"{\"text\":\"3\"}\n";
    let mut gzip = Vec::new();
    let level = flate2::Compression::default();
    flate2::read::GzEncoder::new(&text[..], level).read_to_end(&mut gzip).unwrap();
    write(root.path(), "d/b.jsonl.gz", &gzip);
    let (documents, _) = read_all(&[root.path()], b"", jsonl("text")).unwrap();
    assert_eq!(names(&documents), ["d/a.jsonl:1", "d/a.jsonl:2", "d/b.jsonl:1"]);
    assert_eq!(documents[2].text, b"3");

    write(root.path(), "d/c.jsonl", b"{}");
    let error = read_all(&[root.path()], b"", jsonl("text")).unwrap_err().to_string();
    let place = format!("{}:1:1: ", root.path().join("d/c.jsonl").display());
    assert!(error.starts_with(&place) && error.contains("empty"), "{error}");
}

#[test]
fn nested_fields() {
    let file =
        b"{\"meta\":{\"text\":\"in\"}}\n{\"meta.text\":\"literal\",\"meta\":{\"text\":\"in\"}}";
    let (documents, _) = read_all(&["-"], file, jsonl("meta.text")).unwrap();
    assert_eq!(documents[0].text, b"in");
    assert_eq!(documents[1].text, b"literal");
    assert_eq!(restored(&documents), file);
}

#[test]
fn an_edited_text_is_written_in_the_old_style() {
    let edited = |style, literal: &[u8]| {
        let envelope = Envelope { prefix: b"[", suffix: b"]", style, literal };
        let mut out = Vec::new();
        envelope.restore("é\"".as_bytes(), &mut out);
        String::from_utf8(out).unwrap()
    };
    assert_eq!(edited(StringStyle::Minimal, b""), "[\"é\\\"\"]");
    assert_eq!(edited(StringStyle::Ascii, b""), "[\"\\u00e9\\\"\"]");
    assert_eq!(edited(StringStyle::Raw, b"\"\\/\""), "[\"é\\\"\"]");
    assert_eq!(edited(StringStyle::Raw, b"\"\\u00E9\\\"\""), "[\"\\u00E9\\\"\"]");
}

/// A string literal, escaped in any way that JSON allows.
fn literal() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        8 => "[a-z ]{1,5}",
        2 => any::<char>().prop_filter("must be escaped", |c| *c >= ' ' && !"\"\\".contains(*c))
            .prop_map(String::from),
        2 => r#"\\["\\/bfnrt]"#,
        2 => r"\\u[0-9a-f]{4}",
        1 => r"\\u[0-9A-Fa-f]{4}",
        1 => r"\\u[dD][89a-bA-B][0-9a-f]{2}\\u[dD][c-fC-F][0-9a-f]{2}",
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| format!("\"{}\"", pieces.concat()))
}

fn value() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        literal(),
        r"-?(0|[1-9][0-9]{0,3})(\.[0-9]{1,3})?([eE][-+]?[0-9])?",
        Just("null".to_owned()),
        Just("true".to_owned()),
    ];
    leaf.prop_recursive(4, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|v| format!("[{}]", v.join(" ,"))),
            prop::collection::vec((literal(), inner), 0..4).prop_map(|members| {
                let members: Vec<_> = members.iter().map(|(k, v)| format!("{k} :{v}")).collect();
                format!("{{ {} }}", members.join(", "))
            }),
        ]
    })
}

fn line() -> impl Strategy<Value = String> {
    let others = || prop::collection::vec((literal(), value()), 0..3);
    (others(), literal(), others(), "[ \t]{0,2}").prop_map(|(before, text, after, space)| {
        let before = before.iter().map(|(k, v)| format!("{k}:{v}"));
        let after = after.iter().map(|(k, v)| format!("{k}:{v}"));
        let members: Vec<_> = before.chain([format!("\"the text\":{text}")]).chain(after).collect();
        format!("{space}{{{}}}{space}", members.join(","))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(zgram_testkit::cases(512)))]

    #[test]
    fn files_come_back_byte_for_byte(
        lines in prop::collection::vec((line(), "(\r?\n)([ \t]*\r?\n){0,2}"), 1..6),
        mark in any::<bool>(),
        ends_with_newline in any::<bool>(),
    ) {
        let mut file = if mark { "\u{feff}".to_owned() } else { String::new() };
        for (line, terminator) in &lines {
            file.push_str(line);
            file.push_str(terminator);
        }
        let file = if ends_with_newline { &file[..] } else { file.trim_end() };
        let (documents, _) = read_all(&["-"], file.as_bytes(), jsonl("the text")).unwrap();
        prop_assert_eq!(documents.len(), lines.len());
        prop_assert_eq!(restored(&documents), file.as_bytes());
    }

    #[test]
    fn what_serde_json_writes_is_minimal(text in any::<String>()) {
        let line = serde_json::json!({ "a": 1, "text": text }).to_string();
        let documents = lines(line.as_bytes());
        prop_assert_eq!(&documents[0].text, text.as_bytes());
        prop_assert_eq!(&documents[0].restored, &Some((StringStyle::Minimal, line.into_bytes())));
    }

    #[test]
    fn any_bytes_are_read_or_refused_without_panic(bytes in "[{}\\[\\]\":,a-t\\\\ud8\n\r \u{e9}]{0,60}") {
        if let Ok((documents, _)) = read_all(&["-"], bytes.as_bytes(), ReadOptions {
            jsonl_field: Some("a".to_owned()), ..ReadOptions::default()
        }) {
            prop_assert!(documents.is_empty() || restored(&documents) == bytes.as_bytes());
        }
    }
}
