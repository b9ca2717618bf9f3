//! The cost of a query of the whole corpus while edits are pending.

use super::Figures;
use super::texts::{Random, Texts};
use anyhow::{Result, ensure};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use zgram::Corpus;
use zgram::store::{Edit, Store};

const EDITS: usize = 10_000;
/// Each time is the least of this many runs.
const RUNS: usize = 5;

/// A word count of the file alone, and of the file with edits in many places. Both from an open
/// store to the rows, on one thread.
pub(super) fn measure(corpus: &Path, texts: &Texts, figures: &mut Figures) -> Result<()> {
    let path = corpus.with_file_name("pending.zgram");
    std::fs::copy(corpus, &path)?;
    let store = Store::open_for_editing(&path)?;
    let (without, before) = word_count(|| Ok(store.corpus()))?;
    let mut random = Random(5);
    let edits: Vec<Edit> = (0..EDITS)
        .map(|_| {
            let (document, offset) = texts.place(&mut random);
            Edit::Insert { document, offset, bytes: b" needle ".to_vec() }
        })
        .collect();
    store.edit(&edits)?;
    let begun = Instant::now();
    store.snapshot()?;
    let first = begun.elapsed();
    let (with, after) = word_count(|| Ok(store.snapshot()?))?;
    ensure!(after >= before + EDITS as u64, "{before} words, then {after}");
    figures.add("word count", "zgram", micros(without));
    figures.add("take in 10,000 edits for questions, once", "zgram", micros(first));
    figures.add("word count with 10,000 pending edits", "zgram", micros(with));
    let ratio = |with: Duration| format!("{:.2}", with.as_secs_f64() / without.as_secs_f64());
    figures.add("word count with pending edits / without", "zgram", ratio(with));
    figures.add("the same with taking them in", "zgram", ratio(with + first));
    drop(store);
    // From opening the file each time: what the program does.
    let (cold, _) = word_count(|| Ok(Arc::new(Corpus::open(corpus)?)))?;
    let (ratio_of_opening, after_opening) = word_count(|| Ok(Arc::new(Corpus::open(&path)?)))?;
    ensure!(after_opening == after, "{after} words, from opening {after_opening}");
    let (replayed, _) = word_count(|| Ok(Store::open(&path)?.snapshot()?))?;
    let ratio = |with: Duration| format!("{:.2}", with.as_secs_f64() / cold.as_secs_f64());
    figures.add("the same from opening", "zgram", ratio(ratio_of_opening));
    figures.add("the same from opening, replaying the journal", "zgram", ratio(replayed));
    let bytes =
        |name: &str| -> Result<u64> { Ok(std::fs::metadata(path.with_file_name(name))?.len()) };
    let journal = bytes("pending.zgram.journal")?;
    let words = bytes("pending.zgram.words")?;
    figures.add("journal of 10,000 edits", "zgram", format!("{journal} B"));
    figures.add("word counts beside it", "zgram", format!("{words} B"));
    Ok(())
}

/// The least time of a word count, and the sum of the counts.
fn word_count(corpus: impl Fn() -> Result<Arc<Corpus>>) -> Result<(Duration, u64)> {
    let mut least = (Duration::MAX, 0);
    for _ in 0..RUNS {
        let begun = Instant::now();
        let rows = corpus()?.word_count().threads(1).rows()?;
        let time = begun.elapsed();
        least = least.min((time, rows.iter().map(|row| row.count).sum()));
    }
    Ok(least)
}

fn micros(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}
