//! Kills a process again and again that edits, and compacts in the background. Every acknowledged edit
//! must be there afterwards, and nothing else but the edit that was under way.
//!
//! The process is this program, started with the path of the corpus as its argument.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;
use zgram::Corpus;
use zgram::format::{GrammarKind, Layer, Level};
use zgram::progress::Silent;
use zgram::store::{BackgroundCompaction, Edit, Store, Threshold};
use zgram_testkit::{Document, Feed, Random, compress, options};

/// Number of kills; `ZGRAM_KILLS` overrides it.
const ROUNDS: usize = 48;
/// Compaction starts again after this many edits.
const EDITS: u64 = 5;
const LOG: &[u8] = b"log";

fn main() {
    match std::env::args().nth(1) {
        Some(path) if path.ends_with(".zgram") => edit_until_killed(Path::new(&path)),
        // Anything else is an argument of `cargo test`.
        _ => acknowledged_edits_survive_being_killed_while_compacting(),
    }
}

/// Appends numbers to a document and writes each to standard output once it is acknowledged. Runs until
/// it is killed.
fn edit_until_killed(path: &Path) {
    let store = Arc::new(Store::open_for_editing(path).expect("it opens"));
    let _background = BackgroundCompaction::of(&store).expect("a thread starts");
    let mut out = std::io::stdout().lock();
    for number in next_number(&store).. {
        let document = store.find(LOG).expect("names are read").expect("it is there");
        let bytes = entry(number).into_bytes();
        store.edit(&[Edit::Append { document, bytes }]).expect("it is made");
        out.write_all(entry(number).as_bytes()).and_then(|()| out.flush()).expect("somebody reads");
    }
}

fn entry(number: usize) -> String {
    format!("entry {number};\n")
}

fn text_of(store: &Store) -> String {
    let document = store.find(LOG).unwrap().unwrap();
    let mut text = Vec::new();
    store.write_document(document, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

fn next_number(store: &Store) -> usize {
    text_of(store).lines().count()
}

fn acknowledged_edits_survive_being_killed_while_compacting() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus.zgram");
    let text = "the cat sat on the mat, and the dog sat by the door.\n".repeat(2000);
    let documents = [Document::new("book", &text[..]), Document::new("log", "")];
    let mut options = options(Level::Default, GrammarKind::RePair, Layer::Zstd);
    options.segment_size = 1 << 16;
    std::fs::write(&path, compress(&documents, Feed::Tar, &options).unwrap()).unwrap();
    let threshold = Threshold { edits: EDITS, bytes: 1 << 30 };
    Store::open_for_editing(&path).unwrap().edit(&[Edit::SetThreshold { threshold }]).unwrap();
    let mut random = Random::new(7);
    let (mut expected, mut compacted, mut unfinished) = (String::new(), 0, 0);
    // Wait longer on a slow machine, until a process has made some edits.
    let mut patience = 120;
    let rounds = match std::env::var("ZGRAM_KILLS") {
        Ok(rounds) => rounds.parse().expect("ZGRAM_KILLS is a number"),
        Err(_) => ROUNDS,
    };
    for round in 0..rounds {
        let before = std::fs::read(&path).unwrap();
        let mut child = Command::new(std::env::current_exe().unwrap())
            .arg(&path)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(20 + random.below(patience) as u64));
        // On Unix this is SIGKILL.
        child.kill().unwrap();
        let output = child.wait_with_output().unwrap().stdout;
        // The last line may be incomplete.
        let output = String::from_utf8(output).unwrap();
        let acknowledged = &output[..output.rfind('\n').map_or(0, |end| end + 1)];
        expected.push_str(acknowledged);
        if acknowledged.lines().count() < EDITS as usize {
            patience = (patience * 5 / 4).min(4000);
        }
        let store = Store::open(&path).unwrap();
        let found = text_of(&store);
        if found != expected {
            expected.push_str(&entry(expected.lines().count()));
            assert_eq!(found, expected, "round {round}");
            unfinished += 1;
        }
        let mut book = Vec::new();
        store.write_document(store.find(b"book").unwrap().unwrap(), &mut book).unwrap();
        assert!(book == text.as_bytes(), "round {round}");
        store.corpus().verify(&Silent).unwrap();
        // Words are counted right, however much of the changes it had stored.
        let words = Corpus::open(&path).unwrap().word_count().rows().unwrap();
        assert!(words == store.snapshot().unwrap().word_count().rows().unwrap(), "round {round}");
        compacted += usize::from(std::fs::read(&path).unwrap() != before);
    }
    let edits = expected.lines().count();
    println!(
        "{rounds} kills: {edits} edits, {unfinished} of them not acknowledged, \
         new files in {compacted} rounds"
    );
    assert!(edits > rounds && compacted > 3, "{edits} edits, {compacted} compactions");
    // Compaction was killed at many points, and still works.
    let store = Store::open_for_editing(&path).unwrap();
    store.compact(&Silent).unwrap();
    assert_eq!(text_of(&store), expected);
}
