//! `zgram tune`: trains the order selector on this machine.

use crate::args::Threads;
use crate::commands::open_current;
use crate::human;
use crate::reporter::Reporter;
use anyhow::Context;
use clap::{Args, ValueHint};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use zgram::Corpus;
use zgram::analytics::{Choice, HitRate, Query, Question, Traversal, Trial, cross_validate, train};
use zgram::progress::Progress;

/// Train the choice of traversals on this machine
///
/// Runs every task by every traversal on each corpus and on samples of it, grows a decision tree
/// from the times, and tells how well it chooses for corpora it has not seen. Give the tree to any
/// task with --tree, or for good in the environment variable ZGRAM_TREE.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram tune books.zgram logs.zgram news.zgram -o my.tree
  ZGRAM_TREE=my.tree zgram term-vector books.zgram --stats")]
pub(crate) struct TuneArgs {
    /// .zgram files, the more different the better
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,
    /// The file for the tree; standard output if not given
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// Runs of each, of which the fastest counts
    #[arg(long, value_name = "N", default_value_t = 2)]
    runs: usize,
    #[command(flatten)]
    threads: Threads,
}

/// Shares of a corpus's documents that are tried beside the whole.
const SAMPLES: [usize; 2] = [4, 16];

pub(crate) fn run(args: &TuneArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let mut trials = Vec::new();
    for path in &args.files {
        let corpus = open_current(path, reporter)?;
        let name = path.display().to_string();
        for step in std::iter::once(1).chain(SAMPLES) {
            let documents = (0..corpus.facts().documents as usize).step_by(step);
            if step > 1 && documents.len() < 2 {
                continue;
            }
            let chosen = (step > 1).then(|| documents.collect::<Vec<_>>());
            let runner = Runner { args, reporter, corpus: &corpus, name: &name, chosen };
            runner.try_all(&mut trials)?;
        }
    }
    let tree = train(&trials).context("there is nothing to learn from")?;
    tell(&HitRate::of(&tree, &trials), "on the corpora it was trained on");
    if args.files.len() > 1 {
        tell(&cross_validate(&trials), "on corpora it was not trained on (cross-validation)");
    }
    let text = format!("# Trained by `zgram tune` on {} runs.\n{tree}", trials.len());
    match &args.output {
        Some(path) => {
            std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
        }
        None => {
            print!("{text}");
            Ok(())
        }
    }
}

fn tell(rate: &HitRate, what: &str) {
    let share = human::percent(rate.hits as u64, rate.trials as u64);
    anstream::eprintln!(
        "zgram: {} of {} choices ({share}) within a tenth of the best {what}; the worst took {:.2} \
         times as long",
        rate.hits,
        rate.trials,
        rate.worst
    );
}

struct Runner<'a> {
    args: &'a TuneArgs,
    reporter: &'a Reporter,
    corpus: &'a Corpus,
    name: &'a str,
    chosen: Option<Vec<usize>>,
}

impl Runner<'_> {
    fn try_all(&self, trials: &mut Vec<Trial>) -> anyhow::Result<()> {
        let corpus = self.corpus;
        self.try_one("word-count", || corpus.word_count(), trials)?;
        self.try_one("inverted-index", || corpus.inverted_index(), trials)?;
        self.try_one("term-vector", || corpus.term_vector(), trials)?;
        self.try_one("sequence-count", || corpus.sequence_count(), trials)?;
        self.try_one("sequence-count --corpus", || corpus.sequence_count().of_corpus(), trials)?;
        self.try_one("ranked-inverted-index", || corpus.ranked_inverted_index(), trials)
    }

    fn try_one<'c, Q: Clone + Into<Question>>(
        &self,
        task: &str,
        question: impl Fn() -> Query<'c, Q>,
        trials: &mut Vec<Trial>,
    ) -> anyhow::Result<()> {
        let query = || {
            let query = question().threads(self.args.threads.or_all());
            match &self.chosen {
                Some(chosen) => query.documents(chosen.iter().copied()),
                None => query,
            }
        };
        let mut times = [Duration::MAX; 4];
        for (time, traversal) in times.iter_mut().zip(Traversal::ALL) {
            let query = query().traversal(Choice::Fixed(traversal));
            for _ in 0..self.args.runs.max(1) {
                self.reporter.check().map_err(zgram::Error::from)?;
                let start = Instant::now();
                query.for_each_batch(|batch| batch.len(), |_| Ok(()))?;
                *time = (*time).min(start.elapsed());
            }
        }
        let features = query().explain().features;
        let trial = Trial { corpus: self.name.to_owned(), task: task.to_owned(), features, times };
        let documents =
            self.chosen.as_ref().map_or(self.corpus.facts().documents as usize, Vec::len);
        let shown: Vec<String> = times.map(human::seconds).to_vec();
        self.reporter.notice(&format!(
            "{} ({documents} documents) {task}: {}, best {}",
            self.name,
            shown.join(", "),
            trial.best()
        ));
        trials.push(trial);
        Ok(())
    }
}
