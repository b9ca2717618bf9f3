//! `zgram generate`: makes completions and the manual from the definitions of the arguments.

use crate::args::{Cli, GenerateArgs, Generated};
use anyhow::Context;
use clap::CommandFactory;
use std::io::{self, Write};

pub(crate) fn run(args: &GenerateArgs) -> anyhow::Result<()> {
    let mut command = Cli::command();
    match &args.what {
        Generated::Completions { shell } => {
            // The generator panics if a write fails, so it writes to memory.
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut command, "zgram", &mut script);
            Ok(io::stdout().write_all(&script)?)
        }
        Generated::Man { output: None } => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page)?;
            Ok(io::stdout().write_all(&page)?)
        }
        Generated::Man { output: Some(folder) } => {
            let failed = || format!("cannot write the manual to {}", folder.display());
            std::fs::create_dir_all(folder).with_context(failed)?;
            clap_mangen::generate_to(command, folder).with_context(failed)
        }
    }
}
