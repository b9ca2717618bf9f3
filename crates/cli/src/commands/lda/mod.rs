//! `zgram lda`: finds topics.

mod folder;
mod results;

use super::matrix::query;
use crate::analytics::Phases;
use crate::args::{LdaArgs, ModelArgs};
use crate::complaint::Refusal;
use crate::human::counted;
use crate::interrupt;
use crate::open::open_current;
use crate::reporter::Reporter;
use anyhow::Context;
use folder::Folder;
use results::Results;
use zgram_models::lda::{Fingerprint, Lda, LdaError, LdaOptions, hold_out};

/// Without `-v`, the first pass, each tenth and the last are reported.
const REPORT_EVERY: u64 = 10;

pub(crate) fn run(args: &LdaArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let model = &args.model;
    let mut options = LdaOptions {
        topics: model.topics.into(),
        alpha: model.alpha,
        beta: model.beta,
        seed: model.seed,
        threads: args.work.threads.or_all(),
        ..LdaOptions::default()
    };
    if let Some(memory) = args.work.memory {
        options.memory = memory;
    }
    options.validate()?;
    // What cannot be written is refused before any work.
    let folder = Folder::open(&args.output.output, model.resume, args.output.force)?;
    let mut phases = Phases::start();
    let corpus = open_current(&args.file.path, reporter)?;
    phases.end("open");
    let query = query(&corpus, &args.documents.chosen, &args.terms, &args.view, &args.work)?;
    let run = query.progress(reporter).prepare()?;
    let matrix = run.collect()?;
    phases.end("count");
    reporter.clear();
    let (matrix, held_out) = match model.hold_out {
        None => (matrix, None),
        Some(share) => {
            let split = hold_out(&matrix, share, model.seed)?;
            (split.training, Some(split.held_out))
        }
    };
    let names = (0..run.row_count()).map(|row| run.row_name(row));
    let fingerprint = Fingerprint::new(&matrix, run.terms(), names);
    let mut lda = match model.resume {
        false => Lda::new(&matrix, &options)?,
        true => resume(&folder, |input| Lda::resume(&matrix, &options, fingerprint, input))?,
    };
    if lda.iterations() > model.iterations {
        let message =
            format!("{} has {} passes already", folder.checkpoint().display(), lda.iterations());
        return Err(Refusal::error(message, "ask for more with --iterations").into());
    }
    drop(matrix);
    train(&mut lda, model, &folder, fingerprint, reporter)?;
    if let Some(held_out) = &held_out {
        match lda.held_out_perplexity(held_out) {
            Some(perplexity) => {
                reporter.notice(&format!("perplexity of the documents held out: {perplexity:.1}"))
            }
            None => reporter.notice("the documents held out are too short to predict"),
        }
    }
    phases.end("train");
    let results = Results { lda: &lda, run: &run };
    results.write(&folder, args.output.format, reporter)?;
    results.print(args.output.top, args.output.format, reporter)?;
    phases.end("write");
    if args.output.stats {
        phases.print();
    }
    Ok(())
}

/// Reads the checkpoint of an earlier run.
fn resume(
    folder: &Folder,
    read: impl FnOnce(&mut dyn std::io::Read) -> Result<Lda, LdaError>,
) -> anyhow::Result<Lda> {
    let path = folder.checkpoint();
    let context = || format!("cannot resume from {}", path.display());
    let mut file = std::fs::File::open(&path).with_context(context)?;
    read(&mut file).map_err(|error| {
        let hint = match error {
            LdaError::OtherRun { .. } | LdaError::OtherMatrix => {
                "repeat the options of the earlier run, or start anew without --resume"
            }
            LdaError::BadCheckpoint { .. } => "start anew with --force instead of --resume",
            error => return anyhow::Error::from(error).context(context()),
        };
        Refusal::error(format!("{}: {error}", context()), hint).into()
    })
}

/// Trains until all passes are done.
fn train(
    lda: &mut Lda,
    model: &ModelArgs,
    folder: &Folder,
    fingerprint: Fingerprint,
    reporter: &Reporter,
) -> anyhow::Result<()> {
    let all = model.iterations;
    let mut saved = (lda.iterations() > 0).then_some(lda.iterations());
    // Ctrl-C asks to stop, so that there is time to say how to go on.
    interrupt::clean_up_from_now_on();
    while lda.iterations() < all {
        let perplexity = match lda.iterate(reporter) {
            Err(LdaError::Interrupted(error)) => {
                reporter.notice(&match saved {
                    Some(saved) => format!(
                        "the checkpoint of pass {saved} is in {}; the same command with --resume \
                         goes on from there",
                        folder.path().display()
                    ),
                    None => "no checkpoint was written yet".to_owned(),
                });
                return Err(error.into());
            }
            outcome => outcome?,
        };
        let pass = lda.iterations();
        let is_last = pass == all;
        if reporter.is_verbose() || pass == 1 || pass.is_multiple_of(REPORT_EVERY) || is_last {
            reporter.notice(&format!("pass {pass} of {all}: perplexity {perplexity:.1}"));
        }
        if model.checkpoint > 0 && (pass.is_multiple_of(model.checkpoint) || is_last) {
            folder.write_checkpoint(|out| lda.write_checkpoint(fingerprint, out))?;
            saved = Some(pass);
        }
    }
    reporter.notice(&format!(
        "{} of {}, {}",
        counted(lda.tokens(), "occurrence"),
        counted(lda.word_count() as u64, "word"),
        counted(lda.topic_sizes().len() as u64, "topic")
    ));
    Ok(())
}
