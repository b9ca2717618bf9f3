//! `zgram verify`: checks that a file is undamaged.

use crate::args::{Format, VerifyArgs};
use crate::human;
use crate::open::open_store;
use crate::printer::{Cell, field, print_record};
use crate::reporter::Reporter;
use zgram::Corpus;

pub(crate) fn run(args: &VerifyArgs, reporter: &Reporter) -> anyhow::Result<()> {
    // This fails if the journal cannot be replayed.
    let store = open_store(&args.file, reporter)?;
    let corpus = store.corpus();
    corpus.verify(reporter)?;
    // With the pending edits, as in all other commands.
    let documents = store.documents()?;
    let text_bytes = documents.iter().map(|document| document.size).sum();
    let documents = documents.len() as u64;
    if args.format != Format::Auto {
        let fields = [
            field(
                "file",
                "file",
                Cell::name(corpus.path().as_os_str().as_encoded_bytes().to_owned()),
            ),
            field("status", "status", Cell::Text("good".into())),
            field("sections", "sections", Cell::Count(section_count(&corpus))),
            field("documents", "documents", Cell::Count(documents)),
            field("text_bytes", "text", Cell::Bytes(text_bytes)),
        ];
        reporter.clear();
        print_record(&fields, &[], false, args.format)?;
    }
    reporter.conclude(&format!(
        "{}: good, {} with {} of text, checked in {}",
        corpus.path().display(),
        human::counted(documents, "document"),
        human::bytes(text_bytes),
        human::seconds(reporter.elapsed()),
    ));
    Ok(())
}

/// Number of sections, in all files.
fn section_count(corpus: &Corpus) -> u64 {
    let shards = corpus.shards().iter().map(|shard| section_count(shard));
    corpus.sections().len() as u64 + shards.sum::<u64>()
}
