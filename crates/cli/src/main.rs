//! The zgram program.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    zgram_cli::run(std::env::args_os()).into()
}
