//! `zgram merge`: makes one file of several.

use crate::args::{Format, MergeArgs};
use crate::destination::Destination;
use crate::human;
use crate::interrupt;
use crate::open::not_opened;
use crate::printer::{Cell, field, print_record};
use crate::reporter::Reporter;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use zgram::error::ReshardError;
use zgram::{Corpus, ReshardOptions};

pub(crate) fn run(args: &MergeArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let path = match Destination::of(&args.output, args.force, "all.zgram")? {
        Destination::File(path) => path,
        Destination::Stdout | Destination::Stream(..) => {
            let path = args.output.clone();
            return Err(crate::complaint::Refusal::error(
                format!("{} is not a file", path.display()),
                "name the file to write with -o",
            )
            .into());
        }
    };
    let corpus = open_all(args)?;
    corpus.notices().iter().for_each(|notice| reporter.notice(notice));
    notice_dropped_index(&corpus, reporter);
    interrupt::clean_up_from_now_on();
    let mut options = ReshardOptions::default();
    options.force = args.force;
    options.threads = args.threads.or_all();
    options.memory = args.memory.unwrap_or(options.memory);
    let summary = zgram::merge(&corpus, &path, &options, reporter)?;
    notice_namesakes(&corpus, &args.output, reporter)?;
    let (facts, elapsed) = (&summary.facts, reporter.elapsed());
    if args.format != Format::Auto {
        let fields = [
            field(
                "file",
                "file",
                Cell::name(args.output.as_os_str().as_encoded_bytes().to_owned()),
            ),
            field("documents", "documents", Cell::Count(facts.documents)),
            field("text_bytes", "text", Cell::Bytes(facts.sizes.text_bytes)),
            field("compressed_bytes", "compressed", Cell::Bytes(summary.compressed_bytes)),
            field("vocabulary", "vocabulary", Cell::Count(facts.vocabulary)),
            field("segment_count", "segments", Cell::Count(facts.segments.len() as u64)),
            field("seconds", "seconds", Cell::Seconds(elapsed)),
        ];
        reporter.clear();
        print_record(&fields, &[], false, args.format)?;
    }
    reporter.conclude(&format!(
        "{} with {} of text, {} → {}, in {}",
        human::counted(facts.documents, "document"),
        human::bytes(facts.sizes.text_bytes),
        human::bytes(corpus.compressed_bytes()),
        human::bytes(summary.compressed_bytes),
        human::seconds(elapsed),
    ));
    Ok(())
}

/// All files, those of folders in their places.
fn open_all(args: &MergeArgs) -> anyhow::Result<Corpus> {
    let mut shards = Vec::new();
    for path in &args.files {
        let corpus = Corpus::open(path).map_err(|error| not_opened(path, error))?;
        match corpus.shards() {
            [] => shards.push(Arc::new(corpus)),
            of_folder => shards.extend(of_folder.iter().cloned()),
        }
    }
    Ok(Corpus::of_shards(&args.output, shards).map_err(ReshardError::from)?)
}

/// Says that the counts of `compress --index` are lost, if only some files have them.
fn notice_dropped_index(corpus: &Corpus, reporter: &Reporter) {
    let (with, without): (Vec<_>, Vec<_>) =
        corpus.shards().iter().partition(|shard| shard.has_index());
    if let (false, Some(first)) = (with.is_empty(), without.first()) {
        reporter.notice(&format!(
            "the new file has no word counts of documents (--index), because {} has none",
            first.path().display()
        ));
    }
}

/// Says how many documents have the name of an earlier one.
fn notice_namesakes(corpus: &Corpus, output: &Path, reporter: &Reporter) -> anyhow::Result<()> {
    let documents = corpus.documents()?;
    let names: HashSet<&[u8]> = documents.iter().map(|(name, _)| name).collect();
    match (documents.len() - names.len()) as u64 {
        0 => {}
        more => reporter.notice(&format!(
            "in {}, {} the name of an earlier one",
            output.display(),
            match more {
                1 => "1 document has".to_owned(),
                more => format!("{} have", human::counted(more, "document")),
            }
        )),
    }
    Ok(())
}
