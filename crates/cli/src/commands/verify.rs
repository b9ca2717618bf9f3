//! `zgram verify`: is every byte as it was written?

use crate::args::{Format, VerifyArgs};
use crate::human;
use crate::open::open_store;
use crate::printer::{Cell, field, print_record};
use crate::reporter::Reporter;

pub(crate) fn run(args: &VerifyArgs, reporter: &Reporter) -> anyhow::Result<()> {
    // A journal that cannot be replayed is found here.
    let corpus = open_store(&args.file, reporter)?.corpus();
    corpus.verify(reporter)?;
    let facts = corpus.facts();
    if args.format != Format::Auto {
        let fields = [
            field(
                "file",
                "file",
                Cell::Name(corpus.path().as_os_str().as_encoded_bytes().to_owned()),
            ),
            field("status", "status", Cell::Text("good".into())),
            field("sections", "sections", Cell::Count(corpus.sections().len() as u64)),
            field("documents", "documents", Cell::Count(facts.documents)),
            field("text_bytes", "text", Cell::Bytes(facts.sizes.text_bytes)),
        ];
        reporter.clear();
        print_record(&fields, &[], false, args.format)?;
    }
    reporter.conclude(&format!(
        "{}: good, {} in {} of text, checked in {}",
        corpus.path().display(),
        human::counted(facts.documents, "document"),
        human::bytes(facts.sizes.text_bytes),
        human::seconds(reporter.elapsed()),
    ));
    Ok(())
}
