//! The zgram program: where it is, and the settings it is measured at.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::rivals::program_version;

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
        let built = Command::new("cargo")
            .args(["build", "--release", "-p", "zgram-cli", "--message-format=json"])
            .current_dir(workspace)
            .stderr(Stdio::inherit())
            .output()
            .context("cannot run cargo to build zgram; give a built program with --zgram")?;
        if !built.status.success() {
            bail!("building zgram failed; give a built program with --zgram");
        }
        let messages = String::from_utf8(built.stdout).context("cargo's messages are not UTF-8")?;
        let program = messages
            .lines()
            .find_map(executable_of_message)
            .context("cargo built no program named zgram")?;
        Ok(Self { program })
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

    /// The program with a verb, its output going nowhere yet.
    pub(crate) fn command(&self, verb: &str) -> Command {
        let mut command = Command::new(&self.program);
        command.arg(verb).stdout(Stdio::null());
        command
    }
}

/// The path of the zgram program, if this line of `cargo build --message-format=json` announces it.
fn executable_of_message(line: &str) -> Option<PathBuf> {
    let message: serde_json::Value = serde_json::from_str(line).ok()?;
    if message["reason"] != "compiler-artifact" || message["target"]["name"] != "zgram" {
        return None;
    }
    message["executable"].as_str().map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_is_told_from_the_library_of_the_same_name() {
        let library =
            r#"{"reason":"compiler-artifact","target":{"name":"zgram"},"executable":null}"#;
        let program =
            r#"{"reason":"compiler-artifact","target":{"name":"zgram"},"executable":"/t/zgram"}"#;
        assert_eq!(executable_of_message(library), None);
        assert_eq!(executable_of_message(program), Some(PathBuf::from("/t/zgram")));
        assert_eq!(executable_of_message("warning: not JSON"), None);
    }

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
