//! The applications, who runs each, and how each is called.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use serde::Serialize;

/// What is made of a corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Application {
    /// Documents × words.
    Matrix,
}

impl Application {
    /// Every application, in the order of the report.
    pub const ALL: [Self; 1] = [Self::Matrix];

    /// Its name in the report.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Matrix => "term matrix",
        }
    }

    /// Those who run it. zgram's rows come before the rivals that are compared with them.
    #[must_use]
    pub fn contestants(self) -> &'static [Contestant] {
        match self {
            Self::Matrix => &MATRIX,
        }
    }
}

/// One who runs an application, in one way.
#[derive(Debug)]
pub struct Contestant {
    /// Name of the row.
    pub name: &'static str,
    /// What runs.
    pub program: Program,
    /// Its arguments; what is in braces stands for a value of [`Ask`].
    arguments: &'static [&'static str],
    /// Which of zgram's rows it is set against, and how their answers are compared.
    pub against: Option<Against>,
}

/// What a contestant runs.
#[derive(Clone, Copy, Debug)]
pub enum Program {
    /// zgram. Preprocessing is these phases of `--stats`.
    Zgram {
        /// Names of lines that `--stats` prints.
        preprocessing: &'static [&'static str],
    },
    /// A script in `benchmarks/rivals`.
    Script(Script),
}

/// A rival that is a Python script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Script {
    /// The tool, which is also the name of its package.
    pub tool: &'static str,
    file: &'static str,
}

/// A row of zgram that a rival's is set against.
#[derive(Debug)]
pub struct Against {
    /// Name of zgram's row.
    pub ours: &'static str,
    /// The kind of comparison in `compare.py`.
    pub kind: &'static str,
}

/// Where zgram's time goes before it has counts, in the words of `--stats`.
const COUNTING: Program = Program::Zgram { preprocessing: &["open", "load", "traverse", "merge"] };

const SKLEARN: Script = Script { tool: "scikit-learn", file: "sklearn_applications.py" };

const MATRIX: [Contestant; 2] = [
    Contestant {
        name: "zgram matrix",
        program: COUNTING,
        arguments: &[
            "matrix",
            "{corpus}",
            "--sklearn",
            "--lower",
            "--format",
            "npz",
            "-o",
            "{output}.npz",
            "--stats",
            "--threads",
            "{threads}",
        ],
        against: None,
    },
    Contestant {
        name: "CountVectorizer",
        program: Program::Script(SKLEARN),
        arguments: &["matrix", "{folder}", "{output}.npz", "n=1"],
        against: Some(Against { ours: "zgram matrix", kind: "counts" }),
    },
];

/// Where everything is that contestants need.
#[derive(Debug)]
pub struct Programs {
    /// zgram.
    pub zgram: PathBuf,
    /// Python with the packages of the scripts.
    pub python: PathBuf,
    /// The folder of the scripts.
    pub scripts: PathBuf,
}

/// What a contestant is asked.
#[derive(Debug)]
pub struct Ask<'a> {
    /// The unpacked folder or file.
    pub folder: &'a Path,
    /// The corpus as zgram compressed it.
    pub corpus: &'a Path,
    /// Where the answer goes; programs add an ending.
    pub output: &'a Path,
    /// Workers.
    pub threads: u32,
}

impl Ask<'_> {
    /// An argument with its values.
    fn fill(&self, argument: &str) -> OsString {
        if let Some(ending) = argument.strip_prefix("{output}") {
            let mut output = OsString::from(self.output);
            output.push(ending);
            return output;
        }
        match argument {
            "{folder}" => self.folder.into(),
            "{corpus}" => self.corpus.into(),
            _ => argument.replace("{threads}", &self.threads.to_string()).into(),
        }
    }
}

impl Contestant {
    /// Whether this is our own row.
    #[must_use]
    pub fn is_zgram(&self) -> bool {
        matches!(self.program, Program::Zgram { .. })
    }

    /// The command that writes the answer.
    #[must_use]
    pub fn command(&self, programs: &Programs, ask: &Ask<'_>) -> Command {
        let mut command = match self.program {
            Program::Zgram { .. } => Command::new(&programs.zgram),
            Program::Script(script) => script.start(programs, ask.threads),
        };
        command.args(self.arguments.iter().map(|argument| ask.fill(argument)));
        command.stdout(Stdio::null());
        command
    }
}

impl Script {
    /// The tool's version, or an error that says how to install it.
    pub fn version(&self, programs: &Programs) -> Result<String> {
        let mut command = self.start(programs, 1);
        let answer = command.arg("--version").stdin(Stdio::null()).output();
        match answer.with_context(|| format!("cannot start {}", programs.python.display())) {
            Ok(answer) if answer.status.success() => {
                Ok(String::from_utf8_lossy(&answer.stdout).trim().to_owned())
            }
            _ => bail!(
                "{} is not installed: pip install -r benchmarks/rivals/requirements.txt",
                self.tool
            ),
        }
    }

    fn start(&self, programs: &Programs, threads: u32) -> Command {
        let mut command = Command::new(&programs.python);
        command.arg(programs.scripts.join(self.file));
        // Libraries of linear algebra would take all cores.
        for variable in ["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"] {
            command.env(variable, threads.to_string());
        }
        command
    }
}

/// The command that compares zgram's answer with a rival's.
#[must_use]
pub fn comparison(programs: &Programs, kind: &str, ours: &Path, theirs: &Path) -> Command {
    let mut command = Command::new(&programs.python);
    command.arg(programs.scripts.join("compare.py")).arg(kind).arg(ours).arg(theirs);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_called_as_documented() {
        let programs =
            Programs { zgram: "zgram".into(), python: "python3".into(), scripts: "rivals".into() };
        let ask = Ask {
            folder: Path::new("texts"),
            corpus: Path::new("texts.zgram"),
            output: Path::new("answer"),
            threads: 2,
        };
        let words = |contestant: &Contestant| {
            let command = contestant.command(&programs, &ask);
            let mut words = vec![command.get_program().to_string_lossy().into_owned()];
            words.extend(command.get_args().map(|word| word.to_string_lossy().into_owned()));
            words.join(" ")
        };
        assert_eq!(
            words(&MATRIX[0]),
            "zgram matrix texts.zgram --sklearn --lower --format npz -o answer.npz --stats --threads 2"
        );
        assert_eq!(
            words(&MATRIX[1]),
            "python3 rivals/sklearn_applications.py matrix texts answer.npz n=1"
        );
    }

    #[test]
    fn rivals_are_set_against_rows_of_zgram() {
        for application in Application::ALL {
            let contestants = application.contestants();
            for (number, contestant) in contestants.iter().enumerate() {
                let Some(against) = &contestant.against else { continue };
                let ours = contestants[..number].iter().find(|one| one.name == against.ours);
                assert!(ours.is_some_and(Contestant::is_zgram), "{}", contestant.name);
            }
        }
    }
}
