//! `zgram compress`: compresses a corpus into a file.

use crate::args::{CompressArgs, Format};
use crate::complaint::Refusal;
use crate::destination::Destination;
use crate::human;
use crate::interrupt;
use crate::paths::{folder_of, is_dash};
use crate::printer::{Cell, field, print_record};
use crate::reporter::Reporter;
use anyhow::Context;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use zgram::input::{Decompress, ReadOptions, Sources};
use zgram::plumbing::ReplaceGuard;
use zgram::store::Threshold;
use zgram::{CompressOptions, Summary};

pub(crate) fn run(args: &CompressArgs, reporter: &Reporter) -> anyhow::Result<()> {
    if args.paths.iter().filter(|path| is_dash(path)).count() > 1 {
        let hint = "give `-` only once";
        return Err(Refusal::error("standard input can be read only once", hint).into());
    }
    let output = Output::new(args)?;
    output.check_inputs(&args.paths)?;
    interrupt::clean_up_from_now_on();
    let sources = Sources::new(args.paths.iter().cloned()).options(read_options(args));
    let summary = output.compress(&sources, &compress_options(args), reporter)?;
    conclude(args, &summary, reporter)
}

fn read_options(args: &CompressArgs) -> ReadOptions {
    ReadOptions {
        jsonl_field: args.jsonl.clone(),
        gitignore: args.gitignore,
        decompress: match (args.no_decompress, args.decompress_all) {
            (true, _) => Decompress::No,
            (_, true) => Decompress::All,
            _ => Decompress::Named,
        },
        unpack: !args.no_unpack,
    }
}

fn compress_options(args: &CompressArgs) -> CompressOptions {
    let mut options = CompressOptions::default();
    options.level = args.level.into();
    options.grammar = args.grammar.into();
    options.layer = args.layer.into();
    options.threads = args.threads.or_all();
    options.memory = args.memory.unwrap_or(options.memory);
    options.segment_size = args.segment_size.unwrap_or(options.segment_size);
    options.index = args.index;
    options.phrases = args.phrases;
    options.threshold = args.threshold.change(Threshold::default());
    options
}

/// Where to write the corpus file.
struct Output {
    destination: Destination,
    force: bool,
}

impl Output {
    fn new(args: &CompressArgs) -> anyhow::Result<Self> {
        let destination = Destination::of(&args.output, args.force, "a.zgram")?;
        if matches!(destination, Destination::Stdout) {
            if io::stdout().is_terminal() {
                let hint = "name a file with -o, or pipe the output to another program";
                return Err(
                    Refusal::error("refusing to write a corpus file to a terminal", hint).into()
                );
            }
            if args.format != Format::Auto {
                let hint = "leave out --format, or name a file with -o";
                let message = "standard output cannot take both the corpus and the summary";
                return Err(Refusal::error(message, hint).into());
            }
        }
        Ok(Self { destination, force: args.force })
    }

    /// Refuses an input that is, or contains, the output file.
    fn check_inputs(&self, inputs: &[PathBuf]) -> anyhow::Result<()> {
        let Destination::File(path) = &self.destination else { return Ok(()) };
        let Some(whole) = whole_path(path) else { return Ok(()) };
        for input in inputs.iter().filter(|input| !is_dash(input)) {
            let Ok(input_whole) = fs::canonicalize(input) else { continue };
            if whole.starts_with(&input_whole) {
                let what =
                    if whole == input_whole { "is also an input" } else { "is inside the input" };
                let message = format!("the output {} {what} {}", path.display(), input.display());
                return Err(Refusal::error(message, "write it elsewhere with -o").into());
            }
        }
        Ok(())
    }

    fn compress(
        &self,
        sources: &Sources,
        options: &CompressOptions,
        reporter: &Reporter,
    ) -> anyhow::Result<Summary> {
        let scratch = std::env::temp_dir();
        match &self.destination {
            Destination::File(path) => {
                // Replacing a file discards its pending edits; the guard keeps editors out meanwhile.
                let guard = ReplaceGuard::prepare(path)?;
                let edits = match guard.pending_edits() {
                    Some(0) => None,
                    Some(edits) => Some(human::counted(edits, "edit")),
                    None => Some("edits that cannot be read".to_owned()),
                };
                if let Some(edits) = &edits
                    && !self.force
                {
                    let path = path.display();
                    let message = format!("{path}.journal has {edits}, not yet in a corpus file");
                    let hint = format!("--force discards {edits}; or move the journal away");
                    return Err(Refusal::error(message, &hint).into());
                }
                let summary = guard.compress(sources, options, reporter)?;
                if let Some(edits) = edits {
                    reporter.notice(&format!("discarded {edits} of the replaced file"));
                }
                Ok(summary)
            }
            Destination::Stdout => {
                let mut out = io::stdout();
                let summary = zgram::compress_to(sources, &mut out, &scratch, options, reporter)?;
                out.flush().context("cannot write to standard output")?;
                Ok(summary)
            }
            Destination::Stream(file, path) => {
                let failed = || format!("cannot write to {}", path.display());
                let mut out = io::BufWriter::new(file);
                let summary = zgram::compress_to(sources, &mut out, &scratch, options, reporter)
                    .with_context(failed)?;
                out.flush().with_context(failed)?;
                Ok(summary)
            }
        }
    }
}

/// The absolute path, without links, of a file that need not exist.
fn whole_path(path: &Path) -> Option<PathBuf> {
    Some(fs::canonicalize(folder_of(path)).ok()?.join(path.file_name()?))
}

fn conclude(args: &CompressArgs, summary: &Summary, reporter: &Reporter) -> anyhow::Result<()> {
    let (facts, elapsed) = (&summary.facts, reporter.elapsed());
    let (text, file) = (facts.sizes.text_bytes, summary.compressed_bytes);
    if args.format != Format::Auto {
        let fields = [
            field(
                "file",
                "file",
                Cell::name(args.output.as_os_str().as_encoded_bytes().to_owned()),
            ),
            field("documents", "documents", Cell::Count(facts.documents)),
            field("text_bytes", "text", Cell::Bytes(text)),
            field("compressed_bytes", "compressed", Cell::Bytes(file)),
            field("ratio", "ratio", Cell::Ratio(text, file)),
            field("rules", "rules", Cell::Count(facts.sizes.rules)),
            field("vocabulary", "vocabulary", Cell::Count(facts.vocabulary)),
            field("segment_count", "segments", Cell::Count(facts.segments.len() as u64)),
            field("seconds", "seconds", Cell::Seconds(elapsed)),
        ];
        reporter.clear();
        print_record(&fields, &[], false, args.format)?;
    }
    let change = match text {
        0 => "empty input".to_owned(),
        _ => human::change(text, file),
    };
    reporter.conclude(&format!(
        "{}, {} → {} ({change}), in {} at {}",
        human::counted(facts.documents, "document"),
        human::bytes(text),
        human::bytes(file),
        human::seconds(elapsed),
        human::speed(text, elapsed),
    ));
    reporter.add_to_summary(&format!(
        "{} and {}, found in {}",
        human::counted(facts.sizes.rules, "rule"),
        human::counted(facts.vocabulary, "distinct token"),
        human::counted(facts.sizes.text_tokens, "token"),
    ));
    Ok(())
}
