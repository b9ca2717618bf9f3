//! The zgram program: where it is, and the settings it is measured at.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use crate::rivals::program_version;
use crate::workspace;

/// A built `zgram` program.
#[derive(Debug)]
pub struct Zgram {
    program: PathBuf,
}

/// A level and a grammar builder: one row of the table.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// Value of `--level`.
    pub level: &'static str,
    /// Value of `--grammar`.
    pub grammar: &'static str,
}

/// Every setting measured: the three levels with one builder, and the other builder beside it at
/// the default level.
pub const SETTINGS: [Setting; 4] = [
    Setting { level: "fast", grammar: "repair" },
    Setting { level: "default", grammar: "repair" },
    Setting { level: "max", grammar: "repair" },
    Setting { level: "default", grammar: "sequitur" },
];

impl Setting {
    /// Name of the row, which is also what a user would type.
    pub fn name(self) -> String {
        format!("zgram --level {} --grammar {}", self.level, self.grammar)
    }
}

impl Zgram {
    /// Uses the program at `path`.
    pub fn at(path: &Path) -> Result<Self> {
        let program = path
            .canonicalize()
            .with_context(|| format!("there is no zgram program at {}", path.display()))?;
        Ok(Self { program })
    }

    /// Builds the program in release mode from the workspace at `workspace`.
    pub fn build(workspace: &Path) -> Result<Self> {
        let built = workspace::build(workspace, "zgram-cli", "zgram");
        Ok(Self { program: built.context("give a built program with --zgram")? })
    }

    /// Where the program is.
    pub fn path(&self) -> &Path {
        &self.program
    }

    /// Program and version.
    pub fn version(&self) -> Result<String> {
        let program = self.program.to_str().context("the path of zgram is not UTF-8")?;
        Ok(format!("zgram {}", program_version(program, "zgram")?))
    }

    /// The command that compresses the corpus at `input` into `output`.
    pub fn compress(&self, setting: Setting, threads: u32, input: &Path, output: &Path) -> Command {
        let mut command = self.command("compress");
        command
            .arg(input)
            .arg("-o")
            .arg(output)
            .args(["--force", "--level", setting.level, "--grammar", setting.grammar])
            .args(["--threads", &threads.to_string()]);
        command
    }

    /// The command that decompresses `input` into the folder `output`, on one thread.
    pub fn decompress(&self, input: &Path, output: &Path) -> Command {
        let mut command = self.command("decompress");
        command.arg(input).arg("-o").arg(output).args(["--force", "--threads", "1"]);
        command
    }

    /// The program with a verb; its output is discarded unless redirected.
    pub(crate) fn command(&self, verb: &str) -> Command {
        let mut command = Command::new(&self.program);
        command.arg(verb).stdout(Stdio::null());
        command
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_have_the_documented_forms() {
        let zgram = Zgram { program: "zgram".into() };
        let setting = Setting { level: "max", grammar: "sequitur" };
        let compress = zgram.compress(setting, 2, Path::new("in"), Path::new("out.zgram"));
        assert_eq!(
            format!("{compress:?}").replace('"', ""),
            "zgram compress in -o out.zgram --force --level max --grammar sequitur --threads 2"
        );
        let arguments: Vec<_> = zgram
            .decompress(Path::new("out.zgram"), Path::new("dir"))
            .get_args()
            .map(|argument| argument.to_string_lossy().into_owned())
            .collect();
        assert_eq!(
            arguments,
            ["decompress", "out.zgram", "-o", "dir", "--force", "--threads", "1"]
        );
    }

    #[test]
    fn a_missing_program_is_an_error() {
        let error = Zgram::at(Path::new("no/such/zgram")).unwrap_err().to_string();
        assert!(error.contains("no/such/zgram"), "{error}");
    }
}
