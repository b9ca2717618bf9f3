//! Edits: one by one, in batches, mixed with reads.

use super::Figures;
use super::texts::{Random, Texts};
use crate::measure::process_time;
use anyhow::{Result, ensure};
use std::path::Path;
use std::time::{Duration, Instant};
use zgram::access::Phrase;
use zgram::progress::Silent;
use zgram::store::{Edit, OffsetBase, Operation, Store, Transaction};

const ONE_BY_ONE: usize = 300;
const BATCH: usize = 100_000;
/// Words of the mixed batch occur at most this often in their document.
const MOST_HITS: u64 = 100;

pub(super) fn measure(corpus: &Path, texts: &Texts, figures: &mut Figures) -> Result<()> {
    let mut random = Random(3);
    let mut words = texts.words(2000, &mut random);
    // Twenty thousand answers of very many places each would not fit into memory.
    let reader = Store::open(corpus)?;
    let mut failed = Ok(());
    words.retain(|(document, word)| {
        let count = Phrase::new(word).and_then(|word| reader.count(*document, &word));
        count.map_err(|error| failed = Err(error)).is_ok_and(|count| count <= MOST_HITS)
    });
    failed?;
    let string = |random: &mut Random| {
        let some = (0..10).map(|_| &words[(random.next() % words.len() as u64) as usize].1[..]);
        let mut bytes = some.collect::<Vec<_>>().join(&b' ');
        bytes.truncate(64);
        bytes
    };

    let path = corpus.with_file_name("edited.zgram");
    std::fs::copy(corpus, &path)?;
    let store = Store::open_for_editing(&path)?;
    let names: Vec<Vec<u8>> =
        store.documents()?.into_iter().map(|document| document.name).collect();
    let edits: Vec<Edit> = (0..ONE_BY_ONE)
        .map(|_| {
            let (document, offset) = texts.place(&mut random);
            Edit::Insert { document, offset, bytes: string(&mut random) }
        })
        .collect();
    store.extract(edits.len() % names.len(), 0, 1)?;
    let begun = Instant::now();
    for edit in &edits {
        store.edit(std::slice::from_ref(edit))?;
    }
    figures.add("insert, one by one with a flush each", "zgram", each(begun));
    let begun = Instant::now();
    let probe = path.with_file_name("probe");
    let mut file = std::fs::File::create(&probe)?;
    for _ in 0..ONE_BY_ONE {
        std::io::Write::write_all(&mut file, &[0; 120])?;
        file.sync_data()?;
    }
    figures.add("a write and a flush", "the disk", each(begun));
    drop(store);

    for (what, appends) in [("append, in a batch", true), ("insert, in a batch", false)] {
        let store = fresh(corpus, &path)?;
        load(&store, names.len())?;
        let operations: Vec<Operation> = (0..BATCH)
            .map(|_| {
                let (document, offset) = texts.place(&mut random);
                let (document, bytes) = (names[document].clone(), string(&mut random));
                if appends {
                    Operation::Append { document, bytes }
                } else {
                    Operation::Insert { document, offset, bytes }
                }
            })
            .collect();
        let batch = Transaction { operations, ..Transaction::default() };
        let (wall, all_threads) = timed(|| store.run(&batch))?;
        let rate = |time: Duration| BATCH as f64 / time.as_secs_f64();
        let (wall, all_threads) = (rate(wall), rate(all_threads));
        let value = format!("{wall:.0} a second, {all_threads:.0} a second of processor time");
        figures.add(what, "zgram", value);
    }

    for (what, meaning) in [
        ("mixed batch of 100,000, in sequence", OffsetBase::InSequence),
        ("mixed batch of 100,000, in batch", OffsetBase::InBatch),
    ] {
        let store = fresh(corpus, &path)?;
        load(&store, names.len())?;
        // A store in use has these structures; here they are built before the clock starts.
        store.count(0, &Phrase::new("a")?)?;
        for (document, word) in &words {
            store.search(*document, &Phrase::new(word)?)?;
            store.count(*document, &Phrase::new(word)?)?;
        }
        let operations = (0..BATCH)
            .map(|at| {
                let (number, offset) = texts.place(&mut random);
                let document = names[number].clone();
                let (of, word) = &words[(random.next() % words.len() as u64) as usize];
                let phrase = Phrase::new(word)?;
                let of = Some(names[*of].clone());
                Ok(match at % 5 {
                    0 => Operation::Extract { document, offset, len: 64 },
                    1 => Operation::Count { document: of, phrase },
                    2 => Operation::Search { document: of, phrase },
                    3 => Operation::Insert { document, offset, bytes: string(&mut random) },
                    _ => Operation::Append { document, bytes: string(&mut random) },
                })
            })
            .collect::<Result<_>>()?;
        let batch = Transaction { operations, offsets: meaning, keep_going: false };
        let (wall, all_threads) = timed(|| {
            let answers = store.run(&batch)?;
            ensure!(answers.iter().all(Result::is_ok));
            Ok(())
        })?;
        let (wall, all_threads) = (wall.as_secs_f64(), all_threads.as_secs_f64());
        figures.add(what, "zgram", format!("{wall:.2} s, {all_threads:.2} s of processor time"));
        if meaning == OffsetBase::InBatch {
            let begun = Instant::now();
            drop(store);
            let store = Store::open_for_editing(&path)?;
            figures.add(
                "open, replaying 40,000 edits",
                "zgram",
                format!("{:.2} s", begun.elapsed().as_secs_f64()),
            );
            let begun = Instant::now();
            store.compact(&Silent)?;
            let speed = texts.bytes() as f64 / 1e6 / begun.elapsed().as_secs_f64();
            figures.add("compact, all documents touched", "zgram", format!("{speed:.1} MB/s"));
        }
    }
    Ok(())
}

/// The wall time of `work`, and the CPU time of all threads together, which other work on the machine
/// does not lengthen.
fn timed<T, E>(work: impl FnOnce() -> Result<T, E>) -> Result<(Duration, Duration)>
where
    anyhow::Error: From<E>,
{
    let (begun, run) = (Instant::now(), process_time());
    work()?;
    let wall = begun.elapsed();
    let run = run.zip(process_time()).map(|(before, after)| after.saturating_sub(before));
    Ok((wall, run.unwrap_or(wall)))
}

/// Loads all segments, as in a store that has been in use for a while.
fn load(store: &Store, documents: usize) -> Result<()> {
    for document in 0..documents {
        store.extract(document, 0, 1)?;
    }
    Ok(())
}

/// The corpus without edits, open for editing.
fn fresh(corpus: &Path, path: &Path) -> Result<Store> {
    let mut journal = path.as_os_str().to_owned();
    journal.push(".journal");
    std::fs::copy(corpus, path)?;
    if Path::new(&journal).exists() {
        std::fs::remove_file(&journal)?;
    }
    Ok(Store::open_for_editing(path)?)
}

/// Time for each of the edits that are made one by one.
fn each(begun: Instant) -> String {
    format!("{:.0} µs", begun.elapsed().as_nanos() as f64 / 1000.0 / ONE_BY_ONE as f64)
}
