//! The raw rival against the suite and the oracle.

use std::fs;
use std::io::Write;
use std::sync::{Arc, Mutex};

use tempfile::TempDir;
use zgram_testkit::oracle::{self, Question};
use zgram_testkit::{Document, Random, suite};

use super::*;

#[derive(Clone, Default)]
struct Memory(Arc<Mutex<Vec<u8>>>);

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn ask(question: &Question, source: &Source, threads: usize) -> Vec<String> {
    let task = Task::ALL.into_iter().find(|task| task.name() == question.task.name()).unwrap();
    let request = Request { task, n: question.n, corpus: question.corpus, threads };
    let memory = Memory::default();
    run(&request, source, &Output::new(Box::new(memory.clone()))).unwrap();
    let text = String::from_utf8(memory.0.lock().unwrap().clone()).unwrap();
    text.lines().map(str::to_owned).collect()
}

fn expected(documents: &[Document], question: &Question) -> Vec<String> {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let row = |row: oracle::Row| {
        let document = row.document.map(|name| format!("\t{}", text(name)));
        format!("{}\t{}{}", text(row.words), row.count, document.unwrap_or_default())
    };
    oracle::answer(documents, question).into_iter().map(row).collect()
}

fn tar_of(documents: &[Document]) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    for document in documents {
        let mut header = tar::Header::new_gnu();
        header.set_size(document.text.len() as u64);
        let path = format!("corpus/{}", std::str::from_utf8(&document.name).unwrap());
        tar.append_data(&mut header, path, &document.text[..]).unwrap();
    }
    tar.into_inner().unwrap()
}

/// Asks from a folder and from a tar, on one thread and on three.
fn check(documents: &[Document], question: &Question) {
    let folder = TempDir::new().unwrap();
    for document in documents {
        let path = folder.path().join(std::str::from_utf8(&document.name).unwrap());
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, &document.text).unwrap();
    }
    let ordered = matches!(question.task, oracle::Task::WordCount | oracle::Task::Sort);
    let expected = expected(documents, question);
    for threads in [1, 3] {
        let tar = std::io::Cursor::new(tar_of(documents));
        for source in [Source::files(folder.path()).unwrap(), Source::tar(tar, 1)] {
            let (mut got, mut expected) = (ask(question, &source, threads), expected.clone());
            if !ordered {
                got.sort();
                expected.sort();
            }
            assert!(got == expected, "{question:?}");
        }
    }
}

#[test]
fn the_suite_without_views_and_choices() {
    let mut asked = 0;
    for case in suite::cases() {
        // What the scanner of plain text knows: a task, the words of a sequence, the whole corpus.
        let Question { task, n, corpus, gaps, .. } = case.question;
        if case.question == (Question { n, corpus, gaps, ..Question::new(task) }) {
            check(&case.documents, &case.question);
            asked += 1;
        }
    }
    assert!(asked > 40);
}

#[test]
fn larger_texts() {
    let mut random = Random::new(7);
    let mut text = |words: usize, vocabulary: usize| -> String {
        (0..words).map(|_| format!("w{} ", random.below(vocabulary))).collect()
    };
    let documents = [
        Document::new("a", text(70_000, 300)),
        Document::new("b", text(3_000, 40_000)),
        Document::new("c", text(10, 3)),
    ];
    for task in oracle::Task::ALL {
        for (n, corpus) in [(2, false), (3, false), (3, true), (4, false)] {
            if task.has_sequences() || n == 2 {
                check(&documents, &Question { n, corpus, ..Question::new(task) });
            }
        }
    }
}
