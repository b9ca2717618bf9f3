//! `zgram tune`: trains the choice of traversals on this machine.

use crate::args::TuneArgs;
use crate::human;
use crate::open::open_current;
use crate::reporter::Reporter;
use anyhow::Context;
use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};
use zgram::Corpus;
use zgram::analytics::{Choice, Query, Question, Traversal};
use zgram::error::QueryError;
use zgram::plumbing::{Features, HitRate, Tree, Trial, cross_validate, train};
use zgram::progress::Progress;

/// Besides the whole corpus, every 4th and every 16th document is tried.
const SAMPLES: [usize; 2] = [4, 16];

/// A traversal that took this many times as long as the best is not run again.
const HOPELESS: u32 = 2;

pub(crate) fn run(args: &TuneArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let mut notebook = Notebook::open(args.trials.as_deref())?;
    for path in &args.files {
        let corpus = open_current(path, reporter)?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        for step in std::iter::once(1).chain(SAMPLES) {
            let documents = (0..corpus.facts().documents as usize).step_by(step);
            if step > 1 && documents.len() < 2 {
                continue;
            }
            let chosen = (step > 1).then(|| documents.collect::<Vec<_>>());
            let runner = Runner { args, reporter, corpus: &corpus, name: &name, chosen };
            runner.try_all(&mut notebook)?;
        }
    }
    let text = better_tree(&notebook.trials)?;
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

/// The tree trained on the trials, or the built-in tree if that chooses better for corpora that the
/// trained one has not seen.
fn better_tree(trials: &[Trial]) -> anyhow::Result<String> {
    let shipped = HitRate::of(&Tree::default(), trials);
    tell(&shipped, "by the built-in tree");
    let grown = train(trials).context("there are no trials to train on")?;
    tell(&HitRate::of(&grown, trials), "by a trained tree, on its own corpora");
    let runs = trials.len();
    if trials.iter().any(|trial| trial.corpus != trials[0].corpus) {
        let unseen = cross_validate(trials);
        tell(&unseen, "by trained trees, on corpora they have not seen (cross-validation)");
        if unseen.hits < shipped.hits {
            anstream::eprintln!("zgram: the built-in tree does better, so that one is written");
            let tree = Tree::default();
            return Ok(format!(
                "# The built-in tree; trained trees did no better on {runs} runs.\n{tree}"
            ));
        }
    }
    Ok(format!("# Trained by `zgram tune` on {runs} runs.\n{grown}"))
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
    fn try_all(&self, notebook: &mut Notebook) -> anyhow::Result<()> {
        let corpus = self.corpus;
        self.try_one("word-count", || corpus.word_count(), notebook)?;
        self.try_one("inverted-index", || corpus.inverted_index(), notebook)?;
        self.try_one("term-vector", || corpus.term_vector(), notebook)?;
        self.try_one("sequence-count", || corpus.sequence_count(), notebook)?;
        self.try_one("sequence-count --corpus", || corpus.sequence_count().of_corpus(), notebook)?;
        self.try_one("ranked-inverted-index", || corpus.ranked_inverted_index(), notebook)
    }

    fn try_one<'c, Q: Clone + Into<Question>>(
        &self,
        task: &str,
        question: impl Fn() -> Query<'c, Q>,
        notebook: &mut Notebook,
    ) -> anyhow::Result<()> {
        let query = || {
            let query = question().threads(self.args.threads.or_all());
            match &self.chosen {
                Some(chosen) => query.documents(chosen.iter().copied()),
                None => query,
            }
        };
        let features = query().explain().features;
        if notebook.has(self.name, task, &features) {
            return Ok(());
        }
        let mut times = [Duration::MAX; 4];
        for _ in 0..self.args.runs.max(1) {
            let best = times.iter().copied().min().unwrap_or_default();
            for (time, traversal) in times.iter_mut().zip(Traversal::ALL) {
                if *time != Duration::MAX && *time > best * HOPELESS {
                    continue;
                }
                self.reporter.check().map_err(QueryError::from)?;
                let query = query().traversal(Choice::Fixed(traversal));
                let start = Instant::now();
                query.for_each_batch(|batch| batch.len(), |_| Ok(()))?;
                *time = (*time).min(start.elapsed());
            }
        }
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
        notebook.add(trial)
    }
}

/// The trials, also kept in a file if one was named.
struct Notebook {
    trials: Vec<Trial>,
    file: Option<File>,
}

impl Notebook {
    fn open(path: Option<&Path>) -> anyhow::Result<Self> {
        let Some(path) = path else { return Ok(Self { trials: Vec::new(), file: None }) };
        let name = path.display();
        let mut file = File::options()
            .create(true)
            .append(true)
            .read(true)
            .open(path)
            .with_context(|| format!("cannot open {name}"))?;
        let mut text = String::new();
        file.read_to_string(&mut text).with_context(|| format!("cannot read {name}"))?;
        if text.is_empty() {
            writeln!(file, "{}", Trial::header())?;
        }
        let read = |(number, line): (usize, &str)| {
            line.parse().with_context(|| format!("{name}, line {number}, is not a measured run"))
        };
        let trials = (1..).zip(text.lines()).skip(1).map(read).collect::<anyhow::Result<_>>()?;
        Ok(Self { trials, file: Some(file) })
    }

    fn has(&self, corpus: &str, task: &str, features: &Features) -> bool {
        self.trials.iter().any(|trial| {
            trial.corpus == corpus && trial.task == task && trial.features == *features
        })
    }

    /// Adds a trial and writes it to disk at once, so that an interrupted run loses nothing.
    fn add(&mut self, trial: Trial) -> anyhow::Result<()> {
        if let Some(file) = &mut self.file {
            writeln!(file, "{trial}").context("cannot write the measured runs")?;
        }
        self.trials.push(trial);
        Ok(())
    }
}
