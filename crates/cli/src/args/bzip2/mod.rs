//! Arguments of `zgram bzip2`.

mod plain;

use super::gpu::{AdapterArgs, BlockEngineName};
use crate::size;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, ValueHint};
use std::path::PathBuf;

/// Compress or decompress .bz2 files on all cores
///
/// Takes the options of bzip2 and reads and writes its format. Each file is replaced by its
/// compressed form with .bz2 added to the name, or with -d by its decompressed form. Without files,
/// it compresses standard input to standard output.
///
/// Exit codes are those of bzip2: 0 success, 1 a file cannot be read or written or an option is
/// unknown, 2 a .bz2 file is damaged.
#[derive(Debug, Default, Args)]
#[command(
    args_override_self = true,
    after_long_help = "\
EXAMPLES:
  zgram bzip2 big.tar                        replace big.tar by big.tar.bz2
  zgram bzip2 -d big.tar.bz2                 restore big.tar
  zgram bzip2 -k -9 --threads 4 a.txt b.txt  write a.txt.bz2 and b.txt.bz2, keep the files
  zgram bzip2 -t *.bz2                       check files
  zgram bzip2 -dc dump.xml.bz2 | grep title
  tar c folder | zgram bzip2 > folder.tar.bz2

ENVIRONMENT:
  BZIP2, BZIP  options to put before those on the command line, as with bzip2"
)]
pub(crate) struct Bzip2Args {
    /// Files; `-`, or none, reads standard input and writes to standard output
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,
    /// Decompress
    #[arg(short, long, overrides_with_all = ["compress", "test"])]
    pub(crate) decompress: bool,
    /// Compress (default); the last of -d, -z and -t wins
    #[arg(short = 'z', long, overrides_with_all = ["decompress", "test"])]
    pub(crate) compress: bool,
    /// Check compressed files; write nothing
    #[arg(short, long, overrides_with_all = ["decompress", "compress"])]
    pub(crate) test: bool,
    /// Write to standard output and keep the files
    #[arg(short = 'c', long)]
    pub(crate) stdout: bool,
    /// Keep the input files
    #[arg(short, long)]
    pub(crate) keep: bool,
    /// Replace existing files; also accept symbolic links and files with several hard links; with
    /// -d, copy files that are not compressed
    #[arg(short, long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) level: Level,
    /// Use less memory: one thread unless --threads is given, blocks of at most 200 kB
    #[arg(short, long)]
    pub(crate) small: bool,
    /// Print version and license
    #[arg(short = 'L', long)]
    pub(crate) license: bool,
    /// Accepted and ignored, as by bzip2
    #[arg(long, aliases = ["repetitive-best", "exponential"], hide = true)]
    pub(crate) repetitive_fast: bool,
    /// Number of threads, at most 1024; default: one per core
    #[arg(long, value_name = "N", value_parser = size::parse_threads)]
    pub(crate) threads: Option<u16>,
    /// Run on the CPU or a GPU; results are identical
    #[arg(long, value_enum, default_value_t, hide_short_help = true)]
    pub(crate) engine: BlockEngineName,
    #[command(flatten)]
    pub(crate) adapter: AdapterArgs,
}

/// The block size in units of 100,000 bytes: nine flags, the last of which wins.
#[derive(Debug)]
pub(crate) struct Level(pub(crate) u8);

impl Default for Level {
    fn default() -> Self {
        Self(9)
    }
}

const LEVELS: [&str; 9] = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];

impl Args for Level {
    fn augment_args(command: Command) -> Command {
        let flag = |digit: &'static str| {
            let others = LEVELS.iter().filter(|&&other| other != digit);
            let flag = Arg::new(digit)
                .short(digit.chars().next())
                .action(ArgAction::SetTrue)
                .overrides_with_all(others);
            match digit {
                "1" => flag.long("fast").help("Blocks of 100 kB: least memory"),
                "9" => flag
                    .long("best")
                    .help("Blocks of 900 kB: smallest files (default); -2 to -8 are in between"),
                _ => flag.hide(true),
            }
        };
        command.args(LEVELS.map(flag))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Level {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = LEVELS.iter().position(|digit| matches.get_flag(digit));
        Ok(given.map_or_else(Self::default, |place| Self(place as u8 + 1)))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
