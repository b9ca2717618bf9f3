//! Runs the paper's mixed workload (random-access-gpu section VI-A) on the GPU, and checks it against the
//! library: equal parts of extract, count, search, insert and append, 64 bytes each, at random places.
//!
//! `cargo run --release --example mixed_batch -- FILE.zgram ADAPTER [OPERATIONS] [--in-batch]`, with
//! ADAPTER `best`, `software` or a part of a name.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use zgram::Corpus;
use zgram::access::Phrase;
use zgram::plumbing::words_of;
use zgram::store::{Answer, OffsetBase, Operation, Store, Transaction};
use zgram_gpu::access::RandomAccess;
use zgram_gpu::{Backend, Device, DeviceOptions, choose};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let is_in_batch = args.iter().any(|arg| arg == "--in-batch");
    args.retain(|arg| arg != "--in-batch");
    let [path, adapter, rest @ ..] = &args[..] else {
        return Err("usage: mixed_batch FILE.zgram ADAPTER [OPERATIONS] [--in-batch]".into());
    };
    let count = rest.first().map_or(Ok(100_000), |count| count.parse())?;
    let folder = tempfile::tempdir()?;
    let copy = folder.path().join("corpus.zgram");
    std::fs::copy(path, &copy)?;
    let corpus = Arc::new(Corpus::open(&copy)?);
    let meaning = if is_in_batch { OffsetBase::InBatch } else { OffsetBase::InSequence };
    let batch = Transaction {
        operations: operations(&corpus, count)?,
        offsets: meaning,
        keep_going: false,
    };

    let device = Device::new(choose(&adapter.parse()?)?, DeviceOptions::default())?;
    println!("{} on {}", Path::new(path).display(), device.adapter().name);
    let access = RandomAccess::new(device, corpus);
    let begun = Instant::now();
    access.prepare()?;
    println!("indexes built in {:.2} s", begun.elapsed().as_secs_f64());
    let begun = Instant::now();
    let answers = access.answer(&batch)?;
    println!("{count} operations answered in {:.2} s", begun.elapsed().as_secs_f64());
    println!("{:?}", access.stats());
    println!("{:?}", access.backend().counters());

    let store = Store::open_for_editing(&copy)?;
    let begun = Instant::now();
    let expected = store.run(&batch)?;
    println!("by the library in {:.2} s, its indexes included", begun.elapsed().as_secs_f64());
    for (at, (answer, expected)) in answers.into_iter().zip(expected).enumerate() {
        let (answer, expected): (Answer, Answer) = (answer?, expected?);
        if answer != expected {
            let operation = &batch.operations[at];
            return Err(
                format!("operation {at}, {operation:?}: {answer:?}, not {expected:?}").into()
            );
        }
    }
    println!("all answers are the same");
    Ok(())
}

/// Operations at random places, with words from the documents.
fn operations(corpus: &Arc<Corpus>, count: usize) -> Result<Vec<Operation>, Box<dyn Error>> {
    let table = corpus.documents()?;
    let texts = table.iter().enumerate().filter(|(_, (_, size))| *size > 0);
    let texts: Vec<usize> = texts.map(|(number, _)| number).collect();
    if texts.is_empty() {
        return Err("the corpus has no text".into());
    }
    let access = zgram::access::Access::new(Arc::clone(corpus));
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut operations = Vec::with_capacity(count);
    while operations.len() < count {
        let number = texts[(next() % texts.len() as u64) as usize];
        let (Some(name), Some(size)) = (table.name(number), table.size(number)) else { continue };
        let offset = next() % (size + 1);
        let document = name.to_vec();
        let around = access.extract(number, offset.saturating_sub(64), 128)?;
        let operation = match operations.len() % 5 {
            0 => Operation::Extract { document, offset, len: 64 },
            kind @ (1 | 2) => {
                let words = words_of(&around, true);
                if words.is_empty() {
                    continue;
                }
                let (_, word) = words[(next() % words.len() as u64) as usize];
                let (document, phrase) = (Some(document), Phrase::new(word)?);
                match kind {
                    1 => Operation::Count { document, phrase },
                    _ => Operation::Search { document, phrase },
                }
            }
            kind => {
                let bytes = around[..around.len().min(64)].to_vec();
                match kind {
                    3 => Operation::Insert { document, offset, bytes },
                    _ => Operation::Append { document, bytes },
                }
            }
        };
        operations.push(operation);
    }
    Ok(operations)
}
