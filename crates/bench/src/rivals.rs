//! The general-purpose compressors zgram is measured against, and how each is called.
//!
//! They run as people use them: on one tar of the corpus, at the strongest setting in common use. All run single-threaded; zstd gets an option for that, because newer versions would choose the
//! number of threads by the machine.

use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// One compressor at one setting.
#[derive(Debug)]
pub struct Rival {
    /// Program and the settings that matter, as shown in tables.
    pub name: &'static str,
    program: &'static str,
    package: &'static str,
    compress: &'static [&'static str],
    decompress: &'static [&'static str],
}

/// The name of the row that `size / xz` is relative to.
pub const XZ: &str = "xz -9e";
/// The name of the row that `size / zstd` is relative to.
pub const ZSTD: &str = "zstd -19 --long=27";

/// Every rival, in the order of the table.
pub const RIVALS: [Rival; 4] = [
    Rival {
        name: "gzip -9",
        program: "gzip",
        package: "gzip",
        compress: &["-9", "-c"],
        decompress: &["-d", "-c"],
    },
    Rival {
        name: "bzip2 -9",
        program: "bzip2",
        package: "bzip2",
        compress: &["-9", "-c"],
        decompress: &["-d", "-c"],
    },
    Rival {
        name: ZSTD,
        program: "zstd",
        package: "zstd",
        compress: &["-19", "--long=27", "-T1", "-q", "-c"],
        decompress: &["-d", "--long=27", "-q", "-c"],
    },
    Rival {
        name: XZ,
        program: "xz",
        package: "xz-utils",
        compress: &["-9e", "-T1", "-c"],
        decompress: &["-d", "-T1", "-c"],
    },
];

impl Rival {
    /// The command that compresses `input` into the new file `output`.
    pub fn compress(&self, input: &Path, output: &Path) -> Result<Command> {
        let file =
            File::create(output).with_context(|| format!("cannot create {}", output.display()))?;
        Ok(self.command(self.compress, input, Stdio::from(file)))
    }

    /// The command that decompresses `input` to `output`.
    pub fn decompress(&self, input: &Path, output: Stdio) -> Command {
        self.command(self.decompress, input, output)
    }

    /// Program and version, or an error that says what to install.
    pub fn version(&self) -> Result<String> {
        Ok(format!("{} {}", self.program, program_version(self.program, self.package)?))
    }

    fn command(&self, flags: &[&str], input: &Path, output: Stdio) -> Command {
        let mut command = Command::new(self.program);
        command.args(flags).arg(input).stdout(output);
        command
    }
}

/// The version number `program --version` prints, or an error naming the `package` to install.
pub fn program_version(program: &str, package: &str) -> Result<String> {
    let asked = Command::new(program).arg("--version").stdin(Stdio::null()).output();
    let answer = match asked {
        Err(error) if error.kind() == ErrorKind::NotFound => bail!(
            "`{program}` is needed for the comparison and is not installed; \
             install the package {package}, for example with `apt-get install {package}`"
        ),
        other => other.with_context(|| format!("cannot run {program} --version"))?,
    };
    // bzip2 prints its version on standard error and compresses its empty input to standard output.
    let said = if answer.stderr.is_empty() { &answer.stdout } else { &answer.stderr };
    version_number(&String::from_utf8_lossy(said))
        .with_context(|| format!("{program} --version names no version"))
}

/// The first word that looks like `1.2` or `v1.2.3`.
fn version_number(text: &str) -> Option<String> {
    let looks_like_one =
        |word: &&str| word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.');
    text.split([' ', '\n', ','])
        .map(|word| word.trim_start_matches('v'))
        .find(looks_like_one)
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_program_says_what_to_install() {
        let error = program_version("no-such-compressor", "nsc-utils").unwrap_err().to_string();
        assert!(error.contains("no-such-compressor") && error.contains("nsc-utils"), "{error}");
    }

    #[test]
    fn version_numbers_are_found_in_what_tools_say() {
        for (said, version) in [
            ("gzip 1.12\nCopyright (C) 2018", "1.12"),
            ("bzip2, a block-sorting file compressor.  Version 1.0.8, 13-Jul-2019.", "1.0.8"),
            ("*** Zstandard CLI (64-bit) v1.5.4, by its makers ***", "1.5.4"),
            ("xz (XZ Utils) 5.4.1\nliblzma 5.4.1", "5.4.1"),
        ] {
            assert_eq!(version_number(said).as_deref(), Some(version));
        }
        assert_eq!(version_number("a tool without one"), None);
    }

    #[test]
    fn the_rows_that_sizes_are_relative_to_exist() {
        for name in [XZ, ZSTD] {
            assert!(RIVALS.iter().any(|rival| rival.name == name), "{name}");
        }
    }
}
