//! One process edits and compacts, while another opens the corpus again and again and counts its words.
//! Every answer must match a state between two edits, and include all edits acknowledged before the
//! question.
//!
//! Most of these answers come from the file of word counts beside the journal, which the first process
//! writes meanwhile. That process is this program, started with the path of the corpus as its argument.

use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use zgram::Corpus;
use zgram::format::{GrammarKind, Layer, Level};
use zgram::plumbing::words_of;
use zgram::store::{BackgroundCompaction, Edit, Store, Threshold};
use zgram_testkit::{Document, Feed, compress, options};

/// Compaction starts again after this many edits.
const EDITS: u64 = 12;
/// Answers without applying edits, and compactions, after which the test ends.
const DEFERRED: usize = 150;
const COMPACTIONS: usize = 5;
/// Most openings until these are reached; more means that something is wrong.
const OPENINGS: usize = 20_000;
/// Edits between two openings, which bounds them on a slow machine.
const LEAD: usize = 8;
/// A text longer than this loses its first half.
const LONG: usize = 4000;
const BOOK: &str = "the cat sat on the mat, and the dog sat by the door.\n";
const LOG: &[u8] = b"log";

fn main() {
    match std::env::args().nth(1) {
        Some(path) if path.ends_with(".zgram") => edit_until_killed(Path::new(&path)),
        // Anything else is an argument of `cargo test`.
        _ => words_are_those_of_a_state_between_edits(),
    }
}

/// Edit number `number` of a document, which is also applied to its text.
fn edit(number: usize, document: usize, text: &mut String) -> Edit {
    let bytes = format!("entry {number}, word{}\n", number % 7).into_bytes();
    let new = std::str::from_utf8(&bytes).expect("it was a string");
    let first_line = match text.len() {
        LONG.. => text.len() / 2,
        _ => text.find('\n').map_or(0, |end| end + 1),
    };
    match number % 4 {
        0 => {
            text.push_str(new);
            Edit::Append { document, bytes }
        }
        1 => {
            // This may be in the middle of a word.
            let offset = text.len() / 2;
            text.insert_str(offset, new);
            Edit::Insert { document, offset: offset as u64, bytes }
        }
        2 => {
            text.drain(..first_line);
            Edit::Delete { document, offset: 0, len: first_line as u64 }
        }
        _ => {
            text.replace_range(..first_line, new);
            Edit::Replace { document, offset: 0, len: first_line as u64, bytes }
        }
    }
}

/// Makes some edits for each line of standard input, and writes a line to standard output once an edit
/// is acknowledged.
fn edit_until_killed(path: &Path) {
    let store = Arc::new(Store::open_for_editing(path).expect("it opens"));
    let _background = BackgroundCompaction::of(&store).expect("a thread starts");
    let (mut text, mut out) = (String::new(), std::io::stdout().lock());
    let mut allowed = std::io::stdin().lock().lines();
    for number in 0.. {
        if number % LEAD == 0 && allowed.next().is_none() {
            return;
        }
        let document = store.find(LOG).expect("names are read").expect("it is there");
        store.edit(&[edit(number, document, &mut text)]).expect("it is made");
        writeln!(out, "{number}").and_then(|()| out.flush()).expect("somebody reads");
    }
}

type Counts = BTreeMap<String, u64>;

fn counts_of(texts: [&str; 2]) -> Counts {
    let mut counts = Counts::new();
    for text in texts {
        for (_, word) in words_of(text.as_bytes(), true) {
            *counts.entry(String::from_utf8(word.to_vec()).unwrap()).or_default() += 1;
        }
    }
    counts
}

/// The word counts after each number of edits, computed as needed.
struct States {
    book: String,
    log: String,
    /// From number `first` on.
    counts: VecDeque<Counts>,
    first: usize,
}

impl States {
    /// The first state from number `from` on with these counts, among the next few.
    fn find(&mut self, from: usize, found: &Counts) -> Option<usize> {
        // The other process cannot be further ahead.
        for state in from..=from + 2 * LEAD {
            while self.first + self.counts.len() <= state {
                if let Some(before) = (self.first + self.counts.len()).checked_sub(1) {
                    edit(before, 0, &mut self.log);
                }
                self.counts.push_back(counts_of([&self.book, &self.log]));
            }
            while self.first < from {
                self.counts.pop_front();
                self.first += 1;
            }
            if self.counts[state - self.first] == *found {
                return Some(state);
            }
        }
        None
    }
}

fn words_are_those_of_a_state_between_edits() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("corpus.zgram");
    let book = BOOK.repeat(300);
    let documents = [Document::new("book", &book[..]), Document::new("log", "")];
    let options = options(Level::Default, GrammarKind::RePair, Layer::Zstd);
    std::fs::write(&path, compress(&documents, Feed::Tar, &options).unwrap()).unwrap();
    let threshold = Threshold { edits: EDITS, bytes: 1 << 30 };
    Store::open_for_editing(&path).unwrap().edit(&[Edit::SetThreshold { threshold }]).unwrap();

    let mut child = Command::new(std::env::current_exe().unwrap())
        .arg(&path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut allow = child.stdin.take().unwrap();
    let output = BufReader::new(child.stdout.take().unwrap());
    let acknowledged = Arc::new(AtomicUsize::new(0));
    let listener = {
        let acknowledged = Arc::clone(&acknowledged);
        std::thread::spawn(move || {
            for line in output.lines() {
                let number: usize = line.unwrap().parse().expect("the number of an edit");
                acknowledged.store(number + 1, Ordering::SeqCst);
            }
        })
    };
    let mut states = States { book, log: String::new(), counts: VecDeque::new(), first: 0 };
    let (mut last, mut allowed, mut openings) = (0, 0, 0);
    let (mut deferred, mut files) = (0, Vec::new());
    while deferred < DEFERRED || files.len() <= COMPACTIONS {
        assert!(openings < OPENINGS, "{deferred} deferred, {} files", files.len());
        openings += 1;
        // Ask for more edits once the last are seen. They are made while this process opens the corpus.
        if allowed <= last {
            writeln!(allow).and_then(|()| allow.flush()).unwrap();
            allowed += LEAD;
        }
        // All edits acknowledged before opening are there.
        let least = last.max(acknowledged.load(Ordering::SeqCst));
        let corpus = Corpus::open(&path).unwrap();
        let rows = corpus.word_count().rows().unwrap();
        deferred += usize::from(corpus.has_deferred_edits());
        if files.last() != Some(&corpus.compressed_bytes()) {
            files.push(corpus.compressed_bytes());
        }
        let found: Counts = rows.iter().map(|row| (row.text().into_owned(), row.count)).collect();
        let Some(state) = states.find(least, &found) else {
            child.kill().unwrap();
            panic!("opening {openings}: not a state from {least} on: {found:?}");
        };
        last = state;
    }
    child.kill().unwrap();
    child.wait().unwrap();
    listener.join().unwrap();
    let edits = acknowledged.load(Ordering::SeqCst);
    assert!(last <= edits + 1, "edit {last} was never begun, {edits} were acknowledged");
    println!(
        "{openings} openings, {deferred} without making edits, {} files, {last} edits seen",
        files.len()
    );
}
