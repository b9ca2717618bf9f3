//! `zgram bzip2`: what the bzip2 program does every day, on all cores.
//!
//! Files are treated as bzip2 treats them: replaced by their compressed or decompressed form, which
//! keeps their permissions and times. Other than there, the new file is written beside its place,
//! moved there when complete, and on disk before the old one goes.

use super::is_dash;
use crate::args::Display;
use crate::complaint::{Complaint, Refusal, Reported};
use crate::exit::Exit;
use crate::gpu;
use crate::gpu::args::{AdapterArgs, BlockEngineName};
use crate::human;
use crate::interrupt;
use crate::reporter::Reporter;
use anyhow::Context;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, ValueHint};
use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use zgram_bwt::bzip2::{Accelerator, Error, Reader, Writer, WriterOptions};

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
    files: Vec<PathBuf>,
    /// Decompress
    #[arg(short, long, overrides_with_all = ["compress", "test"])]
    decompress: bool,
    /// Compress; so it is without -d and -t. The last of the three counts
    #[arg(short = 'z', long, overrides_with_all = ["decompress", "test"])]
    compress: bool,
    /// Check compressed files, write nothing
    #[arg(short, long, overrides_with_all = ["decompress", "compress"])]
    test: bool,
    /// Write to standard output, keep the files
    #[arg(short = 'c', long)]
    stdout: bool,
    /// Keep the files
    #[arg(short, long)]
    keep: bool,
    /// Replace files that exist; take links and files with several names too; with -d, pass on as it
    /// is what was never compressed
    #[arg(short, long)]
    force: bool,
    #[command(flatten)]
    level: Level,
    /// Use less memory: one thread if no other number is given, and blocks of 200 kB at most
    #[arg(short, long)]
    small: bool,
    /// Tell version and license
    #[arg(short = 'L', long)]
    license: bool,
    /// Taken for bzip2's sake, which has no use for it either
    #[arg(long, aliases = ["repetitive-best", "exponential"], hide = true)]
    repetitive_fast: bool,
    /// Number of threads; as many as there are cores if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Who compresses and decompresses blocks; the result is the same
    #[arg(long, value_enum, default_value_t)]
    engine: BlockEngineName,
    #[command(flatten)]
    adapter: AdapterArgs,
}

/// The block size, in hundreds of thousands of bytes: nine flags of which the last counts.
#[derive(Debug)]
struct Level(u8);

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

impl Bzip2Args {
    /// Takes apart words that are files, bzip2's options, `--threads N` and nothing else: what is typed
    /// every day. `None` for others, also for those that are wrong; clap knows about them.
    ///
    /// Clap would make the same of them, but for -q and -v, which it does not let go together. It would
    /// take more memory than a small file: pages of the program, and a description of all that could be
    /// typed.
    pub(crate) fn plain(words: &[OsString]) -> Option<(Self, Display)> {
        let mut display = Display::default();
        let mut args = Self::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.as_encoded_bytes() {
                [] => return None,
                b"--threads" => {
                    let number = words.next()?.to_str()?;
                    let is_plain = number.bytes().all(|byte| byte.is_ascii_digit());
                    args.threads = Some(number.parse().ok().filter(|&n| is_plain && n > 0)?);
                }
                [b'-', b'-', name @ ..] => args.take_letter(letter_of(name)?, &mut display)?,
                [b'-', letters @ ..] if !letters.is_empty() => {
                    for &letter in letters {
                        args.take_letter(letter, &mut display)?;
                    }
                }
                _ => args.files.push(word.into()),
            }
        }
        // With bzip2, what is told of each file is told all the same.
        display.quiet &= !display.verbose;
        Some((args, display))
    }

    fn take_letter(&mut self, letter: u8, display: &mut Display) -> Option<()> {
        match letter {
            b'd' | b'z' | b't' => {
                (self.decompress, self.compress, self.test) =
                    (letter == b'd', letter == b'z', letter == b't');
            }
            b'c' => self.stdout = true,
            b'k' => self.keep = true,
            b'f' => self.force = true,
            b's' => self.small = true,
            b'L' => self.license = true,
            b'q' => display.quiet = true,
            b'v' => display.verbose = true,
            b'1'..=b'9' => self.level = Level(letter - b'0'),
            _ => return None,
        }
        Some(())
    }
}

/// The option of one letter that an option of one word stands for.
fn letter_of(name: &[u8]) -> Option<u8> {
    Some(match name {
        b"decompress" => b'd',
        b"compress" => b'z',
        b"test" => b't',
        b"stdout" => b'c',
        b"keep" => b'k',
        b"force" => b'f',
        b"small" => b's',
        b"license" => b'L',
        b"quiet" => b'q',
        b"verbose" => b'v',
        b"fast" => b'1',
        b"best" => b'9',
        _ => return None,
    })
}

pub(crate) fn run(args: &Bzip2Args, reporter: &Reporter) -> anyhow::Result<()> {
    if args.license {
        println!("zgram {}, {}", env!("CARGO_PKG_VERSION"), env!("CARGO_PKG_LICENSE"));
        return Ok(());
    }
    if args.test && args.stdout {
        return Err(unavailable(
            "-t writes nothing, so -c has no meaning",
            "leave out one of them",
        ));
    }
    let is_packing = !args.decompress && !args.test;
    let accelerator = match args.engine {
        BlockEngineName::Cpu => None,
        BlockEngineName::Gpu => {
            let opened = gpu::block_sorter(&args.adapter);
            Some(opened.map_err(|refusal| as_unavailable(refusal.into()))?)
        }
    };
    let job = Job {
        is_packing,
        accelerator,
        threads: args.threads.map_or(usize::from(args.small), usize::from),
        level: if args.small { args.level.0.min(SMALL_LEVEL) } else { args.level.0 },
        reporter,
        args,
    };
    if args.files.is_empty() {
        return job.filter();
    }
    // One file that fails does not keep the others from being done, unless it is one to be decompressed
    // that turns out to be damaged: then bzip2 ends.
    let mut worst = None;
    for path in &args.files {
        let outcome = if is_dash(path) { job.filter() } else { job.file(path) };
        if let Err(error) = outcome {
            let exit = Complaint::of(&error).print();
            if exit == Exit::Interrupted {
                return Err(Reported(exit).into());
            }
            worst = worst.max(Some(exit));
            if args.decompress && error.is::<Damaged>() {
                break;
            }
        }
    }
    worst.map_or(Ok(()), |exit| Err(Reported(exit).into()))
}

/// The highest level with --small.
const SMALL_LEVEL: u8 = 2;

/// What to do with each file.
struct Job<'a> {
    is_packing: bool,
    accelerator: Option<Arc<dyn Accelerator>>,
    threads: usize,
    level: u8,
    reporter: &'a Reporter,
    args: &'a Bzip2Args,
}

impl Job<'_> {
    /// Standard input to standard output.
    fn filter(&self) -> anyhow::Result<()> {
        let (stdin, stdout) = (io::stdin().lock(), io::stdout().lock());
        if !self.is_packing && stdin.is_terminal() {
            let hint = "name a file, or pipe one in";
            return Err(unavailable("compressed data is not read from a terminal", hint));
        }
        if self.args.test {
            return self.pass("standard input", stdin, io::sink()).map(|_| ());
        }
        self.check_terminal(&stdout)?;
        self.pass("standard input", stdin, stdout).map(|_| ())
    }

    fn check_terminal(&self, stdout: &impl IsTerminal) -> anyhow::Result<()> {
        if self.is_packing && stdout.is_terminal() {
            let hint = "name a file to compress, or pipe the output on";
            return Err(unavailable("compressed data is not for a terminal", hint));
        }
        Ok(())
    }

    /// A file to wherever it is to go.
    fn file(&self, path: &Path) -> anyhow::Result<()> {
        let name = path.display().to_string();
        if self.is_packing
            && let Some((ending, _)) = ending_of(path)
        {
            let message = format!("{name} already ends with {ending}");
            return Err(unavailable(message, "-d decompresses it"));
        }
        let (metadata, mut file) = self.open(path)?;
        if self.args.test {
            self.pass(&name, file, io::sink())?;
            self.tell(|| format!("{name}: whole"));
            return Ok(());
        }
        if self.args.stdout {
            let stdout = io::stdout().lock();
            self.check_terminal(&stdout)?;
            return self.pass(&name, file, stdout).map(|_| ());
        }
        let output = self.output_name(path);
        if !self.args.force && fs::symlink_metadata(&output).is_ok() {
            let message = format!("{} exists already", output.display());
            return Err(unavailable(message, "--force replaces it; nothing was written"));
        }
        let written = || format!("cannot write {}", output.display());
        let folder = match output.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        interrupt::listen();
        interrupt::clean_up_from_now_on();
        let mut temporary = tempfile::NamedTempFile::new_in(folder)
            .with_context(written)
            .map_err(as_unavailable)?;
        let sizes = self.pass(&name, &mut file, temporary.as_file_mut())?;
        let moved = || -> io::Result<()> {
            keep_attributes(&metadata, temporary.as_file());
            temporary.as_file().sync_all()?;
            if self.args.force {
                temporary.persist(&output)?;
            } else {
                temporary.persist_noclobber(&output)?;
            }
            Ok(())
        };
        moved().with_context(written).map_err(as_unavailable)?;
        if !self.args.keep {
            fs::remove_file(path)
                .with_context(|| format!("cannot remove {name}"))
                .map_err(as_unavailable)?;
        }
        self.tell(|| {
            let (from, to) = (human::bytes(sizes.0), human::bytes(sizes.1));
            format!("{name}: {from} → {}, {to}", output.display())
        });
        Ok(())
    }

    /// Opens a file that may be replaced. Unless it is only read, it must be a file of one name.
    fn open(&self, path: &Path) -> anyhow::Result<(Metadata, File)> {
        let name = path.display();
        let failed = || format!("cannot read {name}");
        let is_replaced = !self.args.stdout && !self.args.test;
        let metadata = if is_replaced && !self.args.force {
            fs::symlink_metadata(path)
        } else {
            fs::metadata(path)
        };
        let metadata = metadata.with_context(failed).map_err(as_unavailable)?;
        if metadata.is_dir() {
            return Err(unavailable(format!("{name} is a folder"), "name files, or use tar"));
        }
        if is_replaced && !self.args.force && !metadata.is_file() {
            let hint = "-c writes to standard output, --force takes what a link leads to";
            return Err(unavailable(format!("{name} is not a normal file"), hint));
        }
        // Also with -k, as bzip2 has it.
        if is_replaced && !self.args.force && has_other_names(&metadata) {
            let hint = "-c writes to standard output, --force takes this one name";
            return Err(unavailable(format!("{name} has other names (hard links)"), hint));
        }
        let file = File::open(path).with_context(failed).map_err(as_unavailable)?;
        Ok((metadata, file))
    }

    /// The name of the new file.
    fn output_name(&self, path: &Path) -> PathBuf {
        let mut name = OsString::from(path);
        match ending_of(path) {
            _ if self.is_packing => name.push(".bz2"),
            Some((ending, instead)) => {
                // All endings are ASCII, so the rest is as well-formed as the whole.
                let stem = path.to_str().map(|text| &text[..text.len() - ending.len()]);
                match stem {
                    Some(stem) => name = OsString::from(format!("{stem}{instead}")),
                    None => name = strip(path, ending, instead),
                }
            }
            None => {
                name.push(".out");
                self.reporter.notice(&format!(
                    "{} does not end with .bz2; writing to {}",
                    path.display(),
                    Path::new(&name).display()
                ));
            }
        }
        name.into()
    }

    /// Compresses or decompresses. Returns the sizes of input and output.
    fn pass(&self, name: &str, input: impl Read, output: impl Write) -> anyhow::Result<(u64, u64)> {
        let mut input = Counted { inner: input, bytes: 0 };
        let mut output = Counted { inner: output, bytes: 0 };
        let cannot = || format!("cannot write what becomes of {name}");
        if self.is_packing {
            let options = WriterOptions { level: self.level, threads: self.threads };
            let mut writer =
                Writer::new(&mut output, options).map_err(|e| as_unavailable(e.into()))?;
            if let Some(accelerator) = &self.accelerator {
                writer = writer.with_accelerator(Arc::clone(accelerator));
            }
            self.copy(name, &mut input, &mut writer)?;
            writer.finish().with_context(cannot).map_err(as_unavailable)?;
        } else {
            let mut start = Vec::new();
            if self.args.force && !self.args.test {
                let taken = (&mut input).take(4).read_to_end(&mut start);
                taken.map_err(|error| reading_failed(name, error))?;
            }
            let mut whole = start.as_slice().chain(&mut input);
            if !may_be_compressed(&start) {
                self.copy(name, &mut whole, &mut output)?;
                output.flush().with_context(cannot).map_err(as_unavailable)?;
                return Ok((input.bytes, output.bytes));
            }
            let mut reader =
                Reader::new(whole, self.threads).map_err(|e| as_unavailable(e.into()))?;
            if let Some(accelerator) = &self.accelerator {
                reader = reader.with_accelerator(Arc::clone(accelerator));
            }
            self.copy(name, &mut reader, &mut output)?;
            output.flush().with_context(cannot).map_err(as_unavailable)?;
            if reader.has_trailing_garbage() {
                self.reporter
                    .notice(&format!("{name}: what follows the compressed data is left alone"));
            }
        }
        Ok((input.bytes, output.bytes))
    }

    fn copy(&self, name: &str, from: &mut impl Read, to: &mut impl Write) -> anyhow::Result<()> {
        let mut portion = vec![0; 1 << 16];
        loop {
            if interrupt::is_asked_to_stop() {
                return Err(Reported(Exit::Interrupted).into());
            }
            let len = match from.read(&mut portion) {
                Ok(0) => return Ok(()),
                Ok(len) => len,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(reading_failed(name, error)),
            };
            to.write_all(&portion[..len])
                .with_context(|| format!("cannot write what becomes of {name}"))
                .map_err(as_unavailable)?;
        }
    }

    fn tell(&self, message: impl FnOnce() -> String) {
        if self.reporter.is_verbose() {
            self.reporter.conclude(&message());
        }
    }
}

/// What names of compressed files end with, and what their files' names end with instead.
const ENDINGS: [(&str, &str); 4] = [(".bz2", ""), (".bz", ""), (".tbz2", ".tar"), (".tbz", ".tar")];

fn ending_of(path: &Path) -> Option<(&'static str, &'static str)> {
    let bytes = path.as_os_str().as_encoded_bytes();
    ENDINGS.into_iter().find(|(ending, _)| bytes.ends_with(ending.as_bytes()))
}

/// Whether a file that begins so may be a .bz2 file, as far as its first four bytes tell.
fn may_be_compressed(start: &[u8]) -> bool {
    let is_right = |(place, &byte): (usize, &u8)| match place {
        3 => (b'1'..=b'9').contains(&byte),
        _ => byte == b"BZh"[place],
    };
    start.iter().take(4).enumerate().all(is_right)
}

/// The name without its ending, where it is not text.
#[cfg(unix)]
fn strip(path: &Path, ending: &str, instead: &str) -> OsString {
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    let bytes = path.as_os_str().as_bytes();
    OsString::from_vec([&bytes[..bytes.len() - ending.len()], instead.as_bytes()].concat())
}

#[cfg(not(unix))]
fn strip(path: &Path, _: &str, _: &str) -> OsString {
    // No way to cut such a name; bzip2's answer to a name it cannot undo.
    let mut name = path.as_os_str().to_owned();
    name.push(".out");
    name
}

#[cfg(unix)]
fn has_other_names(metadata: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(metadata) > 1
}

#[cfg(not(unix))]
fn has_other_names(_: &Metadata) -> bool {
    false
}

/// Gives the new file what can be kept of the old one's: permissions, times, owner. What cannot be
/// kept, such as an owner by somebody else, is no reason to fail.
fn keep_attributes(of: &Metadata, file: &File) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
        let _ = fchown(file, Some(of.uid()), Some(of.gid()));
        // A file that runs as its owner must not come to be by a detour.
        let _ = file.set_permissions(fs::Permissions::from_mode(of.mode() & 0o777));
    }
    #[cfg(not(unix))]
    let _ = file.set_permissions(of.permissions());
    let mut times = fs::FileTimes::new();
    if let Ok(modified) = of.modified() {
        times = times.set_modified(modified);
    }
    if let Ok(accessed) = of.accessed() {
        times = times.set_accessed(accessed);
    }
    let _ = file.set_times(times);
}

/// A file to be decompressed was one once.
#[derive(Debug)]
struct Damaged;

impl std::fmt::Display for Damaged {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a damaged file")
    }
}

/// A damaged file is bzip2's exit code 2, all other failures are 1.
fn reading_failed(name: &str, error: io::Error) -> anyhow::Error {
    match error.get_ref().and_then(|inner| inner.downcast_ref::<Error>()) {
        Some(damage) => {
            let message = format!("{name}: {damage}");
            let hint = "get the file again from where it came from";
            let refusal = anyhow::Error::from(Refusal::error(message, hint));
            if matches!(damage, Error::Foreign) { refusal } else { refusal.context(Damaged) }
        }
        None => as_unavailable(anyhow::Error::new(error).context(format!("cannot read {name}"))),
    }
}

fn unavailable(message: impl Into<String>, hint: impl Into<String>) -> anyhow::Error {
    Refusal::unavailable(message, hint).into()
}

/// The error as it is, with bzip2's exit code for what is not the compressed file's fault.
fn as_unavailable(error: anyhow::Error) -> anyhow::Error {
    Complaint::of(&error).into_unavailable().into()
}

/// Counts the bytes that pass.
struct Counted<T> {
    inner: T,
    bytes: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = self.inner.read(out)?;
        self.bytes += len as u64;
        Ok(len)
    }
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let len = self.inner.write(bytes)?;
        self.bytes += len as u64;
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
