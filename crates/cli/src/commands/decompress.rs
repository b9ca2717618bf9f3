//! `zgram decompress`: writes documents back to files.

use crate::args::DecompressArgs;
use crate::complaint::Refusal;
use crate::documents::choose;
use crate::human;
use crate::interrupt;
use crate::open::open_store;
use crate::paths::is_dash;
use crate::reporter::Reporter;
use zgram::DecompressOptions;

pub(crate) fn run(args: &DecompressArgs, reporter: &Reporter) -> anyhow::Result<()> {
    if is_dash(&args.output) {
        let hint = "`zgram cat FILE '*'` writes all documents there";
        return Err(Refusal::error("standard output is not a folder", hint).into());
    }
    if args.output.is_file() {
        let message = format!("{} is a file", args.output.display());
        return Err(Refusal::error(message, "name a folder with -o").into());
    }
    let store = open_store(&args.file, reporter)?;
    let chosen = choose(&store.documents()?, &args.documents.chosen)?;
    interrupt::clean_up_from_now_on();
    let mut options = DecompressOptions::default();
    options.force = args.force;
    options.threads = args.threads.or_all();
    let corpus = store.snapshot()?;
    let summary = zgram::decompress(&corpus, &chosen, &args.output, &options, reporter)?;
    let elapsed = reporter.elapsed();
    reporter.conclude(&format!(
        "{} with {} of text in {}, {}",
        human::counted(summary.files, "file"),
        human::bytes(summary.text_bytes),
        human::seconds(elapsed),
        human::speed(summary.text_bytes, elapsed),
    ));
    Ok(())
}
