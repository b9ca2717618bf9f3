//! Symbols that kernels look at, in times of those that the CPU's engine does, for each task:
//! `cargo run --release -p zgram-gpu --example kernel_work -- FILE.zgram`.

use std::error::Error;
use zgram::Corpus;
use zgram::analytics::{Query, Question};
use zgram_gpu::{Engine, Twins};

fn main() -> Result<(), Box<dyn Error>> {
    let [path] = &std::env::args().skip(1).collect::<Vec<_>>()[..] else {
        return Err("usage: kernel_work FILE.zgram".into());
    };
    let corpus = Corpus::open(path)?;
    println!("{:<24}{:>14}{:>14}{:>10}{:>10}", "task", "CPU", "kernels", "counting", "all");
    line("word-count", || corpus.word_count())?;
    line("sort", || corpus.sort())?;
    line("inverted-index", || corpus.inverted_index())?;
    line("term-vector", || corpus.term_vector())?;
    line("sequence-count", || corpus.sequence_count().words(3))?;
    line("ranked-inverted-index", || corpus.ranked_inverted_index().words(3))?;
    Ok(())
}

fn line<'c, Q: Clone + Into<Question> + 'c>(
    task: &str,
    query: impl Fn() -> Query<'c, Q>,
) -> Result<(), zgram::Error> {
    let cpu = query().threads(2).for_each_batch(|_| (), |()| Ok(()))?.symbols;
    let engine = Engine::new(Twins::default()).with_traversal(query().explain().traversal);
    query().accelerator(&engine, false).for_each_batch(|_| (), |()| Ok(()))?;
    let (all, counting) = (engine.stats().counters.visits, engine.stats().visits);
    let times = |visits: u64| visits as f64 / cpu as f64;
    println!("{task:<24}{cpu:>14}{all:>14}{:>10.2}{:>10.2}", times(counting), times(all));
    Ok(())
}
