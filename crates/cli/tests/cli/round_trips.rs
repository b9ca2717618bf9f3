//! Every byte comes back.

use crate::support::{Place, tar_of};
use predicates::prelude::*;

/// Bytes without any pattern.
fn noise(len: usize, mut seed: u64) -> Vec<u8> {
    let mut next = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed as u8
    };
    (0..len).map(|_| next()).collect()
}

fn place_with_odd_files() -> Place {
    let place = Place::new();
    place.write("in/empty", "");
    place.write("in/crlf.txt", "one\r\ntwo  three\r\n\r\n");
    place.write("in/binary.bin", noise(70_000, 7));
    place.write("in/deep/er/still/x", "x");
    place.write("in/.hidden", "hidden\n");
    place.write("in/with space and ünïcödé 語.txt", "größe 語 ไทย\n");
    place.write("in/-starts-with-dash", "-");
    place.write("in/words.txt", "the cat sat on the mat, the cat sat. ".repeat(3000));
    place.write("in/long-line", "word ".repeat(100_000));
    place.write("in/fake.tar.gz", [&[0x1f, 0x8b, 8, 0][..], &noise(50, 3)].concat());
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let name = std::ffi::OsStr::from_bytes(b"in/not-\xff-utf8\n\x1b[31m.txt");
        place.write(name, "named oddly\n");
    }
    place
}

#[test]
fn a_folder_comes_back_byte_for_byte_at_every_setting() {
    let place = place_with_odd_files();
    for (number, setting) in [
        "--level fast",
        "--level default",
        "--level max",
        "--grammar sequitur",
        "--layer gzip",
        "--layer none",
        "--segment-size 64K --threads 1",
        "--segment-size 1000",
    ]
    .iter()
    .enumerate()
    {
        let (file, folder) = (format!("{number}.zgram"), format!("out{number}"));
        place
            .zgram(["compress", "in", "-o", &file])
            .args(setting.split(' '))
            .assert()
            .success()
            .stdout("");
        place.zgram(["verify", &file]).assert().success();
        place.zgram(["decompress", &file, "-o", &folder]).assert().success().stdout("");
        assert!(place.tree("in") == place.tree(&folder), "{setting}");
    }
}

#[test]
fn a_tree_and_its_tar_give_the_same_documents() {
    let place = Place::new();
    let tar = tar_of(&[(b"./a.txt", b"alpha\n"), (b"b/c.txt", b"beta\n"), (b"b/empty", b"")]);
    place.zgram(["compress", "-", "-o", "t.zgram"]).write_stdin(tar).assert().success();
    place.zgram(["ls", "t.zgram"]).assert().stdout("6\ta.txt\n5\tb/c.txt\n0\tb/empty\n");
    place.zgram(["decompress", "t.zgram", "-o", "out"]).assert().success();
    assert_eq!(place.read("out/a.txt"), b"alpha\n");
    assert_eq!(place.read("out/b/c.txt"), b"beta\n");
    assert_eq!(place.read("out/b/empty"), b"");
}

const JSON_LINES: &str = concat!(
    "\u{feff}\n",
    "{\"id\": 1, \"text\": \"one \\u00e9t\\u00e9\", \"more\": [1, 2]}\n",
    "\n",
    "{\"text\": \"\"}\r\n",
    "  {\"text\": \"weird \\/ escapes \\u0041\"}  \n",
    "{\"text\": \"no line end at the end\"}",
);

#[test]
fn json_lines_come_back_byte_for_byte() {
    let place = Place::new();
    place.write("in/a.jsonl", JSON_LINES);
    place.write("in/sub/b.jsonl", "{\"text\": \"a long text \"}\n".repeat(500));
    for size in ["128M", "300"] {
        place
            .zgram(["compress", "--jsonl", "text", "in", "-o", "j.zgram", "--force"])
            .args(["--segment-size", size])
            .assert()
            .success();
        place.zgram(["verify", "j.zgram"]).assert().success();
        place.zgram(["decompress", "j.zgram", "-o", "out", "--force"]).assert().success();
        assert!(place.tree("in") == place.tree("out"), "{size}");
    }
}

#[test]
fn chosen_json_lines_give_their_text() {
    let place = Place::new();
    place.write("a.jsonl", JSON_LINES);
    place.zgram(["compress", "-j", "text", "a.jsonl", "-o", "j.zgram"]).assert().success();
    place.zgram(["cat", "j.zgram", "a.jsonl:2"]).assert().success().stdout("one été");
    place.zgram(["decompress", "j.zgram", "a.jsonl:5", "-o", "out"]).assert().success();
    let name = if cfg!(windows) { "out/a.jsonl_5" } else { "out/a.jsonl:5" };
    assert_eq!(place.read(name), b"weird / escapes A");
}

#[test]
fn pipes_serve_as_files() {
    let place = Place::new();
    let text = "to be or not to be\n".repeat(100);
    let compress = place.zgram(["compress", "-", "-o", "-"]).write_stdin(text.as_str()).output();
    let corpus = compress.unwrap().stdout;
    assert!(corpus.starts_with(b"\x89ZGRAM"));
    let with_corpus = |arguments: &[&str]| {
        let mut command = place.zgram(arguments.iter().copied());
        command.write_stdin(corpus.clone());
        command.assert().success()
    };
    with_corpus(&["cat", "-", "stdin"]).stdout(text.clone());
    with_corpus(&["ls", "-"]).stdout("1900\tstdin\n");
    with_corpus(&["info", "-"]).stdout(predicate::str::contains("standard input"));
    with_corpus(&["verify", "-"]);
    with_corpus(&["decompress", "-", "-o", "out"]);
    assert_eq!(place.read("out/stdin"), text.as_bytes());
    assert_eq!(place.names(), ["out"]);
}

#[test]
fn an_empty_corpus_is_a_corpus() {
    let place = Place::new();
    std::fs::create_dir(place.path("in")).unwrap();
    place.zgram(["compress", "in", "-o", "e.zgram"]).assert().success();
    place.zgram(["verify", "e.zgram"]).assert().success();
    place.zgram(["ls", "e.zgram"]).assert().success().stdout("");
    place.zgram(["info", "e.zgram"]).assert().success();
    place.zgram(["decompress", "e.zgram", "-o", "out"]).assert().success();
    assert!(place.path("out").is_dir());
    place.write("blank/file", "");
    place.zgram(["compress", "blank", "-o", "b.zgram"]).assert().success();
    place.zgram(["decompress", "b.zgram", "-o", "out"]).assert().success();
    assert_eq!(place.read("out/file"), b"");
}

#[test]
fn the_file_does_not_depend_on_the_threads() {
    let place = place_with_odd_files();
    for threads in ["1", "2", "5"] {
        let file = format!("{threads}.zgram");
        place
            .zgram(["compress", "in", "-o", &file, "--segment-size", "50K", "--threads", threads])
            .assert()
            .success();
        assert!(place.read(&file) == place.read("1.zgram"), "{threads}");
    }
}

#[cfg(unix)]
#[test]
fn files_get_the_permissions_of_any_new_file() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::with_corpus();
    place.zgram(["decompress", "c.zgram", "-o", "out"]).assert().success();
    place.write("plain", "");
    let mode = |name| place.path(name).metadata().unwrap().permissions().mode();
    assert_eq!(mode("out/apple.txt"), mode("plain"));
    assert_eq!(mode("c.zgram"), mode("plain"));
}
