//! The programs that are compared, and how each is called.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::goals;
use crate::tasks::Task;

/// Levels at which corpora are compressed for analytics.
pub const LEVELS: [&str; 2] = ["fast", "default"];

/// Values of `--traversal` that are measured besides zgram's own choice.
pub const TRAVERSALS: [&str; 3] = ["top-down", "bottom-up", "stream"];

/// The level at which traversals are compared.
pub const TRAVERSAL_LEVEL: &str = "default";

/// A program that answers.
#[derive(Clone, Debug)]
pub enum Contestant {
    /// zgram on a corpus compressed at a level; with the traversal it chooses, or a given one.
    Zgram {
        /// Value of `--level` when it was compressed.
        level: &'static str,
        /// Value of `--traversal`; `None` for zgram's own choice.
        traversal: Option<&'static str>,
    },
    /// The raw rival on unpacked files.
    Raw,
    /// The raw rival behind `zstd -dc`.
    ZstdRaw,
    /// A script in `benchmarks/rivals`.
    Script(&'static Script),
}

/// A rival that is a script.
#[derive(Debug)]
pub struct Script {
    /// The tool.
    pub name: &'static str,
    file: &'static str,
    /// The tasks that it answers.
    pub tasks: &'static [Task],
    /// Whether it can use several threads.
    pub parallel: bool,
    is_python: bool,
    install: &'static str,
}

/// Every script, in the order of the table.
pub const SCRIPTS: [Script; 4] = [
    Script {
        name: "DuckDB",
        file: "duckdb_tasks.py",
        tasks: &Task::ALL,
        parallel: true,
        is_python: true,
        install: "pip install duckdb",
    },
    Script {
        name: "Polars",
        file: "polars_tasks.py",
        tasks: &Task::ALL,
        parallel: true,
        is_python: true,
        install: "pip install polars",
    },
    Script {
        name: "mawk",
        file: "mawk.sh",
        tasks: &[Task::WordCount, Task::Sort],
        parallel: false,
        is_python: false,
        install: "apt-get install mawk",
    },
    Script {
        name: "scikit-learn",
        file: "sklearn_tasks.py",
        tasks: &[Task::WordCount, Task::TermVector, Task::SequenceCount],
        parallel: false,
        is_python: true,
        install: "pip install scikit-learn",
    },
];

/// Where the contestants find what they need.
#[derive(Debug)]
pub struct Programs {
    /// zgram, unless it does not take part.
    pub zgram: Option<PathBuf>,
    /// The raw rival.
    pub raw: PathBuf,
    /// Python with the packages of the scripts.
    pub python: PathBuf,
    /// The folder of the scripts.
    pub scripts: PathBuf,
}

/// What a corpus looks like on disk.
#[derive(Debug)]
pub struct Inputs<'a> {
    /// The unpacked folder or file.
    pub root: &'a Path,
    /// A tar of it, compressed by zstd.
    pub packed: &'a Path,
    /// The corpus as zgram compressed it, by level.
    pub compressed: &'a [(&'static str, PathBuf)],
}

impl Contestant {
    /// Name of the row.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Zgram { level, traversal: None } => format!("zgram, {level}"),
            Self::Zgram { level, traversal: Some(traversal) } => {
                format!("zgram, {level}, --traversal {traversal}")
            }
            Self::Raw => "raw".to_owned(),
            Self::ZstdRaw => "zstd -dc, raw".to_owned(),
            Self::Script(script) => script.name.to_owned(),
        }
    }

    /// Whether it answers the task with this many threads.
    #[must_use]
    pub fn answers(&self, task: Task, threads: u32) -> bool {
        match self {
            Self::Zgram { traversal: None, .. } => true,
            Self::Zgram { level, traversal } => {
                let is_judged = *traversal == goals::traversal(task);
                is_judged || (threads == 1 && *level == TRAVERSAL_LEVEL)
            }
            Self::Raw | Self::ZstdRaw => true,
            Self::Script(script) => {
                script.tasks.contains(&task) && (threads == 1 || script.parallel)
            }
        }
    }

    /// The command that writes the answer to `output`.
    pub fn command(
        &self,
        programs: &Programs,
        inputs: &Inputs<'_>,
        task: Task,
        threads: u32,
        output: &Path,
    ) -> Result<Command> {
        let threads = threads.to_string();
        let mut command = match self {
            Self::Zgram { level, traversal } => {
                let program = programs.zgram.as_ref().context("zgram does not take part")?;
                let (_, file) = inputs
                    .compressed
                    .iter()
                    .find(|(at, _)| at == level)
                    .context("the corpus is compressed at each level")?;
                let mut command = Command::new(program);
                command.arg(task.name()).arg(file).args(["--format", "tsv", "--threads", &threads]);
                command.args(["--traversal", traversal.unwrap_or("auto")]).arg("-o").arg(output);
                command
            }
            Self::Raw => {
                let mut command = Command::new(&programs.raw);
                command.arg(task.name()).arg(inputs.root).args(["--threads", &threads]);
                command.arg("-o").arg(output);
                command
            }
            Self::ZstdRaw => {
                // A file lies in the tar by its name, a folder's files below the folder's.
                let strip = if inputs.root.is_file() { "0" } else { "1" };
                let mut command = Command::new("sh");
                command.args(["-c", PIPE, "sh"]).arg(inputs.packed).arg(&programs.raw);
                command.args([task.name(), &threads, strip]).arg(output);
                command
            }
            Self::Script(script) => {
                let mut command = script.start(programs);
                command.arg(task.name()).arg(inputs.root).arg(output).arg(&threads);
                command
            }
        };
        command.stdout(Stdio::null());
        Ok(command)
    }
}

const PIPE: &str = r#"zstd -dcq --long=27 "$1" | "$2" "$3" - --threads "$4" --strip "$5" -o "$6""#;

impl Script {
    /// The tool's version, or an error that says how to install it.
    pub fn version(&self, programs: &Programs) -> Result<String> {
        let answer = self.start(programs).arg("--version").stdin(Stdio::null()).output();
        let answer = answer.with_context(|| format!("cannot start {}", self.file))?;
        if !answer.status.success() {
            bail!("{} is not installed: {}", self.name, self.install);
        }
        let said = String::from_utf8_lossy(&answer.stdout);
        Ok(said.split_whitespace().take(2).collect::<Vec<_>>().join(" "))
    }

    fn start(&self, programs: &Programs) -> Command {
        let script = programs.scripts.join(self.file);
        if self.is_python {
            let mut command = Command::new(&programs.python);
            command.arg(script);
            command
        } else {
            Command::new(script)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zgram_is_called_as_documented() {
        let programs = Programs {
            zgram: Some("zgram".into()),
            raw: "zgram-raw".into(),
            python: "python3".into(),
            scripts: "rivals".into(),
        };
        let compressed = [("fast", PathBuf::from("fast.zgram"))];
        let (root, packed) = (Path::new("texts"), Path::new("texts.tar.zst"));
        let inputs = Inputs { root, packed, compressed: &compressed };
        let command = |contestant: Contestant| {
            let command =
                contestant.command(&programs, &inputs, Task::TermVector, 2, Path::new("out"));
            format!("{:?}", command.unwrap()).replace('"', "")
        };
        assert_eq!(
            command(Contestant::Zgram { level: "fast", traversal: None }),
            "zgram term-vector fast.zgram --format tsv --threads 2 --traversal auto -o out"
        );
        assert_eq!(command(Contestant::Raw), "zgram-raw term-vector texts --threads 2 -o out");
        assert_eq!(
            command(Contestant::Script(&SCRIPTS[0])),
            "python3 rivals/duckdb_tasks.py term-vector texts out 2"
        );
    }

    #[test]
    fn a_missing_tool_says_how_to_install_it() {
        let programs = Programs {
            zgram: None,
            raw: "zgram-raw".into(),
            python: "false".into(),
            scripts: "rivals".into(),
        };
        let error = SCRIPTS[0].version(&programs).unwrap_err().to_string();
        assert!(error.contains("DuckDB") && error.contains("pip install duckdb"), "{error}");
    }
}
