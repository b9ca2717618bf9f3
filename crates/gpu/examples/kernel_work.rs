//! Reports, for each task, the symbols that kernels visit relative to the CPU engine, the bytes sent to
//! the device relative to the grammar in memory, and the number of dispatches: `cargo run --release -p
//! zgram-gpu --example kernel_work -- FILE.zgram`. Without a file it uses generated logs.
//!
//! The CPU uses the traversal that its selector chooses; kernels count bottom-up per document. The CPU's
//! visits are [`Report::symbols`](zgram::analytics::Report::symbols): one per symbol, however many words
//! it expands to. A kernel's visits are counted by its twin: one each time that a thread reads a symbol.

use std::error::Error;
use zgram::Corpus;
use zgram::analytics::{Choice, Query, Question};
use zgram::format::GrammarKind;
use zgram_gpu::{Engine, Twins};
use zgram_testkit::{corpus, logs};

fn main() -> Result<(), Box<dyn Error>> {
    let corpus = match &std::env::args().skip(1).collect::<Vec<_>>()[..] {
        [] => corpus(&logs(), GrammarKind::RePair, 1 << 30),
        [path] => Corpus::open(path)?,
        _ => return Err("usage: kernel_work [FILE.zgram]".into()),
    };
    let (mut size, mut depth) = (0, 0);
    for number in 0..corpus.facts().segments.len() {
        let grammar = corpus.segment(number)?;
        depth += grammar.depth();
        size += grammar.symbols().len() + grammar.rule_starts().len() + grammar.doc_starts().len();
    }
    let size = 4.0 * size as f64;
    println!("{depth} levels in all segments");
    println!(
        "{:<22}{:<16}{:>12}{:>12}{:>10}{:>8}{:>8}{:>8}  kernels",
        "task", "traversal", "CPU", "kernels", "counting", "all", "sent", "runs"
    );
    line("word-count", size, || corpus.word_count())?;
    line("sort", size, || corpus.sort())?;
    line("inverted-index", size, || corpus.inverted_index())?;
    line("term-vector", size, || corpus.term_vector())?;
    line("sequence-count", size, || corpus.sequence_count().words(3))?;
    line("ranked-inverted-index", size, || corpus.ranked_inverted_index().words(3))?;
    Ok(())
}

fn line<'c, Q: Clone + Into<Question> + 'c>(
    task: &str,
    size: f64,
    query: impl Fn() -> Query<'c, Q>,
) -> Result<(), zgram::Error> {
    let traversal = query().explain().traversal;
    let counted = query().traversal(Choice::Fixed(traversal)).threads(2);
    let cpu = counted.for_each_batch(|_| (), |()| Ok(()))?.symbols;
    let engine = Engine::new(Twins::default());
    query().accelerator(&engine, false).for_each_batch(|_| (), |()| Ok(()))?;
    let (all, counting) = (engine.stats().counters.visits, engine.stats().visits);
    let times = |visits: u64| visits as f64 / cpu as f64;
    let (counting, in_all) = (times(counting), times(all));
    let counters = engine.stats().counters;
    let (sent, runs) = (counters.bytes_up as f64 / size, counters.dispatches);
    let each = engine.backend().visits();
    let each: Vec<String> =
        each.iter().map(|(kernel, &visits)| format!("{kernel} {:.2}", times(visits))).collect();
    let traversal = traversal.to_string();
    println!(
        "{task:<22}{traversal:<16}{cpu:>12}{all:>12}{counting:>10.2}{in_all:>8.2}{sent:>8.2}{runs:>8}  {}",
        each.join(", ")
    );
    Ok(())
}
