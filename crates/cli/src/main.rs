//! The zgram program: arguments in, a command run, an exit code out.

#![forbid(unsafe_code)]

mod args;
mod commands;
mod complaint;
mod documents;
mod exit;
mod human;
mod interrupt;
mod printer;
mod reporter;
mod size;
mod text;

use args::{Cli, Command};
use clap::Parser;
use complaint::Complaint;
use exit::Exit;
use reporter::Reporter;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::parse();
    cli.display.color.write_global();
    interrupt::listen();
    let reporter = Reporter::new(&cli.display);
    let outcome = run(&cli.command, &reporter);
    reporter.clear();
    let exit = match outcome {
        Ok(()) => Exit::Success,
        Err(error) => Complaint::of(&error).print(),
    };
    exit.into()
}

fn run(command: &Command, reporter: &Reporter) -> anyhow::Result<()> {
    match command {
        Command::Compress(args) => commands::compress::run(args, reporter),
        Command::Decompress(args) => commands::decompress::run(args, reporter),
        Command::Cat(args) => commands::cat::run(args),
        Command::Ls(args) => commands::ls::run(args),
        Command::Info(args) => commands::info::run(args, reporter),
        Command::Verify(args) => commands::verify::run(args, reporter),
        Command::Bzip2(args) => commands::bzip2::run(args, reporter),
        Command::Generate(args) => commands::generate::run(args),
    }
}
