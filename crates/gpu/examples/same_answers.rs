//! Runs the six tasks on a GPU, top-down and bottom-up, and compares every row with the CPU's: `cargo run
//! --release -p zgram-gpu --example same_answers -- FILE.zgram ADAPTER`, with ADAPTER `best`, `software`
//! or a part of a name.

use std::error::Error;
use std::hash::{DefaultHasher, Hash, Hasher};
use zgram::Corpus;
use zgram::analytics::{BatchRow, Query, Question, RowBatch, Traversal};
use zgram_gpu::{Device, DeviceOptions, Engine, choose};

fn main() -> Result<(), Box<dyn Error>> {
    let [path, adapter] = &std::env::args().skip(1).collect::<Vec<_>>()[..] else {
        return Err("usage: same_answers FILE.zgram ADAPTER".into());
    };
    let corpus = Corpus::open(path)?;
    for traversal in [Traversal::TopDownSingle, Traversal::BottomUp] {
        let device = Device::new(choose(&adapter.parse()?)?, DeviceOptions::default())?;
        println!("{}, {traversal}", device.adapter().name);
        let engine = Engine::new(device).with_traversal(traversal);
        compare("word-count", &engine, || corpus.word_count())?;
        compare("sort", &engine, || corpus.sort())?;
        compare("inverted-index", &engine, || corpus.inverted_index())?;
        compare("term-vector", &engine, || corpus.term_vector())?;
        compare("sequence-count", &engine, || corpus.sequence_count().words(3))?;
        compare("ranked-inverted-index", &engine, || corpus.ranked_inverted_index().words(3))?;
    }
    Ok(())
}

fn compare<'c, Q: Clone + Into<Question> + 'c>(
    task: &str,
    engine: &'c Engine<Device>,
    query: impl Fn() -> Query<'c, Q>,
) -> Result<(), Box<dyn Error>> {
    let (cpu, rows) = digest(&query())?;
    let before = engine.stats();
    let (gpu, _) = digest(&query().accelerator(engine, false))?;
    let after = engine.stats();
    if cpu != gpu {
        return Err(format!("{task}: the rows are not the CPU's").into());
    }
    let parts = after.jobs + after.splits - before.jobs - before.splits;
    println!("  {task}: {rows} rows, the same, in {parts} parts");
    Ok(())
}

/// A hash of all rows in order, and their number.
fn digest<Q: Clone + Into<Question>>(query: &Query<'_, Q>) -> Result<(u64, u64), zgram::Error> {
    let mut hasher = DefaultHasher::new();
    let mut count = 0;
    // Rows are hashed one by one, because the ends of batches do not matter.
    let encode = |batch: &RowBatch<'_>| -> Vec<u64> {
        let row = |row: BatchRow<'_>| {
            let mut hasher = DefaultHasher::new();
            (row.text(), row.count, row.document).hash(&mut hasher);
            hasher.finish()
        };
        batch.rows().map(row).collect()
    };
    query.for_each_batch(encode, |rows| {
        count += rows.len() as u64;
        rows.iter().for_each(|row| row.hash(&mut hasher));
        Ok(())
    })?;
    Ok((hasher.finish(), count))
}
