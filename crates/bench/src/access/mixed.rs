//! The paper's mixed batch (random-access section VI-A) on few large documents: a fifth each of extract,
//! count, search, insert and append, of which each must see the edits before it.

use super::Figures;
use super::texts::{Random, Texts};
use anyhow::{Result, ensure};
use std::path::Path;
use std::time::Instant;
use zgram::access::Phrase;
use zgram::progress::Silent;
use zgram::store::{Edit, Operation, Store, Transaction};
use zgram::{CompressOptions, Error, compress_documents};

/// Numbers of documents, their size, and the operations of a batch.
const SHAPES: [(usize, usize, &[usize]); 3] = [
    (1, 2_000_000, &[1_000, 10_000, 100_000]),
    (8, 2_000_000, &[100_000]),
    (4, 25_000_000, &[100_000]),
];

/// Edits that are pending in one document while a word is counted.
const PENDING: usize = 100_000;
const COUNTS: usize = 1_000;

pub(super) fn measure(texts: &Texts, scratch: &Path, figures: &mut Figures) -> Result<()> {
    let all = texts.documents.concat();
    for (count, size, batches) in SHAPES {
        if all.len() < count * size {
            continue;
        }
        let path = scratch.join("mixed.zgram");
        let documents = all.chunks(size).take(count).enumerate();
        let documents = documents.map(|(number, text)| Ok::<_, Error>((number.to_string(), text)));
        let _ = std::fs::remove_file(path.with_extension("zgram.journal"));
        compress_documents(documents, &path, &CompressOptions::default(), &Silent)?;
        for &operations in batches {
            let what = format!(
                "mixed batch of {operations} on {count} documents of {} MB",
                size / 1_000_000
            );
            let seconds = batch(&path, &all, (count, size), operations)?;
            figures.add(what, "zgram", format!("{seconds:.3} s"));
        }
        if count == 1 {
            pending(&path, &all[..size], figures)?;
        }
    }
    Ok(())
}

/// The time of a batch on a store that has been in use.
fn batch(path: &Path, all: &[u8], (count, size): (usize, usize), len: usize) -> Result<f64> {
    let (store, words) = store_in_use(path, all, (count, size))?;
    let mut random = Random(9);
    let mut below = |most: usize| (random.next() % most as u64) as usize;
    let operations = (0..len)
        .map(|at| {
            let document = below(count).to_string().into_bytes();
            let word = &words[below(words.len())];
            let offset = below(size) as u64;
            let mut some = || {
                let some: Vec<&[u8]> = (0..10).map(|_| &words[below(words.len())][..]).collect();
                let mut bytes = some.join(&b' ');
                bytes.truncate(64);
                bytes
            };
            Ok(match at % 5 {
                0 => Operation::Extract { document, offset, len: 64 },
                1 => Operation::Count { document: Some(document), phrase: Phrase::new(word)? },
                2 => Operation::Search { document: Some(document), phrase: Phrase::new(word)? },
                3 => Operation::Insert { document, offset, bytes: some() },
                _ => Operation::Append { document, bytes: some() },
            })
        })
        .collect::<Result<_>>()?;
    let batch = Transaction { operations, ..Transaction::default() };
    let begun = Instant::now();
    let answers = store.run(&batch)?;
    let time = begun.elapsed();
    ensure!(answers.iter().all(Result::is_ok));
    Ok(time.as_secs_f64())
}

/// A store without edits whose indexes are built, and words that occur at most a hundred times in a
/// document.
fn store_in_use(
    path: &Path,
    all: &[u8],
    (count, size): (usize, usize),
) -> Result<(Store, Vec<Vec<u8>>)> {
    let mut journal = path.as_os_str().to_owned();
    journal.push(".journal");
    if Path::new(&journal).exists() {
        std::fs::remove_file(&journal)?;
    }
    let store = Store::open_for_editing(path)?;
    let texts: Vec<&[u8]> = all.chunks(size).take(count).collect();
    let mut random = Random(4);
    let mut words = Vec::new();
    while words.len() < 1000 {
        let text = texts[(random.next() % count as u64) as usize];
        let at = (random.next() % (size as u64 - 64)) as usize;
        let Some(word) =
            String::from_utf8_lossy(&text[at..at + 64]).split(' ').nth(2).map(str::to_owned)
        else {
            continue;
        };
        let Ok(phrase) = Phrase::new(&word) else { continue };
        if phrase.words().len() > 1 {
            continue;
        }
        let mut counts = Vec::new();
        for document in 0..count {
            counts.push(store.count(document, &phrase)?);
            store.search(document, &phrase)?;
        }
        if counts.iter().all(|&count| count <= 100) {
            words.push(phrase.words().next().unwrap_or_default().to_vec());
        }
    }
    Ok((store, words))
}

/// Counting a word in a document that has many pending edits.
fn pending(path: &Path, text: &[u8], figures: &mut Figures) -> Result<()> {
    let (store, words) = store_in_use(path, text, (1, text.len()))?;
    let mut random = Random(6);
    let edits: Vec<Edit> = (0..PENDING)
        .map(|_| {
            let offset = random.next() % text.len() as u64;
            let word = &words[(random.next() % words.len() as u64) as usize];
            Edit::Insert { document: 0, offset, bytes: [b" ", &word[..], b" "].concat() }
        })
        .collect();
    store.edit(&edits)?;
    for (what, searches) in [("count", false), ("search", true)] {
        let mut times = Vec::with_capacity(COUNTS);
        for number in 0..COUNTS {
            let phrase = Phrase::new(&words[number % words.len()])?;
            let begun = Instant::now();
            if searches {
                store.search(0, &phrase)?;
            } else {
                store.count(0, &phrase)?;
            }
            times.push(begun.elapsed());
        }
        let first = times.iter().take(32).sum::<std::time::Duration>().as_secs_f64();
        times.sort_unstable();
        let median = times[times.len() / 2].as_secs_f64() * 1e6;
        let what = format!("{what} with 100,000 edits pending in the document, median");
        let value = format!("{median:.2} µs; the first 32 together {:.1} ms", first * 1e3);
        figures.add(what, "zgram", value);
    }
    Ok(())
}
