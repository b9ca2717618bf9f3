//! One who runs an application, and how it is called.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// One who runs an application, in one way.
#[derive(Debug)]
pub struct Contestant {
    /// Name of the row.
    pub name: &'static str,
    /// What runs.
    pub program: Program,
    /// Arguments of a run that comes before and is not measured; empty if there is none.
    pub(super) before: &'static [&'static str],
    /// Its arguments; what is in braces stands for a value of [`Ask`].
    pub(super) arguments: &'static [&'static str],
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
    /// The program that counts as GloVe does.
    Glove,
}

/// A rival that is a Python script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Script {
    /// The tool, which is also the name of its package.
    pub tool: &'static str,
    pub(super) file: &'static str,
}

/// A row of zgram that a rival's is set against.
#[derive(Debug)]
pub struct Against {
    /// Name of zgram's row.
    pub ours: &'static str,
    /// The kind of comparison in `compare.py`.
    pub kind: &'static str,
}

/// Where everything is that contestants need.
#[derive(Debug)]
pub struct Programs {
    /// zgram.
    pub zgram: PathBuf,
    /// `zgram-glove`.
    pub glove: PathBuf,
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
    /// The same, with the word counts of each document stored.
    pub indexed: &'a Path,
    /// Where the answer goes; programs add an ending.
    pub output: &'a Path,
    /// Where a rival may keep what it makes before its run.
    pub store: &'a Path,
    /// Words to look for.
    pub words: &'a str,
    /// Workers.
    pub threads: u32,
    /// Passes of LDA.
    pub iterations: u32,
    /// Passes of word2vec.
    pub epochs: u32,
}

impl Ask<'_> {
    /// Arguments with their values.
    fn fill(&self, arguments: &[&str]) -> Vec<OsString> {
        let mut filled = Vec::new();
        for &argument in arguments {
            match argument {
                "{folder}" => filled.push(self.folder.into()),
                "{corpus}" => filled.push(self.corpus.into()),
                "{indexed}" => filled.push(self.indexed.into()),
                "{store}" => filled.push(self.store.into()),
                "index={store}" => filled.push(join("index=".as_ref(), self.store.as_ref())),
                // Of zgram, each word is an argument.
                "{words}" => filled.extend(self.words.split(' ').map(OsString::from)),
                _ => filled.push(match argument.strip_prefix("{output}") {
                    Some(ending) => join(self.output.as_ref(), ending.as_ref()),
                    None => self.numbers(argument).into(),
                }),
            }
        }
        filled
    }

    fn numbers(&self, argument: &str) -> String {
        argument
            .replace("{words}", self.words)
            .replace("{threads}", &self.threads.to_string())
            .replace("{iterations}", &self.iterations.to_string())
            .replace("{epochs}", &self.epochs.to_string())
    }
}

fn join(start: &OsStr, end: &OsStr) -> OsString {
    let mut joined = start.to_owned();
    joined.push(end);
    joined
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
        self.start(programs, ask, self.arguments)
    }

    /// The command that must have run before, if any.
    #[must_use]
    pub fn preparation(&self, programs: &Programs, ask: &Ask<'_>) -> Option<Command> {
        (!self.before.is_empty()).then(|| self.start(programs, ask, self.before))
    }

    fn start(&self, programs: &Programs, ask: &Ask<'_>, arguments: &[&str]) -> Command {
        let mut command = match self.program {
            Program::Zgram { .. } => Command::new(&programs.zgram),
            Program::Script(script) => script.start(programs, ask.threads),
            Program::Glove => Command::new(&programs.glove),
        };
        command.args(ask.fill(arguments)).stdout(Stdio::null());
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

/// The command that compares zgram's answer with a rival's, both given without their endings.
#[must_use]
pub fn comparison(programs: &Programs, kind: &str, answers: [&Path; 2], folder: &Path) -> Command {
    let mut command = Command::new(&programs.python);
    command.arg(programs.scripts.join("compare.py")).arg(kind).args(answers).arg(folder);
    command
}

/// Whether answers can be compared: whether Python has the packages.
#[must_use]
pub fn compares(programs: &Programs) -> bool {
    let mut command = Command::new(&programs.python);
    command.args(["-c", "import numpy, scipy.sparse"]).stdin(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::applications::table::Application;

    #[test]
    fn programs_are_called_as_documented() {
        let programs = Programs {
            zgram: "zgram".into(),
            glove: "zgram-glove".into(),
            python: "python3".into(),
            scripts: "rivals".into(),
        };
        let ask = Ask {
            folder: Path::new("texts"),
            corpus: Path::new("texts.zgram"),
            indexed: Path::new("indexed.zgram"),
            output: Path::new("answer"),
            store: Path::new("store"),
            words: "ship captain",
            threads: 2,
            iterations: 10,
            epochs: 1,
        };
        let [matrix, bm25] = [Application::Matrix, Application::Bm25].map(Application::contestants);
        let words = |command: Command| {
            let mut words = vec![command.get_program().to_string_lossy().into_owned()];
            words.extend(command.get_args().map(|word| word.to_string_lossy().into_owned()));
            words.join(" ")
        };
        assert_eq!(
            words(matrix[0].command(&programs, &ask)),
            "zgram matrix texts.zgram --sklearn --lower --format npz -o answer.npz --stats --threads 2"
        );
        assert_eq!(
            words(matrix[2].command(&programs, &ask)),
            "python3 rivals/sklearn_applications.py matrix texts answer.npz n=1"
        );
        assert_eq!(
            words(bm25[0].command(&programs, &ask)),
            "zgram rank texts.zgram ship captain --top 10 --sklearn --lower --format tsv -o \
             answer.tsv --stats --threads 2"
        );
        assert_eq!(
            words(matrix[1].command(&programs, &ask)),
            "zgram matrix indexed.zgram --sklearn --lower --format npz -o answer.npz --stats --threads 2"
        );
        let stored = &bm25[3];
        assert_eq!(
            words(stored.preparation(&programs, &ask).unwrap()),
            "python3 rivals/bm25s_applications.py bm25-index texts store"
        );
        assert_eq!(
            words(stored.command(&programs, &ask)),
            "python3 rivals/bm25s_applications.py bm25-stored texts answer.tsv \
             words=ship captain k=10 index=store"
        );
        assert!(matrix[2].preparation(&programs, &ask).is_none());
    }
}
