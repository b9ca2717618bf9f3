//! The zgram program as a library, so that the Python package can contain it. [`run`] parses the
//! arguments, runs a command and returns an exit code.

#![forbid(unsafe_code)]

mod analytics;
mod args;
#[doc(hidden)]
pub mod columnar;
mod commands;
mod complaint;
mod destination;
mod documents;
mod exit;
mod gpu;
mod hint;
mod human;
mod interrupt;
mod open;
mod output_file;
mod paths;
mod printer;
mod reporter;
mod screen;
mod size;
mod sparse_files;
mod text;
mod threads;

use args::{Color, Command, InfoArgs, LsArgs};
use complaint::Complaint;
use exit::Exit;
use reporter::Reporter;
use std::ffi::OsString;
use std::sync::OnceLock;
use zgram::plumbing::has_edits;

/// The words of the command line, the program's name first.
static COMMAND_LINE: OnceLock<Vec<OsString>> = OnceLock::new();

/// Runs the program as a command line says, the program's name first, and returns its exit code. For
/// one call per process: signals and colours are set up for all of it.
pub fn run(command_line: impl IntoIterator<Item = OsString>) -> u8 {
    let words = COMMAND_LINE.get_or_init(|| command_line.into_iter().collect());
    run_words(words).code()
}

fn run_words(words: &[OsString]) -> Exit {
    let cli = match args::parse(words) {
        Ok(cli) => cli,
        Err(exit) => return exit,
    };
    color_choice(cli.display.color).write_global();
    // bzip2 handles signals only once it has a file to clean up: as a filter it starts faster without.
    if !matches!(cli.command, Command::Bzip2(_)) {
        interrupt::listen();
    }
    let reporter = Reporter::new(&cli.display);
    let outcome = run_command(&cli.command, &reporter);
    reporter.clear();
    match outcome {
        Ok(exit) => exit,
        Err(error) if cli.command.has_output() => Complaint::of_command_with_output(&error).print(),
        Err(error) => Complaint::of(&error).print(),
    }
}

fn run_command(command: &Command, reporter: &Reporter) -> anyhow::Result<Exit> {
    if uses_shared_threads(command) {
        threads::start()?;
    }
    match command {
        Command::Compress(args) => commands::compress::run(args, reporter),
        Command::Decompress(args) => commands::decompress::run(args, reporter),
        Command::Cat(args) => commands::cat::run(args, reporter),
        Command::Ls(args) => commands::ls::run(args, reporter),
        Command::Info(args) => commands::info::run(args, reporter),
        Command::Verify(args) => commands::verify::run(args, reporter),
        Command::WordCount(args) => analytics::word_count(args, reporter),
        Command::Sort(args) => analytics::sort(args, reporter),
        Command::InvertedIndex(args) => analytics::inverted_index(args, reporter),
        Command::TermVector(args) => analytics::term_vector(args, reporter),
        Command::SequenceCount(args) => analytics::sequence_count(args, reporter),
        Command::RankedInvertedIndex(args) => analytics::ranked_inverted_index(args, reporter),
        Command::Matrix(args) => commands::matrix::run(args, reporter),
        Command::Rank(args) => commands::rank::run(args, reporter),
        Command::TfIdf(args) => commands::tf_idf::run(args, reporter),
        Command::Word2Vec(args) => commands::word2vec::run(args, reporter),
        Command::Nearest(args) => commands::nearest::run(args, reporter),
        Command::Lda(args) => commands::lda::run(args, reporter),
        Command::Keyness(args) => commands::keyness::run(args, reporter),
        Command::Cooccurrence(args) => commands::cooccurrence::run(args, reporter),
        Command::Collocates(args) => commands::collocates::run(args, reporter),
        Command::Tune(args) => analytics::tune::run(args, reporter),
        Command::Extract(args) => commands::extract::run(args, reporter),
        Command::Search(args) => commands::search::run(args, reporter),
        Command::Count(args) => commands::count::run(args, reporter),
        Command::Next(args) => commands::next::run(args, reporter),
        Command::Trace(args) => commands::trace::run(args, reporter),
        Command::Insert(args) => commands::insert::run(args, reporter),
        Command::Append(args) => commands::append::run(args, reporter),
        Command::Replace(args) => commands::replace::run(args, reporter),
        Command::Delete(args) => commands::delete::run(args, reporter),
        Command::Add(args) => commands::add::run(args, reporter),
        Command::Rm(args) => commands::rm::run(args, reporter),
        Command::Rename(args) => commands::rename::run(args, reporter),
        // A batch prints its results even if some operations fail.
        Command::Batch(args) => return commands::batch::run(args, reporter),
        Command::Compact(args) => commands::compact::run(args, reporter),
        Command::Merge(args) => commands::merge::run(args, reporter),
        Command::Split(args) => commands::split::run(args, reporter),
        Command::Index(args) => commands::index::run(args, reporter),
        Command::Gpu(args) => gpu::list(args, reporter),
        Command::Bzip2(args) => commands::bzip2::run(args, reporter),
        Command::Generate(args) => commands::generate::run(args),
    }
    .map(|()| Exit::Success)
}

/// Whether a command does parallel work on threads that it does not start itself.
fn uses_shared_threads(command: &Command) -> bool {
    match command {
        Command::Bzip2(_) | Command::Generate(_) | Command::Gpu(_) | Command::Nearest(_) => false,
        // They read tables only, but the tables need the pending edits.
        Command::Info(InfoArgs { file, .. }) | Command::Ls(LsArgs { file, .. }) => {
            has_edits(&file.path) || file.path.is_dir()
        }
        _ => true,
    }
}

fn color_choice(color: Color) -> anstream::ColorChoice {
    match color {
        Color::Auto => anstream::ColorChoice::Auto,
        Color::Always => anstream::ColorChoice::Always,
        Color::Never => anstream::ColorChoice::Never,
    }
}
