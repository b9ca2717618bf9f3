//! `zgram bzip2`: the everyday uses of the bzip2 program, on all cores.
//!
//! As with bzip2, each file is replaced by its compressed or decompressed form, which keeps its
//! permissions and times. Unlike with bzip2, the new file is written under a temporary name, renamed
//! when it is complete, and flushed to disk before the old file is removed.

mod attributes;
mod failure;
mod names;
mod stream;

use crate::args::Bzip2Args;
use crate::args::gpu::BlockEngineName;
use crate::complaint::{Complaint, Reported};
use crate::exit::Exit;
use crate::gpu;
use crate::human;
use crate::interrupt;
use crate::paths::{folder_of, is_dash};
use crate::reporter::Reporter;
use anyhow::Context;
use attributes::{has_other_names, keep_attributes};
use failure::{Damaged, as_unavailable, unavailable};
use names::ending_of;
use std::fs::{self, File, Metadata};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use zgram::plumbing::private_file;
use zgram_bwt::bzip2::Accelerator;

pub(crate) fn run(args: &Bzip2Args, reporter: &Reporter) -> anyhow::Result<()> {
    if args.license {
        println!("zgram {}, {}", env!("CARGO_PKG_VERSION"), env!("CARGO_PKG_LICENSE"));
        return Ok(());
    }
    if args.test && args.stdout {
        return Err(unavailable(
            "-t writes nothing, so it cannot be combined with -c",
            "remove one of them",
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
    // As with bzip2, a file that fails does not stop the others, but a damaged file that is to be
    // decompressed does.
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
    /// Processes standard input to standard output.
    fn filter(&self) -> anyhow::Result<()> {
        let (stdin, stdout) = (io::stdin().lock(), io::stdout().lock());
        if !self.is_packing && stdin.is_terminal() {
            let hint = "name a file, or pipe one to standard input";
            return Err(unavailable("refusing to read compressed data from a terminal", hint));
        }
        if self.args.test {
            return self.pass("standard input", stdin, io::sink()).map(|_| ());
        }
        self.check_terminal(&stdout)?;
        self.pass("standard input", stdin, stdout).map(|_| ())
    }

    fn check_terminal(&self, stdout: &impl IsTerminal) -> anyhow::Result<()> {
        if self.is_packing && stdout.is_terminal() {
            let hint = "name a file to compress, or pipe the output to another program";
            return Err(unavailable("refusing to write compressed data to a terminal", hint));
        }
        Ok(())
    }

    /// Processes one file.
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
            self.tell(|| format!("{name}: ok"));
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
        let folder = folder_of(&output);
        interrupt::listen();
        interrupt::clean_up_from_now_on();
        let mut temporary = private_file(folder).with_context(written).map_err(as_unavailable)?;
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

    /// Opens a file. If it is to be replaced, it must be a regular file without other hard links.
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
            let hint = "-c writes to standard output; --force follows links";
            return Err(unavailable(format!("{name} is not a regular file"), hint));
        }
        // As with bzip2, also with -k.
        if is_replaced && !self.args.force && has_other_names(&metadata) {
            let hint = "-c writes to standard output; --force replaces this link only";
            return Err(unavailable(format!("{name} has other names (hard links)"), hint));
        }
        let file = File::open(path).with_context(failed).map_err(as_unavailable)?;
        Ok((metadata, file))
    }

    /// The name of the new file.
    fn output_name(&self, path: &Path) -> PathBuf {
        if self.is_packing {
            return names::packed(path);
        }
        names::unpacked(path).unwrap_or_else(|| {
            let name = names::with_ending(path, ".out");
            let (old, new) = (path.display(), name.display());
            self.reporter.notice(&format!("{old} does not end with .bz2; writing to {new}"));
            name
        })
    }

    fn tell(&self, message: impl FnOnce() -> String) {
        if self.reporter.is_verbose() {
            self.reporter.conclude(&message());
        }
    }
}
