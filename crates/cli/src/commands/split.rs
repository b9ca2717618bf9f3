//! `zgram split`: makes several files of one.

use crate::args::SplitArgs;
use crate::complaint::Refusal;
use crate::human;
use crate::interrupt;
use crate::open::open_current;
use crate::paths::is_dash;
use crate::printer::{Cell, Table};
use crate::reporter::Reporter;
use std::ffi::OsStr;
use zgram::ReshardOptions;

pub(crate) fn run(args: &SplitArgs, reporter: &Reporter) -> anyhow::Result<()> {
    if is_dash(&args.output) {
        let hint = "name a folder with -o";
        return Err(Refusal::error("standard output is not a folder", hint).into());
    }
    let corpus = open_current(&args.file.path, reporter)?;
    let stem = match is_dash(&args.file.path) {
        true => OsStr::new("corpus"),
        false => args.file.path.file_stem().unwrap_or(OsStr::new("corpus")),
    };
    interrupt::clean_up_from_now_on();
    let mut options = ReshardOptions::default();
    options.force = args.force;
    options.threads = args.threads.or_all();
    options.memory = args.memory.unwrap_or(options.memory);
    let made = zgram::split(&corpus, args.files, &args.output, stem, &options, reporter)?;
    let (after, files) = (made.iter().map(|file| file.compressed_bytes).sum(), made.len() as u64);
    if args.format != crate::args::Format::Auto {
        let rows = made
            .into_iter()
            .map(|file| {
                vec![
                    Cell::name(file.path.into_os_string().into_encoded_bytes()),
                    Cell::Count(file.documents),
                    Cell::Bytes(file.text_bytes),
                    Cell::Bytes(file.compressed_bytes),
                ]
            })
            .collect();
        let columns = vec!["file", "documents", "text_bytes", "compressed_bytes"];
        reporter.clear();
        Table { key: "files", columns, rows }.print(args.format)?;
    }
    let facts = corpus.facts();
    reporter.conclude(&format!(
        "{} with {} of text in {}, {} → {}, in {}",
        human::counted(facts.documents, "document"),
        human::bytes(facts.sizes.text_bytes),
        human::counted(files, "file"),
        human::bytes(corpus.compressed_bytes()),
        human::bytes(after),
        human::seconds(reporter.elapsed()),
    ));
    Ok(())
}
