//! Arguments of `zgram bzip2`.

mod plain;

use super::gpu::{AdapterArgs, BlockEngineName};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, ValueHint};
use std::path::PathBuf;

/// Compress or decompress .bz2 files on all cores, as bzip2 does on one
///
/// Each file is replaced by one with .bz2 added to its name, or with -d by one without it. Without
/// files, standard input goes to standard output. Files are of the bzip2 format, both ways.
///
/// Exit codes are bzip2's: 0 success, 1 a file cannot be read or written or there is no such option,
/// 2 a .bz2 file is damaged.
#[derive(Debug, Default, Args)]
#[command(
    args_override_self = true,
    after_long_help = "\
EXAMPLES:
  zgram bzip2 big.tar                        big.tar becomes big.tar.bz2
  zgram bzip2 -d big.tar.bz2                 and big.tar again
  zgram bzip2 -k -9 --threads 4 a.txt b.txt  the files stay, with a.txt.bz2 and b.txt.bz2
  zgram bzip2 -t *.bz2                       are they whole?
  zgram bzip2 -dc dump.xml.bz2 | grep title
  tar c folder | zgram bzip2 > folder.tar.bz2

ENVIRONMENT:
  BZIP2, BZIP  options that go before those typed, as with bzip2"
)]
pub(crate) struct Bzip2Args {
    /// Files; `-`, or nothing, is standard input, and goes to standard output
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,
    /// Decompress
    #[arg(short, long, overrides_with_all = ["compress", "test"])]
    pub(crate) decompress: bool,
    /// Compress; so it is without -d and -t. The last of the three counts
    #[arg(short = 'z', long, overrides_with_all = ["decompress", "test"])]
    pub(crate) compress: bool,
    /// Check compressed files, write nothing
    #[arg(short, long, overrides_with_all = ["decompress", "compress"])]
    pub(crate) test: bool,
    /// Write to standard output, keep the files
    #[arg(short = 'c', long)]
    pub(crate) stdout: bool,
    /// Keep the files
    #[arg(short, long)]
    pub(crate) keep: bool,
    /// Replace files that exist; take links and files with several names too; with -d, pass on as it
    /// is what was never compressed
    #[arg(short, long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) level: Level,
    /// Use less memory: one thread if no other number is given, and blocks of 200 kB at most
    #[arg(short, long)]
    pub(crate) small: bool,
    /// Tell version and license
    #[arg(short = 'L', long)]
    pub(crate) license: bool,
    /// Taken for bzip2's sake, which has no use for it either
    #[arg(long, aliases = ["repetitive-best", "exponential"], hide = true)]
    pub(crate) repetitive_fast: bool,
    /// Number of threads; as many as there are cores if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) threads: Option<u16>,
    /// Who compresses and decompresses blocks; the result is the same
    #[arg(long, value_enum, default_value_t)]
    pub(crate) engine: BlockEngineName,
    #[command(flatten)]
    pub(crate) adapter: AdapterArgs,
}

/// The block size, in hundreds of thousands of bytes: nine flags of which the last counts.
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
                "9" => flag.long("best").help(
                    "Blocks of 900 kB: smallest files. So it is without a level; -2 to -8 are between",
                ),
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
